"""What `check` checks: every kind of file the program reads, and all the files it ships.

A file's kind is guessed from its name and from what stands in it: a game record, a text catalogue,
a ledger, house rules, a study, a file of a system's own (map, army list), a map, a board, a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import polemarque.bots.registry  # it has a group of plugins
from polemarque.cli.common import reason_of
from polemarque.cli.records import FIRST, replayed
from polemarque.cli.study_design import MARKS, read_design
from polemarque.kernel.errors import NotUnderstood, Refusal
from polemarque.kernel.files.findings import Datum, Finding, in_order, read_toml
from polemarque.kernel.files.plugins import broken
from polemarque.kernel.files.rule_ledger import ledger_path, read_ledger
from polemarque.kernel.files.tables import check_table
from polemarque.kernel.files.texts import KERNEL_TEXTS, Catalogue, TextsRefused, check_texts
from polemarque.kernel.game import new_header
from polemarque.kernel.new_game import opening
from polemarque.kernel.records.record import read_record
from polemarque.kernel.records.verifier import FAULTS
from polemarque.kernel.system import Rulebook, System, find_rulebook, rulebook_names
from polemarque.maps.boards import check_board
from polemarque.maps.provinces import check_map
from polemarque.report.house_rules import file_faults, inspect_house
from polemarque.report.labels import REPORT_TEXTS, catalogue_of
from polemarque.report.rulebook_papers import PAPERS, check_paper

PACKAGE = Path(polemarque.__file__).parent

TEXTS = tuple(f"texts.{lang}.toml" for lang in ("fr", "en"))
"""Names of the files of a catalogue."""


def shipped() -> Iterator[tuple[Path, tuple[Finding, ...]]]:
    """Every data file of the program and of all that is installed, with its findings.

    So is every plugin that cannot be used: lists pass over them in silence.
    """
    done: set[Path] = set()
    for plugin in broken():
        yield Path(plugin.name), plugin.findings
    for book in _rulebooks():
        if not book.data.parts:
            continue  # it has no data at all
        papers = sorted((book.data / PAPERS).glob("*.md"))
        tables = [one for one in sorted(book.data.rglob("*.toml")) if one.parent.name != PAPERS]
        files = [ledger_path(book), *tables, *papers]
        for path in [path for path in files if path.is_file()]:
            if not (path.name == TEXTS[1] and path.with_name(TEXTS[0]).is_file()):
                yield path, check_file(path, book)
            done.add(path.resolve())
    for path in sorted(PACKAGE.rglob(TEXTS[0])):
        if path.resolve() not in done:
            yield path, check_catalogue(path.parent)


def _rulebooks() -> list[Rulebook]:
    return [find_rulebook(name) for name in rulebook_names()]


def systems() -> list[System]:
    """All systems that can be used."""
    return [book for book in _rulebooks() if isinstance(book, System)]


def check_file(path: Path, book: Rulebook | None = None) -> tuple[Finding, ...]:
    """Everything that is wrong with one file.

    book: the rules that it belongs to, if they are known.
    Raises NotUnderstood if it cannot be opened, or nothing that we read looks like that.
    """
    try:
        with path.open("rb") as file:
            start = file.read(len(FIRST))
    except OSError as fault:
        raise NotUnderstood("file.unreadable", part=path, reason=reason_of(fault)) from None
    if start == FIRST:
        return check_record(path)
    if path.name in TEXTS:
        return check_catalogue(path.parent, book)
    if path.name == "ledger.toml":
        return read_ledger(path)[1]
    owner = book or owner_of(path.parent.parent)
    if path.suffix == ".md" and path.parent.name == PAPERS and owner:
        return check_paper(path, owner)
    return _check_toml(path, book)


def _check_toml(path: Path, book: Rulebook | None) -> tuple[Finding, ...]:
    """A file whose kind shows only in what it says."""
    read = read_toml(path)
    if isinstance(read, Finding):
        if path.suffix != ".toml":
            raise NotUnderstood("check.kind", part=path)
        return (read,)
    raw, _ = read
    if "system" in raw and any(mark in raw for mark in MARKS):
        read_design(path)
        return ()
    if "system" in raw and "rows" not in raw:
        return check_house(path)
    # Files between systems may lie anywhere, a campaign's own data included.
    between = [each for each in _rulebooks() if not isinstance(each, System)]
    for owner in [*between, *([book] if book else systems())]:
        found = owner.check(path) if owner.check else None
        if found is not None:
            return in_order(found)
    if "territory" in raw:
        return check_map(path)
    if set(raw) == {"board"}:
        return check_board(path)
    if {"rule", "rows"} <= raw.keys() or isinstance(raw.get("tables"), dict):
        return check_table(path, catalogue=_words_of(book or owner_of(path.parent)))
    if book is not None:
        return ()  # data of their own, which they have chosen not to have checked
    raise NotUnderstood("check.kind", part=path)


# One kind each -----------------------------------------------------------------------------------


def check_catalogue(folder: Path, book: Rulebook | None = None) -> tuple[Finding, ...]:
    """The two pages of a text catalogue; words may come from the game's own names as well."""
    owned = book or owner_of(folder)
    # Words that are no system's own may stand in the sentence of any.
    owners = [owned] if isinstance(owned, System) else systems()
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


def _words_of(book: Rulebook | None) -> Catalogue | None:
    """The texts that have to translate the words of tables."""
    try:
        return catalogue_of(book.name) if book else None
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
    return in_order((*findings, *file_faults(path, house)))


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
