"""A drawing in its parts: put together for paper, or for a page where its places are pointed at.

The painters of maps and boards give a `Drawn`.  `on_paper` makes of it a picture that stands alone.
`on_page` lays over it a transparent shape for each place, which keyboard and finger reach and which
says in words what is there; `web/static/board.js` enlivens that.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from html import escape
from threading import Lock
from typing import Any, TypeVar

import msgspec

from polemarque.maps.provinces import Point
from polemarque.report.island.glyphs import (
    COLOURS,
    FADED,
    INK,
    PAPER,
    SEA,
    WATER,
    plain,
    style_sheet,
)
from polemarque.report.labels import said

_IDS = re.compile(r'( id="| href="#|="url\(#)')
"""What begins an id or points at one; none of it can stand in a text, where quotes are escaped."""

_SET_DOWN = re.compile(r'(<g class="\w+" transform="[^"]*">)((?:<(?!/?g[ >])[^<]*)+)(?=</g>)')
"""What is set down somewhere by its group, nothing in it standing elsewhere."""

NIGHT = {
    INK: "#d8cfbd", FADED: "#a8957a", PAPER: "#3a342a", SEA: "#1d2a2c", WATER: "#4b6d7e",
    "#ece0c3": "#2a251e", "#b9cfd4": "#274047", "#3f6f86": "#7fb0c4", "#9c8463": "#8d7a5f",
    "#fcf7e8": "#d9d2c0", "#f6efdf": "#1a1815", "#ffffff": "#14110d", "#fffdf7": "#221f1b",
    "#23201a": "#f3ead2", "#8a5200": "#f0b64a", "#8c2a1f": "#f08a72", "#c4411f": "#ffb38a",
    "#10284f": "#a3c6df",
    **dict(zip(COLOURS, ("#c9574a", "#4f8cc0", "#d9a23a", "#5aa581", "#9d68a8", "#8b847c",
                         "#5aa3c4", "#c96f8e", "#a3ab4a"), strict=True)),
}  # fmt: skip
"""What colours of the maps become at night, those of pages that are dark."""

MAPS = ("isl", "sea")
"""Kinds of drawings that have a night."""


def _at_night(style: str, kind: str) -> str:
    """A map's style sheet with its colours by day and by night, those of its attributes too."""
    pairs = {day: f"light-dark({day},{night})" for day, night in NIGHT.items()}
    rules = "".join(
        f'.{kind} [{what}="{day}"]{{{what}:{pair}}}'
        for day, pair in pairs.items()
        for what in ("fill", "stroke")
    )
    return re.sub("#[0-9a-f]{6}", lambda found: pairs.get(found[0], found[0]), style) + rules


def standing(piece: str, place: str, drawn: str, seat: str = "") -> str:
    """A piece as an element that says which it is, where, and whose; "" for nobody's."""
    which = f' data-piece="{plain(piece)}"' if piece else ""
    whose = f' data-of="{plain(seat)}"' if seat else ""
    return f'<g{which} data-at="{plain(place)}"{whose}>{drawn}</g>'


