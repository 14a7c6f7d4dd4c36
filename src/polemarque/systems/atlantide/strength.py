"""Combat force and initiative (AT-1.5, AT-1.8), and the ground of a conquest (AT-9.2 to AT-9.8).

Both are read from a plain list of `Troop`, as the club table asks for them, and from an `Army`.
The explained forms give a `Sum`; `force_total` and `initiative_total` give the bare number, kept
per tuple of units.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from polemarque.api import Modifier, Rule, Sum, bonus, explain, tell
from polemarque.systems.atlantide.agreements import forbids_attack
from polemarque.systems.atlantide.setup.island import Terrain
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.supply import STEP
from polemarque.systems.atlantide.troops import Army, Kind, Unit, Warband

FORCE = "AT-1.5"
INITIATIVE = "AT-1.8"

BY_PIECE: tuple[Kind, ...] = ("elephant", "artillery")
"""Kinds that count by the piece left; all others count by the unit (AT-1.15)."""

_FLAT: dict[Kind, int] = {
    "light_cavalry": 1,
    "heavy_chariot": 3,
    "light_chariot": 2,
    "elephant": 2,
    "artillery": 2,
    "character": 1,
}
_QUICK: dict[Kind, int] = {"light_infantry": 10, "light_cavalry": 20, "skirmishers": 20}

NO_GENERAL_LD = 5
"""Leadership of an army that nobody leads (AT-1.8)."""


class Troop(msgspec.Struct, frozen=True, gc=False):
    """One line of a list as the club table writes it.

    ws:      weapon skill, read for infantry, light infantry and cavalry only.
    warband: never read for characters, who roll no D3 (AT-1.6).
    count:   units; pieces of elephants and artillery; persons other than the general.
    dice:    the D3 of each warband unit; a warband without its die adds nothing yet.
    """

    kind: Kind
    ws: int = 0
    warband: Warband = "no"
    count: int = 1
    dice: tuple[int, ...] = ()


def dice_wanted(troop: Troop) -> int:
    """How many D3 a line rolls: one a warband unit, none for characters (AT-1.6)."""
    return 0 if troop.warband == "no" or troop.kind == "character" else troop.count


def _row(kind: Kind, ws: int) -> tuple[int, str]:
    """What one unit (piece, person) adds, and the row of AT-1.5 it is; skirmishers apart."""
    if kind == "infantry":
        if ws >= 4:
            return 3, "infantry_guard"
        return (2, "infantry") if ws == 3 else (1, "infantry_poor")
    if kind == "light_infantry":
        return (2, "light_infantry_elite") if ws >= 4 else (1, "light_infantry")
    if kind == "cavalry":
        return (3, "cavalry_elite") if ws >= 4 else (2, "cavalry")
    return _FLAT[kind], kind


def _warband(warband: Warband, dice: tuple[int, ...]) -> int:
    """What the dice of warband units add: D3-2 each, D3-1 if fanatic."""
    return sum(dice) - len(dice) * (1 if warband == "fanatic" else 2)


def general_bonus(leadership: int | None) -> int:
    """The general's part of AT-1.5 and AT-9.2: -2 without one, then -1, 0, 1, 2 by Leadership."""
    if leadership is None:
        return -2
    if leadership <= 7:
        return -1
    return min(leadership - 8, 2)


def general_part(leadership: int | None, rule: str = FORCE) -> Modifier:
    """The general's modifier with its reason; one of 0 is told too."""
    reason = "general_none" if leadership is None else "general"
    return Modifier(general_bonus(leadership), reason, rule)


