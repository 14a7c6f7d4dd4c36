"""Records on the disk: a full disk or a stop in the middle never spoils what is there."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque.cli.records import finish, load, new_journal
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.game import Game, new_header, opening
from polemarque.kernel.records.record import (
    Answer,
    Journal,
    TakenOver,
    read_entry,
    read_record,
    write_record,
)
from polemarque.kernel.request import Key
from tests.cli.desk import Typist, polemarque
from tests.kernel import toy

assert toy.TOY

HEADER = new_header("toy", seed=1)
ENTRIES = [Answer(Key(1, "", "TOY-1", seat), "wait") for seat in "ABC"]


class Full:
    """A file on a disk that fills up in the middle of a line."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.room = 10

    def write(self, more: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        done = self.file.write(more[: self.room])
        self.room = 0
        return int(done)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def test_a_full_disk_leaves_the_record_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    journal = Journal(path, HEADER, ENTRIES[:1], sync=True)
    before = path.read_bytes()
    journal._file = Full(journal._file)
    with pytest.raises(OSError, match="No space"):
        journal.add(ENTRIES[1])
    assert path.read_bytes() == before
    journal._file = journal._file.file
    for entry in ENTRIES[1:]:
        journal.add(entry)
    journal.close()
    assert path.read_bytes() == write_record(HEADER, ENTRIES)
    assert load(path).entries == tuple(ENTRIES)


def test_nothing_is_acknowledged_that_goes_into_a_file_put_aside(tmp_path: Path) -> None:
    """Another command, or a second `play --resume`, has written the game anew meanwhile."""
    path = tmp_path / "g.json"
    game = Game(HEADER)
    journal = new_journal(path, game, sync=True, replacing=False)
    other = Journal(path, HEADER, ENTRIES[:1], sync=True)
    before = path.read_bytes()
    with pytest.raises(NotAllowed) as caught:
        game.enter(ENTRIES[0])
    assert caught.value.code == "file.taken_over" and game.entries == []
    assert path.read_bytes() == before
    with pytest.raises(NotAllowed) as late:
        finish(journal, path)
    assert late.value.code == "file.taken_over" and path.read_bytes() == before
    journal.abandon()
    path.unlink()
    with pytest.raises(TakenOver):
        other.add(ENTRIES[1])
    other.abandon()


@pytest.mark.parametrize("sync", [True, False])
def test_what_is_acknowledged_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sync: bool
) -> None:
    forced: list[int] = []
    force = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (forced.append(os.fstat(fd).st_size), force(fd)))
    path = tmp_path / "g.json"
    journal = Journal(path, HEADER, ENTRIES[:1], sync=sync)
    assert forced == ([path.stat().st_size] if sync else [])
    journal.add(ENTRIES[1])
    assert forced[1:] == ([path.stat().st_size] if sync else [])
    journal.abandon()
    assert len(load(path, interrupted=True).entries) == 2


def test_a_disk_that_fills_up_ends_a_game_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "g.json"
    add = Journal.add

    def full(journal: Journal, entry: Any) -> None:
        if journal._count == 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        add(journal, entry)

    monkeypatch.setattr(Journal, "add", full)
    ran = polemarque("run", "toy", "--out", tmp_path / "out")
    assert ran.status == 2
    assert "the disk is full" in ran.err
    seats = ("--seat", "A=Alice", "--bots", "random")
    player = Typist(path, {"Alice": "A"}, 6)
    played = polemarque("play", "toy", "--seats", 2, *seats, "--save", path, typist=player)
    assert "the disk is full" in played.out + played.err
    assert len(load(path, interrupted=True).entries) == 4
    monkeypatch.undo()
    again = polemarque("play", "--resume", path, typist=Typist(path, {"Alice": "A"}))
    assert again.status == 0
    assert polemarque("run", "--resume", tmp_path / "out" / "game.json").status == 0


