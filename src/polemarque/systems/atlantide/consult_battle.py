"""Battles and conquests asked alone (consult): chapters AT-8 and AT-9.

Each question runs the very procedure, table or sum that plays the campaign.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from polemarque.kernel.agenda import Rule, call, explain, roll
from polemarque.kernel.dice import D6, total
from polemarque.kernel.events import Modifier, Sum, bonus
from polemarque.kernel.system import Question
from polemarque.systems.atlantide.aftermath import character_recovers, points_for
from polemarque.systems.atlantide.asking import Count, Inputs, Leadership, Options, leadership_of
from polemarque.systems.atlantide.battle import SCENARIOS, Scenario
from polemarque.systems.atlantide.battlefield import elements_of_sector
from polemarque.systems.atlantide.board import Terrain
from polemarque.systems.atlantide.conquest import UNDECIDED, assault, negotiate
from polemarque.systems.atlantide.ground import Ground
from polemarque.systems.atlantide.recovery import RULES, Fate, figures_back, figures_saved
from polemarque.systems.atlantide.simulation import brought, simulate
from polemarque.systems.atlantide.supply import STEP

Strategy = Literal["frontal", "defence", "rapid", "flank", "wait"]


class StrategyInputs(Inputs, frozen=True):
    """Both strategies."""

    a: Strategy
    b: Strategy


def _scenario(asked: StrategyInputs, _: Options) -> Scenario:
    """AT-8.2: no dice."""
    return SCENARIOS.cell(asked.a, asked.b)


class SectorInputs(Inputs, frozen=True):
    """A sector of the battlefield."""

    sector: Annotated[int, msgspec.Meta(ge=1, le=6)]


def _sector(asked: SectorInputs, _: Options) -> Rule[Any]:
    """AT-8.4."""
    return (yield from call(elements_of_sector, asked.sector))


class RecoveryInputs(Inputs, frozen=True):
    """A character killed."""

    toughness: Count
    duel: bool


def _recovery(asked: RecoveryInputs, _: Options) -> Rule[Any]:
    """AT-8.9."""
    return (yield from call(character_recovers, asked.toughness, asked.duel))


class BackInputs(Inputs, frozen=True):
    """A unit after a battle: figures it came with, killed, and gone from the table."""

    figures: Count
    killed: Count
    left: Count


def _back(fate: Fate) -> Any:
    """AT-8.7, AT-8.8, AT-8.13: who comes back; of a loser also who would, his army destroyed."""

    def asked_of(asked: BackInputs, _: Options) -> dict[str, int]:
        back = figures_back(RULES[fate], fate, asked.killed, asked.left)
        standing = max(0, asked.figures - asked.killed - asked.left)
        result = {"figures": standing + back, "back": back}
        if fate == "loser":
            result["if_destroyed"] = figures_saved(asked.killed, asked.left, standing)
        return result

    return asked_of


class PointsInputs(Inputs, frozen=True):
    """One side's count: enemies destroyed, killed, fleeing or having fled, and what it holds.

    units, characters: points of each;  general: of the enemy's general, 0 if he is unhurt.
    """

    units: tuple[Count, ...] = ()
    characters: tuple[Count, ...] = ()
    general: Count = 0
    quarters: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    standards: Count = 0
    army_standard: bool = False


def _victory_points(asked: PointsInputs, _: Options) -> Rule[dict[str, int]]:
    """AT-8.6."""
    points = points_for(
        asked.units, asked.characters, asked.general or None,
        asked.quarters, asked.standards, army_standard=asked.army_standard,
    )  # fmt: skip
    yield from explain(points)
    return {"victory_points": points.total}


class TableInputs(Inputs, frozen=True):
    """Two combat forces, and whether the defender's player is absent."""

    attacker_force: int
    defender_force: int
    defender_absent: bool


def _table(asked: TableInputs, _: Options) -> Rule[Any]:
    """AT-8.11."""
    forces = asked.attacker_force, asked.defender_force
    yield from explain(brought(*forces, asked.defender_absent))
    return (yield from call(simulate, *forces, asked.defender_absent))


class PassageInputs(Inputs, frozen=True):
    """Loot spent and the general."""

    loot: Count
    general_ld: Leadership


