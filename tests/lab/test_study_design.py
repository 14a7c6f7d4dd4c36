"""The file of a study: set-ups side by side, a figure swept or levelled, and its faults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque.cli.common import NO, REFUSED
from polemarque.cli.study_design import read_design
from polemarque.kernel.errors import NotUnderstood
from polemarque.report.documents.pdf import printable
from tests.cli.desk import polemarque

HEAD = 'system = "batailles"\nscenario = "leuctra"\n'
PHALANX = 'figure = "a.units.Phalanx.pm"\n'


def designed(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "design.toml"
    path.write_text(text)
    return path


def studied(path: Path, *words: object, status: int = 0) -> dict[str, Any]:
    out = path.parent / "out"
    done = polemarque("study", path, *words, "--out", out, "--workers", 1, "--json")
    assert done.status == status, done
    said: dict[str, Any] = msgspec.json.decode(done.out)
    assert said == msgspec.json.decode((out / "study.json").read_bytes())
    return said


def test_a_figure_is_found_by_keys_names_and_numbers(tmp_path: Path) -> None:
    for figure in ("a.units.Phalanx.pm", "a.units.0.pm"):
        design = read_design(
            designed(tmp_path, f'{HEAD}[sweep]\nfigure = "{figure}"\nfrom = 36\nto = 46\nstep = 5'),
            None,
        )
        powers = [plan.header.setup["a"]["units"][0]["pm"] for plan in design.study.plans]
        assert powers == [36, 41, 46]
        assert design.names == ("36", "41", "46")
    (first, *_) = design.study.plans
    assert first.header.setup["a"]["units"][1]["pm"] == 8  # nothing else has changed
    army = 'system = "promiterra"\n[figures]\n"armies.aurora_league.troops.phalanx.units" = 30\n'
    (plan,) = read_design(designed(tmp_path, army), None).study.plans
    assert plan.header.setup["armies"][0]["troops"][0]["units"] == 30
    option = 'system = "atlantide"\n[sweep]\nfigure = "options.turn_limit"\nfrom = 4\nto = 5'
    limits = read_design(designed(tmp_path, option), None).study.plans
    assert [plan.header.options["turn_limit"] for plan in limits] == [4, 5]


def test_several_set_ups_stand_side_by_side(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('system = "batailles"\n[options]\nrout = "zero"\n')
    path = designed(
        tmp_path,
        f"""{HEAD}games = 6
