"""The small system of these tests is known to each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from polemarque.kernel.system import System
from tests.report import tale


@pytest.fixture
def spring() -> Iterator[System]:
    with tale.told_of() as system:
        yield system
