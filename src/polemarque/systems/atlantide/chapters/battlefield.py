"""Chapter « Champ de bataille » (AT-8.4, AT-8.5): six sectors, and what lies in them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Annotated

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    QUIET,
    Filling,
    Item,
    OneOf,
    Rule,
    Sheet,
    Step,
    Sum,
    ask,
    ask_each,
    bonus,
    call,
    convert,
    explain,
    procedure,
    roll,
    script,
    tell,
    then,
    total,
)
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.tables import DATA, TABLES

SECTORS = (1, 2, 3, 4, 5, 6)
"""1-2-3 over 4-5-6, each about 60 cm square."""

POORER = (2, 5)
"""The middle sectors: -1; all others +1 (AT-8.4)."""


class Elements(msgspec.Struct, frozen=True):
    """How many elements of terrain a sector gets."""

    elements: int


class Offered(msgspec.Struct, frozen=True):
    """An element that a main terrain offers; `most` in the whole field, 0 for any number."""

    ground: str
    most: int = 0


COUNTS = TABLES.table("AT-8.4", Elements)


@cache
def elements_offered() -> dict[str, dict[str, Offered]]:
    """Elements by main terrain (AT-8.5)."""
    raw = tomllib.loads((DATA / "elements.toml").read_text(encoding="utf-8"))
    return convert(raw, dict[str, dict[str, Offered]])


def sector_modifier(sector: int) -> Sum:
    """-1 in the middle sectors, +1 in the others (AT-8.4)."""
    return bonus("AT-8.4", -1 if sector in POORER else 1, "sector")


@procedure("AT-8.4")
def elements_of_sector(sector: Annotated[int, msgspec.Meta(ge=1, le=6)]) -> Rule[Elements]:
    """How many elements lie in a sector, 1 to 6 (a total of 7 counts as 6)."""
    modifier = sector_modifier(sector)
    yield from explain(modifier)
    die = yield from roll(1, D6, read=total, why="elements")
    return COUNTS.row(die + modifier.total)


def terrain_items(number: int, first: str, second: str) -> list[Item]:
    """What laying the terrain of a battle takes; `first` decides for sectors 1, 3 and 5."""
    return [then(sectors_are_rolled, number, first, second)]


@script("AT-8.4/sectors")
def sectors_are_rolled(war: War, number: int, first: str, second: str) -> Step[War]:
    """A die a sector says how many elements it gets."""
    counts = []
    for sector in SECTORS:
        found = yield from call(elements_of_sector, sector)
        counts.append(found.elements)
    yield from tell("AT-8.4", "counts", place=war.battles[number].place, counts=counts)
    return war, [then(elements_are_chosen, number, first, second, tuple(counts))]


@script("AT-8.5")
def elements_are_chosen(
    war: War, number: int, first: str, second: str, counts: tuple[int, ...]
) -> Step[War]:
    """Each chooses the elements of his sectors, openly, one after the other.

    Both may agree to begin again.
    """
    battle = war.battles[number]
    terrain, place = war.lands[battle.place].terrain, battle.place
    laid: dict[str, str] = {}
    for seat, his in ((first, SECTORS[::2]), (second, SECTORS[1::2])):
        parts = _parts(his, counts)
        sheet = _elements_sheet(terrain, parts, _rare_left(terrain, laid))
        if parts:
            laid |= yield from ask(seat, sheet, absent=QUIET, subject=place)
    sectors = tuple([_in_sector(laid, sector) for sector in SECTORS])
    yield from tell("AT-8.5", "laid", place=place, sectors=[list(sector) for sector in sectors])
    again = yield from ask_each(
        (first, second), OneOf(("keep", "again"), "terrain_again"), absent="keep",
        subject=f"{place}:again", once=True,
    )  # fmt: skip
    if set(again.values()) == {"again"}:
        yield from tell("AT-8.5", "again", place=place)
        return war, [then(sectors_are_rolled, number, first, second)]
    fought = war.battles
    battle = replace(battle, sectors=sectors)
    return replace(war, battles=(*fought[:number], battle, *fought[number + 1 :])), []


def _parts(sectors: tuple[int, ...], counts: tuple[int, ...]) -> list[str]:
    return [f"sector.{s}.{nth}" for s in sectors for nth in range(1, counts[s - 1] + 1)]


def _in_sector(laid: Mapping[str, str], sector: int) -> tuple[str, ...]:
    return tuple([what for part, what in laid.items() if part.startswith(f"sector.{sector}.")])


def _rare_left(terrain: str, laid: Mapping[str, str]) -> dict[str, int]:
    """What the field may have few of only, and how many more (a bridge, two fords)."""
    there = list(laid.values())
    return {
        name: what.most - there.count(name)
        for name, what in elements_offered()[terrain].items()
        if what.most
    }


def _elements_sheet(terrain: str, parts: list[str], rare: Mapping[str, int]) -> Sheet:
    def fill() -> Filling:
        left = dict(rare)
        for part in parts:
            words = [name for name in elements_offered()[terrain] if left.get(name, 1)]
            name = yield part, OneOf(tuple(words), "element")
            if name in left:
                left[name] -= 1

    return Sheet(fill)
