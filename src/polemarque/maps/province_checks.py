"""Checks of a map file: every fault, each with its file, line and place.

Codes, with their data: those of `read_toml`, those of `forms` and `links` after ``map.``, and

map.terrain, map.city (word, known), map.kingdom (id)    a word or kingdom the map does not declare
map.cities (id, count)            a kingdom without exactly one city
map.empty_kingdom (id)            a kingdom without territory
map.polygon (id, count)           an outline of fewer than three different points
map.stadia                        a measure that is not above 0
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from polemarque.kernel.checks import Finding, examined_file, in_order
from polemarque.maps.forms import Steps
from polemarque.maps.links import MapChecker
from polemarque.maps.provinces import NO_CITY

_NAMED = {"id": "text", "name": "names"}
FIELDS = {
    "map": {**_NAMED, "size": "point", "stadia": "number", "terrains": "texts", "cities": "texts"},
    "kingdom": _NAMED,
    "territory": {
        **_NAMED,
        "kingdom": "text",
        "city": "text",
        "terrain": "text",
        "coastal": "yes_no",
        "label": "point",
        "neighbours": "texts",
        "polygon": "points",
    },
    "islet": {"polygon": "points"},
}
"""What each table of a map file must have, and of which kind."""


def examined(path: Path | str) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """The content of a map file ({} if it cannot be read) and everything wrong with it."""
    return examined_file(path, content_faults)


def content_faults(
    content: dict[str, Any], file: str = "", text: str = "", within: Steps = ()
) -> tuple[Finding, ...]:
    """Everything that is wrong with a map given as plain data, as a set-up may.

    file, text, within: the file that holds it, its text, and where in it; none: without lines.
    """
    return in_order(_Checker(file, content, text, within).findings())


class _Checker(MapChecker):
    """Looks at the content of one map of provinces."""

    fields = FIELDS
    required = ("map", "kingdom", "territory")

    def __init__(self, file: str, content: dict[str, Any], text: str, within: Steps = ()) -> None:
        super().__init__(file, content, text, within)
        self.kingdoms = self.rows("kingdom")
        self.territories = self.rows("territory")

    def findings(self) -> Iterator[Finding]:
        """Every fault, in no order."""
        yield from self.form()
        yield from self.identifiers()
        yield from self.names()
        yield from self.words()
        yield from self.borders("territory")
        yield from self.isolated("territory")
        yield from self.reach("territory")
        yield from self.cities()
        yield from self.shapes()

    def words(self) -> Iterator[Finding]:
        """Terrains, cities and kingdoms that the map does not declare."""
        terrains = self.good("map", self.head_row, "terrains")
        cities = self.good("map", self.head_row, "cities")
        known = {self.good("kingdom", row, "id") for row in self.kingdoms}
        for number, row in enumerate(self.territories):
            at, place = ("territory", number), self.called("territory", number)
            word = self.good("territory", row, "terrain")
            if terrains is not None and word is not None and word not in terrains:
                said = ", ".join(terrains)
                yield self.fault("map.terrain", *at, "terrain", place=place, word=word, known=said)
            word = self.good("territory", row, "city")
            if cities is not None and word is not None and word not in cities:
                said = ", ".join(cities)
                yield self.fault("map.city", *at, "city", place=place, word=word, known=said)
            word = self.good("territory", row, "kingdom")
            if word is not None and word not in known:
                yield self.fault("map.kingdom", *at, "kingdom", place=place, id=word)

    def cities(self) -> Iterator[Finding]:
        """Kingdoms without territory, or without exactly one city."""
        lands: Counter[str] = Counter()
        cities: Counter[str] = Counter()
        for row in self.territories:
            kingdom = self.good("territory", row, "kingdom")
            city = self.good("territory", row, "city")
            lands[kingdom] += 1
            cities[kingdom] += city not in (None, NO_CITY)
        for number, row in enumerate(self.kingdoms):
            if (name := self.good("kingdom", row, "id")) is None:
                continue
            at, place = ("kingdom", number), f"kingdom {name}"
            if not lands[name]:
                yield self.fault("map.empty_kingdom", *at, place=place, id=name)
            elif cities[name] != 1:
                yield self.fault("map.cities", *at, place=place, id=name, count=cities[name])

    def shapes(self) -> Iterator[Finding]:
        """Measures that are not above 0, outlines that are none, points off the paper."""
        yield from self.paper()
        stadia = self.good("map", self.head_row, "stadia")
        if stadia is not None and stadia <= 0:
            yield self.fault("map.stadia", "map", "stadia", place="map")
        for kind, row, steps, place in self.tables():
            outline = self.good(kind, row, "polygon") if "polygon" in FIELDS[kind] else None
            if outline is None:
                continue
            name = row.get("id", place)
            if (count := len({tuple(point) for point in outline})) < 3:
                yield self.fault(
                    "map.polygon", *steps, "polygon", place=place, id=name, count=count
                )
            spots: list[tuple[Steps, Any]] = [
                ((*steps, "polygon", index), point) for index, point in enumerate(outline)
            ]
            if kind == "territory" and (label := self.good(kind, row, "label")) is not None:
                spots.append(((*steps, "label"), label))
            yield from self.outside(name, place, spots)
