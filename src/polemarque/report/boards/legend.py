"""The legend of a board: sides, pieces, terrain, works and arrows, as far as they occur on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TypeAlias

from polemarque.report.boards.glyphs import GLYPHS, arrow, colour_of, outline
from polemarque.report.boards.ground import (
    FORTIFICATION,
    PAVED,
    SHALLOW,
    Layout,
    fortified,
    look_of,
)
from polemarque.report.boards.pieces import SIDES, SYMBOLS, Scene
from polemarque.report.island.glyphs import FADED, INK, PAPER, plain
from polemarque.report.labels import said

Row: TypeAlias = tuple[str, str]
"""A sign about 0, 0, and the words that explain it."""

COLUMN = 176.0
"""Width of a column."""

LONGEST = 22
"""Characters of a line beside a sign: words that are longer go on below."""

ROW, LINE = 21.5, 15.0
LEAST = 400.0
"""A column is at least so high before the next begins."""

_TOP = 26.0
_AFTER_HEAD, _AFTER_BLOCK = 22.0, 14.0


def legend(scene: Scene, named: Mapping[str, str], lang: str) -> tuple[float, float, str]:
    """Its width and height, and the legend itself, in columns about as high as the board.

    named: what readers call terrains and marks, by word.
    """
    layout = Layout(scene.board.grid)
    terrains = sorted(set(scene.board.terrain.values()), key=lambda word: (named[word], word))
    blocks = (
        ("sides", _sides(scene)),
        ("pieces", _symbols(scene, lang)),
        ("terrains", [(_swatch(word), named[word]) for word in terrains]),
        ("works", _works(scene, named, lang, layout)),
        ("arrows", _arrows(scene, lang)),
    )
    most = max(layout.height - 8, LEAST)
    x, y, lowest = 6.0, _TOP, 0.0
    parts = []
    for name, block in blocks:
        rows = list(block)
        if not rows:
            continue
        if y > _TOP and y + _AFTER_HEAD + ROW * min(len(rows), 3) > most:
            x, y = x + COLUMN, _TOP
        parts.append(_heading(x, y, said(lang, f"board.legend.{name}")))
        y += _AFTER_HEAD
        for sign, words in rows:
            if y > most:
                x, y = x + COLUMN, _TOP
            lines = wrap(words, LONGEST)
            parts.append(
                f'<g transform="translate({x + 17:.0f} {y:.0f})">{sign}</g>'
                f'<text x="{x + 40:.0f}" y="{y + 4.5:.1f}" font-size="13">'
                f"{_below_each_other(lines, x + 40)}</text>"
            )
            y += ROW + LINE * (len(lines) - 1)
            lowest = max(lowest, y)
        y += _AFTER_BLOCK
    return x + COLUMN, lowest + 10, "".join(parts)


def _below_each_other(lines: Sequence[str], x: float) -> str:
    """Lines of one text, the first where it stands."""
    first, *others = lines or ("",)
    below = [f' <tspan x="{x:.0f}" dy="{LINE:.0f}">{plain(line)}</tspan>' for line in others]
    return plain(first) + "".join(below)


def _heading(x: float, y: float, words: str) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" font-size="14" font-style="italic">{plain(words)}</text>'
        f'<path d="M{x:.0f},{y + 5:.0f}h{COLUMN - 24:.0f}" stroke="{FADED}"/>'
    )


def _sides(scene: Scene) -> Iterator[Row]:
    for number, name in enumerate(scene.people or scene.sides):
        path = outline(number, 28, 17)
        sign = (
            f'<path d="{path}" fill="{PAPER}"/><path d="{path}"'
            f' fill="url(#brd-h{number % SIDES})" stroke="{colour_of(number)}" stroke-width="2.4"/>'
        )
        yield sign, name


def _symbols(scene: Scene, lang: str) -> Iterator[Row]:
    used = {piece.symbol for piece in scene.pieces}
    for name in SYMBOLS:
        if name in used:
            sign = f'<g transform="scale(.8)">{GLYPHS[name]}</g>'
            yield sign, said(lang, f"board.symbol.{name}")


def _swatch(word: str) -> str:
    """A little field of a terrain."""
    look = look_of(word)
    parts = [
        f'<rect x="-15" y="-10" width="30" height="20" fill="{look.fill}" stroke="{FADED}"/>',
    ]
    for number, name in enumerate(look.signs[:2] if look.count else ()):
        foot = f"translate({14 * number - 6} {5 + 2 * number})"
        size = f"scale({0.8 * look.scale:.2f})"
        parts.append(f'<use href="#brd-{name}" class="ground" transform="{foot} {size}"/>')
    if look.water:
        flow = f'<path d="M-15,2Q-6,-4 0,0T15,-2" fill="none" stroke="{SHALLOW}"'
        parts.append(f'{flow} stroke-width="{min(look.water, 8)}"/>')
    if look.over == "bridge":
        parts.append('<path class="p" d="M-5,-9V9M5,-9V9"/>')
    elif look.over:
        stones = f'<path d="M0,-7V7" stroke="{INK}" stroke-width="3" stroke-dasharray="2.4"/>'
        parts.append(stones)
    if look.road:
        parts.append(_ROAD)
    return "".join(parts)


_ROAD = (
    f'<path d="M-15,3L15,-3" stroke="{FADED}" stroke-width="6"/>'
    f'<path d="M-15,3L15,-3" stroke="{PAVED}" stroke-width="4"/>'
)


def _works(scene: Scene, named: Mapping[str, str], lang: str, layout: Layout) -> Iterator[Row]:
    board = scene.board
    if board.roads:
        yield _ROAD, said(lang, "board.legend.road")
    walls = {min(level, 4) for level in board.marks.get(FORTIFICATION, {}).values() if level > 0}
    for level in sorted(walls):
        sign = f'<g transform="scale(.32)">{fortified(layout, level)}</g>'
        yield sign, said(lang, f"board.works.{level}")
    for kind in board.marks:
        if kind != FORTIFICATION:
            initial = plain(named[kind][:1])
            yield f'<text text-anchor="middle" y="4" font-size="12">{initial}1</text>', named[kind]


def _arrows(scene: Scene, lang: str) -> Iterator[Row]:
    used = {each.kind for each in scene.arrows}
    for kind in ("move", "attack", "shot"):
        if kind in used:
            drawn = arrow([(-18, 0), (34, 0)], INK, kind)
            yield f'<g transform="scale(.8)">{drawn}</g>', said(lang, f"board.arrow.{kind}")
