"""The dice of the combat that is being fought: figures of the board put into `strike` (TH-F3)."""

from __future__ import annotations

from polemarque.api import Sum
from polemarque.systems.thucidide.dice import Kind
from polemarque.systems.thucidide.fight import Fight
from polemarque.systems.thucidide.figures import Arm
from polemarque.systems.thucidide.movement import dice_lost
from polemarque.systems.thucidide.state import Battle, Unit
from polemarque.systems.thucidide.strike import Factor, Strike, factor_of, strike_dice
from polemarque.systems.thucidide.terrain import (
    FORMATIONS,
    LOOSE,
    TERRAINS,
    TOWN,
    Formation,
    Terrain,
    ground,
)

CALTROPS = "pieges"
"""The order that lays caltrops before the defender (TH-7.7)."""


def factor_in(fight: Fight) -> Factor:
    """Which figure of the roller its dice begin with: an answer is always melee."""
    if fight.throw != "attack":
        return "melee"
    return "shooting" if fight.shooting else "assault" if fight.assault else "melee"


def kind_of(fight: Fight) -> Kind:
    """How the dice are read (TH-F2)."""
    return "riposte" if fight.throw != "attack" else "shooting" if fight.shooting else "melee"


def dice_of(battle: Battle, fight: Fight) -> Sum:
    """The dice that the roller throws now, with every reason; 0 if he has none to throw."""
    roller, struck = battle.units[fight.roller], battle.units[fight.struck]
    factor = factor_in(fight)
    attack = fight.throw == "attack"
    return strike_dice(
        Strike(
            value=factor_of(roller.figures, factor),
            factor=factor,
            arm=roller.figures.arm,
            orders=fight.orders if attack else (),
            committed=fight.committed if attack else fight.returned,
            caltrops=attack and CALTROPS in fight.answers,
            ground=standing_in(ground_of(battle, roller), roller.figures.arm, factor),
            target_ground=against(ground_of(battle, struck), roller.figures.arm, factor),
            ranks=sum([getattr(ranks, factor) for ranks in _ranks(roller)]),
            target_ranks=sum([_against(ranks, factor) for ranks in _ranks(struck)]),
            hexes=dice_lost(roller),
        )
    )


def ground_of(battle: Battle, unit: Unit) -> Terrain:
    """The terrain a unit fights in: a town behind its side's walls, else that of its hex."""
    walled = unit.cell in battle.sides[unit.seat].walls
    return TERRAINS[TOWN] if walled else ground(battle.board, unit.cell)


def standing_in(terrain: Terrain, arm: Arm, factor: Factor) -> int:
    """Dice for the terrain in which the roller stands: hand to hand only (TH-F9)."""
    return 0 if factor == "shooting" else terrain.attacking.get(arm, 0)


def against(terrain: Terrain, arm: Arm, factor: Factor) -> int:
    """Dice for the terrain in which the target stands, by the roller's arm (TH-F9)."""
    return terrain.shot_at if factor == "shooting" else terrain.against.get(arm, 0)


def _ranks(unit: Unit) -> list[Formation]:
    """What formation a unit is in, and loosened ranks (TH-5.1)."""
    taken = [unit.formation] if unit.formation else []
    return [FORMATIONS[key] for key in (*taken, LOOSE) if key != LOOSE or unit.loose]


def _against(ranks: Formation, factor: Factor) -> int:
    return ranks.shot_at if factor == "shooting" else ranks.against
