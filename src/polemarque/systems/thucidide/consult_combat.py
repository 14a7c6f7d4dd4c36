"""The rules of combat that can be asked alone (consult), by the functions that play them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from polemarque.kernel.agenda import Rule, call, explain
from polemarque.kernel.system import Question
from polemarque.systems.thucidide.combat_data import COMBAT
from polemarque.systems.thucidide.dice import Kind, Thrown, combat_dice
from polemarque.systems.thucidide.figures import Arm
from polemarque.systems.thucidide.flags import hexes_owed, may_ignore
from polemarque.systems.thucidide.reckoning import against, standing_in
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


class DiceInputs(Inputs, frozen=True):
    """A throw of combat dice; `count` follows from the dice where they are typed."""

    target: Arm
    kind: Kind
    count: Count
    supported: bool = False
    berserks: bool = False


def _dice(asked: DiceInputs, _: Options) -> Rule[Thrown]:
    """TH-F2: what the dice show."""
    return (
        yield from call(
            combat_dice, asked.count, asked.target, asked.kind, asked.supported, asked.berserks
        )
    )


class StrikeInputs(Inputs, frozen=True):
    """A unit about to throw.

    value:      its factor in dice (TH-F3), for shooting, an assault or a melee.
    committed:  leaders given for dice.   moved_dice: dice artillery loses by its movement.
    terrain, target_terrain: where the two units stand.
    """

    value: Count
    factor: Factor
    arm: Arm
    allant: bool = False
    berserks: bool = False
    committed: Count = 0
    caltrops: bool = False
    terrain: Ground = "clear"
    target_terrain: Ground = "clear"
    moved_dice: Count = 0


def _strike(asked: StrikeInputs, _: Options) -> Rule[dict[str, int]]:
    """TH-F3: how many dice are thrown."""
    orders = {"allant": asked.allant, "berserks": asked.berserks}
    here, there = TERRAINS[asked.terrain], TERRAINS[asked.target_terrain]
    strike = Strike(
        value=asked.value, factor=asked.factor, arm=asked.arm,
        orders=tuple([code for code, is_given in orders.items() if is_given]),
        committed=asked.committed, caltrops=asked.caltrops, hexes=asked.moved_dice,
        ground=standing_in(here, asked.arm, asked.factor),
        target_ground=against(there, asked.arm, asked.factor),
    )  # fmt: skip
    reasons = strike_dice(strike)
    yield from explain(reasons)
    return {"dice": reasons.total}


class FlagInputs(Inputs, frozen=True):
    """Flags that a unit has received, but for those of an Évasion (`sure`)."""

    flags: Count
    sure: Count = 0
    supported: bool = False
    influenced: bool = False
    tenir: bool = False


def _flags(asked: FlagInputs, _: Options) -> Rule[dict[str, int]]:
    """TH-F4, TH-8.1: flags that may be ignored, and those that stay."""
    reasons = may_ignore(
        asked.flags, support="TH-F4" if asked.supported else "", influenced=asked.influenced,
        orders=("tenir",) if asked.tenir else (),
    )  # fmt: skip
    yield from explain(reasons)
    return {"ignored": reasons.total, "kept": asked.flags + asked.sure - reasons.total}


class RetreatInputs(Inputs, frozen=True):
    """Flags that a unit keeps."""

    flags: Count
    arm: Arm
    mounted: bool = False


def _retreat(asked: RetreatInputs, _: Options) -> dict[str, int]:
    """TH-F6: hexes owed."""
    return {"hexes": hexes_owed(asked.flags, asked.arm, mounted=asked.mounted)}


class CaltropsInputs(Inputs, frozen=True):
    """The arm that attacks over caltrops."""

    arm: Arm


def _caltrops(asked: CaltropsInputs, _: Options) -> dict[str, int]:
    """TH-7.7: dice lost."""
    return {"dice_lost": COMBAT.arms[asked.arm].caltrops}


_STRIKE = {"value": 4, "factor": "assault", "arm": "cavalry", "allant": True}

COMBAT_QUESTIONS = (
    Question("TH-7.7", CaltropsInputs, _caltrops, example={"arm": "cavalry"}),
    Question(
        "TH-F2", DiceInputs, _dice, dice="combat", counted="count",
        example={"target": "infantry", "kind": "melee", "count": 4, "supported": True},
    ),
    Question("TH-F3", StrikeInputs, _strike, example=_STRIKE),
    Question("TH-F4", FlagInputs, _flags, example={"flags": 2, "supported": True}),
    Question("TH-F6", RetreatInputs, _retreat, example={"flags": 2, "arm": "cavalry"}),
)  # fmt: skip
"""Every rule of combat that rolls or computes a figure, in the ledger's order."""
