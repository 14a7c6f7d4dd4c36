"""The rules of a book as a reader finds them: chapters in the book's order, tables, cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.rule_ledger import CASES, LedgerRow, cases_in, is_rule_id
from polemarque.kernel.files.sentence_templates import figure, in_line, plainly, signed
from polemarque.kernel.files.table_files import Page, pages_of
from polemarque.kernel.files.texts import MissingText
from polemarque.kernel.system import Choice, Rulebook, find_rulebook
from polemarque.odds.inputs import faces_typed, read_value
from polemarque.report.case_files import Case, CaseError, read_cases, rule_of, split
from polemarque.report.documents.document import Table
from polemarque.report.labels import Book, ledger_of


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


def written_at(name: str, row: LedgerRow) -> str:
    """The dotted name of what plays a rule, "" where nothing of its own does."""
    return f"{find_rulebook(name).package}.{row.code}" if row.code else ""


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


# Tables ------------------------------------------------------------------------------------------

_ROWS = re.compile(r"^rows\s*=", re.MULTILINE)

Label = Callable[[str], str]
"""What a column is called: ``loot``, and ``total`` for what is looked up, ``modifiers``."""


@cache
def _pages(name: str) -> Mapping[str, tuple[Page, ...]]:
    """The sound tables of a book by rule; maps and lists of the same folder are passed over."""
    found: dict[str, tuple[Page, ...]] = {}
    for path in sorted(find_rulebook(name).data.glob("*.toml")):
        # Maps and lists stand in the same folder, some of them long: what has no rows is not read.
        if path.name.startswith("texts.") or not _ROWS.search(path.read_text(encoding="utf-8")):
            continue
        for page in pages_of(path)[0]:
            rows = isinstance(page.content.get("rows"), list)
            if rows and is_rule_id(page.rule) and not page.findings:
                found[page.rule] = (*found.get(page.rule, ()), page)
    return found


def has_tables(name: str, rule: str) -> bool:
    """Whether a rule uses any table."""
    return rule in _pages(name)


def tables_of(name: str, rule: str, lang: str, label: Label) -> list[Table]:
    """The tables that a rule uses.

    label: says what columns are called.  Words of the cells are said as the system says them.
    """
    return [_Setting(name, lang, label).table(page) for page in _pages(name).get(rule, ())]


class _Setting:
    """A table being set in one language."""

    def __init__(self, name: str, lang: str, label: Label) -> None:
        self._book = book_of(name, lang)
        self._lang = lang
        self._label = label

    def table(self, page: Page) -> Table:
        """One table, whichever way it is read."""
        return self._matrix(page) if page.is_matrix else self._rows(page)

    def _rows(self, page: Page) -> Table:
        """A table read by a total."""
        rows = page.rows()
        words = page.words()
        columns = list(dict.fromkeys(column for row in rows for column in row.cells))
        head = (self._roll(page), *(self._label(column) for column in columns))
        said = tuple(
            (
                row.span.replace("-", "−"),
                *(self._cell(row.cells.get(c, ""), words.get(c, "")) for c in columns),
            )
            for row in rows
        )
        return Table(head, said, in_line(self._modifiers(page), self._lang))

    def _roll(self, page: Page) -> str:
        """What is looked up, in the reader's words where the system has them."""
        key = f"{page.rule}.roll"
        try:
            if self._book.has(key):
                return self._book.say(key)
        except MissingText:
            pass
        return page.text("roll") or page.text("die") or self._label("total")

    def _modifiers(self, page: Page) -> Iterator[str]:
        for part in page.adjustments:
            said = self._word("modifier", part.when)
            each = f" {self._label('each')}" if part.each else ""
            yield f"{said} {signed(part.amount)}{each}"

    def _matrix(self, page: Page) -> Table:
        """A table read by two words."""
        words, content = page.words(), page.content
        rows = [str(row) for row in content["rows"]]
        columns = [str(column) for column in content.get("columns", ())]
        head = ("", *(self._word(words.get("columns", ""), column) for column in columns))
        said = tuple(
            (
                self._word(words.get("rows", ""), row),
                *(self._square(content["cells"].get(row, {}).get(c, ""), words) for c in columns),
            )
            for row in rows
        )
        return Table(head, said)

    def _square(self, value: Any, words: Mapping[str, str]) -> str:
        if not isinstance(value, Mapping):
            return self._cell(value, words.get("cell", ""))
        parts = []
        for name, part in value.items():
            said = self._cell(part, words.get(name, ""))
            parts.append(said if words.get(name) else f"{self._label(name)} {said}")
        return ", ".join(parts)

    def _cell(self, value: Any, family: str) -> str:
        if isinstance(value, bool):
            return self._label("true" if value else "false")
        if isinstance(value, (list, tuple)):
            return ", ".join(self._cell(part, family) for part in value)
        if isinstance(value, int):
            return figure(value)
        return self._word(family, str(value)) if value != "" else ""

    def _word(self, family: str, word: str) -> str:
        """A word of a family of the system's texts, readable where there is none."""
        key = f"{family}.{word}"
        try:
            if family and self._book.has(key):
                return self._book.say(key, n=1)
        except MissingText:
            pass
        return self._label(word)


