"""The files of this system's own kinds: set-ups (scenarios) and catalogues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from polemarque.api import Refusal, convert
from polemarque.api.checkers import board_faults
from polemarque.api.files import Datum, Finding, Lines, Step, in_order, read_toml
from polemarque.systems.promiterra.ground import COSTS
from polemarque.systems.promiterra.setup.catalogue import Catalogue, shipped
from polemarque.systems.promiterra.setup.opening import PLAIN, board_of, war_of
from polemarque.systems.promiterra.setup.options import Options
from polemarque.systems.promiterra.setup.set_up_rules import Fault, Scrutiny, catalogue_faults
from polemarque.systems.promiterra.setup.setup_file import SEATS, Setup

LISTS = ("army", "action", "career")
"""The tables of a catalogue."""


def check(path: Path) -> tuple[Finding, ...] | None:
    """Everything that is wrong with a set-up or a catalogue; None if it is neither.

    Codes: ``promiterra.setup`` (message: what the type says), those of boards, and those of
    `scrutiny`, with the rule that is broken and what would be legal.
    """
    read = read_toml(path)
    if isinstance(read, Finding):
        return None
    raw, text = read
    file = _File(path, raw, text)
    if isinstance(raw.get("armies"), list):
        return in_order(file.setup())
    if raw and all(key in LISTS and isinstance(raw[key], list) for key in raw):
        return in_order(file.catalogue())
    return None


class _File:
    """One file that is looked at."""

    def __init__(self, path: Path, raw: Mapping[str, Any], text: str) -> None:
        self.path = str(path)
        self.raw = raw
        self.text = text
        self.lines = Lines(text)

    def catalogue(self) -> Iterator[Finding]:
        """A catalogue, over our own."""
        given = self._read(self.raw, Catalogue)
        if isinstance(given, Finding):
            yield given
            return
        yield from map(self._finding, catalogue_faults(given, given.over(shipped())))

    def setup(self) -> Iterator[Finding]:
        """A set-up: its board first, then its armies, then whether a game begins with it."""
        plain = {key: value for key, value in self.raw.items() if key != "seats"}
        given = self._read(plain, Setup)
        if isinstance(given, Finding):
            yield given
            return
        if given.board:
            faults = board_faults(self.raw, self.path, self.text, tuple(COSTS))
            if faults:
                yield from faults
                return
        table = given.board or PLAIN
        shape = "hex" if table["shape"] == "hex" else "square8"
        lists = given.catalogue.over(shipped())
        found = list(Scrutiny(given, lists, board_of(table, shape)).faults())
        yield from map(self._finding, found)
        if not found:
            yield from self._begun(given, Options.of({"grid": shape}))

    def _begun(self, given: Setup, readings: Options) -> Iterator[Finding]:
        """Whatever else keeps a game from beginning."""
        seats = self.raw.get("seats")
        count = seats if isinstance(seats, int) else len(given.armies)
        try:
            war_of(given, SEATS[:count], readings)
        except Refusal as refusal:
            named = {k: v for k, v in refusal.data.items() if isinstance(v, (str, int))}
            data: dict[str, Datum] = {**_said(refusal.rule, refusal.part, refusal.legal), **named}
            yield Finding(self.path, self.lines.of("armies"), "armies", refusal.code, data)

    def _read(self, raw: Any, kind: type[Any]) -> Any:
        """The content as its type has it, or what is wrong with its form."""
        try:
            return convert(raw, kind)
        except msgspec.ValidationError as wrong:
            steps = _steps(str(wrong))
            where = ".".join(map(str, steps))
            data: dict[str, Datum] = {"misread": str(wrong)}
            return Finding(self.path, self.lines.of(*steps), where, "promiterra.setup", data)

    def _finding(self, fault: Fault) -> Finding:
        data: dict[str, Datum] = {**_said(fault.rule, fault.part, fault.legal), **fault.data}
        place = ".".join(map(str, fault.where))
        code = f"promiterra.{fault.code}"
        return Finding(self.path, self.lines.of(*fault.where), place, code, data)


def _said(rule: str, part: object, legal: tuple[str, ...]) -> dict[str, Datum]:
    return {"rule": rule, "part": str(part), "legal": ", ".join(legal)}


def _steps(message: str) -> tuple[Step, ...]:
    """The place that a message of the reader names: `$.armies[0].troops[2].units`."""
    _, mark, path = message.partition("`$")
    if not mark:
        return ()
    words = path.rstrip("`").replace("[", ".").replace("]", "").split(".")
    return tuple([int(word) if word.isdigit() else word for word in words if word])
