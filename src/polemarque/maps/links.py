"""What maps of every kind have in common: borders that answer, ways everywhere, room on the paper.

Codes, with their data, after ``map.``:

unknown_neighbour (id, neighbour), own_neighbour (id), neighbour_twice (id, neighbour)
asymmetric (id, neighbour)      one place names the other, which does not name it
isolated (id)                   a place without neighbours
disconnected (id, count)        `count` places, `id` first, cannot be reached from the first
outside (id, x, y)              a point beyond the edge of the drawing
size                            a measure that is not above 0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from polemarque.kernel.checks import Datum, Finding
from polemarque.maps.forms import Forms, Row, Steps


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
        answers = {(name, other) for name, near in zip(places, beside, strict=True)
                   for other in near}  # fmt: skip
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
