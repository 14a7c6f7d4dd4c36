"""The files of the tables: what may stand in them, and what is wrong with one.

`tables` says how a file is written; here it is read with every fault noted, so that anyone who
wrote it hears of all of them at once, each with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from polemarque.kernel.files.decoding import convert
from polemarque.kernel.files.findings import Datum, Finding, Lines, Step, read_toml

BOUNDS = frozenset({"at", "from", "to"})
"""Keys of a row that say which totals it is for; all others are its cells."""

_HEAD = {"rule": str, "roll": str, "die": str, "range": list, "modifiers": list, "words": dict}
_KINDS = {str: "str", list: "array", dict: "object"}
_TABLE_KEYS = frozenset({*_HEAD, "rows"})
_MATRIX_KEYS = frozenset({"rule", "words", "rows", "columns", "cells"})
_DIE = re.compile(r"(?P<count>[1-9]\d*)?D(?P<sides>[1-9]\d*)(?P<plus>[+-]\d+)?")


class Adjustment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A modifier that a table lists.

    when:   the reason, a word of the text catalogues.
    amount: added to the total.
    each:   counted as often as the reason holds, not once.
    """

    when: str
    amount: int
    each: bool = False


@dataclass(frozen=True)
class RawRow:
    """One row as written: the totals it is for (None: no end on that side) and its cells."""

    number: int
    low: int | None
    high: int | None
    cells: dict[str, Any]

    @property
    def span(self) -> str:
        """Its totals in signs that every language reads: 3, 3…5, ≤ -5, ≥ 5."""
        return _span(_low(self), _high(self))


class Page:
    """One table in its file, and the faults found in it so far.

    rule:        the rule it belongs to.
    adjustments: the modifiers it lists; a fault is ``table.modifier``.
    range:       lowest and highest total that can come up, where the file says so.
    """

    def __init__(
        self, file: str, name: str, base: tuple[Step, ...], content: Mapping[str, Any], lines: Lines
    ) -> None:
        self.file, self.base, self.content, self._lines = file, base, content, lines
        self.rule = str(content.get("rule") or name)
        self.findings: list[Finding] = []
        self._check_head(name)
        self.adjustments = self._adjustments()
        self.range = self._range()
        self._die = _DIE.fullmatch(self.text("die"))
        if self.text("die") and not self._die:
            self.fault("table.die", "die", die=self.text("die"))

    @property
    def is_matrix(self) -> bool:
        """Whether it is read by two words and not by a total."""
        return "cells" in self.content

    def fault(self, code: str, /, *steps: Step, **data: Datum) -> None:
        """Note a fault at `steps` within this table."""
        # What is lacking altogether is put where the table begins.
        line = self._lines.of(*self.base, *steps) or self._lines.of("rule") or 1
        self.findings.append(Finding(self.file, line, place_of(self.base + steps), code, data))

    def _check_head(self, name: str) -> None:
        rule = self.content.get("rule", name)
        if not rule or not isinstance(rule, str):
            self.fault("table.no_rule")
        elif name and rule != name:
            self.fault("table.rule_differs", "rule", rule=rule, name=name)
        known = _MATRIX_KEYS if self.is_matrix else _TABLE_KEYS
        for key, value in self.content.items():
            if key not in known:
                self.fault("table.unknown_key", key, key=key, known=", ".join(sorted(known)))
            elif key in _HEAD and not isinstance(value, _HEAD[key]):
                self.fault("table.bad_key", key, key=key, expected=_KINDS[_HEAD[key]])

    def words(self) -> dict[str, str]:
        """Column -> family of texts that translates its words ("": it has none to translate)."""
        found = self.content.get("words", {})
        if not isinstance(found, dict):
            return {}
        return {column: family for column, family in found.items() if isinstance(family, str)}

    def text(self, key: str) -> str:
        """A text of the head, "" where there is none."""
        value = self.content.get(key, "")
        return value if isinstance(value, str) else ""

    def _adjustments(self) -> tuple[Adjustment, ...]:
        found = []
        listed = self.content.get("modifiers", [])
        for number, raw in enumerate(listed if isinstance(listed, list) else []):
            try:
                found.append(convert(raw, Adjustment))
            except msgspec.ValidationError:
                self.fault("table.modifier", "modifiers", number)
        return tuple(found)

    def rows(self) -> list[RawRow]:
        """The rows whose bounds can be read, in the order of the file."""
        listed = self.content.get("rows")
        if not isinstance(listed, list) or not listed:
            self.fault("table.no_rows", "rows")
            return []
        rows = [self._row(number, raw) for number, raw in enumerate(listed)]
        return [row for row in rows if row is not None]

    def _row(self, number: int, raw: Any) -> RawRow | None:
        if not isinstance(raw, dict):
            self.fault("table.bounds", "rows", number)
            return None
        given = {key: raw[key] for key in sorted(BOUNDS) if key in raw}
        # In TOML true is no number, though Python counts it as one.
        sound = all(type(value) is int for value in given.values())
        if not sound or not given or ("at" in given and len(given) > 1):
            self.fault("table.bounds", "rows", number)
            return None
        low, high = given.get("from", given.get("at")), given.get("to", given.get("at"))
        if low is not None and high is not None and low > high:
            self.fault("table.reversed", "rows", number, low=low, high=high)
            return None
        cells = {key: value for key, value in raw.items() if key not in BOUNDS}
        return RawRow(number, low, high, cells)

    def check_cover(self, rows: Sequence[RawRow]) -> None:
        """Note every total without a row, with two, and every row without a total.

        Codes: ``table.gap`` (span: the totals), ``table.overlap`` (span, other: line of the
        first of the two), ``table.below`` and ``table.above`` (end: the last total with a row;
        bound: the furthest that can come up, "" where nothing says), ``table.unreachable``
        (span, and low and high of the range of totals).
        """
        if not rows:
            return
        least, most = self._totals()
        ordered = sorted(rows, key=lambda row: (_low(row), _high(row)))
        first, last = ordered[0], max(ordered, key=_high)
        if first.low is not None and (least is None or least < first.low):
            bound = "" if least is None else str(least)
            self.fault("table.below", "rows", first.number, end=first.low, bound=bound)
        if last.high is not None and (most is None or most > last.high):
            bound = "" if most is None else str(most)
            self.fault("table.above", "rows", last.number, end=last.high, bound=bound)
        self._check_between(ordered, least, most)
        if self.range:
            self._check_reached(rows, *self.range)

    def _check_reached(self, rows: Sequence[RawRow], low: int, high: int) -> None:
        for row in rows:
            if _high(row) < low or _low(row) > high:
                span = row.span
                self.fault("table.unreachable", "rows", row.number, span=span, low=low, high=high)

    def _check_between(
        self, ordered: Sequence[RawRow], least: int | None, most: int | None
    ) -> None:
        """Gaps and overlaps of neighbours, rows taken from the lowest total up."""
        reach = ordered[0]
        for row in ordered[1:]:
            if row.low is None or reach.high is None or row.low <= reach.high:
                low = max(_low(row), _low(reach))
                high = min(_high(row), _high(reach))
                first, second = sorted([row.number, reach.number])
                other = self._lines.of(*self.base, "rows", first)
                self.fault("table.overlap", "rows", second, span=_span(low, high), other=other)
            elif row.low > reach.high + 1:
                low, high = reach.high + 1, row.low - 1
                low = low if least is None else max(low, least)
                high = high if most is None else min(high, most)
                if low <= high:
                    self.fault("table.gap", "rows", row.number, span=_span(low, high))
            reach = max(reach, row, key=_high)

    def _totals(self) -> tuple[int | None, int | None]:
        """Least and greatest total that can come up, as far as the file says."""
        if self.range:
            return self.range
        die = self._die
        if not die:
            return None, None
        count, plus = int(die["count"] or 1), int(die["plus"] or 0)
        down = [part for part in self.adjustments if part.amount < 0]
        up = [part for part in self.adjustments if part.amount > 0]
        least = count + plus + sum(part.amount for part in down)
        most = count * int(die["sides"]) + plus + sum(part.amount for part in up)
        return (
            None if any(part.each for part in down) else least,
            None if any(part.each for part in up) else most,
        )

    def _range(self) -> tuple[int, int] | None:
        declared = self.content.get("range")
        if not isinstance(declared, list):
            return None
        if [type(end) for end in declared] != [int, int] or declared[0] > declared[1]:
            self.fault("table.range", "range")
            return None
        return declared[0], declared[1]