class Drawn(msgspec.Struct, frozen=True):
    """What a painter has drawn.

    size:   width and height, in the units of the drawing.
    kind:   the classes of the drawing, by which `style` knows it; the last is its own.
    pen:    a thin line, in units of the drawing.
    title:  what it is called, as plain text.
    style:  its style sheet.    defs: what is put down many times, for the head.
    under:  the ground.
    names:  what is written on it: on a page over the places, that one reads it where they are dim.
    pieces: what stands on places; a group for each, with ``data-piece`` and ``data-at``.
    over:   what lies over the pieces: frame, title, legend.
    shapes: the outline of each place as an element without fill or line.
    """

    size: Point
    kind: str
    pen: float
    lang: str
    title: str
    style: str
    defs: str
    under: str
    names: str
    pieces: str
    over: str
    shapes: dict[str, str]

    def on_paper(self) -> str:
        """A picture that needs nothing around it."""
        title = plain(self.title)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {self._frame} role="img"'
            f' aria-label="{title}"><title>{title}</title><style>{self.style}</style>'
            f"<defs>{self.defs}</defs>\n{self.under}\n{self.names}\n{self.pieces}\n{self.over}</svg>\n"
        )

    def on_page(self, labels: Mapping[str, str], prefix: str) -> str:
        """An element for a page, whose style sheet is `page_style`.

        labels: what is said of each place, in reading order; only these can be reached.
        prefix: begins every id.
        """
        title, described = f"{prefix}title", f"{prefix}desc"
        words = said(self.lang, "board.page.how", n=len(labels))
        places = "".join(
            self._place(code, label, first=number == 0)
            for number, (code, label) in enumerate(labels.items())
        )
        again, drawn = self._drawn_once(
            f'<g aria-hidden="true">{self.under}</g>\n'
            f'<g class="places">{places}</g>\n'
            f'<g class="names" aria-hidden="true" pointer-events="none">{self.names}</g>\n'
            f'<g aria-hidden="true">{self.pieces}</g>\n'
            f'<g aria-hidden="true" pointer-events="none">{self.over}</g>',
        )
        drawn = f"<defs>{self.defs}{again}</defs>\n{drawn}"
        drawn = _IDS.sub(lambda begun: begun[0] + prefix, drawn)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {self._frame} role="group" data-board=""'
            f' aria-labelledby="{title}" aria-describedby="{described}">'
            f'<title id="{title}">{plain(self.title)}</title>'
            f'<desc id="{described}">{plain(words)}</desc>{drawn}</svg>\n'
        )

    @property
    def page_style(self) -> str:
        """The style sheet of a drawing on a page, the same for all of its kind."""
        kind = self.kind.split()[-1]
        style = self.style + style_sheet("pointed", kind=kind, unit=f"{self.pen:g}")
        return _at_night(style, kind) if kind in MAPS else style

    @property
    def _frame(self) -> str:
        width, height = self.size
        return f'viewBox="0 0 {width:g} {height:g}" class="{self.kind}" lang="{self.lang}"'

    def _drawn_once(self, markup: str) -> tuple[str, str]:
        """What is set down many times, each with an id, and the drawing that puts it there."""
        times = Counter(found[2] for found in _SET_DOWN.finditer(markup))
        ids = {drawn: f"again{n}" for n, (drawn, many) in enumerate(times.items()) if many > 1}
        made = [f'<g id="{name}" class="{self.kind}">{drawn}</g>' for drawn, name in ids.items()]

        def put(found: re.Match[str]) -> str:
            return f'{found[1]}<use href="#{ids[found[2]]}"/>' if found[2] in ids else found[0]

        return "".join(made), _SET_DOWN.sub(put, markup)

    def _place(self, code: str, label: str, *, first: bool) -> str:
        """A place to point at: its own words, and its shape over all that is drawn there."""
        words, shape = plain(label), self.shapes[code]
        return (
            f'<g class="place" data-place="{plain(code)}" role="button"'
            f' tabindex="{0 if first else -1}" aria-label="{words}">'
            f'<g class="hit">{shape}<title>{words}</title></g></g>'
        )


KEPT = 48
"""Drawings, and drawings on pages, that are kept: up to a third of a megabyte each."""

_kept: OrderedDict[Hashable, Any] = OrderedDict()
_keeping = Lock()

Made = TypeVar("Made")


def drawn_once(given: Any, draw: Callable[[], Drawn]) -> Drawn:
    """What `draw` makes, drawn once for all who see the same: a map takes a while, a page does not.

    given: all that the drawing depends on, as plain data; the order of mappings counts.
    """
    return _once(msgspec.json.encode(given), draw)


def page_once(drawn: Drawn, labels: Mapping[str, str], prefix: str) -> str:
    """`Drawn.on_page`, put together once for all who see the same."""
    *parts, shapes = msgspec.structs.astuple(drawn)
    at = (*parts, *shapes.items(), prefix, *labels.items())
    return _once(at, lambda: drawn.on_page(labels, prefix))


