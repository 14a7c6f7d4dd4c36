"""`polemarque amend`: umpire's acts in a record, previewed, written, told by the chronicle."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from polemarque.cli import records
from polemarque.cli.commands import amend as amend_module
from polemarque.cli.commands import play as play_module
from polemarque.cli.commands import run as run_module
from polemarque.cli.commands.amend import MOST
from polemarque.cli.records import load, replayed
from polemarque.kernel.acts import Effect
from polemarque.kernel.dice import Counts
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import (
    Adjust,
    Answer,
    Journal,
    Record,
    Replace,
    write_entry,
    write_record,
)
from polemarque.kernel.request import DICE
from tests.cli.desk import Done, polemarque
from tests.kernel import archers

assert archers.ARCHERS


@pytest.fixture
def record(tmp_path: Path) -> Path:
    done = polemarque("run", "toy", "ford", "--seed", 7, "--bots", "random", "--out", tmp_path)
    assert done.status == 0, done
    return tmp_path / "game.json"


def amend(record: Path, *words: object, reason: str = "a mistake") -> Done:
    return polemarque("amend", record, *words, "--reason", reason, "--json")


def number(record: Path, rule: str, at: int = 0) -> int:
    """The number of the entry that holds an answer to a rule."""
    found = [n for n, e in enumerate(load(record, interrupted=True).entries, 1)
             if isinstance(e, Answer) and e.key.rule == rule and e.key.seat != DICE]  # fmt: skip
    return found[at]


def test_an_answer_is_replaced_and_the_game_is_whole_again(record: Path) -> None:
    at = number(record, "TOY-4")
    sheet = dict(load(record).entries[at - 1].value) | {"bread": 0}
    done = amend(record, "--replace", at, msgspec.json.encode(sheet).decode())
    assert done.status == 0, done
    said = msgspec.json.decode(done.out)
    whole = load(record)
    assert said["written"] and said["digest"] == whole.head and whole.complete
    assert isinstance(whole.entries[-1], Replace)
    assert polemarque("replay", record).status == 0


def test_a_preview_writes_nothing(record: Path) -> None:
    before = record.read_bytes()
    done = amend(record, "--annul", number(record, "TOY-1"), "--preview")
    said = msgspec.json.decode(done.out)
    assert done.status == 0 and not said["written"] and said["open"]
    assert record.read_bytes() == before


def test_what_changes_is_shown_seat_by_seat(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    game = Game(new_header("toy", seats=2, seed=1))
    path.write_bytes(write_record(game.header, game.entries))
    said = msgspec.json.decode(amend(path, "--adjust", "gold.A", 40).out)
    assert said["changes"] == {
        "A": [{"place": "gold", "before": 10, "after": 40, "path": ""}], "B": []
    }  # fmt: skip
    done = polemarque("amend", path, "--adjust", "gold.B", 3, "--reason", "a fine", "--lang", "fr")
    said = done.out.replace("\N{NO-BREAK SPACE}", " ")
    assert "\nA : rien ne change." in said and "B : un changement.\n  gold : 10 → 3" in said
    assert not load(path, interrupted=True).complete


@pytest.mark.parametrize(
    ("lang", "awaited"),
    [
        ("fr", "Attend : l’Amazone (B) · Mise en place · AT-1.4, Choix des"),
        ("en", "Awaits: the Amazon (B) · Setting up · AT-1.4, Choice of"),
    ],
)
def test_what_a_game_waits_for_is_said_in_words(tmp_path: Path, lang: str, awaited: str) -> None:
    path = tmp_path / "g.json"
    game, rng = Game(new_header("atlantide", seats=2, seed=1)), Random(1)
    game.settle()
    while True:
        request = game.requests()[0]
        seat = request.missing[0]
        if request.keys[seat].rule == "AT-1.4/places":
            break
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
    path.write_bytes(write_record(game.header, game.entries))
    done = polemarque(
        "amend", path, "--adjust", "loot.A", 9, "--reason", "x", "--preview", "--lang", lang
    )
    said = done.out.replace("\N{NO-BREAK SPACE}", " ")
    assert done.status == 0 and awaited in said and "/places" not in said, said
    again = polemarque("replay", path, "--at", len(game.entries), "--lang", lang).out
    assert "AT-1.4, " in again and "#1" not in again


def test_a_result_is_declared_in_an_open_battle(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    game = Game(new_header("toy", seats=2, seed=1))
    for seat in "AB":
        game.answer(seat, "duel")
    path.write_bytes(write_record(game.header, game.entries))
    done = amend(path, "--adjust", "winner", "B", "--battle", "1-d2")
    assert done.status == 2 and "1-d1" in done.err
    assert amend(path, "--adjust", "winner", "B", "--battle", "1-d1").status == 0
    after, _ = replayed(load(path, interrupted=True))
    assert after.state.gold == {"A": 9, "B": 11} and isinstance(after.entries[-1], Adjust)


def test_the_chronicle_tells_a_live_game_as_it_stands_after_a_correction(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    rng = Random(4)
    game = Game(new_header("batailles", seed=4))
    game.settle()
    while len(game.entries) < 8:
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
    path.write_bytes(write_record(game.header, game.entries))
    told = polemarque("chronicle", path, "--for", "umpire").out
    first = next(n for n, e in enumerate(game.entries, 1) if e.key.seat != DICE)
    assert amend(path, "--annul", first, reason="heard wrongly").status == 0
    after = polemarque("chronicle", path, "--for", "umpire").out
    assert "heard wrongly" in after.lower() and "heard wrongly" not in told.lower()
    assert len(after) < len(told), "what has not happened yet is not told"


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--annul", 1, "--adjust", "gold.A", 3),
        ("--annul", 0),
        ("--annul", 10_000),
        ("--adjust", "gold.A", 5),
        ("--replace", 1, "no such word"),
        ("--adopt", "1"),
        ("--adopt", "9"),
    ],
)
def test_an_act_that_cannot_be_is_refused_and_nothing_is_written(
    record: Path, words: tuple[object, ...]
) -> None:
    before = record.read_bytes()
    if words[:1] == ("--adjust",):
        words = ("--adjust", "gold.A", 5_000)
    assert amend(record, *words).status == 2
    assert record.read_bytes() == before


def test_an_act_has_a_reason(record: Path) -> None:
    done = polemarque("amend", record, "--annul", 1)
    assert done.status == 2 and "--reason" in done.err


def test_a_finished_game_with_committed_dice_is_corrected_and_goes_on(tmp_path: Path) -> None:
    run = ("run", "toy", "long", "--dice", "committed", "--bots", "random", "--out", tmp_path)
    assert polemarque(*run).status == 0
    path = tmp_path / "game.json"
    at = number(path, "TOY-1")
    assert amend(path, "--replace", at, "storm").status == 0
    assert polemarque("run", "--resume", path).status == 0
    proof = prove(path.read_bytes())
    assert proof.holds and not proof.rolls["unshown"] and load(path).complete


def test_an_act_in_a_game_with_committed_dice_can_be_hidden_in_an_export(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play = ("play", "toy", "--seats", 2, "--dice", "committed", "--seat", "A=Alice", "--save", path)
    polemarque(*play, typist="owl\nquit\n")
    assert amend(path, "--adjust", "gold.A", 3).status == 0
    act = load(path, interrupted=True).entries[-1]
    assert isinstance(act, Adjust) and act.salt
    for reader in ("public", "seat:B"):
        out = tmp_path / f"{reader[:4]}.json"
        done = polemarque("export", path, "--for", reader, "--out", out)
        assert done.status == 0, done
        assert prove(out.read_bytes()).holds
    assert polemarque("play", "--resume", path, typist="quit\n").status == 0


def test_what_comes_and_goes_is_shown_with_a_dash(tmp_path: Path) -> None:
    given = ("atlantide", "--seats", 2, "--turns", 1, "--seed", 3, "--out", tmp_path)
    assert polemarque("run", *given).status == 0
    record = tmp_path / "game.json"
    at = number(record, "AT-1.4/places")
    done = polemarque("amend", record, "--annul", at, "--reason", "misheard", "--preview")
    assert done.status == 0 and " → —" in done.out


def test_what_changes_is_told_in_words_and_a_long_list_cut_short(tmp_path: Path) -> None:
    given = ("atlantide", "--seats", 2, "--turns", 1, "--seed", 3, "--out", tmp_path)
    assert polemarque("run", *given).status == 0
    record = tmp_path / "game.json"
    act = ("--annul", number(record, "AT-1.4/places"), "--preview")
    done = polemarque("amend", record, *act, "--reason", "misheard", "--lang", "en")
    everybody, *others = done.out.split(" changes.\n")
    assert everybody.startswith("Everybody: ") and "lands.m" not in done.out
    assert "  lands · " in others[0] and " · owner: " in others[0]
    assert others[0].count(" → ") == MOST and "  … and " in others[0]
    changes = msgspec.json.decode(amend(record, *act).out)["changes"]
    assert len(changes["A"]) > MOST, "the whole list is there as data"


def test_words_that_no_record_can_hold_are_refused(record: Path) -> None:
    before = record.read_bytes()
    at = number(record, "TOY-1")
    assert amend(record, "--annul", at, reason="\udcff").status == 2
    assert amend(record, "--replace", at, "[" * 100_000).status == 2
    assert amend(record, "--replace", at, "\udcff").status == 2
    assert record.read_bytes() == before


@pytest.mark.parametrize("name", ["loot", "loot/A", "gold"])
def test_a_name_that_is_none_is_told_its_form(tmp_path: Path, name: str) -> None:
    given = ("atlantide", "--seats", 2, "--turns", 1, "--seed", 3, "--out", tmp_path)
    assert polemarque("run", *given).status == 0
    done = amend(tmp_path / "game.json", "--adjust", name, 5)
    assert done.status == 2 and name in done.err and "loot.SEAT" in done.err


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    """A record in which a hundred archers have shot, and hit thirty times."""
    game = Game(new_header("archers"))
    game.enter(Answer(game.throws()[0].key, Counts((20, 10, 10, 10, 10, 40))))
    path = tmp_path / "archers.json"
    path.write_bytes(write_record(game.header, game.entries))
    return path


@pytest.mark.parametrize(
    ("typed", "hits"),
    [
        ("5x2 95x6", 5), ('{"of":[0,5,0,0,0,95]}', 5), (f"[{'1,' * 99}6]", 99),
        ("1" * 98 + "33", 98),
    ],
)  # fmt: skip
def test_a_long_roll_is_replaced_as_it_is_typed_or_as_a_record_has_it(
    shot: Path, typed: str, hits: int
) -> None:
    assert amend(shot, "--replace", 1, typed).status == 0
    game, _ = replayed(load(shot, interrupted=True))
    assert game.state.hits == hits


@pytest.mark.parametrize(
    "typed", ["5x2 94x6", "5x2 95x7", '{"of":[0,5]}', '{"of":"x"}', "[]", "{", "good", "6", "1.5"]
)
def test_a_long_roll_is_not_replaced_by_what_is_none(shot: Path, typed: str) -> None:
    before = shot.read_bytes()
    done = amend(shot, "--replace", 1, typed)
    assert done.status == 2 and "Traceback" not in done.err and shot.read_bytes() == before


# While another command writes --------------------------------------------------------------------


def begun(record: Path) -> Path:
    """The record, as a game that is still played."""
    game, _ = replayed(load(record), most=6)
    Journal(record, game.header, game.entries, sync=True).abandon()
    return record


def written_on(record: Path, whole: Record, *, anew: bool) -> None:
    """What another command writes: one entry more, into the same file or in its place."""
    entries = whole.entries[:7]
    if anew:
        Journal(record, whole.header, entries, sync=True).abandon()
    else:
        with record.open("ab") as file:
            file.write(write_entry(entries[-1], whole.header.version) + b",\n")


@pytest.mark.parametrize("anew", [True, False])
def test_what_another_command_writes_meanwhile_is_not_lost(
    record: Path, monkeypatch: pytest.MonkeyPatch, anew: bool
) -> None:
    whole, act = load(record), amend_module.enact

    def meanwhile(*words: Any) -> Effect:
        written_on(record, whole, anew=anew)
        return act(*words)

    monkeypatch.setattr(amend_module, "enact", meanwhile)
    done = amend(begun(record), "--annul", 1)
    assert done.status == 2 and "meanwhile" in done.err
    assert load(record, interrupted=True).entries == whole.entries[:7]


def test_nor_what_it_writes_as_the_file_gives_way(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, begin = load(record), records.new_journal

    def late(*words: Any, **more: Any) -> Journal:
        written_on(record, whole, anew=False)
        return begin(*words, **more)

    monkeypatch.setattr(records, "new_journal", late)
    done = amend(begun(record), "--annul", 1)
    assert done.status == 2 and "meanwhile" in done.err
    assert load(record, interrupted=True).entries == whole.entries[:7]


@pytest.mark.parametrize(("command", "module"), [("run", run_module), ("play", play_module)])
def test_who_goes_on_with_a_game_loses_nothing_of_what_another_writes_meanwhile(
    record: Path, monkeypatch: pytest.MonkeyPatch, command: str, module: Any
) -> None:
    whole, replay = load(record), module.replayed

    def meanwhile(*words: Any, **more: Any) -> object:
        written_on(record, whole, anew=True)
        return replay(*words, **more)

    monkeypatch.setattr(module, "replayed", meanwhile)
    done = polemarque(command, "--resume", begun(record))
    assert done.status == 2 and "meanwhile" in done.err
    assert load(record, interrupted=True).entries == whole.entries[:7]
