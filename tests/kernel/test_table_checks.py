"""Faults of table files: each is found, with its line, and can be said in both languages."""

from pathlib import Path

import msgspec
import pytest

from polemarque.kernel.files.tables import TableError, check_table, load_matrix, load_table
from tests.kernel.table_files import (
    CONQUEST,
    MATRIX,
    WORDLESS,
    WORDS,
    Assault,
    Numbered,
    Square,
    catalogue,
    found,
    with_rows,
    write,
)

# --- planted faults ------------------------------------------------------------------------------


DOWN, UP = '{ when = "a", amount = -1 }', '{ when = "b", amount = 2 }'

PLANTED: list[tuple[str, list[tuple[int, str]]]] = [
    (with_rows("to = 2, n = 1", "from = 3, n = 2"), []),
    (with_rows("from = 3, n = 2", "to = 2, n = 1"), []),
    (with_rows("to = 2, n = 1", "from = 4, n = 2"), [(5, "table.gap")]),
    (with_rows("from = 4, n = 2", "to = 2, n = 1"), [(4, "table.gap")]),
    (with_rows("to = 3, n = 1", "from = 3, n = 2"), [(5, "table.overlap")]),
    (with_rows("to = 9, n = 1", "at = 3, n = 2", "from = 10, n = 3"), [(5, "table.overlap")]),
    (with_rows("to = 3, n = 1", "to = 1, n = 2", "from = 4, n = 3"), [(5, "table.overlap")]),
    (with_rows("to = 3, n = 1", "from = 4, n = 2", "from = 6, n = 3"), [(6, "table.overlap")]),
    (with_rows("from = 1, to = 2, n = 1", "from = 3, n = 2"), [(4, "table.below")]),
    (with_rows("to = 2, n = 1", "from = 3, to = 4, n = 2"), [(5, "table.above")]),
    (with_rows("at = 1, n = 1", "at = 2, n = 2", head="range = [1, 2]"), []),
    (with_rows("at = 1, n = 1", "at = 2, n = 2", head="range = [1, 3]"), [(5, "table.above")]),
    (with_rows("at = 1, n = 1", "at = 2, n = 2", head="range = [0, 2]"), [(4, "table.below")]),
    (with_rows("to = 2, n = 1", "from = 3, n = 2", head="range = [3, 9]"),
     [(4, "table.unreachable")]),
    (with_rows("to = 8, n = 1", "at = 9, n = 2", "from = 10, n = 3", head="range = [3, 9]"),
     [(6, "table.unreachable")]),
    (with_rows("at = 1, n = 1", "at = 4, n = 2", head="range = [1, 4]"), [(5, "table.gap")]),
    (with_rows("from = 1, to = 6, n = 1", head='die = "D6"'), []),
    (with_rows("from = 2, to = 12, n = 1", head='die = "2D6"'), []),
    (with_rows("from = 3, to = 13, n = 1", head='die = "2D6+1"'), []),
    (with_rows("from = 1, to = 5, n = 1", head='die = "D6"'), [(4, "table.above")]),
    (with_rows("from = 1, to = 12, n = 1", head='die = "d6"'),
     [(2, "table.die"), (4, "table.above"), (4, "table.below")]),
    (with_rows("from = 0, to = 8, n = 1", head=f'die = "D6"\nmodifiers = [{DOWN}, {UP}]'), []),
    (with_rows("from = 1, to = 8, n = 1", head=f'die = "D6"\nmodifiers = [{DOWN}, {UP}]'),
     [(5, "table.below")]),
    (with_rows("from = 0, to = 7, n = 1", head=f'die = "D6"\nmodifiers = [{DOWN}, {UP}]'),
     [(5, "table.above")]),
    (with_rows("from = 0, to = 9, n = 1",
               head='die = "D6"\nmodifiers = [{when = "a", amount = 1, each = true}]'),
     [(5, "table.above")]),
    (with_rows("n = 1"), [(4, "table.bounds")]),
    (with_rows("at = 1, to = 2, n = 1"), [(4, "table.bounds")]),
    (with_rows("at = true, n = 1"), [(4, "table.bounds")]),
    (with_rows('from = "1", n = 1'), [(4, "table.bounds")]),
    (with_rows("from = 1.0, n = 1"), [(4, "table.bounds")]),
    (with_rows("to = 0, n = 1", "from = 2, to = 1, n = 2", "from = 1, n = 3"),
     [(5, "table.reversed")]),
    ('rule = "X"\n\nrows = [\n  3 ]\n', [(4, "table.bounds")]),
    ('rule = "X"\n\nrows = []\n', [(3, "table.no_rows")]),
    ('\nrule = "X"\n', [(2, "table.no_rows")]),
    ("\nrows = [{ to = 1, n = 1 }, { from = 2, n = 2 }]", [(1, "table.no_rule")]),
    ("rule = 3\nrows = [{ to = 1, n = 1 }, { from = 2, n = 2 }]", [(1, "table.no_rule"),
                                                                   (1, "table.bad_key")]),
    (with_rows("to = 1, n = 1", "from = 2, n = 2", head="rwos = 3"), [(2, "table.unknown_key")]),
    (with_rows("to = 1, n = 1", "from = 2, n = 2", head="roll = 3"), [(2, "table.bad_key")]),
    (with_rows("to = 1, n = 1", "from = 2, n = 2", head="range = [3, 1]"), [(2, "table.range")]),
    (with_rows("to = 1, n = 1", "from = 2, n = 2", head="range = [true, 3]"), [(2, "table.range")]),
    (with_rows("to = 1, n = 1", "from = 2, n = 2", head='modifiers = [\n{ when = "a" } ]'),
     [(3, "table.modifier")]),
    (with_rows("to = 1, n = 1", "from = 2, n = 2",
               head='modifiers = [{ when = "a", amount = 1, eahc = true }]'),
     [(2, "table.modifier")]),
    (with_rows("to = 1, n = 1", "from = 2, n = 2, m = 3"), [(5, "table.unknown_cell")]),
    (with_rows("to = 1, n = 1", "from = 2"), [(5, "table.missing_cell")]),
    (with_rows("to = 1, n = 1", 'from = 2, n = "2"'), [(5, "table.bad_cell")]),
    (with_rows("to = 1, n = true", "from = 2, n = 2"), [(4, "table.bad_cell")]),
    ('[tables."X"]\nrule = "Y"\nrows = [{ to = 1, n = 1 }, { from = 2, n = 2 }]',
     [(2, "table.rule_differs")]),
    ('[tables]\n"X" = 3', [(2, "table.no_rows")]),
    ('rule = "X"\n[tables."X"]\nrows = [{ to = 1, n = 1 }, { from = 2, n = 2 }]',
     [(1, "table.unknown_key")]),
    ('rule = "X"\nrows = [\n  { to = 1, n = 1 ,\n', [(3, "toml.syntax")]),
    (with_rows("to = 1, n = 1", "from = 3, n = 2, m = 1", "at = 1, n = 0", head="x = 1"),
     [(2, "table.unknown_key"), (5, "table.gap"), (5, "table.unknown_cell"), (6, "table.overlap")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), PLANTED)
def test_planted_faults_are_all_found(
    tmp_path: Path, text: str, expected: list[tuple[int, str]]
) -> None:
    path = write(tmp_path, text)
    findings = check_table(path, Numbered)
    assert sorted(found(findings)) == sorted(expected)
    assert {finding.file for finding in findings} <= {str(path)}


def test_an_unsound_table_is_refused_with_every_finding(tmp_path: Path) -> None:
    text, expected = PLANTED[-1]
    with pytest.raises(TableError) as refused:
        load_table(write(tmp_path, text), Numbered)
    assert found(refused.value.findings) == expected
    assert "table.gap" in str(refused.value)


def test_a_gap_an_overlap_and_an_end_say_which_totals(tmp_path: Path) -> None:
    rows = with_rows("from = -3, to = 1, n = 1", "from = 5, to = 9, n = 2", "from = 8, n = 3")
    findings = check_table(write(tmp_path, rows), Numbered)
    assert {f.code: f.data for f in findings} == {
        "table.below": {"end": -3, "bound": ""},
        "table.gap": {"span": "2…4"},
        "table.overlap": {"span": "8…9", "other": 5},
    }
    rows = with_rows("to = 1, n = 1", "from = 3, n = 2", "from = 7, n = 3", head="range = [-9, 1]")
    findings = check_table(write(tmp_path, rows), Numbered)
    assert [(f.code, f.place, f.data["span"]) for f in findings] == [
        ("table.unreachable", "rows[1]", "≥ 3"),
        ("table.overlap", "rows[2]", "≥ 7"),
        ("table.unreachable", "rows[2]", "≥ 7"),
    ]


def test_a_wrong_word_says_the_right_ones(tmp_path: Path) -> None:
    path = write(tmp_path, CONQUEST.replace('"beaten"', '"baeten"'))
    (finding,) = check_table(path, Assault)
    assert (finding.line, finding.code) == (11, "table.bad_word")
    assert finding.place == "rows[5].outcome"
    assert finding.data == {
        "cell": "outcome", "value": "baeten", "known": "taken, beaten, crushed"
    }  # fmt: skip


def test_a_row_may_refuse_cells_that_do_not_go_together(tmp_path: Path) -> None:
    class Pair(msgspec.Struct, frozen=True):
        n: int
        m: int

        def __post_init__(self) -> None:
            if self.n > self.m:
                raise ValueError("n above m")

    path = write(tmp_path, with_rows("to = 1, n = 1, m = 2", "from = 2, n = 3, m = 2"))
    (finding,) = check_table(path, Pair)
    assert (finding.line, finding.code) == (5, "table.bad_row")
    assert "n above m" in str(finding.data["message"])


def test_without_a_row_type_cells_are_not_looked_at(tmp_path: Path) -> None:
    path = write(tmp_path, with_rows("to = 1, whatever = 1", "from = 2"))
    assert check_table(path) == ()


# --- words and their translation -----------------------------------------------------------------


def test_every_word_of_a_table_is_translated(tmp_path: Path) -> None:
    path = write(tmp_path, CONQUEST)
    assert check_table(path, Assault, catalogue=catalogue(*WORDS)) == ()


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        ("outcome.taken", {6, 7}),
        ("outcome.crushed", {12}),
        ("AT-9.5.roll", {2}),
        ("AT-9.5.when.bribe", {4}),
    ],
)
def test_a_missing_translation_is_found(tmp_path: Path, word: str, lines: set[int]) -> None:
    known = catalogue(*(key for key in WORDS if key != word))
    findings = check_table(write(tmp_path, CONQUEST), Assault, catalogue=known)
    found(findings)
    assert {f.code for f in findings} == {"table.no_text"}
    assert {f.line for f in findings} == lines
    assert {(f.data["key"], f.data["language"]) for f in findings} == {(word, "fr"), (word, "en")}


