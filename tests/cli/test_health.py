"""Commands on a club where there is none yet, and what a server says before it opens."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests import forked
from tests.web.served import RUN, Server, fill, free_port, serving


def run(*words: str, lang: str = "en", **told: str) -> subprocess.CompletedProcess[str]:
    return forked.run(RUN, *words, "--lang", lang, env={**os.environ, **told})


@pytest.mark.parametrize(
    "words", [["health"], ["tick"], ["password", "bob"], ["backup", "copy.sqlite3"]]
)
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


OLD = (
    "import sys; from pathlib import Path; from polemarque.web.server import prepare;"
    " prepare(Path(sys.argv[1])); from django.core.management import call_command;"
    " call_command('migrate', 'club', '0001', verbosity=0)"
)
"""The club of an older program, whose tables end with the first migration."""


@pytest.fixture(scope="module")
def old_club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once, to be copied."""
    data = tmp_path_factory.mktemp("old")
    assert forked.run(OLD, str(data), env=os.environ).returncode == 0
    return data


def tables(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as there:
        return {name for (name,) in there.execute("SELECT name FROM sqlite_master")}


@pytest.mark.slow
def test_a_club_is_kept_as_it_was_before_its_tables_change(tmp_path: Path, old_club: Path) -> None:
    shutil.copytree(old_club, tmp_path, dirs_exist_ok=True)
    database = tmp_path / "polemarque.sqlite3"
    before = tables(database)
    with serving(tmp_path, "--no-demo", "--lang", "en") as server:
        (copy,) = tmp_path.glob("polemarque-*.sqlite3")
        assert f"A copy of the club as it was: {copy}" in server.log.read_text()
    assert copy.stat().st_mode & 0o777 == 0o600
    assert tables(copy) == before < tables(database)
    with serving(tmp_path, "--no-demo", "--lang", "en") as server:
        assert server.log.read_text().count("A copy of the club") == 1
    assert [*tmp_path.glob("polemarque-*.sqlite3")] == [copy]


@pytest.mark.slow
def test_starts_that_fail_leave_no_further_copy_of_what_is_the_same(
    tmp_path: Path, old_club: Path
) -> None:
    shutil.copytree(old_club, tmp_path, dirs_exist_ok=True)
    with closing(sqlite3.connect(tmp_path / "polemarque.sqlite3")) as there:
        there.execute("CREATE TABLE club_typeddice (mine)")  # where a later migration makes one
    left = []
    for _ in range(3):
        done = run("serve", "--no-demo", "--port", str(free_port()), "--data", str(tmp_path))
        assert done.returncode and "A copy of the club as it was" in done.stderr
        left.append(sorted(tmp_path.glob("polemarque-*")))
    assert 1 <= len(left[0]) <= len(left[1]) <= 2, "the first may change some tables"
    assert left[2] == left[1], "then nothing changes any more"
    (told,) = [path for path in left[2] if str(path) in done.stderr]
    assert tables(told) == tables(tmp_path / "polemarque.sqlite3")


@pytest.mark.slow
def test_two_starts_within_one_second_leave_a_copy_each(tmp_path: Path, old_club: Path) -> None:
    shutil.copytree(old_club, tmp_path, dirs_exist_ok=True)
    for second in range(60):
        taken = datetime.now(UTC) + timedelta(seconds=second)
        (tmp_path / f"polemarque-{taken:%Y-%m-%d-%H%M%S}.sqlite3").touch()
    with serving(tmp_path, "--no-demo", "--lang", "en") as server:
        assert "A copy of the club as it was" in server.log.read_text()
    assert len([*tmp_path.glob("polemarque-*.sqlite3")]) == 61


@pytest.mark.slow
def test_a_new_club_leaves_no_copy_and_mail_without_an_address_is_told(tmp_path: Path) -> None:
    server = Server(tmp_path, "--no-demo", "--lang", "fr")
    server.told = {"POLEMARQUE_MAIL": "console"}
    try:
        server.start()
        assert "Aucun courriel ne part" in server.log.read_text()
        server.end()
        server.told["POLEMARQUE_ADDRESS"] = "http://localhost"
        server.start()
        assert server.log.read_text().count("Aucun courriel ne part") == 1
    finally:
        server.end()
    assert not [*tmp_path.glob("polemarque-*.sqlite3")]


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "words"), [("fr", "est déjà servi"), ("en", "is served already")])
def test_a_folder_has_one_server(tmp_path: Path, lang: str, words: str) -> None:
    fill(tmp_path)
    server = Server(tmp_path, "--no-demo")
    try:
        server.start()
        done = run("serve", "--port", str(free_port()), "--data", str(tmp_path), lang=lang)
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr and "Traceback" not in done.stderr
        server.kill()
        server.start()
    finally:
        server.end()


def test_a_folder_that_cannot_be_written_is_not_served(tmp_path: Path) -> None:
    (tmp_path / "serve.lock").mkdir()  # whoever runs the tests may write everywhere
    done = run("serve", "--port", str(free_port()), "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"“{tmp_path}” cannot be written" in done.stderr and "Traceback" not in done.stderr


def test_a_folder_without_room_is_not_served(tmp_path: Path) -> None:
    fill(tmp_path)
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 15, 1 << 15));"
    words = ("serve", "--no-demo", "--lang", "en", "--port", str(free_port()))
    done = forked.run(f"{limit} {RUN}", *words, "--data", str(tmp_path), env=os.environ)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no room left on the disk" in done.stderr and "Traceback" not in done.stderr
