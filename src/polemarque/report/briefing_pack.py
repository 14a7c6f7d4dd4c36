"""The hand-over pack: what a seat's new commander has to know, on about two pages.

It is made of what the seat itself may see and of nothing else.  The report room knows no system
specially: a system's sheets say beside themselves (see `report.sheets`) what of them sums the seat
up, and which agreements it is bound by; of a system without sheets the board is told in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, TypeAlias

import msgspec

from polemarque.kernel.records.record import Header
from polemarque.kernel.system import find_system
from polemarque.report.documents.document import Block, Document, Line, Section, Verbatim, paragraph
from polemarque.report.labels import Book, Names, names_of
from polemarque.report.narrator import Voice
from polemarque.report.pictures import Registry, board_told, held
from polemarque.report.sheets import has_sheets, seat_name, sheets

Telling: TypeAlias = Callable[[Any, str, Voice], Sequence[Block]]
"""(state, seat, voice) -> what is told of that seat, from what it may see and nothing else."""

MOST_LINES = (30, 20, 10)
"""At most this many lines are told of the latest turn, of the one before, of those before that; the
chronicle has them all."""

sums_up = Registry[Telling]()
"""Register how a seat of a system is summed up, in less than its whole sheet."""

tells_agreements = Registry[Telling]()
"""Register how the agreements are told that bind a seat, those that it may know of."""


class Known(msgspec.Struct, frozen=True):
    """What of a seat stands in no state: all of it told by those who keep the record.

    asked:  what is asked of it now.   sealed: what it has answered that nobody else can read yet.
    left:   the answers that it has left in advance.
    turns:  its edition of the story of the last turns, the latest first.
    secret: its edition of what it has heard before these turns and not everybody may know.
    """

    asked: Sequence[str] = ()
    sealed: Sequence[str] = ()
    left: Sequence[str] = ()
    turns: Sequence[Document] = ()
    secret: Document | None = None


def handover(
    header: Header, state: Any, seat: str, lang: str, names: Names | None, known: Known,
    *, period: int = 0,
) -> Document:  # fmt: skip
    """The pack of a seat of a game as it stands.

    names:  family of texts -> code -> name (the players'), over the game's own.
    period: the period that is running, for the heading.
    """
    has_sheets(header.system)  # whatever its sheets register is registered
    voice = Voice(header, lang, names, state)
    paper = _Paper(voice.own)
    agreed = _told(tells_agreements, header.system, state, seat, voice)
    blocks = [
        paragraph(paper.say("told"), "em"),
        paper.listed("asked", known.asked),
        Section(paper.say("situation"), tuple(_situation(header, state, seat, names, voice))),
        *([paper.section("agreements", agreed)] if agreed is not None else ()),
        paper.listed("left", known.left),
        Section(paper.say("secret"), tuple(paper.secrets(known))),
        paper.section("turns", paper.turns(known.turns)),
    ]
    when = voice.own.say("chronicle.period" if period else "chronicle.opening", period=period)
    title = paper.say("title", whose=seat_name(voice.own, seat), when=when)
    return Document(title, lang, tuple(blocks))


def _situation(
    header: Header, state: Any, seat: str, names: Names | None, voice: Voice
) -> Sequence[Block]:
    """How the seat stands: as its sheets sum it up, else by its whole sheet, else by the board."""
    system = header.system
    summed = _told(sums_up, system, state, seat, voice)
    if summed is not None:
        return summed
    if has_sheets(system):
        return sheets(header, state, voice.lang, names, seat).blocks
    rules = find_system(system)
    called = names_of(rules, state, voice.lang, names)
    told = board_told(system, rules.view(state, seat), voice.lang, called)
    parts = filter(None, (told.board, told.rest)) if told else ()
    return [Verbatim(tuple("\n\n".join(parts).splitlines()))]


def _told(
    tellings: Mapping[str, Telling], system: str, state: Any, seat: str, voice: Voice
) -> Sequence[Block] | None:
    """What a system tells of a seat, None where it does not."""
    tell = tellings.get(system)
    return held(system, lambda: tuple(tell(state, seat, voice))) if tell else None


class _Paper:
    """Writes the sections of a pack."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def say(self, key: str, **data: Any) -> str:
        """One of the pack's own texts."""
        return self.book.say(f"handover.{key}", **data)

    def section(self, key: str, blocks: Sequence[Block]) -> Section:
        """What is told under a heading, or a word that there is nothing."""
        return Section(self.say(key), tuple(blocks) or (paragraph(self.say("none"), "em"),))

    def listed(self, key: str, said: Iterable[str]) -> Section:
        """The same of plain sentences."""
        return self.section(key, [paragraph(each) for each in said])

    def secrets(self, known: Known) -> Sequence[Block]:
        """What the seat knows and others do not."""
        told = [paragraph(self.say("sealed", what=each)) for each in known.sealed]
        if known.left:
            told.append(paragraph(self.say("left_too")))
        if any(_whispers(turn.blocks) for turn in known.turns):
            told.append(paragraph(self.say("in_turns")))
        heard = self.story(known.secret, MOST_LINES[0]) if known.secret is not None else ()
        return [*told, *heard] or [paragraph(self.say("no_secret"), "em")]

    def turns(self, turns: Sequence[Document]) -> Sequence[Block]:
        """The last turns, each in fewer lines than the one after it."""
        rooms = chain(MOST_LINES, repeat(MOST_LINES[-1]))
        cut = zip(turns, rooms, strict=False)
        return [block for told, room in cut for block in self.story(told, room)]

    def story(self, told: Document, room: int) -> Sequence[Block]:
        """A story without its reasons, cut where it is too long."""
        blocks, left = _cut(told.blocks, room)
        return [*blocks, *([paragraph(self.say("more"), "em")] if left < 0 else ())]


def _whispers(blocks: Sequence[Block]) -> bool:
    """Whether some words of a story are marked as those that not everybody may know."""
    return any(
        _whispers(block.blocks)
        if isinstance(block, Section)
        else isinstance(block, Line) and any(span.style == "em" for span in block.spans)
        for block in blocks
    )


def _cut(blocks: Sequence[Block], room: int) -> tuple[list[Block], int]:
    """So many lines of blocks at most, without reasons, and the room that is left; below 0 where
    something is left out."""
    kept: list[Block] = []
    for block in blocks:
        if room <= 0:
            return kept, -1
        if isinstance(block, Section):
            below, room = _cut(block.blocks, room)
            kept.append(Section(block.title, tuple(below)))
            continue
        kept.append(msgspec.structs.replace(block, why=None) if isinstance(block, Line) else block)
        room -= 1
    return kept, room
