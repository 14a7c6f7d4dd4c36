"""The board itself, as a drawing without pieces: terrain, water, roads, walls, coordinates."""

from __future__ import annotations

from collections.abc import Mapping

from polemarque.maps.boards import Board
from polemarque.maps.grid import Cell
from polemarque.maps.lattice import letters
from polemarque.maps.provinces import Point
from polemarque.report.board_layout import MARGIN, Layout
from polemarque.report.board_looks import Look, look_of
from polemarque.report.board_ways import crossings, roads, watercourses
from polemarque.report.island_glyphs import INK, line, plain
from polemarque.report.island_shapes import chance

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
