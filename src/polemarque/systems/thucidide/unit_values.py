"""The words and figures of which a battle is made: arms, weights, ranks, what a unit is worth."""

from __future__ import annotations

from typing import Literal

import msgspec

Arm = Literal["infantry", "cavalry", "camelry", "chariots", "artillery", "elephants"]
Weight = Literal["very_light", "light", "medium", "heavy", "very_heavy"]
Rank = Literal["general", "sub_general", "officer"]
Phase = Literal["command", "movement", "combat", "end"]
Edge = Literal["north", "south"]
AtLimit = Literal["counted", "nobody"]

ARMS: tuple[Arm, ...] = (
    "infantry", "cavalry", "camelry", "chariots", "artillery", "elephants",
)  # fmt: skip
WEIGHTS: tuple[Weight, ...] = ("very_light", "light", "medium", "heavy", "very_heavy")
RANKS: tuple[Rank, ...] = ("general", "sub_general", "officer")
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
