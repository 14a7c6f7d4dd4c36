"""Chapter « Butin » (AT-5): taxes, what they buy, and the list rebuilt.

Everybody fills in his sheet at the same time: nothing that one buys hinders another.  The budget is
carried along the sheet, so that no order can overspend (AT-5.5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Any, TypeAlias

from msgspec.structs import replace

from polemarque.api import (
    QUIET,
    Amount,
    Fact,
    Filling,
    Item,
    Next,
    NotAllowed,
    OneOf,
    Options,
    Purse,
    Reasoned,
    Rule,
    SeveralOf,
    Sheet,
    Step,
    ask_each,
    explain,
    price,
    script,
    tell,
    then,
)
from polemarque.systems.atlantide.chapters.broken_agreements import present
from polemarque.systems.atlantide.chapters.reinforcements import warbands_roll
from polemarque.systems.atlantide.purchases import (
    FORTRESS_PRICE,
    FORTRESSES,
    Spending,
    affordable_refill,
    fortress_sites,
    list_of,
    refill,
    refill_price,
    refill_room,
    reorganisation_refusal,
)
from polemarque.systems.atlantide.setup.catalogue import (
    SHARED_OUT,
    ArmyList,
    Entry,
    People,
    Profile,
)
from polemarque.systems.atlantide.setup.lists import (
    END,
    UNBOUND,
    Beyond,
    Bound,
    beyond,
    bounds_on,
    enlisted,
    points_by_group,
    sold,
)
from polemarque.systems.atlantide.state import POINTS_AT_START, Seat, Waiting, War
from polemarque.systems.atlantide.supply import taxes_of
from polemarque.systems.atlantide.troops import Army, Character, Unit, army_points, unit_worth

Parts: TypeAlias = Generator[tuple[str, Options], Any, Any]


@script("AT-5/phase")
def loot_phase(war: War) -> Next[War]:
    """Taxes come first: they can be spent at once (AT-5.2)."""
    return war, [then(taxes_are_collected), then(loot_is_spent)]


@script("AT-5.1")
def taxes_are_collected(war: War) -> Step[War]:
    """From the second turn on, each territory without an enemy army pays."""
    for code in war.in_play():
        collected = taxes_of(war, code)
        if collected.parts:
            yield from explain(collected)
            yield from tell("AT-5.1", "taxes", to=(code,), seat=code, loot=collected.total)
            war = war.earning(code, collected.total).noted(code, taxes=collected.total)
    return war, []


@script("AT-5.2")
def loot_is_spent(war: War) -> Step[War]:
    """Reorganisation, fortresses, single figures, whole units: one sealed sheet a player."""
    for code in war.in_play():
        if war.seats[code].absent:
            yield from tell("AT-2.4", "absent", seat=code)
        for share in _unkept(war, code):
            yield from tell(
                "AT-5.2", "core" if share.group == "core" else "share", to=(code,), seat=code,
                group=share.group, points=share.points, cap=share.cap,
            )  # fmt: skip
    sheets = yield from ask_each(
        present(war), lambda seat: _sheet(war, seat), absent=QUIET, spares=True
    )
    items: list[Item] = []
    for seat, sheet in sheets.items():
        war = yield from _carried_out(war, seat, sheet)
        if sheet.get("reorganise") == "yes":
            items.append(then(warbands_roll, seat))
    return war, items


def _unkept(war: War, seat: str) -> tuple[Beyond, ...]:
    """The shares that losses have taken from a seat's list; its player is told."""
    holder = war.seats[seat]
    people = war.lists.peoples[holder.catalogue]
    if war.options.purchases == "free" or holder.army is None:
        return ()
    return beyond(people, list_of(people, holder, holder.army), POINTS_AT_START)


# The sheet ---------------------------------------------------------------------------------------


def _sheet(war: War, seat: str) -> Sheet:
    sites = fortress_sites(war, seat)
    may_reorganise = not reorganisation_refusal(war, seat)
    return Sheet(
        lambda: _spending(war, seat, sites, may_reorganise=may_reorganise),
        lambda: Purse("loot", war.loot(seat)),
        proposes=True,
    )


def _spending(war: War, seat: str, sites: tuple[str, ...], *, may_reorganise: bool) -> Filling:
    holder = war.seats[seat]
    army = holder.army
    if army is not None and may_reorganise:
        answer = yield "reorganise", OneOf(("no", "yes"), "reorganise")
        if answer == "yes":
            army = yield from rebuilding(war.lists.peoples[holder.catalogue], holder, army)
    left = holder.loot
    left -= yield from _building(war, sites, left)
    if army is not None:
        left -= yield from _refilling(holder, army, left)
    yield from _buying(war, holder, army, left)


def _building(war: War, sites: tuple[str, ...], left: int) -> Parts:
    """Fortresses: where one is built, and where a second one (AT-5.3); gives what they cost."""
    if not sites:
        return 0
    most, fact = left // FORTRESS_PRICE, lambda _: price(FORTRESS_PRICE)
    first = yield (
        "fortresses",
        SeveralOf(sites, most=most, label="territory", limit="loot", fact=fact),
    )
    left -= len(first) * FORTRESS_PRICE
    room = tuple([place for place in first if war.lands[place].fortresses + 1 < FORTRESSES])
    second: tuple[str, ...] = ()
    if room and left >= FORTRESS_PRICE:
        most = left // FORTRESS_PRICE
        second = yield (
            "fortresses_more",
            SeveralOf(room, most=most, label="territory", limit="loot", fact=fact),
        )
    return (len(first) + len(second)) * FORTRESS_PRICE