def _passage(asked: PassageInputs, _: Options) -> Rule[Any]:
    """AT-9.2."""
    return (yield from call(negotiate, asked.loot, leadership_of(asked.general_ld)))


class GroundInputs(Inputs, frozen=True):
    """A territory under attack, each fact read by itself."""

    terrain: Terrain
    capital: bool
    capital_conquered: bool
    atlantis: bool
    player_held: bool
    fortresses: Count

    @property
    def ground(self) -> Ground:
        """The ground as the assault reads it."""
        return Ground(
            self.terrain, self.capital, self.capital_conquered, self.atlantis,
            self.player_held, self.fortresses,
        )  # fmt: skip


class AssaultInputs(GroundInputs, frozen=True, kw_only=True):
    """The army's force, the bribe, and the ground."""

    combat_force: int
    loot: Count


def _assault(asked: AssaultInputs, _: Options) -> Rule[Any]:
    """AT-9.5: the attack of AT-9.3 against the defence of AT-9.4, round after round."""
    attack = _attack_sum(asked.combat_force, asked.loot)
    yield from explain(attack)
    yield from explain(asked.ground.defence)
    return (yield from call(assault, attack.total, asked.ground))


def _attack_sum(combat_force: int, loot: int) -> Sum:
    bribe = bonus("AT-9.3", loot // STEP, "bribe")
    return Sum((Modifier(combat_force, "combat_force", "AT-9.3"),)) + bribe


class AttackInputs(Inputs, frozen=True):
    """An army's force, the bribe, and what undecided assaults have changed so far."""

    combat_force: int
    loot: Count
    modifier: int = 0


def _attack(asked: AttackInputs, _: Options) -> Rule[dict[str, int]]:
    """AT-9.3, before any round."""
    attack = _attack_sum(asked.combat_force, asked.loot)
    attack += bonus("AT-9.3", asked.modifier, UNDECIDED)
    yield from explain(attack)
    return {"attack": attack.total}


def _defence(asked: GroundInputs, _: Options) -> Rule[dict[str, int]]:
    """AT-9.4: 6 + 2D6 + modifiers."""
    yield from explain(asked.ground.defence)
    dice = yield from roll(2, D6, read=total, why="defence")
    return {"defence": asked.ground.strength + dice}


_GROUND = {
    "terrain": "forest", "capital": False, "capital_conquered": False, "atlantis": False,
    "player_held": False, "fortresses": 0,
}  # fmt: skip
_UNIT = {"figures": 20, "killed": 5, "left": 3}

BATTLE_QUESTIONS = (
    Question("AT-8.2", StrategyInputs, _scenario, example={"a": "frontal", "b": "rapid"}),
    Question("AT-8.4", SectorInputs, _sector, example={"sector": 2}, dice="1d6"),
    Question(
        "AT-8.6", PointsInputs, _victory_points,
        example={"units": [155, 90], "general": 125, "quarters": 2, "standards": 1},
    ),
    Question("AT-8.7", BackInputs, _back("winner"), example=_UNIT),
    Question("AT-8.8", BackInputs, _back("loser"), example=_UNIT),
    Question(
        "AT-8.9", RecoveryInputs, _recovery, example={"toughness": 4, "duel": False},
        dice="1d6_no_duel",
    ),
    Question(
        "AT-8.11", TableInputs, _table, dice="2d6_each",
        example={"attacker_force": 12, "defender_force": 14, "defender_absent": True},
    ),
    Question("AT-8.13", BackInputs, _back("draw"), example=_UNIT),
    Question(
        "AT-9.2", PassageInputs, _passage, example={"loot": 50, "general_ld": 9}, dice="1d6"
    ),
    Question("AT-9.3", AttackInputs, _attack, example={"combat_force": 13, "loot": 100}),
    Question("AT-9.4", GroundInputs, _defence, example=_GROUND, dice="2d6"),
    Question(
        "AT-9.5", AssaultInputs, _assault, tallies=("rounds", "figures_lost"), dice="assault",
        example={"combat_force": 13, "loot": 0, **_GROUND},
    ),
)  # fmt: skip
"""Every rule of battles and conquests that can be asked alone, in the book's order."""
