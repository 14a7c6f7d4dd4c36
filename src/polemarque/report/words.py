"""The words of one game for those who play it: shared texts, a door's own, and its system's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from polemarque.kernel.dice import Roll
from polemarque.kernel.errors import Refusal
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game
from polemarque.kernel.record import Header
from polemarque.kernel.request import Key
from polemarque.kernel.run import Runner
from polemarque.kernel.system import find_system, system_names
from polemarque.kernel.templates import signed
from polemarque.kernel.texts import KERNEL_TEXTS, Catalogue, MissingText
from polemarque.maps import MAP_TEXTS
from polemarque.odds.words import DATA as ODDS_TEXTS
from polemarque.odds.words import refusal_text as told
from polemarque.report.book import NAMED, REPORT_TEXTS, Book, Names, ledger_of, names_of
from polemarque.report.voice import Voice

SHARED = (KERNEL_TEXTS, MAP_TEXTS, ODDS_TEXTS, REPORT_TEXTS)
"""Folders of the texts that every door has under its own."""


@cache
def texts_of(*folders: Path) -> Catalogue:
    """The shared texts, and those of further folders."""
    return Catalogue.load(*SHARED, *folders)


def refusal_text(refusal: Refusal, lang: str, *folders: Path) -> str:
    """A refusal in the reader's words; `folders` hold further texts."""
    texts = texts_of(*folders)
    if not texts.has(lang, f"error.{refusal.code}"):  # a refusal of some system's own
        owned = [find_system(name).data for name in system_names()]
        texts = texts_of(*folders, *(data for data in owned if (data / "texts.fr.toml").exists()))
    return told(texts, lang, refusal)


