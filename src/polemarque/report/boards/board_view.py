"""The map or board of a game on a page: seen by one seat, its places clicked, reached and read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from polemarque.kernel.events import Event
from polemarque.report.boards.glyphs import arrow, colour_of
from polemarque.report.documents.interactive_svg import page_once
from polemarque.report.island.glyphs import plain
from polemarque.report.labels import Names
from polemarque.report.pictures import (
    BoardTold,
    Card,
    Seen,
    Went,
    board_seen,
    board_told,
    cards,
    held,
    last_moves,
)


class SeenBoard(msgspec.Struct, frozen=True):
    """A board for a page.

    svg:    one ``svg`` element, without style sheet or style attribute; "" where there is no
            drawing.  Each place is a button in it (``data-place``); each piece says where it stands
            (``data-piece``, ``data-at``).
    style:  its style sheet, for a ``style`` element of the page; equal for all boards of a kind.
    places: what is said of each place, in reading order: what it is called, whose it is, who
            stands there.
    told:   the board in words.
    cards:  what the seat may know of each piece, as items of a list (`data-card-of`); "" for none.
            Places of a zone stand in its `data-places`.
    moved:  whether arrows show what others did last.
    """

    svg: str = ""
    style: str = ""
    places: dict[str, str] = {}
    told: BoardTold | None = None
    cards: str = ""
    moved: bool = False


def seen_board(
    system: str,
    view: Any,
    lang: str,
    names: Names | None = None,
    *,
    prefix: str = "board-",
    period: int | None = None,
    seat: str | None = None,
    newest: Iterable[Event] = (),
) -> SeenBoard | None:
    """The board as a seat sees it, or None where there is nothing to show (`board_told`).

    view:   what `System.view` gives the seat ("" for a spectator): nothing else is drawn.
    names:  what readers call seats, places and pieces, all of it public.  Which places can be
            chosen `web/static/board.js` finds in the form.
    prefix: begins every id; each board of a page needs its own.
    period: which one the board is said to show, 0 for the opening; None: the one that runs.
    seat:   who looks at a board that is played, to whom what others did last is drawn; None: the
            board is only looked at, without the cards of its pieces.
    newest: the events of this board that the seat may see, the newest first.
    """
    told = board_told(system, view, lang, names, period)
    called = (names or {}).get("place", {})
    written = _written(cards(system, view, lang, names), called) if seat is not None else ""
    moves = last_moves(system, newest, view, seat) if seat else ()

    def drawn() -> SeenBoard | None:
        if (seen := board_seen(system, view, lang, names, period)) is None:
            return None
        arrows = _arrows(seen, moves)
        shown = replace(seen.drawn, under=seen.drawn.under + arrows)
        svg = page_once(shown, seen.labels, prefix)
        return SeenBoard(svg, shown.page_style, seen.labels, told, written, bool(arrows))

    return held(system, drawn) or (SeenBoard(told=told) if told else None)


def _written(known: Mapping[str, Card], places: Mapping[str, str]) -> str:
    """Cards as items of a list.   places: what readers call them, where not by their codes."""
    written = []
    for code, card in known.items():
        name, owner = plain(card.name), plain(card.owner)
        facts = [f"<div><dt>{plain(a)}</dt><dd>{plain(b)}</dd></div>" for a, b in card.facts]
        zones = [
            f'<p data-zone="{plain(zone.name)}" data-places="{" ".join(zone.places)}">'
            f"<strong>{plain(zone.name)}</strong>"
            f" {plain(', '.join([places.get(at, at) for at in zone.places]))}</p>"
            for zone in card.zones
            if zone.places
        ]
        notes = [f"<p>{plain(note)}</p>" for note in card.notes]
        written.append(
            f'<li data-card-of="{plain(code)}" data-label="{plain(card.label)}">'
            f'<p><strong>{name}</strong> <span class="owner">{owner}</span></p>'
            f"<dl>{''.join(facts)}</dl>{''.join(notes)}{''.join(zones)}</li>"
        )
    return "".join(written)


def _arrows(seen: Seen, moves: Sequence[Went]) -> str:
    """What others did last, above the ground and under the pieces."""
    drawn = []
    for each in moves:
        way = [seen.middles[place] for place in (each.start, *each.path) if place in seen.middles]
        if len(way) > len(each.path):
            drawn.append(arrow(way, colour_of(each.side), each.kind))
    return f'<g class="last">{"".join(drawn)}</g>' if drawn else ""
