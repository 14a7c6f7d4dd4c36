"""Support (TH-F4) and influence (TH-8.1): who stands by a unit.  Plain functions of the board."""

from __future__ import annotations

from collections.abc import Mapping

from polemarque.api.boards import Cell
from polemarque.systems.thucidide.chain import influencing
from polemarque.systems.thucidide.combat_data import COMBAT
from polemarque.systems.thucidide.state import Battle, Unit

FOR_THE_PHASE = {"charge": "TH-6.3", "grande_defense": "TH-7.3"}
"""Orders by which a unit counts as supported for the whole phase, and their rules."""

FOR_THE_COMBAT = "defense"
"""The order by which a defender counts as supported for one combat (TH-7.3)."""


def friends_beside(battle: Battle, unit: Unit, held: Mapping[Cell, Unit]) -> int:
    """Friendly units next to a unit; leaders alone are none (TH-8.1).

    held: which unit stands where.
    """
    found = [held.get(cell) for cell in battle.board.grid.neighbours(unit.cell)]
    return sum([1 for other in found if other is not None and other.seat == unit.seat])


def support_of(battle: Battle, unit: Unit) -> str:
    """The rule by which a unit counts as supported: its neighbours or an order; "" if none does."""
    for order, rule in FOR_THE_PHASE.items():
        if order in unit.marks.orders:
            return rule
    fight = battle.fight
    if fight and fight.target == unit.code and FOR_THE_COMBAT in fight.answers:
        return "TH-7.3"
    beside = friends_beside(battle, unit, battle.by_cell())
    return "TH-F4" if beside >= COMBAT.flags.neighbours else ""


def is_supported(battle: Battle, unit: Unit) -> bool:
    """Whether a unit counts as supported, by its neighbours or by an order."""
    return bool(support_of(battle, unit))


def is_influenced(battle: Battle, unit: Unit) -> bool:
    """Whether a unit is in the influence range of one of its leaders, or of several."""
    return bool(influencing(battle, unit))
