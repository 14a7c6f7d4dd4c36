"""`polemarque new system`: what it writes, and which names and folders it refuses.

That what it writes works is tested with the examples (`tests/test_examples.py`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemarque.cli.commands import new
from polemarque.cli.common import run
from polemarque.cli.records import load

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "rapids"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_it_is_the_example_under_another_name(here: Path) -> None:
    assert run(["new", "system", "old_gate2"]) == 0
    written = here / "old_gate2"
    wanted = {
        each.replace("rapids", "old_gate2").replace("RAPIDS", "OLDGATE") for each in files(EXAMPLE)
    }
    assert files(written) == wanted
    for file in wanted:
        assert "rapids" not in (written / file).read_text(encoding="utf-8").lower(), file
    source = (written / "old_gate2" / "__init__.py").read_text(encoding="utf-8")
    assert 'titles={"fr": "Old gate2", "en": "Old gate2"}' in source


@pytest.mark.parametrize(
    ("lang", "said"), [("fr", "Dans ce dossier"), ("en", "Go into that folder")]
)
def test_it_says_what_comes_next(
    lang: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "system", "river", "deep/down", "--lang", lang]) == 0
    shown = capsys.readouterr().out
    assert said in shown and "polemarque consult RIVER-2 --odds" in shown
    assert (here / "deep" / "down" / "river" / "ledger.toml").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Old Gate", "For instance: old_gate."),
        ("été", "For instance: my_ford."),
        ("at", "at least three letters"),
        ("../gate", "For instance: gate."),
        ("_gate_", "For instance: gate."),
        ("g" * 31, f"For instance: {'g' * 30}."),
        ("class", "For instance: my_class."),
        ("json", "For instance: my_json."),
        ("atlantide", "For instance: my_atlantide."),
        ("polemarque", "For instance: my_polemarque."),
    ],
)
def test_a_name_that_cannot_be_is_answered_with_one_that_can(
    name: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "system", name, "--lang", "en"]) == 2
    assert said in capsys.readouterr().err
    assert not list(here.iterdir())


def test_what_is_there_stays_as_it_is(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "gate").mkdir()
    (here / "file").write_text("mine", encoding="utf-8")
    for folder in ("gate", "file", "file/below"):
        assert run(["new", "system", "river", folder, "--lang", "fr"]) == 2
        assert folder in capsys.readouterr().err
    assert run(["new", "system", "gate"]) == 2
    assert not list((here / "gate").iterdir())
    assert (here / "file").read_text(encoding="utf-8") == "mine"


def test_the_example_is_found_in_a_checkout_and_beside_an_installed_program() -> None:
    installed, checkout = new.HOMES
    assert (checkout / new.EXAMPLE) == EXAMPLE
    assert installed == Path(new.__file__).resolve().parents[2] / "examples"


def test_a_game_for_correspondents_begins_without_being_played(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = ["new", "game", "atlantide", "--seats", "3", "--dice", "committed", "--lang", "fr"]
    assert run(made) == 0
    assert "A, B et C." in capsys.readouterr().out
    record = here / "atlantide.game.json"
    assert (here / "atlantide.game.seeds.json").exists()
    forms = ["orders", record.name, "--all", "--out", "forms.txt", "--lang", "fr"]
    assert run(forms) == 0
    told = capsys.readouterr().out
    for seat in "ABC":
        form = (here / f"forms-{seat}.txt").read_text(encoding="utf-8")
        assert f"forms-{seat}.txt\n" in told
        assert f":{seat}#1 ===" in form and "Points d’armée" in form
    before = record.read_bytes()
    assert run(["new", "game", "atlantide", "--seats", "3", "--save", record.name]) == 2
    assert run([*forms, "--seat", "A"]) == 2
    capsys.readouterr()
    for place in (record.name, ".", ".."):
        assert run(["orders", record.name, "--seat", "A", "--out", place]) == 2
        assert run(["chronicle", record.name, "--out", place]) == 2
        assert place in capsys.readouterr().err
    for beside in ("atlantide.game.seeds.json", "atlantide.game.seats.json"):
        kept = (here / beside).read_bytes()
        for command in (["orders", record.name, "--seat", "A"], ["chronicle", record.name]):
            assert run([*command, "--out", beside, "--lang", "en"]) == 2
            assert "stays as it is" in capsys.readouterr().err
        assert (here / beside).read_bytes() == kept
    assert run([*forms, "--format", "bbcode", "--split", "1500"]) == 0
    cut = {path.name for path in here.glob("forms-?-*.txt")}
    assert {f"forms-{seat}-{n}.txt" for seat in "ABC" for n in (1, 2)} <= cut
    assert run([*forms, "--format", "bbcode", "--split", "60000"]) == 0
    # Were there a seat "A-2", its only post would stand beside the second one of "A".
    assert "forms-A-1.txt" in capsys.readouterr().out and (here / "forms-A-2.txt").exists()
    assert run(["orders", record.name, "--all", "--out", "..", "--lang", "en"]) == 2
    assert "it is a folder" in capsys.readouterr().err
    assert record.read_bytes() == before


def test_who_else_is_a_bot_is_said_as_for_a_game_at_the_terminal(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "game", "batailles", "--seat", "A=Ann", "--lang", "en"]) == 0
    assert "Awaited: A." in capsys.readouterr().out


@pytest.mark.parametrize("typed", ["leuctra", "Leuctres", "leuctres : l'aile profonde"])
def test_a_scenario_is_known_by_its_title_too(
    here: Path, capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    made = run(["new", "game", "batailles", typed, "--save", "field.json", "--lang", "fr"])
    assert made == 0, capsys.readouterr().err
    setup = load(here / "field.json", interrupted=True).header.setup
    assert setup["a"]["commander"] == "Epaminondas"


@pytest.mark.parametrize("typed", ["Zama", "l"])
def test_a_scenario_that_is_none_is_refused_with_the_titles_there_are(
    here: Path, capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    assert run(["new", "game", "batailles", typed, "--lang", "fr"]) == 2
    assert "leuctra (Leuctres" in capsys.readouterr().err
    assert not list(here.iterdir())


def test_another_kind_of_thing_is_refused_with_what_there_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["new", "rules", "gate", "--lang", "en"]) == 2
    assert "game and system" in capsys.readouterr().err
