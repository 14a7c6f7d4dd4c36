"""A system of one long roll: a hundred archers shoot, then their captain says a word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from polemarque.kernel.agenda import Rule, ask, roll, script
from polemarque.kernel.dice import D6, at_most
from polemarque.kernel.request import OneOf
from polemarque.kernel.system import Standing, System, add_system

ARCHERS = 100


class Butts(msgspec.Struct, frozen=True):
    hits: int = -1
    told: bool = False


class Setup(msgspec.Struct, frozen=True):
    pass


@script("ARCHERS-1")
def they_shoot(_: Butts) -> Rule[Any]:
    hits = yield from roll(ARCHERS, D6, read=at_most(2), why="shoot")
    return Butts(hits), [("ARCHERS-2",)]


@script("ARCHERS-2")
def a_word(butts: Butts) -> Rule[Any]:
    yield from ask("A", OneOf(("good", "bad")), absent="bad")
    return Butts(butts.hits, told=True), []


add_system(
    System(
        name="archers", edition="1", titles={"fr": "Archers", "en": "Archers"}, seats=("A",),
        least=1, options=(), state=Butts, setup=Setup, period=lambda butts: 1, data=Path(),
        begin=lambda setup, seats, options: (Butts(), [("ARCHERS-1",)]),
        view=lambda butts, seat: butts, standing=lambda butts: Standing(butts.told),
        playable=False,
    )
)  # fmt: skip
