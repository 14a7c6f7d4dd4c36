"""Guide local (TH-5.2): where a guide leads a unit through difficult terrain, and for how much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from polemarque.api import Sum
from polemarque.api.boards import Board, Cell
from polemarque.systems.thucidide.chain import cost
from polemarque.systems.thucidide.movement import (
    Held,
    Move,
    is_better,
    possible_moves,
    step_cost,
    stride,
)
from polemarque.systems.thucidide.state import Battle, Unit
from polemarque.systems.thucidide.terrain import TERRAINS, ground

Trail = tuple[Cell, ...]
"""A way with the hex it begins in."""


class Led(NamedTuple):
    """A way on which a guide leads, and the hexes for which it takes him."""

    hexes: int
    trail: Trail


def guide_price(battle: Battle, unit: Unit, path: tuple[Cell, ...]) -> Sum:
    """What the guide of a way costs: by the hexes for which it takes him, reduced once."""
    trail = (unit.cell, *path)
    hexes = sum([_guided_step(battle.board, trail[: end + 1]) for end in range(1, len(trail))])
    return cost(battle, "guide_local", unit, hexes)


def guided_moves(battle: Battle, unit: Unit, held: Held) -> dict[Cell, Move]:
    """Moves that a guide makes possible, or after which the unit may then fight, or leave.

    Those it can pay; to each hex by the way that takes him for the fewest hexes, of those after
    which the unit may fight if there are any.
    """
    most = _hexes_paid(battle, unit)
    if not most or not rough_near(battle, unit):
        return {}
    to_fight, usual = stride(unit).fight, possible_moves(battle, unit, held)
    best: dict[Cell, tuple[int, Move]] = {}
    for steps, ways in enumerate(_ways(battle, unit, held, most), 1):
        for hexes, (_, *path) in ways:
            end, move = path[-1], Move(tuple(path), steps, steps <= to_fight)
            known = best.get(end)
            if known is None or (hexes < known[0] and move.fights == known[1].fights):
                best[end] = hexes, move
    return {
        end: move
        for end, (_, move) in best.items()
        if end not in held and is_better(battle, unit, move, usual.get(end), guided=True)
    }


def rough_near(battle: Battle, unit: Unit) -> bool:
    """Whether there is any difficult terrain as far as a unit moves; spares a search."""
    near = battle.board.grid.within(unit.cell, max(stride(unit).most, 1))
    return any(ground(battle.board, cell).is_difficult for cell in near)


def _hexes_paid(battle: Battle, unit: Unit) -> int:
    """For how many hexes a unit could have a guide with the tokens there are."""
    tokens, hexes = battle.sides[unit.seat].tokens, range(1, stride(unit).most + 1)
    return max(
        [n for n in hexes if cost(battle, "guide_local", unit, n).total <= tokens], default=0
    )


def _ways(battle: Battle, unit: Unit, held: Held, most: int) -> Iterator[list[Led]]:
    """Ways of one hex, of two and so on, with a guide for `most` hexes; the cheapest to each hex.

    One that comes by road and one that does not are kept apart: they may cost more to go on.
    """
    board, start = battle.board, unit.cell
    cost_of, ways = step_cost(battle, unit, held, guided=True), [Led(0, (start,))]
    for _ in range(stride(unit).most):
        found: dict[tuple[Cell, bool], Led] = {}
        for led in ways:
            here = led.trail[-1]
            for there in board.grid.neighbours(here):
                if there == start or cost_of(here, there) is None:
                    continue
                trail = (*led.trail, there)
                hexes = led.hexes + _guided_step(board, trail)
                known = found.get((there, board.road(here, there)))
                if hexes <= most and (known is None or hexes < known.hexes):
                    found[there, board.road(here, there)] = Led(hexes, trail)
        ways = list(found.values())
        yield ways


def _guided_step(board: Board, trail: Trail) -> int:
    """For how many hexes the last step of a trail takes the guide.

    For difficult ground that it enters otherwise than by road; and for ground that would have
    ended the move, come to by road, which it leaves otherwise.
    """
    *before, here, there = trail
    if board.road(here, there):
        return 0
    by_road = bool(before) and board.road(before[-1], here)
    left = by_road and TERRAINS[board.terrain_of(here)].stop
    return int(left) + int(TERRAINS[board.terrain_of(there)].is_difficult)
