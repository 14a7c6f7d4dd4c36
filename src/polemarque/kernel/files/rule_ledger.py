"""The ledger of a rulebook: one row per rule, and whether each is written, cited and tested.

``ledger.toml`` stands beside the modules of a system, or of the bridges between systems::

    ["AT-9.5"]
    title = { fr = "Résultat de la conquête", en = "Result of a conquest" }
    code = "conquest.assault"                         # module.function in the system's package
    text.fr = "…"                                     # what we understand, in our own words
    text.en = "…"

The rules there are to write are the ids of ``docs/rules/*.md``; the cases of a rule have its id.
A row of ``kind = "example"`` repeats an example of the book: it wants a case, and no code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import msgspec

from polemarque.kernel.files.decoding import convert
from polemarque.kernel.files.findings import CheckFailed, Datum, Finding, Lines, in_order, read_toml
from polemarque.kernel.files.sentence_templates import typographic
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.system import Rulebook

CASES = ".case"
"""How the name of a file of cases ends."""


class LedgerRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule: its title, what we understand by it, and where it is written.

    cases: a file of cases that must be there.   kind: "rule", or "example" for one of the book.
    """

    title: dict[str, str] = {}
    text: dict[str, str] = {}
    code: str = ""
    cases: str = ""
    kind: Literal["rule", "example"] = "rule"


class Hole(msgspec.Struct, frozen=True, order=True):
    """What a rule lacks.

    lack:   "row" (the ledger has none), "rule" (docs have no such id), "code" (not there or cannot
            be imported), "citation" (nothing in the system's source names it), "case" (no case and
            no test names it), "title" or "text" (in `detail`, a language).
    detail: what was looked for.
    """

    rule: str
    lack: str
    detail: str = ""


def ledger_path(book: Rulebook) -> Path:
    """Where a system keeps its ledger: beside its data."""
    return book.data.parent / "ledger.toml"


def read_ledger(path: Path) -> tuple[dict[str, LedgerRow], tuple[Finding, ...]]:
    """The rows of a ledger file that can be read, and what is wrong with the file.

    Codes: ``file.*``, ``toml.*``, ``ledger.row`` (rule, message), ``ledger.language`` (rule,
    part: title or text, language: the one that lacks it).
    """
    read = read_toml(path)
    if isinstance(read, Finding):
        return {}, (read,)
    raw, source = read
    lines = Lines(source)
    rows: dict[str, LedgerRow] = {}
    findings = []
    for rule, given in raw.items():
        try:
            rows[rule] = _printed(convert(given, LedgerRow))
        except msgspec.ValidationError as fault:
            data: dict[str, Datum] = {"rule": rule, "misread": str(fault)}
            findings.append(Finding(str(path), lines.of(rule), rule, "ledger.row", data))
            continue
        for hole in _untold(rule, rows[rule]):
            data = {"rule": rule, "part": hole.lack, "language": hole.detail}
            line = lines.of(rule, hole.lack)
            findings.append(Finding(str(path), line, rule, "ledger.language", data))
    return rows, in_order(findings)


def _printed(row: LedgerRow) -> LedgerRow:
    """A row with its words as they are printed."""
    title, text = (
        {lang: typographic(said, lang) for lang, said in words.items()}
        for words in (row.title, row.text)
    )
    return msgspec.structs.replace(row, title=title, text=text)


# What the papers say ---------------------------------------------------------------------------


def ledger_ids(markdown: Path) -> tuple[str, ...]:
    """The ids of a ledger in ``docs/rules``: items that begin ``- **AT-1.2** …``, in order."""
    found = []
    for line in markdown.read_text(encoding="utf-8").splitlines():
        if line.startswith("- **"):
            rule, mark, _ = line.removeprefix("- **").partition("**")
            if mark and is_rule_id(rule):
                found.append(rule)
    return tuple(found)


def rule_order(rule: str) -> tuple[tuple[bool, int, str], ...]:
    """What to sort rules by: as a book numbers them, lettered chapters after the numbered."""
    words = re.findall(r"[0-9]+|[^0-9.-]+", rule)
    return tuple((not word.isdigit(), int(word) if word.isdigit() else 0, word) for word in words)


def is_rule_id(word: str) -> bool:
    """Whether a word is a rule id: capitals, a dash, a chapter, perhaps a dot and a number."""
    book, dash, paragraph = word.partition("-")
    chapter, _, number = paragraph.partition(".")
    return bool(
        dash
        and book.isalpha()
        and book.isupper()
        and chapter.isalnum()
        and (not number or number.isdigit())
        and not paragraph.endswith(".")
    )


def docs_of(book: Rulebook, folder: Path) -> Path | None:
    """The ledger of a system among ``docs/rules/*.md``: the one that names it as its code name."""
    name = f"Code name: `{book.name}`"
    for path in sorted(folder.glob("*.md")):
        if name in path.read_text(encoding="utf-8"):
            return path
    return None


# What the source says --------------------------------------------------------------------------


def find_code(book: Rulebook, code: str) -> Any:
    """The object that ``module.function`` names in a system's package, or ``function`` alone.

    Raises LookupError if there is none, ImportError if its module cannot be imported.
    """
    module, parts = _module(book, code)
    found: Any = module
    for part in parts:
        if not hasattr(found, part):
            raise LookupError(f"{module.__name__} has no {'.'.join(parts)}")
        found = getattr(found, part)
    return found


