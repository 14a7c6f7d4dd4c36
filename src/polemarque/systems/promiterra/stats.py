"""The six statistics of a troop, what changes them, and their limits (PR-1.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import msgspec

from polemarque.api import Modifier, Sum, from_toml
from polemarque.systems.promiterra.setup.options import Stacking
from polemarque.systems.promiterra.tables import DATA

StatName = Literal["movement", "range", "attack", "defence", "loyalty", "value"]
STATS: tuple[StatName, ...] = get_args(StatName)

Source = Literal["ability", "mastery", "war_action", "refused_duel"]
"""What changes a statistic; a reason in the text catalogues is `<statistic>_<source>`."""

RULES: dict[Source, str] = {
    "ability": "PR-1.10",
    "mastery": "PR-1.9",
    "war_action": "PR-3.2",
    "refused_duel": "PR-7.6",
}
"""The rule by which each of them does."""


class Stats(msgspec.Struct, frozen=True):
    """Statistics: cells of movement and of range, factors, and gold for one unit and one battle."""

    movement: int
    range: int
    attack: int
    defence: int
    loyalty: int
    value: int

    def weakest(self, other: Stats) -> Stats:
        """The weaker of each statistic (PR-7.8)."""
        return Stats(*[min(getattr(self, name), getattr(other, name)) for name in STATS])


class Change(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is added to statistics."""

    movement: int = 0
    range: int = 0
    attack: int = 0
    defence: int = 0
    loyalty: int = 0
    value: int = 0


NO_CHANGE = Change()

Changes = Sequence[tuple[Source, Change]]


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least and the most of a statistic; None: any."""

    least: int
    most: int | None = None

    def within(self, number: int) -> int:
        """The nearest that is allowed."""
        number = max(number, self.least)
        return number if self.most is None else min(number, self.most)

    def allows(self, number: int) -> bool:
        """Whether that is within the limits."""
        return self.within(number) == number

    def __str__(self) -> str:
        return f"{self.least}-{'' if self.most is None else self.most}"


def _limits() -> dict[StatName, Limit]:
    raw = (DATA / "limits.toml").read_bytes()
    return from_toml(raw, dict[StatName, Limit])


LIMITS: Mapping[StatName, Limit] = _limits()


def beyond_limits(stats: Stats) -> StatName | None:
    """The first statistic that is out of its limits, or None."""
    return next((name for name in STATS if not LIMITS[name].allows(getattr(stats, name))), None)


MOST_REFUSED = 1
"""No more than this is lost of a statistic by refused duels (PR-7.6)."""


def changed_by(name: StatName, changes: Changes, stacking: Stacking) -> list[tuple[Source, int]]:
    """What each source adds to a statistic; by `any` only the best war action does (PR-3.2)."""
    amounts = [(source, getattr(change, name)) for source, change in changes]
    amounts = _refused_once([(source, amount) for source, amount in amounts if amount])
    if stacking == "same":
        return amounts
    acts = [amount for source, amount in amounts if source == "war_action"]
    best: list[tuple[Source, int]] = [("war_action", max(acts))] if acts else []
    return [each for each in amounts if each[0] != "war_action"] + best


def _refused_once(amounts: list[tuple[Source, int]]) -> list[tuple[Source, int]]:
    """The same, what refused duels cost put together and limited (PR-7.6)."""
    refused = sum([amount for source, amount in amounts if source == "refused_duel"])
    if not refused:
        return amounts
    others = [each for each in amounts if each[0] != "refused_duel"]
    return [*others, ("refused_duel", max(refused, -MOST_REFUSED))]


def current(base: Stats, changes: Changes, stacking: Stacking) -> Stats:
    """Statistics after all changes: first added, then limited once."""
    if not changes:
        return base
    return Stats(*[_limited(name, base, changes, stacking) for name in STATS])


def _limited(name: StatName, base: Stats, changes: Changes, stacking: Stacking) -> int:
    added = [amount for _, amount in changed_by(name, changes, stacking)]
    number: int = getattr(base, name)
    return LIMITS[name].within(number + sum(added))


def reasons(name: StatName, base: Stats, changes: Changes, stacking: Stacking) -> Sum:
    """A statistic in its parts: its base, each change, and what the limits take away."""
    number: int = getattr(base, name)
    parts = [Modifier(number, f"{name}_base", "PR-1.6")]
    for source, amount in changed_by(name, changes, stacking):
        parts.append(Modifier(amount, f"{name}_{source}", RULES[source]))
    reached = sum([part.amount for part in parts])
    over = LIMITS[name].within(reached) - reached
    if over:
        parts.append(Modifier(over, "limit", "PR-1.6"))
    return Sum(tuple(parts))
