"""Drawings of a game: its board as it stands, and charts of its course.

The report room knows no system specially: a module that a system names in its descriptor
(`System.drawings`) registers what it draws when it is imported.  Where there is no drawing, or it
raises, a list of what the seat sees stands in its place.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec

from polemarque.kernel.events import Event
from polemarque.kernel.files.plugins import companion, failed
from polemarque.kernel.system import find_system, system_names
from polemarque.report.documents.document import Block
from polemarque.report.documents.interactive_svg import Drawn
from polemarque.report.labels import Book, Names
from polemarque.report.outline import outlined

log = logging.getLogger(__name__)

T = TypeVar("T")

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
    middles: the middle of each place, in units of the drawing; without one no arrow leads there.
    """

    drawn: Drawn
    labels: dict[str, str]
    middles: dict[str, tuple[float, float]] = {}


Seeing: TypeAlias = Callable[[Any, str, Names, "int | None"], "Seen | None"]
"""(view, language, names, period) -> the board as the view shows it, or None for one it cannot
draw.  period: which one the drawing names, 0 for the opening; None: the one that the view is in."""


class Zone(msgspec.Struct, frozen=True):
    """Places that a piece reaches, commands or can strike.   name: what readers call them all."""

    name: str
    places: tuple[str, ...]


class Card(msgspec.Struct, frozen=True):
    """All that a seat may know of a piece, on the board or not there yet.

    name, owner: what readers call it and its seat.   label: what stands on its counter.
    facts: (what, how much) in the order in which they are read.   notes: sentences below them.
    zones: found by the rules' own functions; those without a place are not shown.
    """

    name: str
    owner: str
    label: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    zones: tuple[Zone, ...] = ()


PieceTelling: TypeAlias = Callable[[Any, str, Names], Mapping[str, Card]]
"""(view, language, names) -> a card for each piece that the view shows, by its code."""


class Went(msgspec.Struct, frozen=True):
    """That a piece went somewhere, or struck.

    seat, side: whose it is, and the number of that side.
    path:   the places it entered, or the one it struck.
    start:  where it stood before, "" where the event does not say: then that follows from what is
            told before.
    forced: whether its seat did not choose it, as a retreat.
    together: whether all went at once, by sealed orders: then all of that period is told.
    """

    piece: str
    seat: str
    side: int
    path: tuple[str, ...]
    start: str = ""
    kind: Literal["move", "attack", "shot"] = "move"
    forced: bool = False
    together: bool = False


Going: TypeAlias = Callable[[Event, Any], "Went | None"]
"""(event, view) -> what went or struck, None for an event that tells of nothing such."""


class Registry(dict[str, T]):
    """What modules that draw have registered, by system: called with a system's name it is a
    decorator, which keeps what is under it."""

    def __call__(self, system: str) -> Callable[[T], T]:
        """Register something for a system."""

        def keep(drawing: T) -> T:
            self[system] = drawing
            return drawing

        return keep

    def of(self, system: str) -> T | None:
        """What a system has, once the modules that it names are imported."""
        find_drawings(system)
        return self.get(system)


draws_board = Registry[Board]()
"""Register the drawing of a system's board."""

draws_view = Registry[Seeing]()
"""Register how a seat's view of a system's board is drawn for a page."""

tells_board = Registry[Telling]()
"""Register how a seat's view of a system's board is put into a terminal."""

tells_pieces = Registry[PieceTelling]()
"""Register the cards of a system's pieces."""

tells_moves = Registry[Going]()
"""Register how a system's events tell of what went or struck."""

draws_chart = Registry[Chart]()
"""Register the charts of a system's games."""

draws_balance = Registry[Balance]()
"""Register how everybody stands when a story ends; a seat is told what it may know."""


