"""The battle brief that a war hands over (PA-1): both sides as they stand, their
mercenaries (AT-1.13), and the place."""

from __future__ import annotations

from typing import Any

import msgspec

from polemarque.api import EVERYBODY, Sum
from polemarque.api.battle import Brief, BriefLeader, BriefUnit, Side
from polemarque.api.texts import LANGUAGES
from polemarque.systems.atlantide.setup.catalogue import Catalogue, Profile, load_catalogue
from polemarque.systems.atlantide.setup.options import CAMPAIGN, TABLE
from polemarque.systems.atlantide.state import Battle, Guest, War
from polemarque.systems.atlantide.strength import (
    Troop,
    army_force,
    dice_wanted,
    general_bonus,
    leadership_over,
    troop_of,
)
from polemarque.systems.atlantide.troops import Army, Character, Unit, army_points


def brief(war: War, battle: Battle, resolver: str) -> Brief:
    """A battle of this turn as it is handed over to its resolver.

    Its course shows both armies, so only the two sides see it; every sum of the book's own table
    is public (AT-2.3).  A fortress covers its owner only, never who stays on his land (PA-4).
    """
    attacker, defender = [_side(war, battle, seat) for seat in battle.sides]
    land = war.lands[battle.place]
    mapped = war.board.by_id[battle.place]
    return Brief(
        id=battle.place,
        resolver="atlantide_table" if resolver == TABLE else resolver,
        place=battle.place,
        sides=(attacker, defender),
        terrain=land.terrain,
        fortress=land.fortresses > 0 and land.owner == battle.defender,
        facts={
            "scenario": battle.scenario,
            "strategies": battle.strategies,
            "by": battle.by,
            "walls": battle.walls,
            "formations": battle.formations,
            "sectors": battle.sectors,
            "capital": mapped.city != "none",
        },
        campaign=CAMPAIGN,
        witnesses=EVERYBODY if resolver == TABLE else (),
        names=mapped.names,
    )


def force_of(war: War, battle: Battle, seat: str) -> Sum:
    """Combat force of a side, its mercenaries included (AT-1.5, AT-1.13)."""
    return army_force(war.army_of(seat), guest_troops(war, battle, seat))


def _side(war: War, battle: Battle, seat: str) -> Side:
    holder, army = war.seats[seat], war.army_of(seat)
    return Side(
        seat=seat,
        name=holder.people,
        units=tuple([_unit(war, army, unit) for unit in army.units]),
        leaders=tuple([_leader(war, army, hero) for hero in army.characters]),
        rights=_rights(war, battle, seat, army),
        absent=holder.absent,
        names=_side_names(war, seat),
    )


def _side_names(war: War, seat: str) -> dict[str, str]:
    holder = war.seats[seat]
    people = war.lists.peoples.get(holder.catalogue or "")
    if holder.people or people is None:
        return dict.fromkeys(LANGUAGES, holder.people) if holder.people else {}
    return {lang: people.governor.get(lang, getattr(people, lang)) for lang in LANGUAGES}


def _unit(war: War, army: Army, unit: Unit) -> BriefUnit:
    printed = war.profile(unit.profile)
    return BriefUnit(
        id=str(unit.id),
        name=unit.profile,
        kind=unit.kind,
        figures=unit.figures,
        points=unit.points * unit.figures // unit.full,
        profile={**_read(unit, army.army_ld), "warband": unit.warband or "no", **_printed(printed)},
        names=_names(printed),
    )


def _leader(war: War, army: Army, hero: Character) -> BriefLeader:
    change = army.army_ld + (army.general_ld if hero.general else 0)
    return BriefLeader(
        id=str(hero.id),
        name=hero.profile,
        rank="general" if hero.general else "character",
        points=hero.points,
        profile=_read(hero, change),
        names=_names(war.profile(hero.profile)),
    )


def _read(member: Unit | Character, change: int) -> dict[str, Any]:
    """Statistics that the campaign reads, this turn's change of Leadership included (AT-3.3)."""
    return {"ws": member.ws, "toughness": member.toughness, "ld": member.ld + change}


