"""Every test begins with nothing in memory: another test's campaigns had the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import pytest
from django.core.cache import cache

from polemarque.club.campaigns import bot_processes, session
from polemarque.club.trust import dice_odds, verify_upload
from polemarque.kernel.errors import Refusal
from tests.club.thinking import AtOnce


@pytest.fixture(autouse=True)
def nothing_in_memory() -> Iterator[None]:
    session._tables.clear()
    cache.clear()  # of how often each address has asked for something
    yield
    session._tables.clear()


@pytest.fixture(autouse=True)
def programs_think_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_processes, "quick", AtOnce)
    monkeypatch.setattr(bot_processes, "patient", AtOnce)


@pytest.fixture(autouse=True)
def proofs_and_odds_are_worked_out_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process apart would load all systems for each; test_odds.py and test_trust.py have one."""

    def here(what: str, work: Callable[..., Any], *given: Any, limit: float) -> Any:
        answer = _worked_out(work, *given)
        if isinstance(answer, Refusal):
            raise answer
        return answer

    monkeypatch.setattr(dice_odds, "by_itself", here)
    monkeypatch.setattr(verify_upload, "apart", here)


@lru_cache(maxsize=8)
def _worked_out(work: Callable[..., Any], *given: Any) -> Any:
    return work(*given)


@pytest.fixture(autouse=True)
def odds_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take its time; that a page does not wait has its own test."""
    monkeypatch.setattr(dice_odds, "AT_ONCE", 200)
