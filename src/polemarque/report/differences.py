"""What an umpire's act changes, in the reader's words as far as the texts of views have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from polemarque.kernel.differences import Difference
from polemarque.kernel.game import Game
from polemarque.kernel.templates import figure
from polemarque.report.book import Book, Names, names_of
from polemarque.report.voice import Voice


@dataclass(frozen=True)
class Row:
    """A figure that changes.   before, after: "" where there was, or will be, nothing."""

    what: str
    before: str
    after: str


@dataclass(frozen=True)
class Group:
    """What changes for a seat, or for all of them.   more: rows that are left out."""

    seat: str
    rows: Sequence[Row]
    more: int = 0


class Teller:
    """Tells differences between views in one language, with the names of a game as it stands.

    people: what the players are called, over the names that the system gives their seats.
    most:   at most this many rows are told of a group.
    """

    def __init__(self, game: Game, lang: str, people: Names | None, most: int) -> None:
        self._most = most
        names = names_of(game.system, game.state, lang, people)
        voice = Voice(game.header, lang, names, game.state)
        self._own = voice.own
        self._books: dict[str, Book] = {
            runner.path: voice.book(runner.system.name) for runner in game.runner.within()
        }

    def groups(
        self, changes: Mapping[str, Sequence[Difference]], names: Mapping[str, str]
    ) -> list[Group]:
        """What changes for everybody, then what changes for each seat beside that."""
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

    def _row(self, one: Difference) -> Row:
        books = [book for book in (self._books.get(one.path), self._own) if book is not None]
        where = [self._step(books, step) for step in one.place.split(".") if step]
        if one.path:
            where.insert(0, self._own.say("difference.in_battle", battle=one.path))
        return Row(
            " · ".join(where), self._value(books, one.before), self._value(books, one.after)
        )  # fmt: skip

    def _step(self, books: Sequence[Book], step: str) -> str:
        """One step of the place where a figure stands: a field, or whom it is of."""
        for book in books:
            if book.has(f"view.{step}"):
                return book.say(f"view.{step}")
        if step.isdecimal():
            return self._own.say("difference.nth", n=int(step) + 1)
        return self._named(books, step)

    def _named(self, books: Sequence[Book], word: str) -> str:
        return next((said for book in books if (said := book.name(word)) != word), word)

    def _value(self, books: Sequence[Book], value: Any) -> str:
        """A figure; "" where there is none."""
        if value is None or value == "":
            return ""
        if isinstance(value, bool):
            return self._own.say(f"ask.{str(value).lower()}")
        if isinstance(value, str):
            return self._named(books, value)
        if isinstance(value, (list, tuple, dict)):  # only what is empty is not told apart
            return self._own.say("difference.none")
        return figure(value) if isinstance(value, int) else msgspec.json.encode(value).decode()
