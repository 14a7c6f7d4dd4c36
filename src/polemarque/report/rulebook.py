"""The rules of a book as a reader finds them: chapter by chapter, in the book's order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

import msgspec

from polemarque.kernel.ledger import Row, package_of
from polemarque.kernel.system import Choice, Rulebook, find_rulebook
from polemarque.report.answers import plainly
from polemarque.report.book import Book, ledger_of


class Chapter(msgspec.Struct, frozen=True):
    """Rules that stand together.

    id: what their ids begin with, such as ``AT-9`` or ``MN-F``.
    """

    id: str
    rules: tuple[str, ...]


class Variant(msgspec.Struct, frozen=True):
    """An option of a system in the reader's words.

    values: each word that may be chosen, as it is written and as it is read, the default first;
            of a number, none.   low, high: of a number.
    """

    name: str
    rule: str
    title: str
    default: str
    values: tuple[tuple[str, str], ...] = ()
    low: int = 0
    high: int = 0

    @property
    def number(self) -> bool:
        """Whether a number is chosen."""
        return not self.values


def chapter_of(rule: str) -> str:
    """The chapter of a rule: ``AT-9`` of AT-9.5, ``MN-F`` of MN-F3, ``PA`` of PA-6."""
    book, _, paragraph = rule.partition("-")
    head, dot, _ = paragraph.partition(".")
    if not dot:
        head = head.rstrip("0123456789")
    return f"{book}-{head}" if head else book


@cache
def chapters_of(name: str) -> tuple[Chapter, ...]:
    """The chapters of a book.  Raises NotUnderstood if there is no such book."""
    chapters: dict[str, list[str]] = {}
    for rule in ledger_of(name):
        chapters.setdefault(chapter_of(rule), []).append(rule)
    return tuple(
        Chapter(chapter, tuple(sorted(rules, key=_number))) for chapter, rules in chapters.items()
    )


def _number(rule: str) -> tuple[int, ...]:
    """Numbers of a rule's id: within a chapter they are the book's order."""
    return tuple(int(number) for number in re.findall(r"\d+", rule))


@cache
def book_of(name: str, lang: str) -> Book:
    """The words of a book, with nobody's names in them."""
    return Book(find_rulebook(name), lang, {})


def neighbours(name: str, rule: str) -> tuple[str, str]:
    """The rules before and after one, "" where there is none."""
    rules = [each for chapter in chapters_of(name) for each in chapter.rules]
    at = rules.index(rule)
    return rules[at - 1] if at else "", rules[at + 1] if at + 1 < len(rules) else ""


def written_at(name: str, row: Row) -> str:
    """The dotted name of what plays a rule, "" where nothing of its own does."""
    return f"{package_of(find_rulebook(name))}.{row.code}" if row.code else ""


# Search ------------------------------------------------------------------------------------------


def matching(name: str, lang: str, wanted: str) -> tuple[Chapter, ...]:
    """The chapters of a book with those rules alone whose id begins so, or that hold all words."""
    chapters = chapters_of(name)
    words = plainly(wanted).split()
    if not words:
        return chapters
    found = _found(name, lang)
    kept = [
        Chapter(chapter.id, tuple(r for r in chapter.rules if _matches(words, r, found[r])))
        for chapter in chapters
    ]
    return tuple(chapter for chapter in kept if chapter.rules)


def _matches(words: Iterable[str], rule: str, text: str) -> bool:
    name = rule.casefold()
    return all(word in text or _begins(name, word) for word in words)


def _begins(name: str, word: str) -> bool:
    """Whether a rule's id is meant: AT-9 means AT-9.5, and AT-9.1 does not mean AT-9.12."""
    return name == word or (name.startswith(word) and not (word[-1] + name[len(word)]).isdigit())


@cache
def _found(name: str, lang: str) -> dict[str, str]:
    """What is searched, by rule."""
    return {
        rule: plainly(f"{row.title.get(lang, '')} {row.text.get(lang, '')}")
        for rule, row in ledger_of(name).items()
    }


# Variants ----------------------------------------------------------------------------------------


def variants_of(book: Rulebook, rule: str, lang: str) -> Iterator[Variant]:
    """The options by which a rule can be read in more than one way."""
    for choice in book.options:
        if choice.rule == rule:
            yield variant(book, choice, lang)


def variant(book: Rulebook, choice: Choice, lang: str) -> Variant:
    """An option in the reader's words."""
    words = book_of(book.name, lang)
    title = words.option(choice.name)
    if choice.number:
        low, high = choice.values
        return Variant(choice.name, choice.rule, title, str(choice.default), (), low, high)
    said = tuple((str(v), words.option_value(choice.name, v)) for v in choice.values)
    return Variant(choice.name, choice.rule, title, str(choice.default), said)
