"""Tables as data: what a rule looks up, written by hand, proved whole before it is used.

A table is read by a total::

    rule = "AT-9.5"
    roll = "attack - defence"        # free words; also optional: die = "2D6"
    words = { outcome = "outcome" }  # column -> family of texts that translates its words
    modifiers = [{ when = "forest", amount = 1 }, { when = "bribe", amount = 1, each = true }]
    rows = [
      { from = 5, outcome = "taken", loot = 200 },   # 5 or more
      { from = 1, to = 4, outcome = "undecided" },
      { at = 0, outcome = "beaten" },
      { to = -1, outcome = "crushed" },              # -1 or less
    ]

Rows stand in any order and every total has exactly one: the ends are open, or ``range = [2, 12]``
or a `die` (with the modifiers) says how far totals go.  A matrix is read by two words::

    rule = "AT-8.2"
    rows = ["frontal", "defence"]
    columns = ["frontal", "defence"]
    [cells.frontal]
    frontal = "pitched"              # a word, a number, or an inline table
    defence = "pitched"
    [cells.defence] …

Several share a file under ``[tables."AT-9.5"]``.  What a row holds is a frozen Struct of the
system's: an unknown cell, a missing one and one of another type are all refused.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from polemarque.kernel.files.findings import CheckFailed, Finding, in_order
from polemarque.kernel.files.table_cells import (
    check_row_type,
    check_words,
    read_axis,
    read_cells,
    read_squares,
    word_columns,
    words_of,
)
from polemarque.kernel.files.table_files import Adjustment, Page, pages_of
from polemarque.kernel.files.texts import Catalogue

R = TypeVar("R")

MARGIN = 64
"""How far beyond an open end totals are still looked up directly."""

WIDEST = 4096
"""How many totals are looked up directly; those of wider tables are searched for."""


class TableError(CheckFailed):
    """A table file that cannot be used.  `findings` say why."""


class OffTable(LookupError):
    """A total or a word for which a table has no row: a rule asked what it never should."""

    def __init__(self, rule: str, *asked: object) -> None:
        self.rule, self.asked = rule, asked
        super().__init__(f"{rule}: no row for {' × '.join(map(str, asked))}")


@dataclass(frozen=True, slots=True)
class Band(Generic[R]):
    """A row and the totals it is for, both ends included; None: no end on that side."""

    low: int | None
    high: int | None
    row: R


@dataclass(frozen=True, slots=True, eq=False)
class Table(Generic[R]):
    """A table read by a total.

    bands: its rows from the lowest totals to the highest.
    roll, die: as written, "" if not;  modifiers: those it lists.
    """

    rule: str
    bands: tuple[Band[R], ...]
    roll: str = ""
    die: str = ""
    modifiers: tuple[Adjustment, ...] = ()
    _near: dict[int, R] = field(init=False, repr=False)
    _starts: list[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Spread the rows out, so that looking one up is a matter of one step."""
        ends = [e for band in self.bands for e in (band.low, band.high) if e is not None]
        first = min(ends) - (MARGIN if self.bands[0].low is None else 0)
        last = max(ends) + (MARGIN if self.bands[-1].high is None else 0)
        last = min(last, first + WIDEST)
        near: dict[int, R] = {}
        for band in self.bands:
            low = first if band.low is None else band.low
            high = last if band.high is None else min(band.high, last)
            near.update((total, band.row) for total in range(low, high + 1))
        object.__setattr__(self, "_near", near)
        starts = [band.low for band in self.bands if band.low is not None]
        object.__setattr__(self, "_starts", starts)

    @property
    def span(self) -> tuple[int | None, int | None]:
        """Lowest and highest total with a row; None where that end is open."""
        return self.bands[0].low, self.bands[-1].high

    def row(self, total: int) -> R:
        """The row for `total`.  Raises OffTable beyond an end that is not open."""
        row = self._near.get(total)
        return row if row is not None else self.band(total).row

    def band(self, total: int) -> Band[R]:
        """The row for `total` with the totals it is for, to be shown.  Raises OffTable."""
        number = bisect_right(self._starts, total) - 1
        number += len(self.bands) - len(self._starts)  # the lowest row has no start if it is open
        band = self.bands[number] if number >= 0 else None
        if band is None or (band.high is not None and total > band.high):
            raise OffTable(self.rule, total)
        return band


@dataclass(frozen=True, slots=True, eq=False)
class Matrix(Generic[R]):
    """A table read by two words: one of `rows`, one of `columns`, in the order of the file."""

    rule: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    _cells: Mapping[str, Mapping[str, R]] = field(repr=False)

    def cell(self, row: str, column: str) -> R:
        """What stands where they meet.  Raises OffTable on a word that it does not have."""
        try:
            return self._cells[row][column]
        except KeyError:
            raise OffTable(self.rule, row, column) from None


def load_table(path: Path | str, row_type: type[R], rule: str = "") -> Table[R]:
    """The table of a file, or the one of `rule` where it holds several.

    Cells are what msgspec knows, and fractions, as "1/2".
    Raises TableError with everything that is wrong with the table; TypeError on a row type that
    is no frozen Struct.
    """
    check_row_type(row_type)
    page = _page(path, rule, matrix=False)
    bands = _bands(page, row_type)
    _refuse(page.findings)
    text = page.text
    return Table(page.rule, tuple(bands), text("roll"), text("die"), page.adjustments)


