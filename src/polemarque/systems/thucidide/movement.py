"""Movement (TH-F8, TH-F9), as plain functions: how far a unit goes, where to, and what it costs.

Figures are hexes of open ground.  A terrain costs what its data say or ends the move; a step along
a road costs one hex, whatever the ground, and neither enters nor leaves difficult terrain.  Who
may move at all may always make one step into passable ground (a ruling).

How units leave the board (TH-F10) and what an order makes of a move (TH-5.2) stand at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

import msgspec

from polemarque.api import Sum, bonus
from polemarque.api.boards import Board, Cell, Grid, StepCost, Way, path_cost, reachable
from polemarque.systems.thucidide.state import Battle, Leader, Unit
from polemarque.systems.thucidide.tables import (
    FORMATIONS,
    FRAME,
    LOOSE,
    TABLES,
    TERRAINS,
    UnitFigures,
    ground,
)

LEADER = FRAME.leaders.moves
"""Hexes a lone leader moves (TH-F8)."""

ALONG_ROAD = FRAME.movement.along_road
"""Hexes more for a move that is along a road from its first step to its last (TH-F8)."""

Held = Mapping[Cell, Unit]
"""Which unit stands where (`Battle.by_cell`)."""


class Allowance(msgspec.Struct, frozen=True):
    """Hexes a unit moves (TH-F8).

    fight:     at most, if it is to fight afterwards.   most: if it is not.
    ceiling:   it never moves more; 0 for no such limit.
    dice_lost: shooting dice it loses for each hex moved.
    """

    fight: int
    most: int
    ceiling: int = 0
    dice_lost: int = 0


ALLOWANCES = TABLES.matrix("TH-F8", Allowance)


class Stride(msgspec.Struct, frozen=True):
    """What one move may cost: to fight afterwards, at all, and for a move along a road."""

    fight: int
    most: int
    road_fight: int
    road_most: int


class Move(msgspec.Struct, frozen=True):
    """A move that can be made: the cells entered, what it uses up, and whether it may fight."""

    path: tuple[Cell, ...]
    spent: int
    fights: bool


def allowance(figures: UnitFigures) -> Allowance:
    """The row of the table for a unit."""
    return ALLOWANCES.cell(figures.arm, figures.weight)


def movement(unit: Unit) -> Sum:
    """What changes a unit's movement this turn, in hexes: orders, formation, steps paid."""
    marks = unit.marks
    change = 0
    if unit.formation:
        change += FORMATIONS[unit.formation].moves
    if unit.loose:
        change += FORMATIONS[LOOSE].moves
    return (
        bonus("TH-5.2", marks.further, "forced_march")
        + bonus("TH-5.1", change, "formation")
        + bonus("TH-5.1", -marks.steps, "step_paid")
    )


def pace(unit: Unit) -> int:
    """Hexes a unit could still move, were it in no formation."""
    marks = unit.marks
    return allowance(unit.figures).most + marks.further - marks.steps


def stride(unit: Unit, further: int = 0) -> Stride:
    """What a unit's move may cost now; `further`: hexes that an order would add."""
    row = allowance(unit.figures)
    return strides(row, movement(unit).total + further)


@cache
def strides(row: Allowance, change: int) -> Stride:
    """The limits of a move by the table's row and what changes it; none below 0."""
    top = row.ceiling or row.most + change + ALONG_ROAD

    def limit(hexes: int) -> int:
        return max(min(hexes, top), 0)

    fight, most = limit(row.fight + change), limit(row.most + change)
    return Stride(
        fight, most, limit(fight + ALONG_ROAD) if most else 0,
        limit(most + ALONG_ROAD) if most else 0,
    )  # fmt: skip


def dice_lost(unit: Unit) -> int:
    """Shooting dice that a unit loses because it moved (TH-F8)."""
    return allowance(unit.figures).dice_lost * unit.marks.hexes


def may_pass(figures: UnitFigures, friend: UnitFigures) -> bool:
    """Whether a unit passes a friend: one of them is light or very light (TH-F8)."""
    return figures.is_light or friend.is_light


def enterable(battle: Battle, unit: Unit, cell: Cell, held: Held) -> bool:
    """Whether a unit may end in a hex: its ground admits it, and nobody but friend leaders."""
    return (
        cell not in held
        and TERRAINS[battle.board.terrain_of(cell)].admits(unit.figures)
        and cell not in lone_enemies(battle, unit.seat, held)
    )


def lone_enemies(battle: Battle, seat: str, held: Held) -> frozenset[Cell]:
    """Hexes that lone enemy leaders block (TH-F11)."""
    return frozenset(
        [
            one.cell
            for one in battle.leaders.values()
            if one.seat != seat and one.cell and one.cell not in held
        ]
    )


def step_cost(battle: Battle, unit: Unit, held: Held, *, guided: bool = False) -> StepCost:
    """What each step of a unit's move costs, where friends and enemies stand as they do.

    guided: difficult terrain is as the open (Guide local, TH-5.2).
    """
    shut = _shut(battle, unit, held)
    return _step_cost(battle.board, unit.figures, unit.cell, shut, guided=guided)


def _shut(battle: Battle, unit: Unit, held: Held) -> frozenset[Cell]:
    """Hexes that a unit cannot enter for those who stand there."""
    figures, seat = unit.figures, unit.seat
    closed = [
        cell
        for cell, other in held.items()
        if other.seat != seat or not may_pass(figures, other.figures)
    ]
    return lone_enemies(battle, seat, held).union(closed)


