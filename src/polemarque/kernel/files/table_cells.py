"""The cells of the tables: from words and numbers of a file to the frozen rows a rule reads."""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from polemarque.kernel.files.decoding import convert
from polemarque.kernel.files.findings import Datum, Step
from polemarque.kernel.files.table_files import BOUNDS, Page
from polemarque.kernel.files.texts import LANGUAGES, Catalogue

_WRONG = (msgspec.ValidationError, ValueError, ArithmeticError)
_EXPECTED = re.compile(r"Expected `(?P<expected>.+?)`, got `")


def read_cells(page: Page, cells: dict[str, Any], row_type: type[Any], *steps: Step) -> Any:
    """The cells of one row as a `row_type`; None after noting what is wrong with them.

    Codes: ``table.unknown_cell`` (cell, known), ``table.missing_cell`` (cell),
    ``table.bad_cell`` (cell, value, expected: a word of the family `kind`),
    ``table.bad_word`` (cell, value, known), ``table.bad_row`` (message: what the row
    type says).
    """
    fields = {field.encode_name: field for field in msgspec.structs.fields(row_type)}
    before = len(page.findings)
    for name in cells:
        if name not in fields:
            known = ", ".join(fields)
            page.fault("table.unknown_cell", *steps, name, cell=name, known=known)
    for name, field in fields.items():
        if name in cells:
            read_value(page, cells[name], field.type, *steps, name)
        elif field.required:
            page.fault("table.missing_cell", *steps, cell=name)
    if len(page.findings) > before:
        return None
    try:
        return convert(cells, row_type, hook=_fraction)
    except _WRONG as error:
        page.fault("table.bad_row", *steps, message=str(error))
        return None


def read_value(page: Page, value: Any, wanted: Any, *steps: Step) -> Any:
    """One cell as a `wanted`; None after noting that it is none."""
    try:
        return convert(value, wanted, hook=_fraction)
    except _WRONG as error:
        data: dict[str, Datum] = {"cell": str(steps[-1]), "value": str(value)}
        words = words_of(wanted)
        if words and isinstance(value, str):
            page.fault("table.bad_word", *steps, **data, known=", ".join(words))
            return None
        page.fault("table.bad_cell", *steps, **data, expected=_kind(wanted, str(error)))
        return None


def read_axis(page: Page, axis: str) -> tuple[str, ...]:
    """The words along one side.  Codes: ``matrix.no_words`` (axis), ``matrix.repeated`` (word)."""
    words = page.content.get(axis)
    if not isinstance(words, list) or not words or not all(isinstance(w, str) for w in words):
        page.fault("matrix.no_words", axis, axis=axis)
        return ()
    for number, word in enumerate(words):
        if word in words[:number]:
            page.fault("matrix.repeated", axis, number, word=word)
    return tuple(words)


def read_squares(
    page: Page, rows: Sequence[str], columns: Sequence[str], cell_type: Any
) -> dict[str, dict[str, Any]]:
    """The cells by row and column.

    Codes: ``matrix.unknown_row`` and ``matrix.unknown_column`` (word, known),
    ``matrix.missing`` (row, column), ``matrix.no_cells`` (row), and those of the cells.
    """
    given = page.content["cells"]
    found: dict[str, dict[str, Any]] = {}
    if not isinstance(given, dict):
        page.fault("matrix.no_cells", "cells", row="")
        return found
    for row, line in given.items():
        if row not in rows:
            known = ", ".join(rows)
            page.fault("matrix.unknown_row", "cells", row, word=row, known=known)
        elif not isinstance(line, dict):
            page.fault("matrix.no_cells", "cells", row, row=row)
        else:
            found[row] = _line(page, row, line, columns, cell_type)
    for row in rows:
        for column in columns:
            if column not in found.get(row, {}):
                page.fault("matrix.missing", "cells", row, row=row, column=column)
    return found


def words_of(wanted: Any) -> tuple[str, ...]:
    """The words that a cell of this type may hold; () if it is not a type of words."""
    if get_origin(wanted) is Literal:
        return tuple(word for word in get_args(wanted) if isinstance(word, str))
    if get_origin(wanted) in {Union, types.UnionType}:
        return tuple(word for part in get_args(wanted) for word in words_of(part))
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return tuple(member.value for member in wanted if isinstance(member.value, str))
    return ()


