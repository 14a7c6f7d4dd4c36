"""The figures of combat as the rules read them, from data/combat.toml."""

from __future__ import annotations

import msgspec

from polemarque.api import convert
from polemarque.systems.thucidide.figures import Arm
from polemarque.systems.thucidide.tables import document


class Dice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dice that an order or a commitment adds to one throw."""

    allant: int
    berserks: int
    commitment: int


class Flags(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Support and flags.

    neighbours: friendly units beside a supported one (TH-F4).
    support, influence: flags it may ignore for each (TH-F4, TH-8.1).
    evasion: flags in place of one hit (TH-7.1).
    """

    neighbours: int
    support: int
    influence: int
    evasion: int


class Leaders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hexes a leader flees (TH-F11), and that must be free of enemies for a full rally (TH-8.2)."""

    flight: int
    rally: int


class OfArm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an arm is in combat.

    retreat:  hexes owed for a flag (TH-F6).   caltrops: dice it loses to them (TH-7.7).
    pursues:  it may pursue by its nature (TH-F7).
    """

    retreat: int
    caltrops: int
    pursues: bool


class CombatData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in the file."""

    dice: Dice
    flags: Flags
    leaders: Leaders
    arms: dict[Arm, OfArm]


COMBAT = convert(document("combat.toml"), CombatData)
