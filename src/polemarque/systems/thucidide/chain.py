"""The chain of command: whom a leader reaches, who obeys him, and what an order costs there.

TH-1.2, TH-1.3, TH-3.3, TH-3.4, TH-8.1 and the contingents of TH-F13, as plain functions.
"""

from __future__ import annotations

from polemarque.kernel.events import Sum
from polemarque.systems.thucidide.orders import ORDERS, price
from polemarque.systems.thucidide.state import Battle, Leader, Unit

COMMITTING = ("sub_general", "officer")
"""Ranks that may commit themselves; a general never may (TH-8.2)."""


def obeys(unit: Unit, leader: Leader) -> bool:
    """Whether a leader may activate, order, influence a unit, distance apart (TH-1.3, TH-F13)."""
    return unit.seat == leader.seat and unit.contingent == leader.contingent


def commanding(battle: Battle, unit: Unit) -> list[Leader]:
    """Leaders who have a unit in their command range (TH-1.2), in order."""
    far = battle.board.grid.distance
    return [
        one
        for one in battle.leaders_of(unit.seat)
        if obeys(unit, one) and far(one.cell, unit.cell) <= one.reach
    ]


def influencing(battle: Battle, unit: Unit) -> list[Leader]:
    """Leaders who have a unit in their influence range (TH-1.2, TH-8.1), in order."""
    far = battle.board.grid.distance
    return [
        one
        for one in battle.leaders_of(unit.seat)
        if obeys(unit, one) and far(one.cell, unit.cell) <= one.influence
    ]


def ordering(battle: Battle, unit: Unit) -> list[Leader]:
    """Leaders through whom an order can reach a unit, by the variant of TH-3.3."""
    reach = battle.options.order_reach
    if reach == "influence":
        return influencing(battle, unit)
    if reach == "command":
        return commanding(battle, unit)
    return [one for one in battle.leaders_of(unit.seat) if obeys(unit, one)]


def in_reach(battle: Battle, unit: Unit) -> bool:
    """Whether orders reach a unit (TH-3.3); by `anywhere` they do without any leader."""
    return battle.options.order_reach == "anywhere" or bool(ordering(battle, unit))


def cost(battle: Battle, code: str, unit: Unit, count: int = 1) -> Sum:
    """What an order to one unit costs its side, through whoever makes it cheapest (TH-3.4).

    A leader's own price is his alone, be it lower or higher than the list's (TH-1.4).
    """
    near, arm = bool(influencing(battle, unit)), unit.figures.arm
    own = dict.fromkeys([one.prices.get(code) for one in ordering(battle, unit)]) or {None: None}
    sums = [price(code, arm, count=count, influence=near, special=each) for each in own]
    return min(sums, key=lambda due: due.total)


def affordable(battle: Battle, code: str, unit: Unit) -> bool:
    """Whether an order may go to a unit: it suits its arm, reaches it, and can be paid."""
    return (
        ORDERS[code].suits(unit.figures.arm)
        and battle.sides[unit.seat].tokens >= 1  # the cheapest order; spares the longer questions
        and in_reach(battle, unit)
        and battle.sides[unit.seat].tokens >= cost(battle, code, unit).total
    )
