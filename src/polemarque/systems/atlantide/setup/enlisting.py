"""Army lists as sheets (AT-1.9): a list ready to play, or one's own line by line.

Each line is offered so that every way on ends in a legal list: `lists.offers` keeps what core units
and the general still need.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import partial
from typing import Any

from polemarque.api import Amount, Fact, Filling, OneOf, Options, Purse, Sheet, Text
from polemarque.systems.atlantide.setup.catalogue import ArmyList, Entry, People
from polemarque.systems.atlantide.setup.lists import LONGEST, offers
from polemarque.systems.atlantide.state import POINTS_AT_START, Seat, War

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
    samples = _samples(people)
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
    """The points of a list ready to play."""
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


def _samples(people: People) -> tuple[str, ...]:
    return tuple([f"sample_{number}" for number in range(1, len(people.sample) + 1)])


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
