"""Terrains and formations (TH-F9, TH-5.1): what stands in data/terrain.toml and formations.toml."""

from __future__ import annotations

import msgspec

from polemarque.api import convert
from polemarque.api.boards import Board, Cell
from polemarque.systems.thucidide.tables import document
from polemarque.systems.thucidide.unit_values import Arm, UnitFigures


class Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A terrain; the fields are explained in data/terrain.toml."""

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
