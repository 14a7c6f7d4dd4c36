"""Findings: lines are the ones an editor shows, and every fault can be said in both languages."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polemarque.kernel
from polemarque.kernel.files.findings import (
    LARGEST,
    CheckFailed,
    Finding,
    Lines,
    Step,
    hint,
    in_order,
    read_toml,
    reason,
)
from polemarque.kernel.files.texts import KERNEL_TEXTS, LANGUAGES, Catalogue

KERNEL = Path(polemarque.kernel.__file__).parent

DOCUMENT = '''\
# line 1: a comment with [brackets] and "quotes
title = "a # b"
"quoted key" = 1
dotted.one . "two.three" = """
several = "lines"
[not.a.header]
"""
rows = [            # line 8
  { at = 1, word = "]" },
  { at = 2 },  { at = 3,
    late = [ "x",
             "y" ] },
]
dates = [ 1979-05-27 07:32:00, 1980-01-01 ]

[tables."AT-9.5"]
rule = 'AT-9.5'

[[place]]
name = "first"
[place.port]
depth = 3
[[place]]
name = \'\'\'second
"third" \'\'\'
[[place.gate]]
wide = true
[[place.gate]]
wide = false
'''

WHERE: dict[tuple[Step, ...], int] = {
    ("title",): 2,
    ("quoted key",): 3,
    ("dotted",): 4,
    ("dotted", "one", "two.three"): 4,
    ("rows",): 8,
    ("rows", 0): 9,
    ("rows", 0, "word"): 9,
    ("rows", 1): 10,
    ("rows", 2): 10,
    ("rows", 2, "late"): 11,
    ("rows", 2, "late", 0): 11,
    ("rows", 2, "late", 1): 12,
    ("dates", 1): 14,
    ("tables", "AT-9.5"): 16,
    ("tables", "AT-9.5", "rule"): 17,
    ("place", 0): 19,
    ("place", 0, "name"): 20,
    ("place", 0, "port"): 21,
    ("place", 0, "port", "depth"): 22,
    ("place", 1): 23,
    ("place", 1, "name"): 24,
    ("place", 1, "gate", 0): 26,
    ("place", 1, "gate", 0, "wide"): 27,
    ("place", 1, "gate", 1, "wide"): 29,
}


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "some.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(folder: Path, text: str | bytes) -> Finding:
    finding = read_toml(written(folder, text))
    assert isinstance(finding, Finding)
    assert finding.file == str(folder / "some.toml")
    return finding


def test_lines_of_a_document_with_everything() -> None:
    lines = Lines(DOCUMENT)
    assert {steps: lines.of(*steps) for steps in WHERE} == WHERE


def test_what_has_no_line_takes_that_of_what_is_around_it() -> None:
    lines = Lines(DOCUMENT)
    assert lines.of("rows", 1, "nothing", "here") == 10
    assert lines.of("place", 1, "port") == 23
    assert lines.of("nothing") == 0
    assert lines.of() == 0


def test_lines_do_not_mind_carriage_returns_or_a_missing_last_newline() -> None:
    lines = Lines("a = 1\r\n\r\nb = [\r\n  1,\r\n  2]")
    assert (lines.of("a"), lines.of("b", 0), lines.of("b", 1)) == (1, 4, 5)


words = st.text("ab. -é", min_size=1, max_size=3)
leaves = st.one_of(st.integers(), st.booleans(), st.text("a#[]{}=,\\'\"\n", max_size=5))
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3)
)


def as_toml(value: Any) -> str:
    """A value written with an end of line wherever TOML lets one stand."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if isinstance(value, list):
        return "[\n" + "".join(f"  {as_toml(each)},\n" for each in value) + "]"
    return "{" + ", ".join(f'"{key}" = {as_toml(each)}' for key, each in value.items()) + "}"


