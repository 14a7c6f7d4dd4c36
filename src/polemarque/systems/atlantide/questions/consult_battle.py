"""Battles and conquests asked alone (consult): chapters AT-8 and AT-9.

Each question runs the very procedure, table or sum that plays the campaign.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from polemarque.api import D6, Question, Rule, bonus, call, explain, roll, total
from polemarque.systems.atlantide.chapters.aftermath import character_recovers, points_for
from polemarque.systems.atlantide.chapters.battle import SCENARIOS, Scenario
from polemarque.systems.atlantide.chapters.battlefield import elements_of_sector
from polemarque.systems.atlantide.chapters.conquest import UNDECIDED, assault, negotiate
from polemarque.systems.atlantide.chapters.recovery import RULES, Fate, figures_back, figures_saved
from polemarque.systems.atlantide.chapters.simulation import brought, simulate
from polemarque.systems.atlantide.ground import Ground, attack_force
from polemarque.systems.atlantide.questions.inputs import (
    Count,
    Leadership,
    leadership_of,
)
from polemarque.systems.atlantide.setup.board import Terrain
from polemarque.systems.atlantide.strength import bare

Strategy = Literal["frontal", "defence", "rapid", "flank", "wait"]


def _scenario(a: Strategy, b: Strategy) -> Scenario:
    """AT-8.2: no dice."""
    return SCENARIOS.cell(a, b)


def _back(fate: Fate) -> Any:
    """AT-8.7, AT-8.8, AT-8.13: who comes back; of a loser also who would, his army destroyed."""

    def asked_of(figures: Count, killed: Count, left: Count) -> dict[str, int]:
        back = figures_back(RULES[fate], fate, killed, left)
        standing = max(0, figures - killed - left)
        result = {"figures": standing + back, "back": back}
        if fate == "loser":
            result["if_destroyed"] = figures_saved(killed, left, standing)
        return result

    return asked_of


def _victory_points(
    units: tuple[Count, ...] = (),
    characters: tuple[Count, ...] = (),
    general: Count = 0,
    quarters: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0,
    standards: Count = 0,
    army_standard: bool = False,
) -> Rule[dict[str, int]]:
    """AT-8.6: what one side has destroyed, killed and put to flight, and what it holds.

    units, characters: points of each;  general: of the enemy's general, 0 if he is unhurt.
    """
    points = points_for(
        units, characters, general or None, quarters, standards, army_standard=army_standard
    )
    yield from explain(points)
    return {"victory_points": points.total}


def _table(attacker_force: int, defender_force: int, defender_absent: bool) -> Rule[Any]:
    """AT-8.11: two combat forces, and whether the defender's player is absent."""
    forces = attacker_force, defender_force
    yield from explain(brought(*forces, defender_absent))
    return (yield from call(simulate, *forces, defender_absent))


def _passage(loot: Count, general_ld: Leadership) -> Rule[Any]:
    """AT-9.2: loot spent and the general."""
    return (yield from call(negotiate, loot, leadership_of(general_ld)))


def _assault(
    terrain: Terrain,
    capital: bool,
    capital_conquered: bool,
    atlantis: bool,
    player_held: bool,
    fortresses: Count,
    combat_force: int,
    loot: Count,
) -> Rule[Any]:
    """AT-9.5: the attack of AT-9.3 against the defence of AT-9.4, round after round."""
    ground = Ground(terrain, capital, capital_conquered, atlantis, player_held, fortresses)
    attack = attack_force(bare(combat_force), loot)
    yield from explain(attack)
    yield from explain(ground.defence)
    return (yield from call(assault, attack.total, ground))


def _attack(combat_force: int, loot: Count, modifier: int = 0) -> Rule[dict[str, int]]:
    """AT-9.3, before any round."""
    attack = attack_force(bare(combat_force), loot)
    attack += bonus("AT-9.3", modifier, UNDECIDED)
    yield from explain(attack)
    return {"attack": attack.total}


def _defence(
    terrain: Terrain,
    capital: bool,
    capital_conquered: bool,
    atlantis: bool,
    player_held: bool,
    fortresses: Count,
) -> Rule[dict[str, int]]:
    """AT-9.4: 6 + 2D6 + modifiers."""
    ground = Ground(terrain, capital, capital_conquered, atlantis, player_held, fortresses)
    yield from explain(ground.defence)
    dice = yield from roll(2, D6, read=total, why="defence")
    return {"defence": ground.strength + dice}


_GROUND = {
    "terrain": "forest", "capital": False, "capital_conquered": False, "atlantis": False,
    "player_held": False, "fortresses": 0,
}  # fmt: skip
_UNIT = {"figures": 20, "killed": 5, "left": 3}

BATTLE_QUESTIONS = (
    Question("AT-8.2", _scenario, example={"a": "frontal", "b": "rapid"}),
    Question("AT-8.4", elements_of_sector, example={"sector": 2}, dice="1d6"),
    Question(
        "AT-8.6", _victory_points,
        example={"units": [155, 90], "general": 125, "quarters": 2, "standards": 1},
    ),
    Question("AT-8.7", _back("winner"), example=_UNIT),
    Question("AT-8.8", _back("loser"), example=_UNIT),
    Question(
        "AT-8.9", character_recovers, example={"toughness": 4, "duel": False},
        dice="1d6_no_duel",
    ),
    Question(
        "AT-8.11", _table, dice="2d6_each",
        example={"attacker_force": 12, "defender_force": 14, "defender_absent": True},
    ),
    Question("AT-8.13", _back("draw"), example=_UNIT),
    Question(
        "AT-9.2", _passage, example={"loot": 50, "general_ld": 9}, dice="1d6"
    ),
    Question("AT-9.3", _attack, example={"combat_force": 13, "loot": 100}),
    Question("AT-9.4", _defence, example=_GROUND, dice="2d6"),
    Question(
        "AT-9.5", _assault, tallies=("rounds", "figures_lost"), dice="assault",
        example={"combat_force": 13, "loot": 0, **_GROUND},
    ),
)  # fmt: skip
"""Every rule of battles and conquests that can be asked alone, in the book's order."""
