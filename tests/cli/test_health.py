"""Commands on a club where there is none yet, and a server whose door is taken."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest


def run(*words: str, lang: str = "en", **told: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "polemarque", *words, "--lang", lang],
        capture_output=True, text=True, check=False, env={**os.environ, **told},
    )  # fmt: skip


@pytest.mark.parametrize("words", [["health"], ["password", "bob"], ["backup", "copy.sqlite3"]])
def test_a_club_that_is_not_there_is_refused_and_not_made(words: list[str], tmp_path: Path) -> None:
    data = tmp_path / "club"
    done = run(*words, "--data", str(data))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"There is no club in {data}" in done.stderr
    assert not data.exists()


def test_a_door_that_is_taken_is_told_before_anything_is_made(tmp_path: Path) -> None:
    data = tmp_path / "club"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port), "--data", str(data))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"127.0.0.1:{port} (it is taken already). " in done.stderr
    assert "Traceback" not in done.stderr and not data.exists()


def test_an_address_of_another_machine_is_told_too(tmp_path: Path) -> None:
    done = run("serve", "--host", "192.0.2.1", "--data", str(tmp_path / "club"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "192.0.2.1:8000 (" in done.stderr and "(while" not in done.stderr


@pytest.mark.parametrize(
    ("lang", "told", "words"),
    [("fr", {"POLEMARQUE_ADDRESS": "https://zoe:secret@cl ub"},
      "POLEMARQUE_ADDRESS (…@cl ub) n’est pas l’adresse d’un club. Par exemple"),
     ("en", {"POLEMARQUE_ADDRESS": "club", "POLEMARQUE_MAIL": "smtp://zoe:secret#1@mail"},
      "POLEMARQUE_MAIL cannot be read. For instance: smtp://name:password@host:587")],
)  # fmt: skip
def test_what_a_club_says_of_itself_and_cannot_be_is_told(
    lang: str, told: dict[str, str], words: str, tmp_path: Path
) -> None:
    data = tmp_path / "club"
    (tmp_path / "club").mkdir()
    (data / "polemarque.sqlite3").touch()
    done = run("health", "--data", str(data), lang=lang, **told)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr.replace("\u00a0", " ") and "secret" not in done.stderr


def test_a_copy_is_never_written_over(tmp_path: Path) -> None:
    data, copy = tmp_path / "club", tmp_path / "copy.sqlite3"
    data.mkdir()
    (data / "polemarque.sqlite3").touch()
    copy.write_text("mine")
    done = run("backup", str(copy), "--data", str(data))
    assert (done.returncode, done.stdout) == (2, "")
    assert "there already" in done.stderr and "--resume" not in done.stderr
    assert copy.read_text() == "mine"


def test_a_file_that_is_no_database_is_told_by_every_command(tmp_path: Path) -> None:
    data = tmp_path / "club"
    data.mkdir()
    (data / "polemarque.sqlite3").write_text("no database, but long enough" * 99)
    for words in (["health"], ["backup", str(tmp_path / "copy")]):
        done = run(*words, "--data", str(data), lang="fr")
        assert (done.returncode, done.stdout) == (2, ""), words
        assert "ce n’est pas une base de données" in done.stderr, words
        assert "Traceback" not in done.stderr and "not a database" not in done.stderr
