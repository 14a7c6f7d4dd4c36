"""What a loss must be, read off the rules and not off the code that shares one out."""

from __future__ import annotations

from fractions import Fraction

from polemarque.systems.atlantide.troops import Army, Loss, Unit, figures


def figure_worth(unit: Unit) -> Fraction:
    """What one figure is worth: its unit's points by its full count, exact (AT-1.15)."""
    return Fraction(unit.points, unit.full)


def exact_points(army: Army) -> Fraction:
    """Army points before they are rounded down (AT-1.15)."""
    broken = sum((figure_worth(unit) * unit.figures for unit in army.units), Fraction(0))
    return broken + sum(character.points for character in army.characters)


def fault_in_figures(army: Army, count: int, loss: Loss) -> str:
    """What is wrong with a choice of AT-3.2, or nothing.

    Wanted are exactly `count` figures that the army has, or all of them; characters may be chosen.
    """
    if _has_not(army, loss):
        return "figures"
    wanted = min(count, figures(army))
    return "" if sum(number for _, number in loss) == wanted else "count"


def fault_in_points(army: Army, cost: int, loss: Loss) -> str:
    """What is wrong with a choice of AT-8.11, or nothing.

    It may not fall short of `cost`, nor go on after reaching it, nor name a character while a
    figure of a unit would be left.
    """
    if _has_not(army, loss):
        return "figures"
    heroes = {character.id: Fraction(character.points) for character in army.characters}
    each = heroes | {unit.id: figure_worth(unit) for unit in army.units}
    chosen = {member: number for member, number in loss if number}
    fallen = [member for member in chosen if member in heroes]
    if fallen and any(chosen.get(unit.id, 0) < unit.figures for unit in army.units):
        return "character"
    paid = sum((each[member] * number for member, number in chosen.items()), Fraction(0))
    last = max((each[member] for member in (fallen or chosen)), default=Fraction(0))
    if paid < cost and sum(chosen.values()) < figures(army):
        return "short"
    return "too_much" if chosen and paid - last >= cost else ""


def _has_not(army: Army, loss: Loss) -> bool:
    """Whether it names somebody twice, or figures that are not there."""
    twice = len({member for member, _ in loss}) < len(loss)
    return twice or any(not 0 <= number <= army.figures_of(member) for member, number in loss)
