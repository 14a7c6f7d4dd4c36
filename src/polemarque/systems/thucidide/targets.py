"""Whom a unit can attack (TH-F5): beside it hand to hand, from afar by a line of sight (TH-F9).

Lone enemy leaders beside it can be captured instead (TH-F11).  Who stands by a unit: support
(TH-F4) and influence (TH-8.1).
"""

from __future__ import annotations

from collections.abc import Mapping

from polemarque.api.boards import Cell, clear
from polemarque.systems.thucidide.combat_dice import COMBAT
from polemarque.systems.thucidide.movement import Held, possible_moves
from polemarque.systems.thucidide.orders import influencing
from polemarque.systems.thucidide.state import Battle, Leader, Unit
from polemarque.systems.thucidide.tables import ground


def melee_targets(battle: Battle, unit: Unit, held: Held, cell: Cell = "") -> list[Unit]:
    """Enemy units next to a unit, or to the hex from which it would fight, in the board's order."""
    found = [held.get(near) for near in battle.board.grid.neighbours(cell or unit.cell)]
    return [other for other in found if other is not None and other.seat != unit.seat]


def shooting_targets(battle: Battle, unit: Unit, held: Held) -> list[Unit]:
    """Enemy units in range and in sight; those next to it are never shot at (TH-F3)."""
    figures, far = unit.figures, battle.board.grid.distance
    if not figures.shooting:
        return []
    return [
        other
        for other in battle.units_of(battle.enemy_of(unit.seat))
        if 1 < far(unit.cell, other.cell) <= figures.reach
        and sees(battle, unit.cell, other.cell, held)
    ]


def sees(battle: Battle, a: Cell, b: Cell, held: Held) -> bool:
    """Whether a straight line between two hexes is free of what blocks it (TH-F9).

    Units block, woods and towns block, and a crest between two who are not on one.
    """
    board = battle.board
    on_crest = ground(board, a).crest or ground(board, b).crest

    def blocks(cell: Cell) -> bool:
        terrain = ground(board, cell)
        return cell in held or terrain.blocks or (terrain.crest and not on_crest)

    return clear(board.grid, a, b, blocks)


def zones(battle: Battle, unit: Unit) -> dict[str, list[Cell]]:
    """The hexes a unit reaches and strikes from where it stands, with what each may be used for.

    "fights": where it can move and still fight; "moves": where it can move and no longer fights
    (TH-F8); "beside": next to it (TH-F5); "shots": in range and in sight (TH-F3, TH-F9).
    """
    held, board = battle.by_cell(), battle.board
    moves = {} if unit.marks.moved else possible_moves(battle, unit, held)
    reach = unit.figures.reach if unit.figures.shooting else 0
    return {
        "fights": [cell for cell, move in moves.items() if move.fights],
        "moves": [cell for cell, move in moves.items() if not move.fights],
        "beside": list(board.grid.neighbours(unit.cell)),
        "shots": [
            cell
            for cell in board.grid.within(unit.cell, reach)
            if board.grid.distance(unit.cell, cell) > 1 and sees(battle, unit.cell, cell, held)
        ],
    }


def ranges(battle: Battle, leader: Leader) -> dict[str, list[Cell]]:
    """The hexes of a leader's ranges of "command" and "influence" (TH-1.2)."""
    within, cell = battle.board.grid.within, leader.cell
    return {
        "command": list(within(cell, leader.reach)),
        "influence": list(within(cell, leader.influence)),
    }


def assaults(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether a unit fights hand to hand with its assault figure (TH-F3).

    It does if it moved this turn and its target was not next to the hex it started from.
    """
    if not unit.marks.hexes:
        return False
    return not battle.board.grid.adjacent(unit.marks.start, target.cell)


def prey(battle: Battle, unit: Unit, held: Held) -> list[Unit]:
    """Every enemy unit that a unit may attack: its figure for that must be more than 0 (TH-7.7)."""
    figures = unit.figures
    beside = [
        other
        for other in melee_targets(battle, unit, held)
        if (figures.assault if assaults(battle, unit, other) else figures.melee) > 0
    ]
    return beside + shooting_targets(battle, unit, held)


def lone_leaders_beside(battle: Battle, unit: Unit, held: Held) -> list[Leader]:
    """Enemy leaders without a unit next to a unit, one for each hex: he may capture them."""
    near = battle.board.grid.neighbours(unit.cell)
    found: dict[Cell, Leader] = {}
    for leader in battle.leaders_of(battle.enemy_of(unit.seat)):
        if leader.cell in near and leader.cell not in held:
            found.setdefault(leader.cell, leader)
    return list(found.values())


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
