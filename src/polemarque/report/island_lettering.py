"""Names of kingdoms: along their coast, letter by letter, or across their land."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from polemarque.maps.provinces import Point, Polygon
from polemarque.report.island_furniture import HEIGHT, PANEL, WIDTH
from polemarque.report.island_glyphs import plain, writing
from polemarque.report.island_shapes import (
    Box,
    Layout,
    along,
    bounds,
    inside,
    middle,
    offshore,
    overlap,
)

OPEN_SEA: Box = (PANEL[2] + 22, 40.0, WIDTH - 40.0, HEIGHT - 40.0)
"""Where names of kingdoms may stand."""

SIZE = 17.0
PITCH = SIZE * 0.8
OFF_COAST = 16.0


def kingdom_names(layout: Layout, lang: str, at_sea: list[Box]) -> str:
    """All of them. What they take of the sea is added to `at_sea`, of the land to the layout."""
    parts = []
    for kingdom in layout.island.kingdoms:
        words = kingdom.names[lang].upper()
        curve = offshore(layout, kingdom.id, PITCH * len(words), OFF_COAST, OPEN_SEA)
        letters = _on_curve(words, curve, at_sea) if curve else _on_land(layout, kingdom.id, words)
        label = f'role="img" aria-label="{plain(kingdom.names[lang])}"'
        parts.append(f'<g class="kingdom" {label}>{letters}</g>')
    return "".join(parts)


def _on_curve(words: str, curve: Sequence[Point], at_sea: list[Box]) -> str:
    at_sea.extend((x - 14, y - 16, x + 14, y + 16) for x, y in curve)
    drawn = []
    for n, letter in enumerate(words):
        (x, y), slope = along(curve, PITCH * (n + 0.5))
        turn = f' transform="rotate({slope:.1f} {x:.1f} {y:.1f})" fill-opacity=".85"'
        if letter != " ":
            drawn.append(writing(letter, (x, y + 5.5), SIZE, extra=turn, halo=False))
    return "".join(drawn)


def _on_land(layout: Layout, kingdom: str, words: str) -> str:
    """A spaced name on the free place nearest to the middle of the kingdom."""
    shapes = [layout.shapes[p.id] for p in layout.island.by_kingdom[kingdom]]
    boxes = [box for taken in layout.taken.values() for box in taken]
    half = len(words) * SIZE * 0.4
    spot = _free_spot(shapes, boxes, half) or middle(layout)
    for province in layout.island.by_kingdom[kingdom]:
        layout.taken[province.id].append(_room(spot, half))
    return writing(words, spot, SIZE, extra=' letter-spacing="4" fill-opacity=".9"')


def _room(spot: Point, half: float) -> Box:
    """What a name takes that is so wide on either side of a spot."""
    return (spot[0] - half, spot[1] - 14.0, spot[0] + half, spot[1] + 4.0)


@lru_cache(maxsize=16)
def _spots(around: Box, half: float) -> tuple[Point, ...]:
    """Where a name may stand in a box, the nearest to its middle first."""
    left, top, right, bottom = around
    near = sorted(
        (abs(x - (left + right) / 2) + abs(y - (top + bottom) / 2), float(x), float(y))
        for x in range(int(left + half), int(right - half) + 1, 4)
        for y in range(int(top) + 16, int(bottom), 4)
    )
    return tuple([(x, y) for _, x, y in near])


def _free_spot(shapes: Sequence[Polygon], boxes: Sequence[Box], half: float) -> Point | None:
    """The spot nearest to the middle of some shapes where a name stays inside and off all boxes."""
    for x, y in _spots(bounds(p for shape in shapes for p in shape), half):
        room = _room((x, y), half)
        if any(overlap(room, other) for other in boxes):
            continue
        corners = [(i, j) for i in (room[0], x, room[2]) for j in (room[1], room[3])]
        if all(any(inside(corner, shape) for shape in shapes) for corner in corners):
            return x, y
    return None
