"""Figures and points (AT-1.15, AT-3.2, AT-8.11): what an army is worth, and losing part of it.

A *loss* is a tuple of (number of the unit or character, figures): who pays, and how much.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import lcm

from msgspec.structs import replace

from polemarque.api import NotAllowed
from polemarque.systems.atlantide.troops import Army, Character, Unit

Loss = tuple[tuple[int, int], ...]
"""Who loses how many figures: (unit or character number, figures), each named once."""


# Worth -------------------------------------------------------------------------------------------


def common(units: Iterable[Unit]) -> int:
    """A number by which every figure's worth is whole: quicker to count with than fractions."""
    return lcm(*[unit.full for unit in units])


def unit_worth(unit: Unit) -> Fraction:
    """What is left of a unit, exact, in army points: a figure is worth its share (AT-1.15)."""
    return Fraction(unit.points * unit.figures, unit.full)


@lru_cache(maxsize=8192)
def points_of(units: tuple[Unit, ...], characters: tuple[Character, ...] = ()) -> int:
    """Army points of units and characters together, rounded down once (AT-1.15)."""
    whole = sum([character.points for character in characters])
    by = common(units)
    return whole + sum([u.points * u.figures * (by // u.full) for u in units]) // by


def army_points(army: Army) -> int:
    """An army's points, general included, rounded down once (AT-1.15)."""
    return points_of(army.units, army.characters)


def figures(army: Army) -> int:
    """All figures of an army; each character is one."""
    return sum([unit.figures for unit in army.units]) + len(army.characters)


# Losing figures ----------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def cheapest_first(units: tuple[Unit, ...], characters: tuple[Character, ...]) -> tuple[int, ...]:
    """Everybody's number in the order of a default loss (AT-3.2, AT-1.15).

    Units by the worth of a figure, then characters by their points; equals in list order.
    """
    by = common(units)
    ordered = sorted(units, key=lambda unit: unit.points * (by // unit.full))
    heroes = sorted(characters, key=lambda character: character.points)
    return (*[unit.id for unit in ordered], *[character.id for character in heroes])


def loss_of_figures(army: Army, count: int) -> Loss:
    """`count` figures, cheapest first, characters last (AT-3.2).

    A loss greater than the army takes all there is.
    """
    loss: list[tuple[int, int]] = []
    for member in cheapest_first(army.units, army.characters):
        if count <= 0:
            break
        taken = min(count, army.figures_of(member))
        if taken:
            loss.append((member, taken))
            count -= taken
    return tuple(loss)


def loss_of_points(army: Army, cost: int) -> Loss:
    """Whole figures, cheapest first, until their worth reaches `cost` army points (AT-8.11).

    Characters pay only when no other figure is left; an army worth less loses everything.
    """
    units = {unit.id: unit for unit in army.units}
    heroes = {character.id: character.points for character in army.characters}
    loss: list[tuple[int, int]] = []
    owed, parts = cost, 1  # what is owed is owed / parts: whole numbers are quicker than fractions
    for member in cheapest_first(army.units, army.characters):
        if owed <= 0:
            break
        if member in heroes:
            loss.append((member, 1))
            owed -= heroes[member] * parts
            continue
        unit = units[member]
        taken = min(unit.figures, -(-owed * unit.full // (parts * unit.points)))
        loss.append((member, taken))
        owed, parts = owed * unit.full - taken * unit.points * parts, parts * unit.full
    return tuple(loss)


def without(army: Army, loss: Loss) -> Army:
    """The army after a loss; a unit at 0 figures is gone, its warband die with it (AT-3.2, AT-1.6).

    Raises NotAllowed if the army has not those figures.
    """
    if not loss:
        return army
    lost: dict[int, int] = {}
    for member, number in loss:
        there = army.figures_of(member)
        if not 0 <= number <= there or member in lost:
            raise NotAllowed("loss.figures", rule="AT-3.2", part=member, legal=(f"0-{there}",))
        lost[member] = number
    units = []
    for unit in army.units:
        left = unit.figures - lost.get(unit.id, 0)
        if left:
            units.append(unit if left == unit.figures else replace(unit, figures=left))
    characters = tuple([c for c in army.characters if not lost.get(c.id)])
    return replace(army, units=tuple(units), characters=characters)