[[setup]]
name = "the book"
[[setup]]
name = "our house"
scenario = "house.toml"
[[setup]]
name = "a deeper wing"
figures = {{ "a.units.Phalanx.pm" = 60 }}
[[setup]]
name = "fools"
bots = "random"
[[setup]]
name = "cannae"
scenario = "cannae"
""",
    )
    said = studied(path)
    assert [setup["name"] for setup in said["setups"]] == [
        "the book", "our house", "a deeper wing", "fools", "cannae",
    ]  # fmt: skip
    assert said["setups"][1]["options"]["rout"] == "zero"
    assert said["setups"][3]["bots"] == {"A": "random", "B": "random"}
    assert {setup["figures"]["games"] for setup in said["setups"]} == {6}
    assert len(said["changes"]) == 4
    for lang, words in (
        ("en", "Changes: a deeper wing"),
        ("fr", "Changements\u00a0: fools"),
    ):
        told = polemarque(
            "study", path, "--out", tmp_path / "out", "--resume", "--workers", 1, "--lang", lang
        )
        assert told.status == 0, told
        assert words in told.out
        assert "{" not in told.out and "None" not in told.out


def test_a_figure_is_swept_and_drawn(tmp_path: Path) -> None:
    path = designed(tmp_path, f"{HEAD}[sweep]\n{PHALANX}from = 20\nto = 60\nstep = 20\n")
    said = studied(path, "--games", 20)
    won = [setup["figures"]["seats"][0]["won"]["hits"] for setup in said["setups"]]
    assert won == sorted(won) and won[0] < won[-1]
    assert [step["pairs"] for step in said["steps"]] == [20, 20]
    out = tmp_path / "out"
    page = (out / "study.html").read_text()
    assert "<svg" in page and "a.units.Phalanx.pm" in page and "http-equiv" not in page
    assert (out / "study.csv").read_text().count("step_seat") == 2
    assert (out / "study.pdf").exists() == printable()
    drawn = (out / "sweep.svg").read_text()
    assert drawn.count('stroke-width="5"') == 3  # an interval a value
    assert drawn.count("<circle") == 6
    for lang, word in (("en", "Values of"), ("fr", "Valeurs de")):
        told = polemarque("study", path, "--games", 20, "--out", out, "--resume", "--lang", lang)
        assert word in told.out and "Phalanx" in told.out
        assert "{" not in told.out and "None" not in told.out


@pytest.mark.slow
def test_what_makes_it_level_is_found_or_refused(tmp_path: Path) -> None:
    path = designed(tmp_path, f"{HEAD}[level]\n{PHALANX}from = 20\nto = 60\n")
    said = studied(path, "--games", 60)
    level = said["level"]
    assert level["verdict"] == "found"
    assert 20 < level["value"] < 60
    assert level["games"] == 60 * len(level["points"]) == 60 * len(said["setups"])
    lines = (tmp_path / "out" / "games.jsonl").read_bytes().count(b"\n") - 1
    assert lines == level["games"]  # nothing else was played
    again = studied(path, "--games", 60, "--resume")
    assert again == said
    told = polemarque(
        "study", path, "--games", 60, "--out", tmp_path / "out", "--resume", "--lang", "fr"
    )
    assert f"avec a.units.Phalanx.pm = {level['value']}" in told.out.replace("\n", " ")
    assert "{" not in told.out and "None" not in told.out
    (tmp_path / "flat").mkdir()
    flat = designed(
        tmp_path / "flat",
        f'{HEAD}[level]\nseat = "B"\nfigure = "b.units.Hippeis.pm"\nfrom = 8\nto = 9\n',
    )
    said = studied(flat, "--games", 30, status=NO)
    assert (said["level"]["verdict"], said["level"]["seat"]) == ("flat", "B")
    for lang in ("en", "fr"):
        told = polemarque(
            "study", flat, "--games", 30, "--out", tmp_path / "flat" / "out", "--resume",
            "--lang", lang,
        )  # fmt: skip
        assert "Refus" in told.out and "{" not in told.out


def test_each_grade_of_bots_plays_the_next(tmp_path: Path) -> None:
    path = designed(tmp_path, f'{HEAD}games = 20\ngrades = ["random", "steady"]\n')
    said = studied(path)
    (setup,) = said["setups"]
    assert [bot["bot"] for bot in setup["figures"]["bots"]] == ["random", "steady"]
    assert said["changes"] == []
    for lang, words in (("en", "Skill tells: each bot beats"), ("fr", "Le talent compte")):
        told = polemarque("study", path, "--out", tmp_path / "out", "--resume", "--lang", lang)
        assert words in told.out
        assert "{" not in told.out and "None" not in told.out
    same = designed(tmp_path, f'{HEAD}games = 6\ngrades = ["steady", "steady"]\n')
    assert "line 4" in polemarque("study", same, "--out", tmp_path / "same", "--lang", "en").err


# Faults ------------------------------------------------------------------------------------------

SWEEP = f"{HEAD}[sweep]\n{PHALANX}from = 36\nto = 46\n"
SETUP = 'name = "x"\nmorale = 9\ncommand = 4\n'

TWO = f'{HEAD}[[setup]]\nname = "a"\n[[setup]]\nname = "b"\n'

WRONG = [
    (SWEEP.replace("Phalanx", "Falanx"), 4, "Phalanx"),
    (SWEEP.replace(".pm", ".pn"), 4, "pm"),
    (SWEEP.replace("a.units.Phalanx.pm", "c.units"), 4, "a"),
    (SWEEP.replace('"a.units.Phalanx.pm"', '"options.rout"'), 4, "none"),
    (SWEEP.replace("46", "36"), 6, "2-60"),
    (SWEEP.replace("46", "4600"), 6, "2-60"),
    (SWEEP.replace("46", str(2**63 - 1)), 6, "2-60"),
    (SWEEP.replace("36", str(-(2**63))).replace("46", str(2**63 - 1)), 6, "2-60"),
    (SWEEP.replace("46", "30"), 6, "2-60"),
    (TWO.replace('"b"', '"a"') + 'bots = "random"\n', 6, "a"),
    (SWEEP + "steps = 2\n", 7, "steps"),
    (SWEEP.replace("36", '"36"'), 5, "from"),
    (SWEEP + f"[level]\n{PHALANX}from = 1\nto = 2\n", 7, "[level]"),
    (SWEEP.replace("sweep", "level") + 'seat = "C"\n', 7, "A"),
    (SWEEP.replace("leuctra", "leuktra"), 2, "leuctra"),
    (SWEEP.replace("batailles", "bataille"), 1, "batailles"),
    ('bots = "zeus"\n' + SWEEP, 1, "steady"),
    ("games = 0\n" + SWEEP, 1, "games"),
    (HEAD + '[options]\nrout = "always"\n', 4, "zero"),
    (HEAD + '[options]\nroute = "zero"\n', 4, "rout"),
    (HEAD + '[[setup]]\nname = "a"\n[[setup]]\nname = "b"\n', 5, "b"),
    (
        HEAD + '[[setup]]\nname = "a"\n[[setup]]\nname = "b"\n[setup.options]\nrout = "x"\n',
        8,
        "zero",
    ),
    (HEAD + '[[setup]]\nname = "a"\n[[setup]]\nbots = "zeus"\nname = "b"\n', 6, "steady"),
    (HEAD + '[[setup]]\nname = "a"\nfigures = { "a.units.0.pm" = "x" }\n', 5, "a.units[0].pm"),
    (HEAD + '[[setup]]\nnom = "a"\n', 4, "nom"),
    (HEAD + 'grades = ["steady"]\n', 3, "steady"),
    (HEAD + 'grades = ["random", "zeus"]\n', 3, "zeus"),
    ("system = \n", 1, ""),
]


@pytest.mark.parametrize(("text", "line", "word"), WRONG)
def test_a_fault_is_told_with_file_and_line_in_both_languages(
    tmp_path: Path, text: str, line: int, word: str
) -> None:
    path = designed(tmp_path, text)
    said = {}
    for lang, lined in (("en", f"line {line}"), ("fr", f"ligne {line}")):
        done = polemarque("study", path, "--out", tmp_path / "out", "--lang", lang)
        assert done.status == REFUSED, done
        assert len(done.err.splitlines()) == 1
        told = done.err.replace("\u00a0", " ")
        assert path.name in told and word in told
        assert lined in told or f"{path.name}:{line}" in told
        said[lang] = told
    assert said["en"] != said["fr"]
    assert not (tmp_path / "out" / "games.jsonl").exists()


def test_a_fault_of_a_set_up_is_told_with_its_own_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(
        f'[a]\n{SETUP}units = [\n  {{ name = "p", pm = "many" }},\n]\n[b]\n{SETUP}units = []\n'
    )
    path = designed(tmp_path, HEAD.replace("leuctra", "ours.toml"))
    for lang, words in (("en", "line 6"), ("fr", "ligne 6")):
        for command in (("study", path), ("run", "batailles", tmp_path / "ours.toml")):
            told = polemarque(*command, "--out", tmp_path / "out", "--lang", lang).err
            assert f"ours.toml, {words}" in told, told
            assert "a.units[0].pm" in told
    with pytest.raises(NotUnderstood):
        read_design(path, None)


def test_what_a_system_refuses_of_a_set_up_has_the_line_that_its_check_finds(
    tmp_path: Path,
) -> None:
    (tmp_path / "ours.toml").write_text(
        """[board]
