"""The chronicle: a campaign or a battle told from its events, each line with its reasons.

A system's texts say how its story is cut and joined (see `voice` for the other families):

``chapter.<rule>.<kind>``  a chapter begins with this event, and its heading tells it; a system
                           that has none gets a chapter a period
``before.<rule>.<kind>``   a chapter without sections begins with this event, which is told in it
``phase.<rule>``           a section of a chapter: a phase, for the events that happened in it (see
                           `System.phase`), or for one rule alone in a system without phases
``thread.<rule>.<kind>``   events of one section whose thread is the same text are one paragraph;
                           also ``thread.<rule>`` and ``thread.<chapter>``.  An event that lacks the
                           figures of its thread follows the one whom it is about

All is told in the order in which it happened, so that causes stand before effects.  An event goes
back to an earlier paragraph only over others that name no seat, place or piece that it names.

Told for a seat it holds what that seat may see and nothing else; the umpire's edition holds all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from polemarque.kernel.events import Event
from polemarque.kernel.records.record import Adjust, Adopt, Entry, Header, Looked, Moved, Replace
from polemarque.report.documents.document import (
    Block,
    Document,
    Line,
    Section,
    Span,
    line,
    paragraph,
)
from polemarque.report.labels import Book, Names, catalogue_of
from polemarque.report.narrator import Voice, battle_of, begins_battle, codes, figures
from polemarque.report.pictures import balance, chart

DUEL = 2
"""So many seats a duel has."""


def chronicle(
    header: Header,
    events: Iterable[Event],
    lang: str,
    names: Names | None = None,
    seat: str | None = None,
    *,
    acts: Sequence[Entry] = (),
    state: Any = None,
) -> Document:
    """The game told in `lang`.

    names: family of texts -> code -> name ({"seat": {"A": "Hésiode"}}), over the system's own.
    seat:  whose edition it is, "" for what everybody may read, or None for the umpire's.
    acts:  entries of the record, of which the umpire's acts are listed at the end.
    state: how the game stands after these events, for its names and for the balance at the end.
    """
    voice = Voice(header, lang, names, state)
    seen = [event for event in events if seat is None or event.seen_by(seat)]
    return Document(
        title=voice.own.say("chronicle.title", system=voice.own.system_title, seats=header.seats),
        lang=lang,
        blocks=(
            *_front(voice, seat), *_told(seen, voice), *_summary(seen, voice, seat, acts, state)
        ),
    )  # fmt: skip


def summary(
    header: Header,
    events: Iterable[Event],
    lang: str,
    names: Names | None = None,
    seat: str | None = None,
    *,
    acts: Sequence[Entry] = (),
    state: Any = None,
) -> Document:
    """What a chronicle says of the whole game, without its story: who plays, by which variants, the
    balance, the charts, the umpire's acts; see `chronicle`."""
    voice = Voice(header, lang, names, state)
    seen = [event for event in events if seat is None or event.seen_by(seat)]
    blocks = (*_front(voice, seat), *_summary(seen, voice, seat, acts, state))
    return Document(title=voice.own.system_title, lang=lang, blocks=blocks)


def _summary(
    seen: Sequence[Event], voice: Voice, seat: str | None, acts: Sequence[Entry], state: Any
) -> list[Block]:
    """What stands behind the story."""
    book, system = voice.own, voice.header.system
    summed = balance(system, state, book, seat) if state is not None and seen else ()
    done = [_act(book, entry, seat) for entry in acts if isinstance(entry, UMPIRES)]
    parts = {"balance": summed, "overview": chart(system, seen, book), "acts": done}
    return [
        Section(book.say(f"chronicle.{part}"), tuple(blocks))
        for part, blocks in parts.items()
        if blocks
    ]


def chronicle_of_turn(
    header: Header,
    events: Iterable[Event],
    turn: int,
    lang: str,
    names: Names | None = None,
    seat: str | None = None,
    *,
    state: Any = None,
) -> Document:
    """One turn of the game told (a period; of a campaign with its battles), without any sums.

    The rest is as of `chronicle`.
    """
    told = episode(
        header, [event for event in events if event.outer_period == turn], lang, names, seat,
        state=state,
    )  # fmt: skip
    book = Voice(header, lang, names, state).own
    front = [paragraph(words, "em") for words in _edition(book, seat)]
    nothing = () if told.blocks else (paragraph(book.say("chronicle.nothing"), "em"),)
    return replace(told, blocks=(*front, *told.blocks, *nothing))


def for_umpire(told: Document, system: str) -> Document:
    """The document, its title saying that secrets are in it and whom it is for."""
    texts = catalogue_of(system)
    return replace(told, title=texts.say(told.lang, "chronicle.for_umpire", title=told.title))


def episode(
    header: Header,
    events: Iterable[Event],
    lang: str,
    names: Names | None = None,
    seat: str | None = None,
    *,
    state: Any = None,
) -> Document:
    """A few events told as the chronicle tells them, and nothing else; see `chronicle`."""
    voice = Voice(header, lang, names, state)
    seen = [event for event in events if seat is None or event.seen_by(seat)]
    return Document(title=voice.own.system_title, lang=lang, blocks=_told(seen, voice))


