"""The file of the club: copied, and put back where nothing else has been left."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from polemarque.club.keeping import copy_of, put_back
from polemarque.kernel.errors import NotAllowed


def database(path: Path, *lines: str) -> Path:
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE club_entry (line)")
        made.executemany("INSERT INTO club_entry VALUES (?)", [(line,) for line in lines])
        made.commit()
    return path


def entries(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as there:
        return [line for (line,) in there.execute("SELECT line FROM club_entry")]


def test_a_copy_is_for_its_owner_alone_and_can_be_put_back(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy_of(database(tmp_path / "club", "one"), copy)
    assert copy.stat().st_mode & 0o077 == 0
    put_back(copy, tmp_path / "again")
    assert entries(tmp_path / "again") == ["one"]


@pytest.mark.parametrize("beside", ["", "-wal", "-shm", "-journal"])
def test_nothing_is_put_beside_what_another_left_behind(tmp_path: Path, beside: str) -> None:
    copy = database(tmp_path / "copy", "one")
    left = tmp_path / f"club{beside}"
    left.write_bytes(b"left behind")
    with pytest.raises(NotAllowed) as refused:
        put_back(copy, tmp_path / "club")
    assert str(left) in str(refused.value.part)
    assert left.read_bytes() == b"left behind"
    assert (tmp_path / "club").exists() == (not beside)
