"""A browser and a club for each journey; at its end no page may have complained."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.journeys.browsers import Window, chromium
from tests.web.served import Server

Open = Callable[..., Window]
"""(server, language, **of the context) -> a window, closed when the test ends."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the journeys of a module: Django's own tests run in no such loop."""
    with chromium() as found:
        yield found


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
