"""Whom a question asks tells no secret (AT-2.3): whatever others hide, the same are asked."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import Request
from polemarque.kernel.run import Runner
from polemarque.systems.atlantide.agreements import Agreement
from polemarque.systems.atlantide.state import Seat, Waiting, War
from tests.systems.atlantide.wars import slingers

KINDS = ("passage", "stationing", "supply", "tax")


def otherwise(war: War, observer: str, rng: random.Random) -> War:
    """The war with everything else that `observer` does not know: loot, purchases, agreements."""
    for code, seat in war.seats.items():
        if code != observer:
            war = war.with_seat(_otherwise(seat, war.turn, rng))
    known = tuple([a for a in war.agreements if a.public or observer in a.parties])
    others = [code for code in war.in_play() if code != observer]
    if war.talked and len(others) > 1:
        a, b = rng.sample(others, 2)
        secret = Agreement(
            9000, rng.choice(KINDS), a, b, war.turn + 1, war.board.ids, peace=rng.random() < 0.5
        )
        known = (*known, secret)
    return replace(war, agreements=known)


def _otherwise(seat: Seat, turn: int, rng: random.Random) -> Seat:
    kept = tuple([wait for wait in seat.waiting if wait.cause != "bought"])
    if rng.random() < 0.5:
        kept = (*kept, Waiting("bought", turn, None, (slingers(seat.next_id + 5),)))
    return replace(seat, loot=rng.choice((0, 30, 60, 400)), waiting=kept, next_id=seat.next_id + 9)


@pytest.mark.parametrize("ties", ["all", "tied"])
@pytest.mark.parametrize("seed", range(6))
def test_AT_2_3_whoever_is_asked_would_be_asked_whatever_others_hide(seed: int, ties: str) -> None:
    breaking = ("any_time", "phase_start")[seed % 2]
    options = {"turn_limit": 6, "initiative_ties": ties, "breaking": breaking}
    game = Game(new_header("atlantide", seats=3, seed=seed, options=options))
    game.settle()
    rng = random.Random(seed)
    looked = 0
    while not game.over:
        asked = game.runner.pending
        if isinstance(asked, Request) and game.runner.fresh and game.state.phase:
            for observer in game.header.seats:
                if asked.seats == (observer,):
                    continue
                twin = Runner(game.runner.position)
                twin.change(otherwise(twin.state, observer, rng))
                found = twin.pending
                assert isinstance(found, Request)
                assert (found.rule, found.seats) == (asked.rule, asked.seats)
                looked += 1
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
    assert looked > 50
