"""What `check` checks: every kind of file the program reads, and all the files it ships.

A file's kind is guessed from its name and from what stands in it: a game record, a text catalogue,
a ledger, house rules, a file of a system's own (map, army list), a map, a board, or a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polemarque
from polemarque.bridges.house import BRIDGES
from polemarque.cli.house import inspect_house
from polemarque.cli.proof import FAULTS
from polemarque.cli.records import FIRST, replayed
from polemarque.kernel.checks import CheckFailed, Datum, Finding, in_order, read_toml
from polemarque.kernel.errors import KernelFault, NotUnderstood, Refusal
from polemarque.kernel.game import new_header
from polemarque.kernel.ledger import ledger_path, read_ledger
from polemarque.kernel.opening import opening
from polemarque.kernel.record import read_record
from polemarque.kernel.system import System, find_system, system_names
from polemarque.kernel.tables import check_table
from polemarque.kernel.texts import KERNEL_TEXTS, Catalogue, TextsRefused, check_texts
from polemarque.maps.boards import check_board
from polemarque.maps.provinces import check_map
from polemarque.report.voice import REPORT_TEXTS, catalogue_of

PACKAGE = Path(polemarque.__file__).parent

TEXTS = tuple(f"texts.{lang}.toml" for lang in ("fr", "en"))
"""Names of the files of a catalogue."""


def shipped() -> Iterator[tuple[Path, tuple[Finding, ...]]]:
    """Every data file of the program and of all installed systems, with its findings."""
    done: set[Path] = set()
    for name in system_names():
        system = _loaded(name)
        if not isinstance(system, System):
            yield Path(name), system
            continue
        if not system.data.parts:
            continue  # it has no data at all
        files = [ledger_path(system), *sorted(system.data.rglob("*.toml"))]
        for path in [path for path in files if path.is_file()]:
            if not _second(path):
                yield path, check_file(path, system)
            done.add(path.resolve())
    for path in (ledger_path(BRIDGES), *sorted(BRIDGES.data.glob("*_*.toml"))):
        yield path, check_file(path, BRIDGES)
    for path in sorted(PACKAGE.rglob(TEXTS[0])):
        if path.resolve() not in done:
            yield path, check_catalogue(path.parent)


def _loaded(name: str) -> System | tuple[Finding, ...]:
    """A system, or why it cannot be loaded: most read their tables when they are imported."""
    try:
        return find_system(name)
    except CheckFailed as failed:
        return failed.findings
    except (ImportError, AttributeError, OSError, KernelFault) as fault:
        return (Finding(name, 0, "", "system.broken", {"message": str(fault)}),)


def systems() -> list[System]:
    """All systems that can be loaded."""
    loaded = [_loaded(name) for name in system_names()]
    return [system for system in loaded if isinstance(system, System)]


def _second(path: Path) -> bool:
    """Whether a file is a catalogue's second page: both pages are checked at once."""
    return path.name == TEXTS[1] and path.with_name(TEXTS[0]).is_file()


def check_file(path: Path, system: System | None = None) -> tuple[Finding, ...]:
    """Everything that is wrong with one file.

    system: the one it belongs to, if that is known.
    Raises NotUnderstood if it cannot be opened, or nothing that we read looks like that.
    """
    try:
        with path.open("rb") as file:
            start = file.read(len(FIRST))
    except OSError as fault:
        raise NotUnderstood("file.unreadable", part=path, reason=fault.strerror or "") from None
    if start == FIRST:
        return check_record(path)
    if path.name in TEXTS:
        return check_catalogue(path.parent, system)
    if path.name == "ledger.toml":
        return read_ledger(path)[1]
    return _check_toml(path, system)


def _check_toml(path: Path, system: System | None) -> tuple[Finding, ...]:
    """A file whose kind shows only in what it says."""
    read = read_toml(path)
    if isinstance(read, Finding):
        if path.suffix != ".toml":
            raise NotUnderstood("check.kind", part=path)
        return (read,)
    raw, _ = read
    if "system" in raw and "rows" not in raw:
        return check_house(path)
    for owner in [system] if system else [BRIDGES, *systems()]:
        found = owner.check(path) if owner.check else None
        if found is not None:
            return in_order(found)
    if "territory" in raw:
        return check_map(path)
    if "board" in raw:
        return check_board(path)
    if is_table(raw):
        return check_table(path, catalogue=_words_of(system or owner_of(path.parent)))
    if system is not None:
        return ()  # a system's own data, which it has chosen not to have checked
    raise NotUnderstood("check.kind", part=path)


