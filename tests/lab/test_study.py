"""`polemarque study`, as an umpire types it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque.cli.common import BROKEN, INTERRUPTED, REFUSED
from polemarque.kernel.game import new_header
from polemarque.kernel.system import find_system
from polemarque.lab.report import ROWS
from polemarque.report.narrator import Voice
from tests.cli.desk import Done, polemarque

OURS = ("atlantide", "batailles", "mare_nostrum", "promiterra", "thucidide")
SHORT = ("--turns", 3)


def studied(*words: object, out: Path) -> dict[str, Any]:
    done = polemarque("study", *words, "--out", out, "--workers", 1, "--json")
    assert done.status == 0, done
    said: dict[str, Any] = msgspec.json.decode(done.out)
    assert said == msgspec.json.decode((out / "study.json").read_bytes())
    return said


@pytest.mark.parametrize("system", OURS)
def test_every_system_can_be_studied(system: str, tmp_path: Path) -> None:
    short = SHORT if find_system(system).turns else ()
    said = studied(system, "--games", 2, *short, out=tmp_path)
    (setup,) = said["setups"]
    figures = setup["figures"]
    assert figures["games"] == 2
    assert sum(seat["won"]["hits"] for seat in figures["seats"]) >= figures["won"]
    assert [seat["seat"] for seat in figures["seats"]] == said["seats"]
    assert len(figures["by_turn"]) == figures["turns"]["most"]
    assert figures["asked"]["mean"] > 0
    assert figures["ranked"]
    assert (figures["seats"][0]["out"] is None) == (system not in {"atlantide", "mare_nostrum"})
    for lang, word in (("fr", "En bref"), ("en", "In brief")):
        done = polemarque(
            "study", system, "--games", 2, *short, "--out", tmp_path, "--resume", "--lang", lang
        )
        assert done.status == 0, done
        assert word in done.out
        assert f"## {word}" in (tmp_path / "study.md").read_text()
        assert "{" not in done.out and "None" not in done.out


@pytest.mark.parametrize("system", OURS)
def test_results_of_rolled_rules_have_names_in_both_languages(system: str, tmp_path: Path) -> None:
    studied(system, "--games", 2, out=tmp_path)
    games = [msgspec.json.decode(line)["game"]
             for line in (tmp_path / "games.jsonl").read_bytes().splitlines()[1:]]  # fmt: skip
    kinds = {name.split(" ", 2)[2] for game in games for name in game["rows"]}
    assert kinds
    for lang in ("fr", "en"):
        book = Voice(new_header(system), lang).own
        unnamed = {kind for kind in kinds if not any(book.has(f"{of}.{kind}") for of in ROWS)}
        assert not unnamed


def test_games_are_those_of_run(tmp_path: Path) -> None:
    studied("atlantide", "duel", "--games", 2, *SHORT, "--seed", 1, out=tmp_path)
    lines = (tmp_path / "games.jsonl").read_bytes().splitlines()
    game = msgspec.json.decode(lines[2])["game"]
    seed = game["seed"]
    assert seed == 1_000_001
    ran = polemarque(
        "run", "atlantide", "duel", *SHORT, "--seed", seed, "--out", tmp_path / "run", "--json"
    )
    assert msgspec.json.decode(ran.out)["digest"] == game["digest"]


def test_the_figures_do_not_depend_on_workers_nor_on_a_resumption(tmp_path: Path) -> None:
    words = ("batailles", "--bots", "steady,random", "--seed", 7)
    one = studied(*words, "--games", 12, out=tmp_path / "one")
    done = polemarque(
        "study", *words, "--games", 12, "--workers", 2, "--out", tmp_path / "two", "--json"
    )
    assert msgspec.json.decode(done.out) == one
    studied(*words, "--games", 5, out=tmp_path / "parts")
    file = tmp_path / "parts" / "games.jsonl"
    file.write_bytes(file.read_bytes()[:-20])  # killed while it wrote
    assert studied(*words, "--games", 12, "--resume", out=tmp_path / "parts") == one
    # fewer are asked for than there are: the figures are those of the first four
    fewer = studied(*words, "--games", 4, "--resume", out=tmp_path / "parts")
    assert fewer["setups"][0]["figures"]["games"] == 4


def test_a_second_set_up_is_told_beside_the_first(tmp_path: Path) -> None:
    words = ("atlantide", "duel", "--games", 4, "--turns", 3, "--against", "turn_limit=5")
    said = studied(*words, out=tmp_path)
    limits = [setup["options"]["turn_limit"] for setup in said["setups"]]
    assert limits == [3, 5]
    turns = next(change for change in said["changes"][0] if change["what"] == "turns")
    assert (turns["first"], turns["second"], turns["pairs"]) == (3, 5, 4)
    told = polemarque("study", *words, "--out", tmp_path, "--resume", "--lang", "fr").out
    assert "Changements\u00a0: turn_limit=5" in told
    alone = studied("atlantide", "duel", "--games", 4, "--turns", 5, out=tmp_path / "five")
    one, beside = alone["setups"][0]["figures"], said["setups"][1]["figures"]
    assert [seat["won"] for seat in one["seats"]] == [seat["won"] for seat in beside["seats"]]
    for tested in ("seats", "found"):  # beside another, what is tested is corrected for both
        assert one.pop(tested) != beside.pop(tested)
    assert one == beside


def test_different_bots_change_seats_and_every_one_has_each_as_often(tmp_path: Path) -> None:
    said = studied("batailles", "--games", 5, "--bots", "steady,random", out=tmp_path)
    (setup,) = said["setups"]
    assert setup["figures"]["games"] == 6
    assert [bot["bot"] for bot in setup["figures"]["bots"]] == ["steady", "random"]
    assert "who change seats from game to game" in (tmp_path / "study.md").read_text()
    lines = (tmp_path / "games.jsonl").read_bytes().splitlines()[1:]
    second = next(g for g in (msgspec.json.decode(x)["game"] for x in lines) if g["seed"] == 1)
    ran = polemarque(
        "run", "batailles", "--seed", 1, "--bots", "random,steady", "--out", tmp_path / "run",
        "--json",
    )  # fmt: skip
    assert msgspec.json.decode(ran.out)["digest"] == second["digest"]


def test_a_study_of_house_rules(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('system = "batailles"\n[options]\nrout = "zero"\n')
    said = studied("batailles", house, "--games", 1, out=tmp_path / "out")
    assert said["setups"][0]["options"]["rout"] == "zero"
    assert said["scenario"] == "house.toml"


# Refusals ----------------------------------------------------------------------------------------


def refused(*words: object) -> str:
    done = polemarque("study", *words)
    assert done.status == REFUSED, done
    assert len(done.err.splitlines()) == 1
    return done.err


def test_options_are_refused_as_run_refuses_them(tmp_path: Path) -> None:
    for wrong in (
        (), ("chess",), ("batailles", "agincourt"), ("batailles", "--seats", 3),
        ("batailles", "--option", "rout"), ("batailles", "--option", "route=zero"),
        ("batailles", "--option", "rout=always"), ("batailles", "--turns", 3),
        ("batailles", "--bots", "zeus"), ("batailles", "--bots", "steady,steady,steady"),
    ):  # fmt: skip
        for lang in ("fr", "en"):
            told = refused(*wrong, "--out", tmp_path, "--lang", lang)
            assert told == polemarque("run", *wrong, "--out", tmp_path, "--lang", lang).err
    assert "none and zero" in refused("batailles", "--option", "rout=always", "--out", tmp_path)
    assert "none and zero" in refused("batailles", "--against", "rout=always", "--out", tmp_path)
    assert not (tmp_path / "games.jsonl").exists()


def test_a_second_set_up_that_changes_nothing_is_refused(tmp_path: Path) -> None:
    told = refused("batailles", "--against", "rout=none", "--out", tmp_path, "--lang", "fr")
    assert "la même" in told


def test_a_study_that_is_there_is_neither_overwritten_nor_mixed_with_another(
    tmp_path: Path,
) -> None:
    studied("batailles", "--games", 2, out=tmp_path)
    before = (tmp_path / "games.jsonl").read_bytes()
    for lang, words in (("fr", ("déjà une étude", "par\u00a0: options")),
                        ("en", ("already", "in: options"))):  # fmt: skip
        here = ("batailles", "--games", 2, "--out", tmp_path, "--lang", lang)
        assert words[0] in refused(*here)
        assert words[1] in refused(*here, "--resume", "--option", "rout=zero")
    assert (tmp_path / "games.jsonl").read_bytes() == before


# Stopped and broken ------------------------------------------------------------------------------


def started(out: Path, *words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "polemarque", "study", "batailles", "--games", "400"]
    return subprocess.Popen(
        [*command, "--workers", "2", "--out", str(out), "--json", *map(str, words)],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "LANG": "C.UTF-8"},
    )  # fmt: skip


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.slow
@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_study_that_is_stopped_goes_on_to_the_same_figures(
    tmp_path: Path, which: signal.Signals
) -> None:
    path = tmp_path / "games.jsonl"
    process = started(tmp_path)
    while process.poll() is None and lines_of(path) < 20:
        time.sleep(0.01)
    process.send_signal(which)
    out, err = process.communicate(timeout=120)  # its workers have ended too: they hold the pipes
    assert process.returncode == (-which if which == signal.SIGKILL else INTERRUPTED), (out, err)
    assert "Traceback" not in err
    kept = lines_of(path)
    assert 20 <= kept < 401
    if which != signal.SIGKILL:
        assert f"{kept - 1} games kept" in err
    first = path.read_bytes().splitlines()[:kept]
    said = studied("batailles", "--games", 400, "--resume", out=tmp_path)
    assert path.read_bytes().splitlines()[:kept] == first
    assert lines_of(path) == 401
    assert said["setups"][0]["figures"]["games"] == 400
    assert sorted(
        msgspec.json.decode(line)["game"]["seed"] for line in path.read_bytes().splitlines()[1:]
    ) == list(range(400))


def test_a_game_that_fails_is_named_and_the_others_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from polemarque.lab import executor
    from polemarque.lab.games import Failed, Played, StudyPlan, attempt

    def failing(plan: StudyPlan, seed: int) -> Played | Failed:
        return Failed(seed, "KernelFault: stuck") if seed in (3, 5) else attempt(plan, seed)

    words = ("study", "batailles", "--games", 8, "--workers", 1, "--out", tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(executor, "attempt", failing)
        done: Done = polemarque(*words, "--lang", "fr")
        assert done.status == BROKEN
        assert "2 parties" in done.err and "3 et 5" in done.err and "stuck" in done.err
        assert "6 parties" in done.out
        told = polemarque(*words, "--resume", "--json")
        assert told.status == BROKEN
        assert msgspec.json.decode(told.out)["failed"] == [3, 5]
    mended = studied("batailles", "--games", 8, "--resume", out=tmp_path)
    assert mended["failed"] == []
    assert mended == studied("batailles", "--games", 8, out=tmp_path / "new")
