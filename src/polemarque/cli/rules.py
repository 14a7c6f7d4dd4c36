"""`polemarque rules [SYSTEM] [ID]`: the rules we play by, where they are written and tested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from polemarque.cli.common import DONE, NO, Command, lang, lang_option, say

if TYPE_CHECKING:
    from polemarque.kernel.ledger import Row
    from polemarque.kernel.system import Rulebook
    from polemarque.report.book import Book


@click.command(cls=Command, help="rules.help")
@click.argument("words", nargs=-1, metavar="[SYSTEM] [ID]")
@click.option("--coverage", "covered", is_flag=True, help="rules.coverage")
@lang_option
def command(words: tuple[str, ...], covered: bool) -> int:
    """List rules, tell one, or show what is missing."""
    book, rule = _asked(words)
    books = [book] if book else list(_installed())
    if covered:
        return _coverage(books, rule)
    lines = _one(books[0], rule) if rule else _list(books)
    for line in lines:
        click.echo(line)
    return DONE


def _asked(words: tuple[str, ...]) -> tuple[Rulebook | None, str]:
    """The rulebook and the rule that were named; either may be missing.  Raises NotUnderstood."""
    from polemarque.kernel.errors import NotUnderstood
    from polemarque.kernel.ledger import is_rule_id
    from polemarque.kernel.system import find_rulebook

    if len(words) > 2:
        raise NotUnderstood("rules.words", part=" ".join(words))
    if words and not is_rule_id(words[0].upper()):
        book, left = find_rulebook(words[0]), words[1:]
    else:
        book, left = None, words
    if len(left) > 1:
        raise NotUnderstood("rules.words", part=" ".join(words))
    if not left:
        return book, ""
    rule = left[0].upper()
    known: list[str] = []
    for each in [book] if book else _installed():
        rows = _rows(each)
        if rule in rows:
            return each, rule
        known += rows
    raise NotUnderstood("rules.unknown", part=rule, legal=_near(rule, known))


def _near(rule: str, known: list[str]) -> list[str]:
    """Rules to be named instead: those of its chapter, or of the chapter that is written most like
    it (AT-9 for AT-99), or else the first of each chapter of the same book."""
    chapters: dict[str, list[str]] = {}
    for name in known:
        chapters.setdefault(name.partition(".")[0], []).append(name)
    chapter = rule.partition(".")[0]
    start = rule.partition("-")[0] + "-"
    while len(chapter) > len(start):
        if chapter in chapters:
            return chapters[chapter]
        chapter = chapter[:-1]
    return [rules[0] for chapter, rules in chapters.items() if chapter.startswith(start)]


def _installed() -> Iterator[Rulebook]:
    """Every system, and then the rules that are no system's own."""
    from polemarque.kernel.system import find_rulebook, rulebook_names

    yield from (find_rulebook(name) for name in rulebook_names())


def _rows(book: Rulebook) -> Mapping[str, Row]:
    """The rows that can be read; `check` says what is wrong with the others."""
    from polemarque.kernel.ledger import ledger_path, read_ledger

    return read_ledger(ledger_path(book))[0]


def _title(row: Row) -> str:
    return row.title.get(lang(), "")


# Telling -----------------------------------------------------------------------------------------


def _list(books: list[Rulebook]) -> Iterator[str]:
    for number, book in enumerate(books):
        rows = _rows(book)
        if number:
            yield ""
        title = book.titles.get(lang(), book.name)
        yield say("rules.system", title=title, name=book.name, rules=len(rows))
        width = max(map(len, rows), default=0)
        for rule, row in rows.items():
            yield f"  {rule:<{width}}  {_title(row)}"


def _one(book: Rulebook, rule: str) -> Iterator[str]:
    row = _rows(book)[rule]
    yield f"{rule}  {_title(row)}"
    yield ""
    yield row.text.get(lang(), "")
    options = list(_options(book, rule))
    if options:
        yield ""
        yield say("rules.options")
        yield from (f"  {line}" for line in options)
    if row.code:
        yield ""
        yield say("rules.code", code=row.code, place=_place(book, row.code))
    cases = _cases(rule)
    if cases:
        yield ""
        yield say("rules.cases")
        width = max(map(len, cases))
        yield from (f"  {name:<{width}}  {title}" for name, title in cases.items())


def _options(book: Rulebook, rule: str) -> Iterator[str]:
    """The variants whose reading of this rule can be chosen."""
    from polemarque.report.book import Book

    told = Book(book, lang(), {})
    for choice in book.options:
        if choice.rule != rule:
            continue
        values = [_value(told, choice.name, value) for value in choice.values]
        if choice.number:
            default = _value(told, choice.name, choice.default)
            values = [say("rules.from_to", low=values[0], high=values[1], default=default)]
        title = told.option(choice.name)
        yield say("rules.option", name=choice.name, title=title, values=" · ".join(values))


def _value(book: Book, name: str, value: object) -> str:
    """A value of an option, and what it means where that is not the same."""
    meant = book.option_value(name, value)
    return str(value) if meant == str(value) else f"{value} ({meant})"


def _place(book: Rulebook, code: str) -> str:
    """File and line, by the path from the root of the sources where there is one."""
    from polemarque.kernel.ledger import where

    try:
        path, line = where(book, code)
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


def _coverage(books: list[Rulebook], rule: str) -> int:
    """The ledger as a table; what is missing is named behind each rule.  Raises NotAllowed."""
    from polemarque.cli.check import all_words, told
    from polemarque.kernel.checks import CheckFailed
    from polemarque.kernel.errors import NotAllowed

    root = _root()
    if root is None:
        raise NotAllowed("rules.no_sources")
    missing = 0
    for book in books:
        try:
            lacks = _lacks(book, root)
        except CheckFailed as failed:
            missing += len(failed.findings)
            click.echo("\n".join(told(failed.findings, all_words)))
            continue
        shown = {name: said for name, said in lacks.items() if not rule or name == rule}
        if shown:
            missing += sum(map(len, shown.values()))
            click.echo("\n".join(_table(book, shown)))
    click.echo(say("rules.summary", n=missing))
    return NO if missing else DONE


def _lacks(book: Rulebook, root: Path) -> dict[str, list[str]]:
    """Each rule of papers and ledger, with what it lacks.  Raises CheckFailed."""
    from polemarque.kernel.ledger import coverage, docs_of, ledger_ids

    papers = root / "docs" / "rules"
    paper = docs_of(book, papers)
    rows = _rows(book)
    if paper is None and not rows:
        return {}  # a stranger's system keeps its papers at home
    holes = coverage(book, papers, root / "tests")
    ids = ledger_ids(paper) if paper else ()
    lacks: dict[str, list[str]] = {name: [] for name in (*ids, *rows)}
    for hole in holes:
        lacks[hole.rule].append(say(f"hole.{hole.lack}", detail=hole.detail))
    return lacks


def _table(book: Rulebook, lacks: Mapping[str, list[str]]) -> Iterator[str]:
    rows = _rows(book)
    width = max(map(len, lacks))
    title = book.titles.get(lang(), book.name)
    yield say("rules.system", title=title, name=book.name, rules=len(lacks))
    for name, said in lacks.items():
        row = rows.get(name)
        mark, what = ("✗", "; ".join(said)) if said else ("✓", _title(row) if row else "")
        yield f"  {mark} {name:<{width}}  {what}"
    yield ""
