"""AT-1.16: a seat is given up at any moment, and the campaign goes on without it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Adjust, Answer
from polemarque.kernel.request import DICE, Key

Stop = Callable[[Key], bool]


def at(turn: int, rule: str) -> Stop:
    return lambda key: (key.period, key.rule) == (turn, rule)


def asked(game: Game) -> Key:
    """The first thing that is open."""
    throws = game.throws()
    return throws[0].key if throws else next(iter(game.requests()[0].keys.values()))


def played(game: Game, stop: Stop) -> None:
    """Random answers and dice, until something is open at which to stop."""
    chance = Random(3)
    while not game.over and not stop(asked(game)):
        for throw in game.throws():
            roll = throw.roll
            game.enter(
                Answer(throw.key, [chance.randint(1, roll.sides) for _ in range(roll.count)])
            )
            break
        else:
            request = game.requests()[0]
            seat = request.missing[0]
            game.answer(seat, request.options(seat).sample(chance), request.keys[seat])


def whose(key: Key) -> str:
    """The seat that is asked, or whose dice are awaited."""
    return key.subject.partition(":")[2].partition(",")[0] if key.seat == DICE else key.seat


@pytest.mark.parametrize("asked_himself", [True, False])
@pytest.mark.parametrize(
    ("turn", "rule"),
    [
        (1, "AT-1.4/wishes"), (1, "AT-1.4/places"), (2, "AT-4.3"),
        (2, "AT-5.2"), (2, "AT-7.1"), (2, "AT-7.2"), (2, "AT-10.1"),
    ],
)  # fmt: skip
def test_AT_1_16_at_any_moment(turn: int, rule: str, asked_himself: bool) -> None:
    options = {"turn_limit": 4, "resolver": "table"}
    game = Game(new_header("atlantide", seats=4, dice="typed", options=options))
    played(game, at(turn, rule))
    other = next(seat for seat in game.header.seats if seat != whose(asked(game)))
    gone = whose(asked(game)) if asked_himself else other
    game.enter(Adjust(f"given_up.{gone}", True, "has left us"))
    played(game, lambda _: False)
    assert game.over
    assert game.state.seats[gone].given_up
    assert game.state.seats[gone].army is None
    assert not game.state.lands_of(gone)


def test_AT_1_16_who_was_absent_while_the_others_march() -> None:
    options = {"turn_limit": 4, "resolver": "table"}
    game = Game(new_header("atlantide", seats=4, dice="typed", options=options))
    played(game, at(2, "AT-4.3"))
    game.enter(Adjust("absent.B", True, "away"))
    played(game, at(2, "AT-7.2"))
    assert game.state.seats["B"].absent
    game.enter(Adjust("given_up.B", True, "has left us"))
    played(game, lambda _: False)
    assert game.over
    assert not game.state.lands_of("B")


@pytest.mark.parametrize("rule", ["AT-1.4/wishes", "AT-1.4/places"])
@pytest.mark.parametrize("to", ["A", "atlantis"])
def test_land_is_given_away_while_the_campaign_is_being_set_up(rule: str, to: str) -> None:
    options = {"turn_limit": 3, "resolver": "table"}
    game = Game(new_header("atlantide", seats=4, dice="typed", options=options))
    played(game, at(1, rule))
    for place in game.state.board.ids:
        game.enter(Adjust(f"owner.{place}", to, "a quarrel"))
    assert all(seat.waiting or seat.army for seat in game.state.seats.values())
    played(game, lambda _: False)
    assert game.over
