"""Ways and lines of sight over a board: where a unit can go, what a way costs, what is seen.

What a step costs is the caller's: an integer of at least 0 for the step from one cell to the next,
or None where it cannot be made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import TypeAlias

import msgspec

from polemarque.maps.grid import Cell, Grid

StepCost: TypeAlias = Callable[[Cell, Cell], "int | None"]
"""(from, to) of two adjacent cells -> movement points, or None if that step cannot be made."""


class Way(msgspec.Struct, frozen=True):
    """A way: the cells entered, the start excluded and the end included, and what it costs."""

    path: tuple[Cell, ...]
    cost: int


def reachable(
    grid: Grid,
    start: Cell,
    points: int,
    cost: StepCost,
    may_end: Callable[[Cell], bool],
    minimum_step: bool = False,
) -> dict[Cell, Way]:
    """The cheapest way to every cell where one may end, cheapest first; the start is not one.

    points:       what the way may cost at most.
    may_end:      whether one may stop in a cell; one may pass through others.
    minimum_step: one adjacent cell may always be entered, whatever it costs, if that is the whole
                  way and the step can be made at all.

    Of ways of one cost the shortest counts, and of these the one whose first different step comes
    first in the order of `Grid.neighbours`.
    """
    ways = _cheapest(grid, start, points, cost, may_end)
    if not minimum_step:
        return ways
    steps = [(cell, cost(start, cell)) for cell in grid.neighbours(start) if cell not in ways]
    dear = [Way((cell,), step) for cell, step in steps if step is not None and may_end(cell)]
    dear.sort(key=lambda way: way.cost)
    return ways | {way.path[0]: way for way in dear}


def _cheapest(
    grid: Grid, start: Cell, points: int, cost: StepCost, may_end: Callable[[Cell], bool]
) -> dict[Cell, Way]:
    """Dijkstra's search.  Turns taken, as numbers, put ways of one cost and length in order."""
    ways: dict[Cell, Way] = {}
    least = {start: 0}
    settled: set[Cell] = set()
    queue: list[tuple[int, int, tuple[int, ...], Cell, tuple[Cell, ...]]] = [(0, 0, (), start, ())]
    while queue:
        spent, length, turns, here, path = heappop(queue)
        if here in settled:
            continue
        settled.add(here)
        if path and may_end(here):
            ways[here] = Way(path, spent)
        for turn, cell in enumerate(grid.neighbours(here)):
            if cell in settled:
                continue
            step = cost(here, cell)
            if step is None:
                continue
            total = spent + step
            if total <= points and total <= least.get(cell, total):
                least[cell] = total
                heappush(queue, (total, length + 1, (*turns, turn), cell, (*path, cell)))
    return ways


def path_cost(grid: Grid, start: Cell, path: Sequence[Cell], cost: StepCost) -> int | None:
    """What a way costs; None if a step is not to an adjacent cell, or cannot be made.

    path: the cells entered, the start excluded; an empty one costs 0.
    """
    total = 0
    here = start
    for cell in path:
        if cell not in grid or not grid.adjacent(here, cell):
            return None
        step = cost(here, cell)
        if step is None:
            return None
        total += step
        here = cell
    return total


def clear(grid: Grid, a: Cell, b: Cell, blocks: Callable[[Cell], bool]) -> bool:
    """Whether the straight line from middle to middle passes no cell that blocks it.

    The ends are not asked.  A cell of which the line cuts off but a corner counts; where the line
    runs between two cells, one of them may block.  It is the same from both ends.
    """
    return not any(all(map(blocks, cells)) for cells in grid.between(a, b))
