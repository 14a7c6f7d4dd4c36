"""The form of a file of tables: which tables and fields it must have, and of which kind.

What checkers of maps and lists have in common.  Codes, with their data, each after a checker's own
prefix, such as ``map.``:

missing_field (field), unknown_field (field), type (field, wanted)  the form of a table
no_table (table)              a table that must be there and is not
duplicate (kind, id, first)   an identifier used twice; `first` is the line of the first use
slug (id)                     an identifier that is not made of a-z, 0-9 and _
translation (id, language)    a name that is missing or empty in a language
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from polemarque.kernel.files.findings import Datum, Finding, Lines, Step
from polemarque.kernel.files.texts import LANGUAGES

Steps = tuple[Step, ...]
Row = dict[str, Any]


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _is_point(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _list_of(good: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(good, value))


def _table_of(good: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(map(good, value.values()))


KINDS: dict[str, Callable[[Any], bool]] = {
    "text": _is_text,
    "yes_no": lambda value: isinstance(value, bool),
    "number": _is_number,
    "whole": lambda value: type(value) is int,
    "point": _is_point,
    "texts": _list_of(_is_text),
    "points": _list_of(_is_point),
    "names": _table_of(_is_text),
    "counts": _table_of(lambda value: type(value) is int),
    "words": _table_of(_is_text),
    "marks": _table_of(_table_of(lambda value: type(value) is int)),
}
"""Kinds of fields.  A kind with a question mark, such as ``text?``, need not be given."""

SLUG = re.compile(r"[a-z][a-z0-9_]*")
"""What an identifier is made of."""


def held(content: Mapping[str, Any], name: str, marks: frozenset[str]) -> dict[str, Any]:
    """The map or list that a set-up holds under a name; {} if nothing there looks like one.

    marks: tables of which such a file has at least one.
    """
    table = content.get(name)
    return table if isinstance(table, dict) and not marks.isdisjoint(table) else {}


class Forms:
    """Looks at the tables of one file; fields of a wrong kind are reported once and then left.

    A checker of a kind of file says in its class what it wants:

    prefix:     the beginning of its codes.
    fields:     kind of each field, by table.
    head:       the table that stands once, not in a row; "" for none.
    required:   tables that must be there.
    identifier: the field by which the rows of a table are told apart.
    languages:  those in which a name of a table must be given, where not the program's own.

    within: where what it looks at stands in its file, such as ("map",) in a set-up.
    """

    prefix: ClassVar[str]
    fields: ClassVar[Mapping[str, Mapping[str, str]]]
    head: ClassVar[str] = "map"
    required: ClassVar[tuple[str, ...]] = ()
    identifier: ClassVar[str] = "id"
    languages: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    def __init__(self, file: str, content: dict[str, Any], text: str, within: Steps = ()) -> None:
        self.file, self.content, self.lines, self.within = file, content, Lines(text), within

    def fault(self, code: str, /, *steps: Step, place: str = "", **data: Datum) -> Finding:
        """A finding, put where the steps lead in the file."""
        return Finding(self.file, self.line(*steps), place, code, data)

    def line(self, *steps: Step) -> int:
        """The line of the file to which the steps lead."""
        return self.lines.of(*self.within, *steps)

    def rows(self, table: str) -> list[Row]:
        """The tables of one kind; [] if there are none of the right form."""
        given = self.content.get(table, [])
        if table == self.head:
            return [given] if isinstance(given, dict) and given else []
        rows = given if isinstance(given, list) else []
        return [row if isinstance(row, dict) else {} for row in rows]

    def good(self, table: str, row: Row, field: str) -> Any:
        """The value of a field, or None if it is missing or of the wrong kind."""
        value = row.get(field)
        kind = self.fields[table][field].removesuffix("?")
        return value if field in row and KINDS[kind](value) else None

    def tables(self) -> Iterator[tuple[str, Row, Steps, str]]:
        """Every table: its kind, content, steps and what findings call it."""
        for kind, fields in self.fields.items():
            if kind == self.head:
                yield from ((kind, row, (kind,), kind) for row in self.rows(kind))
                continue
            for number, row in enumerate(self.rows(kind)):
                key = self.good(kind, row, self.identifier) if self.identifier in fields else None
                yield kind, row, (kind, number), f"{kind} {key or number + 1}"

    def form(self) -> Iterator[Finding]:
        """Tables and fields that are missing, unknown or of the wrong kind."""
        for table in self.required:
            if not self.rows(table):
                yield self.fault(f"{self.prefix}.no_table", table, table=table)
        for table in self.content:
            if table not in self.fields:
                yield self.fault(f"{self.prefix}.unknown_field", table, field=table)
        for kind, row, steps, place in self.tables():
            for field, wanted in self.fields[kind].items():
                if field not in row:
                    if not wanted.endswith("?"):
                        yield self.fault(
                            f"{self.prefix}.missing_field", *steps, place=place, field=field
                        )
                elif not KINDS[wanted.removesuffix("?")](row[field]):
                    data: dict[str, Datum] = {"field": field, "wanted": wanted.removesuffix("?")}
                    yield self.fault(f"{self.prefix}.type", *steps, field, place=place, **data)
            for field in row:
                if field not in self.fields[kind]:
                    yield self.fault(
                        f"{self.prefix}.unknown_field", *steps, field, place=place, field=field
                    )

    def identifiers(self, *together: str) -> Iterator[Finding]:
        """Identifiers that are used twice or that no link could hold.

        together: tables that may not share an identifier with one another either.
        """
        first: dict[tuple[str, str], Steps] = {}
        for kind, row, steps, place in self.tables():
            if self.identifier not in self.fields[kind]:
                continue
            if (name := self.good(kind, row, self.identifier)) is None:
                continue
            if not SLUG.fullmatch(name):
                yield self.fault(
                    f"{self.prefix}.slug", *steps, self.identifier, place=place, id=name
                )
            family = together[0] if kind in together else kind
            if (before := first.setdefault((family, name), steps)) != steps:
                line = self.line(*before, self.identifier)
                data: dict[str, Datum] = {"kind": kind, "id": name, "first": line}
                yield self.fault(
                    f"{self.prefix}.duplicate", *steps, self.identifier, place=place, **data
                )

    def names(self) -> Iterator[Finding]:
        """Names that are missing in a language."""
        for kind, row, steps, place in self.tables():
            for field, wanted in self.fields[kind].items():
                if wanted.removesuffix("?") != "names":
                    continue
                if (names := self.good(kind, row, field)) is None:
                    continue
                for lang in self.languages.get(kind, LANGUAGES):
                    if not names.get(lang, "").strip():
                        said = row.get(self.identifier, place)
                        data: dict[str, Datum] = {"id": said, "language": lang}
                        code = f"{self.prefix}.translation"
                        yield self.fault(code, *steps, field, place=place, **data)
