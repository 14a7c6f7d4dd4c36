"""The rules of combat that can be asked alone (consult), by the functions that play them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from polemarque.api import Question, Rule, call, explain
from polemarque.systems.thucidide.combat_data import COMBAT
from polemarque.systems.thucidide.combat_dice import against, standing_in
from polemarque.systems.thucidide.dice import Kind, Thrown, combat_dice
from polemarque.systems.thucidide.figures import Arm
from polemarque.systems.thucidide.flags import hexes_owed, may_ignore
from polemarque.systems.thucidide.strike import Factor, Strike, strike_dice
from polemarque.systems.thucidide.terrain import TERRAINS

Options = Mapping[str, Any]
Count = Annotated[int, msgspec.Meta(ge=0)]
"""A whole number from 0."""

Ground = Literal[
    "clear", "road", "wood", "hill", "rocky", "marsh", "town", "sand", "bridge", "ford", "stream",
    "river", "mountain", "lake",
]  # fmt: skip
"""A terrain, by its key in `TERRAINS`."""


class Inputs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every question's inputs have in common: nothing unknown is accepted."""


def _dice(
    target: Arm, kind: Kind, count: Count, supported: bool = False, berserks: bool = False
) -> Rule[Thrown]:
    """TH-F2: what the dice show."""
    return (yield from call(combat_dice, count, target, kind, supported, berserks))


def _strike(
    value: Count,
    factor: Factor,
    arm: Arm,
    allant: bool = False,
    berserks: bool = False,
    committed: Count = 0,
    caltrops: bool = False,
    terrain: Ground = "clear",
    target_terrain: Ground = "clear",
    moved_dice: Count = 0,
) -> Rule[dict[str, int]]:
    """TH-F3: how many dice are thrown.

    value:      its factor in dice (TH-F3), for shooting, an assault or a melee.
    committed:  leaders given for dice.   moved_dice: dice artillery loses by its movement.
    terrain, target_terrain: where the two units stand.
    """
    orders = {"allant": allant, "berserks": berserks}
    here, there = TERRAINS[terrain], TERRAINS[target_terrain]
    strike = Strike(
        value=value, factor=factor, arm=arm,
        orders=tuple([code for code, is_given in orders.items() if is_given]),
        committed=committed, caltrops=caltrops, hexes=moved_dice,
        ground=standing_in(here, arm, factor),
        target_ground=against(there, arm, factor),
    )  # fmt: skip
    reasons = strike_dice(strike)
    yield from explain(reasons)
    return {"dice": reasons.total}


def _flags(
    flags: Count,
    sure: Count = 0,
    supported: bool = False,
    influenced: bool = False,
    tenir: bool = False,
    *,
    options: Options,
) -> Rule[dict[str, int]]:
    """TH-F4, TH-8.1: flags that may be ignored, and those that stay."""
    reasons = may_ignore(
        flags, sure, support="TH-F4" if supported else "", influenced=influenced,
        orders=("tenir",) if tenir else (), steady=options["steady"],
    )  # fmt: skip
    yield from explain(reasons)
    return {"ignored": reasons.total, "kept": flags + sure - reasons.total}


def _retreat(flags: Count, arm: Arm, mounted: bool = False) -> dict[str, int]:
    """TH-F6: hexes owed."""
    return {"hexes": hexes_owed(flags, arm, mounted=mounted)}


def _caltrops(arm: Arm) -> dict[str, int]:
    """TH-7.7: dice lost."""
    return {"dice_lost": COMBAT.arms[arm].caltrops}


_STRIKE = {"value": 4, "factor": "assault", "arm": "cavalry", "allant": True}

COMBAT_QUESTIONS = (
    Question("TH-7.7", _caltrops, example={"arm": "cavalry"}),
    Question(
        "TH-F2", _dice, dice="combat", counted="count",
        example={"target": "infantry", "kind": "melee", "count": 4, "supported": True},
    ),
    Question("TH-F3", _strike, example=_STRIKE),
    Question("TH-F4", _flags, example={"flags": 2, "supported": True}),
    Question("TH-F6", _retreat, example={"flags": 2, "arm": "cavalry"}),
)  # fmt: skip
"""Every rule of combat that rolls or computes a figure, in the ledger's order."""
