"""The combat die (TH-F2), and the dice of the combat that is being fought (TH-F3).

Six faces, and what they are worth against a target; figures of the board, put into `strike`.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Literal

import msgspec

from polemarque.api import D6, Matrix, Modifier, Reading, Rule, Sum, bonus, convert, procedure, roll
from polemarque.systems.thucidide.movement import dice_lost
from polemarque.systems.thucidide.orders import ORDERS
from polemarque.systems.thucidide.state import Battle, Fight, Unit
from polemarque.systems.thucidide.tables import (
    FORMATIONS,
    LOOSE,
    TABLES,
    TERRAINS,
    TOWN,
    Arm,
    Formation,
    Terrain,
    UnitFigures,
    document,
    ground,
)

Factor = Literal["shooting", "assault", "melee"]
"""Which of a unit's three figures its dice begin with (TH-F3)."""

LEAST = 1
"""Dice reduced by any rule never fall below this (TH-7.7)."""


class Strike(msgspec.Struct, frozen=True):
    """What goes into one throw.

    value:     the roller's factor, in dice;  factor: which one.
    arm:       the roller's arm.
    orders:    attack orders in force for it (TH-6).
    committed: leaders who have given themselves for dice (TH-8.2).
    caltrops:  the target lies behind them (TH-7.7).
    ground, target_ground: dice for the terrain it stands in, and for the target's (TH-F9).
    ranks, target_ranks: dice for its formation, and for the target's (TH-5.1).
    hexes:     dice that artillery loses in shooting by its movement this turn (TH-F8), 0 or more.
    """

    value: int
    factor: Factor
    arm: Arm
    orders: tuple[str, ...] = ()
    committed: int = 0
    caltrops: bool = False
    ground: int = 0
    target_ground: int = 0
    ranks: int = 0
    target_ranks: int = 0
    hexes: int = 0


def factor_of(figures: UnitFigures, factor: Factor) -> int:
    """A factor of a unit, in dice (TH-F3)."""
    if factor == "shooting":
        return figures.shooting
    return figures.assault if factor == "assault" else figures.melee


def strike_dice(strike: Strike) -> Sum:
    """The dice of a throw with every reason; 0 only where the factor is 0, never below 1 else."""
    if strike.value <= 0:
        return Sum()
    dice = Sum((Modifier(strike.value, strike.factor, "TH-F3"),)) + changes(strike)
    return dice + bonus("TH-7.7", max(LEAST - dice.total, 0), "at_least_one")


def changes(strike: Strike) -> Sum:
    """What is added to the factor and taken from it.

    Attack orders and caltrops count hand to hand only (TH-6, TH-7.1), the former for the arms to
    which they can be given; dice lost by moving, in shooting only (TH-F8).
    """
    worth, shooting = COMBAT.dice, strike.factor == "shooting"
    orders = [] if shooting else [code for code in strike.orders if ORDERS[code].suits(strike.arm)]
    caltrops = COMBAT.arms[strike.arm].caltrops if strike.caltrops and not shooting else 0
    return (
        _ordered("TH-6.1", "allant", worth.allant, orders)
        + _ordered("TH-6.2", "berserks", worth.berserks, orders)
        + bonus("TH-8.2", worth.commitment * strike.committed, "commitment")
        + bonus("TH-F9", strike.ground, "ground")
        + bonus("TH-F9", strike.target_ground, "target_ground")
        + bonus("TH-5.1", strike.ranks, "ranks")
        + bonus("TH-5.1", strike.target_ranks, "target_ranks")
        + bonus("TH-F8", -strike.hexes if shooting else 0, "moved_artillery")
        + bonus("TH-7.7", -caltrops, "caltrops")
    )


def _ordered(rule: str, order: str, dice: int, orders: Collection[str]) -> Sum:
    return bonus(rule, dice, order) if order in orders else Sum()


Value = Literal["hit", "miss", "flag", "letter", "advantage"]
"""What a face is worth before it is known whether an advantage hits."""

Kind = Literal["melee", "shooting", "riposte"]
"""How dice are thrown: in an attack hand to hand, from afar, or in answer to an attack."""

DIE: Matrix[Value] = TABLES.matrix("TH-F2", Value)  # type: ignore[arg-type]


class Thrown(msgspec.Struct, frozen=True):
    """What combat dice show: hits on the target, flags for it, letters for the roller."""

    hits: int
    flags: int
    letters: int


@procedure("TH-F2")
def combat_dice(
    count: int, target: Arm, kind: Kind, supported: bool, berserks: bool
) -> Rule[Thrown]:
    """Throw `count` combat dice at a target of that arm, and read them.

    supported: the roller is supported.   berserks: a riposte answers a Berserks attack (TH-6.2).
    """
    hits = advantage_hits(kind, supported=supported, berserks=berserks)
    shown = yield from roll(count, D6, read=combat_reading(target, hits), why=kind)
    return Thrown(*shown)


def advantage_hits(kind: Kind, *, supported: bool, berserks: bool) -> bool:
    """Whether a tactical advantage is a hit.

    In melee for a supported attacker, in a riposte only against Berserks, never in shooting.
    """
    return supported if kind == "melee" else berserks if kind == "riposte" else False


@cache
def combat_reading(target: Arm, advantage: bool) -> Reading[tuple[int, int, int]]:
    """(hits, flags, letters) of combat dice against an arm; `advantage`: that face hits."""
    worth = [DIE.cell(row, target) for row in DIE.rows]
    values = [_counted("hit" if value == "advantage" and advantage else value) for value in worth]
    name = f"combat({target},{'advantage' if advantage else 'plain'})"
    return Reading(name, (0, 0, 0), lambda face: values[face - 1], _together)


def _counted(value: Value) -> tuple[int, int, int]:
    return int(value == "hit"), int(value == "flag"), int(value == "letter")


def _together(a: tuple[int, int, int], b: tuple[int, int, int]) -> tuple[int, int, int]:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


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