def is_table(raw: dict[str, Any]) -> bool:
    """Whether a file holds tables to be looked up: rows under a rule, or several such."""
    return ("rule" in raw and "rows" in raw) or isinstance(raw.get("tables"), dict)


# One kind each -----------------------------------------------------------------------------------


def check_catalogue(folder: Path, system: System | None = None) -> tuple[Finding, ...]:
    """The two pages of a text catalogue; words may come from the game's own names as well."""
    owned = system or owner_of(folder)
    owners = [owned] if owned else systems()  # a room's words may stand in any system's sentence
    shared = [other for other in (KERNEL_TEXTS, REPORT_TEXTS) if other != folder]
    named = frozenset[str]().union(*map(name_families, owners))
    return tuple(
        finding
        for finding in check_texts(folder, *shared)
        if not (finding.code == "texts.label" and finding.data["label"] in named)
    )


def owner_of(folder: Path) -> System | None:
    """The system whose data a folder holds."""
    return next((one for one in systems() if one.data.resolve() == folder.resolve()), None)


def _words_of(system: System | None) -> Catalogue | None:
    """The texts that have to translate the words of a system's tables."""
    try:
        return catalogue_of(system.name) if system else None
    except TextsRefused:
        return None  # what is wrong with them is found where they are checked themselves


def name_families(system: System) -> frozenset[str]:
    """The families of words that a system names game by game ("seat", "place"…)."""
    if system.names is None:
        return frozenset()
    state = opening(new_header(system.name)).state
    return frozenset(system.names(state, "fr")) | {"seat"}


def check_house(path: Path) -> tuple[Finding, ...]:
    """House rules, and the files that they name."""
    house, findings = inspect_house(path)
    if house is None:
        return findings
    system = find_system(house.system)
    further: list[Finding] = []
    for key, file in house.files.items():
        found = system.check(file) if system.check else None
        if found is None:
            further.append(Finding(str(path), 0, key, "house.kind", {"path": file.name}))
        else:
            further += found
    return in_order((*findings, *further))


def check_record(path: Path) -> tuple[Finding, ...]:
    """A game record: its lines, its chain, and that it can be played again."""
    line = 0

    def step(done: int, _: int) -> None:
        nonlocal line
        line = done + 2  # the entry after this one: the first line says which game it is

    try:
        record = read_record(path.read_bytes(), interrupted=True)
        line = 2 if record.entries else 1
        replayed(record, on_step=step)
    except Refusal as refusal:
        figures = {k: v for k, v in refusal.data.items() if isinstance(v, (str, int))}
        data: dict[str, Datum] = {"line": line, **figures}
        data |= {"error": refusal.code, "part": refusal.part, "legal": ", ".join(refusal.legal)}
        at = int(data["line"])
        return (Finding(str(path), at, refusal.rule, "record.refused", data),)
    except FAULTS as fault:
        return (Finding(str(path), line, "", "record.fault", {"message": str(fault)}),)
    return ()


def refusal_of(finding: Finding) -> Refusal | None:
    """The refusal that a finding of a record tells of, to be said in the reader's language."""
    if finding.code != "record.refused":
        return None
    data = {name: value for name, value in finding.data.items() if name not in ("error", "part")}
    legal = str(data.pop("legal"))
    return Refusal(
        str(finding.data["error"]), rule=finding.place, part=finding.data["part"],
        legal=legal.split(", ") if legal else (), **data,
    )  # fmt: skip


def check_all(paths: Sequence[Path]) -> Iterator[tuple[Path, tuple[Finding, ...] | Refusal]]:
    """Each of these files with its findings, or with the reason why it cannot be read."""
    for path in paths:
        try:
            yield path, check_file(path)
        except Refusal as refusal:
            yield path, refusal