def picture(system: str, state: Any, lang: str, names: Names | None = None) -> str | None:
    """The board of a game as an SVG element, or None where its system has no drawing.

    state: a state, or whatever view of it the system's drawing takes.
    """
    draw = draws_board.of(system)
    return held(system, lambda: draw(state, lang, names or {})) if draw else None


def board_seen(
    system: str, view: Any, lang: str, names: Names | None = None, period: int | None = None
) -> Seen | None:
    """The board as a seat sees it, drawn, or None where its system has no drawing.

    view:   what `System.view` gives the seat: nothing that is not in there is drawn.
    period: see `Seeing`.
    """
    draw = draws_view.of(system)
    return held(system, lambda: draw(view, lang, names or {}, period)) if draw else None


def tells(system: str) -> bool:
    """Whether a system tells its board in words of its own."""
    return tells_board.of(system) is not None


def board_told(
    system: str, view: Any, lang: str, names: Names | None = None, period: int | None = None
) -> BoardTold | None:
    """The board as a seat sees it, in words; a list of what it sees where its system tells none.

    None for what only resolves battles inside other games, and tells none.

    view:   what `System.view` gives the seat: nothing that is not in there is told.
    period: see `Seeing`.
    """
    tell = tells_board.of(system)
    told = held(system, lambda: tell(view, lang, names or {}, period)) if tell else None
    rules = find_system(system)
    if told is not None or not rules.playable:
        return told
    return BoardTold("\n".join(outlined(view, Book(rules, lang, names or {}))))


def cards(system: str, view: Any, lang: str, names: Names | None = None) -> Mapping[str, Card]:
    """The cards of all pieces that a view shows; none where its system has none."""
    tell = tells_pieces.of(system)
    return held(system, lambda: tell(view, lang, names or {})) or {} if tell else {}


def last_moves(system: str, newest: Iterable[Event], view: Any, seat: str) -> tuple[Went, ...]:
    """What others did since a seat moved a piece of its own, or while it did, the first first.

    newest: the events that the seat may see, of this board, the newest first.
    """
    tell = tells_moves.of(system)
    return held(system, lambda: _since_own(tell, newest, view, seat)) or () if tell else ()


def _since_own(tell: Going, newest: Iterable[Event], view: Any, seat: str) -> tuple[Went, ...]:
    found: list[Went] = []
    period = 0
    for event in newest:
        if event.period < period:
            break
        went = tell(event, view)
        if went and went.together:
            period = event.period
        elif went and went.seat == seat and not went.forced:
            break
        if went and went.seat != seat:
            found.append(went)
    stands: dict[str, str] = {}
    begun: list[Went] = []
    for went in reversed(found):
        start = stands.get(went.piece, went.start)
        if start not in ("", went.path[-1]):
            begun.append(msgspec.structs.replace(went, start=start))
        if went.kind == "move":
            stands[went.piece] = went.path[-1]
    return tuple(begun)


def chart(system: str, events: Sequence[Event], book: Book) -> Sequence[Block]:
    """What a system shows of the course of a game: pictures and the tables they are drawn from."""
    draw = draws_chart.of(system)
    return held(system, lambda: tuple(draw(events, book))) or () if draw else ()


def balance(system: str, state: Any, book: Book, seat: str | None) -> Sequence[Block]:
    """How everybody stands, where the system says so."""
    draw = draws_balance.of(system)
    return held(system, lambda: tuple(draw(state, book, seat))) or () if draw else ()


def held(system: str, draw: Callable[[], T]) -> T | None:
    """What one of a system's drawings gives, None where it raises.

    The log and `plugins.broken` then name the modules that draw for the system.
    """
    try:
        return draw()
    except Exception as fault:
        names = ", ".join(find_system(system).drawings) or system
        if failed(names, fault):
            log.exception("a drawing of %s has failed: %s", system, names)
        return None


def find_drawings(system: str) -> None:
    """Import what draws for a system, if it names such modules."""
    for module in find_system(system).drawings if system in system_names(hidden=True) else ():
        companion(module)
