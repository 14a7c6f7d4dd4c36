"""Leaving the board (TH-F10), and what an order makes of a move (TH-5.2): plain functions."""

from __future__ import annotations

from polemarque.api.boards import Cell
from polemarque.systems.thucidide.command_data import FRAME
from polemarque.systems.thucidide.movement import Move, stride
from polemarque.systems.thucidide.state import Battle, Unit
from polemarque.systems.thucidide.terrain import ground

LEAVING = FRAME.movement.leaving
"""Movement it takes to leave the board by an exit (TH-F10)."""


def exits(battle: Battle, seat: str) -> frozenset[Cell]:
    """The hexes by which units of a side leave the board, by its conditions."""
    goals = battle.sides[seat].goals
    return frozenset([cell for goal in goals if goal.kind == "exit" for cell in goal.cells])


def can_leave(
    battle: Battle, unit: Unit, move: Move, *, further: int = 0, guided: bool = False
) -> bool:
    """Whether a unit can leave the board at the end of a move, be it none.

    further, guided: as the order by which it moves has them (see `possible_moves`).
    It takes a hex of movement, and ground in its last hex that does not end the move (TH-F9).
    """
    place = move.path[-1] if move.path else unit.cell
    if place not in exits(battle, unit.seat):
        return False
    if move.path and not guided and _stopped(battle, unit, move.path):
        return False
    return move.spent + LEAVING <= stride(unit, further).most


def _stopped(battle: Battle, unit: Unit, path: tuple[Cell, ...]) -> bool:
    """Whether the ground of a way's last hex lets a unit go no further this turn.

    Come to by road, or with a guide whom a leader has given it, it does not.
    """
    if "guide_local" in unit.marks.orders:
        return False
    *_, here, there = unit.cell, *path
    return ground(battle.board, there).stop and not battle.board.road(here, there)


def is_better(
    battle: Battle, unit: Unit, move: Move, usual: Move | None,
    *, further: int = 0, guided: bool = False,
) -> bool:  # fmt: skip
    """Whether a move by an order gives what the usual one to its hex does not (TH-5.2).

    That is to come there, to fight afterwards, or to leave the board from there.
    """
    if usual is None or (move.fights and not usual.fights):
        return True
    leaves = can_leave(battle, unit, move, further=further, guided=guided)
    return leaves and not can_leave(battle, unit, usual)
