"""What all tests share: none is judged by the speed of the machine it runs on, nor by luck."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

from tests import chance

settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

chance.fix("")

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A shell that runs the tests in its background has them ignore Ctrl-C, and what they start too.
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = ("test_three_turns_with_all_that_happens_in_them", "test_no_acknowledged_answer_is_lost")
"""Tests of several minutes: begun first, so that no worker is left with one at the end."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest first, whatever order the others were shuffled into."""
    items.sort(key=lambda item: not item.name.startswith(LONGEST))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let unseeded dice fall as the test's name has it."""
    chance.begin(item.nodeid)
