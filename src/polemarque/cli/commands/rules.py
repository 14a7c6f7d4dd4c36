"""`polemarque rules [SYSTEM] [ID]`: the rules we play by, where they are written and tested, and
the papers from which they are learnt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from polemarque.cli.commands.sheet import FORMATS, PDF
from polemarque.cli.common import DONE, NO, Command, broken_plugins, lang, say

if TYPE_CHECKING:
    from polemarque.kernel.files.rule_ledger import LedgerRow
    from polemarque.kernel.system import Rulebook
    from polemarque.report.labels import Book


@click.command(cls=Command, help="rules.help")
@click.argument("words", nargs=-1, metavar="[SYSTEM] [ID]")
@click.option("--coverage", "covered", is_flag=True, help="rules.coverage")
@click.option("--paper", "kind", metavar="KIND", help="rules.paper")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="sheet.format")
@click.option("--out", type=click.Path(path_type=Path), help="sheet.out")
def command(
    words: tuple[str, ...], covered: bool, kind: str | None, form: str, out: Path | None
) -> int:
    """List rules, tell one, print a paper, or show what is missing."""
    book, rule = _asked(words)
    if kind is not None:
        return _paper(book, kind, form, out)
    books = [book] if book else list(_installed())
    if covered:
        return _coverage(books, rule)
    lines = _one(books[0], rule) if rule else _list(books)
    for line in lines:
        click.echo(line)
    if not words:
        broken_plugins()
    return DONE


def _asked(words: tuple[str, ...]) -> tuple[Rulebook | None, str]:
    """The rulebook and the rule that were named; either may be missing.  Raises NotUnderstood."""
    from polemarque.kernel.errors import NotUnderstood
    from polemarque.kernel.files.rule_ledger import is_rule_id
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
    from polemarque.kernel.system import find_rulebook, rulebook_names

    yield from (find_rulebook(name) for name in rulebook_names())


def _rows(book: Rulebook) -> Mapping[str, LedgerRow]:
    """The rows that can be read; `check` says what is wrong with the others."""
    from polemarque.kernel.files.rule_ledger import ledger_path, read_ledger

    return read_ledger(ledger_path(book))[0]


def _title(row: LedgerRow) -> str:
    return row.title.get(lang(), "")


def _paper(book: Rulebook | None, kind: str, form: str, out: Path | None) -> int:
    """A paper of a book, on the screen or in a file.  Raises Refusal."""
    from polemarque.cli.records import put
    from polemarque.kernel.errors import NotAllowed, NotUnderstood
    from polemarque.kernel.system import rulebook_names
    from polemarque.report.documents.pdf import pdf
    from polemarque.report.documents.writers import write
    from polemarque.report.rulebook_papers import paper, papers_of

    if book is None:
        having = [name for name in rulebook_names() if papers_of(name)]
        raise NotUnderstood("paper.whose", part=kind, legal=having)
    if form == PDF and out is None:
        raise NotAllowed("sheet.pdf", part=form, legal=("--out",))
    told = paper(book.name, kind, lang())
    if out is None:
        click.echo(write(told, form), nl=False)
    else:
        put(out, pdf(told) if form == PDF else write(told, form), public=True)
    return DONE


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
    cases = _cases(book, rule)
    if cases:
        yield ""
        yield say("rules.cases")
        width = max(map(len, cases))
        yield from (f"  {name:<{width}}  {title}" for name, title in cases.items())


def _options(book: Rulebook, rule: str) -> Iterator[str]:
    """The variants whose reading of this rule can be chosen."""
    from polemarque.report.labels import Book

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
    from polemarque.kernel.files.rule_ledger import where

    try:
        path, line = where(book, code)
    except ImportError:
        return "?"
    root = _root()
    if root is not None and root in path.parents:
        path = path.relative_to(root)
    return f"{path}:{line}" if line else str(path)


def _cases(book: Rulebook, rule: str) -> Mapping[str, str]:
    """The cases of a rule: those of the checkout, or those that an installed package carries."""
    from polemarque.kernel.files.rule_ledger import cases_of
    from polemarque.report.rulebook import PACKAGE

    root = _root()
    return cases_of(rule, root / "tests" if root else PACKAGE / "cases" / book.name)


def _root() -> Path | None:
    """The folder of the sources, with papers and tests; None beside an installed program."""
    import polemarque

    root = Path(polemarque.__file__).resolve().parents[2]
    return root if (root / "docs" / "rules").is_dir() and (root / "tests").is_dir() else None


# Coverage ----------------------------------------------------------------------------------------


def _coverage(books: list[Rulebook], rule: str) -> int:
    """The ledger as a table; what is missing is named behind each rule.  Raises NotAllowed."""
    from polemarque.cli.commands.check import all_words, told
    from polemarque.kernel.errors import NotAllowed
    from polemarque.kernel.files.findings import CheckFailed

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
    from polemarque.kernel.files.rule_ledger import coverage, docs_of, ledger_ids

    papers = root / "docs" / "rules"
    paper = docs_of(book, papers)
    rows = _rows(book)
    if paper is None and not rows:
        return {}
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
