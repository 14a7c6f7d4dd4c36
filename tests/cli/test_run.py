"""`polemarque run`: bots play to the end; the record, the papers and the summary."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from polemarque.cli.records import load, replayed
from polemarque.kernel import new_game
from polemarque.kernel.request import DICE
from polemarque.kernel.system import find_system, system_names
from polemarque.report.boards.film import film
from polemarque.report.pictures import picture
from tests.cli.desk import polemarque

OURS = [n for n in system_names() if n not in {"toy", "duel"}]


def ran(*words: object) -> dict[str, Any]:
    done = polemarque("run", *words, "--json")
    assert done.status == 0, done
    said: dict[str, Any] = msgspec.json.decode(done.out)
    return said


@pytest.mark.parametrize("system", OURS)
def test_a_default_run_ends_and_writes_its_papers(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = ran(system)
    folder = tmp_path / "out" / system
    record = load(folder / "game.json")
    rules = find_system(system)
    assert said["system"] == system
    assert said["digest"] == record.head
    assert said["entries"] == len(record.entries)
    assert set(said["ranking"]) == set(record.header.seats)
    scenario = next(iter(rules.scenarios.values()), {})
    assert len(record.header.seats) == scenario.get("seats", rules.least)
    limited = any(choice.name == "turn_limit" for choice in rules.options)
    assert record.header.options.get("turn_limit", 0) == (rules.turns if limited else 0)
    game, told = replayed(record)
    assert said["events"] == len(told)
    assert (folder / "chronicle.md").read_text().startswith("# ")
    drawn = picture(system, game.state, "en") is not None
    assert (folder / "map.svg").exists() == drawn
    turns = {int(path.stem) for path in (folder / "turns").glob("*.svg")}
    assert turns - {0} == (set(range(1, said["turns"] + 1)) if drawn else set())
    filmed = film(record.header, record.entries, "en") is not None
    assert (folder / "replay.html").exists() == filmed


@pytest.mark.parametrize("system", [*OURS, "toy"])
def test_the_same_seed_gives_the_same_game(system: str, tmp_path: Path) -> None:
    limited = any(choice.name == "turn_limit" for choice in find_system(system).options)
    asked = (system, "--bots", "steady,random", *(("--turns", 3) if limited else ()))
    first = ran(*asked, "--seed", 300, "--out", tmp_path / "a")
    again = ran(*asked, "--seed", 300, "--out", tmp_path / "b")
    other = ran(*asked, "--seed", 301, "--out", tmp_path / "c")
    assert first == again
    assert first["digest"] != other["digest"]
    assert (tmp_path / "a" / "game.json").read_bytes() == (
        tmp_path / "b" / "game.json"
    ).read_bytes()


def test_a_record_stores_a_seed_only_if_one_was_given(tmp_path: Path) -> None:
    ran("toy", "--out", tmp_path / "free")
    ran("toy", "--seed", 0, "--out", tmp_path / "seeded")
    free = load(tmp_path / "free" / "game.json").header
    assert (free.seed, free.dice) == ("", "free")
    assert b"seed" not in (tmp_path / "free" / "game.json").read_bytes()
    seeded = load(tmp_path / "seeded" / "game.json").header
    assert (seeded.seed, seeded.dice) == ("0", "seeded")


def test_seats_scenario_options_and_turns(tmp_path: Path) -> None:
    ran("toy", "long", "--seats", 2, "--option", "password=plugh", "--out", tmp_path)
    header = load(tmp_path / "game.json").header
    assert header.seats == ("A", "B")
    assert header.setup == {"days": 6}
    assert header.options == {"password": "plugh"}
    said = ran("atlantide", "duel", "--turns", 2, "--seed", 1, "--out", tmp_path)
    assert said["turns"] == 2
    header = load(tmp_path / "game.json").header
    assert header.options["turn_limit"] == 2
    assert len(header.seats) == 2
    shown = polemarque("run", "atlantide", "duel", "--turns", 1, "--seed", 1, "--out", tmp_path)
    assert "The game ended at turn 1, the last that was set for it." in shown.out
    ran("atlantide", "duel", "--option", "turn_limit=3", "--out", tmp_path)
    assert load(tmp_path / "game.json").header.options["turn_limit"] == 3


def test_the_help_says_at_which_turn_a_default_run_ends() -> None:
    told = " ".join(polemarque("run", "--help").out.split())
    limits = {find_system(name).turns for name in OURS} - {0}
    assert limits and all(f"turn {limit}" in told for limit in limits)


def test_a_scenario_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("seats = 4\ndays = 2\ngold = 3\n")
    ran("toy", path, "--out", tmp_path)
    header = load(tmp_path / "game.json").header
    assert len(header.seats) == 4
    assert header.setup == {"days": 2, "gold": 3}
    for wrong in ("days = [", 'days = "two"', "nights = 4"):
        path.write_text(wrong)
        done = polemarque("run", "toy", path, "--out", tmp_path)
        assert done.status == 2
        assert len(done.err.splitlines()) == 1
    assert polemarque("run", "toy", tmp_path / "none.toml", "--out", tmp_path).status == 2


def test_a_whole_record_is_not_played_on_and_its_papers_are_written_anew(tmp_path: Path) -> None:
    said = ran("batailles", "--seed", 1, "--out", tmp_path)
    before = (tmp_path / "game.json").read_bytes()
    (tmp_path / "chronicle.md").unlink()
    done = polemarque("run", "--resume", tmp_path / "game.json", "--json")
    assert msgspec.json.decode(done.out) == said
    assert (tmp_path / "game.json").read_bytes() == before
    assert (tmp_path / "chronicle.md").exists()
    for more in (("toy",), ("--seed", 1), ("--turns", 2), ("--option", "a=b"), ("--seats", 2)):
        assert polemarque("run", "--resume", tmp_path / "game.json", *more).status == 2


def test_bots_that_are_not_all_steady_are_remembered_beside_the_record(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    ran("batailles", "--seed", 2, "--bots", "random,steady", "--out", whole)
    assert b"random" not in (whole / "game.json").read_bytes()
    cut.mkdir()
    lines = (whole / "game.json").read_bytes().splitlines(keepends=True)
    (cut / "game.json").write_bytes(b"".join(lines[:6]))
    (cut / "game.seats.json").write_bytes((whole / "game.seats.json").read_bytes())
    assert polemarque("run", "--resume", cut / "game.json").status == 0
    assert (cut / "game.json").read_bytes() == (whole / "game.json").read_bytes()
    ran("batailles", "--seed", 2, "--out", whole)
    assert not (whole / "game.seats.json").exists()


def test_typed_dice_are_not_rolled_by_the_program(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    polemarque("play", "toy", "--seat", "A=Alice", "--dice", "typed", "--save", path)
    done = polemarque("run", "--resume", path)
    assert done.status == 2
    assert "typed" in done.err


def test_the_summary_for_people_speaks_their_language(tmp_path: Path) -> None:
    for lang, said in (("fr", ("Empreinte", "événements")), ("en", ("Digest", "events"))):
        done = polemarque("run", "batailles", "--seed", 3, "--out", tmp_path, "--lang", lang)
        assert done.status == 0
        assert all(word in done.out for word in said)
        assert "(A)" in done.out
        assert str(tmp_path / "chronicle.md") in done.out
        rolls = [e for e in load(tmp_path / "game.json").entries if e.key.seat == DICE]
        assert rolls


def test_a_club_plays_by_its_house_rules_map_and_lists(tmp_path: Path) -> None:
    data = find_system("atlantide").data
    island = (data / "island.toml").read_text(encoding="utf-8")
    (tmp_path / "ours.toml").write_text(island.replace("Hippéia", "Notre Ville"))
    lists = (data / "catalogue.toml").read_text(encoding="utf-8")
    (tmp_path / "lists.toml").write_text(lists)
    (tmp_path / "club.toml").write_text(
        'system = "atlantide"\nmap = "ours.toml"\ncatalogue = "lists.toml"\n'
        '[options]\nterrain = "map"\nturn_limit = 2\n'
    )
    ran("atlantide", tmp_path / "club.toml", "--option", "turn_limit=1", "--out", tmp_path / "out")
    record = load(tmp_path / "out" / "game.json")
    assert record.header.options["terrain"] == "map"
    assert record.header.options["turn_limit"] == 1
    assert "Notre Ville" in str(record.header.setup["map"])
    game, _ = replayed(record)
    assert game.over and "Notre Ville" in str(game.state.board.places)


@pytest.mark.parametrize("command", ["run", "play"])
@pytest.mark.parametrize(
    ("rules", "other", "said"),
    [
        ("wrong = 1", "", "club.toml:2: wrong: The key wrong has no meaning in house rules."),
        ("[options]\nterrain = 'mop'", "", "The option terrain cannot be mop."),
        ("map = 'none.toml'", "", "club.toml:2: map: there is no file none.toml."),
        ("map = 'other.toml'", "a = = 1", "other.toml:1: The TOML cannot be read from here on"),
        ("map = 'other.toml'", "a = 1", "club.toml: map: The system has no use for other.toml."),
        ("catalogue = 'other.toml'", "a = 1", "club.toml: catalogue: The system has no use for"),
        ("= 1", "", "club.toml:2: The TOML cannot be read from here on"),
    ],
)
def test_what_is_wrong_with_a_clubs_files_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, rules: str, other: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("club.toml").write_text(f'system = "atlantide"\n{rules}\n')
    Path("other.toml").write_text(other)
    done = polemarque(command, "atlantide", "club.toml")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("The game cannot begin: ") and said in done.err
    french = polemarque(command, "atlantide", "club.toml", "--lang", "fr").err
    assert french.startswith("La partie ne peut pas commencer\u00a0: ")
    assert not re.search(r"\b(house|toml|map)\.[a-z]+:|:0:", french)


@pytest.mark.parametrize(
    ("system", "text", "said"),
    [
        (
            "atlantide",
            "[map.map]\nid = 3\n[[map.kingdom]]\nid = 3\n",
            "setup.toml:1: The map has no table territory.",
        ),
        ("mare_nostrum", "[[map.zone]]\nid = 3\n", "setup.toml:1: The map has no table map."),
        (
            "thucidide",
            "[a]\nlevel = 1\n[board]\nid = 3\n",
            "setup.toml:3: board: The board has no field name.",
        ),
        ("atlantide", "[map.map]\nid = 'x'\n", "The map has no table kingdom."),
    ],
)
def test_what_is_wrong_with_the_map_of_a_set_up_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("setup.toml").write_text(text)
    done = polemarque("run", system, "setup.toml")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err
    for lang in ("en", "fr"):
        told = polemarque("run", system, "setup.toml", "--lang", lang).err
        assert not re.search(r"\b(map|board)\.[a-z]+:(?! The | Le )|:0:", told)


def test_of_many_faults_the_first_are_told(tmp_path: Path) -> None:
    keys = "\n".join(f"wrong_{number} = 1" for number in range(9))
    (tmp_path / "club.toml").write_text(f'system = "atlantide"\n{keys}\n')
    said = polemarque("run", "atlantide", tmp_path / "club.toml").err
    assert "wrong_2" in said and "wrong_3" not in said
    assert "There are 6 more faults: polemarque check " in said


def test_house_rules_of_another_system_are_refused(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('system = "batailles"\n')
    done = polemarque("run", "atlantide", tmp_path / "club.toml")
    assert done.status == 2 and "another game: batailles, not atlantide" in done.err


@pytest.mark.parametrize(
    ("words", "legal"),
    [(("--turns", 0), "≥ 1"), (("--seats", "zz"), "N"), (("--dice", "x"), "rolled")],
)
def test_a_value_of_another_kind_is_refused_in_the_readers_language(
    words: tuple[object, ...], legal: str
) -> None:
    done = polemarque("run", "toy", *words, "--lang", "fr")
    assert done.status == 2 and "pas comprise" in done.err and legal in done.err
    assert "not" not in done.err


def test_a_strangers_set_up_gives_a_terminal_nothing_to_obey(tmp_path: Path) -> None:
    path, out = tmp_path / "theirs.toml", tmp_path / "out"
    for theirs in ('[a]\nname = "Evil\\u001b[2J"', '"moon\\u001b[2J" = 1'):
        path.write_text(theirs)
        done = polemarque("run", "batailles", path, "--out", out, "--lang", "en")
        assert done.status == 2 and "\\x1b[2J" in done.err and "\x1b" not in done.err + done.out
    assert not out.exists()


def test_signs_in_names_of_an_old_record_are_told_by_their_codes(tmp_path: Path) -> None:
    """A terminal obeys them, and no picture of a paper can hold them."""
    path, out = tmp_path / "theirs.toml", tmp_path / "out"
    path.write_text('[a]\nname = "Evil\\u001b[2J\\u009b\\u202e\\rGood"')
    with patch.object(new_game, "OBEYED", re.compile("(?!)")):  # as before they were refused
        assert polemarque("run", "batailles", path, "--out", out, "--seed", 1).status == 0
    record = out / "game.json"
    for command in ("chronicle", "replay"):
        done = polemarque(command, record, "--lang", "en")
        assert done.status == 0, done.err
        assert r"\x9b\u202e" in done.out
        assert not {*"\x1b\x9b\u202e\r"} & {*done.out + done.err}
    for form in ("pdf", "html", "md", "bbcode"):
        paper = tmp_path / f"chronicle.{form}"
        done = polemarque("chronicle", record, "--format", form, "--out", paper)
        assert done.status == 0, done.err
        if form != "pdf":
            said = paper.read_text()
            assert r"\x9b" in said and not {*"\x1b\x9b\u202e\r"} & {*said}
