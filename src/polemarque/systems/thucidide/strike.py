"""How many combat dice are thrown: factor, orders, leaders, terrain. Figures only, no state."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec

from polemarque.api import Modifier, Sum, bonus
from polemarque.systems.thucidide.combat_data import COMBAT
from polemarque.systems.thucidide.orders import ORDERS
from polemarque.systems.thucidide.unit_values import Arm, UnitFigures

Factor = Literal["shooting", "assault", "melee"]
"""Which of a unit's three figures its dice begin with (TH-F3)."""

LEAST = 1
"""Dice reduced by any rule never fall below this (TH-7.7)."""


class Strike(msgspec.Struct, frozen=True):
    """What goes into one throw.

    value:     the roller's factor, in dice;  factor: which one.
    arm:       the roller's arm.
    orders:    attack orders in force for it (TH-6).
    committed: leaders who have given themselves for dice (TH-8.2).
    caltrops:  the target lies behind them (TH-7.7).
    ground, target_ground: dice for the terrain it stands in, and for the target's (TH-F9).
    ranks, target_ranks: dice for its formation, and for the target's (TH-5.1).
    hexes:     dice that artillery loses in shooting by its movement this turn (TH-F8), 0 or more.
    """

    value: int
    factor: Factor
    arm: Arm
    orders: tuple[str, ...] = ()
    committed: int = 0
    caltrops: bool = False
    ground: int = 0
    target_ground: int = 0
    ranks: int = 0
    target_ranks: int = 0
    hexes: int = 0


def factor_of(figures: UnitFigures, factor: Factor) -> int:
    """A factor of a unit, in dice (TH-F3)."""
    if factor == "shooting":
        return figures.shooting
    return figures.assault if factor == "assault" else figures.melee


def strike_dice(strike: Strike) -> Sum:
    """The dice of a throw with every reason; 0 only where the factor is 0, never below 1 else."""
    if strike.value <= 0:
        return Sum()
    dice = Sum((Modifier(strike.value, strike.factor, "TH-F3"),)) + changes(strike)
    return dice + bonus("TH-7.7", max(LEAST - dice.total, 0), "at_least_one")


def changes(strike: Strike) -> Sum:
    """What is added to the factor and taken from it.

    Attack orders and caltrops count hand to hand only (TH-6, TH-7.1), the former for the arms to
    which they can be given; dice lost by moving, in shooting only (TH-F8).
    """
    worth, shooting = COMBAT.dice, strike.factor == "shooting"
    orders = [] if shooting else [code for code in strike.orders if ORDERS[code].suits(strike.arm)]
    caltrops = COMBAT.arms[strike.arm].caltrops if strike.caltrops and not shooting else 0
    return (
        _ordered("TH-6.1", "allant", worth.allant, orders)
        + _ordered("TH-6.2", "berserks", worth.berserks, orders)
        + bonus("TH-8.2", worth.commitment * strike.committed, "commitment")
        + bonus("TH-F9", strike.ground, "ground")
        + bonus("TH-F9", strike.target_ground, "target_ground")
        + bonus("TH-5.1", strike.ranks, "ranks")
        + bonus("TH-5.1", strike.target_ranks, "target_ranks")
        + bonus("TH-F8", -strike.hexes if shooting else 0, "moved_artillery")
        + bonus("TH-7.7", -caltrops, "caltrops")
    )


def _ordered(rule: str, order: str, dice: int, orders: Collection[str]) -> Sum:
    return bonus(rule, dice, order) if order in orders else Sum()