def _printed(profile: Profile | None) -> dict[str, Any]:
    """Statistics that the campaign itself does not read: movement and armour save."""
    return {} if profile is None else {"move": profile.stats[0], "save": profile.save}


def _names(profile: Profile | None) -> dict[str, str]:
    return {} if profile is None else {lang: getattr(profile, lang) for lang in LANGUAGES}


def _rights(war: War, battle: Battle, seat: str, army: Army) -> dict[str, Any]:
    """Combat force with mercenaries, what the general is worth, and the mercenaries themselves.

    points:     the army's (AT-1.15).
    leadership: the general's of this turn, or that of an army without one (AT-1.8).
    command:    his modifier (AT-1.5).
    """
    return {
        "force": force_of(war, battle, seat).total,
        "points": army_points(army),
        "leadership": leadership_over(army),
        "command": general_bonus(army.leadership),
        "guests": _guests(war, battle, seat),
    }


def _guests(war: War, battle: Battle, seat: str) -> list[dict[str, Any]]:
    profiles = catalogue_of(war).profiles
    return [_guest(each, profiles[each.profile]) for each in hired(war, battle, seat)]


def _guest(each: Hired, profile: Profile) -> dict[str, Any]:
    _, ws, _, _, toughness, _, _, _, ld = profile.stats
    read = {"ws": ws, "toughness": toughness, "ld": ld, "warband": profile.warband}
    return {
        "id": each.id,
        "name": each.profile,
        "kind": profile.kind,
        "figures": each.figures,
        "points": each.points,
        "profile": {**read, **_printed(profile)},
        "names": _names(profile),
    }


WHO = {"none": (), "attacker": (0,), "defender": (1,), "both": (0, 1)}
"""Which sides have a guest; ideally one each."""


class Hired(msgspec.Struct, frozen=True):
    """A unit of mercenaries, or their leader, as a battle sees it: id within its side."""

    id: str
    profile: str
    points: int
    leader: bool = False
    figures: int = 1


def catalogue_of(war: War) -> Catalogue:
    """The catalogue whose mercenaries there are: a club's own, if it has any."""
    return war.lists if war.lists.mercenaries else load_catalogue()


def forces(war: War) -> tuple[str, ...]:
    """The forces that a side picks from."""
    return tuple(catalogue_of(war).forces)


def warbands(war: War, force: str) -> int:
    """How many D3 a force rolls: one a warband unit, none for its leader (AT-1.6)."""
    return sum([dice_wanted(troop) for troop in _troops(war, Guest("", force))])


def guest_troops(war: War, battle: Battle, seat: str) -> tuple[Troop, ...]:
    """The mercenaries on a seat's side as lines of a list, for this battle's combat force only."""
    return tuple([t for g in battle.guests if g.side == seat for t in _troops(war, g)])


def hired(war: War, battle: Battle, seat: str) -> tuple[Hired, ...]:
    """The mercenaries on a seat's side, one by one, as enemies count them (AT-8.6)."""
    catalogue = catalogue_of(war)
    found: list[Hired] = []
    for guest in battle.guests:
        if guest.side == seat:
            for entry in catalogue.mercenary_list(guest.force, leader=guest.leader):
                profile = catalogue.profiles[entry.profile]
                number, points = f"guest_{len(found) + 1}", profile.cost(entry.count)
                found.append(Hired(number, profile.key, points, profile.is_character, entry.count))
    return tuple(found)


def _troops(war: War, guest: Guest) -> tuple[Troop, ...]:
    """A force with its dice; without dice yet, as they are to be rolled."""
    catalogue, dice = catalogue_of(war), list(guest.dice)
    troops: list[Troop] = []
    for entry in catalogue.mercenary_list(guest.force, leader=guest.leader):
        profile = catalogue.profiles[entry.profile]
        if profile.is_character:
            troops.append(Troop("character"))
            continue
        troop = msgspec.structs.replace(troop_of(profile.unit(0, entry.count)), dice=())
        wanted = dice_wanted(troop)
        troops.append(msgspec.structs.replace(troop, dice=tuple(dice[:wanted])))
        del dice[:wanted]
    return tuple(troops)
