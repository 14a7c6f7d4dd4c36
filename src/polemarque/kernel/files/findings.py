"""Findings: what a checker says about a data file, with file, line, reason and hint.

The writer of a map, a table or a text catalogue is told what is wrong, in their language: a
finding is data (a code and figures); its reason and its hint are the texts
``check.<code>.reason`` and ``check.<code>.hint`` of the catalogues.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from polemarque.kernel.files.validation_messages import misread

if TYPE_CHECKING:
    from polemarque.kernel.files.texts import Catalogue

Datum = str | int
"""A figure or word of a finding, for its reason and hint."""

Step = str | int
"""One step into a file: a key, or the place in a list, counted from 0."""


LARGEST = 2**19
"""Bytes of the largest file that is read: three times what the largest of ours has."""

MOST_FINDINGS = 1000
"""As many faults of a file are looked for: nobody mends more at once, and none takes long."""

DEEPEST = 32
"""Parts of the longest key that is read; and as many tables or lists within each other."""


class Finding(msgspec.Struct, frozen=True):
    """One fault of a data file.

    file:  the path as it was given to the checker.
    line:  1-based; 0 where no line can be named (a file that is missing, a map as a whole).
    place: where in the file's own terms, such as ``rows[3]`` (lists count from 0) or
           ``territory mestor_2``; "" for the file as a whole.
    code:  what is wrong, such as ``table.gap``; names the texts of reason and hint.
    data:  figures for those texts; which ones is part of what the code means.
    """

    file: str
    line: int
    place: str
    code: str
    data: dict[str, Datum] = {}

    def __str__(self) -> str:
        """The finding without its prose, for logs and exceptions."""
        figures = " ".join(f"{name}={value!r}" for name, value in self.data.items())
        parts = (f"{self.file}:{self.line}", self.place, self.code, figures)
        return ": ".join(part for part in parts if part)


class CheckFailed(Exception):
    """A data file is refused whole.  `findings` say why, in the order of the file."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = in_order(findings)
        super().__init__("\n".join(str(finding) for finding in self.findings))


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The first `MOST_FINDINGS` by file, then line, place and code; each said once."""
    seen: dict[tuple[Any, ...], Finding] = {}
    for finding in islice(findings, MOST_FINDINGS):
        pairs = sorted((name, str(value)) for name, value in finding.data.items())
        seen.setdefault((_rank(finding), *pairs), finding)
    return tuple(sorted(seen.values(), key=_rank))


def reason(finding: Finding, speaker: Catalogue, lang: str) -> str:
    """What is wrong, as a sentence in `lang`."""
    return _said(finding, speaker, lang, "reason")


def hint(finding: Finding, speaker: Catalogue, lang: str) -> str:
    """What to do about it, as a sentence in `lang`."""
    return _said(finding, speaker, lang, "hint")


def examined_file(
    path: Path | str, faults: Callable[[dict[str, Any], str, str], tuple[Finding, ...]]
) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """The content of a TOML file ({} if it cannot be read) and everything wrong with it.

    faults: what is wrong with a content, by the file's name and its text.
    """
    read = read_toml(path)
    if isinstance(read, Finding):
        return {}, (read,)
    content, text = read
    return content, faults(content, str(path), text)


def read_toml(path: Path | str) -> tuple[dict[str, Any], str] | Finding:
    """What a TOML file says and its text; or a finding if it cannot be read.

    Codes: ``file.missing``, ``file.large`` (size, most: kilobytes), ``file.encoding`` (not UTF-8),
    ``toml.syntax`` and ``toml.twice`` (a key or table given twice), the last two with their line.
    A byte order mark is forgiven: editors for Windows leave one.
    """
    name = str(path)
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST + 1)
            length = max(len(content), Path(path).stat().st_size)
    except OSError:
        return Finding(name, 0, "", "file.missing")
    if len(content) > LARGEST:
        size: dict[str, Datum] = {"size": -(-length // 1024), "most": LARGEST // 1024}
        return Finding(name, 0, "", "file.large", size)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = bytes(error.object[: error.start]).count(b"\n") + 1
        return Finding(name, line, "", "file.encoding")
    if (deep := _too_deep(text)) is not None:
        return _syntax(name, text, f"a key of more than {DEEPEST} parts{_at(text, deep)}")
    try:
        raw = tomllib.loads(text)
        if not (strange := _beyond(raw)):
            return raw, text
    except tomllib.TOMLDecodeError as error:
        return _syntax(name, text, str(error))
    except ValueError:  # Python reads no number of thousands of digits
        strange = LONG_NUMBER
    except RecursionError:
        strange = DEEP
    long = _LONG_NUMBER.search(text) if strange == LONG_NUMBER else None
    return _syntax(name, text, f"{strange}{_at(text, long.start())}" if long else strange)


class Lines:
    """Where each key and each element of a list stands in a TOML text.

    The text must have been read without fault.  Work is done when first asked, so that a
    faultless file costs nothing.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: dict[tuple[Step, ...], int] | None = None

    def of(self, *steps: Step) -> int:
        """Line (from 1) of the value at `steps`, or of the nearest thing around it; else 0.

        Steps are keys, and numbers from 0 for the elements of lists: ``of("rows", 3, "from")``.
        """
        if self._lines is None:
            self._lines = _Scanner(self._text).lines()
        for length in range(len(steps), 0, -1):
            line = self._lines.get(steps[:length])
            if line:
                return line
        return 0


