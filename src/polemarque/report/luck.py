"""The luck report: the faces that each seat rolled, against what dice show on the average.

It says of no seat that it was lucky or unlucky unless chance hardly explains it: the departure
would have to be so large that in fewer than one game in a hundred *any* of its seats showed it.
High faces are not always good ones, so a departure is only told as high or low.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import sqrt
from statistics import NormalDist

import msgspec

from polemarque.kernel.dice import Counts, Faces, Roll
from polemarque.kernel.events import Event, Thrown
from polemarque.kernel.game import Game
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.records.record import Answer, Entry, Header
from polemarque.kernel.request import DICE, Key
from polemarque.kernel.system import System, find_system, system_names
from polemarque.report.labels import ledger_of
from polemarque.report.narrator import begins_battle

FEW = 30
"""Fewer dice than these say nothing, whatever they show."""

RARE = Fraction(1, 100)
"""How rare a departure must be, for the most extreme of all seats, to be called out."""

FEWER, CHANCE, HIGH, LOW = "few", "chance", "high", "low"
"""Verdicts: dice too few to say; chance explains them; higher or lower than it explains."""

SIDES = ("a", "b")
"""The sides of a battle, by the codes that its system may give them."""

Fell = tuple[int, int, str]
"""One die: its sides, its face, and the seat that it belonged to ("" where the rules say none)."""


class Kind(msgspec.Struct, frozen=True):
    """Dice of one kind: how many faces each has, how many there are, and the sum they show."""

    sides: int
    dice: int
    total: int

    @property
    def expected(self) -> Fraction:
        """What that sum is on the average."""
        return Fraction(self.sides + 1, 2) * self.dice

    @property
    def spread(self) -> float:
        """The standard deviation of one such die."""
        return sqrt((self.sides * self.sides - 1) / 12)


class Luck(msgspec.Struct, frozen=True):
    """The dice of one seat, or all dice.

    kinds:   by their faces, fewest first.
    chance:  how often the most extreme of so many seats departs at least as far, or None where
             the dice are too few to say.  A die of any kind weighs as much as one of another.
    verdict: "few", "chance", "high" or "low".
    """

    seat: str
    kinds: tuple[Kind, ...]
    chance: float | None
    verdict: str

    @property
    def dice(self) -> int:
        """How many they are."""
        return sum([kind.dice for kind in self.kinds])


def luck(header: Header, entries: Iterable[Entry]) -> tuple[Luck, ...]:
    """All dice first, then those of each seat that has any, in the order of the seats."""
    return _luck(header, list(dice_of(header, entries)))


def of_nobody(found: Iterable[Luck]) -> tuple[Kind, ...]:
    """What a report leaves to no seat: all of its dice without those of its seats."""
    every, *seats = found
    left = []
    for kind in every.kinds:
        theirs = [each for seat in seats for each in seat.kinds if each.sides == kind.sides]
        dice = kind.dice - sum([each.dice for each in theirs])
        if dice:
            left.append(Kind(kind.sides, dice, kind.total - sum([e.total for e in theirs])))
    return tuple(left)


def luck_told(header: Header, events: Iterable[Event]) -> tuple[Luck, ...]:
    """The same of the dice that stand in some events: of those that a reader has been told."""
    throwers = Throwers(header)
    fallen = [
        (thrown.sides, face, throwers.whose(event, thrown, place))
        for event in throwers.hearing(events)
        for thrown in event.dice
        for place, face in enumerate(_shown(thrown))
    ]
    return _luck(header, fallen)


def _shown(thrown: Thrown) -> Iterable[int]:
    return _faces(Counts(thrown.faces) if thrown.counted else thrown.faces)


def _luck(header: Header, fallen: list[Fell]) -> tuple[Luck, ...]:
    owned = {seat: [die for die in fallen if die[2] == seat] for seat in header.seats}
    playing = {seat: dice for seat, dice in owned.items() if dice}
    return (
        _judged("", fallen, 1),
        *[_judged(seat, dice, len(playing)) for seat, dice in playing.items()],
    )


def dice_of(header: Header, entries: Iterable[Entry]) -> Iterator[Fell]:
    """Every die that is in force; what a correction left aside is not."""
    told: list[Event] = []

    def withdraw(holding: int) -> None:
        del told[holding:]

    game = Game(header, publish=told.append, withdraw=withdraw)
    rolls: dict[Key, Roll] = {}
    for entry in entries:
        if isinstance(entry, Answer) and entry.key.seat == DICE:
            _, throw = game.runner.find(entry.key)
            if isinstance(throw, RollRequest):
                rolls[entry.key] = throw.roll
        game.enter(entry)
    throwers = Throwers(header)
    known: dict[tuple[str, Thrown], list[Event]] = {}
    for event in throwers.hearing(told):
        for thrown in event.dice:
            known.setdefault((event.path, thrown), []).append(event)
    for done in game.effective:
        if isinstance(done, Answer) and done.key.seat == DICE:
            thrown = rolls[done.key].thrown(done.value)
            # Rolls that fell alike are told alike: which of them is which makes no difference.
            events = known.get((done.key.path, thrown), [])
            teller = events.pop(0) if events else None
            for place, face in enumerate(_faces(done.value)):
                yield thrown.sides, face, throwers.whose(teller, thrown, place)


def _faces(fell: Faces) -> Iterable[int]:
    if isinstance(fell, Counts):
        return [face for face, times in enumerate(fell.of, 1) for _ in range(times)]
    return fell


class Throwers:
    """Says of which seat a die is, by the roll and by the event that tells of it."""

    def __init__(self, header: Header) -> None:
        self._seats, self._system = header.seats, header.system
        self._sides: dict[str, tuple[str, str]] = {}
        """By path, the seats of the two sides of a battle inside the game."""

    def hear(self, event: Event) -> None:
        """Take notice of an event: one with which a battle begins names its sides."""
        if begins_battle(event):
            self._sides[event.path] = event.data["attacker"], event.data["defender"]

    def hearing(self, events: Iterable[Event]) -> Iterator[Event]:
        """Events one by one, each taken notice of."""
        for event in events:
            self.hear(event)
            yield event

    def whose(self, event: Event | None, thrown: Thrown, place: int) -> str:
        """The seat of one die, or "".

        By the name it bears; because a seat alone may see the roll; else as the system of the
        event has it.
        """
        named = thrown.whom[place] if place < len(thrown.whom) else ""
        system = _system_of(event.rule, self._system) if event is not None else None
        threw = system.thrower(event, thrown) if event and system and system.thrower else ""
        if event is not None and threw in SIDES:
            sides = self._sides.get(event.path, self._seats[: len(SIDES)])
            threw = sides[SIDES.index(threw)] if len(sides) == len(SIDES) else ""
        seats = (named, thrown.owner, threw)
        return next((seat for seat in seats if seat in self._seats), "")


@cache
def _system_of(rule: str, played: str) -> System | None:
    """The system whose rule that is; others than the one that is played are loaded if need be."""
    bare, names = rule.partition("/")[0], system_names(hidden=True)
    return next((find_system(n) for n in (played, *names) if bare in ledger_of(n)), None)


def _judged(seat: str, dice: list[Fell], among: int) -> Luck:
    """What can be said of some dice, as one of `among` seats."""
    kinds = tuple(_kinds(dice))
    if len(dice) < FEW:
        return Luck(seat, kinds, None, FEWER)
    thrown = [kind for kind in kinds if kind.sides > 1]
    departure = sum([(kind.total - float(kind.expected)) / kind.spread for kind in thrown])
    half = 0.5 / max([kind.spread for kind in thrown], default=1.0)  # totals are whole numbers
    beyond = max(abs(departure) - half, 0) / sqrt(len(dice))
    alone = 2 * (1 - NormalDist().cdf(beyond))
    chance = 1 - (1 - min(alone, 1)) ** among
    side = HIGH if departure > 0 else LOW
    return Luck(seat, kinds, chance, side if chance < RARE else CHANCE)


def _kinds(dice: list[Fell]) -> Iterator[Kind]:
    for sides in sorted({sides for sides, _, _ in dice}):
        faces = [face for of, face, _ in dice if of == sides]
        yield Kind(sides, len(faces), sum(faces))
