"""The map of a campaign: provinces, sea zones, what borders on what, and how far it is (MN-F9).

What the rules see of a map file; the shapes, which only a drawing needs, stand elsewhere
(`polemarque.report.sea.outlines`).  Looking things up costs one dictionary access; distances are
found once from each place and kept with the atlas.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec

from polemarque.api import convert
from polemarque.api.files import Finding
from polemarque.api.maps import MapRefused, Point
from polemarque.systems.mare_nostrum.setup.army_lists import ArmyLists

MEDITERRANEAN = Path(__file__).parents[1] / "data" / "mediterranean.toml"
"""The project's own map of 300 BC."""


TERRAINS = ("plains", "hills", "mountains", "forest", "marsh", "desert")
"""What lands are like, for the battles fought there (PA-1)."""


class Province(msgspec.Struct, frozen=True):
    """A land province.

    id:          short identifier; no province or zone shares it.
    names:       of the province, by language: fr, en and ancient.
    capital:     names of its city, likewise.
    port:        whether the city is a port; only a port may have an arsenal or be blockaded.
    arsenal, fortress: whether the city has one when a campaign begins.
    terrain:     where its battles are fought, one of `TERRAINS`; "" where nobody has said.
    demographic: demographic factor, 1 to 20.
    resources:   what it produces, keys of the resource table; one may stand twice.
    mercenaries: the kind of mercenaries to be hired there, a key of the army lists; "" for none.
    army_list:   the list of an army raised there, a key of the army lists.
    culture:     for the racial factor (MN-F3).
    regime:      how it is governed when a campaign begins (MN-F3, MN-F7).
    protector:   domain of its protector god, such as "war"; "" where nobody may begin.
    deity:       names of that god; empty likewise.
    neighbours:  ids of adjacent provinces, in the file's order.
    zones:       ids of the sea zones it touches; empty inland.
    label:       where its name is best written.
    site:        where its city stands.
    """

    id: str
    names: dict[str, str]
    capital: dict[str, str]
    demographic: int
    army_list: str
    culture: str
    regime: str
    neighbours: tuple[str, ...]
    label: Point
    site: Point
    terrain: str = ""
    zones: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    mercenaries: str = ""
    port: bool = False
    arsenal: bool = False
    fortress: bool = False
    protector: str = ""
    deity: dict[str, str] = {}

    @property
    def coastal(self) -> bool:
        """Whether it touches the sea."""
        return bool(self.zones)


class Zone(msgspec.Struct, frozen=True):
    """A sea zone; `neighbours` are zones, in the file's order, `label` where its name stands."""

    id: str
    names: dict[str, str]
    neighbours: tuple[str, ...]
    label: Point


