"""Small rolls of the book, in figures: loyalty, invasion, duel, pursuit, fates, conditions."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from polemarque.api import (
    D6,
    Rule,
    again,
    bonus,
    counts,
    explain,
    faces,
    from_toml,
    procedure,
    roll,
    total,
)
from polemarque.systems.promiterra.chapters.dice_cutting import rolls_of
from polemarque.systems.promiterra.tables import DATA, TABLES

Situation = Literal[
    "winner_annihilated", "winner_fled", "winner_present",
    "loser_annihilated", "loser_pursued", "loser_fled",
]  # fmt: skip
"""How a leader left the war (PR-8.2)."""

Fated = Literal[
    "dead", "captured", "mental_wound", "physical_wound", "scar", "weak", "health", "unhurt",
    "respected", "revered", "venerated", "none",
]  # fmt: skip
"""What became of him (PR-8.3); "none" where his row is ignored."""

Condition = Literal[
    "horrible_death", "glorious_death", "permanent_wound", "serious_wound", "light_wound",
    "back_at_once",
]  # fmt: skip

SURE, HOPELESS = 2, 12
"""The sums of a loyalty test that always succeed and always fail (PR-4.1)."""

TENTHS = 10
"""Pursuit takes tenths of a troop (PR-8.1)."""


@procedure("PR-4.1")
def loyalty_test(loyalty: int) -> Rule[bool]:
    """2D6, at most the troop's loyalty; 2 always succeeds, 12 always fails.  Gives whether it
    holds.
    """
    fell = yield from roll(2, D6, read=total, why="loyalty")
    return fell == SURE or (fell != HOPELESS and fell <= loyalty)


@procedure("PR-7.4")
def invasion(level: int) -> Rule[bool]:
    """D6 above the level of the fortification.  Gives whether the troop enters."""
    fell = yield from roll(1, D6, read=total, why="invasion")
    return fell > level


@procedure("PR-7.6")
def duel(challenger: int, challenged: int) -> Rule[Literal["challenger", "challenged"]]:
    """D6 + skill for each of two leaders; a tie is rolled again.  Gives the winner."""
    yield from explain(bonus("PR-7.6", challenger, "challenger_skill"))
    yield from explain(bonus("PR-7.6", challenged, "challenged_skill"))
    ours, theirs = yield from roll(2, D6, read=faces, why="duel")
    if ours + challenger == theirs + challenged:
        return again(challenger, challenged)  # type: ignore[no-any-return]
    return "challenger" if ours + challenger > theirs + challenged else "challenged"


@procedure("PR-8.1")
def pursuit(units: int) -> Rule[int]:
    """1D6 tenths of a fled troop's units, rounded down.  Gives how many are lost."""
    fell = yield from roll(1, D6, read=total, why="pursuit")
    return units * fell // TENTHS


class Throw(msgspec.Struct, frozen=True):
    """Dice, and what is added to their sum (PR-8.2)."""

    count: int
    sides: int
    plus: int


def _situations() -> dict[str, Throw]:
    raw = (DATA / "situations.toml").read_bytes()
    return from_toml(raw, dict[str, Throw])


THROWS = _situations()
"""The dice of each situation (PR-8.2)."""


class FateRow(msgspec.Struct, frozen=True):
    """A row of PR-8.3."""

    fate: Fated
    starred: bool = False
    also_weak: bool = False
    bonus: int = 0


FATES = TABLES.table("PR-8.3", FateRow)


class Fate(msgspec.Struct, frozen=True):
    """What became of a leader.

    also_weak: at most a quarter of life and magic besides.   bonus: to his gain of influence.
    """

    score: int
    fate: Fated
    also_weak: bool = False
    bonus: int = 0


@procedure("PR-8.3")
def leaders_fate(situation: Situation, lost_units: int, captured: str) -> Rule[Fate]:
    """The situation's dice, then the row; a starred one is ignored where no unit was lost.

    captured: the variant: without losses the row of 7, starred itself, is due as well by `weak`.
    """
    throw = THROWS[situation]
    fell = yield from roll(throw.count, throw.sides, read=total, why="fate")
    score = fell + throw.plus
    row = FATES.row(score)
    if row.starred and not lost_units:
        return Fate(score, "none")
    weak = row.also_weak and (lost_units > 0 or captured == "weak")
    return Fate(score, row.fate, weak, row.bonus)


class ConditionRow(msgspec.Struct, frozen=True):
    """A row of PR-8.4."""

    condition: Condition


CONDITIONS = TABLES.table("PR-8.4", ConditionRow)


class Conditions(msgspec.Struct, frozen=True):
    """How many lost units came to each end (PR-8.4)."""

    horrible_death: int
    glorious_death: int
    permanent_wound: int
    serious_wound: int
    light_wound: int
    back_at_once: int


@procedure("PR-8.4")
def conditions(lost: Annotated[int, msgspec.Meta(ge=0)]) -> Rule[Conditions]:
    """One D6 a lost unit, counted."""
    found = dict.fromkeys([CONDITIONS.row(face).condition for face in range(1, D6 + 1)], 0)
    for dice in rolls_of(lost):
        fell = yield from roll(dice, D6, read=counts(D6), why="condition")
        for face, times in enumerate(fell, 1):
            found[CONDITIONS.row(face).condition] += times
    return Conditions(**found)
