"""Outline the Mediterranean of 300 BC and write ``report/data/mediterranean_outlines.toml``.

Provenance. The coast is that of Natural Earth, 1:10m land (public domain), as the npm package
world-atlas 2.0.2 repackages it. It is today's coast: deltas have grown since and harbours silted
up, to no effect at this size. Towns, provinces, zones and rivers are ours
(``mediterranean_towns.toml`` beside this file; MIT, like the rest of the project).

Method. Longitude and latitude are laid flat by an equidistant conic projection. Every spot of land
goes to the province of the nearest town, every spot of water to the zone of the nearest mark, so
that space is covered by cells; small islands go whole to one province. The lines between cells are
smoothed and, on land, bent by noise; then coast and lines are cut into faces where they meet.
A line between two faces is lent to both, so neighbours share it point for point.

Run ``python docs/maps/make_mediterranean.py [file]`` with shapely and numpy installed and npm at
hand. It prints what borders on what, to be compared with the map file, and where the towns lie.
"""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

from shapely import STRtree, make_valid, set_precision
from shapely.geometry import LineString, MultiPoint, Point, Polygon, box
from shapely.ops import linemerge, polygonize, unary_union, voronoi_diagram

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "src/polemarque/report/data/mediterranean_outlines.toml"
PACKAGE = "world-atlas@2.0.2"

WIDTH, HEIGHT = 2400, 1640
MIDDLE, SOUTHERN, NORTHERN = 17.0, 31.0, 44.0
"""Central meridian and the two parallels without distortion, in degrees."""

WEST, NORTH_AT_MIDDLE = -10.7, 49.5
"""What stands at the left edge (on the 37th parallel) and at the top edge, in degrees."""

SCALE = 3120.0
"""Units of the drawing in one radian of the globe."""

COAST_TOLERANCE, BORDER_TOLERANCE = 0.9, 0.7
SMALLEST_ISLAND = 16.0
"""Square units; smaller ones would be blots."""

STADIA = 6371 / SCALE / 0.185
"""Stadia in one unit, the stadion at 185 m."""

CHANNEL = 4.5
"""Least width of a strait, in units."""

GRID = 0.1
"""Points are rounded to this, in units of the drawing."""

SHORTEST_SHARED = 5.0
"""Units; lands that share less do not border on each other."""

HEADER = """\
# Outlines of the Mediterranean map. Drawn by docs/maps/make_mediterranean.py from Natural Earth's
# 1:10m land (public domain): change it there, not here. Each outline is a string of numbers,
# x and y in turn, in units of the drawing; neighbours share their border points exactly.

"""


# --- the globe -----------------------------------------------------------------------------------


def _conic() -> tuple[float, float]:
    one, two = math.radians(SOUTHERN), math.radians(NORTHERN)
    cone = (math.cos(one) - math.cos(two)) / (two - one)
    return cone, math.cos(one) / cone + one


CONE, APEX = _conic()


def _flat(longitude: float, latitude: float) -> tuple[float, float]:
    reach = APEX - math.radians(latitude)
    turn = CONE * math.radians(longitude - MIDDLE)
    return SCALE * reach * math.sin(turn), SCALE * reach * math.cos(turn)


LEFT = _flat(WEST, 37.0)[0]
TOP = _flat(MIDDLE, NORTH_AT_MIDDLE)[1]


def put(longitude: float, latitude: float) -> tuple[float, float]:
    """A spot of the globe on the drawing."""
    x, y = _flat(longitude, latitude)
    return x - LEFT, y - TOP


def land() -> list[Polygon]:
    """The land of Natural Earth around the Mediterranean, on the drawing."""
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["npm", "pack", "--silent", PACKAGE],
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
        )
        archive = Path(folder) / packed.stdout.split()[-1]
        with tarfile.open(fileobj=io.BytesIO(archive.read_bytes())) as files:
            member = files.extractfile("package/land-10m.json")
            assert member is not None
            topology = json.load(member)
    arcs = [_unpacked(arc, topology["transform"]) for arc in topology["arcs"]]
    around = box(-30, 2, 62, 62)
    found = []
    for geometry in topology["objects"]["land"]["geometries"]:
        shapes = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        for rings in shapes:
            outline, *holes = [_joined(ring, arcs) for ring in rings]
            shape = Polygon(outline, holes)
            if shape.intersects(around):
                found.append(make_valid(shape).intersection(around))
    flat = []
    for shape in found:
        for part in getattr(shape, "geoms", [shape]):
            if isinstance(part, Polygon):
                shell = [put(*p) for p in part.exterior.coords]
                flat.append(
                    make_valid(
                        Polygon(shell, [[put(*p) for p in h.coords] for h in part.interiors])
                    )
                )
    return [p for shape in flat for p in getattr(shape, "geoms", [shape]) if isinstance(p, Polygon)]