# Cases -------------------------------------------------------------------------------------------

# They are the very files that the tests run.  The book of a stranger may have none.

PACKAGE = Path(__file__).resolve().parents[1]
SOURCES = PACKAGE.parents[1]
"""The checkout, where the package is not an installed one."""


def cases_of(book: str, rule: str) -> tuple[Case, ...]:
    """The cases of a rule, in the order of their files; none where they did not come along."""
    files = _index(book).get(rule, ())
    return tuple(case for path in files for case in _read(path) if case.rule == rule)


def cases_here(book: str) -> bool:
    """Whether the cases of a book came along at all."""
    return bool(_index(book))


@cache
def _index(book: str) -> dict[str, tuple[Path, ...]]:
    """The files in which each rule has cases."""
    found: dict[str, dict[Path, None]] = {}
    for path in case_files(book):
        for case in cases_in(path):
            found.setdefault(rule_of(case), {})[path] = None
    return {rule: tuple(paths) for rule, paths in found.items()}


@cache
def _read(path: Path) -> tuple[Case, ...]:
    try:
        return tuple(read_cases(path))
    except CaseError:
        return ()  # a stranger's, to whom `polemarque cases` says what is wrong


def case_files(book: str) -> list[Path]:
    """The case files of a book: of ours those shipped, or in a checkout those of its tests.

    A stranger's lie in ``cases``, beside the folder of the system's data.
    """
    packed = sorted((PACKAGE / "cases" / book).glob(f"*{CASES}"))
    if packed:
        return packed
    found = find_rulebook(book)
    data = found.data
    beside = sorted((data.parent / "cases").glob(f"*{CASES}")) if data.parts else []
    if beside:
        return beside
    room, *rooms = found.package.split(".")
    tests = SOURCES.joinpath("tests", *rooms, "cases")
    return sorted(tests.glob(f"*{CASES}")) if room == PACKAGE.name else []


def pairs_of(text: str) -> dict[str, Any] | None:
    """NAME=VALUE, several times, names perhaps with dots; None if something else is written."""
    found: dict[str, Any] = {}
    for word in split(text):
        name, equals, value = word.partition("=")
        if not equals or not name.replace(".", "").isidentifier():
            return None
        try:
            found[name] = read_value(name, value)
        except NotUnderstood:
            return None
    return found


class Question(msgspec.Struct, frozen=True):
    """What a case asks, where one rule is asked alone: to be asked again."""

    rule: str
    inputs: dict[str, Any]
    options: dict[str, Any]
    faces: tuple[int, ...]


def question_of(case: Case) -> Question | None:
    """What a case asks of a rule alone; None where a game is played, or the asking is refused."""
    verbs = {step.verb for step in case.steps}
    if not verbs <= {"asks", "given", "option", "dice", "expect"} or not verbs & {"given", "dice"}:
        return None
    inputs: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for step in case.steps:
        if step.verb in {"given", "option"}:
            read = pairs_of(step.text)
            if read is None:
                return None
            (inputs if step.verb == "given" else options).update(read)
    dice = " ".join(step.text for step in case.of("dice"))
    numbers = [word for word in dice.replace(",", " ").split() if word[0].isdigit()]
    rule = next((step.text for step in case.of("asks")), case.rule)
    try:
        return Question(rule, inputs, options, tuple(faces_typed(" ".join(numbers))))
    except NotUnderstood:
        return None
