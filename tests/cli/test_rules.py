"""`polemarque rules`: the rules listed, one told, and what the ledger lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from polemarque.cli.commands import rules
from polemarque.cli.commands.rules import _near
from polemarque.cli.common import run
from tests.report import tale
from tests.strangers import installed, package

Told = Callable[..., str]

PAPER = """# TA
Code name: `tale`.
- **TA-1.1** Run.
- **TA-1.2** Breathe.
- **TA-1.3** Example.
- **TA-2.1** Sleep.
"""
CASES = "TA-1.1.a  The book's own race\n  dice 3 4\nTA-1.2.a  Breath\nTA-1.3  Sum\nTA-2.1  Night\n"


@pytest.fixture(autouse=True)
def _spring() -> Iterator[None]:
    with tale.told_of():
        yield


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    def command(*arguments: str, status: int = 0, lang: str = "en") -> str:
        assert run(["rules", *arguments, "--lang", lang]) == status
        shown = capsys.readouterr()
        return shown.err if status == 2 else shown.out

    return command


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A root with papers and cases of the small system."""
    files = {"docs/rules/tale.md": PAPER, "tests/cases/TA-1.1.case": CASES}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(rules, "_root", lambda: tmp_path)
    return tmp_path


def test_all_systems_are_listed(told: Told) -> None:
    text = told()
    assert "The spring (tale): 4 rules" in text
    assert "(atlantide)" in text
    assert "  TA-1.1  The race\n" in text


PATHS = """
from pathlib import Path
from polemarque.kernel.system import Rulebook
SYSTEM = Rulebook(
    name="paths", titles={"fr": "Chemins", "en": "Paths"}, data=Path(__file__).parent / "data"
)
"""


def test_rules_between_systems_are_listed_after_them_ours_and_a_strangers(
    told: Told, tmp_path: Path
) -> None:
    home = package(tmp_path, "paths", PATHS, "polemarque.rulebooks")
    (home / "data").mkdir()
    row = '["GO-1"]\ntitle = { fr = "Aller", en = "Going" }\ntext = { fr = "Va.", en = "Go." }\n'
    (home / "ledger.toml").write_text(row, encoding="utf-8")
    with installed(tmp_path):
        text = told()
        assert text.index("(thucidide)") < text.index("Bridges (bridges)") < text.index("(paths)")
        assert told("paths") == "Paths (paths): 1 rule\n  GO-1  Going\n"
        assert told("GO-1").startswith("GO-1  Going\n\nGo.\n")
        assert told("bridges", "PA-1", lang="fr").startswith("PA-1  Ce qu’une campagne")
        assert "bridges" in told("no_such_rules", status=2)


def test_a_system_is_listed_in_french(told: Told) -> None:
    assert told("tale", lang="fr").splitlines() == [
        "La source (tale)\u00a0: 4 règles", "  TA-1.1  La course", "  TA-1.2  Le souffle",
        "  TA-1.3  Exemple", "  TA-2.1  La nuit",
    ]  # fmt: skip


@pytest.mark.parametrize("words", [("TA-1.2",), ("tale", "TA-1.2"), ("ta-1.2",)])
def test_a_rule_is_told_with_its_variants_its_place_and_its_cases(
    told: Told, house: Path, words: tuple[str, ...]
) -> None:
    text = told(*words)
    assert text.startswith("TA-1.2  Breath\n\nBreath is added to the dice.\n")
    assert "mud (mud): dry · deep" in text
    assert "race.runs (" in text
    assert "race.py:3" in text
    assert text.endswith("Cases:\n  TA-1.2.a  Breath\n")


def test_an_option_that_is_a_number_tells_its_bounds(told: Told) -> None:
    assert "days (days): 1 to 9, usually 2" in told("TA-1.1")


def test_an_unknown_rule_names_its_neighbours(told: Told) -> None:
    assert "TA-1.1" in told("TA-1.9", status=2)
    assert told("tale", "AT-1.1", status=2).count("\n") == 1
    assert "chess" in told("chess", status=2)
    assert told("tale", "TA-1.1", "TA-1.2", status=2)
    assert told("TA-1.1", "tale", status=2)


def test_a_whole_ledger_is_covered(told: Told, house: Path) -> None:
    text = told("tale", "--coverage")
    assert "✓ TA-1.1  The race" in text
    assert text.endswith("Nothing is missing.\n")


def test_holes_are_named_and_end_in_1(told: Told, house: Path) -> None:
    paper = house / "docs/rules/tale.md"
    paper.write_text(PAPER + "- **TA-3.1** Wake.\n", encoding="utf-8")
    (house / "tests/cases/TA-1.1.case").write_text("TA-1.1  x\n", encoding="utf-8")
    text = told("tale", "--coverage", status=1)
    assert "✗ TA-3.1  no row in the ledger; never cited; no case" in text
    assert "✗ TA-1.2  no case" in text
    assert text.endswith("6 things are missing.\n")
    assert "✓" in told("tale", "TA-1.1", "--coverage")


def test_a_ledger_that_cannot_be_read_is_a_hole(
    told: Told, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "polemarque.kernel.files.rule_ledger.ledger_path", lambda system: house / "no.toml"
    )
    assert "no.toml" in told("tale", "--coverage", status=1)


def test_without_the_sources_coverage_is_refused(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "_root", lambda: None)
    assert "sources" in told("--coverage", status=2)
    assert "Cases" not in told("TA-1.1")


def test_our_own_ledgers_are_covered(told: Told) -> None:
    """One here; `make check` looks at all of them."""
    assert told("batailles", "--coverage").endswith("Nothing is missing.\n")


def test_a_rule_that_is_not_there_names_its_chapter_or_the_chapter_written_most_like_it() -> None:
    known = ["TA-1.1", "TA-1.2", "TA-9.1", "TA-9.2", "TA-10.1", "TA-F1", "RK-1"]
    assert _near("TA-9.7", known) == ["TA-9.1", "TA-9.2"]
    assert _near("TA-99", known) == ["TA-9.1", "TA-9.2"]
    assert _near("TA-10.4", known) == ["TA-10.1"]
    assert _near("TA-5", known) == ["TA-1.1", "TA-9.1", "TA-10.1", "TA-F1"]
    assert _near("ZZ-1", known) == []


def test_french_readers_are_told_that_titles_of_cases_are_english(told: Told, house: Path) -> None:
    assert "\nCas (leurs titres sont en anglais)" in told("TA-1.2", lang="fr")
