"""The land of the sea chart: outlines, spots for pieces, rivers, mountains.

The shipped map has a file of them (``data/<map>_outlines.toml``, drawn by
``docs/maps/make_mediterranean.py``); the provinces of a club's own map are drawn as discs.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path

import msgspec

from polemarque.maps.provinces import Point, Polygon
from polemarque.report.island.geometry import Box, bounds, chance, inside, overlap
from polemarque.report.island.glyphs import WATER, sign
from polemarque.report.sea.lettering import Room, near_any
from polemarque.systems.mare_nostrum.setup.atlas import Atlas

DATA = Path(__file__).parents[1] / "data"

DISC = 12
"""Corners of a province that has no outline."""


class Outlines(msgspec.Struct, frozen=True, dict=True):
    """Shapes in units of the map; a place may have several, and holes among them.

    stadia:    stadia in one unit; 0 where nobody knows.
    beyond:    land that belongs to no province.
    peoples:   what is written there, and where.
    rivers, mountains: lines by name; a mountain that stands alone is a line of one point.
    """

    size: Point
    provinces: dict[str, tuple[Polygon, ...]]
    zones: dict[str, tuple[Polygon, ...]] = {}
    beyond: tuple[Polygon, ...] = ()
    peoples: dict[str, Point] = {}
    rivers: dict[str, Polygon] = {}
    mountains: dict[str, Polygon] = {}
    stadia: float = 0

    @cached_property
    def spots(self) -> dict[str, tuple[tuple[float, Point], ...]]:
        """Where pieces of a place may stand, kept by `sea_spots`."""
        return {}

    @cached_property
    def lie(self) -> dict[str, tuple[float, float]]:
        """Of each zone its breadth, as the root of its area, and the slope of its longer axis.

        The slope is in degrees; 0 for a zone about as broad as long, or nearly flat or steep.
        """
        return {name: _lie(shapes[0]) for name, shapes in self.zones.items()}


@cache
def _shipped(name: str) -> Outlines | None:
    path = DATA / f"{name}_outlines.toml"
    if not path.is_file():
        return None
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    shapes = {
        kind: {name: _polygons(row["outlines"]) for name, row in raw[kind].items()}
        for kind in ("province", "zone")
    }
    return Outlines(
        size=(float(raw["size"][0]), float(raw["size"][1])),
        provinces=shapes["province"],
        zones=shapes["zone"],
        beyond=_polygons(raw["beyond"]["outlines"]),
        peoples={name: (float(x), float(y)) for name, (x, y) in raw["peoples"].items()},
        rivers={name: _points(line) for name, line in raw["rivers"].items()},
        mountains={name: _points(line) for name, line in raw["mountains"].items()},
        stadia=raw["stadia"],
    )


def outlines_of(atlas: Atlas) -> Outlines:
    """The shapes of a map: its own, if we have them for just these places, else discs."""
    found = _shipped(atlas.id) if atlas.id.isidentifier() else None
    if (
        found
        and set(found.provinces) == set(atlas.by_id)
        and set(found.zones) == set(atlas.zone_by_id)
    ):
        return found
    return Outlines(atlas.size, _discs({p.id: p.site for p in atlas.provinces}))


def _discs(sites: Mapping[str, Point]) -> dict[str, tuple[Polygon, ...]]:
    """Discs that do not touch, however near their middles."""
    discs: dict[str, tuple[Polygon, ...]] = {}
    for name, (x, y) in sites.items():
        near = min((math.dist((x, y), s) for n, s in sites.items() if n != name), default=100.0)
        reach = max(4.0, 0.42 * near)
        turns = [math.tau * n / DISC for n in range(DISC)]
        discs[name] = (tuple([(x + reach * math.cos(t), y + reach * math.sin(t)) for t in turns]),)
    return discs


def _points(line: str) -> Polygon:
    numbers = [float(word) for word in line.split()]
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _polygons(lines: list[str]) -> tuple[Polygon, ...]:
    return tuple([_points(line) for line in lines])


LONG = 2.2
"""How many times longer than broad a zone must be for its name to be written along it."""


def _lie(shape: Polygon) -> tuple[float, float]:
    """From the moments of its area."""
    area = x = y = xx = yy = xy = 0.0
    for (ax, ay), (bx, by) in zip(shape, (*shape[1:], shape[0]), strict=True):
        part = ax * by - bx * ay
        area += part / 2
        x += (ax + bx) * part / 6
        y += (ay + by) * part / 6
        xx += (ax * ax + ax * bx + bx * bx) * part / 12
        yy += (ay * ay + ay * by + by * by) * part / 12
        xy += (ax * by + 2 * ax * ay + 2 * bx * by + bx * ay) * part / 24
    wide, high, across = xx - x * x / area, yy - y * y / area, xy - x * y / area
    if area < 0:
        wide, high, across = -wide, -high, -across
    spread = math.hypot(wide - high, 2 * across)
    if (wide + high + spread) < LONG**2 * (wide + high - spread):
        return math.sqrt(abs(area)), 0.0
    slope = math.degrees(math.atan2(2 * across, wide - high) / 2)
    return math.sqrt(abs(area)), slope if 12 < abs(slope) < 50 else 0.0


# Spots for pieces --------------------------------------------------------------------------------

Spot = tuple[float, Point]
"""A price, in square units of crowd, and a point."""

NEAR = 3.0
"""The price of each unit between a piece and its city or its sea's name."""

