"""The cases of a rule, for readers: what is given, which dice fall, what is expected.

They are the very files that the tests run.  An installed package carries them under ``cases/``; in
a checkout they are read where they lie.  The book of a stranger may have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import polemarque
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.ledger import CASES, cases_in
from polemarque.odds.typed import faces_typed, read_value
from polemarque.report.book import ledger_of

PACKAGE = Path(polemarque.__file__).resolve().parent
SOURCES = PACKAGE.parents[1]
"""The checkout, where the package is not an installed one."""

_HEAD = re.compile(r"(?P<id>[A-Z]+-[A-Z]*\d*(?:\.[A-Za-z0-9]+)*)\s+(?P<title>\S.*)")


class Step(msgspec.Struct, frozen=True):
    """One line of a case: its first word, what follows, and the remark behind it."""

    verb: str
    text: str
    note: str = ""


class Case(msgspec.Struct, frozen=True):
    """One case; `title` is in English, as the files are."""

    id: str
    title: str
    steps: tuple[Step, ...]

    def of(self, verb: str) -> Iterator[Step]:
        """The steps that begin with a word."""
        return (step for step in self.steps if step.verb == verb)


def cases_of(book: str, rule: str) -> tuple[Case, ...]:
    """The cases of a rule, in the order of their files; none where they did not come along."""
    files = _index(book).get(rule, ())
    return tuple(case for path in files for case in _read(path) if _rule_of(case.id) == rule)


def cases_here(book: str) -> bool:
    """Whether the cases of a book came along at all."""
    return bool(_index(book))


@cache
def _index(book: str) -> dict[str, tuple[Path, ...]]:
    """The files in which each rule has cases."""
    found: dict[str, dict[Path, None]] = {}
    for path in _files(book):
        for case in cases_in(path):
            found.setdefault(_rule_of(case), {})[path] = None
    return {rule: tuple(paths) for rule, paths in found.items()}


@cache
def _read(path: Path) -> tuple[Case, ...]:
    return tuple(read_cases(path.read_text(encoding="utf-8")))


def _files(book: str) -> list[Path]:
    """The case files of a book: those of the package, or those the ledger names in a checkout."""
    packed = sorted((PACKAGE / "cases" / book).glob(f"*{CASES}"))
    if packed:
        return packed
    named = {SOURCES / row.cases for row in ledger_of(book).values() if row.cases}
    folders = sorted({path.parent for path in named if path.is_file()})
    return [path for folder in folders for path in sorted(folder.glob(f"*{CASES}"))]


def _rule_of(case: str) -> str:
    """The rule of a case: its id without the letter."""
    front, _, last = case.rpartition(".")
    return front if front and not last.isdigit() else case


# Reading -----------------------------------------------------------------------------------------


def read_cases(text: str) -> list[Case]:
    """The cases of a file; what cannot be read as one is passed over."""
    cases: list[tuple[str, str, list[Step]]] = []
    depth = nested = 0
    for line in text.splitlines():
        said, note, opened = _parted(line)
        if not said.strip():
            continue
        head = _HEAD.fullmatch(said) if not nested else None
        if head is not None:
            cases.append((head["id"], head["title"].strip(), []))
            depth = 0
        elif cases and said[0].isspace():
            indent = len(said) - len(said.lstrip())
            steps = cases[-1][2]
            if steps and (nested or (depth and indent > depth)):
                steps[-1] = _joined(steps[-1], said.strip(), note)
            else:
                depth = depth or indent
                verb, _, rest = said.strip().partition(" ")
                steps.append(Step(verb, rest.strip(), note))
        nested = max(0, nested + opened)
    return [Case(name, title, tuple(steps)) for name, title, steps in cases]


def _joined(step: Step, more: str, note: str) -> Step:
    notes = f"{step.note}; {note}" if step.note and note else step.note or note
    return Step(step.verb, f"{step.text} {more}".strip(), notes)


def _parted(line: str) -> tuple[str, str, int]:
    """A line, the remark behind it, and how many brackets it leaves open."""
    open_, quoted, at = 0, False, 0
    while at < len(line):
        char = line[at]
        if char == '"':
            quoted = not quoted
        elif quoted:
            at += char == "\\"
        elif char == "#" and (not at or line[at - 1].isspace()):
            return line[:at].rstrip(), line[at + 1 :].strip(), open_
        else:
            open_ += (char in "[{") - (char in "]}")
        at += 1
    return line.rstrip(), "", open_


def words_of(text: str) -> list[str]:
    """Words of a line; blanks inside JSON do not divide them."""
    words, word, depth, quoted, escaped = [], "", 0, False, False
    for char in text:
        if char == '"' and not escaped:
            quoted = not quoted
        escaped = quoted and char == "\\" and not escaped
        if not quoted:
            depth += (char in "[{") - (char in "]}")
            if char.isspace() and not depth:
                words += [word] if word else []
                word = ""
                continue
        word += char
    return [*words, word] if word else words


def pairs_of(text: str) -> dict[str, Any] | None:
    """NAME=VALUE, several times, names perhaps with dots; None if something else is written."""
    found: dict[str, Any] = {}
    for word in words_of(text):
        name, equals, value = word.partition("=")
        if not equals or not name.replace(".", "").isidentifier():
            return None
        try:
            found[name] = read_value(name, value)
        except NotUnderstood:
            return None
    return found


class Question(msgspec.Struct, frozen=True):
    """What a case asks, where one rule is asked alone: to be asked again."""

    rule: str
    inputs: dict[str, Any]
    options: dict[str, Any]
    faces: tuple[int, ...]


def question_of(case: Case) -> Question | None:
    """What a case asks of a rule alone; None where a game is played, or the asking is refused."""
    verbs = {step.verb for step in case.steps}
    if not verbs <= {"asks", "given", "option", "dice", "expect"} or not verbs & {"given", "dice"}:
        return None
    inputs: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for step in case.steps:
        if step.verb in {"given", "option"}:
            read = pairs_of(step.text)
            if read is None:
                return None
            (inputs if step.verb == "given" else options).update(read)
    dice = " ".join(step.text for step in case.of("dice"))
    numbers = [word for word in dice.replace(",", " ").split() if word[0].isdigit()]
    rule = next((step.text for step in case.of("asks")), _rule_of(case.id))
    try:
        return Question(rule, inputs, options, tuple(faces_typed(" ".join(numbers))))
    except NotUnderstood:
        return None
