"""The map or board of a game on a page: seen by one seat, its places clicked, reached and read."""

from __future__ import annotations

from typing import Any

import msgspec

from polemarque.report.documents.interactive_svg import page_once
from polemarque.report.labels import Names
from polemarque.report.pictures import BoardTold, board_seen, board_told, held


class SeenBoard(msgspec.Struct, frozen=True):
    """A board for a page.

    svg:    one ``svg`` element, without style sheet or style attribute; "" where there is no
            drawing.  Each place is a button in it (``data-place``); each piece says where it stands
            (``data-piece``, ``data-at``).
    style:  its style sheet, for a ``style`` element of the page; equal for all boards of a kind.
    places: what is said of each place, in reading order: what it is called, whose it is, who
            stands there.
    told:   the board in words.
    """

    svg: str = ""
    style: str = ""
    places: dict[str, str] = {}
    told: BoardTold | None = None


def seen_board(
    system: str,
    view: Any,
    lang: str,
    names: Names | None = None,
    *,
    prefix: str = "board-",
    period: int | None = None,
) -> SeenBoard | None:
    """The board as a seat sees it, or None where there is nothing to show (`board_told`).

    view:   what `System.view` gives the seat ("" for a spectator): nothing else is drawn.
    names:  what readers call seats, places and pieces, all of it public.  Which places can be
            chosen `web/static/board.js` finds in the form.
    prefix: begins every id; each board of a page needs its own.
    period: which one the board is said to show, 0 for the opening; None: the one that runs.
    """
    told = board_told(system, view, lang, names, period)

    def drawn() -> SeenBoard | None:
        if (seen := board_seen(system, view, lang, names, period)) is None:
            return None
        svg = page_once(seen.drawn, seen.labels, prefix)
        return SeenBoard(svg, seen.drawn.page_style, seen.labels, told)

    return held(system, drawn) or (SeenBoard(told=told) if told else None)
