"""Lines of sight over a board."""

from __future__ import annotations

from collections.abc import Callable

from polemarque.maps.grid import Cell, Grid


def clear(grid: Grid, a: Cell, b: Cell, blocks: Callable[[Cell], bool]) -> bool:
    """Whether the straight line from middle to middle passes no cell that blocks it.

    The ends are not asked.  A cell of which the line cuts off but a corner counts; where the line
    runs between two cells, one of them may block.  It is the same from both ends.
    """
    return not any(all(map(blocks, cells)) for cells in grid.between(a, b))
