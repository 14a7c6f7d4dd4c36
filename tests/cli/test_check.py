"""`polemarque check`: every kind of file, with file, line, place, reason and hint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from polemarque.cli.common import run
from polemarque.cli.file_checks import check_file
from polemarque.kernel.files.findings import CheckFailed
from polemarque.report.house_rules import read_house
from polemarque.systems import atlantide
from tests.cli import tales
from tests.report import tale

TABLE = """rule = "XX-1.1"
rows = [
  { from = 3, result = "won" },
  { to = 1, result = "lost" },
]
"""

Check = Callable[..., list[str]]


@pytest.fixture(autouse=True)
def _spring() -> Iterator[None]:
    with tale.told_of():
        yield


@pytest.fixture
def check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Check:
    """Write files, check them, and give what was said; the summary last."""
    monkeypatch.chdir(tmp_path)

    def command(*names: str, status: int, lang: str = "en", **files: str) -> list[str]:
        for name, text in files.items():
            (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
        wanted = names or tuple(f"{name}.toml" for name in files)
        assert run(["check", *wanted, "--lang", lang]) == status
        shown = capsys.readouterr()
        return [*shown.err.splitlines(), *shown.out.splitlines()]

    return command


def test_everything_that_is_shipped_is_sound(check: Check) -> None:
    assert len(check(status=0)) == 1


def test_a_sound_table_is_passed(check: Check) -> None:
    said = check(status=0, table=TABLE.replace("to = 1", "to = 2"))
    assert said == ["1 file checked: nothing to complain of."]


def test_a_table_with_a_gap_is_told_with_its_line(check: Check) -> None:
    first, last = check(status=1, table=TABLE)
    assert first.startswith("table.toml:")
    assert " — " in first
    assert last == "1 file checked: 1 fault."
    french = check("table.toml", status=1, lang="fr")
    assert french[-1] == "1 fichier contrôlé\u00a0: 1 faute."


def test_broken_toml_is_told_with_its_line(check: Check) -> None:
    first, _ = check(status=1, table='rule = "XX-1.1"\nrows = [\n')
    assert first.startswith("table.toml:2: ")


def test_a_map_is_told_from_a_table(check: Check) -> None:
    island = '[map]\nid = "x"\n[[territory]]\nid = "a"\nneighbours = ["b"]\n'
    said = check(status=1, island=island)
    assert len(said) > 2
    assert all(line.startswith("island.toml:") for line in said[:-1])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [("seats = 3", ""), ("seats = 10", "9 at most"), ("seats = 3\nmap = 'lemuria'", "lemuria"),
     ("seats = 3\nsun = 1", "sun"), ("seats = 3\nplayers.A.kingdom = 'utopia'", "utopia")],
)  # fmt: skip
def test_a_scenario_with_which_no_campaign_begins_is_told(
    check: Check, wrong: str, said: str
) -> None:
    found = check(status=1 if said else 0, isles=f"[large]\nseats = 2\n[small]\n{wrong}\n")
    if said:
        assert found[0].startswith("isles.toml:3: ") and "small" in found[0] and said in found[0]


SCENARIO = """
[board]
id = "plain"
name = { fr = "La plaine", en = "The plain" }
shape = "hex"
terrain = '''
%s'''
legend = { "." = "clear" }

[a]
units = [{ kind = "hoplites", at = "d4" }, { kind = "%s", at = "e4" }]

