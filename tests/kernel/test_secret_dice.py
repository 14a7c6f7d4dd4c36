"""Dice that one seat alone may see stand in no event that another sees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque.kernel.agenda import Rule, ask, call, procedure, roll, script, tell
from polemarque.kernel.dice import D6, total
from polemarque.kernel.events import Event, EventLog
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.request import OneOf
from polemarque.kernel.run import Runner
from polemarque.kernel.system import Standing, System, add_system

AUDIENCES: dict[str, tuple[str, ...] | None] = {
    "everybody": None, "both": ("A", "B"), "B": ("B",), "A": ("A",)
}  # fmt: skip


class Well(msgspec.Struct, frozen=True):
    to: str = "everybody"
    over: bool = False


class Found(msgspec.Struct, frozen=True):
    depth: int


@procedure("WELL-2")
def sounded() -> Rule[Found]:
    """The weather is anybody's, the depth is A's alone."""
    yield from roll(1, D6, read=total, why="weather")
    return Found((yield from roll(2, D6, read=total, why="depth", owner="A")))


@script("WELL-1")
def a_well(well: Well) -> Rule[Any]:
    yield from call(sounded)
    yield from roll(1, D6, read=total, why="rope", owner="A")
    yield from ask("B", OneOf(("on",)), absent="on")
    yield from tell("WELL-1", "sounded", to=AUDIENCES[well.to])
    yield from tell("WELL-1", "after")
    return msgspec.structs.replace(well, over=True), []


add_system(
    System(
        name="well", edition="1", titles={"fr": "Puits", "en": "Well"}, seats=("A", "B"), least=2,
        options=(), state=Well, setup=Well, begin=lambda well, *_: (well, [("WELL-1",)]),
        period=lambda well: 1, view=lambda well, seat: None, data=Path(), playable=False,
        standing=lambda well: Standing(well.over),
    )
)  # fmt: skip


def heard(to: str, *, restarted: bool = False) -> list[Event]:
    """What a game tells in which the well is told of to some."""
    told = EventLog()
    game = Game(new_header("well", seed=4, setup={"to": to}), publish=told.append)
    game.settle()
    if restarted:
        game.runner = Runner(decode_position(encode_position(game.position)), told.append)
    game.answer("B", "on")
    assert game.over
    again = EventLog()
    replay(game.header, game.entries, publish=again.append)
    assert again == told
    return list(told)


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("to", ["everybody", "both", "B"])
def test_they_are_left_out_where_anybody_else_reads(to: str, restarted: bool) -> None:
    sounded, after = heard(to, restarted=restarted)
    assert [(thrown.why, thrown.owner) for thrown in sounded.dice] == [("weather", "")]
    assert not after.dice, "nor do they come out with the next event"


@pytest.mark.parametrize("restarted", [False, True])
def test_their_owner_is_told_them(restarted: bool) -> None:
    sounded, after = heard("A", restarted=restarted)
    assert [thrown.why for thrown in sounded.dice] == ["weather", "depth", "rope"]
    assert not after.dice
