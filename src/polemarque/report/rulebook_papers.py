"""Papers of a rulebook: the booklet and the reference card, made from the data of the program.

A paper is a text file a language, ``papers/<kind>.<lang>.md`` in a book's data.  No figure of the
data is written in it: a blank names the figure by file and keys.

``# Title``, ``## Part``, ``### Section``, ``### Section {#anchor}``
    headings, the last one with an id that pages lead to; other lines are paragraphs, parted by
    blank ones
``{frame.trade.own}``, ``{resources.resource.wine.value}``
    a figure of ``frame.toml``; of a list in ``resources.toml``, by the key of its entry.  How a
    blank says its figure is described in `templates`.
``{code.state.TURNS_A_YEAR}``, ``{option.years}``, ``{text.god.war}``
    a figure that a module of the book fixes; the default of an option; a text of its catalogue
``| Good | PO |``
    a row of a table, the first one its head
``each FILE.LIST by 2: | {key:resource} | {value} |``
    a row for each entry of a list; ``by 2`` sets them in two columns
``!matrix MN-F3``, ``!tables Rule Table``
    the table that a rule reads by two words; what all tables of the book are called, with heads
``!map 0 0 1250 1640 Caption``
    a part of the map as the example leaves it: corner, breadth, height
``!turn 1``, ``!sheet A``
    a turn of the example told; a seat's sheet at its end

The example is a game, ``papers/example.toml``.  It is played: its figures are the program's.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from polemarque.kernel.errors import NotUnderstood, Refusal
from polemarque.kernel.events import Event
from polemarque.kernel.files.findings import Datum, Finding, in_order
from polemarque.kernel.files.sentence_templates import Template, TemplateFault, parse, typographic
from polemarque.kernel.files.table_files import BOUNDS, RawRow
from polemarque.kernel.files.texts import LANGUAGES, MissingText
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import Rulebook, System, find_rulebook
from polemarque.report.chronicle import chronicle_of_turn
from polemarque.report.documents.document import (
    Block,
    Document,
    Line,
    Picture,
    Section,
    Span,
    Style,
    Table,
)  # fmt: skip
from polemarque.report.labels import Book, Names, ledger_of, names_of
from polemarque.report.pictures import picture
from polemarque.report.rulebook import has_tables, tables_of
from polemarque.report.sheets import sheets

KINDS = ("booklet", "card")
"""Papers that a book may have: its rules with all figures, and what a player looks up."""


FEW = 8
"""Columns of a matrix whose names have room above them, that of the rows among them."""

Cells: TypeAlias = tuple[str, ...]

PAPERS = "papers"
"""The folder of the papers in a book's data."""


class Unsaid(Exception):
    """A line that cannot be printed: the ``code`` of a finding, and what it is about."""

    def __init__(self, code: str, what: str) -> None:
        super().__init__(code, what)
        self.code, self.what = code, what


UNREADABLE = (OSError, ValueError, KeyError, Refusal)
"""What a file that is no text, no TOML, or no game of its system raises; a bad blank too."""


def papers_of(book: str) -> tuple[str, ...]:
    """The papers that a book has."""
    folder = find_rulebook(book).data / PAPERS
    return tuple([kind for kind in KINDS if (folder / f"{kind}.{LANGUAGES[0]}.md").is_file()])


def source_of(book: str, kind: str, lang: str) -> str:
    """The file of a paper as it is written, with its blanks."""
    path = find_rulebook(book).data / PAPERS / f"{kind}.{lang}.md"
    return path.read_text(encoding="utf-8")


@cache
def paper(book: str, kind: str, lang: str) -> Document:
    """A paper of a book.  Raises NotUnderstood if it has none of that kind, or one with faults."""
    if kind not in papers_of(book):
        raise NotUnderstood("paper.unknown", part=kind, legal=papers_of(book))
    found = find_rulebook(book)
    try:
        return printed(found, found.data, kind, lang)
    except (Unsaid, *UNREADABLE):
        raise NotUnderstood("paper.faulty", part=f"{kind}.{lang}.md") from None


def printed(book: Rulebook, data: Path, kind: str, lang: str) -> Document:
    """A paper made from the figures of a folder: the book's own, or a copy that a club changed.

    Raises Unsaid on the first line that cannot be printed.
    """
    press = _Press(book, data, lang)
    title, blocks = "", list[Block]()
    sections: list[tuple[int, str, str, list[Block]]] = [(1, "", "", blocks)]
    for line in _lines(data / PAPERS / f"{kind}.{lang}.md"):
        depth = len(line.text) - len(line.text.lstrip("#"))
        if depth == 1:
            title = press.say(line.text[1:])
        elif depth:
            _close(sections, depth)
            sections.append((depth, *press.heading(line.text), []))
        else:
            sections[-1][-1].extend(press.blocks(line.text))
    _close(sections, 2)
    return Document(title, lang, tuple(blocks))