class Atlas(msgspec.Struct, frozen=True, dict=True):
    """A whole map.  Provinces and zones stand in the file's order, as does whatever lists them.

    size:  width and height of the drawing, in its units.
    homes: provinces where a player may begin, in the order in which seats take them.

    Look-ups are made when first used.
    """

    id: str
    names: dict[str, str]
    size: Point
    homes: tuple[str, ...]
    provinces: tuple[Province, ...]
    zones: tuple[Zone, ...]

    @cached_property
    def by_id(self) -> dict[str, Province]:
        """Province by id."""
        return {province.id: province for province in self.provinces}

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """All provinces."""
        return tuple(self.by_id)

    @cached_property
    def zone_by_id(self) -> dict[str, Zone]:
        """Sea zone by id."""
        return {zone.id: zone for zone in self.zones}

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Every place: provinces, then zones."""
        return (*self.by_id, *self.zone_by_id)

    def names_of(self, place: str) -> dict[str, str]:
        """What a province or sea zone is called, by language."""
        return (self.by_id.get(place) or self.zone_by_id[place]).names

    @cached_property
    def coasts(self) -> dict[str, tuple[str, ...]]:
        """The provinces that each zone touches, by zone."""
        return {
            zone.id: tuple([p.id for p in self.provinces if zone.id in p.zones])
            for zone in self.zones
        }

    @cached_property
    def around(self) -> dict[str, tuple[str, ...]]:
        """Every place's adjacent places of both kinds: provinces first, then zones."""
        land = {p.id: (*p.neighbours, *p.zones) for p in self.provinces}
        sea = {z.id: (*self.coasts[z.id], *z.neighbours) for z in self.zones}
        return land | sea

    @cached_property
    def surroundings(self) -> dict[str, frozenset[str]]:
        """Every place together with its adjacent places of both kinds."""
        return {place: frozenset((place, *near)) for place, near in self.around.items()}

    def neighbours_of(self, place: str) -> tuple[str, ...]:
        """Places of its own kind that it borders on: provinces of a province, zones of a zone.

        Raises KeyError on an unknown place.
        """
        if place in self.zone_by_id:
            return self.zone_by_id[place].neighbours
        return self.by_id[place].neighbours

    def zones_of(self, province: str) -> tuple[str, ...]:
        """The zones that a province touches; none inland.  Raises KeyError if it is unknown."""
        return self.by_id[province].zones

    def provinces_of(self, zone: str) -> tuple[str, ...]:
        """The provinces that a zone touches.  Raises KeyError if it is unknown."""
        return self.coasts[zone]

    def adjacent(self, one: str, other: str) -> bool:
        """Whether two places touch, of whatever kind they are."""
        return other in self.around[one]

    def distance(self, start: str, end: str) -> int | None:
        """Places entered on a shortest way by land and sea, each counting 1 (MN-F4, caravans).

        0 for the place itself, None if no way leads there.  Raises KeyError on an unknown start.
        """
        return self.distances(start).get(end)

    def sea_distance(self, start: str, end: str) -> int | None:
        """Zones entered on a shortest way by sea alone, for fleets (MN-F4); None without one."""
        return self.sea_distances(start).get(end)

    def distances(self, start: str) -> dict[str, int]:
        """Distance of every place that can be reached from one by land and sea, nearest first."""
        return self._searched(start, self.around, self._by_both)

    def sea_distances(self, start: str) -> dict[str, int]:
        """Distance of every zone that can be reached from one, nearest first."""
        return self._searched(start, self._sea_lanes, self._by_sea)

    def open_distances(self, start: str, closed: Collection[str]) -> dict[str, int]:
        """As `distances`, by ways that enter none of the closed places."""
        if not closed:
            return self.distances(start)
        near = {
            place: tuple([one for one in beside if one not in closed])
            for place, beside in self.around.items()
        }
        return self._searched(start, near, {})

    def provinces_from(self, start: str, barred: str) -> tuple[str, ...]:
        """Provinces that can be reached from a place, nearest first, but for one."""
        found = self._from.get((start, barred))
        if found is None:
            reached = self.distances(start)
            found = tuple([place for place in reached if place in self.by_id and place != barred])
            self._from[start, barred] = found
        return found

    def next_steps(self, place: str, goal: str) -> tuple[str, ...]:
        """Adjacent places that are one nearer to a goal, by land and sea; none at the goal."""
        found = self._steps.get((place, goal))
        if found is None:
            far = self.distances(goal)
            here = far.get(place, 0)
            found = tuple([near for near in self.around[place] if far.get(near, here) < here])
            self._steps[place, goal] = found
        return found

    def on_the_way(self, place: str, start: str, end: str) -> bool:
        """Whether a place lies on a shortest way by land and sea from one place to another."""
        far = self.distances(place)
        return start in far and end in far and far[start] + far[end] == self.distance(start, end)

    @cached_property
    def _sea_lanes(self) -> dict[str, tuple[str, ...]]:
        return {zone.id: zone.neighbours for zone in self.zones}

    @cached_property
    def _from(self) -> dict[tuple[str, str], tuple[str, ...]]:
        return {}

    @cached_property
    def _steps(self) -> dict[tuple[str, str], tuple[str, ...]]:
        return {}

    @cached_property
    def _by_both(self) -> dict[str, dict[str, int]]:
        return {}

    @cached_property
    def _by_sea(self) -> dict[str, dict[str, int]]:
        return {}

    @staticmethod
    def _searched(
        start: str, near: Mapping[str, tuple[str, ...]], kept: dict[str, dict[str, int]]
    ) -> dict[str, int]:
        """Breadth first, once from each start."""
        if start in kept:
            return kept[start]
        found = {start: 0}
        queue = deque((start,))
        while queue:
            place = queue.popleft()
            for beside in near[place]:
                if beside not in found:
                    found[beside] = found[place] + 1
                    queue.append(beside)
        kept[start] = found
        return found


@cache
def load_atlas(path: Path | str | None = None) -> Atlas:
    """The atlas of a file, or the shipped one; read once, so a changed file is not seen again.

    Raises MapRefused, with everything that is wrong with the file.
    """
    from polemarque.systems.mare_nostrum.setup.atlas_checks import examined

    content, findings = examined(MEDITERRANEAN if path is None else path)
    if findings:
        raise MapRefused(findings)
    return build_atlas(content)


def read_atlas(document: Mapping[str, Any], lists: ArmyLists | None = None) -> Atlas:
    """The atlas that a set-up gives as plain data.

    lists: the army lists that go with it; None: the shipped ones.
    Raises MapRefused with every fault.
    """
    from polemarque.systems.mare_nostrum.setup.atlas_checks import content_faults

    findings = content_faults(dict(document), lists)
    if findings:
        raise MapRefused(findings)
    return build_atlas(document)


def check_atlas(path: Path | str) -> tuple[Finding, ...]:
    """Everything that is wrong with a map file, in its order; none if it can be loaded.

    The codes are listed in `atlas_checks`.
    """
    from polemarque.systems.mare_nostrum.setup.atlas_checks import examined

    return examined(path)[1]


def build_atlas(content: Mapping[str, Any]) -> Atlas:
    """The atlas that a file's content describes; the content must be free of findings."""
    head = content["map"]
    return convert(
        {
            "id": head["id"],
            "names": head["name"],
            "size": head["size"],
            "homes": head["homes"],
            "provinces": [_renamed(row) for row in content["province"]],
            "zones": [_renamed(row) for row in content["zone"]],
        },
        Atlas,
    )


def _renamed(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with the file's `name` under the plural that the program uses."""
    return {"names" if field == "name" else field: value for field, value in row.items()}
