"""The tables of a rule as a book sets them, from the very files that the rules look them up in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from polemarque.kernel.ledger import is_rule_id
from polemarque.kernel.system import find_rulebook
from polemarque.kernel.table_files import Page, pages_of
from polemarque.kernel.templates import figure, in_line, signed
from polemarque.kernel.texts import MissingText
from polemarque.report.rulebook import book_of
from polemarque.report.tree import Table

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
