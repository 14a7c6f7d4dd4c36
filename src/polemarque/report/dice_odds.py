"""The chances report: what dice decided, each decision beside its exact odds.

A decision is as rare as all outcomes together that are no likelier than what happened.  How many
rare ones a game should have follows exactly from the odds; dice are called out only where chance
would bring so many, or so few, in fewer than one game in a hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from polemarque.kernel.errors import Refusal
from polemarque.kernel.events import Event, Thrown
from polemarque.kernel.game import Game, replay
from polemarque.kernel.records.record import Header, read_record
from polemarque.odds.decisions import Odds, Reckoner, decisions
from polemarque.report.documents.document import Line, Span, line
from polemarque.report.labels import Names
from polemarque.report.luck import CHANCE, FEW, FEWER, HIGH, LOW, RARE
from polemarque.report.narrator import Voice, begins_battle

Step = Callable[[int, int], None]
"""Called with (decisions done, decisions in all)."""


class Weighed(msgspec.Struct, frozen=True):
    """A decision, and its odds; None where they take too long, or are no one law.

    rule, path, dice, told, outcome: as of `Decision`.
    """

    rule: str
    path: str
    dice: tuple[Thrown, ...]
    told: tuple[int, ...]
    outcome: tuple[int, ...]
    odds: Odds | None


class Chances(msgspec.Struct, frozen=True):
    """What chance decided in a game, in order, and all that was told in it."""

    weighed: tuple[Weighed, ...]
    events: Sequence[Event]

    def told(self, each: Weighed) -> tuple[Event, ...]:
        """The events that tell what a decision came to; none where its dice were never shown."""
        return tuple([self.events[number] for number in each.outcome])

    def period(self, each: Weighed) -> int:
        """The period of the whole game in which something was decided, 0 where nothing tells it."""
        if not each.outcome:
            return 0
        return self.events[each.outcome[-1]].outer_period

    def seen_by(self, seat: str) -> Chances:
        """Those decisions alone of which a seat has been told all dice, and what they came to."""
        seen = [
            each
            for each in self.weighed
            if each.told
            and all(self.events[number].seen_by(seat) for number in (*each.told, *each.outcome))
        ]
        return Chances(tuple(seen), self.events)

    @property
    def rarest(self) -> tuple[Weighed, ...]:
        """Those that were rare, rarest first."""
        rare = [each for each in self.weighed if each.odds is not None and each.odds.is_rare]
        return tuple(sorted(rare, key=_tail))

    @property
    def rarity(self) -> Rarity:
        """How many were rare, and what to think of it."""
        return _rarity([each.odds for each in self.weighed if each.odds is not None])


def _tail(each: Weighed) -> Fraction:
    assert each.odds is not None
    return each.odds.tail


class Rarity(msgspec.Struct, frozen=True):
    """How many decisions were rare.

    decisions: how many have odds.   rare, expected: how many were rare, and how many on average.
    chance:    how often chance departs at least as far to that side; None where `verdict` is few.
    verdict:   "few", "chance", "high" (too many were rare) or "low".
    """

    decisions: int
    rare: int
    expected: Fraction
    chance: float | None
    verdict: str


def weighed(game: Game, on_step: Step | None = None) -> tuple[Weighed, ...]:
    """What chance decided in a game as it stands, each with its odds.

    The events are numbered as those of the game are; see `EventLog`.
    """
    found = decisions(game)
    reckoner = Reckoner()
    rows: list[Weighed] = []
    for number, each in enumerate(found, 1):
        odds = reckoner.odds(each)
        rows.append(Weighed(each.rule, each.path, each.dice, each.told, each.outcome, odds))
        if on_step is not None:
            on_step(number, len(found))
    return tuple(rows)


def weighed_of(raw: bytes) -> tuple[Weighed, ...] | Refusal:
    """The same of a record, or what it is refused for."""
    try:
        record = read_record(raw, interrupted=True)
        return weighed(replay(record.header, record.entries))
    except Refusal as refusal:
        return refusal


def _rarity(odds: Sequence[Odds]) -> Rarity:
    rare = sum([each.is_rare for each in odds])
    expected = sum([each.rare for each in odds], Fraction(0))
    if len(odds) < FEW:
        return Rarity(len(odds), rare, expected, None, FEWER)
    ways = numbers([float(each.rare) for each in odds])
    many, few = sum(ways[rare:]), sum(ways[: rare + 1])
    side, chance = (HIGH, many) if rare > expected else (LOW, few)
    return Rarity(len(odds), rare, expected, min(chance, 1.0), side if chance < RARE else CHANCE)


def numbers(chances: Iterable[float]) -> list[float]:
    """How probably none, one, two … of independent events happen, each with its own chance."""
    ways = [1.0]
    for p in chances:
        ways = [
            (ways[k] * (1 - p) if k < len(ways) else 0.0) + (ways[k - 1] * p if k else 0.0)
            for k in range(len(ways) + 1)
        ]
    return ways


def narrator(
    header: Header, lang: str, found: Chances, names: Names | None = None, state: Any = None
) -> Voice:
    """A voice that knows the battles of a game by what they said when they began; see `Voice`."""
    voice = Voice(header, lang, names, state)
    for event in found.events:
        if begins_battle(event):
            voice.begin_battle(event)
    return voice


def headline(found: Chances, each: Weighed, voice: Voice) -> Line:
    """What happened, and its reasons; what no event tells is called by its rule."""
    events = found.told(each)
    if events:
        said = " ".join([voice.sentence(*run) for run in voice.runs(events)])
        return Line((Span(said),), voice.why(*events))
    rule = each.rule.partition("/")[0]
    title = voice.own.title(rule)
    return line(f"{rule} {title}" if title else rule)
