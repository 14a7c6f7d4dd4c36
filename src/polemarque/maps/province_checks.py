"""Checks of a map file: every fault, each with its file, line and place.

Codes, with their data: those of `read_toml`, and

map.missing_field (field), map.unknown_field (field), map.type (field, wanted)  the form of a table
map.no_table (table)              no [map], no [[kingdom]] or no [[territory]]
map.duplicate (kind, id, first)   an id used twice; `first` is the line of the first use
map.slug (id)                     an id that is not made of a-z, 0-9 and _
map.translation (id, language)    a name that is missing or empty in a language
map.terrain, map.city (word, known), map.kingdom (id)    a word or kingdom the map does not declare
map.unknown_neighbour (id, neighbour), map.own_neighbour (id), map.neighbour_twice (id, neighbour)
map.asymmetric (id, neighbour)    one territory names the other, which does not name it
map.isolated (id)                 a territory without neighbours
map.disconnected (id, count)      `count` territories, `id` first, cannot be reached from the first
map.cities (id, count)            a kingdom without exactly one city
map.empty_kingdom (id)            a kingdom without territory
map.polygon (id, count)           an outline of fewer than three different points
map.outside (id, x, y)            a point beyond the edge of the drawing
map.size, map.stadia              a measure that is not above 0
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from polemarque.kernel.checks import Datum, Finding, Lines, Step, in_order, read_toml
from polemarque.kernel.texts import LANGUAGES
from polemarque.maps.provinces import NO_CITY

Steps = tuple[Step, ...]
Row = dict[str, Any]


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _is_point(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


def _list_of(good: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(good, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


KINDS: dict[str, Callable[[Any], bool]] = {
    "text": _is_text,
    "yes_no": lambda value: isinstance(value, bool),
    "number": _is_number,
    "point": _is_point,
    "texts": _list_of(_is_text),
    "points": _list_of(_is_point),
    "names": lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
}

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

_SLUG = re.compile(r"[a-z][a-z0-9_]*")


def examined(path: Path | str) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """The content of a map file ({} if it cannot be read) and everything wrong with it."""
    read = read_toml(path)
    if isinstance(read, Finding):
        return {}, (read,)
    content, text = read
    return content, in_order(_Checker(str(path), content, text).findings())


def content_faults(content: dict[str, Any]) -> tuple[Finding, ...]:
    """Everything that is wrong with a map given as plain data, as a set-up may; without lines."""
    return in_order(_Checker("", content, "").findings())


class _Checker:
    """Looks at the content of one file; fields of a wrong kind are reported once and then left."""

    def __init__(self, file: str, content: dict[str, Any], text: str) -> None:
        self.file, self.content, self.lines = file, content, Lines(text)
        head = content.get("map")
        self.head: Row = head if isinstance(head, dict) else {}
        self.kingdoms = self.rows("kingdom")
        self.territories = self.rows("territory")
        self.places = [self.good("territory", row, "id") for row in self.territories]
        self.near = [self.good("territory", row, "neighbours") or [] for row in self.territories]

    def findings(self) -> Iterator[Finding]:
        """Every fault, in no order."""
        yield from self.form()
        yield from self.identifiers()
        yield from self.names()
        yield from self.words()
        yield from self.borders()
        yield from self.reach()
        yield from self.cities()
        yield from self.shapes()

    def fault(self, code: str, /, *steps: Step, place: str = "", **data: Datum) -> Finding:
        """A finding, put where the steps lead in the file."""
        return Finding(self.file, self.lines.of(*steps), place, code, data)

    def rows(self, table: str) -> list[Row]:
        """The tables of one kind; [] if there are none of the right form."""
        given = self.content.get(table, [])
        rows = given if isinstance(given, list) else []
        return [row if isinstance(row, dict) else {} for row in rows]

    @staticmethod
    def good(table: str, row: Row, field: str) -> Any:
        """The value of a field, or None if it is missing or of the wrong kind."""
        value = row.get(field)
        return value if field in row and KINDS[FIELDS[table][field]](value) else None

    def named(self, number: int) -> str:
        """How findings call a territory."""
        return f"territory {self.places[number] or number + 1}"

    # --- each table by itself --------------------------------------------------------------------

    def tables(self) -> Iterator[tuple[str, Row, Steps, str]]:
        """Every table: its kind, content, steps and what findings call it."""
        yield "map", self.head, ("map",), "map"
        for kind in ("kingdom", "territory", "islet"):
            for number, row in enumerate(self.rows(kind)):
                name = self.good(kind, row, "id") if "id" in FIELDS[kind] else None
                yield kind, row, (kind, number), f"{kind} {name or number + 1}"

    def form(self) -> Iterator[Finding]:
        """Tables and fields that are missing, unknown or of the wrong kind."""
        for table in ("map", "kingdom", "territory"):
            if not (self.head if table == "map" else self.rows(table)):
                yield self.fault("map.no_table", table, table=table)
        for table in self.content:
            if table not in FIELDS:
                yield self.fault("map.unknown_field", table, field=table)
        for kind, row, steps, place in self.tables():
            if kind == "map" and not row:
                continue
            for field, wanted in FIELDS[kind].items():
                if field not in row:
                    yield self.fault("map.missing_field", *steps, place=place, field=field)
                elif not KINDS[wanted](row[field]):
                    data: dict[str, Datum] = {"field": field, "wanted": wanted}
                    yield self.fault("map.type", *steps, field, place=place, **data)
            for field in row:
                if field not in FIELDS[kind]:
                    yield self.fault("map.unknown_field", *steps, field, place=place, field=field)

    def identifiers(self) -> Iterator[Finding]:
        """Ids that are used twice or that no link could hold."""
        first: dict[tuple[str, str], int] = {}
        for kind, row, steps, place in self.tables():
            if kind == "islet" or (name := self.good(kind, row, "id")) is None:
                continue
            if not _SLUG.fullmatch(name):
                yield self.fault("map.slug", *steps, "id", place=place, id=name)
            line = self.lines.of(*steps, "id")
            if (before := first.setdefault((kind, name), line)) != line:
                data: dict[str, Datum] = {"kind": kind, "id": name, "first": before}
                yield self.fault("map.duplicate", *steps, "id", place=place, **data)

    def names(self) -> Iterator[Finding]:
        """Names that are missing in a language."""
        for kind, row, steps, place in self.tables():
            if "name" not in FIELDS[kind] or (names := self.good(kind, row, "name")) is None:
                continue
            for lang in LANGUAGES:
                if not names.get(lang, "").strip():
                    data: dict[str, Datum] = {"id": row.get("id", ""), "language": lang}
                    yield self.fault("map.translation", *steps, "name", place=place, **data)

    # --- words and graph -------------------------------------------------------------------------

    def words(self) -> Iterator[Finding]:
        """Terrains, cities and kingdoms that the map does not declare."""
        terrains = self.good("map", self.head, "terrains")
        cities = self.good("map", self.head, "cities")
        known = {self.good("kingdom", row, "id") for row in self.kingdoms}
        for number, row in enumerate(self.territories):
            at, place = ("territory", number), self.named(number)
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

    def borders(self) -> Iterator[Finding]:
        """Neighbours that are unknown, repeated, or do not answer."""
        answers = {(place, other) for place, near in zip(self.places, self.near, strict=True)
                   for other in near}  # fmt: skip
        for number, (name, near) in enumerate(zip(self.places, self.near, strict=True)):
            if name is None:
                continue
            place = self.named(number)
            if not near and self.good("territory", self.territories[number], "neighbours") == []:
                at: Steps = ("territory", number, "neighbours")
                yield self.fault("map.isolated", *at, place=place, id=name)
            for index, other in enumerate(near):
                at = ("territory", number, "neighbours", index)
                data: dict[str, Datum] = {"id": name, "neighbour": other}
                if other == name:
                    yield self.fault("map.own_neighbour", *at, place=place, id=name)
                elif other not in self.places:
                    yield self.fault("map.unknown_neighbour", *at, place=place, **data)
                elif other in near[:index]:
                    yield self.fault("map.neighbour_twice", *at, place=place, **data)
                elif (other, name) not in answers:
                    yield self.fault("map.asymmetric", *at, place=place, **data)

    def reach(self) -> Iterator[Finding]:
        """Territories that no way leads to from the first, each group once.

        A border counts if either side names it, and territories without any are not told twice.
        """
        links: dict[str, list[str]] = {place: [] for place in self.places if place is not None}
        for place, near in zip(self.places, self.near, strict=True):
            for other in near:
                if place is not None and other in links and other != place:
                    links[place].append(other)
                    links[other].append(place)
        seen: set[str] = set()
        for number, start in enumerate(self.places):
            if start is None or start in seen:
                continue
            first, group = not seen, [start]
            seen.add(start)
            for place in group:
                fresh = [other for other in dict.fromkeys(links[place]) if other not in seen]
                seen.update(fresh)
                group += fresh
            if not first and links[start]:
                data: dict[str, Datum] = {"id": start, "count": len(group)}
                place = self.named(number)
                yield self.fault("map.disconnected", "territory", number, place=place, **data)

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

    # --- drawing ---------------------------------------------------------------------------------

    def shapes(self) -> Iterator[Finding]:
        """Measures that are not above 0, outlines that are none, points off the paper."""
        size = self.good("map", self.head, "size")
        if size is not None and min(size) <= 0:
            yield self.fault("map.size", "map", "size", place="map")
        stadia = self.good("map", self.head, "stadia")
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
                (("polygon", index), point) for index, point in enumerate(outline)
            ]
            if kind == "territory" and (label := self.good(kind, row, "label")) is not None:
                spots.append((("label",), label))
            for at, (x, y) in spots:
                if size is not None and not (0 <= x <= size[0] and 0 <= y <= size[1]):
                    data: dict[str, Datum] = {"id": name, "x": f"{x:g}", "y": f"{y:g}"}
                    yield self.fault("map.outside", *steps, *at, place=place, **data)