def check_paper(path: Path, book: Rulebook) -> tuple[Finding, ...]:
    """Every line of a paper that cannot be printed.

    Codes: ``paper.figure`` (what: a blank that names nothing), ``paper.order`` (what: a line that
    begins with a sign and means nothing), ``texts.braces`` and ``texts.blank`` (key, near);
    ``paper.unreadable`` (what: the fault) of a file, or an example, that cannot be read at all.
    """
    try:
        press, lines = _Press(book, path.parents[1], path.suffixes[0][1:]), list(_lines(path))
    except UNREADABLE as fault:
        return (Finding(str(path), 0, "", "paper.unreadable", {"what": str(fault)}),)
    findings = []
    for line in lines:
        try:
            for _ in press.blocks(line.text):
                pass
        except TemplateFault as fault:
            data: dict[str, Datum] = {"key": path.name, "near": fault.near}
            findings.append(Finding(str(path), line.number, "", fault.code, data))
        except Unsaid as fault:
            findings.append(Finding(str(path), line.number, "", fault.code, {"what": fault.what}))
    return in_order(findings)


# Reading -----------------------------------------------------------------------------------------


class _Source(NamedTuple):
    """A heading, a paragraph, a table or an order of a paper, and where it begins."""

    number: int
    text: str


def _lines(path: Path) -> Iterator[_Source]:
    """What blank lines part; a heading or an order stands alone, rows of a table together."""
    begun, kept = 0, list[str]()
    for number, line in enumerate((*path.read_text(encoding="utf-8").splitlines(), ""), 1):
        alone = line.startswith(("#", "!"))
        if kept and (alone or not line.strip()):
            yield _Source(begun, "\n".join(kept))
            kept = []
        if alone:
            yield _Source(number, line)
        elif line.strip():
            begun = begun if kept else number
            kept.append(line.strip())


def _close(sections: list[tuple[int, str, str, list[Block]]], depth: int) -> None:
    """Put every open section of this depth, or deeper, into the one around it."""
    while sections[-1][0] >= depth:
        _, title, anchor, blocks = sections.pop()
        sections[-1][-1].append(Section(title, tuple(blocks), anchor))


_CELL = re.compile(r"[{}|]")
_EACH = re.compile(r"each (?P<list>\S+?)(?: by (?P<by>\d+))?:\s*(?P<row>\|.*\|)")
_MARKED = re.compile(r"\*\*(?P<strong>.+?)\*\*|\*(?P<em>.+?)\*")


def _cells(row: str) -> list[str]:
    """The cells of ``| a | b |``; a bar inside a blank parts nothing."""
    cells, begun, depth = list[str](), 1, 0
    for found in _CELL.finditer(row):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if found[0] == "|" and not depth and found.start():
            cells.append(row[begun : found.start()].strip())
            begun = found.end()
    return cells


def _spans(said: str) -> Iterator[Span]:
    """Words with **strong** and *emphasised* ones among them."""
    at = 0
    for found in _MARKED.finditer(said):
        if found.start() > at:
            yield Span(said[at : found.start()])
        style: Style = "strong" if found["strong"] else "em"
        yield Span(found[style], style)
        at = found.end()
    if at < len(said):
        yield Span(said[at:])


# Figures -----------------------------------------------------------------------------------------


