"""The chronicle: a campaign or a battle told from its events, each line with its reasons.

A system's texts say how its story is cut and joined (see `voice` for the other families):

``chapter.<rule>.<kind>``  a chapter begins with this event, and its heading tells it; a system
                           that has none gets a chapter a period
``before.<rule>.<kind>``   a chapter begins with this event, which is told in it
``phase.<rule>``           a section of a chapter: of the sequence of play, or for one rule alone
``thread.<rule>.<kind>``   events of one section whose thread is the same text are one paragraph;
                           also ``thread.<rule>`` and ``thread.<chapter>``.  An event that lacks the
                           figures of its thread follows whoever it is about

Told for a seat it holds what that seat may see and nothing else; the umpire's edition holds all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from polemarque.kernel.events import Event
from polemarque.kernel.record import Adjust, Adopt, Entry, Header, Looked, Moved, Replace
from polemarque.report.book import Book, Names
from polemarque.report.pictures import balance, chart
from polemarque.report.tree import Block, Document, Line, Section, Span, line, paragraph
from polemarque.report.voice import Voice, battle_of, figures


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
    book = voice.own
    summed = balance(header.system, state, book, seat) if state is not None and seen else ()
    sums = [Section(book.say("chronicle.balance"), tuple(summed))] if summed else []
    drawn = chart(header.system, seen, book)
    overview = [Section(book.say("chronicle.overview"), tuple(drawn))] if drawn else []
    done = [_act(book, entry, seat) for entry in acts if isinstance(entry, UMPIRES)]
    last = [Section(book.say("chronicle.acts"), tuple(done))] if done else []
    return Document(
        title=book.say("chronicle.title", system=book.system_title, seats=header.seats),
        lang=lang,
        blocks=(*_front(voice, seat), *_told(seen, voice), *sums, *overview, *last),
    )


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


def _told(events: Iterable[Event], voice: Voice) -> tuple[Block, ...]:
    teller = _Teller(voice)
    for event in events:
        teller.tell(event)
    return teller.sections()


def _front(voice: Voice, seat: str | None) -> list[Block]:
    """Who plays, by which variants, and whose edition it is."""
    book, header = voice.own, voice.header
    said = [book.say("chronicle.sides", system=book.system_title, seats=header.seats)]
    if variants := book.variants(header.options):
        said.append(variants)
    if seat:
        said.append(book.say("chronicle.edition", seat=seat))
    return [paragraph(words, "em") for words in said]


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
        """The seats that were named."""

    def add(self, event: Event, seats: Sequence[str]) -> None:
        """One more event."""
        self.events.append(event)
        self.about |= _named(event, seats)


def _named(event: Event, seats: Sequence[str]) -> set[str]:
    """The seats that an event names."""
    return {value for value in event.data.values() if isinstance(value, str) and value in seats}


class _Chapter:
    """A section being written."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.blocks: list[_Thread | _Chapter] = []

    def add(self, event: Event, voice: Voice) -> None:
        """Tell one more event: in the paragraph where it belongs, or in one of its own."""
        self._thread_for(event, voice).add(event, voice.header.seats)

    def adds(self, event: Event, voice: Voice) -> bool:
        """Tell an event in the paragraph that it belongs to, if there is one already."""
        name = voice.thread(event)
        for block in self.blocks:
            if name and isinstance(block, _Thread) and block.name == name:
                block.add(event, voice.header.seats)
                return True
        return False

    def _thread_for(self, event: Event, voice: Voice) -> _Thread:
        name = voice.thread(event)
        threads = self._open_threads()
        if name is None:  # it follows whoever it is about
            about = _named(event, voice.header.seats)
            near = [thread for thread in threads if thread.name and thread.about & about]
            if near:
                return near[-1]
        elif name:
            for thread in threads:
                if thread.name == name:
                    return thread
        elif self.blocks and self.blocks[-1] in threads:
            last = threads[-1]
            if not last.name and voice.alike(last.events[0], event):
                return last
        self.blocks.append(_Thread(name or ""))
        return self.blocks[-1]  # type: ignore[return-value]

    def _open_threads(self) -> list[_Thread]:
        """Paragraphs that can go on: what follows a battle is told after it."""
        threads: list[_Thread] = []
        for block in self.blocks:
            if isinstance(block, _Thread):
                threads.append(block)
            else:
                threads.clear()
        return threads

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
        self._phase = -1
        system = book.system
        self._phases = [rule for rule in system.phases if book.has(f"phase.{rule}")]
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
        return False

    def place(self, event: Event) -> _Chapter:
        """The section in which an event is told."""
        new = event.period != self._period and not self._cut
        if self._chapter is None or new:
            key = "chronicle.period" if event.period and not self._cut else "chronicle.opening"
            self._open(self.book.say(key, period=event.period), event.period)
        assert self._chapter is not None
        phase = self._phase_of(event.rule)
        own = f"phase.{event.rule}"
        if phase > self._phase:
            self._phase = phase
            self._section(self._chapter, self.book.say(f"phase.{self._phases[phase]}"))
        elif event.rule not in self._phases and self.book.has(own):
            self._section(self._chapter, self.book.say(own))
        return self._innermost(self._chapter)

    def _section(self, chapter: _Chapter, title: str) -> None:
        """A new section, unless the last one bears that title."""
        if self._innermost(chapter).title != title:
            chapter.blocks.append(_Phase(title))

    def _open(self, title: str, period: int) -> None:
        self._period, self._phase = period, -1
        self._chapter = _Chapter(title)
        self._into.append(self._chapter)

    def _innermost(self, chapter: _Chapter) -> _Chapter:
        below = [block for block in chapter.blocks if isinstance(block, _Phase)]
        return below[-1] if below else chapter

    def _phase_of(self, rule: str) -> int:
        """The phase that a rule's chapter is about; the sequence of play only goes forward."""
        chapter = rule.partition(".")[0]
        for number, phase in enumerate(self._phases):
            if number >= self._phase and phase.partition(".")[0] == chapter:
                return number
        return self._phase


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