def word_columns(row_type: type[Any]) -> tuple[str, ...]:
    """The columns of a row type that hold words."""
    if not _is_struct(row_type):
        return ()
    fields = msgspec.structs.fields(row_type)
    return tuple(field.encode_name for field in fields if words_of(field.type))


def check_row_type(row_type: type[Any]) -> None:
    """Raises TypeError unless it is a frozen Struct without a cell named as a bound."""
    if not issubclass(row_type, msgspec.Struct) or not row_type.__struct_config__.frozen:
        raise TypeError(f"{row_type.__name__}: the rows of a table are frozen Structs")
    taken = BOUNDS & {field.encode_name for field in msgspec.structs.fields(row_type)}
    if taken:
        raise TypeError(f"{row_type.__name__}: {', '.join(sorted(taken))} say where a row stands")


def check_words(page: Page, columns: Iterable[str], catalogue: Catalogue | None) -> None:
    """Note words that cannot be translated.

    columns: those that hold words.  Codes: ``table.no_family`` (cell: `words` does not say which
    family of texts translates the column), ``table.no_column`` (cell: `words` names a column
    that no row has), ``table.no_text`` (key, language).
    """
    families = page.words()
    for column in columns:
        if column not in families:
            page.fault("table.no_family", "words", cell=column)
    special = {"rows", "columns"} if page.is_matrix else {"when"}
    present = special.union(*(cells for _, cells in _all_cells(page)))
    for column in families:
        if column not in present:
            page.fault("table.no_column", "words", column, cell=column)
    if catalogue is None:
        return
    for key, steps in _keys(page, families):
        for language in LANGUAGES:
            if not catalogue.has(language, key):
                page.fault("table.no_text", *steps, key=key, language=language)


def _line(
    page: Page, row: str, line: dict[str, Any], columns: Sequence[str], wanted: Any
) -> dict[str, Any]:
    found = {}
    for column, value in line.items():
        steps = ("cells", row, column)
        if column not in columns:
            known = ", ".join(columns)
            page.fault("matrix.unknown_column", *steps, word=column, known=known)
        elif wanted is None:
            found[column] = value
        elif isinstance(value, dict) and _is_struct(wanted):
            found[column] = read_cells(page, value, wanted, *steps)
        else:
            found[column] = read_value(page, value, wanted, *steps)
    return found


def _kind(wanted: Any, message: str) -> str:
    """The kind of value that was expected, a word of the text family `kind`."""
    said = _EXPECTED.match(message)
    kind = said["expected"].split(" ")[0] if said else ""
    if kind in {"str", "int", "bool", "float", "array", "object"}:
        return kind
    return "fraction" if wanted is Fraction else "other"


def _is_struct(wanted: Any) -> bool:
    return isinstance(wanted, type) and issubclass(wanted, msgspec.Struct)


def _keys(page: Page, families: dict[str, str]) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Every text key that the table needs, and where the need stands."""
    if page.text("roll"):
        yield f"{page.rule}.roll", ("roll",)
    reasons = families.get("when", f"{page.rule}.when")
    for number, adjustment in enumerate(page.adjustments):
        yield f"{reasons}.{adjustment.when}", ("modifiers", number)
    for steps, cells in _all_cells(page):
        for column, value in cells.items():
            if families.get(column) and isinstance(value, str):
                yield f"{families[column]}.{value}", (*steps, column)
    for axis in ("rows", "columns"):
        listed = page.content.get(axis) if page.is_matrix and families.get(axis) else None
        for number, word in enumerate(listed if isinstance(listed, list) else ()):
            yield f"{families[axis]}.{word}", (axis, number)


def _all_cells(page: Page) -> Iterator[tuple[tuple[Step, ...], dict[str, Any]]]:
    """The cells of every row of a table, or of every square of a matrix."""
    if not page.is_matrix:
        listed = page.content.get("rows")
        for number, row in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(row, dict):
                yield ("rows", number), row
        return
    squares = page.content["cells"]
    for row, line in squares.items() if isinstance(squares, dict) else ():
        for column, square in line.items() if isinstance(line, dict) else ():
            if isinstance(square, dict):
                yield ("cells", row, column), square
            else:
                yield ("cells", row, column), {"cell": square}


def _fraction(wanted: type, value: Any) -> Any:
    """Fractions, which are written as "1/2": the one type that msgspec does not know."""
    if wanted is Fraction and isinstance(value, (int, str)) and not isinstance(value, bool):
        return Fraction(value)
    raise ValueError(f"no {wanted.__name__}: {value!r}")
