"""The luck report: the faces that each seat rolled, against what dice show on the average.

It says of no seat that it was lucky or unlucky unless chance hardly explains it: the departure
would have to be so large that in fewer than one game in a hundred *any* of its seats showed it.
High faces are not always good ones, so a departure is only told as high or low.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

import msgspec

from polemarque.kernel.dice import Counts, Faces, Roll
from polemarque.kernel.events import Event, Thrown
from polemarque.kernel.game import Game
from polemarque.kernel.live import Throw
from polemarque.kernel.record import Answer, Entry, Header
from polemarque.kernel.request import DICE, Key

FEW = 30
"""Fewer dice than these say nothing, whatever they show."""

RARE = Fraction(1, 100)
"""How rare a departure must be, for the most extreme of all seats, to be called out."""

Fell = tuple[int, int, str]
"""One die: its sides, its face, and the seat that it belonged to ("" where the rules say none)."""


class Luck(msgspec.Struct, frozen=True):
    """The dice of one seat, or all dice.

    dice, total: how many, and the sum of their faces.
    expected:    what that sum is on the average.
    chance:      how often the most extreme of so many seats departs at least as far, or None where
                 the dice are too few to say.
    verdict:     "few", "chance", "high" or "low".
    """

    seat: str
    dice: int
    total: int
    expected: Fraction
    chance: float | None
    verdict: str


def luck(header: Header, entries: Iterable[Entry]) -> tuple[Luck, ...]:
    """All dice first, then those of each seat that has any, in the order of the seats."""
    return _luck(header, list(dice_of(header, entries)))


def luck_told(header: Header, events: Iterable[Event]) -> tuple[Luck, ...]:
    """The same of the dice that stand in some events: of those that a reader has been told."""
    fallen = [
        (thrown.sides, face, _of(thrown, place, header.seats))
        for event in events
        for thrown in event.dice
        for place, face in enumerate(_shown(thrown))
    ]
    return _luck(header, fallen)


def _shown(thrown: Thrown) -> Iterable[int]:
    return _faces(Counts(thrown.faces) if thrown.counted else thrown.faces)


def _of(thrown: Thrown, place: int, seats: tuple[str, ...]) -> str:
    named = thrown.whom[place] if place < len(thrown.whom) else ""
    return next((seat for seat in (named, thrown.owner) if seat in seats), "")


def _luck(header: Header, fallen: list[Fell]) -> tuple[Luck, ...]:
    owned = {seat: [die for die in fallen if die[2] == seat] for seat in header.seats}
    playing = {seat: dice for seat, dice in owned.items() if dice}
    return (
        _judged("", fallen, 1),
        *[_judged(seat, dice, len(playing)) for seat, dice in playing.items()],
    )


def dice_of(header: Header, entries: Iterable[Entry]) -> Iterator[Fell]:
    """Every die that is in force; what a correction left aside is not."""
    game = Game(header)
    rolls: dict[Key, Roll] = {}
    for entry in entries:
        if isinstance(entry, Answer) and entry.key.seat == DICE:
            _, throw = game.runner.find(entry.key)
            if isinstance(throw, Throw):
                rolls[entry.key] = throw.roll
        game.enter(entry)
    for done in game.effective:
        if isinstance(done, Answer) and done.key.seat == DICE:
            roll = rolls[done.key]
            for place, face in enumerate(_faces(done.value)):
                yield roll.sides, face, _whose(roll, place, header.seats)


def _faces(fell: Faces) -> Iterable[int]:
    if isinstance(fell, Counts):
        return [face for face, times in enumerate(fell.of, 1) for _ in range(times)]
    return fell


def _whose(roll: Roll, place: int, seats: tuple[str, ...]) -> str:
    """The seat of one die: by name, or because it alone may see the roll."""
    named = roll.whom[place] if place < len(roll.whom) else ""
    return next((seat for seat in (named, roll.owner) if seat in seats), "")


def _judged(seat: str, dice: list[Fell], among: int) -> Luck:
    """What can be said of some dice, as one of `among` seats."""
    total = sum(face for _, face, _ in dice)
    expected = sum((Fraction(sides + 1, 2) for sides, _, _ in dice), Fraction(0))
    if len(dice) < FEW:
        return Luck(seat, len(dice), total, expected, None, "few")
    spread = sqrt(sum(sides * sides - 1 for sides, _, _ in dice) / 12)
    beyond = max(abs(total - float(expected)) - 0.5, 0) / spread  # totals are whole numbers
    alone = 2 * (1 - NormalDist().cdf(beyond))
    chance = 1 - (1 - min(alone, 1)) ** among
    side = "high" if total > expected else "low"
    return Luck(seat, len(dice), total, expected, chance, side if chance < RARE else "chance")
