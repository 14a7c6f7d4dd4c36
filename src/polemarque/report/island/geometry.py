"""What the drawing of an island measures: borders, free places, rivers, curves for names.

Everything is plain geometry on the points of a `ProvinceMap`, set down on the sheet; nothing here
knows a colour. Scatter comes from hashing, so that the same map is always drawn the same. A
campaign is drawn turn after turn: what takes long is measured once, until it changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

from polemarque.maps.provinces import Point, Polygon, Province, ProvinceMap

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

Side = frozenset[Point]


@dataclass(frozen=True)
class Border:
    """A line between two provinces, or between one and the sea (`other` is None)."""

    points: tuple[Point, ...]
    province: Province
    other: Province | None

    @property
    def parts_kingdoms(self) -> bool:
        """Whether different kingdoms lie on its two sides."""
        return self.other is not None and self.province.kingdom != self.other.kingdom


@dataclass
class Layout:
    """A map set down on the sheet: shapes in the sheet's coordinates, by province id."""

    island: ProvinceMap
    scale: float
    shapes: dict[str, Polygon]
    labels: dict[str, Point]
    islets: tuple[Polygon, ...]
    borders: tuple[Border, ...] = ()
    taken: dict[str, list[Box]] = field(default_factory=dict)
    """Boxes of each province that names and signs occupy, so that no tree grows there."""


def laid_out(island: ProvinceMap, area: Box) -> Layout:
    """Set a map down in a box of the sheet, as large as fits, in the middle."""
    width, height = island.size
    scale = min((area[2] - area[0]) / width, (area[3] - area[1]) / height)
    left = (area[0] + area[2] - width * scale) / 2
    top = (area[1] + area[3] - height * scale) / 2

    def put(point: Point) -> Point:
        return left + point[0] * scale, top + point[1] * scale

    provinces = island.provinces
    layout = Layout(
        island,
        scale,
        {p.id: tuple([put(point) for point in p.polygon]) for p in provinces},
        {p.id: put(p.label) for p in provinces},
        tuple([tuple([put(point) for point in islet]) for islet in island.islets]),
        taken={p.id: [] for p in provinces},
    )
    layout.borders = tuple(_borders(layout))
    return layout