def sentences_about(
    header: Header, events: Sequence[Event], first: int, lang: str, names: Names | None, seat: str,
    *, state: Any,
) -> list[str]:  # fmt: skip
    """What a seat may know of what befell it from event number `first` on: a sentence each, or one
    for several alike.  Of more than two seats, what names all of them is told of none."""
    voice = Voice(header, lang, names, state)
    for event in events[:first]:
        if begins_battle(event):
            voice.book_of(event)
    seats = {*header.seats}
    own = []
    for event in events[first:]:
        named = seats & codes(event) if event.seen_by(seat) else set()
        about = seat in named and (named < seats or len(seats) == DUEL)
        heads = voice.book_of(event).has(f"chapter.{event.rule}.{event.kind}")
        if about and not heads:
            own.append(event)
    return [voice.sentence(*run) for run in voice.runs(own)]


def _told(events: Iterable[Event], voice: Voice) -> tuple[Block, ...]:
    teller = _Teller(voice)
    for event in events:
        teller.tell(event)
    return teller.sections()


def _front(voice: Voice, seat: str | None) -> list[Block]:
    """Whose edition it is, who plays, and by which variants."""
    book, header = voice.own, voice.header
    who = [book.introduced(seat) for seat in header.seats]
    said = _edition(book, seat)
    said.append(book.say("chronicle.sides", system=book.system_title, seats=who))
    if variants := book.variants(header.options):
        said.append(variants)
    return [paragraph(words, "em") for words in said]


def _edition(book: Book, seat: str | None) -> list[str]:
    return [] if seat is None else [book.say("chronicle.edition", seat=seat)]


UMPIRES = (Replace, Adjust, Adopt, Looked, Moved)
"""Entries that are acts of the umpire."""


def _act(book: Book, act: Replace | Adjust | Adopt | Looked | Moved, seat: str | None) -> Line:
    """An act with its reason.

    What was adjusted may be a secret, and so may whose answer was corrected and that it was asked:
    a seat's edition says no more than the record's cover, but of its own answers.
    """
    if isinstance(act, Looked):
        said = book.say("act.looked", date=act.date, what=act.what, period=act.period)
    elif isinstance(act, Moved):
        said = book.say("act.moved", date=act.date, what=act.what)
    elif isinstance(act, Adjust) and seat is not None:
        said = book.say("act.adjusted", date=act.date, reason=act.reason)
    elif isinstance(act, Replace) and seat not in {None, act.key.seat}:
        said = book.say("act.corrected", date=act.date, reason=act.reason)
    elif isinstance(act, Adjust):
        said = book.say(
            "act.adjust", date=act.date, name=act.name, value=str(act.value),
            nobody=act.value is None, reason=act.reason, path=act.path,
        )  # fmt: skip
    elif isinstance(act, Adopt):
        said = book.say(
            "act.adopt", date=act.date, edition=act.edition, resolver=act.resolver,
            reason=act.reason,
        )  # fmt: skip
    else:
        kind = "annul" if act.annul else "replace"
        said = book.say(
            f"act.{kind}", date=act.date, seat=act.key.seat, rule=act.key.rule, reason=act.reason
        )
    return line(said)


class _Thread:
    """A paragraph being written: events that belong together, in the order they happened."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.events: list[Event] = []
        self.about: set[str] = set()
        """All that was named: seats, places, pieces…"""
        self._open = True

    def add(self, event: Event) -> None:
        """One more event."""
        self.events.append(event)
        named = codes(event)
        self.about |= named
        self._open = self._open and bool(named)

    def apart(self, named: Collection[str]) -> bool:
        """Whether what names this has nothing to do with what is told here: it names other things,
        as does all of this."""
        return bool(named) and self._open and self.about.isdisjoint(named)

    def takes(self, event: Event, name: str | None, voice: Voice) -> bool:
        """Whether an event belongs here.   name: of its thread, see `Voice.thread`."""
        if name is None:  # it follows the one whom it is about
            return bool(self.name and self.about & codes(event) & {*voice.header.seats})
        if name:
            return self.name == name
        return not self.name and voice.alike(event, self.events[0])


class _Chapter:
    """A section being written."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.blocks: list[_Thread | _Chapter] = []

    def add(self, event: Event, voice: Voice) -> None:
        """Tell one more event: in the paragraph where it belongs, or in one of its own."""
        self._thread_for(event, voice).add(event)

    def adds(self, event: Event, voice: Voice) -> bool:
        """Tell an event in the paragraph that it belongs to, if there is one already."""
        name = voice.thread(event)
        thread = self._found(event, name, voice) if name else None
        if thread is not None:
            thread.add(event)
        return thread is not None

    def _thread_for(self, event: Event, voice: Voice) -> _Thread:
        name = voice.thread(event)
        thread = self._found(event, name, voice)
        if thread is None:
            thread = _Thread(name or "")
            self.blocks.append(thread)
        return thread

    def _found(self, event: Event, name: str | None, voice: Voice) -> _Thread | None:
        """The last paragraph to which an event belongs, if it can still be told there.

        What follows a battle is told after it, and what is alike without a thread has to follow.
        """
        named = codes(event)
        for block in reversed(self.blocks):
            if not isinstance(block, _Thread):
                return None
            if block.takes(event, name, voice):
                return block
            if name == "" or not block.apart(named):
                return None
        return None

    def done(self, voice: Voice) -> Section:
        """The section as it stands."""
        return Section(self.title, tuple(_done(self.blocks, voice)))


