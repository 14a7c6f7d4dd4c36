"""Every test begins with nothing in memory: another test's campaigns had the same numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connections
from pytest_django.plugin import DjangoDbBlocker

from polemarque.club import tables, thinkers
from tests.club.thinking import AtOnce


@pytest.fixture(autouse=True)
def nothing_in_memory() -> Iterator[None]:
    tables._tables.clear()
    yield
    tables._tables.clear()


@pytest.fixture
def on_the_disk(
    tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """A database as a club has it: one in memory knows no waiting for each other."""
    with django_db_blocker.unblock():
        in_memory, settings = connections["default"], connections.settings["default"]
        del connections["default"]
        name, settings["NAME"] = settings["NAME"], tmp_path / "club.sqlite3"
        call_command("migrate", verbosity=0)
        yield
        connections.close_all()
        settings["NAME"] = name
        connections["default"] = in_memory


@pytest.fixture(autouse=True)
def programs_think_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "quick", AtOnce)
    monkeypatch.setattr(thinkers, "patient", AtOnce)