def _module(book: Rulebook, code: str) -> tuple[ModuleType, list[str]]:
    """The module that a name begins with, however deep, and the rest of the name."""
    module, parts = import_module(book.package), code.split(".")
    if not hasattr(module, parts[0]):
        module = import_module(f"{book.package}.{parts.pop(0)}")
    while parts and hasattr(module, "__path__") and find_spec(f"{module.__name__}.{parts[0]}"):
        module = import_module(f"{module.__name__}.{parts.pop(0)}")
    return module, parts


def where(book: Rulebook, code: str) -> tuple[Path, int]:
    """File and line of what ``module.function`` names; line 0 if its module only imports it.

    Raises ImportError if its module cannot be imported.
    """
    module, parts = _module(book, code)
    path = Path(str(module.__file__))
    body: list[ast.stmt] = ast.parse(path.read_text(encoding="utf-8")).body
    line = 0
    for part in parts:
        named = next((node for node in body if part in _names_of(node)), None)
        if named is None:
            return path, 0
        line = named.lineno
        body = named.body if isinstance(named, ast.ClassDef) else []
    return path, line


def _names_of(node: ast.stmt) -> Iterator[str]:
    """Names that a statement gives a meaning to."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def cited_rules(book: Rulebook) -> frozenset[str]:
    """Rule ids that the system's source names as words of their own, or its data as words or keys.

    A script of a paragraph ("AT-8.1/reveal") names the paragraph.  Prose does not count: neither
    comments and docstrings nor the text catalogues.
    """
    words: set[str] = set()
    for path in sorted(book.data.resolve().parent.rglob("*.py")):
        words |= {text for text in strings(path) if "-" in text}
    for path in sorted(book.data.rglob("*.toml")):
        if not path.name.startswith("texts."):
            read = read_toml(path)
            words |= set() if isinstance(read, Finding) else set(_words(read[0]))
    return frozenset(
        rule for rule in (word.partition("/")[0] for word in words) if is_rule_id(rule)
    )


def strings(path: Path) -> Iterator[str]:
    """All string literals of a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _words(part)
    elif isinstance(value, list):
        for part in value:
            yield from _words(part)


# What the tests say ----------------------------------------------------------------------------


def cases_in(path: Path) -> dict[str, str]:
    """Case id -> title: lines of a case file that begin at its margin with an id."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line[:1].strip() and not line.startswith("#"):
            name, _, title = line.partition(" ")
            found[name] = title.strip()
    return found


def cases_of(rule: str, folder: Path) -> dict[str, str]:
    """All cases of a rule below a folder of tests."""
    return {
        name: title
        for path in sorted(folder.rglob(f"*{CASES}"))
        for name, title in cases_in(path).items()
        if name == rule or name.startswith(f"{rule}.")
    }


def tested_rules(rules: Iterable[str], folder: Path) -> frozenset[str]:
    """Which rules a case is named after, or a test names: in a string, or in its own name."""
    names = {name for path in folder.rglob(f"*{CASES}") for name in cases_in(path)}
    named = {".".join(name.split(".")[:n]) for name in names for n in range(1, name.count(".") + 2)}
    tests: set[str] = set()
    for path in sorted(folder.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                tests.add(f"_{node.name}_")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                named |= {word.strip(_MARKS) for word in node.value.split() if "-" in word}
    for rule in rules:
        spelt = f"_{rule.replace('-', '_').replace('.', '_')}_"
        if any(spelt in name for name in tests):
            named.add(rule)
    return frozenset(rules) & named


_MARKS = "()[]{}«»\"'`,;:.!?…*_"


# All together ----------------------------------------------------------------------------------


def coverage(book: Rulebook, docs: Path, tests: Path) -> list[Hole]:
    """Everything that is missing between papers, ledger, source and tests, in the ledger's order.

    docs: the folder ``docs/rules``.   tests: the folder of all tests.
    Raises CheckFailed if the ledger cannot be read.
    """
    rows, findings = read_ledger(ledger_path(book))
    broken = [f for f in findings if f.code != "ledger.language"]
    if broken:
        raise CheckFailed(broken)
    paper = docs_of(book, docs)
    ids = ledger_ids(paper) if paper else ()
    holes = [Hole(rule, "row") for rule in ids if rule not in rows]
    if paper is not None:
        holes += [Hole(rule, "rule", paper.name) for rule in rows if rule not in ids]
    cited = cited_rules(book)
    tested = tested_rules({*rows, *ids}, tests)
    for rule in dict.fromkeys((*ids, *rows)):
        row = rows.get(rule)
        if row is not None:
            holes += [*_untold(rule, row), *_unwritten(book, rule, row)]
        if rule not in cited and (row is None or row.kind == "rule"):
            holes.append(Hole(rule, "citation"))
        if paper is None:
            continue  # a stranger's system keeps its papers and its cases at home
        if rule not in tested:
            holes.append(Hole(rule, "case"))
        elif row is not None and row.cases and not (tests.parent / row.cases).is_file():
            holes.append(Hole(rule, "case", row.cases))
    return sorted(holes, key=lambda hole: ids.index(hole.rule) if hole.rule in ids else len(ids))


def _untold(rule: str, row: LedgerRow) -> list[Hole]:
    parts: Mapping[str, Mapping[str, str]] = {"title": row.title, "text": row.text}
    return [
        Hole(rule, part, lang)
        for part, said in parts.items()
        for lang in LANGUAGES
        if not said.get(lang, "").strip()
    ]


def _unwritten(book: Rulebook, rule: str, row: LedgerRow) -> list[Hole]:
    if not row.code:
        return [Hole(rule, "code")] if row.kind == "rule" else []
    try:
        find_code(book, row.code)
    except (LookupError, ImportError):
        return [Hole(rule, "code", row.code)]
    return []
