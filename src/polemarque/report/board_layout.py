"""Where cells of a board stand on paper.

Coordinates are in pixels, x to the right and y downwards; the board's margin holds the coordinates.
"""

from __future__ import annotations

import math

import msgspec

from polemarque.maps.grid import Cell, Grid
from polemarque.maps.lattice import cell_name
from polemarque.maps.provinces import Point

RADIUS = 37.0
"""From the middle of a hex to its corners."""

WIDE = RADIUS * math.sqrt(3)
SQUARE = 60.0
MARGIN = 34.0

_HEX = tuple(
    (RADIUS * math.sin(math.pi * n / 3), -RADIUS * math.cos(math.pi * n / 3)) for n in range(6)
)
_SQUARE = tuple((x * SQUARE / 2, y * SQUARE / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


class Layout(msgspec.Struct, frozen=True):
    """The places of a grid's cells."""

    grid: Grid

    @property
    def hexes(self) -> bool:
        """Whether cells are hexes."""
        return self.grid.shape == "hex"

    @property
    def corners(self) -> tuple[Point, ...]:
        """The corners of a cell about 0, 0, clockwise."""
        return _HEX if self.hexes else _SQUARE

    @property
    def step(self) -> tuple[float, float]:
        """From column to column and from row to row."""
        return (WIDE, RADIUS * 1.5) if self.hexes else (SQUARE, SQUARE)

    @property
    def width(self) -> float:
        """Of the board with its margins."""
        half = 0.5 if self.hexes and self.grid.rows > 1 else 0.0
        return 2 * MARGIN + (self.grid.columns + half) * self.step[0]

    @property
    def height(self) -> float:
        """Of the board with its margins."""
        rest = RADIUS / 2 if self.hexes else 0.0
        return 2 * MARGIN + self.grid.rows * self.step[1] + rest

    def at(self, cell: Cell) -> Point:
        """The middle of a cell."""
        return self.spot(self.grid.column(cell), self.grid.row(cell))

    def spot(self, column: int, row: int) -> Point:
        """The middle of the cell in a column and a row, on the board or beyond it."""
        across, down = self.step
        shift = 0.5 if self.hexes and row % 2 == 0 else 0.0
        top = MARGIN + (RADIUS if self.hexes else SQUARE / 2)
        return MARGIN + (column - 0.5 + shift) * across, top + (self.grid.rows - row) * down

    def around(self, cell: Cell) -> list[tuple[Cell | None, Point]]:
        """What lies around a cell, clockwise: each neighbour, or None beyond the edge of the board.

        With each the way from the middle of the cell to its middle.
        """
        column, row = self.grid.column(cell), self.grid.row(cell)
        x, y = self.spot(column, row)
        east = 1 if row % 2 == 0 else 0  # even rows of hexes are shifted to the east
        steps = (
            ((east, 1), (1, 0), (east, -1), (east - 1, -1), (-1, 0), (east - 1, 1))
            if self.hexes
            else ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
        )
        found: list[tuple[Cell | None, Point]] = []
        for across, up in steps:
            name = cell_name(column + across, row + up)
            there = self.spot(column + across, row + up)
            way = (there[0] - x, there[1] - y)
            found.append((name if name in self.grid else None, way))
        return found
