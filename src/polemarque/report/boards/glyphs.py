"""The pen strokes of boards: signs of terrain, glyphs of arms, counters, arrows.

Colours, hatchings and the signs of trees and mountains are those of the island's map.  Sides are
told apart thrice over: by colour, by the hatching of their counters, and by the counters' shape.
A sign of terrain stands with its foot at 0, 0; a glyph has its middle there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from polemarque.kernel.files.decoding import from_toml
from polemarque.maps.provinces import Point
from polemarque.report.boards.pieces import SIDES, Piece, Symbol
from polemarque.report.island.glyphs import (
    COLOURS,
    DATA,
    INK,
    PAPER,
    SIGNS,
    line,
    plain,
    style_sheet,
)

SIDE_COLOURS = (COLOURS[0], COLOURS[1], COLOURS[3], COLOURS[4])
"""Madder, lapis, verdigris, murex."""

_DRAWN = from_toml((DATA / "board_glyphs.toml").read_bytes(), dict[str, dict[str, str]])

_SHARED = ("m1", "m2", "m3", "t1", "t2", "t3", "g1", "g2", "g3")

GROUND_SIGNS = {**{name: SIGNS[name] for name in _SHARED}, **_DRAWN["ground"]}
"""Signs of terrain by name; classes l, s, c, k, p as in the island's drawing, v for water."""

GLYPHS = _DRAWN["pieces"]
"""Our own drawing of each arm and rank, by its symbol."""

COUNTER = (45.0, 39.0)
"""Width and height of a counter."""

BAND = 13.0
"""Height of the strip at its foot, with label and strength."""

STYLE = style_sheet("board")

SHIELD = 3
"""The side whose counters are shields, narrow at the foot."""

SHORT = 25.0
"""How far from the middle of its last cell an arrow ends, clear of the counter there."""

_HATCHES = (
    '<path d="M-1,7L7,-1M-1,1L1,-1M5,7L7,5"/>',
    '<path d="M-1,-1L7,7M5,-1L7,1M-1,5L1,7"/>',
    '<path d="M0,3H6"/>',
    '<path d="M3,0V6"/>',
)


def outline(side: int, width: float = COUNTER[0], height: float = COUNTER[1]) -> str:
    """The path of a side's counter about 0, 0: square, arched, cut at the corners, or a shield."""
    x, y = width / 2, height / 2
    arch, shield = 0.3 * y, 0.7 * x
    shapes = (
        f"M{-x},{-y}H{x}V{y}H{-x}Z",
        f"M{-x},{y}V{-arch:g}Q{-x},{-y} {-x / 3:.1f},{-y}H{x / 3:.1f}Q{x},{-y} {x},{-arch:g}V{y}Z",
        f"M{-x},{8 - y}L{8 - x},{-y}H{x - 8}L{x},{8 - y}V{y - 5}L{x - 5},{y}H{5 - x}L{-x},{y - 5}Z",
        (
            f"M{-x},{-y}Q0,{6 - y} {x},{-y}V{y - 8}Q{shield:g},{y} 0,{y + 3}"
            f"Q{-shield:g},{y} {-x},{y - 8}Z"
        ),
    )
    return shapes[side % SIDES]


def definitions(signs: Iterable[str], cell: Sequence[Point]) -> str:
    """What the drawing puts down many times: signs, the outline of a cell, hatchings.

    Signs bear the drawing's class themselves, since a sign put down elsewhere is styled by itself.
    """
    drawn = "".join(f'<g id="brd-{name}" class="brd">{GROUND_SIGNS[name]}</g>' for name in signs)
    hatches = "".join(
        f'<pattern id="brd-h{n}" width="6" height="6" patternUnits="userSpaceOnUse">'
        f'<g fill="none" stroke="{colour}" stroke-width=".9">{tile}</g></pattern>'
        for n, (tile, colour) in enumerate(zip(_HATCHES, SIDE_COLOURS, strict=True))
    )
    clips = "".join(
        f'<clipPath id="brd-k{side}"><path d="{outline(side)}"/></clipPath>'
        for side in range(SIDES)
    )
    return f'{drawn}<path id="brd-cell" d="{line(list(cell), closed=True)}"/>{hatches}{clips}'


