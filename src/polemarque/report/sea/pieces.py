"""Pieces on the sea chart: armies, fleets, caravans, sieges; told apart by shape as well as colour.

A seat has a colour, a hatching and a letter, as on the island's map (`island_glyphs`); its routes
have a rhythm of dashes of their own.
"""

from __future__ import annotations

import math
from functools import cache

from polemarque.kernel.files.decoding import from_toml
from polemarque.maps.provinces import Point
from polemarque.report.island.glyphs import COLOURS, DATA, INK, PAPER, SERIF, style_sheet, writing

MADDER = COLOURS[0]

RHYTHMS = ("9 5", "2 5", "14 4 2 4", "6 3 2 3 2 3", "18 5", "10 3", "1.5 3", "14 3 6 3", "4 4")
"""Dashes of the routes of each seat."""

STYLE = style_sheet("sea")


@cache
def signs() -> dict[str, dict[str, str]]:
    """Signs by family ("goods", "signs") and name."""
    return from_toml((DATA / "sea_signs.toml").read_bytes(), dict[str, dict[str, str]])


def definitions() -> str:
    """All signs, for the head of the drawing."""
    return "".join(
        f'<g id="sea-{name}" class="isl sea">{strokes}</g>'
        for family in signs().values()
        for name, strokes in family.items()
    )


def good(name: str) -> str:
    """The sign of a resource, or the one for what we have no sign of."""
    return name if name in signs()["goods"] else "other"


def stamp(name: str, at: Point, size: float = 1.0) -> str:
    """A sign with its middle at a point."""
    scale = "" if size == 1 else f" scale({size:g})"
    return f'<use href="#sea-{name}" transform="translate({at[0]:.1f} {at[1]:.1f}){scale}"/>'


def _letter(letter: str, at: Point, size: float) -> str:
    pen = ' class="lit" font-weight="bold" stroke-width="1.6"'
    return writing(letter, at, size, extra=pen, halo=False)


def army(letter: str, style: int, at: Point, exhausted: int = 0) -> str:
    """A round shield before two spears; the spears of an exhausted army are broken."""
    colour = COLOURS[style % len(COLOURS)]
    if exhausted:
        spears = "M-15,15L5,-5M7,-13L16,-11M15,15L-5,-5M-7,-13L-16,-11"
    else:
        spears = "M-15,15L15,-15M15,15L-15,-15"
    ring = ' stroke-dasharray="4 2.4"' if exhausted else ""
    drawn = (
        f'<path d="{spears}" fill="none" stroke="{INK}" stroke-width="1.5" stroke-linecap="round"/>'
        f'<circle r="11.5" fill="{PAPER}" stroke="{INK}" stroke-width="1.3"{ring}/>'
        f'<circle r="9" fill="{colour}" stroke="{INK}" stroke-width=".6"/>'
        f"{_letter(letter, (0, 4.9), 14)}"
    )
    if exhausted:
        drawn += badge("I" * exhausted, (12, 9))
    return f'<g class="army" transform="translate({at[0]:.1f} {at[1]:.1f})">{drawn}</g>'


def fleet(letter: str, style: int, at: Point, carrying: bool = False) -> str:
    """A galley under sail; an army aboard shows its shield at the stern."""
    x, y = at
    colour = COLOURS[style % len(COLOURS)]
    hull = "M-21,3Q-18,10 -9,10H10Q18,10 22,2L16,4H-14Q-19,4 -20,-5Q-23,-1 -21,3ZM22,2L29,6L21,6.4"
    oars = "M-12,10l-4,5M-6,10l-4,5M0,10l-4,5M6,10l-4,5M12,10l-4,5"
    sail = "M-9,-19H11Q7,-10 11,0H-9Q-5,-10 -9,-19Z"
    aboard = (
        f'<circle cx="-15" cy="-1" r="5.4" fill="{colour}" stroke="{INK}" stroke-width="1.2"/>'
        f'<circle cx="-15" cy="-1" r="1.7" fill="{PAPER}"/>'
    )
    return (
        f'<g class="fleet" transform="translate({x:.1f} {y:.1f})">'
        f'<path d="{oars}" stroke="{INK}" fill="none"/>'
        f'<path d="{hull}" fill="{PAPER}" stroke="{INK}" stroke-width="1.2"'
        f' stroke-linejoin="round"/>'
        f'<path d="M1,-23V4M-11,-19H13" stroke="{INK}" stroke-width="1.2"/>'
        f'<path d="{sail}" fill="{colour}" stroke="{INK}"/>{aboard if carrying else ""}'
        f"{_letter(letter, (1.5, -4.6), 13)}</g>"
    )