def combat_force(troops: Iterable[Troop], general_ld: int | None) -> Sum:
    """Combat force of a list (AT-1.5), one part a line, in order; it may be negative.

    Skirmishers make one part together (+1 per 3 units of the whole list, rounded down), a warband's
    dice one more part behind its line, and the general comes last.
    """
    parts: list[Modifier] = []
    skirmishers = 0
    for troop in troops:
        if troop.kind == "skirmishers":
            skirmishers += troop.count
        else:
            each, reason = _row(troop.kind, troop.ws)
            parts.append(Modifier(each * troop.count, reason, FORCE))
        if troop.dice and dice_wanted(troop):
            reason = "warband_fanatic" if troop.warband == "fanatic" else "warband"
            parts.append(Modifier(_warband(troop.warband, troop.dice), reason, FORCE))
    if skirmishers:
        parts.append(Modifier(skirmishers // 3, "skirmishers", FORCE))
    parts.append(general_part(general_ld))
    return Sum(tuple(parts))


def initiative(
    troops: Iterable[Troop], general_ld: int | None, best_character_ld: int | None = None
) -> Sum:
    """Initiative of a list (AT-1.8).

    Without a general the Leadership of the best character counts, else 5.
    """
    parts = [_leadership_part(general_ld, best_character_ld)]
    for troop in troops:
        quick = _QUICK.get(troop.kind, 0) * troop.count
        if quick:
            parts.append(Modifier(quick, troop.kind, INITIATIVE))
    return Sum(tuple(parts))


def _leadership_part(general_ld: int | None, best_character_ld: int | None) -> Modifier:
    if general_ld is not None:
        return Modifier(10 * general_ld, "leadership", INITIATIVE)
    if best_character_ld is not None:
        return Modifier(10 * best_character_ld, "leadership_character", INITIATIVE)
    return Modifier(10 * NO_GENERAL_LD, "leadership_none", INITIATIVE)


def troop_of(unit: Unit) -> Troop:
    """A unit as a line of a list: one unit, or as many pieces as are left (AT-1.15)."""
    count = unit.figures if unit.kind in BY_PIECE else 1
    return Troop(unit.kind, unit.ws, unit.warband or "no", count, (unit.die,) if unit.die else ())


def troops_of(army: Army) -> tuple[Troop, ...]:
    """An army's characters other than the general, then its units, as a list."""
    others = sum(1 for character in army.characters if not character.general)
    heroes = (Troop("character", count=others),) if others else ()
    return heroes + tuple([troop_of(unit) for unit in army.units if unit.figures])


def best_character(army: Army) -> int | None:
    """Leadership this turn of the best character when there is no general; None if there is none.

    AT-6.4 lowers every character; the events of AT-3.1 change the general's alone.
    """
    if army.general is not None or not army.characters:
        return None
    return max([character.ld for character in army.characters]) + army.army_ld


def army_force(army: Army, guests: Iterable[Troop] = ()) -> Sum:
    """Combat force of an army, this turn's Leadership changes included (AT-1.5, AT-3.3).

    guests: mercenaries who count for this battle only (AT-1.13).
    """
    return combat_force((*troops_of(army), *guests), army.leadership)


def army_initiative(army: Army) -> Sum:
    """Initiative of an army, this turn's Leadership changes included (AT-1.8, AT-3.3)."""
    return initiative(troops_of(army), army.leadership, best_character(army))


def bare(force: int) -> Sum:
    """A combat force as everybody may read it: a sum is public, the list behind it not (AT-2.3)."""
    return Sum((Modifier(force, "combat_force", FORCE),))


def tell_force(seat: str, force: Sum) -> Rule[None]:
    """What its army counts for, row by row, for its player alone (AT-2.3)."""
    yield from explain(force)
    yield from tell(FORCE, "force", to=(seat,), seat=seat, force=force.total)


@lru_cache(maxsize=8192)
def _units_force(units: tuple[Unit, ...]) -> int:
    force = skirmishers = 0
    for unit in units:
        if not unit.figures:
            continue
        if unit.kind == "skirmishers":
            skirmishers += 1
        else:
            each, _ = _row(unit.kind, unit.ws)
            force += each * unit.figures if unit.kind in BY_PIECE else each
        if unit.die and unit.warband:
            force += unit.die - (1 if unit.warband == "fanatic" else 2)
    return force + skirmishers // 3


@lru_cache(maxsize=8192)
def _units_quickness(units: tuple[Unit, ...]) -> int:
    return sum([_QUICK.get(unit.kind, 0) for unit in units if unit.figures])


def force_total(army: Army) -> int:
    """`army_force(army).total`, without the reasons."""
    leadership = army.leadership
    others = len(army.characters) - (leadership is not None)
    return _units_force(army.units) + others + general_bonus(leadership)


def leadership_over(army: Army) -> int:
    """The Ld that an army obeys: its general's, else its best character's, else 5 (AT-1.8)."""
    if army.leadership is not None:
        return army.leadership
    best = best_character(army)
    return NO_GENERAL_LD if best is None else best


def initiative_total(army: Army) -> int:
    """`army_initiative(army).total`, without the reasons."""
    return 10 * leadership_over(army) + _units_quickness(army.units)


# Conquest (AT-9) ----------------------------------------------------------------------------------


DEFENCE, ATTACK, PASSAGE = "AT-9.4", "AT-9.3", "AT-9.2"
BASE = 6
_TERRAIN: dict[Terrain, int] = {"plains": 0, "river_plains": 0, "forest": 1, "mountains": 2}


class Ground(msgspec.Struct, frozen=True):
    """What defends a territory, its dice apart (AT-9.4).

    capital:           the territory is its kingdom's capital.
    capital_conquered: no +1 for the kingdom's capital: on Atlantean land because a player holds it,
                       on a player's land by the variant `capital_bonus`.
    atlantis:          it belongs to the kingdom of Atlantis.
    player_held:       a player's land; fortresses count there only.
    """

    terrain: Terrain
    capital: bool = False
    capital_conquered: bool = False
    atlantis: bool = False
    player_held: bool = False
    fortresses: int = 0

    @property
    def defence(self) -> Sum:
        """The defence beyond its 2D6, with its reasons."""
        parts = (
            (not self.capital_conquered, "capital_not_conquered"),
            (self.capital, "capital"),
            (2 * self.atlantis, "kingdom_of_atlantis"),
            (_TERRAIN[self.terrain], self.terrain),
            (self.fortresses * self.player_held, "fortresses"),
        )
        base = (Modifier(BASE, "base", DEFENCE),)
        rest = [Modifier(int(amount), reason, DEFENCE) for amount, reason in parts if amount]
        return Sum(base + tuple(rest))

    @property
    def strength(self) -> int:
        """The defence beyond its 2D6, in points."""
        return (
            BASE + (not self.capital_conquered) + self.capital + 2 * self.atlantis
            + _TERRAIN[self.terrain] + self.fortresses * self.player_held
        )  # fmt: skip


def ground_of(war: War, place: str, attacker: str) -> Ground:
    """The ground of a territory as `attacker` finds it."""
    board, land = war.board, war.lands[place]
    capital = board.capitals.get(board.by_id[place].kingdom, "")
    holder = war.lands[capital].owner if capital else None
    if land.owner is None:
        conquered = holder is not None
    elif war.options.capital_bonus == "attacker":
        conquered = holder == attacker
    else:
        conquered = holder != land.owner
    return Ground(
        land.terrain,
        capital=place == capital,
        capital_conquered=conquered,
        atlantis=board.in_heart(place),
        player_held=land.owner is not None,
        fortresses=land.fortresses,
    )


def attack_force(force: Sum, bribe: int) -> Sum:
    """What an army brings to the first round: combat force, +1 per full 50 loot (AT-9.3)."""
    return force + bonus(ATTACK, bribe // STEP, "bribe")


def passage_modifiers(bribe: int, general_ld: int | None) -> Sum:
    """What is added to the die of a negotiation; 5 or more succeeds (AT-9.2)."""
    return bonus(PASSAGE, bribe // STEP, "bribe") + Sum((general_part(general_ld, PASSAGE),))


def conquest_refusal(war: War, seat: str) -> str:
    """Why a seat's army may not attack where it stands (AT-9.7, AT-9.8, AT-8.8); "" if it may."""
    army = war.seats[seat].army
    if army is None:
        return "conquest.no_army"
    owner = war.owner(army.place)
    if owner == seat:
        return "conquest.own_land"
    if army.beaten:
        return "conquest.beaten"
    if army.attacked:
        return "conquest.once"
    if owner is None:
        return ""
    if owner in war.enemies_at(army.place, seat):
        return "conquest.army_there"
    return "conquest.agreement" if forbids_attack(war, owner, seat, army.place) else ""


def negotiates(war: War, seat: str) -> bool:
    """Whether a seat's army may negotiate a passage: on Atlantean land, not beaten (AT-9.1)."""
    army = war.seats[seat].army
    return army is not None and not army.beaten and war.owner(army.place) is None
