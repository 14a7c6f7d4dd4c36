"""The shapes that a drawing of the sea needs: outlines of provinces and zones, rivers, mountains.

The shipped map has a file of them (``data/<map>_outlines.toml``, drawn by
``docs/maps/make_mediterranean.py``); the provinces of a club's own map are drawn as discs.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path

import msgspec

from polemarque.maps.provinces import Point, Polygon
from polemarque.systems.mare_nostrum.atlas import Atlas

DATA = Path(__file__).parent / "data"

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
