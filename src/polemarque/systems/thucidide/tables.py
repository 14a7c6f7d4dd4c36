"""The tables of the book, as data; each stands beside the rule that reads it."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from polemarque.api import Shelf

DATA = Path(__file__).parent / "data"
"""Tables, kinds of units, terrains, orders, scenarios and texts."""

TABLES = Shelf(DATA)
"""Every table of the system, found by its rule."""


@cache
def document(name: str) -> dict[str, Any]:
    """A data file that is no table, as plain data."""
    return tomllib.loads((DATA / name).read_text(encoding="utf-8"))
