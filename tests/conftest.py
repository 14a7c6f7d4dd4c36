"""What all tests share: none is judged by the speed of the machine it runs on, nor by luck."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from unittest import mock

import pytest
from django.test.client import ClientHandler
from hypothesis import HealthCheck, settings

from polemarque.kernel.files import plugins
from tests import chance
from tests.web.served import PREPARED

settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

chance.fix("")

os.environ["NUMBA_DISABLE_JIT"] = "1"  # kernels run as they stand; one test compiles them

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A shell that runs the tests in its background has them ignore Ctrl-C, and what they start too.
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = (
    "test_three_turns_with_all_that_happens_in_them",
    "test_no_page_hinders_anybody",
    "test_no_acknowledged_answer_is_lost",
)
"""Tests of a minute."""

JOURNEYS = Path(__file__).parent / "web/journeys"


def pytest_configure(config: pytest.Config) -> None:
    """Give all workers one folder for the clubs that `tests.web.served` prepares."""
    if not hasattr(config, "workerinput"):
        os.environ[PREPARED] = tempfile.mkdtemp(prefix="polemarque-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove it."""
    if not hasattr(config, "workerinput") and PREPARED in os.environ:
        shutil.rmtree(os.environ.pop(PREPARED), ignore_errors=True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than cores: a worker waits for its browser and for what its servers write."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deal what is slow out to the workers, each file to one, in whatever order they were shuffled:
    each begins with journeys, which share browsers, and ends with the quick ones, which others take
    off its end.  No worker is left with a slow one at the end.
    """
    items.sort(key=_rank)
    workers: int = getattr(config, "workerinput", {"workercount": 1})["workercount"]
    first: list[list[pytest.Item]] = [[] for _ in range(workers)]
    slow = [item for item in items if _is_slow(item)]
    for number, (_, together) in enumerate(groupby(slow, _stays_with)):
        first[number % workers] += together
    quick = iter([item for item in items if not _is_slow(item)])
    dealt: list[pytest.Item] = []
    for number, theirs in enumerate(first, 1):
        dealt += theirs  # a worker is given the same number as any other, one after the other
        dealt += islice(quick, max(len(items) * number // workers - len(dealt), 0))
    items[:] = [*dealt, *quick]


def _rank(item: pytest.Item) -> tuple[bool, int]:
    longest = [item.name.startswith(name) for name in LONGEST]
    return not item.path.is_relative_to(JOURNEYS), [*longest, True].index(True)


def _is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None or item.path.is_relative_to(JOURNEYS)


def _stays_with(item: pytest.Item) -> object:
    return item.nodeid if item.name.startswith(LONGEST) else item.path


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let unseeded dice fall as the test's name has it."""
    chance.begin(item.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """No drawing of ours has failed: a list would stand in its place, and no test might see it."""
    failed = {name: found for name, found in plugins._MODULES.items() if found}
    ours = {name: plugins._MODULES.pop(name) for name in failed if name.startswith("polemarque.")}
    assert not ours


@pytest.fixture(scope="session", autouse=True)
def middleware_is_loaded_once() -> Iterator[None]:
    """Each of Django's test clients would load its own, and look through all static files again."""
    load, loaded = ClientHandler.load_middleware, ClientHandler()

    def once(handler: ClientHandler) -> None:
        if loaded._middleware_chain is None:
            load(loaded)
        handler._middleware_chain = loaded._middleware_chain

    with mock.patch.object(ClientHandler, "load_middleware", once):
        yield
