"""Mercenaries (AT-1.13): club members in no seat who join one battle."""

from __future__ import annotations

import msgspec

from polemarque.systems.atlantide.journal import Battle, Guest
from polemarque.systems.atlantide.setup.catalogue import Catalogue, load_catalogue
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.strength import Troop, dice_wanted, troop_of

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