def _sides(shape: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    yield from zip(shape, (*shape[1:], shape[0]), strict=True)


def _borders(layout: Layout) -> Iterator[Border]:
    """Every stretch of outline between two meeting points, once."""
    owners: dict[Side, list[Province]] = {}
    for province in layout.island.provinces:
        for a, b in _sides(layout.shapes[province.id]):
            owners.setdefault(frozenset((a, b)), []).append(province)

    for province in layout.island.provinces:
        sides = list(_sides(layout.shapes[province.id]))
        beyond = [
            next((p for p in owners[frozenset(side)] if p is not province), None) for side in sides
        ]
        start = next((i for i in range(len(sides)) if beyond[i] is not beyond[i - 1]), 0)
        sides, beyond = sides[start:] + sides[:start], beyond[start:] + beyond[:start]
        line: list[Point] = []
        for index, (a, b) in enumerate(sides):
            line = line or [a]
            line.append(b)
            if index + 1 < len(sides) and beyond[index + 1] is beyond[index]:
                continue
            other = beyond[index]
            if other is None or province.id < other.id:
                yield Border(tuple(line), province, other)
            line = []


# --- points and shapes ---------------------------------------------------------------------------


def chance(*words: str | int) -> float:
    """A number in [0, 1) that depends on the words only."""
    return crc32("/".join(map(str, words)).encode()) / 2**32


def inside(point: Point, shape: Sequence[Point]) -> bool:
    """Whether a point lies within an outline."""
    x, y = point
    odd = False
    for (x0, y0), (x1, y1) in _sides(shape):
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            odd = not odd
    return odd


def clearance(point: Point, shape: Sequence[Point]) -> float:
    """Distance of a point from the nearest side of an outline."""
    x, y = point
    best = math.inf
    for (x0, y0), (x1, y1) in _sides(shape):
        dx, dy = x1 - x0, y1 - y0
        square = dx * dx + dy * dy
        share = max(0.0, min(1.0, ((x - x0) * dx + (y - y0) * dy) / square)) if square else 0.0
        best = min(best, math.hypot(x - x0 - share * dx, y - y0 - share * dy))
    return best


def bounds(points: Iterable[Point]) -> Box:
    """The smallest box around points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def overlap(a: Box, b: Box) -> bool:
    """Whether two boxes share any room."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def free(layout: Layout, place: str, box: Box) -> bool:
    """Whether nothing of a province is written or drawn in a box."""
    return _clear(layout.taken[place], box)


def _clear(taken: Iterable[Box], box: Box) -> bool:
    return not any(overlap(box, other) for other in taken)


def scattered(layout: Layout, place: str, step: Point, size: Point, margin: float) -> list[Point]:
    """Feet of glyphs strewn over a province, from back to front, clear of what is written there.

    step:   mean distance across and down.      size: width and height of a glyph.
    margin: distance kept from the border.
    """
    taken = tuple(layout.taken[place])
    return list(_feet(place, layout.shapes[place], taken, step, size, margin))


@lru_cache(maxsize=1024)
def _feet(
    place: str, shape: Polygon, taken: tuple[Box, ...], step: Point, size: Point, margin: float
) -> tuple[Point, ...]:
    """`scattered`, by everything on which it depends."""
    left, top, right, bottom = bounds(shape)
    feet = []
    for row in range(int((bottom - top) / step[1]) + 1):
        for column in range(int((right - left) / step[0]) + 2):
            x = left + (column - 0.5 * (row % 2)) * step[0]
            x += (chance(place, row, column, "x") - 0.5) * 0.45 * step[0]
            y = top + row * step[1] + (chance(place, row, column, "y") - 0.5) * 0.8 * step[1]
            around = (x - size[0] / 2, y - size[1], x + size[0] / 2, y + 1)
            corners = ((around[0], y), (around[2], y), (x, around[1]))
            if not _clear(taken, around) or not all(inside(c, shape) for c in corners):
                continue
            if all(clearance(c, shape) >= margin for c in corners):
                feet.append((x, y))
    return tuple(sorted(feet, key=lambda foot: (foot[1], foot[0])))


# --- rivers --------------------------------------------------------------------------------------


def river(layout: Layout, place: str) -> tuple[list[Point], bool]:
    """A river through a province, from source to mouth, and whether it ends in a lake.

    It rises at an inland border and runs to the sea, or to a lake where there is no coast, keeping
    off what is written in the province.
    """
    province, shape = layout.island.by_id[place], layout.shapes[place]
    coast: list[Point] = []
    inland: list[Point] = []
    for border in layout.borders:
        if province in (border.province, border.other):
            (coast if border.other is None else inland).extend(border.points[1:-1])
    mouths = coast[::5] or [
        foot
        for foot in scattered(layout, place, (14, 14), (20, 12), 9)
        if chance(place, f"{foot[0]:.1f}") < 0.6
    ]
    taken = tuple(layout.taken[place])
    way = _best_way(tuple(inland[::5]), tuple(mouths), chance(place), shape, taken)
    return list(way), not coast


@lru_cache(maxsize=64)
def _best_way(
    sources: tuple[Point, ...], mouths: tuple[Point, ...], turn: float, shape: Polygon,
    taken: tuple[Box, ...],
) -> tuple[Point, ...]:  # fmt: skip
    """The best course from any source to any mouth, () if all are too near or too far."""
    ways = [
        _meander(source, mouth, bow, turn)
        for source in sources
        for mouth in mouths
        for bow in (-0.28, 0.0, 0.28)
        if 50 < math.dist(source, mouth) < 150
    ]
    best = max(ways, key=lambda way: _merit(taken, shape, way), default=[])
    return tuple(best)


def _merit(taken: Sequence[Box], shape: Polygon, way: Sequence[Point]) -> float:
    """Long is good; writing crossed and land left are bad."""
    merit = 0.5 * math.dist(way[0], way[-1])
    for x, y in way[1:-1:2]:
        merit -= 0 if _clear(taken, (x - 3, y - 3, x + 3, y + 3)) else 28
        near = any(abs(x - a) + abs(y - b) < 6 for a, b in shape)
        merit -= 20 if near or not inside((x, y), shape) else 0
    return merit


def _meander(start: Point, end: Point, bow: float, turn: float) -> list[Point]:
    """A bowed line with smaller and smaller windings towards both ends."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    line = []
    for step in range(25):
        t = step / 24
        swing = math.sin(math.pi * t)
        off = bow * swing + 0.045 * swing * math.sin(2 * math.pi * (2.6 * t + turn))
        line.append((start[0] + dx * t - dy * off, start[1] + dy * t + dx * off))
    return line


# --- names of kingdoms ---------------------------------------------------------------------------


def middle(layout: Layout) -> Point:
    """The middle of the island."""
    left, top, right, bottom = bounds(p for shape in layout.shapes.values() for p in shape)
    return (left + right) / 2, (top + bottom) / 2


def offshore(
    layout: Layout, kingdom: str, width: float, away: float, sea: Box
) -> list[Point] | None:
    """A curve in the sea along a kingdom's coast to write its name on, or None without a coast.

    width: length of the curve.     away: its least distance from the coast.
    sea:   the part of the sheet that it must not leave, if that can be.
    The curve runs left to right, so that what stands on it is the right way up.
    """
    shore = [
        point
        for border in layout.borders
        if border.other is None and border.province.kingdom == kingdom
        for point in border.points
    ]
    if not shore:
        return None
    coast = [p for border in layout.borders if border.other is None for p in border.points]
    coast += [p for islet in layout.islets for p in islet]
    return list(_along_coast(tuple(shore), tuple(coast), middle(layout), width, away, sea))


@lru_cache(maxsize=64)
def _along_coast(
    shore: tuple[Point, ...], coast: tuple[Point, ...], centre: Point, width: float, away: float,
    sea: Box,
) -> tuple[Point, ...]:  # fmt: skip
    """`offshore`, by everything on which it depends."""
    turns = _turns(shore, centre)
    aim = (turns[0] + turns[-1]) / 2
    reach = max(math.dist(centre, p) for p in shore) + away
    tries = []
    for swerve in range(-8, 9):
        turn = aim + swerve * 0.04
        curve = _arc(centre, turn, reach, width, coast, away)
        out = sum(not (sea[0] < x < sea[2] and sea[1] < y < sea[3]) for x, y in curve)
        far = math.dist(curve[len(curve) // 2], centre) * 0.25
        tries.append((abs(swerve) * 3 + far + 100 * out, curve))
    return tuple(min(tries, key=lambda each: each[0])[1])


def _turns(points: Sequence[Point], centre: Point) -> list[float]:
    """Angles of points about a centre, sorted; they do not jump across the cut at the west."""
    turns = [math.atan2(y - centre[1], x - centre[0]) for x, y in points]
    if max(turns) - min(turns) > math.pi:
        turns = [turn + math.tau if turn < 0 else turn for turn in turns]
    return sorted(turns)


FARTHEST = 20
"""Steps that a name is moved out to sea, to keep clear of islets."""


def _arc(
    centre: Point, turn: float, reach: float, width: float, coast: Iterable[Point], away: float
) -> list[Point]:
    """An arc of a circle about the middle, pulled in as near to the coast as `away` allows."""
    # Only the coast before the name can be in its way: a whole island takes ten times as long.
    ahead = (centre[0] + reach * math.cos(turn), centre[1] + reach * math.sin(turn))
    coast = [point for point in coast if math.dist(point, ahead) < width / 2 + 140]

    def clear(arc: Sequence[Point]) -> bool:
        return not any(math.dist(p, q) < away for p in arc for q in coast)

    best = _on_circle(centre, turn, reach, width)
    for _ in range(FARTHEST):  # islets, or the next kingdom's cape, may lie farther out
        if clear(best):
            break
        reach += 4
        best = _on_circle(centre, turn, reach, width)
    while reach > 60 and clear(nearer := _on_circle(centre, turn, reach - 4, width)):
        best, reach = nearer, reach - 4
    return best


def _on_circle(centre: Point, turn: float, reach: float, width: float) -> list[Point]:
    half = width / reach / 2
    way = [turn + half * step / 6 for step in range(-6, 7)]
    if math.sin(turn) > 0:
        way.reverse()
    return [(centre[0] + reach * math.cos(t), centre[1] + reach * math.sin(t)) for t in way]


def along(curve: Sequence[Point], distance: float) -> tuple[Point, float]:
    """The point at a distance along a curve, and the slope there in degrees."""
    for a, b in pairwise(curve):
        length = math.dist(a, b)
        if distance <= length or b is curve[-1]:
            share = distance / length if length else 0.0
            slope = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
            return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share), slope
        distance -= length
    return curve[-1], 0.0