def _rank(finding: Finding) -> tuple[str, int, str, str]:
    return finding.file, finding.line, finding.place, finding.code


def _said(finding: Finding, speaker: Catalogue, lang: str, part: str) -> str:
    where: dict[str, Datum] = {
        "file": finding.file, "line": finding.line, "place": finding.place
    }  # fmt: skip
    given = where | finding.data
    given["place"] = place_told(finding.place, speaker, lang)
    if "misread" in given:
        given["misread"] = misread(str(given["misread"]), speaker, lang)
    if "refusal" in given:  # in words, as it is said where a game refuses
        given["refusal"] = speaker.say(lang, f"error.{given['refusal']}", **given)
    return speaker.say(lang, f"check.{finding.code}.{part}", **given)


PLACES = frozenset({"element", "kingdom", "list", "mercenaries", "people", "province", "territory",
                    "unit", "zone"})  # fmt: skip
"""What a place may begin with, before its name: the texts ``place_word`` say it."""


def place_told(place: str, speaker: Catalogue, lang: str) -> str:
    """A finding's place in the reader's words: "unit hoplites", in French « unité hoplites »."""
    word, _, name = place.partition(" ")
    return f"{speaker.say(lang, f'place_word.{word}')} {name}" if word in PLACES and name else place


_WHERE = r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$"
_TWICE = r"Cannot (overwrite|declare|mutate)|Duplicate inline"


def _syntax(name: str, text: str, message: str) -> Finding:
    """The reader's complaint as a finding."""
    where = re.search(_WHERE, message)
    if where and where["line"]:
        line, column = int(where["line"]), int(where["column"])
    else:
        line, column = _unfinished(text), 0
    lines = text.split("\n")
    near = lines[line - 1].strip() if line <= len(lines) else ""
    code = "toml.twice" if re.match(_TWICE, message) else "toml.syntax"
    said = re.sub(_WHERE, "", message)
    return Finding(name, line, "", code, {"column": column, "near": near[:60], "message": said})


def _at(text: str, place: int) -> str:
    """Line and column of a place in a text, as the reader of TOML says them."""
    line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
    return f" (at line {line}, column {column})"


def _too_deep(text: str) -> int | None:
    """Where a dotted key begins that has more than `DEEPEST` parts, if one has.

    Each part is a table within the one before: their reading costs the square of their number.
    """
    if not _MANY_DOTS.search(text):
        return None
    start, dots = 0, 0
    for token in _TOKEN.finditer(text):
        if token["mark"] == ".":
            dots += 1
            if dots >= DEEPEST:
                return start
        elif token["newline"] or token["mark"]:
            start, dots = token.end(), 0
    return None


DEEP, LONG_NUMBER = "too many brackets within brackets", "a number too long"


def _beyond(raw: dict[str, Any]) -> str:
    """What is too much about what was read, for anyone who goes through it: "" for nothing.

    A record holds whole numbers of 64 bits, as TOML does.
    """
    level: list[Any] = [raw]
    for _ in range(DEEPEST + 1):
        below: list[Any] = []
        for value in level:
            kind = type(value)
            if kind is dict:
                below += value.values()
            elif kind is list:
                below += value
            elif kind is int and not -(2**63) <= value < 2**63:
                return LONG_NUMBER
        if not below:
            return ""
        level = below
    return DEEP


