"""Every test begins with nothing in memory: another test's campaigns had the same numbers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connections
from pytest_django.plugin import DjangoDbBlocker

from polemarque.club.campaigns import bot_processes, session
from tests.club.thinking import AtOnce


@pytest.fixture(autouse=True)
def nothing_in_memory() -> Iterator[None]:
    session._tables.clear()
    yield
    session._tables.clear()


@contextmanager
def kept_in(file: Path, blocker: DjangoDbBlocker) -> Iterator[None]:
    with blocker.unblock():
        in_memory, settings = connections["default"], connections.settings["default"]
        del connections["default"]
        name, settings["NAME"] = settings["NAME"], file
        yield
        connections.close_all()
        settings["NAME"] = name
        connections["default"] = in_memory


@pytest.fixture(scope="session")
def empty_club(
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Path:
    """The database of a new club, made once, to be copied."""
    file = tmp_path_factory.mktemp("empty") / "club.sqlite3"
    with kept_in(file, django_db_blocker):
        call_command("migrate", verbosity=0)
    return file


@pytest.fixture
def on_the_disk(
    tmp_path: Path, empty_club: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """A database as a club has it: one in memory knows no waiting for each other."""
    with kept_in(shutil.copy(empty_club, tmp_path), django_db_blocker):
        yield


@pytest.fixture(autouse=True)
def programs_think_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_processes, "quick", AtOnce)
    monkeypatch.setattr(bot_processes, "patient", AtOnce)