id = "field"
name = { fr = "x", en = "x" }
shape = "square"
terrain = ". . . .\\n. . . .\\n. . . .\\n. . . .\\n"
legend = { "." = "plain" }
[[armies]]
army = "aurora_league"
zone = "south"
troops = [
  { unit = "falanx", units = 40, leader = "Ab" },
]
[[armies]]
army = "isles_principality"
zone = "north"
troops = [{ unit = "crew", units = 40, leader = "Ab" }]
"""
    )
    told = polemarque(
        "study", "promiterra", tmp_path / "ours.toml", "--out", tmp_path / "out", "--lang", "fr"
    )
    assert told.status == REFUSED
    assert "ours.toml:11: " in told.err and "phalanx" in told.err


def test_seats_have_to_be_the_same(tmp_path: Path) -> None:
    text = TWO.replace(HEAD, 'system = "atlantide"\n') + 'scenario = "duel"\n'
    told = polemarque("study", designed(tmp_path, text), "--out", tmp_path / "out", "--lang", "en")
    assert told.status == REFUSED
    assert "line 4" in told.err and "“b”" in told.err


def test_check_knows_the_file_of_a_study(tmp_path: Path) -> None:
    assert polemarque("check", designed(tmp_path, SWEEP)).status == 0
    for marked in ("games = 2\n", 'bots = "steady"\n', "seed = 3\n", "turns = 2\n"):
        path = designed(tmp_path, 'system = "atlantide"\n' + marked)
        assert polemarque("check", path).status == 0, marked
    told = polemarque("check", designed(tmp_path, SWEEP.replace("Phalanx", "Falanx")))
    assert told.status == REFUSED and "design.toml, line 4" in told.err


def test_a_name_in_the_table_of_figures_is_no_formula(tmp_path: Path) -> None:
    text = f"""{HEAD}games = 2
