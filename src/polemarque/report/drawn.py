"""A drawing in its parts: put together for paper, or for a page where its places are pointed at.

The painters of maps and boards give a `Drawn`.  `on_paper` makes of it a picture that stands alone.
`on_page` lays over it a transparent shape for each place, which keyboard and finger reach and which
says in words what is there; `web/static/board.js` enlivens that.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping
from threading import Lock
from typing import Any, TypeVar

import msgspec

from polemarque.maps.provinces import Point
from polemarque.report.board_words import said
from polemarque.report.island_glyphs import plain

_IDS = re.compile(r'( id="| href="#|="url\(#)')
"""What begins an id or points at one; none of it can stand in a text, where quotes are escaped."""

_POINTED = """
.{kind}{{user-select:none}}
.{kind} .places .place{{cursor:pointer;outline:none}}
.{kind} .hit{{fill:#fff;fill-opacity:0;stroke:none;stroke-linejoin:round;pointer-events:all;
vector-effect:non-scaling-stroke}}
.{kind} .places .place[aria-disabled]{{cursor:default}}
.{kind} .place.legal .hit{{fill:#1d7a35;fill-opacity:.13;stroke:#1d4f2b;stroke-width:3px;
stroke-dasharray:8px 4px}}
.{kind} .place:hover .hit{{fill-opacity:.25}}
.{kind} .place[aria-pressed=true] .hit{{fill-opacity:.25;stroke:#1d4f2b;stroke-width:4px;
stroke-dasharray:none}}
.{kind} .place:focus-visible .hit{{stroke:#10284f;stroke-width:4px;stroke-dasharray:none}}
.{kind} .places .place:focus-visible{{filter:drop-shadow(0 0 {unit:g}px #fff)}}
.{kind} [data-at]{{cursor:pointer}}
"""
"""How places look when they are pointed at; lines are as thick however near the drawing is."""


def standing(piece: str, place: str, drawn: str) -> str:
    """A piece as an element that says which it is, "" for nobody's in particular, and where."""
    which = f' data-piece="{plain(piece)}"' if piece else ""
    return f'<g{which} data-at="{plain(place)}">{drawn}</g>'


class Drawn(msgspec.Struct, frozen=True):
    """What a painter has drawn.

    size:   width and height, in the units of the drawing.
    kind:   the classes of the drawing, by which `style` knows it; the last is its own.
    pen:    a thin line, in units of the drawing.
    title:  what it is called, as plain text.
    style:  its style sheet.    defs: what is put down many times, for the head.
    under:  the ground, and all that is written on it.
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
    pieces: str
    over: str
    shapes: dict[str, str]

    def on_paper(self) -> str:
        """A picture that needs nothing around it."""
        title = plain(self.title)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {self._frame} role="img"'
            f' aria-label="{title}"><title>{title}</title><style>{self.style}</style>'
            f"<defs>{self.defs}</defs>\n{self.under}\n{self.pieces}\n{self.over}</svg>\n"
        )

    def on_page(
        self, labels: Mapping[str, str], prefix: str, offered: Collection[str] | None
    ) -> str:
        """An element for a page, whose style sheet is `page_style`.

        labels:  what is said of each place, in reading order; only these can be reached.
        prefix:  begins every id.
        offered: the places that can be chosen now, if that is known.
        """
        title, described = f"{prefix}title", f"{prefix}desc"
        words = said(self.lang, "board.page.how", n=len(labels))
        places = "".join(
            self._place(code, label, first=number == 0, offered=offered)
            for number, (code, label) in enumerate(labels.items())
        )
        drawn = _IDS.sub(
            lambda begun: begun[0] + prefix,
            f'<defs>{self.defs}</defs>\n<g aria-hidden="true">{self.under}</g>\n'
            f'<g class="places">{places}</g>\n<g aria-hidden="true">{self.pieces}</g>\n'
            f'<g aria-hidden="true" pointer-events="none">{self.over}</g>',
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {self._frame} role="group" data-board=""'
            f' aria-labelledby="{title}" aria-describedby="{described}">'
            f'<title id="{title}">{plain(self.title)}</title>'
            f'<desc id="{described}">{plain(words)}</desc>{drawn}</svg>\n'
        )

    @property
    def page_style(self) -> str:
        """The style sheet of a drawing on a page, the same for all of its kind."""
        return self.style + _POINTED.format(kind=self.kind.split()[-1], unit=self.pen)

    @property
    def _frame(self) -> str:
        width, height = self.size
        return f'viewBox="0 0 {width:g} {height:g}" class="{self.kind}" lang="{self.lang}"'

    def _place(self, code: str, label: str, *, first: bool, offered: Collection[str] | None) -> str:
        """A place to point at: its own words, and its shape over all that is drawn there."""
        words, shape = plain(label), self.shapes[code]
        kind, state = "place", ""
        if offered is not None:
            kind, state = (
                ("place legal", "") if code in offered else (kind, ' aria-disabled="true"')
            )
        return (
            f'<g class="{kind}" data-place="{plain(code)}" role="button"'
            f' tabindex="{0 if first else -1}" aria-label="{words}"{state}>'
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


def page_once(
    drawn: Drawn, labels: Mapping[str, str], prefix: str, offered: Collection[str] | None
) -> str:
    """`Drawn.on_page`, put together once for all who see the same."""
    shown = None if offered is None else frozenset(offered)
    *parts, shapes = msgspec.structs.astuple(drawn)
    at = (*parts, *shapes.items(), prefix, *labels.items(), shown)
    return _once(at, lambda: drawn.on_page(labels, prefix, offered))


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