def _step_cost(
    board: Board, figures: UnitFigures, start: Cell, shut: frozenset[Cell], *, guided: bool
) -> StepCost:
    words, road = board.terrain, board.road

    def cost(here: Cell, there: Cell) -> int | None:
        terrain = TERRAINS[words[there]]
        if there in shut or not terrain.admits(figures):
            return None
        if guided or road(here, there):
            return 1
        if here != start and TERRAINS[words[here]].stop:
            return None
        return terrain.cost

    return cost


def road_cost(battle: Battle, unit: Unit, held: Held) -> StepCost:
    """The same for a move along a road from beginning to end."""
    return _road_cost(battle.board, step_cost(battle, unit, held))


def _road_cost(board: Board, cost: StepCost) -> StepCost:
    road = board.road
    return lambda here, there: cost(here, there) if road(here, there) else None


def possible_moves(
    battle: Battle, unit: Unit, held: Held, *, further: int = 0
) -> Mapping[Cell, Move]:
    """Every hex a unit can move to now, each with its cheapest move; roads counted.

    further: hexes that an order would add.
    """
    limits = stride(unit, further)
    if not limits.most:
        return {}
    near = _near(battle.board.grid, unit.cell, max(limits.most, limits.road_most))
    return _moves(
        battle.board, unit.figures, unit.cell, limits,
        near & _shut(battle, unit, held), near.intersection(held),
        "guide_local" in unit.marks.orders,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _near(grid: Grid, cell: Cell, reach: int) -> frozenset[Cell]:
    """The hexes as far as a move can lead: none costs less than 1."""
    return frozenset(grid.within(cell, reach))


@lru_cache(maxsize=2048)
def _moves(
    board: Board, figures: UnitFigures, start: Cell, limits: Stride,
    shut: frozenset[Cell], taken: frozenset[Cell], guided: bool,
) -> Mapping[Cell, Move]:  # fmt: skip
    """Moves by all that they depend on, kept: one turn asks for the same ones many times.

    shut, taken: hexes not to be entered, and not to be ended in, as far as the unit can come.
    """
    grid = board.grid
    cost = _step_cost(board, figures, start, shut, guided=guided)

    def free(there: Cell) -> bool:
        return there not in taken

    ways = reachable(grid, start, limits.most, cost, free, minimum_step=True)
    found = {there: _move(way, limits.fight) for there, way in ways.items()}
    if board.roads and any(board.road(start, near) for near in grid.neighbours(start)):
        along = _road_cost(board, _step_cost(board, figures, start, shut, guided=False))
        for there, way in reachable(grid, start, limits.road_most, along, free).items():
            other = found.get(there)
            on_road = _move(way, limits.road_fight)
            if other is None or (on_road.fights and not other.fights):
                found[there] = on_road
    return found


def _move(way: Way, fight: int) -> Move:
    return Move(way.path, way.cost, way.cost <= fight)


def judged(
    battle: Battle, unit: Unit, path: tuple[Cell, ...], held: Held, *, further: int = 0,
    guided: bool = False,
) -> Move | None:  # fmt: skip
    """A move along any way a player may name; None if it cannot be made.

    Judged as a move along a road where all of it is, else by what its steps cost.
    """
    limits = stride(unit, further)
    if not path or not limits.most or path[-1] in held:
        return None
    grid, cell = battle.board.grid, unit.cell
    guided = guided or "guide_local" in unit.marks.orders
    along = path_cost(grid, cell, path, road_cost(battle, unit, held))
    if along is not None and along <= limits.road_most:
        return Move(path, along, along <= limits.road_fight)
    spent = path_cost(grid, cell, path, step_cost(battle, unit, held, guided=guided))
    if spent is None or (spent > limits.most and len(path) > 1):
        return None
    return Move(path, spent, spent <= limits.fight)


def refusal(battle: Battle, unit: Unit, path: tuple[Cell, ...], held: Held) -> tuple[str, Cell]:
    """Why a unit cannot go a way, and the first hex where it cannot; said where `judged` is None.

    Codes: apart (not adjacent), closed (to its arm), enemy, friend (neither is light), stop (the
    ground before it ends the move), taken (it would end with another unit), far (too many hexes).
    """
    grid, words, here = battle.board.grid, battle.board.terrain, unit.cell
    blocked = lone_enemies(battle, unit.seat, held)
    for there in path:
        if there not in grid or not grid.adjacent(here, there):
            return "apart", there
        if not TERRAINS[words[there]].admits(unit.figures):
            return "closed", there
        other = held.get(there)
        if there in blocked or (other is not None and other.seat != unit.seat):
            return "enemy", there
        if other is not None and not may_pass(unit.figures, other.figures):
            return "friend", there
        stops = here != unit.cell and TERRAINS[words[here]].stop
        if stops and not battle.board.road(here, there):
            return "stop", there
        here = there
    return ("taken" if here in held else "far"), here


def leader_moves(battle: Battle, leader: Leader) -> dict[Cell, Way]:
    """Where a leader who moves alone can go: any passable ground, through and to any friend."""
    words, held = battle.board.terrain, battle.by_cell()
    blocked = lone_enemies(battle, leader.seat, held)
    enemies = {cell for cell, unit in held.items() if unit.seat != leader.seat}
    grid, cell, road = battle.board.grid, leader.cell, battle.board.road

    def cost(_: Cell, there: Cell) -> int | None:
        closed = TERRAINS[words[there]].impassable or there in blocked or there in enemies
        return None if closed else 1

    def along(here: Cell, there: Cell) -> int | None:
        return cost(here, there) if road(here, there) else None

    found = reachable(grid, cell, LEADER, cost, lambda _: True)
    if battle.board.roads:
        farther = reachable(grid, cell, LEADER + ALONG_ROAD, along, lambda _: True)
        found |= {there: way for there, way in farther.items() if there not in found}
    return found


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