AT_SEA, ABROAD = 260.0, 2600.0
"""The price of drawing a piece off its coast, or in another's place."""

LAND_STEPS = [(dx, dy) for dy in range(-48, 49, 16) for dx in range(-48, 49, 16)]
SEA_STEPS = [(dx, dy) for dy in range(-96, 97, 24) for dx in range(-120, 121, 30)]


def spots(atlas: Atlas, shapes: Outlines, place: str) -> tuple[Spot, ...]:
    """Spots for pieces of a place, nearest first; found once for each map."""
    if place not in shapes.spots:
        shapes.spots[place] = tuple(_found(atlas, shapes, place))
    return shapes.spots[place]


def _found(atlas: Atlas, shapes: Outlines, place: str) -> list[Spot]:
    at_sea = place in atlas.zone_by_id
    x, y = atlas.zone_by_id[place].label if at_sea else atlas.by_id[place].site
    own = shapes.zones.get(place, ()) if at_sea else shapes.provinces[place]
    steps = sorted(SEA_STEPS if at_sea else LAND_STEPS, key=lambda s: abs(s[0]) + abs(s[1]))
    foreign = {} if at_sea else _near(shapes, place, (x - 48, y - 48, x + 48, y + 48))
    found = []
    for dx, dy in steps:
        spot = (x + dx, y + dy)
        toll = 0.0
        if own and not within(spot, own):
            abroad = at_sea or any(within(spot, others) for others in foreign.values())
            toll = ABROAD if abroad else AT_SEA
        found.append((NEAR * (abs(dx) + abs(dy)) + toll, spot))
    return found


def within(spot: Point, shapes: tuple[Polygon, ...]) -> bool:
    """Whether a point lies in a place; a hole in it is one of its outlines."""
    return sum([inside(spot, shape) for shape in shapes]) % 2 == 1


def _near(shapes: Outlines, place: str, box: Box) -> dict[str, tuple[Polygon, ...]]:
    """Other provinces that a box may touch."""
    found = {}
    for name, parts in shapes.provinces.items():
        left, top, right, bottom = bounds(point for part in parts for point in part)
        if name != place and left < box[2] and box[0] < right and top < box[3] and box[1] < bottom:
            found[name] = parts
    return found


# Rivers and mountains ----------------------------------------------------------------------------

STEP = 15.0
"""Units between the mountains of a range."""

SPREAD = 9.0
"""How far a mountain may stand off the line of its range."""


def rivers(shapes: Outlines) -> str:
    """All rivers, broader towards the mouth."""
    parts = []
    for way in shapes.rivers.values():
        bends = _rounded(way)
        third = max(1, len(bends) // 3)
        for number in range(3):
            part = (
                bends[number * third : (number + 1) * third + 1]
                if number < 2
                else bends[2 * third :]
            )
            path = "M" + " ".join(f"{x:.1f} {y:.1f}" for x, y in part).replace(".0", "")
            parts.append(f'<path d="{path}" stroke-width="{1.1 + 0.7 * number:.1f}"/>')
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
        steps = list(_along(ridge))
        reach = [
            (x - SPREAD - 12, y - SPREAD - 17, x + SPREAD + 12, y + SPREAD + 2) for x, y in steps
        ]
        written = near_any(room.taken, reach)
        for number, (x, y) in enumerate(steps):
            lot = chance(name, number)
            x += (chance(name, number, "x") - 0.5) * SPREAD
            y += (lot - 0.5) * 2 * SPREAD
            box = (x - 12, y - 17, x + 12, y + 2)
            if any(overlap(box, other) for other in written):
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
