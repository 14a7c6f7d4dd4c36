"""The figures of combat, from data/combat.toml, and flags by them (TH-F4, TH-8.1, TH-F6)."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from polemarque.api import Modifier, Sum, bonus, convert
from polemarque.systems.thucidide.tables import document
from polemarque.systems.thucidide.unit_values import Arm


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


STEADY = "tenir"
"""The order under which a unit ignores all flags (TH-7.4)."""


def may_ignore(
    flags: int, sure: int, *, support: str, influenced: bool, orders: Collection[str], steady: str
) -> Sum:
    """Flags that a unit may ignore.

    flags:   those of the dice.   sure: those that Évasion has made of a hit (TH-7.1).
    support: the rule by which it is supported, "" if it is not.
    steady:  the variant of TH-7.4: Tenir sa position ignores "all", or those of the dice only.

    Of the dice's one for support and one for the leaders around it, never more than there are:
    those of Évasion neither support nor a leader cancels.
    """
    if STEADY in orders:
        return bonus("TH-7.4", flags + (sure if steady == "all" else 0), STEADY)
    by_support = min(COMBAT.flags.support, flags) if support else 0
    by_leaders = min(COMBAT.flags.influence, flags - by_support) if influenced else 0
    return bonus(support, by_support, "support") + bonus("TH-8.1", by_leaders, "influence")


def ignoring(flags: int, reasons: Sum) -> Sum:
    """The reasons for which so many flags are ignored, where fewer are than might be."""
    parts = []
    for part in reasons.parts:
        used = min(part.amount, flags)
        flags -= used
        if used:
            parts.append(Modifier(used, part.reason, part.rule))
    return Sum(tuple(parts))


def hexes_owed(kept: int, arm: Arm, *, mounted: bool = False) -> int:
    """Hexes a unit falls back for the flags it keeps (TH-F6): one each on foot, else two.

    mounted: artillery that is drawn or carried counts as the others do.
    """
    each = max(one.retreat for one in COMBAT.arms.values()) if mounted else COMBAT.arms[arm].retreat
    return kept * each
