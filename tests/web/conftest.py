"""Every test begins with nothing in memory: another test's campaigns had the same numbers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from polemarque.club import tables


@pytest.fixture(autouse=True)
def nothing_in_memory() -> Iterator[None]:
    tables._tables.clear()
    yield
    tables._tables.clear()