def load_matrix(path: Path | str, cell_type: type[R], rule: str = "") -> Matrix[R]:
    """The matrix of a file, or the one of `rule` where it holds several.

    cell_type: a frozen Struct for cells that are inline tables, else the type of a plain cell.
    Raises TableError with everything that is wrong with it.
    """
    page = _page(path, rule, matrix=True)
    rows, columns = read_axis(page, "rows"), read_axis(page, "columns")
    cells = read_squares(page, rows, columns, cell_type)
    _refuse(page.findings)
    return Matrix(page.rule, rows, columns, cells)


def check_table(
    path: Path | str,
    types: type[Any] | Mapping[str, type[Any]] | None = None,
    *,
    catalogue: Catalogue | None = None,
) -> tuple[Finding, ...]:
    """Everything that is wrong with the tables of a file.

    types: what the rows (the cells of a matrix) hold, for all or by rule; cells are not looked
    at without it.   catalogue: the texts that have to translate its words; likewise.
    Codes: those named in `table_files` and `table_cells`.
    """
    pages, findings = pages_of(path)
    for page in pages:
        wanted = types.get(page.rule) if isinstance(types, Mapping) else types
        _check_page(page, wanted)
        check_words(page, _worded(page, wanted), catalogue)
        findings += page.findings
    return in_order(findings)


class Shelf:
    """The tables of one folder, found by their rule.

    A system has one: ``TABLES = Shelf(folder)``, then ``CONQUEST = TABLES.table("AT-9.5", Row)``
    beside the rule.  It remembers what was taken, so that all of it can be checked.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self._types: dict[str, type[Any]] = {}

    def table(self, rule: str, row_type: type[R]) -> Table[R]:
        """The table of `rule`.  Raises TableError."""
        self._types[rule] = row_type
        return load_table(self.path(rule), row_type, rule)

    def matrix(self, rule: str, cell_type: type[R]) -> Matrix[R]:
        """The matrix of `rule`.  Raises TableError."""
        self._types[rule] = cell_type
        return load_matrix(self.path(rule), cell_type, rule)

    def path(self, rule: str) -> Path:
        """The file that holds the table of `rule`.  Raises TableError if none or several do."""
        holders = []
        for path in sorted(self.folder.glob("*.toml")):
            if path.name.startswith("texts."):
                continue
            # Maps and lists stand in the same folder: only what names the rule is read at all.
            if rule in path.read_text(encoding="utf-8-sig", errors="replace"):
                pages, faults = pages_of(path)
                _refuse(faults)
                holders += [path for page in pages if page.rule == rule]
        if len(holders) != 1:
            code = "table.two_files" if holders else "table.not_found"
            data = {"rule": rule, "files": ", ".join(path.name for path in holders)}
            raise TableError([Finding(str(self.folder), 0, rule, code, cast(Any, data))])
        return holders[0]

    def check(self, catalogue: Catalogue | None = None) -> tuple[Finding, ...]:
        """Everything that is wrong with the tables that were taken from this shelf."""
        findings: list[Finding] = []
        for path in dict.fromkeys(self.path(rule) for rule in self._types):
            findings += check_table(path, self._types, catalogue=catalogue)
        return in_order(findings)


def _refuse(findings: Sequence[Finding]) -> None:
    if findings:
        raise TableError(findings)


def _page(path: Path | str, rule: str, *, matrix: bool) -> Page:
    """The one table that is meant.  Raises TableError."""
    pages, faults = pages_of(path)
    meant = [page for page in pages if not rule or page.rule == rule]
    if faults and not meant:
        raise TableError(faults)
    if len(meant) != 1 or meant[0].is_matrix != matrix:
        data: dict[str, str | int] = {"rule": rule, "files": Path(path).name if meant else ""}
        raise TableError([Finding(str(path), 0, rule, "table.not_found", data)])
    return meant[0]


def _bands(page: Page, row_type: type[R]) -> list[Band[R]]:
    """The rows of a table from the lowest total up; what is wrong is noted on the page."""
    raw = page.rows()
    page.check_cover(raw)
    raw.sort(key=lambda row: (row.low is not None, row.low or 0))
    return [
        Band(row.low, row.high, read_cells(page, row.cells, row_type, "rows", row.number))
        for row in raw
    ]


def _check_page(page: Page, wanted: type[Any] | None) -> None:
    if page.is_matrix:
        read_squares(page, read_axis(page, "rows"), read_axis(page, "columns"), wanted)
    elif wanted is None:
        page.check_cover(page.rows())
    else:
        check_row_type(wanted)
        _bands(page, wanted)


def _worded(page: Page, wanted: type[Any] | None) -> tuple[str, ...]:
    """The columns of a page that hold words and therefore need a family of texts."""
    if not page.is_matrix:
        return () if wanted is None else word_columns(wanted)
    cells = ("cell",) if words_of(wanted) else () if wanted is None else word_columns(wanted)
    return ("rows", "columns", *cells)