class _Phase(_Chapter):
    """A section of a chapter of the story; a battle told inside a section is none."""


def _done(blocks: Iterable[_Thread | _Chapter], voice: Voice) -> list[Block]:
    return [
        _line(block.events, voice) if isinstance(block, _Thread) else block.done(voice)
        for block in blocks
    ]


def _line(events: Sequence[Event], voice: Voice) -> Line:
    """Events as one paragraph with all their reasons; what is secret in it says so.

    What all may know who know of a battle at all says nothing: the heading of the battle does.
    """
    spans: list[Span] = []
    book = voice.book_of(events[0])
    for audience, alike in groupby(voice.runs(events), lambda run: run[0].audience):
        gap = " " if spans else ""
        told = gap + " ".join([voice.sentence(*run) for run in alike])
        if audience is None or audience == voice.known_to(events[0]):
            spans.append(Span(told))
        else:
            spans.append(Span(told + book.say("chronicle.secret", seats=audience), "em"))
    return Line(tuple(spans), voice.why(*events))


class _Course:
    """How far a game (a campaign, or a battle inside it) has been told."""

    def __init__(self, book: Book, into: list[_Thread | _Chapter]) -> None:
        self.book = book
        self._into = into
        self._period: int | None = None
        self._chapter: _Chapter | None = None
        self._whole: _Chapter | None = None
        """The chapter that is not cut into sections, if there is one."""
        self._cut = book.tells("chapter")
        """Whether events cut the chapters, and not periods."""

    def heads(self, event: Event) -> bool:
        """Begin a chapter with an event; whether its heading tells all that it says."""
        name = f"{event.rule}.{event.kind}"
        if self.book.has(f"chapter.{name}"):
            self._open(self.book.say(f"chapter.{name}", **figures(event, self.book)), event.period)
            return not (event.modifiers or event.dice)
        if self.book.has(f"before.{name}"):
            title = self.book.say(f"before.{name}", **figures(event, self.book))
            if self._chapter is None or self._chapter.title != title:
                self._open(title, event.period)
                self._whole = self._chapter
        return False

    def place(self, event: Event) -> _Chapter:
        """The section in which an event is told."""
        new = event.period != self._period and not self._cut
        if self._chapter is None or new:
            key = "chronicle.period" if event.period and not self._cut else "chronicle.opening"
            self._open(self.book.say(key, period=event.period), event.period)
        assert self._chapter is not None
        phase = f"phase.{event.phase or event.rule}"
        if self._whole is not self._chapter and self.book.has(phase):
            title = self.book.say(phase)
            if self._innermost(self._chapter).title != title:
                self._chapter.blocks.append(_Phase(title))
        return self._innermost(self._chapter)

    def _open(self, title: str, period: int) -> None:
        self._period = period
        self._chapter = _Chapter(title)
        self._into.append(self._chapter)

    def _innermost(self, chapter: _Chapter) -> _Chapter:
        below = [block for block in chapter.blocks if isinstance(block, _Phase)]
        return below[-1] if below else chapter


class _Teller:
    """Puts events into sections: by period and phase, live battles in sections of their own."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice
        self._top: list[_Thread | _Chapter] = []
        self._main = _Course(voice.own, self._top)
        self._here: _Chapter | None = None
        self._battles: dict[str, _Course] = {}

    def tell(self, event: Event) -> None:
        """Tell one more event."""
        if event.path and self._here is not None and self._here.adds(event, self.voice):
            return
        course = self._battle(event) if event.path else self._main
        if course.heads(event):
            return
        chapter = course.place(event)
        if not event.path:
            self._here = chapter
        chapter.add(event, self.voice)

    def sections(self) -> tuple[Block, ...]:
        """All that was told."""
        return tuple(_done(self._top, self.voice))

    def _battle(self, event: Event) -> _Course:
        """The course of the battle that an event belongs to."""
        root = battle_of(event)
        if root not in self._battles:
            book = self.voice.begin_battle(event)
            number = len(self._battles) + 1
            heading = book.say("chronicle.battle", number=number, system=book.system_title)
            if event.audience is not None:
                heading += book.say("chronicle.secret", seats=event.audience)
            chapter = _Chapter(heading)
            (self._here.blocks if self._here else self._top).append(chapter)
            self._battles[root] = _Course(book, chapter.blocks)
        return self._battles[root]
