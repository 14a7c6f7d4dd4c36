"""The tables of the book, as data, and the figures, terrains and formations that they name."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from polemarque.api import Shelf, convert
from polemarque.api.boards import Board, Cell

Arm = Literal["infantry", "cavalry", "camelry", "chariots", "artillery", "elephants"]
Weight = Literal["very_light", "light", "medium", "heavy", "very_heavy"]
Rank = Literal["general", "sub_general", "officer"]
Phase = Literal["command", "movement", "combat", "end"]
Edge = Literal["north", "south"]
AtLimit = Literal["counted", "nobody"]

ARMS: tuple[Arm, ...] = get_args(Arm)
RANKS: tuple[Rank, ...] = get_args(Rank)
"""The three ranks (TH-1.1), highest first."""

SEATS = ("A", "B")
"""The two seats of a battle; the first moves first."""

LIGHT: tuple[Weight, ...] = ("very_light", "light")
"""Weights through which friends pass (TH-F8)."""


class UnitFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a unit of one kind is worth (TH-F3); factors are numbers of combat dice.

    kind:  its key in the list of kinds, by which readers know it.
    reach: hexes it shoots, 0 for a unit that does not.
    """

    kind: str
    arm: Arm
    weight: Weight
    shooting: int = 0
    reach: int = 0
    assault: int = 0
    melee: int = 0

    @property
    def is_light(self) -> bool:
        """Whether friends pass it and it passes friends (TH-F8)."""
        return self.weight in LIGHT


DATA = Path(__file__).parent / "data"
"""Tables, kinds of units, terrains, orders, scenarios and texts."""

TABLES = Shelf(DATA)
"""Every table of the system, found by its rule."""


@cache
def document(name: str) -> dict[str, Any]:
    """A data file that is no table, as plain data."""
    return tomllib.loads((DATA / name).read_text(encoding="utf-8"))


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


class Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A terrain (TH-F9); the fields are explained in data/terrain.toml."""

    cost: int = 1
    stop: bool = False
    impassable: bool = False
    closed: tuple[Arm, ...] = ()
    blocks: bool = False
    crest: bool = False
    attacking: dict[Arm, int] = {}
    against: dict[Arm, int] = {}
    shot_at: int = 0

    @property
    def is_difficult(self) -> bool:
        """Whether it slows a unit down; Guide local leads through it as in the open (TH-5.2)."""
        return self.stop or self.cost > 1

    def admits(self, figures: UnitFigures) -> bool:
        """Whether a unit may enter it."""
        return not self.impassable and figures.arm not in self.closed


class Formation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A special formation or loosened ranks; the fields are explained in data/formations.toml."""

    arms: tuple[Arm, ...]
    moves: int = 0
    shooting: int = 0
    assault: int = 0
    melee: int = 0
    against: int = 0
    shot_at: int = 0


TERRAINS = convert(document("terrain.toml"), dict[str, Terrain])
"""Every terrain, by its key."""

FORMATIONS = convert(document("formations.toml"), dict[str, Formation])
"""Every formation, by its key; "loose" is loosened ranks."""

TOWN = "town"
"""The terrain that walls make of a hex."""

LOOSE = "loose"
"""The formation of a unit whose ranks are loosened."""


def ground(board: Board, cell: Cell) -> Terrain:
    """The terrain of a hex."""
    return TERRAINS[board.terrain_of(cell)]
