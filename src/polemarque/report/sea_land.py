"""What grows and runs on the land of the sea chart: rivers, and mountains along their ranges."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from polemarque.maps.provinces import Point, Polygon
from polemarque.report.island_glyphs import WATER, sign
from polemarque.report.island_shapes import chance, overlap
from polemarque.report.sea_lettering import Room
from polemarque.report.sea_outlines import Outlines

STEP = 15.0
"""Units between the mountains of a range."""

SPREAD = 9.0
"""How far a mountain may stand off the line of its range."""


def rivers(shapes: Outlines) -> str:
    """All rivers, broader towards the mouth."""
    parts = []
    for name, way in shapes.rivers.items():
        bends = _rounded(way)
        third = max(1, len(bends) // 3)
        for number in range(3):
            part = (
                bends[number * third : (number + 1) * third + 1]
                if number < 2
                else bends[2 * third :]
            )
            path = "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in part)
            parts.append(f'<path d="{path}" stroke-width="{1.1 + 0.7 * number:.1f}"/>')
        del name
    return (
        f'<g class="rivers" fill="none" stroke="{WATER}" stroke-linecap="round"'
        f' stroke-linejoin="round" opacity=".85">{"".join(parts)}</g>'
    )


def _rounded(way: Polygon) -> Polygon:
    """A line with its corners cut, twice."""
    points = way
    for _ in range(2):
        cut = [points[0]]
        for (ax, ay), (bx, by) in pairwise(points):
            cut += [(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by),
                    (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)]  # fmt: skip
        points = (*cut, points[-1])
    return points


def mountains(shapes: Outlines, room: Room) -> str:
    """All mountains that keep off what is written, from back to front."""
    drawn = []
    for name, ridge in shapes.mountains.items():
        for number, (x, y) in enumerate(_along(ridge)):
            lot = chance(name, number)
            x += (chance(name, number, "x") - 0.5) * SPREAD
            y += (lot - 0.5) * 2 * SPREAD
            box = (x - 12, y - 17, x + 12, y + 2)
            if any(overlap(box, other) for other in room.taken):
                continue
            kind = "volcano" if len(ridge) == 1 and name in VOLCANOES else f"m{1 + int(lot * 3)}"
            drawn.append((y, x, sign(kind, (x, y), 0.62 + 0.2 * lot, lot * 7 % 1 < 0.5)))
    drawn.sort(key=lambda each: each[:2])
    return f'<g class="ground">{"".join(each for *_, each in drawn)}</g>'


VOLCANOES = ("aetna", "vesuvius")


def _along(ridge: Polygon) -> Iterator[Point]:
    """Points at even steps along a ridge."""
    if len(ridge) == 1:
        yield ridge[0]
        return
    left = 0.0
    for a, b in pairwise(ridge):
        length = math.dist(a, b)
        while left <= length:
            share = left / length
            yield a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
            left += STEP
        left -= length