def _unpacked(arc: list[list[int]], transform: dict[str, list[float]]) -> list[tuple[float, float]]:
    (kx, ky), (dx, dy) = transform["scale"], transform["translate"]
    x = y = 0
    points = []
    for step_x, step_y in arc:
        x, y = x + step_x, y + step_y
        points.append((x * kx + dx, y * ky + dy))
    return points


def _joined(ring: list[int], arcs: list[list[tuple[float, float]]]) -> list[tuple[float, float]]:
    points: list[tuple[float, float]] = []
    for number in ring:
        arc = arcs[number] if number >= 0 else arcs[~number][::-1]
        points += arc[1:] if points else arc
    return points


# --- cells ---------------------------------------------------------------------------------------

SHEET = box(0, 0, WIDTH, HEIGHT)
BEYOND = ""
"""Owner of whatever belongs to no province or zone."""


def cells(marks: dict[str, list[tuple[float, float]]], rough: bool) -> dict[str, Any]:
    """The part of the sheet that is nearest to each owner's marks, with its lines smoothed."""
    spots = [(Point(p), owner) for owner, points in marks.items() for p in points]
    wide = SHEET.buffer(600)
    shapes = voronoi_diagram(MultiPoint([p for p, _ in spots]), envelope=wide).geoms
    tree = STRtree([p for p, _ in spots])
    parts = defaultdict(list)
    for shape in shapes:
        inside = [i for i in tree.query(shape) if shape.contains(spots[i][0])]
        for i in inside[:1]:
            parts[spots[i][1]].append(shape)
    plain = {owner: unary_union(shapes) for owner, shapes in parts.items()}
    lines = linemerge(unary_union([shape.boundary for shape in plain.values()]))
    bent = [_bent(line, rough) for line in getattr(lines, "geoms", [lines])]
    tree = STRtree(list(plain.values()))
    owners = list(plain)
    found = defaultdict(list)
    for face in polygonize(unary_union(bent)):
        best = max(
            tree.query(face), key=lambda i: face.intersection(plain[owners[i]]).area, default=None
        )
        if best is not None:
            found[owners[best]].append(face)
    return {owner: unary_union(faces) for owner, faces in found.items()}


def _bent(line: LineString, rough: bool) -> LineString:
    """A line between two meeting points: corners cut, then shaken by noise that fades at its ends.

    rough: whether it is shaken.
    """
    points = list(line.simplify(1.0).coords)
    for _ in range(3):
        cut = [points[0]]
        for (ax, ay), (bx, by) in pairwise(points):
            cut += [
                (0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by),
                (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by),
            ]
        points = [*cut, points[-1]]
    smooth = LineString(points)
    if not rough or smooth.length < 12:
        return smooth
    steps = max(2, round(smooth.length / 4))
    shaken = []
    for step in range(steps + 1):
        spot = smooth.interpolate(step / steps, normalized=True)
        fade = min(1.0, 3 * min(step, steps - step) / steps)
        off = 4.2 * fade
        shaken.append(
            (spot.x + off * _noise(spot.x, spot.y, "x"), spot.y + off * _noise(spot.x, spot.y, "y"))
        )
    return LineString([smooth.coords[0], *shaken[1:-1], smooth.coords[-1]]).simplify(
        BORDER_TOLERANCE
    )


def _noise(x: float, y: float, axis: str) -> float:
    """Smooth noise in -1 to 1, the sum of two octaves."""
    return (_octave(x / 26, y / 26, axis) + 0.5 * _octave(x / 11, y / 11, axis + "2")) / 1.2


