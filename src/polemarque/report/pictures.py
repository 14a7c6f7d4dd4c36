"""Drawings of a game: its board as it stands, and charts of its course.

The report room knows no system specially: a module ``polemarque.report.<system>`` that draws for a
system registers what it draws when it is imported, and so may a stranger's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

import msgspec

from polemarque.kernel.events import Event
from polemarque.report.book import Book, Names
from polemarque.report.drawn import Drawn
from polemarque.report.tree import Block

Board: TypeAlias = Callable[[Any, str, Names], "str | None"]
"""(state, language, names) -> an SVG element, or None for a board that it cannot draw."""

Chart: TypeAlias = Callable[[Sequence[Event], Book], Sequence[Block]]
"""(events, the texts of the game) -> pictures and tables."""

Balance: TypeAlias = Callable[[Any, Book, "str | None"], Sequence[Block]]
"""(state, the texts of the game, the seat that reads or None) -> how everybody stands."""


class BoardTold(msgspec.Struct, frozen=True):
    """A board in words.

    board: what to look at before each answer.   rest: all that stands behind it.
    """

    board: str
    rest: str = ""


Telling: TypeAlias = Callable[[Any, str, Names, "int | None"], "BoardTold | None"]
"""(view, language, names, period) -> the board in words, or None for one that it cannot tell."""


class Seen(msgspec.Struct, frozen=True):
    """A board as a seat sees it.

    drawn:  the drawing.
    labels: what is said of each place that can be pointed at, in reading order: what it is called,
            whose it is, who stands there.
    """

    drawn: Drawn
    labels: dict[str, str]


Seeing: TypeAlias = Callable[[Any, str, Names, "int | None"], "Seen | None"]
"""(view, language, names, period) -> the board as the view shows it, or None for one it cannot
draw.  period: which one the drawing names, 0 for the opening; None: the one that the view is in."""

_BOARDS: dict[str, Board] = {}
_SEEN: dict[str, Seeing] = {}
_TOLD: dict[str, Telling] = {}
_CHARTS: dict[str, Chart] = {}
_BALANCES: dict[str, Balance] = {}


def draws_board(system: str) -> Callable[[Board], Board]:
    """Register the drawing of a system's board."""

    def keep(draw: Board) -> Board:
        _BOARDS[system] = draw
        return draw

    return keep


def draws_view(system: str) -> Callable[[Seeing], Seeing]:
    """Register how a seat's view of a system's board is drawn for a page."""

    def keep(draw: Seeing) -> Seeing:
        _SEEN[system] = draw
        return draw

    return keep


def tells_board(system: str) -> Callable[[Telling], Telling]:
    """Register how a seat's view of a system's board is put into a terminal."""

    def keep(tell: Telling) -> Telling:
        _TOLD[system] = tell
        return tell

    return keep


def draws_chart(system: str) -> Callable[[Chart], Chart]:
    """Register the charts of a system's games."""

    def keep(draw: Chart) -> Chart:
        _CHARTS[system] = draw
        return draw

    return keep


def draws_balance(system: str) -> Callable[[Balance], Balance]:
    """Register how everybody stands when a story ends; a seat is told what it may know."""

    def keep(draw: Balance) -> Balance:
        _BALANCES[system] = draw
        return draw

    return keep


def picture(system: str, state: Any, lang: str, names: Names | None = None) -> str | None:
    """The board of a game as an SVG element, or None where its system has no drawing.

    state: a state, or whatever view of it the system's drawing takes.
    """
    find_drawings(system)
    draw = _BOARDS.get(system)
    return draw(state, lang, names or {}) if draw else None


def board_seen(
    system: str, view: Any, lang: str, names: Names | None = None, period: int | None = None
) -> Seen | None:
    """The board as a seat sees it, drawn, or None where its system has no drawing.

    view:   what `System.view` gives the seat: nothing that is not in there is drawn.
    period: see `Seeing`.
    """
    find_drawings(system)
    draw = _SEEN.get(system)
    return draw(view, lang, names or {}, period) if draw else None


def board_told(
    system: str, view: Any, lang: str, names: Names | None = None, period: int | None = None
) -> BoardTold | None:
    """The board as a seat sees it, for a terminal, or None where its system tells none.

    view:   what `System.view` gives the seat: nothing that is not in there is told.
    period: see `Seeing`.
    """
    find_drawings(system)
    tell = _TOLD.get(system)
    return tell(view, lang, names or {}, period) if tell else None


def chart(system: str, events: Sequence[Event], book: Book) -> Sequence[Block]:
    """What a system shows of the course of a game: pictures and the tables they are drawn from."""
    find_drawings(system)
    draw = _CHARTS.get(system)
    return draw(events, book) if draw else ()


def balance(system: str, state: Any, book: Book, seat: str | None) -> Sequence[Block]:
    """How everybody stands, where the system says so."""
    find_drawings(system)
    draw = _BALANCES.get(system)
    return draw(state, book, seat) if draw else ()


def find_drawings(system: str) -> None:
    """Import what draws for a system, if there is such a module."""
    name = f"polemarque.report.{system}"
    if system.isidentifier() and find_spec(name) is not None:
        import_module(name)
