"""Plain data as indented lines: what a seat sees where nothing draws it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from polemarque.kernel.files.texts import MissingText
from polemarque.report.labels import NAMED, Book


def outlined(value: Any, book: Book) -> Iterator[str]:
    """Lines for a value of any type that can be written as JSON.

    Fields are called by the family "view" of the system's texts.  A word is looked up in the family
    of its field and in that of the field around it, then as a seat or a place; one without any text
    is printed as it is, with blanks for underscores.
    """
    return _Outline(book).lines(msgspec.to_builtins(value), (), 0)


class _Outline:
    def __init__(self, book: Book) -> None:
        self.book = book

    def lines(self, value: Any, within: tuple[str, ...], depth: int) -> Iterator[str]:
        """within: the names of the last two fields around the value, the inner one first."""
        margin = "  " * depth
        if isinstance(value, Mapping):
            for name, part in value.items():
                around = (str(name), *within[:1])
                yield from self._entry(f"{margin}{self._head(name, within)}", part, around, depth)
        elif isinstance(value, (list, tuple)):
            for part in value:
                if isinstance(part, Mapping) and not any(map(_deep, part.values())):
                    yield f"{margin}- {self._row(part, within)}"
                else:
                    yield from self._entry(f"{margin}-", part, within, depth)
        else:
            yield f"{margin}{self._said(value, within)}"

    def _entry(self, head: str, part: Any, within: tuple[str, ...], depth: int) -> Iterator[str]:
        if not _deep(part) or not part:
            yield f"{head} {self._said(part, within)}"
        elif isinstance(part, Mapping) or any(map(_deep, part)):
            yield head
            yield from self.lines(part, within, depth + 1)
        else:
            yield f"{head} {', '.join(self._said(each, within) for each in part)}"

    def _row(self, part: Mapping[Any, Any], within: tuple[str, ...]) -> str:
        """A record of plain values on one line."""
        return ", ".join(
            f"{self._head(name, within)} {self._said(each, (str(name), *within[:1]))}"
            for name, each in part.items()
        )

    def _head(self, name: Any, within: tuple[str, ...]) -> str:
        return self.book.say("ask.field", name=self._called(str(name), ("view", *within)))

    def _said(self, value: Any, within: tuple[str, ...]) -> str:
        if value is None or value in ("", [], {}):
            return "-"
        if isinstance(value, bool):
            return self.book.say(f"ask.{str(value).lower()}")
        return self._called(value, within) if isinstance(value, str) else str(value)

    def _called(self, word: str, families: tuple[str, ...]) -> str:
        for family in (*families, *NAMED):
            if self.book.has(f"{family}.{word}"):
                try:
                    return self.book.say(f"{family}.{word}")
                except MissingText:  # a text of something else, with blanks to fill
                    continue
        return word.replace("_", " ")


def _deep(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple))
