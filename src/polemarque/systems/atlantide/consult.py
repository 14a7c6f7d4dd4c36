"""The rules of Atlantide that can be asked alone, with typed dice or rolled ones (consult).

Inputs without a default must be given.  Each question runs the very procedure, table or sum that
plays the campaign.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec

from polemarque.api import (
    D3,
    D6,
    Call,
    Count,
    Inputs,
    Modifier,
    NotUnderstood,
    Question,
    Rule,
    Sum,
    bonus,
    call,
    explain,
    roll,
    total,
)
from polemarque.systems.atlantide.adjust import judgement_of_the_gods
from polemarque.systems.atlantide.chapters.aftermath import character_recovers, points_for
from polemarque.systems.atlantide.chapters.battle import SCENARIOS, Scenario, elements_of_sector
from polemarque.systems.atlantide.chapters.casualty_recovery import (
    RULES,
    Fate,
    figures_back,
    figures_saved,
)
from polemarque.systems.atlantide.chapters.conquest import UNDECIDED, assault, negotiate
from polemarque.systems.atlantide.chapters.divine import divine_event
from polemarque.systems.atlantide.chapters.provisions import want_of_supply
from polemarque.systems.atlantide.chapters.simulation import brought, simulate
from polemarque.systems.atlantide.setup.island import City, Terrain
from polemarque.systems.atlantide.setup.opening import Country, main_terrain
from polemarque.systems.atlantide.strength import (
    FORCE,
    Ground,
    Troop,
    attack_force,
    bare,
    combat_force,
    dice_wanted,
    initiative,
)
from polemarque.systems.atlantide.supply import Taxed, taxes
from polemarque.systems.atlantide.troops import Kind, Warband

Options = Mapping[str, Any]
Leadership = int | Literal["none"]
"""The general's Leadership, or "none" without a general."""


def leadership_of(given: Leadership) -> int | None:
    """The Leadership as the sums read it: None without a general."""
    return None if given == "none" else given


Strategy = Literal["frontal", "defence", "rapid", "flank", "wait"]


def _scenario(a: Strategy, b: Strategy) -> Scenario:
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
    return Call(simulate.rule, (*forces, defender_absent))


def _passage(loot: Count, general_ld: Leadership) -> Call:
    return Call(negotiate.rule, (loot, leadership_of(general_ld)))


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
    return Call(assault.rule, (attack.total, ground))


def _attack(combat_force: int, loot: Count, modifier: int = 0) -> Rule[dict[str, int]]:
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


class Line(Inputs, frozen=True):
    """Units of one kind; `ws` is needed for infantry, light infantry and cavalry only."""

    kind: Kind
    ws: int | None = None
    warband: Warband = "no"
    count: Count = 1

    def troop(self, place: int) -> Troop:
        """The line as the sums read it.  Raises NotUnderstood if it needs a `ws` and has none."""
        if self.ws is None and self.kind in ("infantry", "light_infantry", "cavalry"):
            raise NotUnderstood("consult.ws_missing", rule="AT-1.5", part=f"units[{place}].ws")
        return Troop(self.kind, self.ws or 0, self.warband, self.count)


def _force(units: tuple[Line, ...], general_ld: Leadership) -> Rule[dict[str, int]]:
    """AT-1.5: the sum of the list, and a D3 for each warband unit."""
    troops = [line.troop(place) for place, line in enumerate(units)]
    reasons = combat_force(troops, leadership_of(general_ld))
    yield from explain(reasons)
    bands = sum([dice_wanted(troop) for troop in troops])
    fanatics = sum([dice_wanted(troop) for troop in troops if troop.warband == "fanatic"])
    dice = yield from roll(bands, D3, read=total, why="warband")
    added = dice - 2 * bands + fanatics  # D3-2 each, D3-1 if fanatic
    if bands:
        yield from explain(Sum((Modifier(added, "warband", FORCE),)))
    return {"combat_force": reasons.total + added}


def _initiative(
    units: tuple[Line, ...], general_ld: Leadership, best_character_ld: int | None = None
) -> Rule[dict[str, int]]:
    troops = [Troop(line.kind, line.ws or 0, line.warband, line.count) for line in units]
    reasons = initiative(troops, leadership_of(general_ld), best_character_ld)
    yield from explain(reasons)
    return {"initiative": reasons.total}


def _terrain(royal_city: bool = False, atlantis: bool = False) -> Rule[Any]:
    """AT-1.3: the kingdom of Atlantis is mountains without a die."""
    if atlantis:
        return Country("mountains")
    return (yield from call(main_terrain, royal_city))


class Company(Inputs, frozen=True):
    """A unit as it stands: points and figures of the whole, and figures left."""

    points: Count
    full: Annotated[int, msgspec.Meta(ge=1)] = 1
    figures: Count = 1


def _worth(units: tuple[Company, ...]) -> dict[str, int]:
    exact = sum([Fraction(u.points * u.figures, u.full) for u in units], Fraction(0))
    return {"army_points": int(exact)}


def _refill(
    points: Count, full: Annotated[int, msgspec.Meta(ge=1)], figures: Count
) -> dict[str, int]:
    return {"loot": -(-points * figures // full)}


class Plot(Inputs, frozen=True):
    """A territory as the tax collector finds it."""

    terrain: Terrain
    city: City = "none"
    enemy: bool = False


def _taxes(territories: tuple[Plot, ...], options: Options) -> Rule[dict[str, int]]:
    plots = [Taxed(p.terrain, p.city, enemy=p.enemy) for p in territories]
    reasons = taxes(plots, options["atlantis_tax"])
    yield from explain(reasons)
    return {"taxes": reasons.total}


def _want(earlier_turns: Count, loot: Count, options: Options) -> Call:
    return Call(want_of_supply.rule, (earlier_turns, loot, options["supply_count"]))


def _movement(
    initiative: int, spies: Annotated[int, msgspec.Meta(ge=-1, le=1)] = 0
) -> Rule[dict[str, int]]:
    yield from explain(bonus("AT-1.8", initiative, "initiative"))
    yield from explain(bonus("AT-3.1", spies, "spies"))
    dice = yield from roll(2, D6, read=total, why="initiative")
    return {"movement_initiative": initiative + spies + dice}


_ARMY = {"units": [{"kind": "infantry", "ws": 3}, {"kind": "skirmishers"}], "general_ld": 8}
_WORTH = {"points": 155, "full": 20, "figures": 13}

QUESTIONS = (
    Question("AT-1.3", _terrain, example={"royal_city": True}, dice="1d6_own"),
    Question("AT-1.5", _force, example=_ARMY, dice="warband_each"),
    Question("AT-1.8", _initiative, example=_ARMY),
    Question("AT-1.15", _worth, example={"units": [_WORTH]}),
    Question("AT-3.1", divine_event, dice="event"),
    Question("AT-5.1", _taxes, example={"territories": [{"terrain": "plains"}]}),
    Question("AT-5.2", _refill, example=_WORTH),
    Question("AT-6.3", _want, example={"earlier_turns": 1, "loot": 50}, dice="want"),
    Question("AT-7.1", _movement, example={"initiative": 80}, dice="2d6"),
    *BATTLE_QUESTIONS,
    Question("AT-11.2", judgement_of_the_gods, dice="1d6"),
)  # fmt: skip
"""Every rule of the campaign that can be asked alone, in the book's order."""
