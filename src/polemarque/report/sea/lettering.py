"""Lettering of the sea chart: how much room words take, and where a word finds room.

Widths are estimates for a book face; a name that the reader's machine sets broader still has air.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from polemarque.maps.provinces import Point
from polemarque.report.island.geometry import Box, overlap
from polemarque.report.island.glyphs import folded, plain, writing
from polemarque.report.sea.pieces import stamp

NAME, CITY = 15.0, 12.0
"""Sizes of type for provinces and cities."""

WATER_NAME = (12.5, 24.0)
"""Smallest and largest size of type for sea zones."""

LEADING = 15.0
PITCH = 14.5
"""Room for a line of a province's name, and for a sign in the row under it."""

SIGN = 12.5
"""Room for a sign beside a city's name."""

SLICES = 8
"""Boxes, less one, that a sloping name is cut into."""


USUAL, BROAD = 0.44, 0.68
"""Of a size of type, how broad a letter is: in a book face, in the broadest bold there may be."""


def wide(words: str, size: float, breadth: float = USUAL) -> float:
    """About how wide words are, in units of the sheet."""
    return breadth * size * len(words)


def block_box(name: str, signs: int, at: Point) -> Box:
    """The room of a province's name and the row of signs under it, `at` being the middle."""
    lines = folded(name)
    half = max(*(wide(line, NAME) + 4 for line in lines), signs * PITCH, 0.0) / 2
    high = (LEADING * len(lines) + (PITCH if signs else 0)) / 2
    return at[0] - half, at[1] - high, at[0] + half, at[1] + high


FLAG = (19.0, 23.0)
"""Room for a flag on its pole."""


def name_boxes(name: str, at: Point, box: Box) -> list[Box]:
    """The lines of a province's name at the top of its block, as broad as they may ever be."""
    lines = enumerate(folded(name))
    halves = [(n, (BROAD * NAME + 0.4) * len(words) / 2) for n, words in lines]
    return [
        (at[0] - half, box[1] + LEADING * n, at[0] + half, box[1] + LEADING * (n + 1.05))
        for n, half in halves
    ]


def flag_box(foot: Point) -> Box:
    """The room of a flag whose pole stands there."""
    return foot[0] - FLAG[0] / 2, foot[1] - FLAG[1], foot[0] + FLAG[0] / 2, foot[1]


def flag_feet(at: Point, block: Box, lines: Sequence[Box]) -> list[Point]:
    """Where a province's flag may stand, best first: above its name, beside it, below it."""
    half = max(line[2] for line in lines) - at[0]
    above, below = block[1] - 1, block[3] + FLAG[1] + 1
    reach = half + FLAG[0] / 2 + 1
    beside = [block[1] + FLAG[1] + down for down in (-4, -14, 8)]
    return [
        (at[0], above), (at[0] - half / 2, above), (at[0] + half / 2, above),
        *[(at[0] - reach, foot) for foot in beside], *[(at[0] + reach, foot) for foot in beside],
        (at[0] - half, above), (at[0] + half, above),
        (at[0], below), (at[0] - half, below), (at[0] + half, below),
    ]  # fmt: skip


@dataclass
class Room:
    """What is taken on the sheet, so that words keep off it."""

    taken: list[Box] = field(default_factory=list)

    def take(self, *boxes: Box) -> None:
        """Keep room."""
        self.taken += boxes

    def best(self, choices: Iterable[tuple[float, Box]]) -> Box:
        """The cheapest box, a crowd counting as well; of equals the first.

        The box is taken by that.
        """
        tried = list(choices)
        near = near_any(self.taken, [box for _, box in tried])

        def price(choice: tuple[float, Box]) -> float:
            """What it costs, and how much of its box is taken already, in square units."""
            box = choice[1]
            return choice[0] + sum([_shared(box, other) for other in near if overlap(box, other)])

        found = min(tried, key=price)[1]
        self.take(found)
        return found


def near_any(boxes: Iterable[Box], tried: Iterable[Box]) -> list[Box]:
    """Those boxes that may overlap one of those tried."""
    lefts, tops, rights, bottoms = zip(*tried, strict=True)
    around = (min(lefts), min(tops), max(rights), max(bottoms))
    return [box for box in boxes if overlap(box, around)]


def _shared(a: Box, b: Box) -> float:
    return (min(a[2], b[2]) - max(a[0], b[0])) * (min(a[3], b[3]) - max(a[1], b[1]))


