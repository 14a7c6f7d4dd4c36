"""What no undo goes behind: the seed of a period that has ended and is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque.kernel.agenda import Rule, age_of, ask, ask_each, roll, script
from polemarque.kernel.dice import D6, total
from polemarque.kernel.errors import NotAllowed, NotYourTurn
from polemarque.kernel.game import Game, committed_game, new_header, replay
from polemarque.kernel.records.commitment import new_chains
from polemarque.kernel.records.record import Replace, Shown, Word
from polemarque.kernel.request import OneOf
from polemarque.kernel.system import Standing, System, add_system


class Sky(msgspec.Struct, frozen=True):
    day: int = 1


class Setup(msgspec.Struct, frozen=True):
    pass


@script("SKY-1")
def dawn(sky: Sky) -> Rule[Any]:
    """A die, and then an answer, which ends the day."""
    yield from roll(1, D6, read=total, why="sky")
    yield from ask("A", OneOf(("x", "y")), absent="x")
    return Sky(2), [("SKY-2",)]


@script("SKY-2")
def noon(sky: Sky) -> Rule[Any]:
    yield from ask_each(("A", "B"), OneOf(("x", "y")), absent="x")
    return sky, []


add_system(
    System(
        name="sky", edition="1", titles={"fr": "ciel", "en": "sky"}, seats=("A", "B"), least=2,
        options=(), state=Sky, setup=Setup, period=lambda sky: sky.day, view=lambda sky, seat: {},
        begin=lambda setup, seats, options: (Sky(), [("SKY-1",)]),
        standing=lambda sky: Standing(False), data=Path(), playable=False,
    )
)  # fmt: skip


def second_day() -> Game:
    header = new_header("sky")
    game = committed_game(header, new_chains(header.seats))
    for seat in "AB":
        game.enter(Word(seat, f"word of {seat}"))
    game.settle()
    game.answer("A", "x")
    game.settle()
    assert any(isinstance(entry, Shown) for entry in game.entries)
    return game


def test_no_undo_goes_behind_a_shown_seed_however_often_one_undoes() -> None:
    game = second_day()
    with pytest.raises(NotAllowed, match=r"undo\.reveal"):
        game.undo("A")
    game.answer("A", "y")
    game.undo("A")  # sealed, and nobody else has answered
    with pytest.raises(NotAllowed, match=r"undo\.reveal"):
        game.undo("A")
    game.enter(Replace(game.effective[1].key, "a slip", value="y"))
    with pytest.raises(NotAllowed, match=r"undo\.other"):  # the umpire's now
        game.undo("A")
    assert replay(game.header, game.entries).digest == game.digest


def test_the_absent_are_answered_for_only_where_they_have_not_answered() -> None:
    game = second_day()
    game.answer("A", "y")
    with pytest.raises(NotYourTurn):
        game.absent("A")
    assert game.course.requests()[0].answered == {"A": "y"}


def test_editions_are_in_the_order_of_their_numbers() -> None:
    named = ["~", "10", "2.10", "2", "", "9", "2.9", "2024-club", "2-club"]
    ordered = ["", "2", "2-club", "2.9", "2.10", "9", "10", "2024-club", "~"]
    assert sorted(named, key=age_of) == ordered