def colour_of(side: int) -> str:
    """The colour of a side."""
    return SIDE_COLOURS[side % SIDES]


def counter(side: int, symbol: Symbol) -> str:
    """A counter without its words, about 0, 0."""
    side %= SIDES
    colour, path = SIDE_COLOURS[side], outline(side)
    x, y = COUNTER[0] / 2, COUNTER[1] / 2
    foot = f"M{-x},{y - BAND}H{x}V{y + 4}H{-x}Z"
    return (
        f'<g stroke-linejoin="round"><path d="{path}" fill="{PAPER}" stroke="{INK}"'
        ' stroke-width="3.6"/>'
        f'<path d="{path}" fill="url(#brd-h{side})" fill-opacity=".38"/>'
        f'<path d="{foot}" fill="{colour}" clip-path="url(#brd-k{side})"/>'
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.2"/></g>'
        f'<g transform="translate(0 {-BAND / 2:.1f}) scale(.98)">{GLYPHS[symbol]}</g>'
    )


def disc(side: int, symbol: Symbol) -> str:
    """A small round counter, about 0, 0, for a leader beside a unit."""
    side %= SIDES
    return (
        f'<circle r="11" fill="{PAPER}" stroke="{INK}" stroke-width="3.4"/>'
        f'<circle r="11" fill="url(#brd-h{side})" stroke="{SIDE_COLOURS[side]}"'
        f' stroke-width="2.2"/><circle r="8.6" fill="{PAPER}"/>'
        f'<g transform="scale(.82)">{GLYPHS[symbol]}</g>'
    )


def lettering(piece: Piece) -> str:
    """The words on a counter: label, strength and badges."""
    x, y = COUNTER[0] / 2, COUNTER[1] / 2
    label, strength = piece.label[:3], piece.strength[:4]
    size = 11 if len(label + strength) < 6 else 9
    inset = 6 if piece.side % SIDES == SHIELD else 4
    parts = [
        f'<text class="{pen}" font-size="{size}" x="{at}" y="{y - 3}">{plain(said)}</text>'
        for pen, at, said in (("say", inset - x, label), ("force", x - inset, strength))
        if said
    ]
    for number, badge in enumerate(piece.badges[:3]):
        at = f"translate({3 - x + 13 * number:.1f} {-y:.1f})"
        parts.append(
            f'<g transform="{at}"><circle r="6.6" fill="#fff" stroke="{INK}"/>'
            f'<text class="badge" y="3.1">{plain(badge[:2])}</text></g>'
        )
    return "".join(parts)


def arrow(points: Sequence[Point], colour: str, kind: str) -> str:
    """An arrow through points; it stops a little before the middle of its last cell."""
    (x, y), (tx, ty) = points[-2], points[-1]
    length = math.hypot(tx - x, ty - y) or 1.0
    ux, uy = (tx - x) / length, (ty - y) / length
    tip = (tx - SHORT * ux, ty - SHORT * uy)
    broad, deep = {"move": (6.0, 12.0), "attack": (9.0, 16.0)}.get(kind, (5.0, 10.0))
    neck = (tip[0] - deep * ux, tip[1] - deep * uy)
    sides = [(neck[0] - n * broad * uy, neck[1] + n * broad * ux) for n in (1, -1)]
    head = line([tip, *sides], closed=True)
    way = line([*points[:-1], neck])
    width = {"move": 3.2, "attack": 6.0}.get(kind, 2.2)
    dashes = ' stroke-dasharray="2 5"' if kind == "shot" else ""
    return (
        f'<g fill="none" stroke-linejoin="round"><path d="{way}" stroke="{PAPER}"'
        f' stroke-width="{width + 2.6}"/><path d="{way}" stroke="{colour}" stroke-width="{width}"'
        f' stroke-linecap="round"{dashes}/></g>'
        f'<path d="{head}" fill="{colour}" stroke="{PAPER}" paint-order="stroke"/>'
    )
