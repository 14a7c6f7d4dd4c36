"""The chain of command: whom a leader reaches, who obeys him, and what an order costs there.

TH-1.2, TH-1.3, TH-3.3, TH-3.4, TH-8.1, TH-8.3 and the contingents of TH-F13, as plain functions.
"""

from __future__ import annotations

from typing import Literal

from polemarque.api import Item, Sum, item
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
    """What an order to one unit costs its side, through the leader who makes it cheapest (TH-3.4).

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


# Moments at which a leader may commit himself (TH-8.3) -------------------------------------------

Moment = Literal[
    "command", "before_move", "after_move", "movement_end", "between_combats",
    "declared", "attack_order", "defence_order", "losses", "riposte",
]  # fmt: skip

LOSSES: Moment = "losses"
"""The moment at which everybody is stopped."""


CALL = "call"
"""The word by which a seat opens the window itself, at a question of its own (TH-8.3)."""


def stopped(battle: Battle, moment: Moment) -> list[str]:
    """Seats that are asked at this moment if they have something to play, the active one first.

    Everybody is after a roll that would cost one of its units an element; beside that a seat is
    asked as it likes: nowhere, of the unit of its own that is `attacked`, in its `own` turn, or at
    `all` moments.
    """
    return [
        seat
        for seat in (battle.active, battle.passive)
        if (moment == LOSSES or asks_of(battle, seat)) and has_committing(battle, seat)
    ]


def asks_of(battle: Battle, seat: str) -> bool:
    """Whether a seat likes to be asked now, whatever a roll costs."""
    stops, fight = battle.sides[seat].stops, battle.fight
    if stops == "attacked":
        return fight is not None and battle.units[fight.target].seat == seat
    return stops == "all" or (stops == "own" and seat == battle.active)


def has_committing(battle: Battle, seat: str) -> bool:
    """Whether a seat has anybody left who may commit himself."""
    return any(one.rank in COMMITTING for one in battle.leaders_of(seat))


def calling(battle: Battle, seat: str) -> tuple[str, ...]:
    """The word `CALL` where a seat has anybody who may commit himself."""
    return (CALL,) if has_committing(battle, seat) else ()


def openings(battle: Battle, moment: Moment) -> list[Item]:
    """The window of a moment as agenda items; none where nobody is stopped.

    Whether there is anything to commit to is seen when it opens (`commitment.moment_comes`).
    """
    return [item("TH-8.3", moment)] if stopped(battle, moment) else []
