"""Golden playthroughs: every system and scenario has one, and it is what the rules still do."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemarque.kernel.system import find_system
from polemarque.testing import golden_tests
from polemarque.testing.goldens import main
from tests.goldens import FOLDER, ours

MOST = 60_000
"""Bytes of a file."""

TestGoldens = golden_tests(*ours(), folder=FOLDER)


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.stem)
def test_it_is_short_and_shows_everything(path: Path) -> None:
    raw = path.read_bytes()
    assert len(raw) < MOST
    text = raw.decode()
    for sign in ("\nask ", "\nroll ", "\n* ", "\nviews ", "\n  all  ", "winners: "):
        assert sign in text


def test_what_changed_what_is_lacking_and_what_is_no_more_fails(tmp_path: Path) -> None:
    tests = golden_tests(find_system("batailles"), folder=tmp_path)()
    path = tmp_path / "batailles-leuctra.txt"
    path.write_text((FOLDER / path.name).read_text(encoding="utf-8"), encoding="utf-8")
    tests.test_it_is_what_the_rules_still_do(path)
    with pytest.raises(AssertionError, match="goldens batailles"):
        tests.test_every_scenario_has_one_and_there_are_no_others()
    path.write_text(path.read_text(encoding="utf-8").replace("roll", "throw", 1), encoding="utf-8")
    with pytest.raises(AssertionError, match="read the difference"):
        tests.test_it_is_what_the_rules_still_do(path)


def test_writing_them_anew_reports_what_changed_and_removes_what_is_no_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "nobody-nowhere.txt").write_text("old", encoding="utf-8")
    main(["batailles", str(tmp_path)])
    assert capsys.readouterr().out.startswith("- nobody-nowhere.txt\n* batailles-")
    main(["batailles", str(tmp_path)])
    assert capsys.readouterr().out.startswith("  batailles-")
    golden_tests(
        find_system("batailles"), folder=tmp_path
    )().test_every_scenario_has_one_and_there_are_no_others()
    with pytest.raises(SystemExit, match="nobody"):
        main(["nobody", str(tmp_path)])