class _Figures(Mapping[str, Any]):
    """The figures of a book's data by their names, over those of one entry of a list."""

    def __init__(self, book: Rulebook, data: Path, words: Book) -> None:
        self._book, self._data, self._words = book, data, words
        self._files: dict[str, Any] = {}
        self.entry: Mapping[str, Any] = {}
        self._known: frozenset[str] = frozenset()

    def __getitem__(self, name: str) -> Any:
        head, *rest = name.split(".")
        if name in self._known:
            try:
                return _walked(self.entry, [head, *rest])
            except KeyError:
                return ""  # another entry of the list has it
        if head == "option":
            return {one.name: one.default for one in self._book.options}[".".join(rest)]
        if head == "text":
            return self._words.say(".".join(rest), n=1)
        if head == "code":
            return getattr(import_module(".".join((self._book.package, *rest[:-1]))), rest[-1])
        return _walked(self._file(head), rest)

    def __iter__(self) -> Iterator[str]:
        return iter(self.entry)

    def __len__(self) -> int:
        return len(self.entry)

    def leave(self) -> None:
        """No entry of a list is told any more."""
        self.entry, self._known = {}, frozenset()

    def _file(self, name: str) -> Any:
        if name not in self._files:
            path = self._data / f"{name}.toml"
            if not path.is_file():
                raise KeyError(name)
            self._files[name] = tomllib.loads(path.read_text(encoding="utf-8"))
        return self._files[name]

    def entries(self, name: str) -> list[dict[str, Any]]:
        """The entries of a list or table; what only some of them have, others say as nothing."""
        found = self[name]
        if isinstance(found, Mapping):
            found = [
                {"key": key, **(value if isinstance(value, Mapping) else {"value": value})}
                for key, value in found.items()
            ]
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise KeyError(name)
        told = [{**one, "span": _span(one)} for one in found]
        self._known = frozenset([name for one in told for name in _names(one)])
        return told


def _walked(value: Any, steps: Sequence[str]) -> Any:
    """What stands at these keys; an entry of a list is found by its own key.  Raises KeyError."""
    if not steps:
        return value
    if isinstance(value, list):
        value = {one.get("key", one.get("when")): one for one in value if isinstance(one, dict)}
    for end in range(1, len(steps) + 1):
        # A key may have dots of its own: the id of a rule.
        key = ".".join(steps[:end])
        if isinstance(value, Mapping) and key in value:
            return _walked(value[key], steps[end:])
    raise KeyError(".".join(steps))


def _names(entry: Mapping[str, Any], before: str = "") -> Iterator[str]:
    """The names of all that an entry holds, with those of tables within it."""
    for key, value in entry.items():
        yield f"{before}{key}"
        if isinstance(value, Mapping):
            yield from _names(value, f"{before}{key}.")


def _span(entry: Mapping[str, Any]) -> str:
    """The totals that a row of a table is for, "" of an entry of another list."""
    if not BOUNDS & set(entry):
        return ""
    low, high = entry.get("from", entry.get("at")), entry.get("to", entry.get("at"))
    return RawRow(0, low, high, {}).span.replace("-", "\u2212")


# Printing ----------------------------------------------------------------------------------------


