"""Campaign sheets: what each player's own sheet says, and the campaign's journal, for printing.

A sheet holds private things: a seat is given its own, the umpire everybody's.  The report room
knows no system specially: a module ``polemarque.report.<system>_sheet`` registers how a system's
sheets are filled when it is imported, and so may a stranger's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.record import Header
from polemarque.report.book import Book, Names, with_code
from polemarque.report.tree import Block, Document, Section, paragraph
from polemarque.report.voice import Voice

Fill: TypeAlias = Callable[[Any, str, Voice], Sequence[Block]]
"""(state, seat, voice) -> that seat's sheet, from what the seat may see and nothing else."""

Journal: TypeAlias = Callable[[Any, Voice], Sequence[Block]]
"""(state, voice) -> the campaign's journal, which everybody may read."""

_FILLS: dict[str, Fill] = {}
_JOURNALS: dict[str, Journal] = {}


def fills_sheet(system: str) -> Callable[[Fill], Fill]:
    """Register how the sheet of one seat is filled."""

    def keep(fill: Fill) -> Fill:
        _FILLS[system] = fill
        return fill

    return keep


def keeps_journal(system: str) -> Callable[[Journal], Journal]:
    """Register how a system's journal is told."""

    def keep(journal: Journal) -> Journal:
        _JOURNALS[system] = journal
        return journal

    return keep


def has_sheets(system: str) -> bool:
    """Whether a system's campaigns have sheets."""
    name = f"polemarque.report.{system}_sheet"
    if system.isidentifier() and find_spec(name) is not None:
        import_module(name)
    return system in _FILLS


def sheets(
    header: Header,
    state: Any,
    lang: str,
    names: Names | None = None,
    seat: str | None = None,
    *,
    period: int = 0,
) -> Document:
    """The sheets of a campaign as it stands, then its journal.

    names:  family of texts -> code -> name (the players'), over the game's own.
    seat:   whose sheet, or None for the umpire's copy of all.
    period: the period that is running, for the heading.
    Raises NotAllowed if the system has no sheets, NotUnderstood on an unknown seat.
    """
    if not has_sheets(header.system):
        raise NotAllowed("sheet.none", part=header.system)
    if seat is not None and seat not in header.seats:
        raise NotUnderstood("seat.unknown", part=seat, legal=header.seats)
    voice = Voice(header, lang, names, state)
    book = voice.own
    fill = _FILLS[header.system]
    own = f"sheet.{header.system}.turn"
    when = book.say(own if book.has(own) else "chronicle.period", turn=period, period=period)
    heading = book.say("sheet.state", system=book.system_title, when=when)
    filled = [
        Section(seat_name(book, code), tuple(fill(state, code, voice)))
        for code in (header.seats if seat is None else (seat,))
    ]
    blocks: list[Block] = [paragraph(heading, "em"), *filled]
    if header.system in _JOURNALS:
        told = _JOURNALS[header.system](state, voice)
        empty = paragraph(book.say("sheet.no_journal"), "em")
        blocks.append(Section(book.say("sheet.journal"), tuple(told) or (empty,)))
    whose = "" if seat is None else seat_name(book, seat)
    return Document(book.say("sheet.title", whose=whose), lang, tuple(blocks))


def seat_name(book: Book, seat: str) -> str:
    """A seat by its name, with its code: two may bear the same."""
    return with_code(book.name(seat), seat)