def _refilling(holder: Seat, army: Army, left: int) -> Parts:
    """Single figures for units below full count (AT-5.2); gives what they cost."""
    spent = 0
    for unit in army.units:
        if unit.figures >= unit.full:
            continue
        most = affordable_refill(holder, unit, left - spent)
        if most:
            room = refill_room(holder, unit)
            cost = partial(_refill_cost, unit)
            figures = Spending(0, most, unit="figures", room=room, fact=cost)
            bought = yield f"refill.{unit.id}", figures
            spent += refill_price(unit, bought)
    return spent


def _refill_cost(unit: Unit, figures: int) -> Fact | None:
    return price(refill_price(unit, figures)) if figures else None


def _buying(war: War, holder: Seat, army: Army | None, left: int) -> Parts:
    """Whole units of his people, one after another; a general only for an army to come.

    The limits of the army list bind what is bought; by the variant `free` they do not.
    """
    people = war.lists.peoples[holder.catalogue]
    general = _general_wanted(holder)
    entries = list_of(people, holder, army)
    times = Counter([entry.profile for entry in entries])
    spent = points_by_group(people, entries)
    for number in range(1, MOST_LINES + 1):
        paid = [
            (profile, least)
            for profile, least in people.for_sale
            if least <= left and (general or profile.group != "general")
        ]
        bounds = (
            {profile.key: UNBOUND for profile, _ in paid}
            if war.options.purchases == "free"
            else bounds_on(people, [p for p, _ in paid], POINTS_AT_START, times, spent)
        )
        lines = tuple([p.key for p, least in paid if least <= bounds[p.key].points])
        if not lines:
            return
        sizes = partial(_sizes, people, left, bounds)
        key = yield (
            f"buy.{number}",
            Reasoned((END, *lines), "profile", why=_refusing(bounds), fact=sold(people, sizes)),
        )
        if key == END:
            return
        profile = people.by_key[key]
        figures = yield from _figures(number, profile, left, bounds[key].points)
        left -= profile.cost(figures)
        times[key] += 1
        spent[profile.group] += profile.cost(figures)
        if profile.group == "general":
            general = False


def _refusing(bounds: Mapping[str, Bound]) -> Callable[[str], NotAllowed | None]:
    """Why a unit that could be paid is not for sale: the limit of the list that forbids it."""

    def why(key: str) -> NotAllowed | None:
        bound = bounds.get(key, UNBOUND)
        return NotAllowed(bound.code, rule="AT-5.2", cap=bound.cap) if bound.code else None

    return why


def _sizes(people: People, left: int, bounds: Mapping[str, Bound], key: str) -> tuple[int, int]:
    profile = people.by_key[key]
    most = (min(left, bounds[key].points) - profile.command) // profile.points
    return profile.size[0], min(profile.size[1], most)


def _figures(number: int, profile: Profile, left: int, bound: int) -> Parts:
    least, largest = profile.size
    room = min(largest, (bound - profile.command) // profile.points)
    most = min(room, (left - profile.command) // profile.points)
    if least == most:
        return least
    figures = Spending(
        least, most, unit="figures", room=room, fact=lambda n: price(profile.cost(n))
    )
    return (yield f"figures.{number}", figures)


def _general_wanted(holder: Seat) -> bool:
    """Whether he may buy a general: his army is still to form, and none waits for it (AT-1.14)."""
    waiting = [c for wait in holder.waiting for c in wait.characters]
    return holder.army is None and not any(character.general for character in waiting)


# Carrying it out ---------------------------------------------------------------------------------


def _carried_out(war: War, seat: str, sheet: Mapping[str, Any]) -> Rule[War]:
    """The war after a sheet: all of it is private but the fortresses, which everybody sees."""
    if sheet.get("reorganise") == "yes":
        war = reorganised(war, seat, sheet)
        army = war.army_of(seat)
        yield from tell(
            "AT-5.4", "reorganised", to=(seat,), seat=seat, place=army.place,
            points=army_points(army),
        )  # fmt: skip
    built = (*sheet.get("fortresses", ()), *sheet.get("fortresses_more", ()))
    for place in built:
        war = war.fortified(place).paying(seat, FORTRESS_PRICE)
        yield from tell("AT-5.3", "built", seat=seat, place=place)
    if built:
        war = war.noted(seat, fortresses=built)
    units, characters, spent = _bought(war, seat, sheet)
    if not units and not characters:
        return war
    holder = war.seats[seat]
    waiting = Waiting("bought", war.turn, None, units, characters)
    fresh = len(entries_of(war.lists.peoples[holder.catalogue], sheet, "buy", "figures"))
    war = war.changed(
        seat, waiting=(*holder.waiting, waiting), next_id=holder.next_id + fresh
    ).paying(seat, spent)
    yield from tell(
        "AT-5.2", "bought", to=(seat,), seat=seat, loot=spent,
        profiles=[member.profile for member in (*characters, *units)],
    )  # fmt: skip
    return war.noted(seat, spent=spent)


def _bought(
    war: War, seat: str, sheet: Mapping[str, Any]
) -> tuple[tuple[Unit, ...], tuple[Character, ...], int]:
    holder = war.seats[seat]
    people = war.lists.peoples[holder.catalogue]
    entries = entries_of(people, sheet, "buy", "figures")
    units, characters = enlisted(people.by_key, entries, holder.next_id)
    spent = sum([people.by_key[entry.profile].cost(entry.count) for entry in entries])
    filled: list[Unit] = []
    for unit in holder.army.units if holder.army else ():
        if unit.figures < unit.full and (number := sheet.get(f"refill.{unit.id}", 0)):
            filled.append(refill(unit, number))
            spent += refill_price(unit, number)
    return (*filled, *units), characters, spent


# Reorganisation (AT-5.4) --------------------------------------------------------------------------


MOST_LINES = 12
"""Most units added or bought on one sheet."""

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
