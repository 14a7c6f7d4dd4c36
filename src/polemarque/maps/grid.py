"""Boards of hexes and squares: neighbours, distances and straight lines.

Cells are named by column and row, "a1" in the south-west.  Rows are straight and run from west to
east.  Hexes stand on a corner (each row lies between those above and below), and the *even* rows
are shifted by half a cell to the east::

    hex                          square
      a4  b4  c4                 a3 b3 c3
    a3  b3  c3                   a2 b2 c2
      a2  b2  c2                 a1 b1 c1
    a1  b1  c1

All is looked up in tables that are made when first used and shared by all grids of a size.  Naming
a cell that is not on the grid raises KeyError, unless it says otherwise.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Literal, TypeAlias

import msgspec

from polemarque.maps.lattice import COLUMNS, ROWS, Cell, Lattice, Shape, cell_name, lattice

__all__ = ["COLUMNS", "ROWS", "Cell", "Edge", "Grid", "Shape", "grid"]

Edge: TypeAlias = Literal["north", "south"]
"""An edge of the board along a row."""


class Grid(msgspec.Struct, frozen=True, dict=True):
    """The cells of a board.

    columns: 1 to `COLUMNS` (52).
    rows:    1 to `ROWS` (99).

    Raises ValueError on a size beyond these.
    """

    shape: Shape
    columns: int
    rows: int

    def __post_init__(self) -> None:
        """Refuse a size that has no names for its cells."""
        if not (1 <= self.columns <= COLUMNS and 1 <= self.rows <= ROWS):
            raise ValueError(f"a grid of {self.columns} by {self.rows}")

    @cached_property
    def _tables(self) -> Lattice:
        return lattice(self.shape, self.columns, self.rows)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row from the north-west."""
        return self._tables.cells

    def __contains__(self, cell: object) -> bool:
        """Whether it is the name of a cell of this grid."""
        return cell in self._tables.index

    def cell(self, column: int, row: int) -> Cell:
        """The cell in a column and a row, both from 1."""
        name = cell_name(column, row)
        if not (1 <= column <= self.columns and 1 <= row <= self.rows):
            raise KeyError(name)
        return name

    def column(self, cell: Cell) -> int:
        """The column of a cell, 1 in the west."""
        return self._tables.column_row[cell][0]

    def row(self, cell: Cell) -> int:
        """The row of a cell, 1 in the south."""
        return self._tables.column_row[cell][1]

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """The cells next to one, clockwise: hexes from the north-east, squares from the north.

        A square touches up to eight, a hex up to six.
        """
        return self._tables.neighbours[cell]

    def adjacent(self, a: Cell, b: Cell) -> bool:
        """Whether two cells are next to each other; a cell is not next to itself."""
        return b in self._tables.adjacent[a]

    def distance(self, a: Cell, b: Cell) -> int:
        """Fewest steps from one cell to another: the first is not counted, the last is."""
        tables = self._tables
        return tables.distances[a][tables.index[b]]

    def within(self, cell: Cell, reach: int) -> tuple[Cell, ...]:
        """The cells at distance 1 to `reach`, nearest first, then in the order of `cells`."""
        return self._tables.within[cell, reach]

    def ring(self, cell: Cell, reach: int) -> tuple[Cell, ...]:
        """The cells at distance `reach` exactly, in the order of `cells`."""
        rings = self._tables.rings[cell]
        return rings[reach] if 0 <= reach < len(rings) else ()

    def line(self, a: Cell, b: Cell) -> tuple[Cell, ...]:
        """A straight line of adjacent cells, `a` excluded and `b` included; as long as `distance`.

        The way back is the same.  Of two that are equally straight (`lines`) always the same one.
        """
        return self._tables.lines[a, b][0]

    def lines(self, a: Cell, b: Cell) -> tuple[tuple[Cell, ...], ...]:
        """The straight line, or both where it runs between two cells; none leaves the board."""
        return self._tables.lines[a, b]

    def between(self, a: Cell, b: Cell) -> tuple[tuple[Cell, ...], ...]:
        """What the straight line from middle to middle passes on its way, both ends excluded.

        Each entry is one cell that the line goes through, however little of it, or the two that it
        goes between: along the side they share or, for squares, through a corner of both.
        """
        return self._tables.between[a, b]

    def rows_from(self, cell: Cell, edge: Edge) -> int:
        """Which row a cell is in counted from an edge, whose own row counts 1."""
        row = self._tables.column_row[cell][1]
        return row if edge == "south" else self.rows + 1 - row

    def toward(self, cell: Cell, edge: Edge) -> tuple[Cell, ...]:
        """The neighbours that are a row nearer to an edge, in the order of `neighbours`."""
        tables = self._tables
        return tables.south[cell] if edge == "south" else tables.north[cell]


@cache
def grid(shape: Shape, columns: int, rows: int) -> Grid:
    """The grid of a shape and size, made once.  Raises ValueError on a size beyond the limits."""
    return Grid(shape, columns, rows)
