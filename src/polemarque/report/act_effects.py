"""What an umpire's act changes, in the reader's words as far as a system's texts have them.

``view.<field>``            what a field of a view is called
``word.<field>``            of what vocabulary its words are, "{word:terrain}", where that family is
                            not called as the field itself; a dictionary's keys are words as well
``word.<parent>.<field>``   the same, for the field in one place only; it goes first

A word that is in none of them is a seat, a place, somebody (see `NAMED`), a rule, or stays as it
is.  In a word of parts, ``temple:war``, each part is the field of the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from polemarque.kernel.acts import Difference
from polemarque.kernel.files.sentence_templates import figure
from polemarque.kernel.files.texts import MissingText
from polemarque.kernel.game import Game
from polemarque.kernel.run import Runner
from polemarque.kernel.system import system_names
from polemarque.report.labels import Book, Names, merged, names_of
from polemarque.report.narrator import Voice

OPTIONS = ("options", "coming")
"""Fields that hold options by name: those of a game, and those that change with its next turn."""

COMPOSED = re.compile(r"[\w-]+(:[\w-]+)+")
"""A word of several parts, and no sentence."""


@dataclass(frozen=True)
class ChangedFigure:
    """A figure that changes.   before, after: "" where there was, or will be, nothing."""

    what: str
    before: str
    after: str


@dataclass(frozen=True)
class Group:
    """What changes for a seat, or for all of them.   more: rows that are left out."""

    seat: str
    rows: Sequence[ChangedFigure]
    more: int = 0


class Teller:
    """Tells differences between views in one language, with the names of a game as it stands.

    people: what the players are called, over the names that the system gives their seats.
    most:   at most this many rows are told of a group.
    """

    def __init__(self, game: Game, lang: str, people: Names | None, most: int) -> None:
        self._most = most
        self._begun: Mapping[str, Book] = {}
        names = names_of(game.system, game.state, lang, people)
        voice = Voice(game.header, lang, names, game.state)
        self._voice, self._own = voice, voice.own
        self._books = {
            runner.path: _book(voice, runner, lang, names) for runner in game.runner.within()
        }

    def groups(
        self, changes: Mapping[str, Sequence[Difference]], names: Mapping[str, str]
    ) -> list[Group]:
        """What changes for everybody, then what changes for each seat beside that."""
        changes = {seat: _unfilled(differences) for seat, differences in changes.items()}
        self._begun = self._begun_battles([one for each in changes.values() for one in each])
        each = list(changes.values())
        common = [one for one in each[0] if all(one in other for other in each[1:])] if each else []
        shared = common if len(each) > 1 else []
        found = [self._group(self._own.say("difference.everybody"), shared)] if shared else []
        for seat, differences in changes.items():
            own = [one for one in differences if one not in shared]
            if own:
                found.append(self._group(names.get(seat, seat), own))
        return found

    def _group(self, who: str, differences: Sequence[Difference]) -> Group:
        rows = [self._row(one) for one in differences[: self._most]]
        return Group(who, rows, max(0, len(differences) - self._most))

    def _row(self, one: Difference) -> ChangedFigure:
        candidates = (self._books.get(one.path), self._begun.get(one.path), self._own)
        books = [book for book in candidates if book is not None]
        fields: list[str] = []
        where = [self._step(books, fields, step) for step in one.place.split(".") if step]
        if one.path:
            where.insert(0, self._own.say("difference.in_battle", battle=one.path))
        before, after = (self._value(books, fields, each) for each in (one.before, one.after))
        return ChangedFigure(" · ".join(where), before, after)

    def _begun_battles(self, differences: Sequence[Difference]) -> dict[str, Book]:
        """By path, the book of a battle that only the act begins: its system is not at hand, but
        is the one whose views have most of those fields."""
        fields: dict[str, set[str]] = {}
        for one in differences:
            if one.path and one.before is None:
                fields.setdefault(one.path, set()).update(one.place.split("."))
        books = [self._voice.book(name) for name in system_names(hidden=True)]
        return {
            path: max(books, key=lambda book: sum([book.has(f"view.{each}") for each in steps]))
            for path, steps in fields.items()
        }

    def _step(self, books: Sequence[Book], fields: list[str], step: str) -> str:
        """One step of the place where a figure stands: a field, or whom it is of.

        fields: those that the steps before have named; this one is put to them.
        """
        if fields and fields[-1] in OPTIONS:
            fields.append(step)
            return next((said for book in books if (said := book.option(step)) != step), step)
        for book in books:
            if book.has(f"view.{step}"):
                fields.append(step)
                return book.say(f"view.{step}")
        if step.isdecimal():
            return self._own.say("difference.nth", n=int(step) + 1)
        return self._word(books, fields, step)

    def _value(self, books: Sequence[Book], fields: Sequence[str], value: Any) -> str:
        """A figure; "" where there is none."""
        if value is None or value == "":
            return ""
        if isinstance(value, bool):
            return self._own.say(f"ask.{str(value).lower()}")
        if len(fields) > 1 and fields[-2] in OPTIONS:
            key = f"option.{fields[-1]}.{value}"
            told = next((book.say(key) for book in books if book.has(key)), "")
            if told:
                return told
        if isinstance(value, str):
            return self._word(books, fields, value)
        if isinstance(value, (list, tuple, dict)):  # only what is empty is not told apart
            return self._own.say("difference.none")
        return figure(value) if isinstance(value, int) else msgspec.json.encode(value).decode()

    def _word(self, books: Sequence[Book], fields: Sequence[str], word: str) -> str:
        """A word that stands in a field, or the word itself."""
        said = _known(books, fields, word)
        if said is not None:
            return said
        head, *rest = word.split(":")
        first = _known(books, fields, head) if COMPOSED.fullmatch(word) else None
        if first is None:
            return word
        told = []
        for part in rest:
            told.append(self._word(books, (head,), part))
            head = part
        return self._own.say("difference.composed", first=first, rest=", ".join(told))


def _unfilled(differences: Sequence[Difference]) -> list[Difference]:
    """Differences without those of an empty list or table that fills or empties: its parts say so.

    A place that is empty is a figure of its own, one with something in it is not.
    """
    places = {(one.path, one.place) for one in differences}
    above = {
        (path, ".".join(steps[:n]))
        for path, place in places
        for steps in [place.split(".")]
        for n in range(1, len(steps))
    }
    return [
        one
        for one in differences
        if (one.path, one.place) not in above
        or not any(isinstance(each, (list, tuple, dict)) for each in (one.before, one.after))
    ]


def _book(voice: Voice, runner: Runner, lang: str, names: Names) -> Book:
    """The book of a game, or of a battle inside it with the names of its own."""
    system = runner.system
    if not runner.path or system.names is None:
        return voice.book(system.name)
    return Book(system, lang, merged(names, system.names_inside(runner.state, lang)))


def _known(books: Sequence[Book], fields: Sequence[str], word: str) -> str | None:
    """A word of a field in words, or None."""
    for book in books:
        for key in _keys(fields, word):
            try:
                return book.say(key, word=word)
            except MissingText:  # no such text, or no such word in its vocabulary
                continue
        if (said := book.name(word)) != word:
            return said
    return next((said for book in books if (said := book.title(word))), None)


def _keys(fields: Sequence[str], word: str) -> Iterator[str]:
    """The texts that may tell a word of the last field."""
    if len(fields) > 1:
        yield f"word.{fields[-2]}.{fields[-1]}"
    if fields:
        yield f"word.{fields[-1]}"
        yield f"{fields[-1]}.{word}"
