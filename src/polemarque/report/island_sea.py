"""What fills the open sea around the island: a compass rose, a ship, a serpent, waves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from polemarque.maps.provinces import Point, Polygon
from polemarque.report.island_furniture import HEIGHT, PANEL, WIDTH, compass
from polemarque.report.island_glyphs import WATER, sign
from polemarque.report.island_shapes import Box, Layout, bounds, chance, inside, overlap

ORNAMENTS = (
    ("compass", (132.0, 132.0), (1, 1)),
    ("ship", (90.0, 60.0), (1, 0)),
    ("serpent", (104.0, 46.0), (0, 1)),
)
"""What to draw, its room on the sheet, and the corner it would best be near (right, bottom)."""

GAP = 20.0
"""Units between the coast and whatever swims before it."""


def ornaments(layout: Layout, taken: list[Box], winds: str) -> str:
    """Each ornament where the sea has room for it; one without room is left out.

    taken: boxes already in use, to which those of the ornaments are added.
    winds: letters of north, east, south and west.
    """
    taken += [bounds(shape) for shape in layout.islets]
    parts = []
    for kind, size, corner in ORNAMENTS:
        spot = _roomy(layout, taken, size, corner)
        if spot is None:
            continue
        x, y = spot
        taken.append((x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2))
        parts.append(
            compass(spot, winds) if kind == "compass" else sign(kind, (x, y + size[1] / 5))
        )
    return f"<g>{''.join(parts)}</g>"


def _roomy(layout: Layout, taken: list[Box], size: Point, corner: tuple[int, int]) -> Point | None:
    """The middle of a free box at sea, as near as can be to a corner of the sheet."""
    first, last = PANEL[2] + 8, WIDTH - 26 - size[0]
    lefts = sorted(range(int(first), int(last), 12), reverse=bool(corner[0]))
    tops = sorted(range(28, int(HEIGHT - 26 - size[1]), 12), reverse=bool(corner[1]))
    coast = list(_shore(layout))
    spots = [(i + j, left, top) for i, left in enumerate(lefts) for j, top in enumerate(tops)]
    for _, left, top in sorted(spots):
        box = (float(left), float(top), left + size[0], top + size[1])
        if any(overlap(box, other) for other in taken):
            continue
        wide = (box[0] - GAP, box[1] - GAP, box[2] + GAP, box[3] + GAP)
        at = (left + size[0] / 2, top + size[1] / 2)
        if any(wide[0] < x < wide[2] and wide[1] < y < wide[3] for x, y in coast):
            continue
        if not _on_land(layout, at):
            return at
    return None


def waves(layout: Layout, taken: Iterable[Box]) -> str:
    """Small waves strewn over the open sea, clear of what is drawn there."""
    shapes = tuple(layout.shapes.values())
    return _waves(tuple(taken), tuple(_shore(layout)), shapes)


@lru_cache(maxsize=16)
def _waves(taken: tuple[Box, ...], coast: tuple[Point, ...], shapes: tuple[Polygon, ...]) -> str:
    drawn = []
    for row in range(19):
        for column in range(16):
            x = 250 + 66 * (column + 0.5 * (row % 2)) + 30 * chance("wave", row, column, "x")
            y = 46 + 44 * row + 20 * chance("wave", row, column, "y")
            box = (x - 16, y - 10, x + 16, y + 10)
            if x > WIDTH - 46 or y > HEIGHT - 40 or any(overlap(box, b) for b in taken):
                continue
            if any(abs(x - a) + abs(y - b) < 52 for a, b in coast):
                continue
            if any(inside((x, y), shape) for shape in shapes):
                continue
            drawn.append(f"M{x - 9:.1f},{y:.1f}q4.5,-5 9,0t9,0")
    return f'<path d="{"".join(drawn)}" fill="none" stroke="{WATER}" opacity=".6"/>'


def _shore(layout: Layout) -> Iterable[Point]:
    for border in layout.borders:
        if border.other is None:
            yield from border.points
    for islet in layout.islets:
        yield from islet


def _on_land(layout: Layout, point: Point) -> bool:
    return any(inside(point, shape) for shape in layout.shapes.values())
