"""The pen strokes of the island's map: inks, colours of seats, signs drawn once and used often.

A sign stands with its foot at 0, 0, so that it is put down where it stands. Seats are told apart
thrice over: by colour, by the hatching of their land, and by the letter on banner and shield; the
colours keep apart for the colour-blind, the hatchings without any colour.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from polemarque.kernel.files.decoding import from_toml
from polemarque.kernel.files.sentence_templates import curved
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

DATA = Path(__file__).parents[1] / "data"

SIGNS = from_toml((DATA / "island_signs.toml").read_bytes(), dict[str, str])
"""Outlines by name; classes l, s, c, k, p, w say which pen (see `STYLE`)."""


@cache
def style_sheet(name: str, **more: str) -> str:
    """A style sheet of the data, with our inks, and more, where it names them: ``$ink``."""
    inks = {"ink": INK, "faded": FADED, "paper": PAPER, "water": WATER, "serif": SERIF,
            "madder": COLOURS[0], **more}  # fmt: skip
    css = (DATA / f"{name}.css").read_text(encoding="utf-8")
    return "\n" + Template(css).substitute(inks)


STYLE = style_sheet("island")


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
    return escape(_UNFIT.sub("", curved(words)), quote=False).replace('"', "&quot;")


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
    colour = COLOURS[style % len(COLOURS)]
    return (
        f'<g class="banner" transform="translate({at[0]:.1f} {at[1]:.1f})">'
        f'<path class="p" d="M-7,0V-22"/><path d="M-7,-20H8L5,-14L8,-8H-7Z" fill="{colour}"'
        f' stroke="{INK}" stroke-width=".8"/>{_letter(letter, (-1, -10.4), 10.5)}</g>'
    )


def shield(letter: str, style: int, at: Point) -> str:
    """A round shield before two spears: an army. `at` is the middle of the shield."""
    colour = COLOURS[style % len(COLOURS)]
    return (
        f'<g class="army" transform="translate({at[0]:.1f} {at[1]:.1f})">'
        f'<path class="p" d="M-11.5,13L11.5,-13M11.5,13L-11.5,-13"/>'
        f'<circle r="9" fill="{PAPER}" stroke="{INK}"/>'
        f'<circle r="7.2" fill="{colour}" stroke="{INK}" stroke-width=".5"/>'
        f"{_letter(letter, (0, 3.8), 11)}</g>"
    )


def _letter(letter: str, at: Point, size: float) -> str:
    pen = ' class="lit" font-weight="bold" stroke-width="1.4"'
    return writing(letter, at, size, extra=pen, halo=False)
