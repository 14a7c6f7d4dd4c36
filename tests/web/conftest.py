"""Every test begins with nothing in memory: another test's campaigns had the same numbers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from polemarque.club import chances, tables, thinkers
from tests.club.thinking import AtOnce


@pytest.fixture(autouse=True)
def nothing_in_memory() -> Iterator[None]:
    tables._tables.clear()
    cache.clear()  # of how often each address has asked for something
    yield
    tables._tables.clear()


@pytest.fixture(autouse=True)
def programs_think_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "quick", AtOnce)
    monkeypatch.setattr(thinkers, "patient", AtOnce)


@pytest.fixture(autouse=True)
def odds_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take its time; that a page does not wait has its own test."""
    monkeypatch.setattr(chances, "AT_ONCE", 200)
