"""House-rule files: the options of a club, and lists and maps of its own.

system = "atlantide"
catalogue = "our-lists.toml"      # optional, beside this file
map = "our-island.toml"           # optional, beside this file
[options]
terrain = "map"
turn_limit = 8

A system reads those files that its set-up has a field for: Atlantide a catalogue and a map, Mare
Nostrum a map and army lists.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.findings import CheckFailed, Finding, Lines, in_order, read_toml
from polemarque.kernel.system import System, find_system, system_names

FILES = ("catalogue", "map", "lists")
"""Keys that name another file, by its path from this one."""

LISTS_OF_MAP = "army_lists"
"""Where the head of a map names the lists that it was drawn for, a file beside it."""


class House(msgspec.Struct, frozen=True):
    """What a house-rule file says; options are checked, `files` are paths that exist."""

    system: str
    options: dict[str, Any] = {}
    files: dict[str, Path] = {}


def read_house(path: Path) -> House:
    """The house rules of a file.  Raises CheckFailed naming every fault."""
    house, findings = inspect_house(path)
    if house is None or findings:
        raise CheckFailed(findings)
    return house


def inspect_house(path: Path) -> tuple[House | None, tuple[Finding, ...]]:
    """What a file says as far as it can be read, and everything that is wrong with it.

    Codes: ``file.*``, ``toml.*``; ``house.key`` (key, known), ``house.system`` (system, known),
    ``house.option`` (option, known), ``house.value`` (option, value, known), ``house.options``,
    ``house.file`` (key, path).
    """
    read = read_toml(path)
    if isinstance(read, Finding):
        return None, (read,)
    raw, text = read
    desk = _Desk(path, Lines(text))
    system = desk.system(raw.get("system", ""))
    read_by = FILES if system is None else files_of(system)
    keys = ("system", "options", *read_by)
    for key in raw:
        if key not in keys:
            desk.fault("house.key", key, key=key, known=", ".join(keys))
    if system is None:
        return None, in_order(desk.findings)
    options = desk.options(system, raw.get("options", {}))
    files = {key: desk.file(key, raw[key]) for key in read_by if key in raw}
    found = {key: file for key, file in files.items() if file is not None}
    return House(system.name, options, found), in_order(desk.findings)


def set_up(path: Path, system: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Set-up and options from a file of house rules, or the set-up that a file holds.

    A map that names army lists brings them along, unless the house names others.
    Raises NotUnderstood on rules for another system; CheckFailed on a file that cannot be read,
    and with everything that is wrong with house rules, or with the maps and lists that they name
    or that the set-up holds.
    """
    content = _content(path)
    if "system" not in content:
        if findings := setup_faults(path, system):
            raise CheckFailed(findings)
        return content, {}
    house = read_house(path)
    if house.system != system:
        raise NotUnderstood("house.other_system", part=house.system, legal=(system,))
    rules = find_system(system)
    # Once they are in a set-up nobody knows their lines any more: faults are found before.
    if rules.check and (findings := file_faults(path, house)):
        raise CheckFailed(findings)
    given = {key: _content(file) for key, file in house.files.items()}
    beside = given.get("map", {}).get("map", {}).get(LISTS_OF_MAP)
    if beside is not None and "lists" in files_of(rules):
        given.setdefault("lists", _content(house.files["map"].parent / beside))
    return given, house.options


def setup_faults(path: Path, system: str) -> list[Finding]:
    """What is wrong with the map, the board or the lists that a set-up file holds.

    A fault of the system's own rules is none: the system refuses it, by the options that are
    chosen, when the game begins.
    """
    check = find_system(system).check
    found = check(path) if check else None
    return [finding for finding in found or () if not finding.code.startswith(f"{system}.")]


def files_of(system: System) -> tuple[str, ...]:
    """The keys of `FILES` that a system reads: those that its set-up has a field for."""
    fields = {field.encode_name for field in msgspec.structs.fields(system.setup)}
    return tuple([key for key in FILES if key in fields])


def file_faults(path: Path, house: House) -> list[Finding]:
    """What its system finds wrong with the files that the house rules at `path` name.

    Code: ``house.kind`` (path), of a file of no kind that the system reads.
    """
    check = find_system(house.system).check
    findings: list[Finding] = []
    for key, file in house.files.items():
        found = check(file) if check else None
        if found is None:
            findings.append(Finding(str(path), 0, key, "house.kind", {"path": file.name}))
        else:
            findings += found
    return findings


def _content(path: Path) -> dict[str, Any]:
    """What a TOML file holds.  Raises CheckFailed."""
    read = read_toml(path)
    if isinstance(read, Finding):
        raise CheckFailed([read])
    return read[0]


class _Desk:
    """Where one file is looked at, and its faults are collected."""

    def __init__(self, path: Path, lines: Lines) -> None:
        self.path = path
        self.findings: list[Finding] = []
        self._lines = lines

    def fault(self, code: str, /, *steps: str, **data: str) -> None:
        """Note a fault of the value at `steps`."""
        line, place = self._lines.of(*steps), ".".join(steps)
        self.findings.append(Finding(str(self.path), line, place, code, dict(data)))

    def system(self, name: Any) -> System | None:
        """The system of that name, if there is one."""
        try:
            return find_system(str(name))
        except NotUnderstood:
            known = ", ".join(system_names())
            self.fault("house.system", "system", system=str(name), known=known)
            return None

    def options(self, system: System, given: Any) -> dict[str, Any]:
        """The options that are understood, each in its canonical form."""
        if not isinstance(given, dict):
            self.fault("house.options", "options")
            return {}
        known = {choice.name: choice for choice in system.options}
        taken = {}
        for name, value in given.items():
            if name not in known:
                self.fault(
                    "house.option", "options", name, option=name, known=", ".join(sorted(known))
                )
                continue
            try:
                taken[name] = known[name].take(value)
            except NotUnderstood as refusal:
                legal = ", ".join(refusal.legal)
                self.fault(
                    "house.value", "options", name, option=name, value=str(value), known=legal
                )
        return taken

    def file(self, key: str, given: Any) -> Path | None:
        """The file that is named, if it is there."""
        path = self.path.parent / str(given)
        if isinstance(given, str) and path.is_file():
            return path
        self.fault("house.file", key, key=key, path=str(given))
        return None
