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

A cell's *place* is a vector of integers such that the distance of two cells is the largest
difference of a component: column and row for squares; for hexes the three coordinates of a cube,
whose sum is 0.  Cells are the points whose *bearings* differ by less than 1 from the cell's own, so
that what a straight line crosses is found with integers alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property
from typing import Literal, TypeAlias, TypeVar

import msgspec

Cell: TypeAlias = str
"""A cell: its column's letter or letters, then its row from 1 in the south, such as "c4"."""

Shape: TypeAlias = Literal["hex", "square"]

Place: TypeAlias = tuple[int, ...]
"""Where a cell lies; see the module."""

Path: TypeAlias = tuple[Cell, ...]

COLUMNS = 52
"""The most columns of a board: a to z, then aa to az."""

ROWS = 99
"""The most rows of a board."""

_STEPS: dict[Shape, tuple[Place, ...]] = {
    "hex": ((0, 1, -1), (1, 0, -1), (1, -1, 0), (0, -1, 1), (-1, 0, 1), (-1, 1, 0)),
    "square": ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)),
}
"""To each neighbour, clockwise: from the north-east for hexes, from the north for squares."""

_NUDGES: dict[Shape, Place] = {"hex": (1, 2, -3), "square": (1, 1)}
"""Which way a line leans that could go either way; along no side of a cell."""

_FINE = 64
"""A nudge is this many times smaller than the finest step of a line."""

K = TypeVar("K")
V = TypeVar("V")


