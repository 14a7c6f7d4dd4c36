"""The file of the club: copied, and put back where nothing else has been left."""

from __future__ import annotations

import errno
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from polemarque.cli.common import TEXTS
from polemarque.club.server.backup import (
    OF_DATABASE,
    OF_SYSTEM,
    check_copy,
    copy_of,
    put_back,
    reason_for,
)
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.files.texts import Catalogue
from polemarque.odds.wording import refusal_text
from polemarque.report.game_words import SHARED


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


# What is wrong, in the reader's words ------------------------------------------------------------


def told(refused: Any, lang: str = "fr") -> str:
    return refusal_text(catalogue(), lang, refused.value)


def catalogue() -> Catalogue:
    return Catalogue.load(*SHARED, *TEXTS)


def broken(path: Path, *, page: int) -> Path:
    """A database of which a page is written over."""
    database(path, *["x" * 400] * 400)
    with path.open("r+b") as file:
        file.seek(page * 4096)
        file.write(b"\xff" * 4096)
    return path


def test_what_is_no_sound_copy_is_told_in_french(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no database, and long enough to be looked at as one" * 30)
    stranger = tmp_path / "stranger"
    with closing(sqlite3.connect(stranger)) as made:
        made.execute("CREATE TABLE recipes (line)")
    for file, words in (
        (text, "ce n’est pas une base de données."),
        (stranger, "c’est une base de données, mais pas celle d’un club."),
        (tmp_path / "nothing", "il n’y a pas de tel fichier."),
        (broken(tmp_path / "broken", page=5), "le fichier est abîmé ("),
    ):
        with pytest.raises(NotUnderstood) as refused:
            check_copy(file)
        assert words in told(refused), told(refused)


def test_a_place_where_nothing_can_be_written_is_told_too(tmp_path: Path) -> None:
    club = database(tmp_path / "club", "one")
    with pytest.raises(NotAllowed) as refused:
        copy_of(club, tmp_path / "nowhere" / "copy")
    assert told(refused).endswith("il n’y a pas de tel fichier.")
    with pytest.raises(NotUnderstood) as none:
        copy_of(tmp_path / "none", tmp_path / "copy")
    assert "il n’y a pas de tel fichier" in told(none)


def test_a_copy_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    club = tmp_path / "club"
    club.write_text("no database, and long enough to be looked at as one" * 30)
    with pytest.raises(NotAllowed):
        copy_of(club, tmp_path / "copy")
    assert [*tmp_path.iterdir()] == [club]


def test_a_database_that_another_holds_is_said_to_be_held(tmp_path: Path) -> None:
    club = database(tmp_path / "club", "one")
    with closing(sqlite3.connect(club)) as holder, closing(sqlite3.connect(club)) as other:
        holder.execute("BEGIN EXCLUSIVE")
        other.execute("PRAGMA busy_timeout = 0")
        with pytest.raises(sqlite3.OperationalError) as fault:
            other.execute("SELECT line FROM club_entry").fetchall()
    assert reason_for(fault.value) == {"reason": "locked", "original": ""}


def test_so_are_a_full_disk_and_one_that_can_only_be_read(tmp_path: Path) -> None:
    assert reason_for(OSError(errno.ENOSPC, "No space left on device"))["reason"] == "full"
    club = database(tmp_path / "club", "one")
    only = sqlite3.connect(f"{club.as_uri()}?mode=ro", uri=True)
    with closing(only), pytest.raises(sqlite3.OperationalError) as fault:
        only.execute("DELETE FROM club_entry")
    assert reason_for(fault.value) == {"reason": "read_only", "original": ""}
    with closing(sqlite3.connect(club)) as small:
        small.execute("PRAGMA max_page_count = 2")
        with pytest.raises(sqlite3.OperationalError) as full:
            small.executemany("INSERT INTO club_entry VALUES (?)", [("x" * 4000,)] * 9)
    assert reason_for(full.value) == {"reason": "full", "original": ""}


@pytest.mark.parametrize(("lang", "things"), [("fr", "disque|fichier"), ("en", "disk|file")])
@pytest.mark.parametrize("word", ["full", "read_only", "denied", "locked", "damaged"])
def test_why_nothing_can_be_kept_is_told_of_a_thing_by_its_name(
    word: str, lang: str, things: str
) -> None:
    """A reason stands after several sentences: a pronoun would mean another thing in each."""
    why = catalogue().say(lang, "health.unkept", part=word).partition(":")[2]
    assert re.search(rf"\b({things})\b", why), why
    assert not re.match(r"\s*(elle|il|on|it)\b", why), why


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_reason_has_its_words(lang: str) -> None:
    for word in {*OF_DATABASE.values(), *OF_SYSTEM.values(), "foreign", "other"}:
        assert catalogue().has(lang, f"backup.why.{word}")


def test_what_we_have_no_words_for_is_told_in_the_original() -> None:
    fault = sqlite3.OperationalError("quite odd")
    assert reason_for(fault) == {"reason": "other", "original": "quite odd"}
