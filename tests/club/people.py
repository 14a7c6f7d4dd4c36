"""People and campaigns for tests, some made of games that were played elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, sit_down
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import RUNNING, Campaign, Entry, Person, Seat, Umpire
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import write_entry
from polemarque.kernel.request import Key


def person(name: str) -> Person:
    found, _ = Person.objects.get_or_create(username=name)
    return found


def campaign(
    system: str = "batailles", *, seats: int = 2, held: int | None = None, umpired: bool = True
) -> Campaign:
    """A campaign that has begun: `held` seats by people called as they are, the others by bots."""
    plan = CampaignPlan(system, seats=seats)
    codes = plan.header().seats
    people = codes[: len(codes) if held is None else held]
    made = make(
        "A test", plan, person("zoe") if umpired else None,
        bots={code: "steady" for code in codes if code not in people},
    )  # fmt: skip
    for code in people:
        sit_down(made, code, person(code.lower()))
    begin(made)
    made.refresh_from_db()
    return made


def asked(made: Campaign, seat: str) -> Key:
    """The first question that is open to a seat."""
    with read_lock(made) as table:
        return table.game.requests(seat)[0].keys[seat]


def some_answer(made: Campaign, seat: str, number: int = 0) -> object:
    """A legal answer to it."""
    with read_lock(made) as table:
        return table.game.requests(seat)[0].options(seat).sample(Random(number))


def seats(made: Campaign) -> Sequence[str]:
    with read_lock(made) as table:
        return table.game.header.seats


def kept(game: Game) -> Campaign:
    """A campaign that stands where a game stands: umpired by zoe, its seats held by people."""
    header = game.header
    made = Campaign.objects.create(
        name="A test", plan=msgspec.to_builtins(CampaignPlan(header.system))
    )
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