class Lazy(dict[K, V]):
    """A table whose entries are made when first looked up."""

    def __init__(self, make: Callable[[K], V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: K) -> V:
        """The entry of a key, made and kept."""
        made = self[key] = self._make(key)
        return made


def letters(column: int) -> str:
    """The name of a column: 1 is "a", 26 "z", 27 "aa", 52 "az"."""
    letter = chr(ord("a") + (column - 1) % 26)
    return letter if column <= 26 else "a" + letter


def cell_name(column: int, row: int) -> Cell:
    """The name of the cell in a column and a row, both from 1."""
    return f"{letters(column)}{row}"


class Lattice:
    """The tables of one shape and size.  Looking up a cell that is not there raises KeyError."""

    def __init__(self, shape: Shape, columns: int, rows: int) -> None:
        self.shape = shape
        self.cells = tuple(
            cell_name(column, row) for row in range(rows, 0, -1) for column in range(1, columns + 1)
        )
        self.index = {cell: number for number, cell in enumerate(self.cells)}
        self.column_row = {
            cell: (number % columns + 1, rows - number // columns)
            for cell, number in self.index.items()
        }
        self.places = {cell: _place(shape, *self.column_row[cell]) for cell in self.cells}
        self._components = tuple(zip(*self.places.values(), strict=True))
        self.cell_at = {place: cell for cell, place in self.places.items()}
        self.neighbours = {
            cell: tuple(self._present(_sum(place, step) for step in _STEPS[shape]))
            for cell, place in self.places.items()
        }
        self.adjacent = {cell: frozenset(near) for cell, near in self.neighbours.items()}
        self.north = self._nearer(1)
        self.south = self._nearer(-1)
        self.distances: Lazy[Cell, bytes] = Lazy(self._distances)
        self.rings: Lazy[Cell, tuple[Path, ...]] = Lazy(self._rings)
        self.within: Lazy[tuple[Cell, int], Path] = Lazy(self._within)
        self.lines: Lazy[tuple[Cell, Cell], tuple[Path, ...]] = Lazy(self._lines)
        self.between: Lazy[tuple[Cell, Cell], tuple[Path, ...]] = Lazy(self._between)

    def _present(self, places: Iterator[Place]) -> Iterator[Cell]:
        return (self.cell_at[place] for place in places if place in self.cell_at)

    def _nearer(self, step: int) -> dict[Cell, Path]:
        """The neighbours whose row is `step` further north."""
        row = {cell: at[1] for cell, at in self.column_row.items()}
        return {
            cell: tuple(other for other in near if row[other] == row[cell] + step)
            for cell, near in self.neighbours.items()
        }

    # Distances: one byte a pair; the widest board measures less than 256 --------------------------

    def _distances(self, start: Cell) -> bytes:
        here = zip(self.places[start], self._components, strict=True)
        apart = [[abs(own - other) for other in others] for own, others in here]
        return bytes(map(max, *apart))

    def _rings(self, start: Cell) -> tuple[Path, ...]:
        far = self.distances[start]
        rings: list[list[Cell]] = [[] for _ in range(max(far) + 1)]
        for cell, distance in zip(self.cells, far, strict=True):
            rings[distance].append(cell)
        return tuple(map(tuple, rings))

    def _within(self, asked: tuple[Cell, int]) -> Path:
        start, reach = asked
        rings = self.rings[start]
        return tuple(cell for ring in rings[1 : max(reach, 0) + 1] for cell in ring)

    # Straight lines -------------------------------------------------------------------------------

    def _lines(self, ends: tuple[Cell, Cell]) -> tuple[Path, ...]:
        """The straight line, or the two where it could go either way; on the board only."""
        start, end = (self.places[cell] for cell in ends)
        both = [_line(self.shape, start, end, lean) for lean in (1, -1)]
        return tuple(
            tuple(self.cell_at[place] for place in line)
            for line in dict.fromkeys(both)
            if all(place in self.cell_at for place in line)
        )

    def _between(self, ends: tuple[Cell, Cell]) -> tuple[Path, ...]:
        """What a straight line from middle to middle passes, ends excluded.

        One cell where the line goes through it; two where it goes along the side they share, or
        through the corner between them.  A side on the board's rim counts for the one cell.
        """
        start, end = (_bearings(self.places[cell]) for cell in ends)
        beside = {
            cell for on in self._lines(ends) for at in on for cell in (at, *self.neighbours[at])
        }
        passed: list[tuple[int, Path]] = []
        touched: dict[tuple[int, int], list[Cell]] = {}
        for cell in sorted(beside.difference(ends), key=self.index.__getitem__):
            met = _met(start, end, _bearings(self.places[cell]))
            if met is None:
                continue
            if met.inside:
                passed.append((met.enter + met.leave, (cell,)))
            else:
                touched.setdefault((met.enter, met.leave), []).append(cell)
        for (enter, leave), cells in touched.items():
            if len(cells) == 2 or enter < leave:
                passed.append((enter + leave, tuple(cells)))
        return tuple(cells for _, cells in sorted(passed))


@cache
def lattice(shape: Shape, columns: int, rows: int) -> Lattice:
    """The tables of a shape and size, made once."""
    return Lattice(shape, columns, rows)


class _Met:
    """When a line enters and leaves a cell, in a common measure; whether it goes inside it."""

    __slots__ = ("enter", "leave", "inside")

    def __init__(self, enter: int, leave: int, inside: bool) -> None:
        self.enter, self.leave, self.inside = enter, leave, inside


def _place(shape: Shape, column: int, row: int) -> Place:
    if shape == "square":
        return column, row
    along = column - (row - 1) // 2
    return along, row, -along - row


def _bearings(place: Place) -> Place:
    """Coordinates in which a cell is all that differs by less than 1 from its middle."""
    if len(place) == 2:
        return 2 * place[0], 2 * place[1]
    along, row, across = place
    return along - row, row - across, across - along


def _sum(place: Place, step: Place) -> Place:
    return tuple(a + b for a, b in zip(place, step, strict=True))


def _line(shape: Shape, start: Place, end: Place, lean: int) -> tuple[Place, ...]:
    """The cells nearest to equal steps of the straight line; `lean` says where a tie goes."""
    length = max((abs(a - b) for a, b in zip(start, end, strict=True)))
    nudge = [lean * part for part in _NUDGES[shape]]
    whole = length * _FINE
    return tuple(
        _nearest(
            [
                _FINE * ((length - step) * a + step * b) + push
                for a, b, push in zip(start, end, nudge, strict=True)
            ],
            whole,
        )
        for step in range(1, length + 1)
    )


def _nearest(parts: list[int], whole: int) -> Place:
    """The cell about a point, whose coordinates are given in parts of `whole`."""
    near = [(2 * part + whole) // (2 * whole) for part in parts]
    if len(near) == 3:
        errors = [abs(n * whole - part) for n, part in zip(near, parts, strict=True)]
        worst = errors.index(max(errors))
        near[worst] -= sum(near)
    return tuple(near)


def _met(start: Place, end: Place, middle: Place) -> _Met | None:
    """How the straight line between two middles meets a cell; None if it does not."""
    strides = [b - a for a, b in zip(start, end, strict=True)]
    measure = 1
    for stride in strides:
        measure *= stride or 1
    measure = abs(measure)
    enter, leave, inside = 0, measure, True
    for at, stride, centre in zip(start, strides, middle, strict=True):
        if stride == 0:
            if abs(at - centre) > 1:
                return None
            inside = inside and abs(at - centre) < 1
            continue
        part = measure // abs(stride)
        toward = (centre - at) * (1 if stride > 0 else -1)
        enter, leave = max(enter, (toward - 1) * part), min(leave, (toward + 1) * part)
    if enter > leave:
        return None
    return _Met(enter, leave, inside and enter < leave)


# Grids -------------------------------------------------------------------------------------------

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
