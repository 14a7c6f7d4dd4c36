"""Water and roads on the drawing of a board, and what crosses the water."""

from __future__ import annotations

import math

from polemarque.maps.boards import Board, Link
from polemarque.maps.grid import Cell
from polemarque.maps.provinces import Point
from polemarque.report.board_layout import Layout
from polemarque.report.board_looks import Look, look_of
from polemarque.report.island_glyphs import FADED, INK, PAPER, WATER, line

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
