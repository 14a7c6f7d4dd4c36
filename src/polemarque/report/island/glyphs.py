"""The pen strokes of the island's map: inks, colours of seats, signs drawn once and used often.

A sign stands with its foot at 0, 0, so that it is put down where it stands. Seats are told apart
thrice over: by colour, by the hatching of their land, and by the letter on banner and shield; the
colours keep apart for the colour-blind, the hatchings without any colour.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.sax.saxutils import escape

from polemarque.kernel.files.templates import curved
from polemarque.maps.provinces import Point

INK = "#3a2a1c"
FADED = "#7b6248"
PAPER = "#f5ead0"
SEA = "#dbe0d0"
WATER = "#5b8296"
GOLD = "#b98a2f"
SERIF = "'EB Garamond','Palatino Linotype',Palatino,'Book Antiqua',Georgia,'Times New Roman',serif"

_UNFIT = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

COLOURS = (
    "#a3352a",
    "#275d8c",
    "#c98a12",
    "#3b7d5f",
    "#6c3a76",
    "#3f3a36",
    "#5aa3c4",
    "#c96f8e",
    "#7d8524",
)
"""Madder, lapis, ochre, verdigris, murex, lampblack, sky, rose, olive."""

_HATCHINGS = (
    (7, '<path d="M-1,8L8,-1M-1,1L1,-1M6,8L8,6"/>'),
    (7, '<path d="M-1,-1L8,8M6,-1L8,1M-1,6L1,8"/>'),
    (6, '<path d="M0,3H6"/>'),
    (6, '<path d="M3,0V6"/>'),
    (8, '<path d="M-1,-1L9,9M9,-1L-1,9"/>'),
    (7, '<circle cx="2" cy="2" r="1" class="d"/><circle cx="5.5" cy="5.5" r="1" class="d"/>'),
    (7, '<path d="M0,3.5H7M3.5,0V7"/>'),
    (8, '<path d="M0,6L4,2L8,6"/>'),
    (9, '<circle cx="4.5" cy="4.5" r="2.4"/>'),
)
"""Size of the tile and what stands in it; one for each colour."""

SIGNS = {
    "m1": '<path class="l" d="M-15,0C-11,-3 -9,-8 -6,-13C-5,-16 -2,-19 0,-21C3,-18 4,-15 6,-12'
    'C9,-8 11,-3 15,0"/><path class="s" d="M0,-21C1,-16 -1,-13 2,-9C3,-6 1,-4 3,-1M4,-15L9,-5'
    'M3,-11L8,-1M7,-9L12,-1M1,-16L3,-12"/>',
    "m2": '<path class="l" d="M-13,0C-10,-4 -8,-6 -6,-10C-4,-12 -3,-15 -1,-16C1,-15 2,-12 4,-12'
    'C7,-9 9,-3 13,0"/><path class="s" d="M-1,-16C0,-12 -2,-9 0,-6C1,-4 0,-2 1,-1M4,-11L9,-2'
    'M2,-8L6,-1M1,-12L3,-8"/>',
    "m3": '<path class="l" d="M-16,0C-13,-3 -11,-7 -9,-8C-7,-9 -6,-7 -4,-10C-2,-14 0,-20 2,-23'
    'C4,-20 5,-15 8,-11C10,-7 13,-3 16,0"/><path class="s" d="M2,-23C2,-17 0,-14 2,-9C4,-6 2,-3 4,0'
    'M5,-17L11,-4M5,-12L9,-2M-9,-8C-8,-5 -9,-3 -8,0M8,-10L13,-1"/>',
    "t1": '<path class="l" d="M0,0V-4M-4.6,-4C-6.6,-6 -5,-9.4 -2.8,-9C-2.6,-12.4 2.6,-12.4 2.8,-9'
    'C5.4,-9.2 6.4,-6 4.4,-4C2,-3.2 -2,-3.2 -4.6,-4Z"/><path class="s" d="M1,-4.4L3.8,-5.4'
    'M1.6,-6.2L4.2,-7.2M1.4,-8.4L2.6,-9.2"/>',
    "t2": '<path class="l" d="M0,0V-3M-3.4,-3C-3.6,-8 -1,-11 0,-14C1,-11 3.6,-8 3.4,-3Z"/>'
    '<path class="s" d="M.6,-3.6L2.6,-4.4M.8,-5.8L2.4,-6.6M.6,-8.2L1.6,-9"/>',
    "t3": '<path class="l" d="M0,0V-3.4M-3.8,-3.4C-5.6,-6 -3.4,-10.4 0,-10.6C3.6,-10.4 5.4,-6 3.8,'
    '-3.4Z"/><path class="s" d="M1,-4L3.4,-5M1.4,-6L3.8,-7M1,-8.2L2.6,-9"/>',
    "g1": '<path class="s" d="M-4,0L-5,-3M-1.4,0L-1.8,-4.4M1.2,0L1.6,-4M4,0L5.4,-2.8"/>',
    "g2": '<path class="s" d="M-6,0H6M-3,-2.6H8M-8,2.4H2"/>',
    "g3": '<path class="s" d="M0,0V-6M0,-6C-1.4,-7 -1.4,-8.4 0,-9.6C1.4,-8.4 1.4,-7 0,-6'
    "M-3.4,0V-5C-4.6,-6 -4.4,-7 -3.4,-8C-2.4,-7 -2.4,-6 -3.4,-5M3.4,0V-5C2.2,-6 2.4,-7 3.4,-8"
    'C4.4,-7 4.4,-6 3.4,-5"/>',
    "volcano": '<path class="l" d="M-15,0C-10,-4 -6,-12 -4,-17L4,-17C6,-12 10,-4 15,0"/>'
    '<path class="s" d="M-4,-17C-2,-15 2,-15 4,-17M3,-14L10,-2M1,-13L5,-2'
    "M-1,-19C-4,-22 1,-23 -1,-26"
    'M2,-19C5,-22 0,-24 3,-28"/>',
    "royal": '<path class="c" d="M-13,0V-8H-11.4V-10H-9.6V-8H-8V-13L-5.5,-16.4L-3,-13V-9H3V-13'
    'L5.5,-16.4L8,-13V-8H9.6V-10H11.4V-8H13V0Z"/><path class="k" d="M-2.2,0V-3.6A2.2,2.2 0 0 1 2.2,'
    '-3.6V0Z"/><path class="p" d="M-5.5,-16.4V-20L-2.5,-18.8L-5.5,-17.6M5.5,-16.4V-20L8.5,-18.8'
    'L5.5,-17.6"/>',
    "atlantis": '<circle class="w" cy="-13" r="19"/><circle class="c" cy="-13" r="16"/>'
    '<circle class="w" cy="-13" r="12.6"/><circle class="c" cy="-13" r="10"/>'
    '<path class="w2" d="M0,-3'
    'V7"/><path class="k" d="M-8,-12.6L0,-18.4L8,-12.6Z"/>'
    '<path class="p" d="M-6,-12.4V-6.6M-3,-12.4'
    'V-6.6M0,-12.4V-6.6M3,-12.4V-6.6M6,-12.4V-6.6M-8.2,-6.4H8.2"/>',
    "tower": '<path class="c" d="M-4,0L-3.4,-8H-4.6V-12.4H-2.8V-10.6H-.9V-12.4H.9V-10.6H2.8V-12.4'
    'H4.6V-8H3.4L4,0Z"/><path class="k" d="M-1,0V-3H1V0Z"/>',
    "ship": '<path class="c" d="'
    "M-30,-9C-26,0 -14,4 4,4C18,4 27,1 32,-6L39,-3L35,-10C40,-16 37,-19 32,"
    '-18C35,-16 33,-11 28,-8C14,-5 -12,-5 -24,-9C-29,-11 -31,-15 -27,-19C-34,-19 -34,-14 -30,-9Z"/>'
    '<path class="c" d="M-13,-31C-17,-22 -16,-14 -13,-9C-4,-11 8,-11 16,-9C19,-15 20,-24 16,-31'
    'C6,-29 -4,-29 -13,-31Z"/><path class="p" d="M1,-36V-5M-15,-31H18M-20,3L-24,9M-12,4L-16,10'
    'M-4,5L-8,11M4,5L0,11M12,4L8,10M20,3L16,9M25,-7A2,2 0 1 1 25.1,-7"/>',
    "serpent": '<path class="c" d="M-42,4C-40,-12 -26,-12 -23,4H-28C-29,-5 -36,-5 -37,4ZM-16,4'
    "C-14,-16 4,-16 7,4H1C0,-8 -9,-8 -11,4ZM14,4C14,-8 16,-18 26,-20C33,-21 38,-16 42,-15"
    'C40,-11 34,-11 30,-12C22,-12 20,-4 20,4Z"/>'
    '<path class="p" d="M28,-16.5h.1M-46,5q4,-3 8,0t8,0t8,0'
    't8,0t8,0t8,0t8,0t8,0M42,-15l4,-2M42,-14l4,2M25,-20L21,-26L29,-22"/>',
}
"""Outlines by name; classes l, s, c, k, p, w say which pen (see `STYLE`)."""

STYLE = f"""
.isl text{{font-family:{SERIF};fill:{INK}}}
.isl .l{{fill:{PAPER};stroke:{INK};stroke-width:.8;stroke-linejoin:round}}
.isl .s{{fill:none;stroke:{INK};stroke-width:.55;stroke-linecap:round;opacity:.8}}
.isl .c{{fill:{PAPER};stroke:{INK};stroke-width:.9;stroke-linejoin:round}}
.isl .k{{fill:{INK}}}
.isl .p{{fill:none;stroke:{INK};stroke-width:.9;stroke-linecap:round}}
.isl .w{{fill:#b9cfd4;stroke:{INK};stroke-width:.7}}
.isl .w2{{fill:none;stroke:#7fa3b2;stroke-width:2.6}}
.isl .h{{fill:none;stroke-width:1.3}}
.isl .d{{stroke:none}}
.isl .lit{{fill:#fff;stroke:{INK};paint-order:stroke}}
.isl .halo{{paint-order:stroke;stroke:{PAPER};stroke-width:3.2;stroke-linejoin:round}}
"""


def definitions() -> str:
    """Signs and hatchings, for the head of the drawing."""
    # A browser styles what `use` repeats without looking at what stands around it: hence the class.
    signs = "".join(
        f'<g id="isl-{name}" class="isl">{strokes}</g>' for name, strokes in SIGNS.items()
    )
    tiles = "".join(
        f'<pattern id="isl-h{n}" width="{size}" height="{size}" patternUnits="userSpaceOnUse">'
        f'<g class="h" stroke="{colour}" fill="none">'
        + tile.replace('class="d"', f'class="d" fill="{colour}"')
        + "</g></pattern>"
        for n, ((size, tile), colour) in enumerate(zip(_HATCHINGS, COLOURS, strict=True))
    )
    aged = (
        '<radialGradient id="isl-aged" r=".78"><stop offset=".62" stop-color="#8a5a22"'
        ' stop-opacity="0"/><stop offset="1" stop-color="#8a5a22" stop-opacity=".3"/>'
        "</radialGradient>"
    )
    return signs + tiles + aged


def sign(name: str, at: Point, size: float = 1.0, mirrored: bool = False) -> str:
    """A sign with its foot at a point; `size` 1 is as drawn above."""
    turned = f" scale({-size if mirrored else size:.2f} {size:.2f})"
    scale = "" if size == 1 and not mirrored else turned
    return f'<use href="#isl-{name}" transform="translate({at[0]:.1f} {at[1]:.1f}){scale}"/>'


FOLD = 12
"""Letters of a name from which on it stands on two lines, if it has several words."""


def folded(name: str) -> list[str]:
    """A long name on two lines, as even as its words allow."""
    cuts = [index for index, letter in enumerate(name) if letter == " "]
    if len(name) < FOLD or not cuts:
        return [name]
    cut = min(cuts, key=lambda index: abs(2 * index - len(name)))
    return [name[:cut], name[cut + 1 :]]


def writing(
    words: str,
    at: Point,
    size: float,
    *,
    anchor: str = "middle",
    extra: str = "",
    halo: bool = True,
) -> str:
    """A line of text with its base line at a point."""
    pen = ' class="halo"' if halo else ""
    return (
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size:g}" text-anchor="{anchor}"'
        f"{pen}{extra}>{plain(words)}</text>"
    )


def line(points: tuple[Point, ...] | list[Point], closed: bool = False) -> str:
    """The path data through points."""
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points) + ("Z" if closed else "")


def plain(words: str) -> str:
    """Text as it is printed, made fit for XML: without the characters that XML cannot hold."""
    return escape(_UNFIT.sub("", curved(words)), {'"': "&quot;"})


_ARTICLE = re.compile(r"^(?:l['’]|(?:le|la|les|the)\s)", re.IGNORECASE)


def marks(names: Mapping[str, str]) -> dict[str, str]:
    """A letter for each seat, all different: the first of its name if it can be had, else another.

    An article is no part of the name. Where no letter of it is left, the seat takes a number.
    """
    given: dict[str, str] = {}
    for seat, name in names.items():
        bare = _ARTICLE.sub("", name)
        letters = [c.upper() for c in bare if c.isalnum() and len(c.upper()) == 1]
        spare = (str(n) for n in range(1, len(names) + 10))
        given[seat] = next(c for c in (*letters, *spare) if c not in given.values())
    return given


def banner(letter: str, style: int, at: Point) -> str:
    """A swallow-tailed banner on its pole: whose land this is."""
    x, y = at
    colour = COLOURS[style % len(COLOURS)]
    cloth = line(
        [(x - 7, y - 20), (x + 8, y - 20), (x + 5, y - 14), (x + 8, y - 8), (x - 7, y - 8)]
    )
    return (
        f'<g class="banner"><path class="p" d="M{x - 7:.1f},{y:.1f}V{y - 22:.1f}"/>'
        f'<path d="{cloth}Z" fill="{colour}" stroke="{INK}" stroke-width=".8"/>'
        f"{_letter(letter, (x - 1, y - 10.4), 10.5)}</g>"
    )


def shield(letter: str, style: int, at: Point) -> str:
    """A round shield before two spears: an army. `at` is the middle of the shield."""
    x, y = at
    colour = COLOURS[style % len(COLOURS)]
    spears = f"M{x - 11.5:.1f},{y + 13:.1f}L{x + 11.5:.1f},{y - 13:.1f}"
    spears += f"M{x + 11.5:.1f},{y + 13:.1f}L{x - 11.5:.1f},{y - 13:.1f}"
    return (
        f'<g class="army"><path class="p" d="{spears}"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{PAPER}" stroke="{INK}"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7.2" fill="{colour}" stroke="{INK}"'
        f' stroke-width=".5"/>{_letter(letter, (x, y + 3.8), 11)}</g>'
    )


def _letter(letter: str, at: Point, size: float) -> str:
    pen = ' class="lit" font-weight="bold" stroke-width="1.4"'
    return writing(letter, at, size, extra=pen, halo=False)