def every_path(value: Any, above: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for step, each in inner:
        yield (*above, step)
        if isinstance(each, (dict, list)):
            yield from every_path(each, (*above, step))


@settings(deadline=None)
@given(st.dictionaries(words, values, max_size=4))
def test_every_value_has_the_line_that_holds_it(document: dict[str, Any]) -> None:
    text = "".join(f'# note\n"{key}" = {as_toml(value)}\n' for key, value in document.items())
    assert tomllib.loads(text) == document
    lines = Lines(text)
    said = text.split("\n")
    before: dict[tuple[Step, ...], int] = {}
    for path in every_path(document):
        line = lines.of(*path)
        if isinstance(path[-1], str):
            assert f'"{path[-1]}" = ' in said[line - 1]
        elif path[-1]:
            # One element a line: each stands below the one before it.
            assert line > before[(*path[:-1], path[-1] - 1)]
        before[path] = line
        assert line >= before.get(path[:-1], 1)


def test_read_toml_gives_content_and_text(tmp_path: Path) -> None:
    assert read_toml(written(tmp_path, "a = 1\n")) == ({"a": 1}, "a = 1\n")
    assert read_toml(written(tmp_path, b"\xef\xbb\xbfa = 1\n")) == ({"a": 1}, "a = 1\n")


def test_a_missing_file_is_a_finding(tmp_path: Path) -> None:
    finding = read_toml(tmp_path / "none.toml")
    assert finding == Finding(str(tmp_path / "none.toml"), 0, "", "file.missing")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    finding = read_toml(tmp_path)
    assert isinstance(finding, Finding)
    assert finding.code == "file.missing"


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("a = 1\nb = ]\n", 2, "toml.syntax"),
        ("a = 1\nb = 'x\nc = 2\n", 2, "toml.syntax"),
        ("a = 1\n\nrows = [\n  1,\n", 4, "toml.syntax"),
        ("a = 1\r\nb = =\r\n", 2, "toml.syntax"),
        ("a = 1\n\na = 2\nb = 3\n", 3, "toml.twice"),
        ("[x]\n[y]\n[x]\n", 3, "toml.twice"),
        ("a = 1\nb = { c = 1, c = 2 }\n", 2, "toml.twice"),
        (b"a = 1\n# caf\xe9\n", 2, "file.encoding"),
        ("a = " + "[" * 100_000, 1, "toml.syntax"),
        pytest.param("a = 1\n" + "b." * 400 + "c = 1\n", 2, "toml.syntax", id="long key"),
        pytest.param("a = 1\n[" + '"b\\"." . ' * 32 + "c]\n", 2, "toml.syntax", id="long head"),
        pytest.param("a = " + "{ b.c = " * 40 + "1" + " }" * 40, 1, "toml.syntax", id="deep"),
        pytest.param("a = 1\nb = " + "9" * 5000, 2, "toml.syntax", id="long number"),
        ("a = 1\nb = 0x" + "f" * 17, 2, "toml.syntax"),
        pytest.param("a = 1\n" + "#" * LARGEST, 0, "file.large", id="large"),
    ],
)
def test_a_fault_of_the_file_has_its_line(
    tmp_path: Path, text: str | bytes, line: int, code: str
) -> None:
    finding = refused(tmp_path, text)
    assert (finding.line, finding.code) == (line, code)


def test_what_only_looks_too_long_is_read(tmp_path: Path) -> None:
    text = f"""{".".join("a" * 32)} = 1
    b = '{"a." * 400}'   # {"a." * 400}
    c = [{"1.5, " * 400}]
    d = {2**63 - 1}
    e = "{"9" * 5000}"
    """
    read = read_toml(written(tmp_path, text))
    assert not isinstance(read, Finding) and read[0]["d"] == 2**63 - 1


def test_the_offending_line_is_quoted(tmp_path: Path) -> None:
    assert refused(tmp_path, "a = 1\n   b = ]\n").data["near"] == "b = ]"


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_read_or_gives_a_line_that_it_has(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.mktemp("any") / "any.toml"
    try:
        path.write_bytes(text.encode())
    except UnicodeEncodeError:
        return
    read = read_toml(path)
    if isinstance(read, Finding):
        assert 1 <= read.line <= text.count("\n") + 1


def test_findings_are_sorted_by_file_line_and_place_and_said_once() -> None:
    first = Finding("a.toml", 2, "x", "c.one")
    second = Finding("a.toml", 10, "a", "c.two", {"n": 1})
    third = Finding("a.toml", 10, "b", "c.one")
    other = Finding("b.toml", 1, "", "c.one")
    assert in_order([other, third, second, first, second]) == (first, second, third, other)
    different = Finding("a.toml", 10, "a", "c.two", {"n": 2})
    assert set(map(str, in_order([second, different]))) == {str(second), str(different)}


def test_a_refusal_carries_its_findings_in_order() -> None:
    early, late = Finding("a.toml", 1, "", "c"), Finding("a.toml", 2, "rows[0]", "c", {"n": 3})
    refusal = CheckFailed([late, early])
    assert refusal.findings == (early, late)
    assert str(refusal).splitlines() == ["a.toml:1: c", "a.toml:2: rows[0]: c: n=3"]


class Echo:
    """Says what it was asked."""

    def say(self, lang: str, key: str, /, **data: Any) -> str:
        return f"{lang} {key} {data}"


def test_reason_and_hint_are_texts_of_the_code_with_place_and_data() -> None:
    finding = Finding("a.toml", 3, "rows[1]", "table.gap", {"span": "3"})
    told = "{'file': 'a.toml', 'line': 3, 'place': 'rows[1]', 'span': '3'}"
    assert reason(finding, Echo(), "fr") == f"fr check.table.gap.reason {told}"
    assert hint(finding, Echo(), "en") == f"en check.table.gap.hint {told}"


def codes_in_the_source() -> set[str]:
    """Codes as the checkers of the kernel write them."""
    code = re.compile(r'"((?:file|toml|texts|table|matrix)\.[a-z_]+)"')
    found: set[str] = set()
    for path in KERNEL.rglob("*.py"):
        found |= set(code.findall(path.read_text(encoding="utf-8")))
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_a_reason_and_a_hint(lang: str) -> None:
    catalogue = Catalogue.load(KERNEL_TEXTS)
    codes = codes_in_the_source()
    assert {"table.gap", "toml.syntax", "file.missing", "texts.braces"} <= codes
    lacking = [
        f"check.{code}.{part}"
        for code in sorted(codes)
        for part in ("reason", "hint")
        if not catalogue.has(lang, f"check.{code}.{part}")
    ]
    assert not lacking
