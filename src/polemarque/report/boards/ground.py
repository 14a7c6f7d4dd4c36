"""The board as a drawing without pieces: cells, terrain, water, roads, walls, coordinates.

Coordinates are in pixels, x to the right and y downwards; the margin holds the coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from polemarque.kernel.files.decoding import from_toml
from polemarque.maps.boards import Board, Link
from polemarque.maps.grid import Cell, Grid, cell_name, letters
from polemarque.maps.provinces import Point
from polemarque.report.island.geometry import chance
from polemarque.report.island.glyphs import FADED, INK, PAPER, WATER, line, plain

# Looks -------------------------------------------------------------------------------------------

_LOOKS = Path(__file__).parents[1] / "data" / "board_terrains.toml"


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"like": "as"}):
    """How a terrain is drawn; the fields are explained in data/board_terrains.toml."""

    fill: str = ""
    text: str = ""
    signs: tuple[str, ...] = ()
    count: int = 0
    scale: float = 1.0
    water: int = 0
    over: str = ""
    road: bool = False
    like: str = ""


@cache
def looks() -> Mapping[str, Look]:
    """The looks of all terrains that have one of their own; "" for the others."""
    read = from_toml(_LOOKS.read_bytes(), dict[str, Look])
    return {word: read[look.like] if look.like else look for word, look in read.items()}


def look_of(terrain: str) -> Look:
    """How a terrain is drawn."""
    return looks().get(terrain, looks()[""])


# Cells -------------------------------------------------------------------------------------------

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


# Ground ------------------------------------------------------------------------------------------

STONE = "#e9dcc0"
WOODEN = "#7a5230"

FORTIFICATION = "fortification"
"""The mark that is drawn as walls, 1 to 4; other marks are written."""

_SLOTS: tuple[Point, ...] = (
    (-18, -7), (18, -7), (0, -17), (-19, 14), (19, 14), (-8, 4), (9, 7),
)  # fmt: skip
"""Where signs are strewn: along the rim of the cell first, so that a counter leaves them seen."""


def strewn(layout: Layout, cell: Cell, look: Look) -> str:
    """The signs of a cell, always in the same places of it."""
    x, y = layout.at(cell)
    parts: list[tuple[float, str]] = []
    for number, (dx, dy) in enumerate(_SLOTS[: look.count]):
        lot = chance(cell, number)
        name = look.signs[(number + int(lot * 7)) % len(look.signs)]
        size = look.scale * (0.86 + 0.24 * lot)
        turn = -size if lot * 13 % 1 < 0.4 else size
        left, foot = x + dx + 4 * (lot - 0.5), y + dy + 3 * (lot * 5 % 1 - 0.5)
        moved = f"translate({left:.1f} {foot:.1f}) scale({turn:.2f} {size:.2f})"
        parts.append((foot, f'<use href="#brd-{name}" transform="{moved}"/>'))
    return "".join(drawn for _, drawn in sorted(parts))


class Ground:
    """Draws a board layer by layer.

    named: what readers call a terrain or a mark.
    """

    def __init__(self, board: Board, named: Mapping[str, str]) -> None:
        self.board, self.named = board, named
        self.layout = Layout(board.grid)

    def signs(self) -> tuple[str, ...]:
        """The names of all signs that it uses."""
        used = {name for word in self.board.terrain.values() for name in look_of(word).signs}
        return tuple(sorted(used))

    def drawn(self) -> str:
        """All layers."""
        return "".join(
            (
                self.cells(),
                watercourses(self.board, self.layout),
                roads(self.board, self.layout),
                crossings(self.board, self.layout),
                self.walls(),
                self.rim(),
            )
        )

    def title(self, cell: Cell) -> str:
        """A cell in words: its name, terrain and marks."""
        words = [self.named.get(self.board.terrain[cell], self.board.terrain[cell])]
        for kind, cells in self.board.marks.items():
            if cells.get(cell):
                words.append(f"{self.named.get(kind, kind)} {cells[cell]}")
        return f"{cell} · {', '.join(words)}"

    def cells(self) -> str:
        """Every cell with its wash, its signs and its words."""
        parts: list[str] = []
        names: list[str] = []
        for cell in self.board.grid.cells:
            look = look_of(self.board.terrain[cell])
            x, y = self.layout.at(cell)
            place = f'transform="translate({x:.1f} {y:.1f})"'
            parts.append(
                f'<g class="cell" id="b-{cell}" data-cell="{cell}">'
                f"<title>{plain(self.title(cell))}</title>"
                f'<use href="#brd-cell" {place} fill="{look.fill}"/>'
                f'<g class="ground">{strewn(self.layout, cell, look)}</g>'
                f'<use href="#brd-cell" {place} class="edge"/></g>'
            )
            names.append(f'<text class="at" x="{x:.1f}" y="{y + 27:.1f}">{cell}</text>')
        return "".join((*parts, '<g class="names" aria-hidden="true">', *names, "</g>"))

    # Walls, marks, rim ------------------------------------------------------------------------

    def walls(self) -> str:
        """Fortifications as the outline of their cell, and the figures of other marks."""
        parts = []
        for cell, level in sorted(self.board.marks.get(FORTIFICATION, {}).items()):
            if level > 0:
                x, y = self.layout.at(cell)
                wall = fortified(self.layout, min(level, 4))
                parts.append(f'<g transform="translate({x:.1f} {y:.1f})">{wall}</g>')
        others = [kind for kind in self.board.marks if kind != FORTIFICATION]
        for number, kind in enumerate(others):
            for cell, figure in sorted(self.board.marks[kind].items()):
                x, y = self.layout.at(cell)
                initial = self.named.get(kind, kind)[:1]
                parts.append(
                    f'<text class="halo" font-size="9.5" text-anchor="middle"'
                    f' x="{x + 22 - 44 * (number % 2):.1f}" y="{y + 22:.1f}">'
                    f"{plain(initial)}{figure}</text>"
                )
        return "".join(parts)

    def rim(self) -> str:
        """Letters of columns above and below, numbers of rows at both ends."""
        layout, board = self.layout, self.board.grid
        parts = []
        for column in range(1, board.columns + 1):
            for row, y in ((board.rows, MARGIN - 12), (1, layout.height - MARGIN + 21)):
                parts.append((layout.spot(column, row)[0], y, letters(column)))
        for row in range(1, board.rows + 1):
            for column, off in ((1, -1.0), (board.columns, 1.0)):
                x, y = layout.spot(column, row)
                parts.append((x + off * (layout.step[0] / 2 + 13), y + 4.5, str(row)))
        return "".join(
            f'<text class="rim" x="{x:.1f}" y="{y:.1f}">{said}</text>' for x, y, said in parts
        )


def fortified(layout: Layout, level: int) -> str:
    """Works about 0, 0: 1 a palisade, 2 a wall, 3 a wall with towers, 4 with a moat besides."""
    ring = [(x * 0.86, y * 0.86) for x, y in layout.corners]
    path = line(ring, closed=True)
    if level == 1:
        return (
            f'<path d="{path}" fill="none" stroke="{WOODEN}" stroke-width="4.6"'
            f' stroke-dasharray="1.6 2.4"/><path d="{path}" fill="none" stroke="{WOODEN}"/>'
        )
    moat = ""
    if level == 4:
        outer = line([(x * 0.96, y * 0.96) for x, y in layout.corners], closed=True)
        moat = f'<path d="{outer}" fill="none" stroke="#8fb6c6" stroke-width="4"/>'
    towers = "".join(
        f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="{STONE}"'
        f' stroke="{INK}"/>'
        for x, y in (ring if level > 2 else ())
    )
    return (
        f'{moat}<path d="{path}" fill="none" stroke="{INK}" stroke-width="4.4"/>'
        f'<path d="{path}" fill="none" stroke="{STONE}" stroke-width="2.6"/>'
        f'<path d="{path}" fill="none" stroke="{INK}" stroke-width="2.6" stroke-dasharray=".7 4"/>'
        f"{towers}"
    )


# Water and roads ---------------------------------------------------------------------------------

SHALLOW = "#a9c8d3"
PAVED = "#f8efd8"
BANK = 2.2
"""How much broader a watercourse is with its banks."""

_STONES = ((-13, 1), (-6.5, -2), (0, 1.5), (6.5, -1.5), (13, 1))


def watercourses(board: Board, layout: Layout) -> str:
    """Streams and rivers, through the sides that they share."""
    wet = [(cell, look.water) for cell in board.grid.cells if (look := _look(board, cell)).water]
    ways = [(_course(board, layout, cell), width) for cell, width in wet]
    if not ways:
        return ""
    banks, flood = (
        "".join(f'<path d="{way}" stroke-width="{width + more:g}"/>' for way, width in ways)
        for more in (BANK, 0.0)
    )
    return (
        f'<g class="water" fill="none"><g stroke="{WATER}">{banks}</g>'
        f'<g stroke="{SHALLOW}">{flood}</g></g>'
    )


def roads(board: Board, layout: Layout) -> str:
    """Roads from middle to middle."""
    ways = "".join(line([layout.at(a), layout.at(b)]) for a, b in _links(board))
    if not ways:
        return ""
    pen = f'<path d="{ways}" fill="none" stroke-linecap="round"'
    return (
        f'<g class="roads">{pen} stroke="{FADED}" stroke-width="6.4"/>'
        f'{pen} stroke="{PAVED}" stroke-width="4.2"/>'
        f'{pen} stroke="{FADED}" stroke-width=".8" stroke-dasharray="5 4"/></g>'
    )


def crossings(board: Board, layout: Layout) -> str:
    """Bridges and fords, along their road or across their water."""
    parts = []
    for cell in board.grid.cells:
        over = _look(board, cell).over
        if not over:
            continue
        x, y = layout.at(cell)
        turn = f"translate({x:.1f} {y:.1f}) rotate({_across(board, layout, cell):.0f})"
        parts.append(f'<g transform="{turn}">{_BRIDGE if over == "bridge" else _FORD}</g>')
    return "".join(parts)


_BRIDGE = (
    f'<path d="M-15,-6.5H15V6.5H-15Z" fill="{PAPER}"/>'
    '<path class="p" d="M-19,-10L-14,-6.5H14L19,-10M-19,10L-14,6.5H14L19,10"/>'
    '<path class="s" d="M-10,-6.5V6.5M-5,-6.5V6.5M0,-6.5V6.5M5,-6.5V6.5M10,-6.5V6.5"/>'
)

_FORD = (
    f'<g fill="{PAPER}" stroke="{INK}" stroke-width=".8">'
    + "".join(f'<ellipse cx="{x}" cy="{y}" rx="2.9" ry="2.3"/>' for x, y in _STONES)
    + "</g>"
)


def _look(board: Board, cell: Cell) -> Look:
    return look_of(board.terrain[cell])


def _wet(board: Board, cell: Cell) -> bool:
    return bool(_look(board, cell).water) or _look(board, cell) is look_of("lake")


def _course(board: Board, layout: Layout, cell: Cell) -> str:
    """The path of the water through a cell."""
    x, y = layout.at(cell)
    flows = _flows(board, layout, cell) or [(-14.0, 0.0), (14.0, 0.0)]
    if len(flows) == 2:
        (ax, ay), (bx, by) = flows
        return f"M{x + ax:.1f},{y + ay:.1f}Q{x:.1f},{y:.1f} {x + bx:.1f},{y + by:.1f}"
    return "".join(line([(x, y), (x + dx, y + dy)]) for dx, dy in flows)


def _flows(board: Board, layout: Layout, cell: Cell) -> list[Point]:
    """Where water leaves a cell, as ways from its middle to its sides.

    Over a corner of squares only where it does not flow round it; where it has but one outlet, it
    comes from beyond the board if it can.
    """
    around = layout.around(cell)
    wet = [near is not None and _wet(board, near) for near, _ in around]
    count = len(around)
    found = []
    for number, (_, way) in enumerate(around):
        corner = not layout.hexes and number % 2 == 1
        if wet[number] and not (corner and (wet[number - 1] or wet[(number + 1) % count])):
            found.append(way)
    if len(found) == 1:
        x, y = found[0]
        beyond = [way for near, way in around if near is None]
        across = [(way[0] * x + way[1] * y) / math.hypot(*way) for way in beyond]
        if across and min(across) < 0:
            found.append(beyond[across.index(min(across))])
    return [(x / 2, y / 2) for x, y in found]


def _links(board: Board) -> list[Link]:
    """What roads join: the board's roads, and cells of road that no road is drawn through."""
    on = {cell for link in board.roads for cell in link}
    joins = {"road", "bridge", "ford", "town"}
    more = {
        (min(cell, other), max(cell, other))
        for cell in board.grid.cells
        if _look(board, cell).road and cell not in on
        for other in board.grid.neighbours(cell)
        if board.terrain[other] in joins and other not in on
    }
    return [*board.roads, *sorted(link for link in more if not _short_cut(board, link, more))]


def _short_cut(board: Board, link: Link, links: set[Link]) -> bool:
    """Whether a link of squares goes over a corner that other links go round."""
    a, b = link
    grid = board.grid
    if grid.shape == "hex" or grid.column(a) == grid.column(b) or grid.row(a) == grid.row(b):
        return False
    between = set(grid.neighbours(a)).intersection(grid.neighbours(b))
    return any((min(a, c), max(a, c)) in links or (min(b, c), max(b, c)) in links for c in between)


def _across(board: Board, layout: Layout, cell: Cell) -> float:
    """The direction of what crosses water, in degrees."""
    x, y = layout.at(cell)
    ends = [layout.at(b if a == cell else a) for a, b in _links(board) if cell in (a, b)]
    if ends:
        (ax, ay), (bx, by) = (*ends, (x, y))[:2]
        return math.degrees(math.atan2(by - ay, bx - ax))
    flows = _flows(board, layout, cell)
    if not flows:
        return 90.0
    first, last = flows[0], flows[-1]
    along = (first[0] - last[0], first[1] - last[1]) if len(flows) > 1 else first
    return math.degrees(math.atan2(along[1], along[0])) + 90
