"""Where pieces may stand on the sea chart: spots around a city, or about the name of a sea zone.

A spot has a price: it grows with the distance, and with being drawn where the piece is not.
"""

from __future__ import annotations

from polemarque.maps.provinces import Point, Polygon
from polemarque.report.island_shapes import Box, bounds, inside
from polemarque.report.sea_outlines import Outlines
from polemarque.systems.mare_nostrum.atlas import Atlas

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