[[setup]]
name = "=HYPERLINK(1)"
[[setup]]
name = "@x"
figures = {{ "a.units.Phalanx.pm" = 37 }}
"""
    studied(designed(tmp_path, text))
    lines = (tmp_path / "out" / "study.csv").read_text().splitlines()[1:]
    assert {line.partition(",")[0] for line in lines} == {"'=HYPERLINK(1)", "'@x"}
    assert any(",-" in line for line in lines), "a figure below 0 stays a figure"


def test_what_the_file_says_is_not_said_again(tmp_path: Path) -> None:
    path = designed(tmp_path, SWEEP)
    for words in (("--bots", "random"), ("--option", "rout=zero"), ("--against", "rout=zero"),
                  ("leuctra",), ("--turns", 3), ("--seats", 2)):  # fmt: skip
        told = polemarque("study", path, *words, "--out", tmp_path / "out", "--lang", "fr")
        assert told.status == REFUSED
        assert "Tout cela est dans" in told.err


def test_a_study_of_a_day_says_so_first_and_offers_a_smaller_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from polemarque.cli.commands import study

    clock = iter(range(0, 10**9, 100))  # every look at the clock is 100 seconds later
    monkeypatch.setattr(study, "monotonic", lambda: next(clock))
    path = designed(tmp_path, HEAD + "games = 2000\n")
    words = ("study", path, "--out", tmp_path / "out", "--workers", 1)
    told = polemarque(*words, "--lang", "en")
    assert told.status == REFUSED
    # 2000 games of 100 seconds are 56 hours; 36 of them an hour.
    assert "about 56 hours" in told.err and "--resume --games 36 takes 60 minutes" in told.err
    # Of 36, from 25 victories on tell a seat from an equal one: 16 % where it wins 60 %.
    assert "60% instead of 50%" in told.err and "in 16% of cases, instead of 100%" in told.err
    kept = (tmp_path / "out" / "games.jsonl").read_bytes().count(b"\n") - 1
    assert kept == 2  # one to begin with, and one to see how long it takes
    told = polemarque(*words, "--resume", "--games", 36, "--lang", "fr")
    assert told.status == 0, told
    assert (tmp_path / "out" / "games.jsonl").read_bytes().count(b"\n") == 37
