"""The rules of Atlantide that can be asked alone, with typed dice or rolled ones (consult).

Inputs without a default must be given.  Each question runs the very procedure, table or sum that
plays the campaign.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import msgspec

from polemarque.kernel.agenda import Rule, call, explain, roll
from polemarque.kernel.dice import D3, D6, total
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.events import bonus
from polemarque.kernel.system import Question
from polemarque.systems.atlantide.adjust import judgement_of_the_gods
from polemarque.systems.atlantide.asking import Count, Inputs, Leadership, Options, leadership_of
from polemarque.systems.atlantide.board import City, Terrain
from polemarque.systems.atlantide.consult_battle import BATTLE_QUESTIONS
from polemarque.systems.atlantide.divine import divine_event
from polemarque.systems.atlantide.provisions import want_of_supply
from polemarque.systems.atlantide.setup import Country, main_terrain
from polemarque.systems.atlantide.strength import Troop, combat_force, dice_wanted, initiative
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


class ForceInputs(Inputs, frozen=True):
    """An army list and its general."""

    units: tuple[Line, ...]
    general_ld: Leadership


def _force(asked: ForceInputs, _: Options) -> Rule[dict[str, int]]:
    """AT-1.5: the sum of the list, and a D3 for each warband unit."""
    troops = [line.troop(place) for place, line in enumerate(asked.units)]
    reasons = combat_force(troops, leadership_of(asked.general_ld))
    yield from explain(reasons)
    bands = sum([dice_wanted(troop) for troop in troops])
    fanatics = sum([dice_wanted(troop) for troop in troops if troop.warband == "fanatic"])
    dice = yield from roll(bands, D3, read=total, why="warband")
    added = dice - 2 * bands + fanatics  # D3-2 each, D3-1 if fanatic
    yield from explain(bonus("AT-1.5", added, "warband"))
    return {"combat_force": reasons.total + added}


class InitiativeInputs(Inputs, frozen=True):
    """An army list, its general, and without one its best character."""

    units: tuple[Line, ...]
    general_ld: Leadership
    best_character_ld: int | None = None


def _initiative(asked: InitiativeInputs, _: Options) -> Rule[dict[str, int]]:
    """AT-1.8: no dice."""
    troops = [Troop(line.kind, line.ws or 0, line.warband, line.count) for line in asked.units]
    reasons = initiative(troops, leadership_of(asked.general_ld), asked.best_character_ld)
    yield from explain(reasons)
    return {"initiative": reasons.total}


class TerrainInputs(Inputs, frozen=True):
    """A territory before the campaign; the kingdom of Atlantis is mountains without a die."""

    royal_city: bool = False
    atlantis: bool = False


def _terrain(asked: TerrainInputs, _: Options) -> Rule[Any]:
    """AT-1.3."""
    if asked.atlantis:
        return Country("mountains")
    return (yield from call(main_terrain, asked.royal_city))


class Company(Inputs, frozen=True):
    """A unit as it stands: points and figures of the whole, and figures left."""

    points: Count
    full: Annotated[int, msgspec.Meta(ge=1)] = 1
    figures: Count = 1


class WorthInputs(Inputs, frozen=True):
    """An army, each character a unit of one."""

    units: tuple[Company, ...]


def _worth(asked: WorthInputs, _: Options) -> dict[str, int]:
    """AT-1.15: exact, rounded down once."""
    exact = sum([Fraction(u.points * u.figures, u.full) for u in asked.units], Fraction(0))
    return {"army_points": int(exact)}


class RefillInputs(Inputs, frozen=True):
    """Single figures bought for a unit below full count."""

    points: Count
    full: Annotated[int, msgspec.Meta(ge=1)]
    figures: Count


def _refill(asked: RefillInputs, _: Options) -> dict[str, int]:
    """AT-5.2: their worth, rounded up."""
    return {"loot": -(-asked.points * asked.figures // asked.full)}


class NoInputs(Inputs, frozen=True):
    """Nothing but dice."""


def _judgement(_: NoInputs, __: Options) -> Rule[Any]:
    """AT-11.2."""
    return (yield from call(judgement_of_the_gods))


def _event(_: NoInputs, __: Options) -> Rule[Any]:
    """AT-3.1."""
    return (yield from call(divine_event))


class Plot(Inputs, frozen=True):
    """A territory as the tax collector finds it."""

    terrain: Terrain
    city: City = "none"
    enemy: bool = False


class TaxInputs(Inputs, frozen=True):
    """The territories of a colony."""

    territories: tuple[Plot, ...]


def _taxes(asked: TaxInputs, options: Options) -> Rule[dict[str, int]]:
    """AT-5.1; each territory is read by itself."""
    plots = [Taxed(p.terrain, p.city, enemy=p.enemy) for p in asked.territories]
    reasons = taxes(plots, options["atlantis_tax"])
    yield from explain(reasons)
    return {"taxes": reasons.total}


class WantInputs(Inputs, frozen=True):
    """Consecutive earlier turns without supply, and loot spent now."""

    earlier_turns: Count
    loot: Count


def _want(asked: WantInputs, options: Options) -> Rule[Any]:
    """AT-6.3."""
    return (
        yield from call(want_of_supply, asked.earlier_turns, asked.loot, options["supply_count"])
    )


class RolledInputs(Inputs, frozen=True):
    """An army's initiative, and what spies change."""

    initiative: int
    spies: Annotated[int, msgspec.Meta(ge=-1, le=1)] = 0


def _movement(asked: RolledInputs, _: Options) -> Rule[dict[str, int]]:
    """AT-7.1: initiative + 2D6, spies included."""
    yield from explain(bonus("AT-1.8", asked.initiative, "initiative"))
    yield from explain(bonus("AT-3.1", asked.spies, "spies"))
    dice = yield from roll(2, D6, read=total, why="initiative")
    return {"movement_initiative": asked.initiative + asked.spies + dice}


_ARMY = {"units": [{"kind": "infantry", "ws": 3}, {"kind": "skirmishers"}], "general_ld": 8}
_WORTH = {"points": 155, "full": 20, "figures": 13}

QUESTIONS = (
    Question("AT-1.3", TerrainInputs, _terrain, example={"royal_city": True}, dice="1d6_own"),
    Question("AT-1.5", ForceInputs, _force, example=_ARMY, dice="warband_each"),
    Question("AT-1.8", InitiativeInputs, _initiative, example=_ARMY),
    Question("AT-1.15", WorthInputs, _worth, example={"units": [_WORTH]}),
    Question("AT-3.1", NoInputs, _event, dice="event"),
    Question("AT-5.1", TaxInputs, _taxes, example={"territories": [{"terrain": "plains"}]}),
    Question("AT-5.2", RefillInputs, _refill, example=_WORTH),
    Question("AT-6.3", WantInputs, _want, example={"earlier_turns": 1, "loot": 50}, dice="want"),
    Question("AT-7.1", RolledInputs, _movement, example={"initiative": 80}, dice="2d6"),
    *BATTLE_QUESTIONS,
    Question("AT-11.2", NoInputs, _judgement, dice="1d6"),
)  # fmt: skip
"""Every rule of the campaign that can be asked alone, in the book's order."""
