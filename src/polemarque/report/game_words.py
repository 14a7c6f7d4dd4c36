"""The words of one game for those who play it: shared texts, a door's own, and its system's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from polemarque.kernel.agenda import ANY_RULES
from polemarque.kernel.dice import Roll
from polemarque.kernel.errors import Refusal
from polemarque.kernel.events import Event
from polemarque.kernel.files.sentence_templates import plainly, signed, unbroken
from polemarque.kernel.files.texts import KERNEL_TEXTS, Catalogue, MissingText
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Header
from polemarque.kernel.request import Fact, Key, Request
from polemarque.kernel.run import Runner
from polemarque.kernel.standing_orders import WISH
from polemarque.kernel.system import find_system, system_names
from polemarque.maps import MAP_TEXTS
from polemarque.odds.beside_options import figures_told
from polemarque.odds.rolls import TooLarge
from polemarque.odds.wording import DATA as ODDS_TEXTS
from polemarque.odds.wording import refusal_text as refused
from polemarque.report.labels import (
    NAMED,
    REPORT_TEXTS,
    Book,
    Names,
    catalogue_of,
    ledger_of,
    names_of,
    with_player,
)
from polemarque.report.narrator import Voice
from polemarque.report.order_forms.told_answers import told

SHARED = (KERNEL_TEXTS, MAP_TEXTS, ODDS_TEXTS, REPORT_TEXTS)
"""Folders of the texts that every door has under its own."""


@cache
def texts_of(*folders: Path) -> Catalogue:
    """The shared texts, and those of further folders."""
    return Catalogue.load(*SHARED, *folders)


@cache
def _terms(system: str, lang: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What a system explains, in the order of its texts: the word and the names that it goes by."""
    texts, family = catalogue_of(system), "term."
    keys = [key for key in texts.keys(lang) if key.startswith(family)]
    names = [tuple(texts.say(lang, key).split(", ")) for key in keys]
    return tuple(zip([key.removeprefix(family) for key in keys], names, strict=True))


def _stems(said: str) -> str:
    """A text without accents, and its words without what makes them plural."""
    words = re.findall(r"\w+", plainly(said))
    return f" {' '.join([word.rstrip('sx') for word in words])} "


def refusal_text(refusal: Refusal, lang: str, *folders: Path) -> str:
    """A refusal in the reader's words; `folders` hold further texts."""
    texts = texts_of(*folders)
    if not texts.has(lang, f"error.{refusal.code}"):  # a refusal of some system's own
        owned = [find_system(name).data for name in system_names()]
        texts = texts_of(*folders, *(data for data in owned if (data / "texts.fr.toml").exists()))
    return refused(texts, lang, refusal)