[b]
units = [{ kind = "cavalry", at = "d7" }]
"""
PLAIN = "".join(" " * (row % 2) + ". " * 12 + "\n" for row in range(9))


def test_a_scenario_without_leaders_is_read_as_one(check: Check) -> None:
    assert check(status=0, pass_=SCENARIO % (PLAIN, "hoplites"))
    first, _ = check(status=1, pass_=SCENARIO % (PLAIN, "hoplite"))
    assert "TH-F3" in first
    assert "hoplite " in first


def test_what_only_looks_like_a_board_is_said_to_be_unread(check: Check) -> None:
    board = SCENARIO.partition("[a]")[0] % PLAIN
    assert check(status=0, board=board)
    (said,) = check(status=2, strange=f"zebra = 1\n{board}")
    assert said == (
        "strange.toml was not read: it looks like no set-up, map, board, army list, table, texts,"
        " house rules or record."
    )


def test_house_rules(check: Check) -> None:
    good = 'system = "tale"\n[options]\nmud = "deep"\ndays = 3\n'
    assert len(check(status=0, house=good)) == 1
    bad = (
        'system = "tale"\ncatalogue = "none.toml"\nfoo = 1\n'
        '[options]\nmud = "wet"\nsnow = 1\ndays = "soon"\n'
    )
    said = check(status=1, house=bad)
    assert [line.partition(" ")[0] for line in said[:-1]] == [
        "house.toml:2:", "house.toml:3:", "house.toml:5:", "house.toml:6:", "house.toml:7:"
    ]  # fmt: skip
    assert "dry, deep" in said[2]
    assert "1-9" in said[4]


def test_house_rules_of_no_system(check: Check) -> None:
    first, _ = check(status=1, house='system = "chess"\n')
    assert "house.toml:1: system: " in first
    assert "tale" in first


def test_house_rules_are_read(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    text = 'system = "atlantide"\nmap = "m.toml"\n[options]\nturn_limit = "4"\n'
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CheckFailed, match=r"house\.file"):
        read_house(path)
    (tmp_path / "m.toml").write_text("", encoding="utf-8")
    house = read_house(path)
    assert (house.system, house.options) == ("atlantide", {"turn_limit": 4})
    assert house.files == {"map": tmp_path / "m.toml"}
    assert [finding.code for finding in check_file(path)] == ["house.kind"]


def test_a_house_names_only_files_that_its_system_reads(check: Check) -> None:
    said = check(status=1, house='system = "mare_nostrum"\ncatalogue = "lists.toml"\n')
    assert said[0].startswith("house.toml:2: ")
    assert "system, options, map, lists" in said[0]


def test_options_must_be_a_table(check: Check) -> None:
    first, _ = check(status=1, house='system = "tale"\noptions = 3\n')
    assert first.startswith("house.toml:2: options: ")


def test_texts_are_checked_together(check: Check, tmp_path: Path) -> None:
    (tmp_path / "texts.fr.toml").write_text('a = "{x}"\nb = "b"\n', encoding="utf-8")
    (tmp_path / "texts.en.toml").write_text('a = "{y}"\n', encoding="utf-8")
    said = check("texts.en.toml", status=1)
    assert [line.partition(" ")[0] for line in said[:-1]] == [
        "texts.fr.toml:1:",
        "texts.fr.toml:2:",
    ]


def test_texts_that_cannot_be_read_do_not_silence_their_own_check(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for lang in ("fr", "en"):
        (tmp_path / f"texts.{lang}.toml").write_text("a = [\n", encoding="utf-8")
    monkeypatch.setattr("tests.report.tale.TALE", replace(tale.TALE, data=tmp_path))
    with tale.told_of():
        said = check("texts.fr.toml", status=1)
    assert [line.partition(" ")[0] for line in said[:-1]] == [
        "texts.en.toml:1:",
        "texts.fr.toml:1:",
    ]


def test_a_ledger(check: Check) -> None:
    ledger = '["XX-1.1"]\ntitle = { fr = "x" }\ntext = { fr = "x", en = "x" }\nfoo = 1\n'
    assert check(status=1, ledger=ledger)[0].startswith("ledger.toml:1: XX-1.1: ")
    said = check(status=1, ledger=ledger.replace("foo = 1\n", ""))
    assert said[0].startswith("ledger.toml:2: XX-1.1: ")


def test_records(check: Check, tmp_path: Path) -> None:
    path = tales.record(tmp_path)
    assert len(check("game.json", status=0)) == 1
    lines = path.read_bytes().splitlines(keepends=True)
    (tmp_path / "begun.json").write_bytes(b"".join(lines[:5]))
    assert len(check("begun.json", status=0)) == 1
    (tmp_path / "bad.json").write_bytes(b"".join([*lines[:2], b"[oops],\n", *lines[3:]]))
    first, _ = check("bad.json", status=1)
    assert first.startswith("bad.json:3: ")
    other = lines[1].replace(b'"A"', b'"B"')
    (tmp_path / "other.json").write_bytes(lines[0] + other)
    first, _ = check("other.json", status=1)
    assert first.startswith("other.json:2: TA-1.1: ")


def test_what_cannot_be_read_is_refused_and_the_rest_is_checked(
    check: Check, tmp_path: Path
) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n")
    (tmp_path / "table.toml").write_text(TABLE, encoding="utf-8")
    (tmp_path / "strange.toml").write_text("zebra = 1\n", encoding="utf-8")
    said = check("none.toml", "picture.png", "strange.toml", "table.toml", status=2)
    assert [line.split(" ")[0] for line in said[1:3]] == ["picture.png", "strange.toml"]
    assert said[-1] == "1 file checked: 1 fault; 3 files refused."
    assert said[-2].startswith("table.toml:")


@pytest.mark.parametrize(
    ("lang", "core", "unit"),
    [
        ("en", "Too few points in core troops", "unit"),
        ("fr", "Pas assez de points en troupes de base", "unité"),
    ],
)
def test_a_place_is_named_once_and_a_refused_list_in_words(
    lang: str, core: str, unit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = Path(atlantide.__file__).parent / "data/catalogue.toml"
    text = shipped.read_text(encoding="utf-8")
    for was, now in (
        ('["mycenaean_spearmen", 30], ["mycenaean_spearmen", 30], ["mycenaean_spearmen", 26],', ""),
        ('["mycenaean_archers", 16], ["mycenaean_slingers", 12], ["mycenaean_slingers", 8],', ""),
        ("points = 36, command = 15", "points = 0, command = 15"),
    ):
        assert was in text
        text = text.replace(was, now, 1)
    for number, was in enumerate(("points = 0, command = 15", "points = 36, command = 15")):
        path = tmp_path / f"lists-{number}.toml"
        path.write_text(text.replace("points = 0, command = 15", was), encoding="utf-8")
        assert run(["check", str(path), "--lang", lang]) == 1
        lines = capsys.readouterr().out
        assert core in lines if number else lines.count("mycenaean_chariots") == 1
        assert number or f": {unit} mycenaean_chariots" in lines
        assert "list.core" not in lines
