"""Checks of a map file: every fault, each with its file, line and place.

Codes, with their data: those of `read_toml`, those of `forms` after ``map.``, and

map.unknown_neighbour (id, neighbour), map.own_neighbour (id)
map.neighbour_twice (id, neighbour)
map.asymmetric (id, neighbour)    one place names the other, which does not name it
map.isolated (id)                 a place without neighbours
map.disconnected (id, count)      `count` places, `id` first, cannot be reached from the first
map.outside (id, x, y)            a point beyond the edge of the drawing
map.size                          a measure that is not above 0
map.terrain, map.city (word, known), map.kingdom (id)    a word or kingdom the map does not declare
map.cities (id, count)            a kingdom without exactly one city
map.empty_kingdom (id)            a kingdom without territory
map.polygon (id, count)           an outline of fewer than three different points
map.stadia                        a measure that is not above 0
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from polemarque.kernel.files.findings import Datum, Finding, examined_file, in_order
from polemarque.maps.provinces import NO_CITY
from polemarque.maps.table_schema import Forms, Row, Steps


class MapChecker(Forms):
    """A checker of a map: its places are rows with an `id` and `neighbours` of the same table."""

    prefix = "map"

    def __init__(self, file: str, content: dict[str, Any], text: str, within: Steps = ()) -> None:
        super().__init__(file, content, text, within)
        heads = self.rows("map")
        self.head_row: Row = heads[0] if heads else {}
        self._ids: dict[str, list[str | None]] = {}

    def ids(self, table: str) -> list[str | None]:
        """The id of each place of a table; None where it is missing."""
        if table not in self._ids:
            self._ids[table] = [self.good(table, row, "id") for row in self.rows(table)]
        return self._ids[table]

    def near(self, table: str) -> list[list[str]]:
        """The neighbours that each place of a table names."""
        return [self.good(table, row, "neighbours") or [] for row in self.rows(table)]

    def called(self, table: str, number: int) -> str:
        """How findings call a place."""
        return f"{table} {self.ids(table)[number] or number + 1}"

    def borders(self, table: str) -> Iterator[Finding]:
        """Neighbours that are unknown, repeated, or do not answer."""
        places, beside = self.ids(table), self.near(table)
        known = set(places)
        answers = {
            (name, other) for name, near in zip(places, beside, strict=True) for other in near
        }
        for number, (name, near) in enumerate(zip(places, beside, strict=True)):
            if name is None:
                continue
            place = f"{table} {name}"
            first = {other: index for index, other in reversed([*enumerate(near)])}
            for index, other in enumerate(near):
                at: Steps = (table, number, "neighbours", index)
                data: dict[str, Datum] = {"id": name, "neighbour": other}
                if other == name:
                    yield self.fault("map.own_neighbour", *at, place=place, id=name)
                elif other not in known:
                    yield self.fault("map.unknown_neighbour", *at, place=place, **data)
                elif first[other] < index:
                    yield self.fault("map.neighbour_twice", *at, place=place, **data)
                elif (other, name) not in answers:
                    yield self.fault("map.asymmetric", *at, place=place, **data)

    def isolated(self, table: str) -> Iterator[Finding]:
        """Places without any neighbour."""
        for number, row in enumerate(self.rows(table)):
            name = self.good(table, row, "id")
            if name is not None and self.good(table, row, "neighbours") == []:
                at: Steps = (table, number, "neighbours")
                yield self.fault("map.isolated", *at, place=f"{table} {name}", id=name)

    def reach(self, *tables: str, across: Iterable[tuple[str, str]] = ()) -> Iterator[Finding]:
        """Places that no way leads to from the first, each group once.

        across: ways between places of different tables.  A border counts if either side names it;
        places without any are not told twice.
        """
        starts = {
            name: (table, number)
            for table in tables
            for number, name in enumerate(self.ids(table))
            if name is not None
        }
        links: dict[str, list[str]] = {name: [] for name in starts}
        named = [
            (name, other)
            for table in tables
            for name, near in zip(self.ids(table), self.near(table), strict=True)
            for other in near
            if name is not None
        ]
        for name, other in (*named, *across):
            if name in links and other in links and other != name:
                links[name].append(other)
                links[other].append(name)
        seen: set[str] = set()
        for start, at in starts.items():
            if start in seen:
                continue
            first, group = not seen, [start]
            seen.add(start)
            for place in group:
                fresh = [other for other in dict.fromkeys(links[place]) if other not in seen]
                seen.update(fresh)
                group += fresh
            if not first and links[start]:
                data: dict[str, Datum] = {"id": start, "count": len(group)}
                yield self.fault("map.disconnected", *at, place=f"{at[0]} {start}", **data)

    def paper(self) -> Iterator[Finding]:
        """A drawing without width or height."""
        size = self.good("map", self.head_row, "size")
        if size is not None and min(size) <= 0:
            yield self.fault("map.size", "map", "size", place="map")

    def outside(
        self, name: str, place: str, spots: Iterable[tuple[Steps, Any]]
    ) -> Iterator[Finding]:
        """Points beyond the edge of the drawing, each with its steps."""
        size = self.good("map", self.head_row, "size")
        for steps, (x, y) in spots:
            if size is not None and not (0 <= x <= size[0] and 0 <= y <= size[1]):
                data: dict[str, Datum] = {"id": name, "x": f"{x:g}", "y": f"{y:g}"}
                yield self.fault("map.outside", *steps, place=place, **data)


# Provinces ---------------------------------------------------------------------------------------

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