def _octave(x: float, y: float, axis: str) -> float:
    left, top = math.floor(x), math.floor(y)
    u, v = x - left, y - top
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    a, b, c, d = (
        crc32(f"{axis}/{left + i}/{top + j}".encode()) / 2**31 - 1 for j in (0, 1) for i in (0, 1)
    )
    return (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v


# --- faces ---------------------------------------------------------------------------------------


def partition(towns: dict[str, Any]) -> tuple[dict[str, list[Polygon]], dict[str, list[Polygon]]]:
    """Outlines by province and by zone; "" holds the land of nobody."""
    channels = unary_union([_line(p).buffer(CHANNEL / 2) for p in towns["straits"].values()])
    shapes = [shape.simplify(COAST_TOLERANCE).difference(channels) for shape in land()]
    shapes = [part for shape in shapes for part in getattr(shape, "geoms", [shape])]
    shapes = [
        shape for shape in shapes if shape.intersects(SHEET) and shape.area >= SMALLEST_ISLAND
    ]
    mainland = unary_union([s for s in shapes if s.area > 60000])
    sicily = next(s for s in shapes if s.contains(Point(put(14.28, 37.57))))
    small = [s for s in shapes if s.area <= 60000 and s is not sicily]

    ashore = {name: [put(*p) for p in spots.values()] for name, spots in towns["land"].items()}
    ashore[BEYOND] = [put(*p) for p in towns["beyond"]["_all"].values()]
    held: dict[str, list[Any]] = defaultdict(list)
    for owner, cell in cells(ashore, rough=True).items():
        held[owner].append(cell.intersection(mainland))
    isles = [(put(*p), name) for name, spots in towns["islands"].items() for p in spots.values()]
    sicilian = {
        n: [put(*p) for p in towns["islands"][n].values()] for n in ("sicilia", "epikrateia")
    }
    for owner, cell in cells(sicilian, rough=True).items():
        held[owner].append(cell.intersection(sicily))
    for shape in small:
        spot, owner = min(isles, key=lambda isle: shape.distance(Point(isle[0])))
        near = shape.distance(Point(spot)) < 120
        held[owner if near else BEYOND].append(shape)

    water = SHEET.difference(unary_union(shapes))
    marks = {name: [put(*p) for p in spots.values()] for name, spots in towns["sea"].items()}
    marks[BEYOND] = [put(*p) for p in towns["outer"]["_all"].values()]
    seas = {owner: cell.intersection(water) for owner, cell in cells(marks, rough=False).items()}

    faces = _faced([*[g for parts in held.values() for g in parts], *seas.values()])
    land_of = _dealt(faces, {owner: unary_union(parts) for owner, parts in held.items()})
    sea_of = _dealt(faces, seas)
    return land_of, sea_of


def _line(spots: list[list[float]]) -> LineString | Point:
    points = [put(*spot) for spot in spots]
    return LineString(points) if len(points) > 1 else Point(points[0])


def _faced(shapes: list[Any]) -> list[Polygon]:
    """Every face of the sheet that these shapes' lines cut out, its points on the grid."""
    lines = unary_union([shape.boundary for shape in shapes] + [SHEET.boundary])
    snapped = set_precision(lines, GRID)
    return [face for face in polygonize(unary_union(snapped)) if SHEET.buffer(1).contains(face)]


def _dealt(faces: list[Polygon], held: dict[str, Any]) -> dict[str, list[Polygon]]:
    """Faces to whoever holds most of them, joined where they belong together; largest first."""
    dealt: dict[str, list[Polygon]] = defaultdict(list)
    for face in faces:
        shares = {
            owner: shape.intersection(face).area
            for owner, shape in held.items()
            if shape.intersects(face)
        }
        owner = max(shares, key=lambda name: shares[name], default=None)
        if owner is not None and shares[owner] > 0.5 * face.area:
            dealt[owner].append(face)
    joined = {}
    for owner, parts in dealt.items():
        whole = unary_union(parts)
        pieces = sorted(getattr(whole, "geoms", [whole]), key=lambda p: -p.area)
        joined[owner] = [p for p in pieces if p.area >= SMALLEST_ISLAND * 0.8 or p is pieces[0]]
    return joined


# --- what comes out ------------------------------------------------------------------------------


def borders(
    one: dict[str, list[Polygon]], other: dict[str, list[Polygon]]
) -> dict[str, Counter[str]]:
    """Length of the line that each owner of `one` shares with each of `other`."""
    sides: dict[frozenset[tuple[float, float]], set[str]] = defaultdict(set)
    for owner, shapes in other.items():
        for a, b in _sides(shapes):
            sides[frozenset((a, b))].add(owner)
    shared: dict[str, Counter[str]] = defaultdict(Counter)
    for owner, shapes in one.items():
        for a, b in _sides(shapes):
            for neighbour in sides.get(frozenset((a, b)), ()):
                if neighbour != owner and BEYOND not in (owner, neighbour):
                    shared[owner][neighbour] += math.dist(a, b)
    return shared


def _sides(shapes: list[Polygon]) -> list[tuple[Any, Any]]:
    rings = [r for shape in shapes for r in (shape.exterior, *shape.interiors)]
    return [(_rounded(a), _rounded(b)) for ring in rings for a, b in pairwise(ring.coords)]


def _rounded(point: tuple[float, ...]) -> tuple[float, float]:
    return round(point[0], 1), round(point[1], 1)


def _written(kind: str, owner: str, shapes: list[Polygon]) -> str:
    lines = []
    for shape in shapes:
        for ring in (shape.exterior, *shape.interiors):
            points = [
                f"{x:.1f}".removesuffix(".0") + " " + f"{y:.1f}".removesuffix(".0")
                for x, y in ring.coords[:-1]
            ]
            lines.append(f'"{" ".join(points)}"')
    rings = lines[0] if len(lines) == 1 else "\n" + "".join([f"  {line},\n" for line in lines])
    return f"[{kind}.{owner}]\noutlines = [{rings}]\n\n".replace(".]", "]")


def _peoples(spots: dict[str, list[float]]) -> str:
    rows = [
        f'"{name}" = [{x:.0f}, {y:.0f}]\n' for name, spot in spots.items() for x, y in [put(*spot)]
    ]
    return "".join(["[peoples]\n", *rows, "\n"])


def _ways(kind: str, lines: dict[str, list[list[float]]]) -> str:
    """Rivers and ranges that touch the sheet, as numbers like the outlines."""
    rows = [f"[{kind}]\n"]
    for name, spots in lines.items():
        if _line(spots).intersects(SHEET):
            points = " ".join(f"{x:.0f} {y:.0f}" for x, y in (put(*spot) for spot in spots))
            rows.append(f'{name} = "{points}"\n')
    return "".join([*rows, "\n"])


def main() -> None:
    """Write the file and say what borders on what."""
    towns = tomllib.loads((HERE / "mediterranean_towns.toml").read_text(encoding="utf-8"))
    land_of, sea_of = partition(towns)
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    text = [HEADER, f"size = [{WIDTH}, {HEIGHT}]\nstadia = {STADIA:.2f}\n\n"]
    names = [*dict.fromkeys([*towns["land"], *towns["islands"]])]
    text += [_written("province", name, land_of[name]) for name in names]
    text += [_written("zone", name, sea_of[name]) for name in towns["sea"]]
    text += [_written("beyond", "", land_of[BEYOND])]
    text += [_peoples(towns["peoples"])]
    text += [_ways(kind, towns[kind]) for kind in ("rivers", "mountains")]
    target.write_text("".join(text), encoding="utf-8")
    by_land, by_sea, coasts = (
        borders(land_of, land_of),
        borders(sea_of, sea_of),
        borders(land_of, sea_of),
    )
    for name in names:
        spots = (
            towns["land"] | {n: s for n, s in towns["islands"].items() if n not in towns["land"]}
        )[name]
        site = [round(v) for v in put(*next(iter(spots.values())))]
        _say(name, "site", site, "|", *_lengths(by_land[name]), "|", *_lengths(coasts[name]))
    for name in towns["sea"]:
        _say(name, "|", *_lengths(by_sea[name]))


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")


def _lengths(shared: Counter[str]) -> list[str]:
    return [f"{name}:{length:.0f}" for name, length in shared.most_common()]


if __name__ == "__main__":
    main()
