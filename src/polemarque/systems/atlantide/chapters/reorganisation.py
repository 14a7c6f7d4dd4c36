"""Reorganisation (AT-5.4): the list rebuilt within the army's present points.

Those who are kept stay as they are: number, warband die and experience.  The
points of those who go pay for whole new units; what is not used is lost.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any, TypeAlias

from msgspec.structs import replace

from polemarque.api import Amount, OneOf, Options, SeveralOf
from polemarque.systems.atlantide.army import army_points, unit_worth
from polemarque.systems.atlantide.setup.catalogue import (
    SHARED_OUT,
    ArmyList,
    Entry,
    People,
    Profile,
)
from polemarque.systems.atlantide.setup.enlisting import END, sold
from polemarque.systems.atlantide.setup.lists import enlisted
from polemarque.systems.atlantide.state import Seat, War
from polemarque.systems.atlantide.troops import Army

MOST_LINES = 12
"""Most units added or bought on one sheet."""

Parts: TypeAlias = Generator[tuple[str, Options], Any, Any]

Points: TypeAlias = int | Fraction
"""Army points; a broken unit's are no whole number (AT-1.15)."""


def rebuilding(people: People, holder: Seat, army: Army) -> Parts:
    """The parts of a sheet: who stays, then a new general if the old one died, and new units.

    Gives the army as it will be.
    """
    heroes = [hero for hero in army.characters if not hero.general]
    members = tuple([member.id for member in (*heroes, *army.units)])
    kept = members
    if members:
        least = 0 if army.general else 1
        kept = yield "keep", SeveralOf(members, least=least, label="member")
    stays = _keeping(army, kept)
    room = _Room(people, stays, army_points(army))
    fresh: list[Entry] = []
    for number in range(1, MOST_LINES + 1):
        lines = room.lines()
        if not lines:
            break
        key = yield f"new.{number}", OneOf((END, *lines), "profile", fact=sold(people))
        if key == END:
            break
        count = people.by_key[key].size[0]
        if count < lines[key]:
            count = yield f"new_figures.{number}", Amount(count, lines[key], unit="figures")
        room.add(people.by_key[key], count)
        fresh.append(Entry(key, count))
    return _with_new(people, holder, stays, tuple(fresh))


class _Room:
    """What can still be added to those who stay (AT-1.9).

    Shares are of the army's points.  Nobody who stays is ever refused; what core units need of the
    list is closed to the others.  Those who stay count exactly: the army's points are rounded down
    once, all together, and what is left of a share too (AT-1.15).
    """

    def __init__(self, people: People, stays: Army, points: int) -> None:
        self.people = people
        self.led = stays.general is not None
        self.times: dict[str, int] = {}
        self.left: Points = points
        self.others: Points = points * (100 - people.core) // 100
        self.share: dict[str, Points] = {
            g: points * people.most.get(g, 100) // 100 for g in SHARED_OUT
        }
        for hero in stays.characters:
            self._take(people.by_key.get(hero.profile), hero.points)
        for unit in stays.units:
            whole = unit.figures == unit.full
            self._take(people.by_key.get(unit.profile), unit.points if whole else unit_worth(unit))

    def _take(self, profile: Profile | None, points: Points) -> None:
        self.left -= points
        if profile is None:
            return
        self.times[profile.key] = self.times.get(profile.key, 0) + 1
        if profile.group in self.share:
            self.share[profile.group] -= points
            self.others -= points

    def add(self, profile: Profile, count: int) -> None:
        """Take a new unit, or the new general, into account."""
        self._take(profile, profile.cost(count))
        self.led = self.led or profile.group == "general"

    def lines(self) -> dict[str, int]:
        """What can be added, with its most figures."""
        lines = {}
        for profile in self.people.units:
            least, most = profile.size
            room = ceil(self.left)
            if profile.group == "general":
                room = 0 if self.led else room
            elif profile.group in self.share:
                room = min(room, floor(self.share[profile.group]), floor(self.others))
            most = min(most, (room - profile.command) // profile.points)
            times = self.times.get(profile.key, 0)
            if most >= least and not 0 < profile.at_most <= times:
                lines[profile.key] = most
        return lines


def reorganised(war: War, seat: str, sheet: Mapping[str, Any]) -> War:
    """The war with an army rebuilt as its sheet says; it does not move this turn."""
    holder = war.seats[seat]
    army = holder.army
    assert army is not None
    people = war.lists.peoples[holder.catalogue]
    fresh = entries_of(people, sheet, "new", "new_figures")
    kept = sheet.get("keep", tuple([m.id for m in (*army.units, *army.characters)]))
    after = _with_new(people, holder, _keeping(army, kept), fresh)
    war = war.changed(seat, next_id=holder.next_id + len(fresh))
    return war.with_army(seat, replace(after, may_move=False))


def _keeping(army: Army, kept: tuple[int, ...]) -> Army:
    """The army with those who stay; the living general always does."""
    return replace(
        army,
        units=tuple([unit for unit in army.units if unit.id in kept]),
        characters=tuple([c for c in army.characters if c.general or c.id in kept]),
    )


def _with_new(people: People, holder: Seat, stays: Army, fresh: ArmyList) -> Army:
    units, characters = enlisted(people.by_key, fresh, holder.next_id)
    return replace(stays, units=(*stays.units, *units), characters=(*characters, *stays.characters))


def entries_of(people: People, sheet: Mapping[str, Any], line: str, figures: str) -> ArmyList:
    """Lines of a sheet as a list; one without figures has its profile's least."""
    entries: list[Entry] = []
    for number in range(1, MOST_LINES + 1):
        key = sheet.get(f"{line}.{number}", END)
        if key == END:
            break
        entries.append(Entry(key, sheet.get(f"{figures}.{number}", people.by_key[key].size[0])))
    return tuple(entries)
