"""Campaigns of the club made of games that were played elsewhere."""

from __future__ import annotations

from random import Random

import msgspec

from polemarque.club.models import RUNNING, Campaign, Entry, Seat, Umpire
from polemarque.club.muster import Plan, sit_down
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import encode
from polemarque.kernel.record import write_entry
from tests.club.people import person


def kept(game: Game) -> Campaign:
    """A campaign that stands where a game stands: umpired by zoe, its seats held by people."""
    header = game.header
    made = Campaign.objects.create(name="A test", plan=msgspec.to_builtins(Plan(header.system)))
    Umpire.objects.create(campaign=made, person=person("zoe"))
    for code in header.seats:
        Seat.objects.create(campaign=made, code=code)
        sit_down(made, code, person(code.lower()))
    for number, entry in enumerate(game.entries, 1):
        Entry.objects.create(campaign=made, number=number, body=write_entry(entry))
    made.header, made.stage = encode(header), RUNNING
    made.count, made.head = len(game.entries), game.digest
    made.save()
    return made


def battle_on_the_table(seats: int = 2) -> Game:
    """A campaign of Atlantide that waits for a battle on the table."""
    for seed in range(100):
        options = {"resolver": "tabletop"}
        game = Game(new_header("atlantide", seats=seats, seed=seed, options=options))
        rng = Random(seed)
        game.settle()
        while not game.runner.branches and not game.over:
            request = game.requests()[0]
            seat = request.missing[0]
            game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
            game.settle()
        if game.runner.branches:
            return game
    raise AssertionError("no campaign came to a battle")