class _Press:
    """Prints the parts of one paper."""

    def __init__(self, book: Rulebook, data: Path, lang: str) -> None:
        self._book, self._data, self._lang = book, data, lang
        self._names: Names = {}
        if isinstance(book, System) and self._played.is_file():
            self._names = names_of(book, self._example.game.state, lang)
        self._words = Book(book, lang, self._names)
        self._figures = _Figures(book, data, self._words)
        self._orders: dict[str, Callable[..., Iterator[Block]]] = {
            "!matrix": self._matrix, "!tables": self._tables,
            "!map": self._map, "!turn": self._turn, "!sheet": self._sheet,
        }  # fmt: skip

    def blocks(self, text: str) -> Iterator[Block]:
        """A paragraph, a table, or what an order asks for.  Raises Unsaid, TemplateFault."""
        if text.startswith("#"):
            self.heading(text)
        elif text.startswith("!"):
            name, *words = text.split()
            if name not in self._orders:
                raise Unsaid("paper.order", name)
            try:
                yield from self._orders[name](*words)
            except (TypeError, *UNREADABLE):
                raise Unsaid("paper.order", text) from None
        elif text.startswith("|"):
            yield self._table(text.split("\n"))
        else:
            yield Line(tuple(_spans(self.say(text.replace("\n", " ")))))

    def heading(self, text: str) -> tuple[str, str]:
        """The words of a heading, and its anchor.  Raises Unsaid, TemplateFault."""
        words, _, anchor = text.lstrip("#").partition("{#")
        return self.say(words), anchor.strip(" }")

    def say(self, text: str) -> str:
        """Words with their figures, as they are printed.  Raises Unsaid, TemplateFault."""
        return self._filled(parse(text.strip()))

    def _filled(self, template: Template) -> str:
        try:
            said = template.fill(self._lang, self._figures, lambda key: self._words.say(key, n=1))
        except MissingText as missing:
            raise Unsaid("paper.figure", missing.key) from None
        except (KeyError, AttributeError, ImportError, TypeError) as missing:
            raise Unsaid("paper.figure", str(missing.args[0])) from None
        return typographic(said, self._lang)

    # Tables ----------------------------------------------------------------------------------

    def _table(self, lines: Sequence[str]) -> Table:
        head = tuple([self.say(cell) for cell in _cells(lines[0])])
        rows, by = [], 1
        for line in lines[1:]:
            each = _EACH.fullmatch(line)
            if each is None:
                rows.append(tuple([self.say(cell) for cell in _cells(line)]))
            else:
                by = int(each["by"] or 1)
                rows += self._each(each["list"], _cells(each["row"]))
        wrong = [row for row in rows if len(row) != len(head)]
        if wrong:
            raise Unsaid("paper.order", " | ".join(wrong[0]))
        return self._in_columns(head, rows, by)

    def _in_columns(self, head: Cells, rows: Sequence[Cells], by: int) -> Table:
        """A long table set in several columns beside one another."""
        deep = -(-len(rows) // by)
        columns = [rows[at : at + deep] for at in range(0, len(rows), deep)]
        beside = zip_longest(*columns, fillvalue=("",) * len(head))
        return Table(head * len(columns), tuple([tuple(chain(*line)) for line in beside]))

    def _each(self, name: str, cells: Sequence[str]) -> Iterator[tuple[str, ...]]:
        try:
            entries = self._figures.entries(name)
        except KeyError:
            raise Unsaid("paper.figure", name) from None
        templates = [parse(cell) for cell in cells]
        for entry in entries:
            self._figures.entry = entry
            yield tuple([self._filled(template) for template in templates])
        self._figures.leave()

    def _matrix(self, rule: str) -> Iterator[Block]:
        """Many columns are numbered as their rows are: there is no room for names above them."""
        (table,) = tables_of(self._book.name, rule, self._lang, str)
        if len(table.head) <= FEW:
            yield table
            return
        rows = [(f"{n}. {row[0]}", *row[1:]) for n, row in enumerate(table.rows, 1)]
        yield Table(("", *map(str, range(1, len(table.head)))), tuple(rows))

    def _tables(self, *head: str) -> Iterator[Block]:
        rules = [rule for rule in ledger_of(self._book.name) if has_tables(self._book.name, rule)]
        yield self._in_columns(head, [(rule, self._words.title(rule)) for rule in rules], 3)

    # The example -----------------------------------------------------------------------------

    @cached_property
    def _example(self) -> Example:
        return played(self._book.name, self._played)

    @property
    def _played(self) -> Path:
        return self._data / PAPERS / "example.toml"

    def _map(self, x: str, y: str, width: str, height: str, *caption: str) -> Iterator[Block]:
        """A part of the map, by its corner and its size in the drawing's own units."""
        game = self._example.game
        drawn = picture(game.header.system, game.state, self._lang, self._names) or ""
        box = " ".join([f"{float(side):g}" for side in (x, y, width, height)])
        said = self.say(" ".join(caption))
        yield Picture(re.sub(r'viewBox="[^"]*"', f'viewBox="{box}"', drawn, count=1), said, said)

    def _turn(self, number: str) -> Iterator[Block]:
        game, events = self._example
        told = chronicle_of_turn(
            game.header, events, int(number), self._lang, seat="", state=game.state
        )
        yield from [block for block in told.blocks if isinstance(block, Section)]

    def _sheet(self, seat: str) -> Iterator[Block]:
        game, _ = self._example
        told = sheets(game.header, game.state, self._lang, seat=seat, period=game.runner.period)
        yield from next(one.blocks for one in told.blocks if isinstance(one, Section))


class Example(NamedTuple):
    """A game that was played for a paper, and what happened in it."""

    game: Game
    events: list[Event]


@cache
def played(system: str, path: Path) -> Example:
    """The example: seats answer what the file says, and as the absent do where it says nothing."""
    wanted = tomllib.loads(path.read_text(encoding="utf-8"))
    header = new_header(system, scenario=wanted["scenario"], seed=wanted["seed"])
    events: list[Event] = []
    game = Game(header, publish=events.append)
    game.settle()
    while game.runner.period <= wanted["turns"] and (asked := game.requests()):
        for request in asked:
            for seat in request.missing:
                _answer(game, seat, wanted["answer"])
        game.settle()
    return Example(game, events)


def _answer(game: Game, seat: str, given: Sequence[Mapping[str, Any]]) -> None:
    """A club's figures may not allow what the example does: then the seat is absent."""
    request = next(one for one in game.requests(seat))
    key = request.keys[seat]
    for one in given:
        if (one["seat"], one["rule"], one["turn"]) == (seat, key.rule, key.period):
            try:
                game.answer(seat, {**request.absent(seat), **one["says"]}, key)
            except Refusal:
                break
            return
    game.absent(seat)
