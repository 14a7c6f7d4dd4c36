"""What the sheet shows beside the island: frame, legend, scale, the sea, names of kingdoms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from polemarque.maps.provinces import Point, Polygon
from polemarque.report.island.geometry import (
    Box,
    Layout,
    along,
    bounds,
    chance,
    inside,
    middle,
    offshore,
    overlap,
)
from polemarque.report.island.glyphs import (
    COLOURS,
    FADED,
    GOLD,
    INK,
    PAPER,
    SEA,
    WATER,
    banner,
    line,
    plain,
    shield,
    sign,
    writing,
)
from polemarque.report.labels import said

WIDTH, HEIGHT = 1240, 876
"""The sheet, in the proportions of an A4 page on its side."""

PANEL = (30.0, 150.0, 226.0, 846.0)
"""Where the legend stands."""

ROW = 23.0


def frame() -> str:
    """A double line around the sheet, with divisions as on a sea chart."""
    w, h = WIDTH, HEIGHT
    outer = f'x="12" y="12" width="{w - 24}" height="{h - 24}"'
    inner = f'x="22" y="22" width="{w - 44}" height="{h - 44}"'
    parts = [
        f'<rect width="{w}" height="{h}" fill="{PAPER}"/>',
        f'<rect {outer} fill="{SEA}" stroke="{INK}" stroke-width="2.2"/>',
        f'<rect {inner} fill="{SEA}" stroke="{INK}" stroke-width=".9"/>',
    ]
    ticks = [f"M{x},12v10M{x},{h - 22}v10" for x in range(60, w - 30, 40)]
    ticks += [f"M12,{y}h10M{w - 22},{y}h10" for y in range(58, h - 30, 40)]
    dark = [f"M{x},17h40M{x},{h - 17}h40" for x in range(60, w - 100, 80)]
    dark += [f"M17,{y}v40M{w - 17},{y}v40" for y in range(58, h - 90, 80)]
    parts.append(f'<path d="{"".join(ticks)}" stroke="{INK}" stroke-width=".8"/>')
    parts.append(f'<path d="{"".join(dark)}" stroke="{FADED}" stroke-width="3.4"/>')
    return "".join(parts)


def cartouche(title: str) -> str:
    """The title on a scroll, in one to three lines."""
    left, top, right, bottom = 30.0, 34.0, 226.0, 134.0
    wide, high, middle = right - left, bottom - top, (left + right) / 2
    lines = [line.strip("· ") for line in _folded(title, 17)]  # the fold parts them well enough
    size = min(23.0, 300.0 / max(map(len, lines)))
    step = size * 1.14
    base = (top + bottom) / 2 - step * (len(lines) - 1) / 2 + size * 0.2
    words = "".join(
        writing(words, (middle, base + step * n), size, halo=False, extra=' font-style="italic"')
        for n, words in enumerate(lines)
    )
    rolls = "".join(
        f'<path class="c" d="M{x:.1f},{top - 4:.1f}q{7 * turn:.1f},5 0,12V{bottom - 8:.1f}'
        f"q{7 * turn:.1f},6 0,12q{-9 * turn:.1f},0 {-9 * turn:.1f},-10V{top + 6:.1f}"
        f'q0,-10 {9 * turn:.1f},-10Z"/>'
        for x, turn in ((left + 5, 1), (right - 5, -1))
    )
    return (
        f'<g><rect class="c" x="{left}" y="{top}" width="{wide}" height="{high}"/>'
        f'<rect x="{left + 9}" y="{top + 6}" width="{wide - 18}" height="{high - 12}"'
        f' fill="none" stroke="{GOLD}" stroke-width="1.4"/>{rolls}{words}'
        f'<path class="s" d="M{middle - 34:.1f},{bottom - 15:.1f}q8.5,-6 17,0t17,0t17,0t17,0"/></g>'
    )


def _folded(title: str, width: int) -> list[str]:
    """A title broken into at most three lines, as even as its words allow."""
    lines = [""]
    for word in title.split() or [""]:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width and len(lines) < 3:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def legend(names: Mapping[str, str], letters: Mapping[str, str], lang: str, stadia: float) -> str:
    """Who is who and what is what, in a panel as high as it must be; at its foot the scale.

    stadia: stadia in one unit of the sheet.
    """
    left, top, right, _ = PANEL
    parts = []
    y = top + 30
    if names:
        parts.append(_heading(said(lang, "chart.island.peoples"), y))
        for style, (seat, name) in enumerate(names.items()):
            y += ROW
            parts.append(_people(name, letters[seat], style, y))
        y += ROW
        parts.append(f'<rect x="{left + 16}" y="{y - 13:.1f}" width="30" height="16" class="l"/>')
        parts.append(_entry(said(lang, "chart.island.atlanteans"), y))
        y += ROW * 1.7
    parts.append(_heading(said(lang, "chart.island.signs"), y))
    for word, drawn in _samples().items():
        y += ROW
        parts.append(drawn.format(y=f"{y:.1f}"))
        parts.append(_entry(said(lang, f"chart.island.{word}"), y))
    y += ROW * 2.2
    parts.append(_scale(said(lang, "chart.island.stadia"), stadia, y))
    height = y + 26 - top
    board = f'<rect class="c" x="{left}" y="{top}" width="{right - left}" height="{height:.1f}"/>'
    board += (
        f'<rect x="{left + 4}" y="{top + 4}" width="{right - left - 8}" height="{height - 8:.1f}"'
        f' fill="none" stroke="{GOLD}" stroke-width="1"/>'
    )
    return board + "".join(parts)


def _heading(word: str, y: float) -> str:
    middle = (PANEL[0] + PANEL[2]) / 2
    style = ' font-variant="small-caps" letter-spacing="2"'
    return writing(word, (middle, y), 17, halo=False, extra=style)


def _entry(word: str, y: float) -> str:
    size = min(13.0, 210.0 / len(word))
    return writing(word, (PANEL[0] + 68, y), round(size, 1), anchor="start", halo=False)


def _people(name: str, letter: str, style: int, y: float) -> str:
    """One people: its land, its banner, its name."""
    left = PANEL[0] + 16
    colour = COLOURS[style % len(COLOURS)]
    box = f'x="{left:.1f}" y="{y - 13:.1f}" width="30" height="16"'
    size = round(min(13.0, 210.0 / max(1, len(name))), 1)
    return (
        f'<rect {box} fill="{PAPER}"/><rect {box} fill="{colour}" fill-opacity=".22"/>'
        f'<rect {box} fill="url(#isl-h{style % len(COLOURS)})" stroke="{INK}" stroke-width=".8"/>'
        f"{banner(letter, style, (left + 42, y + 6))}"
        + writing(name, (PANEL[0] + 76, y), size, anchor="start", halo=False)
    )


def _samples() -> dict[str, str]:
    """A sample of each sign, drawn about y = 0; `{y}` is where its row stands."""
    x = PANEL[0] + 36
    rows = {
        "plains": sign("g1", (x - 9, 0)) + sign("g3", (x + 6, 0)),
        "river_plains": f'<path d="M{x - 20:.1f},-2C{x - 8:.1f},-12 {x:.1f},4 {x + 20:.1f},-6"'
        ' fill="none" stroke="#5b8296" stroke-width="2.4"/>' + sign("g1", (x + 8, 3), 0.8),
        "forest": sign("t1", (x - 9, 1)) + sign("t2", (x, 1)) + sign("t3", (x + 9, 1)),
        "mountains": sign("m2", (x - 8, 1), 0.8) + sign("m1", (x + 6, 1), 0.8),
        "royal": sign("royal", (x, 2), 0.9),
        "atlantis": sign("atlantis", (x, 1), 0.56),
        "fortress": sign("tower", (x - 12, 2))
        + sign("tower", (x + 4, 2))
        + sign("tower", (x + 14, 2)),
        "army": shield("", 5, (x, -5)),
        "kingdom": f'<path d="M{x - 20:.1f},-4H{x + 20:.1f}" {KINGDOM_LINE}/>',
        "territory": f'<path d="M{x - 20:.1f},-4H{x + 20:.1f}" {TERRITORY_LINE}/>',
    }
    return {name: f'<g transform="translate(0 {{y}})">{drawn}</g>' for name, drawn in rows.items()}


KINGDOM_LINE = (
    'fill="none" stroke="#7a2f22" stroke-width="2.4" stroke-dasharray="11 3.5 2 3.5"'
    ' stroke-linejoin="round"'
)
TERRITORY_LINE = (
    f'fill="none" stroke="{INK}" stroke-width="1.1" stroke-dasharray="1.2 3.2"'
    ' stroke-linecap="round" stroke-linejoin="round"'
)


def _scale(word: str, stadia: float, y: float) -> str:
    """A scale bar of four fields whose length is a round number of stadia."""
    room = (PANEL[2] - PANEL[0] - 60) * stadia
    power = 10 ** math.floor(math.log10(room))
    whole = next(power * step for step in (5, 4, 2, 1) if power * step <= room)
    length = whole / stadia
    left = (PANEL[0] + PANEL[2] - length) / 2
    parts = [
        f'<rect x="{left + length * n / 4:.1f}" y="{y - 6:.1f}" width="{length / 4:.1f}" height="5"'
        f' fill="{INK if n % 2 else PAPER}" stroke="{INK}" stroke-width=".8"/>'
        for n in range(4)
    ]
    for share in (0.0, 0.5, 1.0):
        figure = f"{whole * share:g}"
        parts.append(writing(figure, (left + length * share, y - 10), 11, halo=False))
    parts.append(writing(word, (left + length / 2, y + 11), 12, halo=False))
    return "".join(parts)


def aged() -> str:
    """The edges of the sheet, browned by time; laid over everything else."""
    return f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#isl-aged)" pointer-events="none"/>'


def compass(middle: Point, letters: str) -> str:
    """A rose of eight winds; `letters` are north, east, south, west."""
    x, y = middle
    parts = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" fill="none" stroke="{INK}" stroke-width="{w}"/>'
        for r, w in ((30, 1.2), (26, 0.6))
    ]
    for ray in (1, 3, 5, 7, 0, 2, 4, 6):
        reach = 26 if ray % 2 else 42
        turn = math.radians(45 * ray - 90)
        tip = (x + reach * math.cos(turn), y + reach * math.sin(turn))
        for side in (-1, 1):
            near = turn + side * math.pi / 8
            foot = (x + 9 * math.cos(near), y + 9 * math.sin(near))
            ink = INK if side > 0 else PAPER
            path = line([(x, y), foot, tip], closed=True)
            parts.append(f'<path d="{path}" fill="{ink}" stroke="{INK}" stroke-width=".7"/>')
    for n, letter in enumerate(letters):
        turn = math.radians(90 * n - 90)
        at = (x + 53 * math.cos(turn), y + 53 * math.sin(turn) + 5)
        parts.append(writing(letter, at, 15, halo=False))
    return "".join(parts)


# The open sea ------------------------------------------------------------------------------------

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
        if not any(inside(at, shape) for shape in layout.shapes.values()):
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


OPEN_SEA: Box = (PANEL[2] + 22, 40.0, WIDTH - 40.0, HEIGHT - 40.0)
"""Where names of kingdoms may stand."""

# Names of kingdoms -------------------------------------------------------------------------------

SIZE = 17.0
PITCH = SIZE * 0.8
OFF_COAST = 16.0


def kingdom_names(layout: Layout, lang: str, at_sea: list[Box]) -> str:
    """All of them. What they take of the sea is added to `at_sea`, of the land to the layout."""
    parts = []
    for kingdom in layout.island.kingdoms:
        words = kingdom.names[lang].upper()
        curve = offshore(layout, kingdom.id, PITCH * len(words), OFF_COAST, OPEN_SEA)
        letters = (
            _on_curve(words, curve, at_sea) if curve else _across_land(layout, kingdom.id, words)
        )
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


def _across_land(layout: Layout, kingdom: str, words: str) -> str:
    """A spaced name on the free place nearest to the middle of the kingdom."""
    shapes = [layout.shapes[p.id] for p in layout.island.by_kingdom[kingdom]]
    boxes = [box for taken in layout.taken.values() for box in taken]
    half = len(words) * SIZE * 0.4
    spot = _free_spot(shapes, boxes, half) or middle(layout)
    for province in layout.island.by_kingdom[kingdom]:
        layout.taken[province.id].append(_room(spot, half))
    return writing(words, spot, SIZE, extra=' letter-spacing="4" fill-opacity=".9"')


def _room(spot: Point, half: float) -> Box:
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
