"""`polemarque rules [SYSTEM] [ID]`: the rules we play by, where they are written and tested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from polemarque.cli.common import DONE, NO, Command, lang, lang_option, say

if TYPE_CHECKING:
    from polemarque.kernel.ledger import Row
    from polemarque.kernel.system import System


@click.command(cls=Command, help="rules.help")
@click.argument("words", nargs=-1, metavar="[SYSTEM] [ID]")
@click.option("--coverage", "covered", is_flag=True, help="rules.coverage")
@lang_option
def command(words: tuple[str, ...], covered: bool) -> int:
    """List rules, tell one, or show what is missing."""
    system, rule = _asked(words)
    systems = [system] if system else list(_installed())
    if covered:
        return _coverage(systems, rule)
    lines = _one(systems[0], rule) if rule else _list(systems)
    for line in lines:
        click.echo(line)
    return DONE


def _asked(words: tuple[str, ...]) -> tuple[System | None, str]:
    """The system and the rule that were named; either may be missing.  Raises NotUnderstood."""
    from polemarque.bridges.house import BRIDGES
    from polemarque.kernel.errors import NotUnderstood
    from polemarque.kernel.ledger import is_rule_id
    from polemarque.kernel.system import find_system

    if len(words) > 2:
        raise NotUnderstood("rules.words", part=" ".join(words))
    if words and not is_rule_id(words[0].upper()):
        named, left = words[0], words[1:]
        system = BRIDGES if named == BRIDGES.name else find_system(named)
    else:
        system, left = None, words
    if len(left) > 1:
        raise NotUnderstood("rules.words", part=" ".join(words))
    if not left:
        return system, ""
    rule = left[0].upper()
    known: list[str] = []
    for each in [system] if system else _installed():
        rows = _rows(each)
        if rule in rows:
            return each, rule
        known += rows
    raise NotUnderstood("rules.unknown", part=rule, legal=_near(rule, known))


def _near(rule: str, known: list[str]) -> list[str]:
    """Rules of the same chapter, or else of the same book, to be named instead."""
    for mark in (".", "-"):
        start = rule.partition(mark)[0] + mark
        found = [name for name in known if name.startswith(start)]
        if found:
            return found
    return []


def _installed() -> Iterator[System]:
    """Every system, and the bridges between them, whose rules are no system's own."""
    from polemarque.bridges.house import BRIDGES
    from polemarque.kernel.system import find_system, system_names

    yield from (find_system(name) for name in system_names())
    yield BRIDGES


def _rows(system: System) -> Mapping[str, Row]:
    """The rows that can be read; `check` says what is wrong with the others."""
    from polemarque.kernel.ledger import ledger_path, read_ledger

    return read_ledger(ledger_path(system))[0]


def _title(row: Row) -> str:
    return row.title.get(lang(), "")


# Telling -----------------------------------------------------------------------------------------


def _list(systems: list[System]) -> Iterator[str]:
    for number, system in enumerate(systems):
        rows = _rows(system)
        if number:
            yield ""
        title = system.titles.get(lang(), system.name)
        yield say("rules.system", title=title, name=system.name, rules=len(rows))
        width = max(map(len, rows), default=0)
        for rule, row in rows.items():
            yield f"  {rule:<{width}}  {_title(row)}"


def _one(system: System, rule: str) -> Iterator[str]:
    row = _rows(system)[rule]
    yield f"{rule}  {_title(row)}"
    yield ""
    yield row.text.get(lang(), "")
    options = list(_options(system, rule))
    if options:
        yield ""
        yield say("rules.options")
        yield from (f"  {line}" for line in options)
    if row.code:
        yield ""
        yield say("rules.code", code=row.code, place=_place(system, row.code))
    cases = _cases(rule)
    if cases:
        yield ""
        yield say("rules.cases")
        width = max(map(len, cases))
        yield from (f"  {name:<{width}}  {title}" for name, title in cases.items())


def _options(system: System, rule: str) -> Iterator[str]:
    """The variants whose reading of this rule can be chosen."""
    from polemarque.report.voice import Book

    book = Book(system, lang(), {})
    for choice in system.options:
        if choice.rule != rule:
            continue
        if choice.number:
            low, high = choice.values
            values = [say("rules.from_to", low=low, high=high, default=choice.default)]
        else:
            values = [
                f"{value} ({book.option_value(choice.name, value)})" for value in choice.values
            ]
        yield f"{choice.name} ({book.option(choice.name)}): {', '.join(values)}"


def _place(system: System, code: str) -> str:
    """File and line, by the path from the root of the sources where there is one."""
    from polemarque.kernel.ledger import where

    try:
        path, line = where(system, code)
    except ImportError:
        return "?"
    root = _root()
    if root is not None and root in path.parents:
        path = path.relative_to(root)
    return f"{path}:{line}" if line else str(path)


def _cases(rule: str) -> Mapping[str, str]:
    from polemarque.kernel.ledger import cases_of

    root = _root()
    return cases_of(rule, root / "tests") if root else {}


def _root() -> Path | None:
    """The folder of the sources, with papers and tests; None beside an installed program."""
    import polemarque

    root = Path(polemarque.__file__).resolve().parents[2]
    return root if (root / "docs" / "rules").is_dir() and (root / "tests").is_dir() else None


# Coverage ----------------------------------------------------------------------------------------


def _coverage(systems: list[System], rule: str) -> int:
    """The ledger as a table; what is missing is named behind each rule.  Raises NotAllowed."""
    from polemarque.cli.check import told
    from polemarque.kernel.checks import CheckFailed
    from polemarque.kernel.errors import NotAllowed

    root = _root()
    if root is None:
        raise NotAllowed("rules.no_sources")
    missing = 0
    for system in systems:
        try:
            lacks = _lacks(system, root)
        except CheckFailed as failed:
            missing += len(failed.findings)
            click.echo("\n".join(told(failed.findings)))
            continue
        shown = {name: said for name, said in lacks.items() if not rule or name == rule}
        if shown:
            missing += sum(map(len, shown.values()))
            click.echo("\n".join(_table(system, shown)))
    click.echo(say("rules.summary", n=missing))
    return NO if missing else DONE


def _lacks(system: System, root: Path) -> dict[str, list[str]]:
    """Each rule of papers and ledger, with what it lacks.  Raises CheckFailed."""
    from polemarque.kernel.ledger import coverage, docs_of, ledger_ids

    papers = root / "docs" / "rules"
    paper = docs_of(system, papers)
    rows = _rows(system)
    if paper is None and not rows:
        return {}  # a stranger's system keeps its papers at home
    holes = coverage(system, papers, root / "tests")
    ids = ledger_ids(paper) if paper else ()
    lacks: dict[str, list[str]] = {name: [] for name in (*ids, *rows)}
    for hole in holes:
        lacks[hole.rule].append(say(f"hole.{hole.lack}", detail=hole.detail))
    return lacks


def _table(system: System, lacks: Mapping[str, list[str]]) -> Iterator[str]:
    rows = _rows(system)
    width = max(map(len, lacks))
    title = system.titles.get(lang(), system.name)
    yield say("rules.system", title=title, name=system.name, rules=len(lacks))
    for name, said in lacks.items():
        row = rows.get(name)
        mark, what = ("✗", "; ".join(said)) if said else ("✓", _title(row) if row else "")
        yield f"  {mark} {name:<{width}}  {what}"
    yield ""
