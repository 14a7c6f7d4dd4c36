"""Army lists (AT-1.9): what is wrong with one, the army it makes, and building one.

Shares are of the points that the list may have, not of those it uses, as army lists have it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from polemarque.api import (
    Amount,
    Fact,
    Filling,
    NotAllowed,
    OneOf,
    Options,
    Purse,
    Refusal,
    Sheet,
    Text,
)
from polemarque.systems.atlantide.setup.catalogue import ArmyList, Entry, People, Profile
from polemarque.systems.atlantide.state import POINTS_AT_START, Seat, War
from polemarque.systems.atlantide.troops import Character, Unit

RULE = "AT-1.9"
ENDLESS = 1_000_000
"""More points than any loot buys."""

LONGEST = 60
"""Most lines of a list; far beyond what 1500 points can pay."""


class Offer(msgspec.Struct, frozen=True):
    """A line that can be added: a profile's key, and its least and most figures."""

    profile: str
    least: int
    most: int


class Offers(msgspec.Struct, frozen=True):
    """What can come next in a list, and whether it may end here.

    No offers and no end: these points cannot make a legal list.
    """

    lines: tuple[Offer, ...]
    may_end: bool


# What is wrong with a list -----------------------------------------------------------------------


def army_faults(people: People, entries: Sequence[Entry], points: int) -> tuple[Refusal, ...]:
    """Every reason to refuse a list of at most `points` army points, line by line, then as a whole.

    Codes: list.unknown_unit, list.too_small, list.too_large, list.too_many, list.no_general,
    list.two_generals, list.share, list.core, list.over_budget.
    """
    known = [entry for entry in entries if entry.profile in people.by_key]
    faults: list[Refusal] = []
    for number, entry in enumerate(entries, 1):
        faults += _faults_of_line(people, number, entry)
    faults += _faults_of_number(people, known)
    faults += _faults_of_points(people, known, points)
    return tuple(faults)


def _faults_of_line(people: People, number: int, entry: Entry) -> list[Refusal]:
    profile = people.by_key.get(entry.profile)
    if profile is None:
        legal = people.by_key
        return [
            NotAllowed("list.unknown_unit", rule=RULE, part=entry.profile, legal=legal, line=number)
        ]
    least, most = profile.size
    if least <= entry.count <= most:
        return []
    code = "list.too_small" if entry.count < least else "list.too_large"
    legal_size = (f"{least}-{most}",)
    return [
        NotAllowed(
            code, rule=RULE, part=entry.profile, legal=legal_size, line=number,
            figures=entry.count, least=least, most=most,
        )
    ]  # fmt: skip


def _faults_of_number(people: People, known: Sequence[Entry]) -> list[Refusal]:
    faults: list[Refusal] = []
    for key, profile in people.by_key.items():
        times = sum(1 for entry in known if entry.profile == key)
        if profile.at_most and times > profile.at_most:
            faults.append(
                NotAllowed("list.too_many", rule=RULE, part=key, legal=(profile.at_most,))
            )
    generals = [entry for entry in known if people.by_key[entry.profile].group == "general"]
    if not generals:
        legal = [profile.key for profile in people.units if profile.group == "general"]
        faults.append(NotAllowed("list.no_general", rule=RULE, legal=legal))
    elif len(generals) > 1:
        faults.append(NotAllowed("list.two_generals", rule=RULE, part=generals[1].profile))
    return faults


def _faults_of_points(people: People, known: Sequence[Entry], points: int) -> list[Refusal]:
    spent = points_by_group(people, known)
    faults: list[Refusal] = []
    for group in people.most:
        used, cap = spent.get(group, 0), _cap(people, group, points)
        if used > cap:
            faults.append(NotAllowed("list.share", rule=RULE, part=group, legal=(cap,), used=used))
    core, least = spent.get("core", 0), _least_core(people, points)
    if core < least:
        faults.append(NotAllowed("list.core", rule=RULE, part=core, legal=(least,)))
    total = sum(spent.values())
    if total > points:
        faults.append(NotAllowed("list.over_budget", rule=RULE, part=total, legal=(points,)))
    return faults


def points_by_group(people: People, entries: Sequence[Entry]) -> Counter[str]:
    """Army points that a list spends on each group."""
    spent: Counter[str] = Counter()
    profiles = people.by_key
    for entry in entries:
        profile = profiles[entry.profile]
        spent[profile.group] = spent.get(profile.group, 0) + profile.cost(entry.count)
    return spent


def _cap(people: People, group: str, points: int) -> int:
    """Most points a group may take of a list of `points`, rounded down."""
    return points * people.most.get(group, 100) // 100


