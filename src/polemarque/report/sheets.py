"""Campaign sheets: what each player's own sheet says, and the campaign's journal, for printing.

A sheet holds private things: a seat is given its own, the umpire everybody's, and everybody what
a system says of each seat in the open.  The report room
knows no system specially: a module that a system names in its descriptor (`System.drawings`)
registers how its sheets are filled when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.records.record import Header
from polemarque.kernel.system import find_system
from polemarque.report.documents.document import Block, Document, Section, Verbatim, paragraph
from polemarque.report.labels import Book, Names, with_code
from polemarque.report.narrator import Voice
from polemarque.report.outline import outlined
from polemarque.report.pictures import Registry, held

Fill: TypeAlias = Callable[[Any, str, Voice], Sequence[Block]]
"""(state, seat, voice) -> that seat's sheet, from what the seat may see and nothing else."""

Journal: TypeAlias = Callable[[Any, Voice], Sequence[Block]]
"""(state, voice) -> the campaign's journal, which everybody may read."""

fills_sheet = Registry[Fill]()
"""Register how the sheet of one seat is filled."""

fills_open_sheet = Registry[Fill]()
"""Register what everybody may read of a seat's sheet; a system without it keeps them all."""

keeps_journal = Registry[Journal]()
"""Register how a system's journal is told."""


def has_sheets(system: str) -> bool:
    """Whether a system's campaigns have sheets."""
    return fills_sheet.of(system) is not None


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
    seat:   whose sheet, None for the umpire's copy of all, or "" for what everybody may read.
    period: the period that is running, for the heading.
    Raises NotAllowed if the system has no sheets, NotUnderstood on an unknown seat.
    """
    if not has_sheets(header.system):
        raise NotAllowed("sheet.none", part=header.system)
    if seat and seat not in header.seats:
        raise NotUnderstood("seat.unknown", part=seat, legal=header.seats)
    voice = Voice(header, lang, names, state)
    book = voice.own
    fill = (fills_open_sheet if seat == "" else fills_sheet).of(header.system)
    rules = find_system(header.system)

    def filled(code: str) -> Sequence[Block]:
        """A seat's sheet, or a list of what it sees."""
        told = held(header.system, lambda: tuple(fill(state, code, voice))) if fill else None
        if told is not None:
            return told
        return (Verbatim(tuple(outlined(rules.view(state, code if seat != "" else ""), book))),)

    own = f"sheet.{header.system}.turn"
    when = book.say(own if book.has(own) else "chronicle.period", turn=period, period=period)
    heading = book.say("sheet.state", system=book.system_title, when=when)
    sections = [
        Section(seat_name(book, code), tuple(filled(code)))
        for code in ((seat,) if seat else header.seats)
        if fill is not None
    ]
    blocks: list[Block] = [paragraph(heading, "em"), *sections]
    if (journal := keeps_journal.of(header.system)) is not None:
        told = held(header.system, lambda: tuple(journal(state, voice)))
        empty = paragraph(book.say("sheet.no_journal"), "em")
        blocks.append(Section(book.say("sheet.journal"), told or (empty,)))
    whose = seat_name(book, seat) if seat else ""
    return Document(book.say("sheet.title", whose=whose), lang, tuple(blocks))


def seat_name(book: Book, seat: str) -> str:
    """A seat by its name, with its person, or its code: two may bear the same."""
    name = book.introduced(seat)
    return with_code(name, seat) if name == book.name(seat) else name
