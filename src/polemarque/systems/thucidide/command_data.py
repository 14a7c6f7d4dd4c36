"""The figures of command, movement and victory as the rules read them, from data/frame.toml."""

from __future__ import annotations

import msgspec

from polemarque.api import convert
from polemarque.systems.thucidide.tables import document


class Leaders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hexes a lone leader moves (TH-F8), and units for each leader of a rank (TH-1.4)."""

    moves: int
    sub_general: int
    officer: int


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What orders cost at least, add, and reach (TH-3.4, TH-4.3, TH-5.1, TH-5.2, TH-5.4)."""

    least: int
    louder: int
    step: int
    further: int
    mass: int


class Rally(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rows next to its edge where a unit rallies, and how near an enemy may be (TH-5.6)."""

    rows: int
    enemies: int


class Moving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hexes more along a road (TH-F8), and what it takes to leave the board (TH-F10)."""

    along_road: int
    leaving: int


class Armies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Command levels, the usual and the least (TH-F12), turn limit and smallest board (TH-F1)."""

    level: int
    least_level: int
    limit: int
    smallest: tuple[int, int]


class FrameData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in the file."""

    leaders: Leaders
    orders: Orders
    rally: Rally
    movement: Moving
    armies: Armies


FRAME = convert(document("frame.toml"), FrameData)
