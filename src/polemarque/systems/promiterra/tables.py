"""The tables of the book, as data; each stands beside the rule that reads it."""

from __future__ import annotations

from pathlib import Path

from polemarque.api import Shelf

DATA = Path(__file__).parent / "data"
"""Tables, army lists, scenarios and texts."""

TABLES = Shelf(DATA)
"""Every table of the system, found by its rule."""
