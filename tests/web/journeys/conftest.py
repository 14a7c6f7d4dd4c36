"""Browsers for all journeys and a club for each; at its end no page may have complained."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright

from tests.web.journeys.browsers import BROWSERS, Window, a_driver, launched
from tests.web.served import Server

BOTH = pytest.mark.parametrize("browser", BROWSERS, indirect=True)
"""The mark of a journey that is made in each browser."""

Open = Callable[..., Window]
"""(server, language, **of the context) -> a window, closed when the test ends."""

HERE = Path(__file__).parent

FIRST = "test_a_turn_on_a_phone"
"""The journey that is made in the daily lane too."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every journey but the first is slow."""
    for item in items:
        if item.path.is_relative_to(HERE) and item.name != FIRST:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="package")
def driver() -> Iterator[Playwright]:
    """Ended after the last journey: Django's own tests run in no such loop."""
    with a_driver() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browsers(driver: Playwright) -> Iterator[Callable[[str], Browser]]:
    """The browsers of all journeys by their kind, each started when one is first made in it."""
    found: dict[str, Browser] = {}

    def of(kind: str) -> Browser:
        if kind not in found:
            found[kind] = launched(driver, kind)
        return found[kind]

    yield of
    for each in found.values():
        each.close()


@pytest.fixture
def browser(request: pytest.FixtureRequest, browsers: Callable[[str], Browser]) -> Browser:
    return browsers(getattr(request, "param", BROWSERS[0]))


@pytest.fixture
def open_window(browser: Browser) -> Iterator[Open]:
    windows: list[Window] = []

    def opened(server: Server, lang: str, **more: Any) -> Window:
        windows.append(Window(browser, server, lang, **more))
        return windows[-1]

    yield opened
    faults = [fault for window in windows for fault in window.faults]
    for window in windows:
        window.context.close()
    assert not faults, "\n".join(faults)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Server]:
    """A server on a folder that is still empty; the test starts it when it has filled it."""
    server = Server(tmp_path, "--no-demo")
    yield server
    server.end()