def pages_of(path: Path | str) -> tuple[list[Page], list[Finding]]:
    """The tables of a file; or none, and why it cannot be read.

    A file holds one table, or several under ``[tables."RULE"]``.
    """
    read = read_toml(path)
    if isinstance(read, Finding):
        return [], [read]
    content, text = read
    lines, file = Lines(text), str(path)
    tables = content.get("tables")
    if tables is None:
        return [Page(file, "", (), content, lines)], []
    faults = []
    pages = []
    for key in content:
        if key != "tables":
            data: dict[str, Datum] = {"key": key, "known": "tables"}
            faults.append(Finding(file, lines.of(key), key, "table.unknown_key", data))
    for name, table in tables.items() if isinstance(tables, dict) else ():
        if isinstance(table, dict):
            pages.append(Page(file, name, ("tables", name), table, lines))
        else:
            place = place_of(("tables", name))
            faults.append(Finding(file, lines.of("tables", name), place, "table.no_rows"))
    return pages, faults


def place_of(steps: Sequence[Step]) -> str:
    """Steps as a person writes them: ``rows[3].loot``, ``tables."AT-9.5".rows[0]``."""
    return "".join(_place(steps)).lstrip(".")


def _place(steps: Sequence[Step]) -> Iterator[str]:
    for step in steps:
        if isinstance(step, int):
            yield f"[{step}]"
        else:
            yield f".{step}" if re.fullmatch(r"[\w-]+", step) else f'."{step}"'


def _low(row: RawRow) -> float:
    return float("-inf") if row.low is None else row.low


def _high(row: RawRow) -> float:
    return float("inf") if row.high is None else row.high


def _span(low: float, high: float) -> str:
    if low == high:
        return f"{low}"
    if low == float("-inf"):
        return f"≤ {high}"
    return f"≥ {low}" if high == float("inf") else f"{low}…{high}"
