"""Golden playthroughs: every system and scenario has one, and it is what the rules still do."""

from __future__ import annotations

import pytest

from tests import goldens
from tests.goldens import FOLDER, MOST, file_of, playthrough, playthroughs

ALL = playthroughs()


def test_every_system_and_scenario_has_one_and_there_are_no_others() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {file_of(*each).name for each in ALL}


@pytest.mark.parametrize(("system", "scenario"), ALL)
def test_it_is_what_the_rules_still_do(system: str, scenario: str) -> None:
    kept = file_of(system, scenario).read_text(encoding="utf-8")
    assert kept == playthrough(system, scenario), "read the difference, then: make goldens"


@pytest.mark.parametrize(("system", "scenario"), ALL)
def test_it_is_short_and_shows_everything(system: str, scenario: str) -> None:
    raw = file_of(system, scenario).read_bytes()
    assert len(raw) < MOST
    text = raw.decode()
    for sign in ("\nask ", "\nroll ", "\n* ", "\nviews ", "\n  all  ", "winners: "):
        assert sign in text


def test_writing_them_anew_reports_what_changed_and_removes_what_is_no_more(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path_factory.mktemp("goldens") / "here"
    folder.mkdir()
    (folder / "nobody-nowhere.txt").write_text("old", encoding="utf-8")
    monkeypatch.setattr(goldens, "FOLDER", folder)
    monkeypatch.setattr(goldens, "playthroughs", lambda: [("batailles", "leuctra")])
    goldens.main()
    assert capsys.readouterr().out.startswith("- nobody-nowhere.txt\n* batailles-leuctra.txt (")
    goldens.main()
    assert capsys.readouterr().out.startswith("  batailles-leuctra.txt (")
    assert [path.name for path in folder.iterdir()] == ["batailles-leuctra.txt"]