def _unfinished(text: str) -> int:
    """Line of what was begun and never ended: a quote without its pair, else the last line."""
    at = 0
    while token := _TOKEN.match(text, at):
        at = token.end()
    return text.count("\n", 0, at if at < len(text) else len(text.rstrip())) + 1


_LONG_NUMBER = re.compile(r"[0-9A-Fa-f_]{16,}|0[bo][01-7_]{16,}")
"""What may be a number of more than 64 bits."""

_MANY_DOTS = re.compile(
    r"""(?:\.[ \t]*+(?:[A-Za-z0-9_-]++|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+')[ \t]*+)"""
    f"{{{DEEPEST}}}"
)
"""What may be so long a key, or words in a text that merely look like one."""

_TOKEN = re.compile(
    r'''(?P<skip>[ \t\r]+|\#[^\n]*)
    |(?P<newline>\n)
    |(?P<string>"""(?:\\[\s\S]|[^\\])*?"{3,5}|\'\'\'[\s\S]*?'{3,5}
               |"(?:\\.|[^"\\\n])*"|'[^'\n]*')
    |(?P<mark>[\[\]{}=,.])
    |(?P<bare>[^\s\[\]{}=,.\#"']+)''',
    re.VERBOSE,
)


class _Scanner:
    """Reads TOML that is known to be sound, for the lines only."""

    def __init__(self, text: str) -> None:
        self._tokens: list[tuple[str, str, int]] = []
        line = 1
        for found in _TOKEN.finditer(text):
            kind, said = str(found.lastgroup), found.group()
            if kind != "skip":
                self._tokens.append((kind, said, line))
            line += said.count("\n")
        self._at = 0
        self._found: dict[tuple[Step, ...], int] = {}
        self._last: dict[tuple[Step, ...], int] = {}

    def lines(self) -> dict[tuple[Step, ...], int]:
        """Line by path."""
        base: tuple[Step, ...] = ()
        while self._skip_newlines():
            if self._said() == "[":
                base = self._header()
            else:
                self._pair(base)
        return self._found

    def _said(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _skip_newlines(self) -> bool:
        """Go on to the next token that is no end of line; False at the end of the text."""
        while self._said() == "\n":
            self._at += 1
        return self._at < len(self._tokens)

    def _note(self, path: tuple[Step, ...]) -> None:
        line = self._tokens[min(self._at, len(self._tokens) - 1)][2]
        for length in range(1, len(path) + 1):
            self._found.setdefault(path[:length], line)

    def _header(self) -> tuple[Step, ...]:
        """``[a.b]`` or ``[[a.b]]``: the path of the table that it opens."""
        start = self._at
        self._at += 1
        several = self._said() == "["
        self._at += several
        path: tuple[Step, ...] = ()
        keys = self._key()
        for number, key in enumerate(keys, 1):
            path += (key,)
            if several and number == len(keys):
                self._last[path] = self._last.get(path, -1) + 1
            if path in self._last:
                path += (self._last[path],)
        self._at, end = start, self._at + 1 + several
        self._note(path)
        self._at = end
        return path

    def _key(self) -> list[str]:
        """A key, dotted or not."""
        keys = []
        while True:
            kind, said, _ = self._tokens[self._at]
            keys.append(str(next(iter(tomllib.loads(f"{said}=0")))) if kind == "string" else said)
            self._at += 1
            if self._said() != ".":
                return keys
            self._at += 1

    def _pair(self, base: tuple[Step, ...]) -> None:
        start = self._at
        path = base + tuple(self._key())
        end = self._at
        self._at = start
        self._note(path)
        self._at = end + 1  # the equals sign
        self._value(path)

    def _value(self, path: tuple[Step, ...]) -> None:
        opening = self._said()
        if opening == "[":
            self._at += 1
            number = 0
            while self._skip_newlines() and self._said() != "]":
                self._note((*path, number))
                self._value((*path, number))
                number += 1
                self._skip_newlines()
                self._at += self._said() == ","
            self._at += 1
        elif opening == "{":
            self._at += 1
            while self._skip_newlines() and self._said() != "}":
                self._pair(path)
                self._skip_newlines()
                self._at += self._said() == ","
            self._at += 1
        else:
            while self._said() not in {"", "\n", ",", "]", "}"}:
                self._at += 1
