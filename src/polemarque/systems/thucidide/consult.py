"""The rules that can be asked alone, answered by the functions that play them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from polemarque.api import (
    Call,
    Count,
    Modifier,
    NotAllowed,
    NotUnderstood,
    Question,
    Rule,
    Sum,
    bonus,
    explain,
)
from polemarque.systems.thucidide.chapters.activation import usual_activations
from polemarque.systems.thucidide.chapters.succession import LEAST_LEVEL
from polemarque.systems.thucidide.chapters.turn import needed, weighed
from polemarque.systems.thucidide.combat_dice import (
    COMBAT,
    Factor,
    Kind,
    Strike,
    against,
    combat_dice,
    hexes_owed,
    may_ignore,
    standing_in,
    strike_dice,
)
from polemarque.systems.thucidide.movement import allowance, strides
from polemarque.systems.thucidide.orders import ORDERS, price
from polemarque.systems.thucidide.setup.scenario import RANK_FIGURES, leader_counts
from polemarque.systems.thucidide.state import Goal
from polemarque.systems.thucidide.tables import (
    ARMS,
    FORMATIONS,
    TERRAINS,
    Arm,
    Rank,
    UnitFigures,
    Weight,
)

Options = Mapping[str, Any]
Ground = Literal[
    "clear", "road", "wood", "hill", "rocky", "marsh", "town", "sand", "bridge", "ford", "stream",
    "river", "mountain", "lake",
]  # fmt: skip
"""A terrain, by its key in `TERRAINS`."""


def _dice(
    target: Arm, kind: Kind, count: Count, supported: bool = False, berserks: bool = False
) -> Call:
    return Call(combat_dice.rule, (count, target, kind, supported, berserks))


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
    return {"hexes": hexes_owed(flags, arm, mounted=mounted)}


def _caltrops(arm: Arm) -> dict[str, int]:
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


Positive = Annotated[int, msgspec.Meta(ge=1)]


def ask_ranges(rank: Rank) -> dict[str, Any]:
    """TH-1.2: command and influence range in hexes."""
    figures = RANK_FIGURES[rank]
    return {"command": figures.command, "influence": figures.influence}


def ask_leaders(units: Count) -> dict[str, Any]:
    """TH-1.4: the leaders of an army whose scenario lists none."""
    counts = leader_counts(units)
    return {"generals": counts["general"], "sub_generals": counts["sub_general"],
            "officers": counts["officer"]}  # fmt: skip


def ask_activations(units: Count) -> dict[str, Any]:
    """TH-2.1: sizes of the activations of a turn."""
    return {"activations": usual_activations(units)}


OrderCode = Literal[
    "reconnaissance", "messager", "gueulante", "assaut", "assaut_general", "monter", "formation",
    "serrer", "marche_forcee", "guide_local", "en_avant", "serrer_masse", "second_assaut",
    "ralliement", "allant", "berserks", "charge", "percee", "evasion", "sacrifice", "defense",
    "tenir", "grande_defense", "retraite", "embuscade", "pieges",
]  # fmt: skip


def ask_price(
    order: OrderCode, influence: bool = False, arm: Arm | None = None, count: Positive = 1
) -> Rule[dict[str, Any]]:
    """TH-3.4: what an order costs in tokens.  Raises NotAllowed on an arm it cannot go to.

    influence: the unit is in the influence range of a leader.
    arm:       of the unit; needed where the price depends on it.
    count:     hexes of guide_local, elements of ralliement.
    """
    given = ORDERS[order]
    if arm is None and given.one_price is None:
        legal = [arm for arm in ARMS if given.suits(arm)]
        raise NotUnderstood("thucidide.arm_needed", rule="TH-3.4", part="arm", legal=legal)
    due = price(order, arm, count=count, influence=influence)
    yield from explain(due)
    return {"cost": due.total}


def ask_rally(arm: Arm, elements: Positive = 1, influence: bool = False) -> Rule[dict[str, Any]]:
    """TH-5.6: what a rally costs in tokens."""
    due = price("ralliement", arm, count=elements, influence=influence)
    yield from explain(due)
    return {"cost": due.total}


Ahead = Literal["own", "enemy", "nobody"]
"""Whom the count of units destroyed puts ahead (TH-F1)."""


def ask_goal(
    units: Count,
    part: Positive = 1,
    of: Positive = 3,
    lost: Count = 0,
    enemy_units: Positive | None = None,
    enemy_lost: Count = 0,
) -> dict[str, Any]:
    """TH-F1: how many units must be destroyed; whom the count puts ahead, if that is asked.

    lost:        how many of them are destroyed.
    enemy_units, enemy_lost: the same of the enemy; without the former nothing is counted.
    """
    destroyed = needed(Goal(part=part, of=of), units)
    return {"destroyed": destroyed, "ahead": ahead(units, lost, enemy_units, enemy_lost)}


def ahead(start: int, lost: int, enemy: int | None, enemy_lost: int) -> Ahead | None:
    """Who has destroyed more in proportion to the start; None where the enemy is not given.

    Raises NotUnderstood on losses without the enemy's units, NotAllowed on more than there were.
    """
    if enemy is None:
        if lost or enemy_lost:
            raise NotUnderstood("thucidide.enemy_needed", rule="TH-F1", part="enemy_units")
        return None
    for name, gone, most in (("lost", lost, start), ("enemy_lost", enemy_lost, enemy)):
        if gone > most:
            legal = (f"0-{most}",)
            raise NotAllowed("act.number", rule="TH-F1", part=gone, legal=legal, name=name)
    balance = weighed(lost, start, enemy_lost, enemy)
    return "own" if balance > 0 else "enemy" if balance < 0 else "nobody"


def ask_movement(
    arm: Arm, weight: Weight, further: Count = 0, steps: Count = 0, formation: str = ""
) -> Rule[dict[str, Any]]:
    """TH-F8: hexes it moves, if it is to fight and if not; along a road; dice lost by a hex.

    further: hexes added by Marche forcée or En avant marche !   steps: paid for TH-5.1.
    formation: the one it is in ("loose" for loosened ranks), "" for none.
    """
    if formation and formation not in FORMATIONS:
        raise NotUnderstood(
            "thucidide.formation", rule="TH-5.1", part=formation, legal=FORMATIONS,
            place="formation",
        )  # fmt: skip
    row = allowance(UnitFigures("", arm, weight))
    form = FORMATIONS[formation].moves if formation else 0
    change = (
        bonus("TH-5.2", further, "forced_march")
        + bonus("TH-5.1", form, "formation")
        + bonus("TH-5.1", -steps, "step_paid")
    )
    yield from explain(Sum((Modifier(row.most, "movement", "TH-F8"), *change.parts)))
    limits = strides(row, change.total)
    return {
        "fighting": limits.fight, "most": limits.most, "road_fighting": limits.road_fight,
        "road": limits.road_most, "dice_lost": row.dice_lost,
    }  # fmt: skip


def ask_terrain(terrain: Ground, arm: Arm) -> dict[str, Any]:
    """TH-F9: whether an arm enters a terrain, at what cost, and what it does to its dice."""
    met = TERRAINS[terrain]
    return {
        "enters": not met.impassable and arm not in met.closed,
        "cost": met.cost,
        "stops": met.stop,
        "blocks_sight": met.blocks or met.crest,
        "attacking": met.attacking.get(arm, 0),
        "against": met.against.get(arm, 0),
        "shot_at": met.shot_at,
    }


def ask_level(level: Positive) -> dict[str, Any]:
    """TH-F12: its command level under the new general."""
    return {"level": max(level - 1, LEAST_LEVEL)}


FRAME_QUESTIONS = (
    Question("TH-1.2", ask_ranges, example={"rank": "sub_general"}),
    Question("TH-1.4", ask_leaders, example={"units": 16}),
    Question("TH-2.1", ask_activations, example={"units": 12}),
    Question("TH-3.4", ask_price, example={"order": "charge", "influence": True}),
    Question("TH-5.6", ask_rally, example={"arm": "cavalry", "elements": 2}),
    Question("TH-F1", ask_goal, example={"units": 8}),
    Question("TH-F8", ask_movement,
             example={"arm": "infantry", "weight": "heavy", "further": 1}),
    Question("TH-F9", ask_terrain, example={"terrain": "wood", "arm": "cavalry"}),
    Question("TH-F12", ask_level, example={"level": 4}),
)  # fmt: skip
"""The questions of the frame."""

QUESTIONS = tuple(sorted((*FRAME_QUESTIONS, *COMBAT_QUESTIONS), key=lambda each: each.rule))
"""Every rule of the ledger that rolls, reads a table or computes a figure."""
