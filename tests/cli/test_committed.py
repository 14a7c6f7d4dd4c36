"""Committed dice from the command line: played, resumed, proved; what is planted is named."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from random import Random

import msgspec
import pytest

from polemarque.cli.records import keep_seeds, load, replayed, seeds_file
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.commitment import Chains, committed_header
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import Answer, Entry, Journal, Shown, Word, write_record
from polemarque.kernel.request import DICE
from tests.cli.desk import polemarque

SECRETS = {owner: f"secret of {owner}".encode() for owner in ("", "A", "B", "C", "D", "umpire")}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("committed")
    long = folder / "long.toml"
    long.write_text("seats = 4\ndays = 15\n")
    done = polemarque(
        "run", "toy", long, "--dice", "committed", "--bots", "random", "--out", folder
    )
    assert done.status == 0, done
    return folder / "game.json"


def test_a_game_with_committed_dice_is_played_and_every_die_proved(record: Path) -> None:
    done = polemarque("verify", record, "--json")
    said = msgspec.json.decode(done.out)
    assert done.status == 0 and said["holds"]
    rolls = said["rolls"]
    assert rolls["proved"] == sum(e.key.seat == DICE for e in load(record).entries
                                  if isinstance(e, Answer)) > 3  # fmt: skip
    assert not rolls["unshown"] and not rolls["false"]
    header, entries = load(record).header, load(record).entries
    assert header.dice == "committed" and len(header.anchors) == 5 and not header.seed
    assert [type(entry) for entry in entries[:4]] == [Word] * 4
    assert [e.period for e in entries if isinstance(e, Shown) and not e.seat] == [*range(1, 16)]


@pytest.mark.parametrize("system", ["atlantide", "batailles"])
def test_the_systems_are_played_with_committed_dice(system: str, tmp_path: Path) -> None:
    turns = ("--turns", 3) if system == "atlantide" else ()
    done = polemarque("run", system, *turns, "--dice", "committed", "--out", tmp_path)
    assert done.status == 0, done
    proof = prove((tmp_path / "game.json").read_bytes())
    assert proof.holds and proof.rolls["proved"] > 3


def test_a_seed_does_not_go_with_committed_dice(tmp_path: Path) -> None:
    done = polemarque("run", "toy", "--dice", "committed", "--seed", 3, "--out", tmp_path)
    assert done.status == 2 and "--seed" in done.err


# A game that goes on -----------------------------------------------------------------------------


def begun(path: Path, day: int = 3, *, seeds: bool = True) -> Game:
    """A game left in the middle, its seeds beside it."""
    chains = Chains(SECRETS)
    header = committed_header(new_header("toy", scenario="long"), chains)
    game = Game(header)
    journal = Journal(path, header, sync=False)
    game.journal = journal.add
    game.hold(chains)
    rng = Random(5)
    for seat in header.seats:
        game.enter(Word(seat, f"word of {seat}"))
    game.settle()
    while game.state.day < day:
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
    journal.abandon()
    game.journal = None
    if seeds:
        seeds_file(path).write_bytes(msgspec.json.encode({o: s.hex() for o, s in SECRETS.items()}))
    return game


def test_an_interrupted_game_goes_on_with_its_seeds(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    game = begun(path)
    assert polemarque("run", "--resume", path).status == 0
    assert prove(path.read_bytes()).holds
    assert load(path).entries[: len(game.entries)] == tuple(game.entries)


def test_without_its_seeds_it_does_not_go_on(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    begun(path, seeds=False)
    for command in ("run", "play"):
        done = polemarque(command, "--resume", path)
        assert done.status == 2 and "seeds" in done.err
    for wrong in (b"{}", b"[]", b'{"":"zz"}'):
        seeds_file(path).write_bytes(wrong)
        assert polemarque("run", "--resume", path).status == 2


def test_dice_whose_seed_is_not_shown_yet_are_said_to_be_so(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    game = begun(path)
    while not any(e.key.outer_period == 3 and e.key.seat == DICE for e in game.effective):
        request = game.requests()[0]
        seat = request.missing[0]
        word = "storm" if request.rule == "TOY-1" else request.absent(seat)
        game.answer(seat, word, request.keys[seat])
        game.settle()
    path.write_bytes(game.record)
    proof = prove(path.read_bytes())
    assert proof.holds and proof.over is False and proof.rolls["proved"] and proof.rolls["unshown"]
    assert "not checkable yet" in polemarque("verify", path).out


def test_people_give_their_words_and_keep_receipts(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    lines = ["owl", "storm", "quit"]
    done = polemarque(
        "play", "toy", "--seats", 2, "--dice", "committed", "--seat", "A=Alice", "--save", path,
        typist="\n".join(lines) + "\n",
    )  # fmt: skip
    assert "your word for the dice" in done.out and "Receipt" in done.out
    game, _ = replayed(load(path, interrupted=True))
    assert game.commitment.words["A"] == "owl" and len(game.commitment.words["B"]) == 16
    assert stat.S_IMODE(seeds_file(path).stat().st_mode) == 0o600
    (receipt,) = (tmp_path / "game.receipts").iterdir()
    assert polemarque("verify", path, "--receipt", receipt).status == 0
    done = polemarque("play", "--resume", path, typist="quit\n")
    assert done.status == 0 and "your word" not in done.out


@pytest.mark.parametrize("left", [False, True])
def test_seeds_are_their_owners_alone_from_the_first_byte_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: bool
) -> None:
    path = tmp_path / "game.json"
    scratch = tmp_path / "game.seeds.json.new"
    seen: list[tuple[int, bytes]] = []

    def on_the_disk(number: int) -> None:
        seen.append((stat.S_IMODE(os.fstat(number).st_mode), scratch.read_bytes()))
        raise KeyboardInterrupt

    if left:
        scratch.write_bytes(b"left in the middle, for all to read")
    umask = os.umask(0o022)
    monkeypatch.setattr(os, "fsync", on_the_disk)
    try:
        with pytest.raises(KeyboardInterrupt):
            keep_seeds(path, Chains(SECRETS))
    finally:
        os.umask(umask)
    ((mode, held),) = seen
    assert mode == 0o600 and SECRETS["A"].hex().encode() in held, "synced, and hidden by then"
    assert not seeds_file(path).exists()
    monkeypatch.undo()
    keep_seeds(path, Chains(SECRETS))
    assert stat.S_IMODE(seeds_file(path).stat().st_mode) == 0o600 and not scratch.exists()


def test_an_umpire_who_plays_is_known_by_his_name(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    seats = ("--seat", "A=Alice", "--seat", "B=Zoe", "--seat", "umpire=Zoe")
    polemarque("play", "toy", "--seats", 2, "--dice", "committed", *seats, "--save", path,
               typist="\nbull\n\nowl\nquit\n")  # fmt: skip
    record = load(path, interrupted=True)
    assert record.header.umpire == "B"
    assert [e.seat for e in record.entries if isinstance(e, Word)] == ["B", "A"]


# What is planted is named ------------------------------------------------------------------------


def forged(record: Path, path: Path, change: dict[int, Entry]) -> int:
    """The record with some entries replaced and its chain made right again."""
    whole = load(record)
    entries = [change.get(n, entry) for n, entry in enumerate(whole.entries)]
    path.write_bytes(write_record(whole.header, entries))
    return min(change) + 1


def numbered(record: Path, kind: type[Entry]) -> list[tuple[int, Entry]]:
    return [(n, e) for n, e in enumerate(load(record).entries) if isinstance(e, kind)]


def test_an_altered_byte_is_named(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    lines = record.read_bytes().split(b"\n")
    for at, entry in numbered(record, Answer):
        if entry.key.seat != DICE or entry.salt:  # of a salt nothing follows but the chain
            continue
        line = lines[at + 1]
        other = b"1" if line[-4:-3] != b"1" else b"2"
        path.write_bytes(record.read_bytes().replace(line, line[:-4] + other + line[-3:], 1))
        done = polemarque("verify", path, "--json")
        assert done.status == 1 and msgspec.json.decode(done.out)["altered"] == at + 1, line
        break


def test_a_forged_die_is_named(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    at, entry = next((n, e) for n, e in numbered(record, Answer) if e.key.seat == DICE)
    die = msgspec.structs.replace(entry, value=(entry.value[0] % 6 + 1,))
    forged(record, path, {at: die})
    assert prove(path.read_bytes()).altered == at + 1


def test_a_swapped_seed_is_named(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    (one, first), (two, second) = numbered(record, Shown)[:2]
    swapped = {
        one: Shown(first.period, second.seed), two: Shown(second.period, first.seed)
    }  # fmt: skip
    at = forged(record, path, swapped)
    done = polemarque("verify", path, "--json")
    said = msgspec.json.decode(done.out)
    assert done.status == 1 and said["altered"] == at
    assert f"period {first.period}" in said["reason"]


def test_a_seats_own_seed_that_is_false_is_named(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    at, shown = next((n, s) for n, s in numbered(record, Shown) if s.seat == "B")
    forged(record, path, {at: msgspec.structs.replace(shown, seed=hashlib.sha256().hexdigest())})
    assert prove(path.read_bytes()).altered == at + 1


def test_a_replaced_word_is_named(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    at, word = numbered(record, Word)[2]
    forged(record, path, {at: Word(word.seat, "another word")})
    done = polemarque("verify", path, "--json")
    said = msgspec.json.decode(done.out)
    assert done.status == 1
    assert said["altered"] == 1 and "1, 2, 3, 4" in said["reason"], "one of the four words"


def test_a_word_replaced_later_is_named_alone(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    game = begun(path)
    game.enter(Word("C", "a new one"))
    at = len(game.entries)
    rng = Random(1)
    while not game.over:
        request = game.requests()[0]
        seat = request.missing[0]
        value = "storm" if request.rule == "TOY-1" else request.options(seat).sample(rng)
        game.answer(seat, value, request.keys[seat])
        game.settle()
    whole = tmp_path / "whole.json"
    whole.write_bytes(write_record(game.header, game.entries))
    assert prove(whole.read_bytes()).holds
    forged(whole, path, {at - 1: Word("C", "not what he said")})
    proof = prove(path.read_bytes())
    assert proof.altered == at and proof.reason.part == str(at)


def test_salts_that_were_changed_are_seen(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    sealed = {n: e for n, e in numbered(record, Answer) if e.salt}
    forged(record, path, {n: msgspec.structs.replace(e, salt="00") for n, e in sealed.items()})
    assert not prove(path.read_bytes()).holds