def test_bytes_that_are_no_text_are_not_understood() -> None:
    with pytest.raises(NotUnderstood):
        read_entry(b'[1,"TOY-1","A","w\xc8it"]')
    with pytest.raises(NotUnderstood):
        read_record(b'{"polemarque":1,"game":{"system":"t\xc8y"},"entries":[\n')


@pytest.mark.parametrize("edition", ["0", "2", "", "~"])
def test_only_known_editions_open(edition: str) -> None:
    with pytest.raises(OutOfDate, match=r"record\.edition"):
        opening(msgspec.structs.replace(HEADER, edition=edition))
    assert opening(HEADER)


def test_what_a_source_says_is_not_entered() -> None:
    game = Game(new_header("toy", seats=2, seed=3))
    for seat, value in (("A", "storm"), ("B", "wait"), ("A", "cry"), ("A", 0)):
        game.answer(seat, value)
    (throw,) = game.throws()
    said = game.rolled(throw)
    assert len(game.entries) == 4
    game.settle()
    assert game.entries[4] == said


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = polemarque("run", "toy", "--out", tmp_path / "file" / "below")
    assert done.status == 2
    assert len(done.err.splitlines()) == 1


SHORT = ("atlantide", "--seats", 2, "--seed", 3, "--turns", 1, "--bots", "random")


def test_papers_of_a_cut_record_say_so_beside_them(tmp_path):
    whole = tmp_path / "game.json"
    assert polemarque("run", *SHORT, "--out", tmp_path / "out").status == 0
    raw = (tmp_path / "out" / "game.json").read_bytes()
    lines = raw.splitlines(keepends=True)
    entries = len(lines) - 2
    whole.write_bytes(raw)
    cut, half = tmp_path / "cut.json", tmp_path / "half.json"
    cut.write_bytes(b"".join(lines[:-1]))
    half.write_bytes(b"".join(lines[:-2]) + lines[-2][:9])
    for command in ("chronicle", "sheet", "luck"):
        assert polemarque(command, whole).err == ""
        for path, left in ((cut, entries), (half, entries - 1)):
            done = polemarque(command, path)
            assert (done.status, done.err.count("\n")) == (0, 1) and done.out
            assert path.name in done.err and str(left) in done.err
        in_french = polemarque(command, cut, "--lang", "fr").err
        assert in_french.startswith("cut.json n’a pas de dernière ligne")


@pytest.fixture
def usual_mask() -> Iterator[None]:
    """What most machines let others read."""
    mask = os.umask(0o022)
    yield
    os.umask(mask)


@pytest.mark.usefixtures("usual_mask")
def test_what_holds_secrets_is_for_its_owner_alone(tmp_path: Path) -> None:
    played, ran = tmp_path / "game.json", tmp_path / "run"
    polemarque("play", "toy", "--seats", 2, "--save", played, typist="quit\n")
    assert polemarque("run", "batailles", "--dice", "committed", "--out", ran).status == 0
    record = ran / "game.json"
    for reader in ("umpire", "A", "public"):
        export = tmp_path / f"{reader}.json"
        assert polemarque("export", record, "--for", reader, "--out", export).status == 0
        paper = tmp_path / f"{reader}.txt"
        assert polemarque("chronicle", record, "--for", reader, "--out", paper).status == 0
    found = {
        str(path.relative_to(tmp_path)): stat.S_IMODE(path.stat().st_mode)
        for path in tmp_path.rglob("*.*")
        if path.is_file()
    }
    assert {"game.json", "run/game.json", "A.json", "A.txt", "umpire.txt"} <= found.keys()
    assert found.pop("public.txt") == 0o644, "to be shown to everybody"
    assert set(found.values()) == {0o600}, found
    played.chmod(0o644)  # as an older program wrote it
    polemarque("play", "--resume", played, typist="quit\n")
    assert stat.S_IMODE(played.stat().st_mode) == 0o600
