"""Maps of provinces: a graph with names, terrain and cities, and the shapes to draw it with.

What a map means is the systems' business. Looking things up costs one dictionary access and
finding a way one breadth-first search; nothing here measures distances on paper.

The form of a map file is that of ``systems/atlantide/data/island.toml``; what can be wrong with
one is said by `polemarque.maps.province_checks`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from polemarque.kernel.checks import CheckFailed, Finding

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

    @property
    def has_city(self) -> bool:
        """Whether a city of any kind stands there."""
        return self.city != NO_CITY


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
        return tuple(self._searched(start, passable))

    def shortest_path(
        self, start: str, goals: Collection[str], passable: Passable
    ) -> tuple[str, ...] | None:
        """A shortest way from `start` to a goal, both included, or None.

        Every province entered must be passable, the goal too; the start need not be. Of several
        shortest ways the one whose first difference comes first in the neighbours' order.
        Raises KeyError on an unknown start.
        """
        came_from: dict[str, str] = {}
        for place in self._searched(start, passable, came_from):
            if place in goals:
                path = [place]
                while path[-1] != start:
                    path.append(came_from[path[-1]])
                return tuple(reversed(path))
        return None

    def _searched(
        self, start: str, passable: Passable, came_from: dict[str, str] | None = None
    ) -> Iterator[str]:
        """Breadth first; `came_from` learns from where each province was reached."""
        adjacency = self.adjacency
        seen = {start}
        queue = deque((start,))
        if start not in adjacency:
            raise KeyError(start)
        while queue:
            place = queue.popleft()
            yield place
            for beside in adjacency[place]:
                if beside not in seen and passable(beside):
                    seen.add(beside)
                    queue.append(beside)
                    if came_from is not None:
                        came_from[beside] = place


def build_map(content: dict[str, Any]) -> ProvinceMap:
    """The map that a file's content describes; the content must be free of findings."""
    head = content["map"]
    provinces = [
        Province(
            id=row["id"],
            kingdom=row["kingdom"],
            names=dict(row["name"]),
            city=row["city"],
            terrain=row["terrain"],
            coastal=row["coastal"],
            label=_point(row["label"]),
            neighbours=tuple(row["neighbours"]),
            polygon=_polygon(row["polygon"]),
        )
        for row in content["territory"]
    ]
    return ProvinceMap(
        id=head["id"],
        names=dict(head["name"]),
        size=_point(head["size"]),
        stadia=head["stadia"],
        kingdoms=tuple([Kingdom(row["id"], dict(row["name"])) for row in content["kingdom"]]),
        provinces=tuple(provinces),
        islets=tuple([_polygon(row["polygon"]) for row in content.get("islet", ())]),
    )


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


def _point(pair: list[float]) -> Point:
    return float(pair[0]), float(pair[1])


def _polygon(pairs: list[list[float]]) -> Polygon:
    return tuple([_point(pair) for pair in pairs])
