"""`polemarque cases`: what holds, what fails and why, and what cannot be run."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemarque.cli.common import run
from polemarque.report.rulebook import case_files
from tests.strangers import FORD, installed, package

HOLDS = "CHP-2.a  The current is weaker\n  given   depth=2\n  dice    5\n  expect  across=true\n"
FAILS = HOLDS.replace("CHP-2.a", "CHP-2.b").replace("true", "false")


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = run(["cases", *words])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_the_cases_of_ours_hold(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, str(case_files("atlantide")[0]), "--lang", "en")
    assert status == 0
    assert "holds  AT-1" in out and out.rstrip().endswith("hold, 0 fail.")


@pytest.mark.parametrize(
    ("lang", "fails", "why", "unread"),
    [
        ("en", "FAILS", "CHP-2.case:9: across is true, not false.", "expects nothing"),
        (
            "fr",
            "ÉCHOUE",
            "CHP-2.case:9\N{NO-BREAK SPACE}: across est true, et non false.",
            "n’attend rien",
        ),
    ],
)
def test_a_strangers_lie_beside_its_data(
    lang: str, fails: str, why: str, unread: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = package(tmp_path, "brook", FORD.format(name="brook", depth=3))
    (home / "cases").mkdir()
    file = home / "cases" / "CHP-2.case"
    file.write_text(HOLDS, encoding="utf-8")
    with installed(tmp_path):
        assert told(capsys, "brook", "--lang", lang)[0] == 0
        file.write_text(f"{HOLDS}\n{FAILS}", encoding="utf-8")
        status, out, _ = told(capsys, "brook", "--lang", lang)
        assert status == 1
        assert f"{fails} " in out and why in out
        file.write_text("CHP-2.c  Nothing is expected\n  given depth=2\n", encoding="utf-8")
        status, out, _ = told(capsys, str(file), "--lang", lang)
        assert status == 1 and unread in out


def test_what_has_no_cases_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package(tmp_path, "brook", FORD.format(name="brook", depth=3))
    with installed(tmp_path):
        status, _, err = told(capsys, "brook", "--lang", "en")
        assert (status, err) == (2, "No cases came with “brook”. Name a file ….case.\n")
    assert told(capsys, "no_such_system")[0] == 2
    assert told(capsys, str(tmp_path / "none.case"))[0] == 2
