"""What loot buys, and where it arrives (AT-5.2 to AT-5.4, AT-10): prices, places, refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from polemarque.api import Amount, Fact, NotAllowed
from polemarque.systems.atlantide.movement import CROWD
from polemarque.systems.atlantide.setup.catalogue import ArmyList, Entry, People
from polemarque.systems.atlantide.state import Seat, Waiting, War
from polemarque.systems.atlantide.supply import STEP
from polemarque.systems.atlantide.troops import Army, Character, Unit

FORTRESS_PRICE = 50
FORTRESSES = 2
"""Most fortresses of a territory."""


def fortress_refusal(war: War, seat: str, place: str) -> str:
    """Why a seat may not build a fortress there, as a code; "" if it may (AT-5.3, AT-5.5)."""
    land = war.lands.get(place)
    if land is None or land.owner != seat:
        return "fortress.not_own"
    if land.fortresses >= FORTRESSES:
        return "fortress.two"
    if war.enemies_at(place, seat):
        return "fortress.enemy_army"
    return "" if war.loot(seat) >= FORTRESS_PRICE else "fortress.loot"


def fortress_sites(war: War, seat: str) -> tuple[str, ...]:
    """Where a seat may build a fortress now, in the board's order."""
    if war.loot(seat) < FORTRESS_PRICE:
        return ()
    return tuple([p for p in war.lands_of(seat) if not fortress_refusal(war, seat, p)])


def refill_price(unit: Unit, figures: int) -> int:
    """Loot for single figures of a unit below full count (AT-5.2): their worth, rounded up."""
    return -(-unit.points * figures // unit.full)


def refill_room(seat: Seat, unit: Unit) -> int:
    """Figures a unit of the army still lacks, those already bought for it counted."""
    room = unit.full - unit.figures
    for waiting in seat.waiting:
        room -= sum([u.figures for u in waiting.units if u.id == unit.id])
    return max(0, room)


def affordable_refill(seat: Seat, unit: Unit, loot: int) -> int:
    """Most single figures that can be bought for a unit with that loot."""
    return min(refill_room(seat, unit), loot * unit.full // unit.points)


def refill(unit: Unit, figures: int) -> Unit:
    """Bought figures as they wait: the unit's number and profile, and only those figures."""
    return replace(unit, figures=figures)


def joined(
    army: Army, units: Iterable[Unit], characters: Iterable[Character] = (), first: int = 1
) -> Army:
    """An army with waiting units in it (AT-10.2).

    A unit with the number of one in the army fills it up; what would pass its full count makes a
    unit beside it, under a number of its own, at least `first` (the seat's `next_id`).
    """
    members = list(army.units)
    leaders = (*army.characters, *characters)
    places = {unit.id: place for place, unit in enumerate(army.units)}
    for unit in units:
        place = places.setdefault(unit.id, len(members))
        if place == len(members):
            members.append(unit)
            continue
        there = members[place]
        added = min(unit.figures, there.full - there.figures)
        members[place] = replace(there, figures=there.figures + added)
        if added < unit.figures:
            numbers = [member.id for member in members]
            numbers += [character.id for character in leaders]
            fresh = max(first, 1 + max(numbers))
            places[fresh] = len(members)
            members.append(replace(unit, id=fresh, figures=unit.figures - added, die=0))
    return replace(army, units=tuple(members), characters=leaders)


def list_of(people: People, holder: Seat, army: Army | None) -> ArmyList:
    """An army as the list of its people: with who is on the way, each unit at its full count.

    Figures lost or bought for a unit so change no share (AT-5.2); runaway slaves are in no list.
    """
    found: dict[int, Entry] = {}
    companies: list[Army | Waiting] = [*holder.waiting]
    for company in companies if army is None else [army, *companies]:
        for hero in company.characters:
            found[hero.id] = Entry(hero.profile, 1)
        for unit in company.units:
            found[unit.id] = Entry(unit.profile, unit.full)
    return tuple([entry for entry in found.values() if entry.profile in people.by_key])


def muster_places(war: War, seat: str) -> tuple[str, ...]:
    """Where a new army may form (AT-1.14): his royal city, or without it any territory of his.

    Not where an enemy army stands or two armies are; empty means that its figures wait.
    """
    candidates = war.royal_cities(seat) or war.lands_of(seat)
    return tuple(
        place
        for place in candidates
        if not war.enemies_at(place, seat) and len(war.armies_at(place)) < CROWD
    )


def reorganisation_refusal(war: War, seat: str) -> str:
    """Why a seat's army may not reorganise, as a code; "" if it may (AT-5.4, AT-7.6)."""
    army = war.seats[seat].army
    if army is None:
        return "reorganise.no_army"
    if not war.board.is_city(army.place) or war.owner(army.place) != seat:
        return "reorganise.no_city"
    return "reorganise.duty" if army.duty is not None else ""


class Spending(Amount, frozen=True):
    """An amount that loot has to pay for; more than there is is refused whole (AT-5.5).

    room: most that any loot could buy; beyond it loot is not the reason.  None: loot alone limits.
    """

    room: int | None = None

    def take(self, value: Any) -> int:
        """See Options."""
        if isinstance(value, int) and not isinstance(value, bool):
            legal = (f"{self.least}-{self.most}",)
            if self.most < value and (self.room is None or value <= self.room):
                raise NotAllowed("loot.overspent", rule="AT-5.5", part=value, legal=legal)
            if (value - self.least) % self.step:
                raise NotAllowed("loot.fifties", rule="AT-5.6", part=value, legal=legal)
        return super().take(value)


def bribe(war: War, seat: str, fact: Callable[[int], Fact | None]) -> Spending:
    """Loot for a bribe or a bargain, named before the die: as many full fifties as he has.

    fact: what is told beside an amount.
    """
    return Spending(0, war.loot(seat) // STEP * STEP, STEP, "loot", fact=fact)
