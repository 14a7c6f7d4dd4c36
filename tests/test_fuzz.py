"""The fuzzer itself: quiet on a sound game, and a crash is a record that opens."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from polemarque.cli.records import load
from polemarque.kernel.editions import known
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.run import Runner
from polemarque.kernel.system import find_system, system_names
from tests import fuzz
from tests.cli.desk import polemarque


@pytest.mark.parametrize("system", ["toy", "batailles"])
def test_a_few_seconds_of_random_games(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fuzz, "CRASHES", tmp_path)
    status = fuzz.main(["--seconds", "2", "--system", system, "--seed", "1"])
    said = capsys.readouterr().out
    assert status == 0, said
    for done in ("answer", "undo", "undo refused", "standing", "absent", "nonsense", "restart"):
        assert f" {done}" in said


def test_umpires_act_and_what_is_refused_has_changed_nothing() -> None:
    """The game that follows from their acts is played to its end, replayed and proved."""
    awaited = {f"{act}{how}" for act in ("replace", "adjust", "adopt") for how in ("", " refused")}
    done: Counter[str] = Counter()
    with fuzz.later_editions():
        for number in range(60):
            rng = Random(number)
            play = fuzz.Play(*fuzz.random_game("batailles", rng), rng)
            play.acts = 0.3
            play.to_the_end()
            done += play.steps
    assert not awaited - set(done), done
    assert not any(known(find_system(name))[0].endswith(".1") for name in system_names())


def test_a_crash_is_saved_as_a_record_that_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "CRASHES", tmp_path / "crashes")

    def broken(play: fuzz.Play) -> None:
        raise fuzz.Fault("planted")

    monkeypatch.setattr(fuzz.Play, "check_record", broken)
    assert fuzz.main(["--seconds", "0", "--system", "toy", "--seed", "1"]) == 1
    (path,) = (tmp_path / "crashes").glob("*.json")
    assert "planted" in path.with_suffix(".txt").read_text()
    last = len(load(path).entries)
    done = polemarque("replay", path, "--at", last // 2)
    assert done.status == 0, done


def test_the_position_of_a_game_that_is_over_restarts_to_itself() -> None:
    play = fuzz.Play(*fuzz.random_game("toy", Random(1)), Random(1))
    play.to_the_end()
    saved = encode_position(play.game.position)
    assert play.game.over
    assert encode_position(Runner(decode_position(saved)).position) == saved