def beside(at: Point, width: float, height: float, gap: float) -> list[tuple[float, Box]]:
    """Boxes around a point, best first: right, left, above, below, then the four corners."""
    x, y = at
    half, rise = width / 2, height / 2
    middles = (
        (0.0, x + gap + half, y),
        (2.0, x - gap - half, y),
        (3.0, x, y - gap - rise),
        (3.0, x, y + gap + rise),
        (4.0, x + gap + half, y - gap),
        (4.0, x + gap + half, y + gap),
        (5.0, x - gap - half, y - gap),
        (5.0, x - gap - half, y + gap),
    )
    return [(price, (mx - half, my - rise, mx + half, my + rise)) for price, mx, my in middles]


def province_name(name: str, at: Point, box: Box, home: bool) -> str:
    """A province's name at the top of its block."""
    lines = folded(name)
    weight = ' font-weight="bold"' if home else ""
    spans = "".join(
        f'<tspan x="{at[0]:.1f}" y="{box[1] + LEADING * (n + 0.8):.1f}">{plain(words)}</tspan>'
        for n, words in enumerate(lines)
    )
    pen = f'class="halo" font-size="{NAME:g}" letter-spacing=".4" text-anchor="middle"{weight}'
    return f"<text {pen}>{spans}</text>"


def water_size(breadth: float) -> float:
    """The size of type for a sea zone as broad as that, in units."""
    return round(max(WATER_NAME[0], min(WATER_NAME[1], breadth / 7.5)), 1)


def zone_name(name: str, at: Point, lie: tuple[float, float]) -> str:
    """A sea zone's name in sloping letters, along the zone if that is long and narrow."""
    size, slope = water_size(lie[0]), lie[1]
    turn = f' transform="rotate({slope:.0f} {at[0]:.1f} {at[1]:.1f})"' if slope else ""
    lines = folded(name) if not slope else [name]
    first = at[1] - (len(lines) - 1) * size / 2
    return "".join(
        f'<text class="water shade" x="{at[0]:.1f}" y="{first + n * size:.1f}"'
        f' font-size="{size:g}" letter-spacing="{size / 10:.1f}" text-anchor="middle"{turn}>'
        f"{plain(words)}</text>"
        for n, words in enumerate(lines)
    )


def zone_boxes(name: str, at: Point, lie: tuple[float, float], breadth: float = USUAL) -> list[Box]:
    """The room that a sea zone's name takes.   breadth: of a letter, of its size."""
    size, slope = water_size(lie[0]), math.radians(lie[1])
    if slope:
        reach, half = wide(name, size, breadth) * 1.25 / 2, size / 2
        steps = [reach * (2 * n / SLICES - 1) for n in range(SLICES + 1)]
        middles = [(at[0] + s * math.cos(slope), at[1] + s * math.sin(slope)) for s in steps]
        return [(x - half, y - size, x + half, y + half) for x, y in middles]
    lines = folded(name)
    first = at[1] - (len(lines) - 1) * size / 2
    widths = [wide(words, size, breadth) + size / 10 * len(words) for words in lines]
    return [
        (at[0] - w / 2, first + (n - 0.8) * size, at[0] + w / 2, first + (n + 0.25) * size)
        for n, w in enumerate(widths)
    ]


def people_name(name: str, at: Point) -> str:
    """What lies beyond the map, in wide pale capitals."""
    return writing(name, at, 17, halo=False, extra=' class="far"')


def city_name(name: str, at: Point, box: Box, signs: Sequence[str], home: bool) -> str:
    """A city's name with its signs between the city and the name, whichever side it stands on."""
    weight = ' font-weight="bold"' if home else ' font-style="italic"'
    middle = (box[1] + box[3]) / 2
    step = SIGN if box[0] + box[2] > 2 * at[0] - 1 else -SIGN
    start = box[0] if step > 0 else box[2]
    drawn = [stamp(sign, (start + step * (n + 0.5), middle), 0.8) for n, sign in enumerate(signs)]
    anchor = "start" if step > 0 else "end"
    spot = (start + step * (len(signs) + 0.1), middle + CITY * 0.34)
    return writing(name, spot, CITY, anchor=anchor, extra=weight) + "".join(drawn)


def broadened(box: Box, at: Point, name: str) -> Box:
    """The box of a city's name where a machine sets it as broad as may be, with some air."""
    more = wide(name, CITY, BROAD - USUAL)
    right = box[0] + box[2] > 2 * at[0] - 1
    left, end = (0.0, more) if right else (more, 0.0)
    return box[0] - left - 1, box[1] - 1, box[2] + end + 1, box[3] + 1


def city_wide(name: str, signs: Sequence[str]) -> float:
    """The room that a city's name and its signs take side by side."""
    return wide(name, CITY) + SIGN * len(signs) + 2
