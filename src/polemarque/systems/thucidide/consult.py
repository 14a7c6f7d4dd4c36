"""The rules that can be asked alone, answered by the functions that play them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from polemarque.kernel.agenda import Rule, explain
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.events import Modifier, Sum, bonus
from polemarque.kernel.system import Question
from polemarque.systems.thucidide.activation import usual_activations
from polemarque.systems.thucidide.consult_combat import (
    COMBAT_QUESTIONS,
    Count,
    Ground,
    Inputs,
    Options,
)
from polemarque.systems.thucidide.figures import ARMS, Arm, Figures, Rank, Weight
from polemarque.systems.thucidide.movement import allowance, strides
from polemarque.systems.thucidide.orders import ORDERS, price
from polemarque.systems.thucidide.scenario import RANK_FIGURES, leader_counts
from polemarque.systems.thucidide.state import Goal
from polemarque.systems.thucidide.succession import LEAST_LEVEL
from polemarque.systems.thucidide.terrain import FORMATIONS, TERRAINS
from polemarque.systems.thucidide.victory import needed, weighed

Positive = Annotated[int, msgspec.Meta(ge=1)]


class RankInputs(Inputs, frozen=True):
    """A rank."""

    rank: Rank


def ask_ranges(inputs: RankInputs, _: Options) -> dict[str, Any]:
    """TH-1.2: command and influence range in hexes."""
    figures = RANK_FIGURES[inputs.rank]
    return {"command": figures.command, "influence": figures.influence}


class UnitsInputs(Inputs, frozen=True):
    """Units of an army at the start."""

    units: Count


def ask_leaders(inputs: UnitsInputs, _: Options) -> dict[str, Any]:
    """TH-1.4: the leaders of an army whose scenario lists none."""
    counts = leader_counts(inputs.units)
    return {"generals": counts["general"], "sub_generals": counts["sub_general"],
            "officers": counts["officer"]}  # fmt: skip


def ask_activations(inputs: UnitsInputs, _: Options) -> dict[str, Any]:
    """TH-2.1: sizes of the activations of a turn."""
    return {"activations": usual_activations(inputs.units)}


OrderCode = Literal[
    "reconnaissance", "messager", "gueulante", "assaut", "assaut_general", "monter", "formation",
    "serrer", "marche_forcee", "guide_local", "en_avant", "serrer_masse", "second_assaut",
    "ralliement", "allant", "berserks", "charge", "percee", "evasion", "sacrifice", "defense",
    "tenir", "grande_defense", "retraite", "embuscade", "pieges",
]  # fmt: skip


class PriceInputs(Inputs, frozen=True):
    """An order to a unit.

    influence: the unit is in the influence range of a leader.
    arm:       of the unit; needed where the price depends on it.
    count:     hexes of guide_local, elements of ralliement.
    """

    order: OrderCode
    influence: bool = False
    arm: Arm | None = None
    count: Positive = 1


def ask_price(inputs: PriceInputs, _: Options) -> Rule[dict[str, Any]]:
    """TH-3.4: what an order costs in tokens.  Raises NotAllowed on an arm it cannot go to."""
    order = ORDERS[inputs.order]
    if inputs.arm is None and order.one_price is None:
        legal = [arm for arm in ARMS if order.suits(arm)]
        raise NotUnderstood("thucidide.arm_needed", rule="TH-3.4", part="arm", legal=legal)
    due = price(inputs.order, inputs.arm, count=inputs.count, influence=inputs.influence)
    yield from explain(due)
    return {"cost": due.total}


class RallyInputs(Inputs, frozen=True):
    """A unit that regains elements."""

    arm: Arm
    elements: Positive = 1
    influence: bool = False


def ask_rally(inputs: RallyInputs, _: Options) -> Rule[dict[str, Any]]:
    """TH-5.6: what a rally costs in tokens."""
    due = price("ralliement", inputs.arm, count=inputs.elements, influence=inputs.influence)
    yield from explain(due)
    return {"cost": due.total}


Ahead = Literal["own", "enemy", "nobody"]
"""Whom the count of units destroyed puts ahead (TH-F1)."""


class GoalInputs(Inputs, frozen=True):
    """Units of an army at the start, and the share that must be destroyed to beat it.

    lost:        how many of them are destroyed.
    enemy_units, enemy_lost: the same of the enemy; without the former nothing is counted.
    """

    units: Count
    part: Positive = 1
    of: Positive = 3
    lost: Count = 0
    enemy_units: Positive | None = None
    enemy_lost: Count = 0


def ask_goal(inputs: GoalInputs, _: Options) -> dict[str, Any]:
    """TH-F1: how many units must be destroyed; whom the count puts ahead, if that is asked."""
    destroyed = needed(Goal(part=inputs.part, of=inputs.of), inputs.units)
    return {"destroyed": destroyed, "ahead": ahead(inputs)}


def ahead(inputs: GoalInputs) -> Ahead | None:
    """Who has destroyed more in proportion to the start; None where the enemy is not given.

    Raises NotUnderstood on losses without the enemy's units, NotAllowed on more than there were.
    """
    start, enemy = inputs.units, inputs.enemy_units
    if enemy is None:
        if inputs.lost or inputs.enemy_lost:
            raise NotUnderstood("thucidide.enemy_needed", rule="TH-F1", part="enemy_units")
        return None
    for name, lost, most in (
        ("lost", inputs.lost, start),
        ("enemy_lost", inputs.enemy_lost, enemy),
    ):
        if lost > most:
            legal = (f"0-{most}",)
            raise NotAllowed("act.number", rule="TH-F1", part=lost, legal=legal, name=name)
    balance = weighed(inputs.lost, start, inputs.enemy_lost, enemy)
    return "own" if balance > 0 else "enemy" if balance < 0 else "nobody"


class MovementInputs(Inputs, frozen=True):
    """A unit about to move.

    further: hexes added by Marche forcée or En avant marche !   steps: paid for TH-5.1.
    formation: the one it is in ("loose" for loosened ranks), "" for none.
    """

    arm: Arm
    weight: Weight
    further: Count = 0
    steps: Count = 0
    formation: str = ""


def ask_movement(inputs: MovementInputs, _: Options) -> Rule[dict[str, Any]]:
    """TH-F8: hexes it moves, if it is to fight and if not; along a road; dice lost by a hex."""
    if inputs.formation and inputs.formation not in FORMATIONS:
        raise NotUnderstood(
            "thucidide.formation", rule="TH-5.1", part=inputs.formation, legal=FORMATIONS,
            place="formation",
        )  # fmt: skip
    row = allowance(Figures("", inputs.arm, inputs.weight))
    form = FORMATIONS[inputs.formation].moves if inputs.formation else 0
    change = (
        bonus("TH-5.2", inputs.further, "forced_march")
        + bonus("TH-5.1", form, "formation")
        + bonus("TH-5.1", -inputs.steps, "step_paid")
    )
    yield from explain(Sum((Modifier(row.most, "movement", "TH-F8"), *change.parts)))
    limits = strides(row, change.total)
    return {
        "fighting": limits.fight, "most": limits.most, "road_fighting": limits.road_fight,
        "road": limits.road_most, "dice_lost": row.dice_lost,
    }  # fmt: skip


class TerrainInputs(Inputs, frozen=True):
    """A terrain, and the arm that meets it."""

    terrain: Ground
    arm: Arm


def ask_terrain(inputs: TerrainInputs, _: Options) -> dict[str, Any]:
    """TH-F9: whether an arm enters a terrain, at what cost, and what it does to its dice."""
    terrain = TERRAINS[inputs.terrain]
    return {
        "enters": not terrain.impassable and inputs.arm not in terrain.closed,
        "cost": terrain.cost,
        "stops": terrain.stop,
        "blocks_sight": terrain.blocks or terrain.crest,
        "attacking": terrain.attacking.get(inputs.arm, 0),
        "against": terrain.against.get(inputs.arm, 0),
        "shot_at": terrain.shot_at,
    }


class LevelInputs(Inputs, frozen=True):
    """Command level of an army whose general has been captured."""

    level: Positive


def ask_level(inputs: LevelInputs, _: Options) -> dict[str, Any]:
    """TH-F12: its command level under the new general."""
    return {"level": max(inputs.level - 1, LEAST_LEVEL)}


FRAME_QUESTIONS = (
    Question("TH-1.2", RankInputs, ask_ranges, example={"rank": "sub_general"}),
    Question("TH-1.4", UnitsInputs, ask_leaders, example={"units": 16}),
    Question("TH-2.1", UnitsInputs, ask_activations, example={"units": 12}),
    Question("TH-3.4", PriceInputs, ask_price, example={"order": "charge", "influence": True}),
    Question("TH-5.6", RallyInputs, ask_rally, example={"arm": "cavalry", "elements": 2}),
    Question("TH-F1", GoalInputs, ask_goal, example={"units": 8}),
    Question("TH-F8", MovementInputs, ask_movement,
             example={"arm": "infantry", "weight": "heavy", "further": 1}),
    Question("TH-F9", TerrainInputs, ask_terrain, example={"terrain": "wood", "arm": "cavalry"}),
    Question("TH-F12", LevelInputs, ask_level, example={"level": 4}),
)  # fmt: skip
"""The questions of the frame; those of combat stand in `consult_combat`."""

QUESTIONS = tuple(sorted((*FRAME_QUESTIONS, *COMBAT_QUESTIONS), key=lambda each: each.rule))
"""Every rule of the ledger that rolls, reads a table or computes a figure."""