def test_a_translation_is_wanted_in_both_languages(tmp_path: Path) -> None:
    known = catalogue(*WORDS, english=False)
    findings = check_table(write(tmp_path, CONQUEST), Assault, catalogue=known)
    assert {f.data["language"] for f in findings} == {"en"}


def test_a_column_of_words_needs_a_family(tmp_path: Path) -> None:
    bare = CONQUEST.replace('words = { outcome = "outcome" }', "")
    assert found(check_table(write(tmp_path, bare), Assault)) == [(1, "table.no_family")]
    assert load_table(write(tmp_path, bare), Assault).row(0).undecided
    none = CONQUEST.replace('"outcome"', '""')
    assert check_table(write(tmp_path, none), Assault, catalogue=catalogue(*WORDS[3:])) == ()
    typo = CONQUEST.replace("words = { outcome", "words = { outcom")
    assert found(check_table(write(tmp_path, typo), Assault)) == [
        (3, "table.no_family"),
        (3, "table.no_column"),
    ]


# --- matrices ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ('rapid = { scenario = "ambush", by = "a" }\n', "", [(5, "matrix.missing")]),
        ("[cells.rapid]\nfrontal", "[cells.flank]\nfrontal",
         [(8, "matrix.unknown_row"), (5, "matrix.missing"), (5, "matrix.missing")]),
        ("frontal = { scenario = \"ambush\"", "flank = { scenario = \"ambush\"",
         [(9, "matrix.unknown_column"), (8, "matrix.missing")]),
        ('rows = ["frontal", "rapid"]', "rows = []",
         [(3, "matrix.no_words"), (5, "matrix.unknown_row"), (8, "matrix.unknown_row")]),
        ('columns = ["frontal", "rapid"]', 'columns = ["frontal", "rapid", "rapid"]',
         [(4, "matrix.repeated")]),
        ('scenario = "ambush", by = "b"', 'scenario = "siege", by = "b"', [(9, "table.bad_word")]),
        ('scenario = "ambush", by = "b"', "scenario = 3, by = 'b'", [(9, "table.bad_cell")]),
        ('scenario = "ambush", by = "b"', "by = 'b'", [(9, "table.missing_cell")]),
        ('scenario = "ambush", by = "b"', "scenario = 'ambush', yb = 'b'",
         [(9, "table.unknown_cell")]),
        ("roll", "roll", []),
        ('rule = "M-1"', 'rule = "M-1"\ndie = "D6"', [(2, "table.unknown_key")]),
    ],
)  # fmt: skip
def test_planted_faults_of_a_matrix(
    tmp_path: Path, old: str, new: str, expected: list[tuple[int, str]]
) -> None:
    text = WORDLESS.replace(old, new, 1) if old else WORDLESS
    findings = check_table(write(tmp_path, text), Square)
    assert sorted(found(findings)) == sorted(expected)
    if expected:
        with pytest.raises(TableError):
            load_matrix(write(tmp_path, text), Square)


