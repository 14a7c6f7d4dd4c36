"""The rules of Atlantide that can be asked alone, with typed dice or rolled ones (consult).

Inputs without a default must be given.  Each question runs the very procedure, table or sum that
plays the campaign.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import msgspec

from polemarque.api import (
    D3,
    D6,
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
from polemarque.systems.atlantide.chapters.divine import divine_event
from polemarque.systems.atlantide.chapters.provisions import want_of_supply
from polemarque.systems.atlantide.questions.consult_battle import BATTLE_QUESTIONS
from polemarque.systems.atlantide.questions.inputs import (
    Count,
    Inputs,
    Leadership,
    Options,
    leadership_of,
)
from polemarque.systems.atlantide.setup.board import City, Terrain
from polemarque.systems.atlantide.setup.opening import Country, main_terrain
from polemarque.systems.atlantide.strength import (
    FORCE,
    Troop,
    combat_force,
    dice_wanted,
    initiative,
)
from polemarque.systems.atlantide.taxes import Taxed, taxes
from polemarque.systems.atlantide.troops import Kind, Warband


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
    """AT-1.8: no dice."""
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
    """AT-1.15: exact, rounded down once."""
    exact = sum([Fraction(u.points * u.figures, u.full) for u in units], Fraction(0))
    return {"army_points": int(exact)}


def _refill(
    points: Count, full: Annotated[int, msgspec.Meta(ge=1)], figures: Count
) -> dict[str, int]:
    """AT-5.2: their worth, rounded up."""
    return {"loot": -(-points * figures // full)}


class Plot(Inputs, frozen=True):
    """A territory as the tax collector finds it."""

    terrain: Terrain
    city: City = "none"
    enemy: bool = False


def _taxes(territories: tuple[Plot, ...], options: Options) -> Rule[dict[str, int]]:
    """AT-5.1; each territory is read by itself."""
    plots = [Taxed(p.terrain, p.city, enemy=p.enemy) for p in territories]
    reasons = taxes(plots, options["atlantis_tax"])
    yield from explain(reasons)
    return {"taxes": reasons.total}


def _want(earlier_turns: Count, loot: Count, options: Options) -> Rule[Any]:
    """AT-6.3: consecutive earlier turns without supply, and loot spent now."""
    return (yield from call(want_of_supply, earlier_turns, loot, options["supply_count"]))


def _movement(
    initiative: int, spies: Annotated[int, msgspec.Meta(ge=-1, le=1)] = 0
) -> Rule[dict[str, int]]:
    """AT-7.1: initiative + 2D6, spies included."""
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
