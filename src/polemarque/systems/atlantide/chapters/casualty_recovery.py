"""After a battle (AT-8.7, AT-8.8, AT-8.13): who comes back, and what is left of a destroyed army.

Every percentage is taken of its own figures, unit by unit, and rounded down by itself: of 2 killed
and 1 that left the table a loser gets back nobody (25% of 2, 50% of 1).  Characters are apart
(AT-8.9): those who left the table or stood to the end live, the killed roll for it in the script.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import msgspec
from msgspec.structs import replace

from polemarque.api import NotAllowed
from polemarque.api.battle import Report
from polemarque.systems.atlantide.tables import TABLES
from polemarque.systems.atlantide.troops import Army, Toll, Unit

Fate = Literal["winner", "loser", "draw"]
"""How the battle ended for an army; "draw" is a battle without a winner (AT-8.13)."""

RULES: dict[Fate, str] = {"winner": "AT-8.7", "loser": "AT-8.8", "draw": "AT-8.13"}

SHARES = {rule: TABLES.matrix(rule, int) for rule in RULES.values()}
"""Percent of figures killed, of those that left the table, and of survivors, by what became of the
army: a `Fate`, or "destroyed", a beaten one without a retreat.
"""


class Casualty(msgspec.Struct, frozen=True, gc=False):
    """What a battle did to one unit: figures killed, and figures that left the table."""

    unit: int
    killed: int = 0
    left: int = 0


def figures_back(rule: str, fate: str, killed: int, left: int, survivors: int = 0) -> int:
    """Figures of a unit that come back by a rule's row of `SHARES`, each fraction rounded down."""
    percent = partial(SHARES[rule].cell, fate)
    return (
        killed * percent("killed") // 100
        + left * percent("left") // 100
        + survivors * percent("survivors") // 100
    )


def figures_after(figures: int, killed: int, left: int, fate: Fate) -> int:
    """Figures of a unit once those who come back are added, fractions rounded down."""
    return figures_back(RULES[fate], fate, killed, left, figures - killed - left)


def figures_saved(killed: int, left: int, survivors: int) -> int:
    """Figures of a unit that come back of a destroyed army (AT-8.8), fractions rounded down."""
    return figures_back("AT-8.8", "destroyed", killed, left, survivors)


def after_battle(
    army: Army, casualties: Sequence[Casualty], fate: Fate
) -> tuple[Army, tuple[Toll, ...]]:
    """An army after a battle, and the toll that AT-8.8 may read again.

    casualties: what happened to units, each named once; a unit left out lost nothing.
    The duty to go is not set here.  Raises NotAllowed on more casualties than figures.
    """
    _check(army, casualties, RULES[fate])
    paid = {casualty.unit: casualty for casualty in casualties}
    units: list[Unit] = []
    tolls: list[Toll] = []
    for unit in army.units:
        it = paid.get(unit.id, Casualty(unit.id))
        after = figures_after(unit.figures, it.killed, it.left, fate)
        tolls.append(Toll(unit.id, it.killed, it.left, unit.figures - it.killed - it.left, after))
        if after:
            units.append(unit if after == unit.figures else replace(unit, figures=after))
    return replace(army, units=tuple(units)), tuple(tolls)


def casualties_of(army: Army, seat: str, report: Report) -> list[Casualty]:
    """What a report says that a seat's units lost; those that lost nothing are left out."""
    named = {loss.unit: loss for loss in report.losses}
    paid = []
    for unit in army.units:
        loss = named.get(f"{seat}.{unit.id}")
        if loss is not None and (loss.killed or loss.left):
            paid.append(Casualty(unit.id, loss.killed, loss.left))
    return paid


def remnant(army: Army) -> tuple[Unit, ...]:
    """Units that reach the capital when an army is destroyed for want of a retreat (AT-8.8).

    The battle that it lost is counted again, by the row "destroyed".  Without such a battle
    (AT-7.6 b and c) everybody present is a survivor, and so are figures that joined after the
    battle; nobody who died since comes back.  All living characters come back too.
    """
    tolls = {toll.unit: toll for toll in (army.duty.toll if army.duty else ())}
    back: list[Unit] = []
    for unit in army.units:
        toll = tolls.get(unit.id)
        saved = figures_saved(0, 0, unit.figures) if toll is None else _recount(unit, toll)
        if saved:
            back.append(replace(unit, figures=saved))
    return tuple(back)


def _recount(unit: Unit, toll: Toll) -> int:
    joined = max(0, unit.figures - toll.after)
    saved = figures_saved(toll.killed, toll.left, toll.survivors)
    return min(unit.figures, saved + figures_saved(0, 0, joined))


def _check(army: Army, casualties: Sequence[Casualty], rule: str) -> None:
    figures = {unit.id: unit.figures for unit in army.units}
    for casualty in casualties:
        there = figures.pop(casualty.unit, 0)  # a unit named twice has no figures left
        if min(casualty.killed, casualty.left) < 0 or casualty.killed + casualty.left > there:
            raise NotAllowed(
                "battle.casualties", rule=rule, part=casualty.unit, legal=(f"0-{there}",)
            )
