"""Rules as readers find them: chapters, search, variants, tables, cases."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import pytest

from polemarque.kernel.system import find_rulebook
from polemarque.odds.consult import consult
from polemarque.report import rulebook
from polemarque.report.labels import ledger_of
from polemarque.report.rulebook import (
    cases_here,
    cases_of,
    chapter_of,
    chapters_of,
    matching,
    neighbours,
    question_of,
    tables_of,
    variants_of,
    written_at,
)

BOOKS = sorted(
    point.name
    for group in ("polemarque.systems", "polemarque.rulebooks")
    for point in entry_points(group=group)
)
"""The books that are installed; tests of the kernel add toys that have none."""


@pytest.mark.parametrize(
    ("rule", "chapter"),
    [("AT-9.5", "AT-9"), ("AT-10.1", "AT-10"), ("MN-F3", "MN-F"), ("MN-B.1", "MN-B"),
     ("TH-F12", "TH-F"), ("PA-6", "PA")],
)  # fmt: skip
def test_a_rule_has_its_chapter(rule: str, chapter: str) -> None:
    assert chapter_of(rule) == chapter


@pytest.mark.parametrize("name", BOOKS)
def test_chapters_hold_every_rule_once(name: str) -> None:
    rules = [rule for chapter in chapters_of(name) for rule in chapter.rules]
    assert sorted(rules) == sorted(ledger_of(name))
    assert len({chapter.id for chapter in chapters_of(name)}) == len(chapters_of(name))


def found(wanted: str, lang: str = "fr") -> list[str]:
    return [rule for part in matching("atlantide", lang, wanted) for rule in part.rules]


def test_search_by_id_and_by_words() -> None:
    assert found("at-9.5") == ["AT-9.5"]
    assert found("AT-9") == [rule for rule in ledger_of("atlantide") if rule.startswith("AT-9.")]
    assert "AT-10.1" not in found("at-1") and "AT-1.12" not in found("at-1.1")
    assert "AT-9.5" in found("RESULTAT conquete") and "AT-9.5" not in found("result conquest")
    assert "AT-9.5" in found("result conquest", "en")
    assert found("nothing of the kind") == []
    assert sorted(found(" ")) == sorted(ledger_of("atlantide"))


def test_neighbours_stand_in_the_book_s_order() -> None:
    rules = list(ledger_of("bridges"))
    assert neighbours("bridges", rules[0]) == ("", rules[1])
    assert neighbours("bridges", rules[-1]) == (rules[-2], "")
    assert neighbours("atlantide", "AT-1.13") == ("AT-1.12", "AT-1.14")
    assert neighbours("atlantide", "AT-1.16") == ("AT-1.15", "AT-2.1")
    assert neighbours("thucidide", "TH-F10") == ("TH-F9", "TH-F11")


def test_variants_are_said_in_words() -> None:
    (variant,) = variants_of(find_rulebook("atlantide"), "AT-6.3", "en")
    assert variant.title == "turns without supply that count"
    assert variant.values == (("earlier", "the earlier ones"), ("including", "this one too"))
    assert variant.default == "earlier"
    (number,) = variants_of(find_rulebook("batailles"), "BC-2.3", "fr")
    assert number.number and (number.low, number.high, number.default) == (0, 2, "1")


def test_the_place_of_a_rule_can_be_imported() -> None:
    row = ledger_of("atlantide")["AT-9.5"]
    assert written_at("atlantide", row) == f"polemarque.systems.atlantide.{row.code}"


# Tables ------------------------------------------------------------------------------------------


def label(column: str) -> str:
    return f"<{column}>"


def test_a_table_is_said_in_words() -> None:
    (table,) = tables_of("atlantide", "AT-1.3", "fr", label)
    assert table.head == ("1D6, cité royale comprise", "<terrain>")
    assert table.rows[1] == ("3", "plaines avec fleuve")
    assert table.caption == "cité royale −1"
    assert table.rows[0][0] == "≤ 2"


def test_a_matrix_is_said_in_words() -> None:
    (table,) = tables_of("atlantide", "AT-8.2", "en", label)
    assert table.head[0] == "" and table.head[1:] == tuple(row[0] for row in table.rows)
    assert len(table.rows) == 5 and all(len(row) == 6 for row in table.rows)
    assert "<walls> <b>" in table.rows[0][2]


def test_who_comes_back_after_a_battle_can_be_read_beside_its_rule() -> None:
    (table,) = tables_of("atlantide", "AT-8.8", "en", label)
    assert table.rows == (
        ("defeat", "25", "50", "100"),
        ("defeat, army destroyed", "0", "25", "50"),
    )


def test_negative_totals_are_set_with_a_minus() -> None:
    (table,) = tables_of("atlantide", "AT-9.5", "fr", label)
    assert [row[0] for row in table.rows][-2:] == ["−4…−3", "≤ −5"]


def test_every_table_of_every_book_can_be_set() -> None:
    ruled = {
        (name, rule): tables_of(name, rule, lang, label)
        for name in BOOKS
        for rule in ledger_of(name)
        for lang in ("fr", "en")
    }
    tables = [table for each in ruled.values() for table in each]
    assert len(tables) > 15
    assert all(len(row) == len(table.head) for table in tables for row in table.rows)


# Cases -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOOKS)
def test_every_rule_has_its_cases(name: str) -> None:
    assert cases_here(name)
    assert not [rule for rule in ledger_of(name) if not cases_of(name, rule)]


def test_remarks_and_lines_below_belong_to_a_step() -> None:
    case = cases_of("atlantide", "AT-9.5")[2]
    (dice,) = case.of("dice")
    assert dice.text == "defence 3 4 figures_lost 2 defence 1 1 figures_lost 1"
    assert dice.note.startswith("13 against 6+1+7=14")


def test_what_a_case_asks_can_be_asked_again() -> None:
    case = cases_of("atlantide", "AT-9.5")[0]
    asked = question_of(case)
    assert asked is not None and asked.faces == (1, 3)
    answer = consult(asked.rule, asked.inputs, list(asked.faces), asked.options)
    assert (answer.result["result"], answer.result["loot"]) == ("taken", 200)


def test_a_game_and_a_refusal_are_not_asked_again() -> None:
    refused = next(c for c in cases_of("atlantide", "AT-9.5") if any(c.of("refused")))
    played = next(c for c in cases_of("mare_nostrum", "MN-1.3") if any(c.of("system")))
    assert question_of(refused) is None and question_of(played) is None


def test_a_book_without_cases_has_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(rulebook, "PACKAGE", tmp_path)
    monkeypatch.setattr(rulebook, "SOURCES", tmp_path)
    rulebook._index.cache_clear()
    try:
        assert not cases_here("bridges") and cases_of("bridges", "PA-1") == ()
        packed = tmp_path / "cases" / "bridges"
        packed.mkdir(parents=True)
        (packed / "PA-1.case").write_text("PA-1.a  Packed\n  dice 3\n  expect score=3\n")
        rulebook._index.cache_clear()
        assert [case.title for case in cases_of("bridges", "PA-1")] == ["Packed"]
    finally:
        rulebook._index.cache_clear()
        rulebook._read.cache_clear()


def test_a_wheel_is_told_to_carry_the_cases_of_every_book() -> None:
    import tomllib

    root = Path(__file__).resolve().parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    carried = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for name in BOOKS:
        (folder,) = {path.parent for path in rulebook.case_files(name)}
        assert carried[folder.relative_to(root).as_posix()] == f"polemarque/cases/{name}"
