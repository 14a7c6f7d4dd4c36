"""Army lists as sheets (AT-1.9): a list ready to play, or one's own line by line.

Each line is offered so that every way on ends in a legal list: `lists.offers` keeps what core units
and the general still need.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from polemarque.api import Amount, Filling, OneOf, Options, Sheet, Text
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

    return Sheet(fill)


def list_parts(people: People, points: int) -> Generator[tuple[str, Options], Any, None]:
    """The parts of a sheet that make a list: one of those ready to play, or one's own."""
    chosen = yield "list", OneOf((*_samples(people), OWN), f"list.{people.key}")
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
        key = yield f"line.{number}", OneOf(words, "for_sale")
        if key == END:
            break
        line = lines[key]
        count = line.least
        if line.least < line.most:
            count = yield f"figures.{number}", Amount(line.least, line.most, unit="figures")
        entries = (*entries, Entry(key, count))
    return entries


def _samples(people: People) -> tuple[str, ...]:
    return tuple([f"sample_{number}" for number in range(1, len(people.sample) + 1)])


def listed(people: People, sheet: Mapping[str, Any]) -> ArmyList:
    """The list that a filled sheet makes."""
    if sheet["list"] != OWN:
        return people.sample[int(sheet["list"].removeprefix("sample_")) - 1].units
    return own_lines(people, sheet)


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