def test_a_row_of_a_matrix_that_is_no_table(tmp_path: Path) -> None:
    text = 'rule = "M"\nrows = ["a"]\ncolumns = ["x"]\n[cells]\na = 3\n'
    findings = check_table(write(tmp_path, text), int)
    codes = {code for _, code in found(findings)}
    assert {"matrix.no_cells", "matrix.missing"} <= codes
    assert next(f for f in findings if f.code == "matrix.no_cells").line == 5
    with pytest.raises(TableError):
        load_matrix(write(tmp_path, 'rule = "M"\nrows = ["a"]\ncolumns = ["x"]\ncells = 3'), int)


def test_the_words_of_a_matrix_are_translated(tmp_path: Path) -> None:
    words = ("side.frontal", "side.rapid", "scenario.pitched", "scenario.ambush")
    path = write(tmp_path, WORDLESS)
    assert check_table(path, Square, catalogue=catalogue(*words)) == ()
    findings = check_table(path, Square, catalogue=catalogue(*words[1:3]))
    assert {(f.line, f.data["key"]) for f in findings} == {
        (3, "side.frontal"), (4, "side.frontal"), (7, "scenario.ambush"), (9, "scenario.ambush")
    }  # fmt: skip
    assert found(check_table(write(tmp_path, MATRIX), Square)) == [(2, "table.no_family")]