def caravan(letter: str, style: int, at: Point, count: int = 1) -> str:
    """A cart on two wheels; several caravans of one owner are one cart with their number."""
    x, y = at
    colour = COLOURS[style % len(COLOURS)]
    return (
        f'<g class="caravan" transform="translate({x:.1f} {y:.1f})">'
        f'<path d="M-11,4H11M11,4L16,1" stroke="{INK}" stroke-width="1.2"/>'
        f'<path d="M-9,3V-5Q0,-11 9,-5V3Z" fill="{colour}" stroke="{INK}"/>'
        f'<circle cx="-5" cy="5" r="3.4" class="c"/><circle cx="5" cy="5" r="3.4" class="c"/>'
        f"{_letter(letter, (0, 1.6), 9)}{badge(str(count), (11, -7)) if count > 1 else ''}</g>"
    )


def siege(at: Point, turns: int) -> str:
    """A palisade around a city, with the number of turns it has been there."""
    x, y = at
    stakes = []
    for step in range(16):
        turn = math.tau * step / 16
        near, far = 13.0, 18.0
        stakes.append(
            f"M{x + near * math.cos(turn):.1f},{y + near * math.sin(turn):.1f}"
            f"L{x + far * math.cos(turn):.1f},{y + far * math.sin(turn):.1f}"
        )
    return (
        f'<g class="siege"><circle cx="{x:.1f}" cy="{y:.1f}" r="13.5" fill="none" stroke="{MADDER}"'
        f' stroke-width="2.2"/><path d="{"".join(stakes)}" stroke="{MADDER}" stroke-width="2.2"/>'
        f"{badge(str(turns), (x + 15, y - 14))}</g>"
    )


def badge(said: str, at: Point) -> str:
    """A word of a letter or two on a small tag."""
    x, y = at
    wide = 6.0 + 4.4 * len(said)
    return (
        f'<rect x="{x - wide / 2:.1f}" y="{y - 7:.1f}" width="{wide:.1f}" height="13" rx="3"'
        f' fill="{PAPER}" stroke="{INK}"/>'
        f'<text x="{x:.1f}" y="{y + 3.4:.1f}" font-size="10.5" font-family="{SERIF}"'
        f' font-weight="bold" text-anchor="middle">{said}</text>'
    )


def route(start: Point, end: Point, style: int, number: int = 0) -> str:
    """A bowed dashed line; routes between the same two cities bow differently."""
    (x0, y0), (x1, y1) = start, end
    bow = 0.14 + 0.07 * number
    if x1 < x0:
        bow = -bow
    x, y = (x0 + x1) / 2 + (y1 - y0) * bow, (y0 + y1) / 2 - (x1 - x0) * bow
    way = f"M{x0:.1f},{y0:.1f}Q{x:.1f},{y:.1f} {x1:.1f},{y1:.1f}".replace(".0", "")
    colour = COLOURS[style % len(COLOURS)]
    rhythm = RHYTHMS[style % len(RHYTHMS)]
    return (
        f'<path class="route" d="{way}"/>'
        f'<path class="trade" d="{way}" stroke="{colour}" stroke-dasharray="{rhythm}"/>'
    )
