"""The chronicle: a campaign or a battle told from its events, each line with its reasons.

Told for a seat it holds what that seat may see and nothing else; the umpire's edition holds all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from polemarque.kernel.events import Event
from polemarque.kernel.record import Adjust, Entry, Header, Replace
from polemarque.report.pictures import chart
from polemarque.report.tree import Block, Document, Line, Section, Span, line, paragraph
from polemarque.report.voice import Book, Names, Voice


def chronicle(
    header: Header,
    events: Iterable[Event],
    lang: str,
    names: Names | None = None,
    seat: str | None = None,
    *,
    acts: Sequence[Entry] = (),
) -> Document:
    """The game told in `lang`.

    names: family of texts -> code -> name ({"seat": {"A": "Hésiode"}}), over the system's own.
    seat:  whose edition it is, or None for the umpire's.
    acts:  entries of the record, of which the umpire's acts are listed at the end.
    """
    voice = Voice(header, lang, names)
    seen = [event for event in events if seat is None or event.seen_by(seat)]
    teller = _Teller(voice)
    for event in seen:
        teller.tell(event)
    drawn = chart(header.system, seen, voice.own)
    overview = [Section(voice.own.say("chronicle.overview"), tuple(drawn))] if drawn else []
    done = [_act(voice.own, entry) for entry in acts if isinstance(entry, (Replace, Adjust))]
    last = [Section(voice.own.say("chronicle.acts"), tuple(done))] if done else []
    return Document(
        title=voice.own.say("chronicle.title", system=voice.own.system_title, seats=header.seats),
        lang=lang,
        blocks=(*_front(voice, seat), *teller.sections(), *overview, *last),
    )


def _front(voice: Voice, seat: str | None) -> list[Block]:
    """Who plays, by which variants, and whose edition it is."""
    book, header = voice.own, voice.header
    said = [book.say("chronicle.sides", system=book.system_title, seats=header.seats)]
    chosen = [
        book.say(
            "chronicle.option",
            option=book.option(choice.name),
            value=book.option_value(choice.name, value),
        )
        for choice in book.system.options
        if (value := header.options.get(choice.name, choice.default)) != choice.default
    ]
    if chosen:
        said.append(book.say("chronicle.options", choices=" · ".join(chosen)))
    if seat is not None:
        said.append(book.say("chronicle.edition", seat=seat))
    return [paragraph(words, "em") for words in said]


def _act(book: Book, act: Replace | Adjust) -> Line:
    if isinstance(act, Adjust):
        said = book.say(
            "act.adjust", date=act.date, name=act.name, value=str(act.value), reason=act.reason
        )
    else:
        kind = "annul" if act.annul else "replace"
        said = book.say(
            f"act.{kind}", date=act.date, seat=act.key.seat, rule=act.key.rule, reason=act.reason
        )
    return line(said)


class _Chapter:
    """A section being written."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.blocks: list[Line | _Chapter] = []

    def done(self) -> Section:
        """The section as it stands."""
        return Section(
            self.title, tuple([b if isinstance(b, Line) else b.done() for b in self.blocks])
        )


class _Course:
    """How far a game (a campaign, or a battle inside it) has been told."""

    def __init__(self, book: Book, into: list[Line | _Chapter]) -> None:
        self.book = book
        self._into = into
        self._period: int | None = None
        self._chapter: _Chapter | None = None
        self._phase = -1
        system = book.system
        self._phases = [rule for rule in system.phases if book.has(f"phase.{rule}")]

    def place(self, event: Event) -> _Chapter:
        """The section in which an event is told."""
        if self._chapter is None or event.period != self._period:
            self._period, self._phase = event.period, -1
            key = "chronicle.period" if event.period else "chronicle.opening"
            self._chapter = _Chapter(self.book.say(key, period=event.period))
            self._into.append(self._chapter)
        phase = self._phase_of(event.rule)
        if phase > self._phase:
            self._phase = phase
            self._chapter.blocks.append(_Chapter(self.book.say(f"phase.{self._phases[phase]}")))
        return self._innermost(self._chapter)

    def _innermost(self, chapter: _Chapter) -> _Chapter:
        if self._phase < 0:
            return chapter
        return [block for block in chapter.blocks if isinstance(block, _Chapter)][-1]

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
        self._top: list[Line | _Chapter] = []
        self._main = _Course(voice.own, self._top)
        self._here: _Chapter | None = None
        self._battles: dict[str, _Course] = {}

    def tell(self, event: Event) -> None:
        """Tell one more event."""
        if event.path:
            chapter = self._battle(event).place(event)
        else:
            chapter = self._here = self._main.place(event)
        chapter.blocks.append(self._line(event))

    def sections(self) -> tuple[Block, ...]:
        """All that was told."""
        return tuple([b if isinstance(b, Line) else b.done() for b in self._top])

    def _battle(self, event: Event) -> _Course:
        """The course of the battle that an event belongs to."""
        root = event.path.partition(".")[0]
        if root not in self._battles:
            book = self.voice.book_of(event)
            number = len(self._battles) + 1
            heading = book.say("chronicle.battle", number=number, system=book.system_title)
            chapter = _Chapter(heading)
            (self._here.blocks if self._here else self._top).append(chapter)
            self._battles[root] = _Course(book, chapter.blocks)
        return self._battles[root]

    def _line(self, event: Event) -> Line:
        said = [Span(self.voice.sentence(event))]
        if event.audience is not None:
            book = self.voice.book_of(event)
            said.append(Span(book.say("chronicle.secret", seats=event.audience), "em"))
        return Line(tuple(said), self.voice.why(event))