class Words:
    """Says everything that somebody who plays a game needs, in one language.

    A system's own words for a question stand in its texts under ``ask.<rule>.<subject>`` or
    ``ask.<rule>``; those of a list of words under the list's label, those of a sheet's parts under
    ``part.<name>``.

    folders: the texts of the door through which the game is played: the commands', the pages'.
    people:  what the players are called, over the names that the system gives their seats.
    state:   how the game stands, whose names are used; None: as it began.
    """

    def __init__(
        self, header: Header, lang: str, folders: Sequence[Path] = (), people: Names | None = None,
        *, state: Any = None,
    ) -> None:  # fmt: skip
        self.lang = lang
        self._people = people
        self._folders = tuple(folders)
        self._texts = texts_of(*folders)
        self._names: Names = {}
        self._with: Mapping[str, Any] = {}
        """Data of the text that asks."""
        self._settled: Request | None = None
        """The question, if it was the umpire's and seats settle it."""
        self._rules = ANY_RULES
        """Those by which the system that asks plays."""
        self.voice = Voice(header, lang, people, state)
        self._book: Book = self.voice.own

    def turn_to_seat(self, game: Game, seat: str) -> None:
        """Speak with the names that a seat knows at this moment."""
        names = names_of(game.system, game.state, self.lang, self._people)
        self._names = self._with_own(game.runner, seat, names)
        self.voice = Voice(game.header, self.lang, self._names, game.state)
        self._book = self.voice.book(game.system.name)

    def turn_to(self, game: Game, key: Key) -> None:
        """Speak of a question: with the names of this moment, as the system that asks does."""
        if key.rule == WISH:
            self.turn_to_seat(game, key.seat)
            return
        runner, pending = game.runner.find(key)
        self._settled = pending if isinstance(pending, Request) and pending.ask.agree else None
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
        self._rules = runner.rules
        asked_with = runner.system.asked_with
        self._with = asked_with(runner.state, *runner.asking, self.lang) if asked_with else {}

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

    def sentence(self, key: str, /, **data: Any) -> str | None:
        """A text of the system that asks, filled in; None if it has none."""
        return self._book.say(key, **data) if self._book.has(key) else None

    def label(self, family: str, word: Any) -> str:
        """A word of a family of texts, or the word itself where no text has it.

        A family may be narrowed by points: what ``offer.A3`` does not say, ``offer`` does.
        """
        said = str(word).lower() if isinstance(word, bool) else str(word)
        while family:
            for book in (self._book, self.voice.own):
                if book.has(f"{family}.{said}"):
                    return book.say(f"{family}.{said}")
            family = family.rpartition(".")[0]
        return said

    def who(self, seat: str) -> str:
        """A seat by its name, with the person who plays it: Rome (Ann)."""
        return with_player(self.label("seat", seat), self._names.get("player", {}).get(seat, ""))

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

    def fact(self, fact: Fact) -> str:
        """What is told beside an option, by the system that asks or by a text of them all.

        Nothing, where a chance in it takes too long to work out.
        """
        key = f"fact.{fact.key}"
        try:
            data = figures_told(fact.data, self._rules, self.lang)
        except TooLarge:
            return ""
        said = self.sentence(key, **data)
        return unbroken(self.say(key, **data) if said is None else said)

    def terms(self, said: str) -> list[tuple[str, str]]:
        """The terms of the system that asks which stand in a text, each with what it means.

        ``term.<rule>`` names the terms that a rule of the ledger explains, parted by commas;
        ``term.<word>`` those that ``term_told.<word>`` does.  Number and accents do not matter.
        """
        stems, found = _stems(said), []
        for word, names in _terms(self._book.system.name, self.lang):
            if here := [each for each in names if _stems(each) in stems]:
                told = self.label("term_told", word)
                found.append((", ".join(here), self.rule_text(word) if told == word else told))
        return found

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
        if key.rule == WISH:
            return self.say("ask.wishes_head", who=who, when=when)
        rule, title = key.rule.partition("/")[0], self.title(key.rule)
        return self.say("ask.head", who=who, when=when, rule=rule, title=title)

    def question(self, key: Key) -> str:
        """What is asked, as the system puts it; nothing if it leaves that to the rule's title.

        A question that seats settle in the umpire's place says so.
        """
        if key.rule == WISH:
            return self.say("ask.wishes")
        asked, request = self._asked(key), self._settled
        if request is None or request.keys.get(key.seat) != key:
            return asked
        otherwise = told(request.options(key.seat), request.otherwise(key.seat), self)
        return f"{asked} {self.say('ask.settled', otherwise=otherwise)}".lstrip()

    def warning(self, rule: str, word: str) -> str:
        """Why an answer may hurt its seat (`Request.warning`), and whether it is meant."""
        return self._book.say(f"warn.{rule}.{word}") if word else ""

    def _asked(self, key: Key) -> str:
        for text in (f"ask.{key.rule}.{key.subject}", f"ask.{key.rule}"):
            if self._book.has(text):
                try:
                    return self._book.say(text, subject=key.subject, **self._with)
                except MissingText:
                    continue
        return ""

    def recalled(self, key: Key, events: Iterable[Event]) -> list[str]:
        """What befell the seat asked and is told again at its question: the events for which the
        system that asks has a text ``recalled.<asking rule>.<rule>.<kind>``, with their `turn`."""
        told = []
        for event in events:
            text = f"recalled.{key.rule}.{event.rule}.{event.kind}"
            if event.data.get("seat") == key.seat and self._book.has(text):
                told.append(self._book.say(text, **{**event.data, "turn": event.outer_period}))
        return [said for said in told if said]

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
