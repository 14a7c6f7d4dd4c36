"""Maps of provinces: a graph with names, terrain and cities, and the shapes to draw it with.

What a map means is the systems' business. Looking things up costs one dictionary access and
finding a way one breadth-first search; nothing here measures distances on paper.

The form of a map file is that of ``systems/atlantide/data/island.toml``; what can be wrong with
one is said by `polemarque.maps.province_checks`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from polemarque.kernel.files.decoding import convert
from polemarque.kernel.files.findings import CheckFailed, Finding

Point: TypeAlias = tuple[float, float]
"""x to the right and y downwards, in units of the drawing."""

Polygon: TypeAlias = tuple[Point, ...]
"""Corners in order; the last one is joined to the first."""

Passable: TypeAlias = Callable[[str], bool]
"""Whether a province may be entered; it is asked of the province's id."""

NO_CITY = "none"


class MapRefused(CheckFailed, ValueError):
    """A map file that cannot be used. `findings` say why."""


class Kingdom(msgspec.Struct, frozen=True):
    """A group of provinces; `names` by language."""

    id: str
    names: dict[str, str]


class Province(msgspec.Struct, frozen=True):
    """One province.

    id:         short identifier, unique on the map.
    kingdom:    id of its kingdom.
    names:      by language.
    city, terrain: words of the map's own vocabulary; `NO_CITY` for none.
    coastal:    whether it touches the sea.
    label:      where its name is best written.
    neighbours: ids of adjacent provinces, in the file's order.
    polygon:    its outline, which shares its points with those of the neighbours.
    """

    id: str
    kingdom: str
    names: dict[str, str]
    city: str
    terrain: str
    coastal: bool
    label: Point
    neighbours: tuple[str, ...]
    polygon: Polygon


class ProvinceMap(msgspec.Struct, frozen=True, dict=True):
    """A whole map. Provinces and kingdoms stand in the file's order, as does whatever lists them.

    size:   width and height of the drawing, in its units.
    stadia: stadia in one unit of the drawing.
    islets: land that belongs to nobody and is only drawn.

    Look-ups are made when first used.
    """

    id: str
    names: dict[str, str]
    size: Point
    stadia: float
    kingdoms: tuple[Kingdom, ...]
    provinces: tuple[Province, ...]
    islets: tuple[Polygon, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, Province]:
        """Province by id."""
        return {province.id: province for province in self.provinces}

    @cached_property
    def adjacency(self) -> dict[str, tuple[str, ...]]:
        """Neighbours by id, for loops too hot for a method call."""
        return {province.id: province.neighbours for province in self.provinces}

    @cached_property
    def by_kingdom(self) -> dict[str, tuple[Province, ...]]:
        """The provinces of each kingdom."""
        return {
            kingdom.id: tuple([p for p in self.provinces if p.kingdom == kingdom.id])
            for kingdom in self.kingdoms
        }

    def neighbours(self, place: str) -> tuple[str, ...]:
        """Provinces adjacent to one. Raises KeyError on an unknown one."""
        return self.adjacency[place]

    def within(self, start: str, passable: Passable) -> tuple[str, ...]:
        """What can be reached through passable provinces only, nearest first, `start` included.

        The start itself need not be passable. Raises KeyError on an unknown one.
        """
        adjacency = self.adjacency
        if start not in adjacency:
            raise KeyError(start)
        reached = {start: True}
        queue = deque((start,))
        while queue:
            for beside in adjacency[queue.popleft()]:
                if beside not in reached and passable(beside):
                    reached[beside] = True
                    queue.append(beside)
        return tuple(reached)


def build_map(content: dict[str, Any]) -> ProvinceMap:
    """The map that a file's content describes; the content must be free of findings."""
    tables = {"kingdoms": "kingdom", "provinces": "territory"}
    rows = {field: [named(row) for row in content[table]] for field, table in tables.items()}
    islets = [row["polygon"] for row in content.get("islet", ())]
    return convert({**named(content["map"]), **rows, "islets": islets}, ProvinceMap)


def named(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with the file's `name` under the plural that the program uses."""
    return {"names" if field == "name" else field: value for field, value in row.items()}


def load_map(path: Path | str) -> ProvinceMap:
    """The map of a file. Raises MapRefused, with everything that is wrong with it."""
    from polemarque.maps.province_checks import examined

    content, findings = examined(path)
    if findings:
        raise MapRefused(findings)
    return build_map(content)


def check_map(path: Path | str) -> tuple[Finding, ...]:
    """Everything that is wrong with a map file, in its order; none if it can be loaded.

    The codes are listed in `polemarque.maps.province_checks`.
    """
    from polemarque.maps.province_checks import examined

    return examined(path)[1]


# What is where, found out once for dictionaries that are never changed in place ------------------

T = TypeVar("T")
V = TypeVar("V")


class Owned(Protocol):
    """A province as a game keeps it."""

    @property
    def owner(self) -> str | None:
        """The seat that holds it, or None."""
        ...


class Latest(Generic[T, V]):
    """What was found out about the value asked about last, which is never changed in place."""

    def __init__(self, find: Callable[[T], V]) -> None:
        self._find = find
        self._last: tuple[T, V] | None = None

    def of(self, value: T) -> V:
        """What is found out about this value."""
        last = self._last
        if last is not None and last[0] is value:
            return last[1]
        found = self._find(value)
        self._last = value, found
        return found


class Holdings:
    """Who holds what: kept for the provinces asked about last."""

    def __init__(self) -> None:
        self._last: tuple[Any, Any, dict[str | None, tuple[str, ...]]] = (None, None, {})

    def of(
        self, places: tuple[str, ...], lands: Mapping[str, Owned]
    ) -> dict[str | None, tuple[str, ...]]:
        """Provinces by owner (None: nobody), in the order of `places`."""
        known_places, known_lands, held = self._last
        if known_lands is not lands or known_places is not places:
            by_owner: dict[str | None, list[str]] = {}
            for place in places:
                by_owner.setdefault(lands[place].owner, []).append(place)
            held = {owner: tuple(theirs) for owner, theirs in by_owner.items()}
            self._last = places, lands, held
        return held