def _once(at: Hashable, make: Callable[[], Made]) -> Made:
    """What `make` makes, of whose equals so many are kept that were asked for last."""
    with _keeping:
        if at in _kept:
            _kept.move_to_end(at)
            found: Made = _kept[at]
            return found
    made = make()
    with _keeping:
        _kept[at] = made
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return made


# Curves ------------------------------------------------------------------------------------------

WIDTH, HEIGHT = 560, 240
LEFT, RIGHT, TOP, BOTTOM = 40, 130, 16, 30
STROKES = ("", "7 4", "2 3", "9 3 2 3")
NEAR = 15
"""Least distance between two names."""
APART = 26
"""The same of two steps below the axis."""
LONGEST = 18
"""Most letters of a name."""


def curves(
    series: Mapping[str, Sequence[int]],
    steps: Sequence[str],
    intervals: Sequence[tuple[int, int]] = (),
    at: Sequence[int] = (),
) -> str:
    """An SVG element.

    series: name -> one value a step, none below 0.   steps: what stands below the axis.
    intervals: of the first series, the least and the most that each value may be.
    at: where each step stands on the axis, in ascending order; evenly if nothing is said.
    """
    most = [max(values) for values in series.values()] + [high for _, high in intervals]
    top = _round_up(max(most, default=1))
    across = _across(at or range(len(steps)))
    drawing = [_frame(top, steps, across)]
    drawing += [
        f'<path d="M{x:.1f} {_y(low, top):.1f}V{_y(high, top):.1f}" stroke="currentColor"'
        ' stroke-opacity="0.45" stroke-width="5"/>'
        for x, (low, high) in zip(across, intervals, strict=False)
    ]
    names: list[tuple[float, str]] = []
    for number, (name, values) in enumerate(series.items()):
        points = [(x, _y(value, top)) for x, value in zip(across, values, strict=False)]
        drawing.append(_curve(points, STROKES[number % len(STROKES)]))
        names.append((points[-1][1], name))
    drawing += _names(names)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" font-family="inherit" font-size="13" fill="currentColor">'
        + "".join(drawing)
        + "</svg>"
    )


def _round_up(value: int) -> int:
    """The next round number, for the top of the axis."""
    for step in (5, 10, 20, 50, 100, 200, 500):
        if value <= 5 * step:
            return -(-value // step) * step or step
    return value


def _across(at: Sequence[int]) -> list[float]:
    """Where the steps stand from left to right."""
    wide = at[-1] - at[0] if at else 0
    return [LEFT + (WIDTH - LEFT - RIGHT) * ((x - at[0]) / wide if wide else 0.5) for x in at]


def _y(value: int, top: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top


def _frame(top: int, steps: Sequence[str], across: Sequence[float]) -> str:
    """Axis, its least, middle and greatest value, and the steps."""
    marks = []
    for value in dict.fromkeys((0, top // 2, top)):
        y = _y(value, top)
        marks.append(
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="currentColor" '
            f'stroke-opacity="{0.6 if value == 0 else 0.15}"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value}</text>'
        )
    last = float("-inf")
    for x, step in zip(across, steps, strict=True):
        if x - last >= APART:  # a name for each step as long as there is room
            last = x
            marks.append(
                f'<text x="{x:.1f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(step)}</text>'
            )
    return "".join(marks)


def _curve(points: Sequence[tuple[float, float]], stroke: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{stroke}"' if stroke else ""
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6"/>' for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" stroke="currentColor" stroke-width="1.6"{dashes}/>'
        + dots
    )


def _names(ends: Sequence[tuple[float, str]]) -> list[str]:
    """A name at the end of each curve, none over another."""
    said, last = [], float(TOP) - NEAR
    for y, name in sorted(ends):
        last = max(y + 4, last + NEAR)
        short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        said.append(f'<text x="{WIDTH - RIGHT + 10}" y="{last:.1f}">{escape(short)}</text>')
    return said