def _least_core(people: People, points: int) -> int:
    """Fewest points of core units in a list of `points`, rounded up."""
    return -(-points * people.core // 100)


# A list that grows (AT-5.2) ----------------------------------------------------------------------


class Bound(msgspec.Struct, frozen=True):
    """What a list still lets one buy of a profile: most points, and which limit says so."""

    points: int
    code: str = ""
    cap: int = 0


UNBOUND = Bound(ENDLESS)
"""No limit of a list."""


def bounds_on(
    people: People,
    profiles: Collection[Profile],
    size: int,
    times: Mapping[str, int],
    spent: Mapping[str, int],
) -> dict[str, Bound]:
    """The tightest limit on one more unit of each profile (AT-5.2).

    size: points that the list may have; it may have more once it is worth more.
    times: units of each profile in it. spent: its `points_by_group`.
    A general is in no share.
    """  # fmt: skip
    room = {group: _room(people, spent, group, size) for group in {p.group for p in profiles}}
    return {
        profile.key: Bound(0, "purchase.too_many", profile.at_most)
        if 0 < profile.at_most <= times[profile.key]
        else room[profile.group]
        for profile in profiles
    }


def _room(people: People, spent: Mapping[str, int], group: str, size: int) -> Bound:
    """What the shares of a list leave to one group."""
    total, core, least = sum(spent.values()), spent.get("core", 0), people.core
    bounds = [UNBOUND]
    if group in people.most:
        share, used = people.most[group], spent.get(group, 0)
        grown = (share * total - 100 * used) // (100 - share) if share < 100 else ENDLESS
        room = max(_cap(people, group, size) - used, grown)  # a list of more points has more room
        bounds.append(Bound(room, "purchase.share", _cap(people, group, max(size, total))))
    if least and group not in ("core", "general"):
        enough = core >= _least_core(people, size)
        room = 100 * core // least - total if enough else 0
        bounds.append(Bound(room, "purchase.core", _least_core(people, max(size, total))))
    return min(bounds, key=lambda bound: bound.points)


class Beyond(msgspec.Struct, frozen=True):
    """A share that a list does not keep: of which group, its points, and its cap or least."""

    group: str
    points: int
    cap: int


def beyond(people: People, entries: Sequence[Entry], size: int) -> tuple[Beyond, ...]:
    """The shares that a list no longer keeps: losses alone may do that to it (AT-5.2)."""
    spent = points_by_group(people, entries)
    points = max(size, sum(spent.values()))
    caps = [
        Beyond(group, spent.get(group, 0), _cap(people, group, points)) for group in people.most
    ]
    found = [share for share in caps if share.points > share.cap]
    core = Beyond("core", spent.get("core", 0), _least_core(people, points))
    return (*found, core) if core.points < core.cap else tuple(found)


# From a list to an army --------------------------------------------------------------------------


def muster(
    people: People, entries: Sequence[Entry], points: int, first: int = 1
) -> tuple[tuple[Unit, ...], tuple[Character, ...]]:
    """Units and characters of a legal list, numbered from `first` in its order.

    Warbands have not rolled their D3 yet (see `Army.to_roll`).  Raises the first of `army_faults`.
    """
    faults = army_faults(people, entries, points)
    if faults:
        raise faults[0]
    return enlisted(people.by_key, entries, first)


def enlisted(
    profiles: dict[str, Profile], entries: Sequence[Entry], first: int
) -> tuple[tuple[Unit, ...], tuple[Character, ...]]:
    """Units and characters of entries that have been checked, numbered from `first`."""
    units: list[Unit] = []
    characters: list[Character] = []
    for number, entry in enumerate(entries, first):
        profile = profiles[entry.profile]
        if profile.is_character:
            characters.append(profile.character(number))
        else:
            units.append(profile.unit(number, entry.count))
    return tuple(units), tuple(characters)


# Building a list ---------------------------------------------------------------------------------


def offers(people: People, entries: Sequence[Entry], points: int) -> Offers:
    """What can be added to a list so that every way on leads to a legal one.

    The general is asked first.  The points that core units still need are held back, with what a
    last core unit may cost beyond them, so that no way is a dead end.
    """
    spent = points_by_group(people, entries)
    left = points - sum(spent.values())
    needed = max(0, _least_core(people, points) - spent.get("core", 0))
    free = left - needed - (_overshoot(people) if needed else 0)
    led = any(people.by_key[e.profile].group == "general" for e in entries)
    may_end = led and not needed and left >= 0
    if free < 0 or len(entries) >= LONGEST:
        return Offers((), may_end)
    lines, times = [], Counter(entry.profile for entry in entries)
    for profile in people.units:
        if (profile.group == "general") == led:
            continue
        if 0 < profile.at_most <= times[profile.key]:
            continue
        core = profile.group == "core"
        share = _cap(people, profile.group, points) - spent.get(profile.group, 0)
        room = min(left if core else free, share)
        least, most = profile.size
        most = min(most, (room - profile.command) // profile.points)
        if most >= least:
            lines.append(Offer(profile.key, least, most))
    return Offers(tuple(lines), may_end)


def _overshoot(people: People) -> int:
    """Points by which a smallest unlimited core unit can pass the points still needed, at worst.

    With so much held back beyond what core units need, such a unit can always be paid.
    """
    costs = [
        profile.cost(profile.size[0])
        for profile in people.units
        if profile.group == "core" and not profile.at_most
    ]
    return min(costs, default=1_000_000) - 1


# Lists as sheets ----------------------------------------------------------------------------------


OWN = "own"
"""The player writes his own list."""

END = "end"
"""The list ends here."""

NAME_LENGTH = 40


def enlist_sheet(war: War, seat: Seat) -> Sheet:
    """The name of his people, the catalogue people, and the list: what has not been given."""

    def fill() -> Filling:
        if not seat.people:
            yield "people", Text(NAME_LENGTH)
        key = seat.catalogue
        if not key:
            key = yield "catalogue", OneOf(tuple(war.lists.peoples), "people")
        yield from list_parts(war.lists.peoples[key], POINTS_AT_START)

    return Sheet(fill, lambda: Purse("points", POINTS_AT_START))


def list_parts(people: People, points: int) -> Generator[tuple[str, Options], Any, None]:
    """The parts of a sheet that make a list: one of those ready to play, or one's own."""
    samples = [f"sample_{number}" for number in range(1, len(people.sample) + 1)]
    worth = partial(_worth, people)
    chosen = yield "list", OneOf((*samples, OWN), f"list.{people.key}", fact=worth)
    if chosen == OWN:
        yield from own_list(people, points)


def own_list(people: People, points: int) -> Generator[tuple[str, Options], Any, ArmyList]:
    """Line after line, general first: a profile, then its figures; "end" where it may end."""
    entries: ArmyList = ()
    for number in range(1, LONGEST + 1):
        following = offers(people, entries, points)
        lines = {line.profile: line for line in following.lines}
        words = ((END,) if following.may_end else ()) + tuple(lines)
        if not lines:
            break
        sold_at = sold(people, {key: (line.least, line.most) for key, line in lines.items()}.get)
        key = yield f"line.{number}", OneOf(words, "profile", fact=sold_at)
        if key == END:
            break
        line = lines[key]
        count = line.least
        if line.least < line.most:
            figures = Amount(line.least, line.most, unit="figures", fact=each_costs(people, key))
            count = yield f"figures.{number}", figures
        entries = (*entries, Entry(key, count))
    return entries


def in_points(points: int) -> Fact:
    """What a unit or a list takes of the army points."""
    return Fact("points", {"points": points}, points)


def _worth(people: People, word: str) -> Fact | None:
    entries = () if word == OWN else _sample(people, word)
    points = sum([people.by_key[entry.profile].cost(entry.count) for entry in entries])
    return in_points(points) if points else None


def sold(
    people: People, sizes: Callable[[str], tuple[int, int] | None] | None = None
) -> Callable[[str], Fact | None]:
    """The facts of profiles that are chosen: what a figure costs, and the chiefs of a unit.

    sizes: least and most figures of a profile; where both are one, the unit is paid at once.
    """

    def fact(key: str) -> Fact | None:
        profile = people.by_key.get(key)
        if profile is None:
            return None
        several = profile.size[1] > 1
        figures = {"points": profile.points, "several": several, "command": profile.command}
        least, most = (sizes and sizes(key)) or (0, 1)
        return Fact("for_sale", figures, profile.cost(least) if least == most else 0)

    return fact


def each_costs(people: People, key: str) -> Callable[[int], Fact]:
    """The fact of so many figures of a profile: what the unit takes of the army points."""
    return lambda count: in_points(people.by_key[key].cost(count))


def listed(people: People, sheet: Mapping[str, Any]) -> ArmyList:
    """The list that a filled sheet makes."""
    if sheet["list"] != OWN:
        return _sample(people, sheet["list"])
    return own_lines(people, sheet)


def _sample(people: People, word: str) -> ArmyList:
    return people.sample[int(word.removeprefix("sample_")) - 1].units


def own_lines(people: People, sheet: Mapping[str, Any]) -> ArmyList:
    """The list written line by line; a line without figures has its profile's least."""
    entries: list[Entry] = []
    for number in range(1, LONGEST + 1):
        key = sheet.get(f"line.{number}", END)
        if key == END:
            break
        least, _ = people.by_key[key].size
        entries.append(Entry(key, sheet.get(f"figures.{number}", least)))
    return tuple(entries)


def ready_list(war: War, seat: Seat) -> dict[str, Any]:
    """What is written for an absent player: the first list of his people, or of the first one."""
    sheet: dict[str, Any] = {"list": "sample_1"}
    if not seat.people:
        sheet["people"] = ""
    if not seat.catalogue:
        sheet["catalogue"] = next(iter(war.lists.peoples))
    return sheet
