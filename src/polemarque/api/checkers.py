"""Checkers of your own kinds of map and list: each fault with its file, line and place.

A class says which tables and fields a file has; `Forms` finds what is missing, unknown, of another
kind, or used twice.  `MapChecker` knows besides that places border on each other.
"""

from __future__ import annotations

from polemarque.maps.board_checks import board_faults
from polemarque.maps.province_checks import MapChecker, content_faults, examined
from polemarque.maps.table_schema import Forms, Row, Steps, held

__all__ = [
    "Forms",
    "MapChecker",
    "Row",
    "Steps",
    "board_faults",
    "content_faults",
    "examined",
    "held",
]