class Words:
    """Says everything that somebody who plays a game needs, in one language.

    A system's own words for a question stand in its texts under ``ask.<rule>.<subject>`` or
    ``ask.<rule>``; those of a list of words under the list's label, those of a sheet's parts under
    ``part.<name>``, those of a view's fields under ``view.<name>``.

    folders: the texts of the door through which the game is played: the commands', the pages'.
    people:  what the players are called, over the names that the system gives their seats.
    """

    def __init__(
        self, header: Header, lang: str, folders: Sequence[Path] = (), people: Names | None = None
    ) -> None:
        self.lang = lang
        self._people = people
        self._folders = tuple(folders)
        self._texts = texts_of(*folders)
        self._names: Names = {}
        self.voice = Voice(header, lang, people)
        self._book: Book = self.voice.own

    def turn_to(self, game: Game, key: Key) -> None:
        """Speak of a question: with the names of this moment, as the system that asks does."""
        runner = game.runner.find(key)[0]
        names = names_of(game.system, game.state, self.lang, self._people)
        if runner is not game.runner:
            # A battle's pieces may bear ids of the campaign's; and what only a seat of the campaign
            # knows is no matter of a battle, in which a guest may answer for it.
            names = {**names, **runner.system.names_inside(runner.state, self.lang)}
        names = self._with_own(runner, key.seat, names)
        if names != self._names:
            self._names = names
            self.voice = Voice(game.header, self.lang, names, game.state)
        self._book = self.voice.book(runner.system.name)

    def _with_own(self, runner: Runner, seat: str, names: Names) -> Names:
        """Names, and over them those that only a seat's own questions use."""
        own_names = runner.system.own_names
        if own_names is None:
            return names
        return {**names, **own_names(runner.state, seat, self.lang, names)}

    @property
    def names(self) -> Names:
        """What this moment calls seats, places and pieces."""
        return self._names

    def say(self, key: str, /, **data: Any) -> str:
        """A shared text, or one of the folders'.  Raises MissingText."""
        return self._texts.say(self.lang, key, **data)

    def label(self, family: str, word: Any) -> str:
        """A word of a family of texts, or the word itself where no text has it."""
        said = str(word).lower() if isinstance(word, bool) else str(word)
        key = f"{family}.{said}"
        for book in (self._book, self.voice.own):
            if book.has(key):
                return book.say(key)
        return said

    def part(self, name: str) -> str:
        """What a part of a sheet is called: ``part.<name>``, or for ``price.B`` that of each.

        Such a text is given the part's number as {number}, and as {which} what ``B`` is: a seat, a
        unit, a place; ``part.rank`` is for parts that are mere numbers.
        """
        head, dot, tail = ("rank", ".", name) if name.isdigit() else name.partition(".")
        which = self.whose(head, tail) or tail
        for book in (self._book, self.voice.own):
            if dot and book.has(f"part.{head}"):
                number = int(tail) if tail.isdecimal() else tail
                said = book.say(f"part.{head}", which=which, number=number)
                numbered = book.catalogue.names(self.lang, f"part.{head}")
                return said if numbered else self.say("ask.part_of", part=said, which=which)
        return self.label("part", name)

    def whose(self, head: str, code: str) -> str:
        """What the part ``head.code`` of a sheet is about, by name; "" where nothing has one.

        A family called as the part itself goes first: an offer is told as such, not as its seat.
        """
        for family in (head, "member", *NAMED):
            said = self.label(family, code)
            if said != code:
                return said
        seat, dot, number = code.partition(".")
        named = self.label("seat", seat)
        return self.say("ask.of", of=named, what=number) if dot and named != seat else ""

    def refusal(self, refusal: Refusal) -> str:
        """A refusal as a sentence."""
        data = self._book.system.data
        own = [data] if (data / f"texts.{self.lang}.toml").exists() else []
        return refusal_text(refusal, self.lang, *self._folders, *own)

    def title(self, rule: str) -> str:
        """A rule's title; that of its chapter where a whole chapter asks; or nothing."""
        bare = rule.partition("/")[0]
        chapter = f"rules.chapter.{bare}"
        titled = self._book.title(bare)
        return titled or (self.say(chapter) if self._texts.has(self.lang, chapter) else "")

    def rule_text(self, rule: str) -> str:
        """What we understand by a rule, or nothing."""
        row = ledger_of(self._book.system.name).get(rule.partition("/")[0])
        return row.text.get(self.lang, "") if row else ""

    def head(self, who: str, key: Key, period: int) -> str:
        """Who is asked, when, and under which rule.   period: as it is told, 0 for the opening."""
        text = "chronicle.period" if period else "chronicle.opening"
        when = self._book.say(text, period=period)
        rule, title = key.rule.partition("/")[0], self.title(key.rule)
        return self.say("ask.head", who=who, when=when, rule=rule, title=title)

    def question(self, key: Key) -> str:
        """What is asked, as the system puts it; nothing if it leaves that to the rule's title."""
        for text in (f"ask.{key.rule}.{key.subject}", f"ask.{key.rule}"):
            if self._book.has(text):
                try:
                    return self._book.say(text)
                except MissingText:
                    continue
        return ""

    def roll(self, roll: Roll) -> str:
        """What a roll is for."""
        try:
            return self._book.say(f"roll.{roll.why}", n=roll.count, sides=roll.sides)
        except MissingText:
            return roll.why

    # Events --------------------------------------------------------------------------------------

    def tale(self, events: Sequence[Event]) -> list[str]:
        """Events as sentences."""
        try:
            return [self.voice.sentence(*run) for run in self.voice.runs(events)]
        except (MissingText, TypeError):
            return [self._sentence(event) for event in events]

    def reasons(self, event: Event) -> list[str]:
        """An event with everything that stands behind it."""
        try:
            why = self.voice.why(event)
        except MissingText:
            said = [f"{signed(m.amount)} {m.reason} ({m.rule})" for m in event.modifiers]
            rolls = [f"{d.why}: {' '.join(map(str, d.faces))}" for d in event.dice]
            return [self._sentence(event), *said, *rolls]
        return [self._sentence(event), *(f"  {said}" for said in why.sentences())]

    def _sentence(self, event: Event) -> str:
        try:
            return self.voice.sentence(event)
        except (MissingText, TypeError):
            figures = ", ".join(f"{name} {value}" for name, value in event.data.items())
            return f"{event.rule} {event.kind}: {figures}"

    # Views ---------------------------------------------------------------------------------------

    def outline(self, value: Any, depth: int = 0) -> Iterator[str]:
        """Plain data as indented lines."""
        margin = "  " * depth
        if isinstance(value, Mapping):
            for name, part in value.items():
                head = self.say("ask.field", name=self._field(name))
                yield from self._entry(f"{margin}{head}", part, depth)
        elif isinstance(value, (list, tuple)):
            for part in value:
                if isinstance(part, Mapping) and not any(_deep(each) for each in part.values()):
                    fields = [f"{self._field(n)} {self._said(each)}" for n, each in part.items()]
                    yield f"{margin}- {', '.join(fields)}"
                else:
                    yield from self._entry(f"{margin}-", part, depth)
        else:
            yield f"{margin}{self._said(value)}"

    def _entry(self, head: str, part: Any, depth: int) -> Iterator[str]:
        if _deep(part) and part:
            if not isinstance(part, Mapping) and not any(_deep(each) for each in part):
                yield f"{head} {', '.join(self._said(each) for each in part)}"
                return
            yield head
            yield from self.outline(part, depth + 1)
        else:
            yield f"{head} {self._said(part)}"

    def _field(self, name: Any) -> str:
        said = self.label("view", name)
        return self.label("seat", name) if said == str(name) else said

    def _said(self, value: Any) -> str:
        if value is None or value == "" or value == [] or value == {}:
            return "-"
        if isinstance(value, bool):
            return self.say(f"ask.{str(value).lower()}")
        return str(value)


def _deep(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple))
