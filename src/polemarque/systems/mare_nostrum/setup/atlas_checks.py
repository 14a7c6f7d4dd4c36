"""Checks of a map file of Mare Nostrum (MN-F9): every fault, each with its file, line and place.

A map may name the file of its club's own army lists; what is wrong with that is said first, alone.

Codes, with their data: those of `read_toml`, those of `maps.schema` and `maps.province_checks`, and

map.word (field, word, known)       a culture or regime that [map] does not declare, a terrain,
                                    resource, army list, kind of mercenaries or protector that there
                                    is not
map.factor (id, count)              a demographic factor that is not 1 to 20
map.unknown_zone (id, zone), map.zone_twice (id, zone)    the coast of a province
map.port (id)                       a port that touches no sea zone
map.arsenal (id)                    an arsenal without a port (MN-2.8)
map.homes (count, wanted)           fewer homes than a game needs
map.unknown_home (id), map.home_twice (id)
map.protector_missing (id)          a home without a protector god
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from polemarque.api.checkers import MapChecker, Row, Steps
from polemarque.api.files import Datum, Finding, Step, examined_file, in_order
from polemarque.api.texts import LANGUAGES
from polemarque.systems.mare_nostrum.setup.army_lists import ArmyLists, ListsRefused, load_lists
from polemarque.systems.mare_nostrum.setup.atlas import TERRAINS
from polemarque.systems.mare_nostrum.tables import GODS, RESOURCES

ANCIENT = "ancient"
"""Names are given in every language of the program, and as the ancients had them."""

LEAST_HOMES = 2
"""Seats of the smallest game."""

FACTORS = range(1, 21)
"""Demographic factors."""

_NAMED = {"id": "text", "name": "names"}
FIELDS = {
    "map": {
        **_NAMED,
        "size": "point",
        "homes": "texts",
        "cultures": "texts",
        "regimes": "texts",
        "army_lists": "text?",
    },
    "zone": {**_NAMED, "neighbours": "texts", "label": "point"},
    "province": {
        **_NAMED,
        "capital": "names",
        "port": "yes_no?",
        "arsenal": "yes_no?",
        "fortress": "yes_no?",
        "terrain": "text?",
        "demographic": "whole",
        "resources": "texts",
        "mercenaries": "text?",
        "army_list": "text",
        "culture": "text",
        "regime": "text",
        "protector": "text?",
        "deity": "names?",
        "neighbours": "texts",
        "zones": "texts?",
        "site": "point",
        "label": "point",
    },
}
"""What each table of a map file must have, and of which kind."""


def examined(path: Path | str) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """The content of a map file ({} if it cannot be read) and everything wrong with it."""
    return examined_file(path, _faults_of_file)


def _faults_of_file(content: dict[str, Any], file: str, text: str) -> tuple[Finding, ...]:
    try:
        lists = _lists_beside(Path(file), content)
    except ListsRefused as refused:
        return refused.findings
    return content_faults(content, lists, file, text)


def _lists_beside(path: Path, content: dict[str, Any]) -> ArmyLists | None:
    """The club's own lists that a map names, a file beside it; None: the shipped ones.

    A path is no such name: what a map says never leads to another folder.
    Raises ListsRefused.  Code: ``map.beside`` (path).
    """
    head = content.get("map")
    name = head.get("army_lists") if isinstance(head, dict) else None
    if not isinstance(name, str):
        return None
    if Path(name).name != name:
        raise ListsRefused((Finding(str(path), 0, "map", "map.beside", {"path": name}),))
    return load_lists(path.parent / name)


def content_faults(
    content: dict[str, Any], lists: ArmyLists | None = None,
    file: str = "", text: str = "", within: Steps = (),
) -> tuple[Finding, ...]:  # fmt: skip
    """Everything that is wrong with a map given as plain data, as a set-up may.

    lists: the army lists that go with it; None: the shipped ones.
    file, text, within: the file that holds it, its text, and where in it; none: without lines.
    """
    return in_order(_Checker(file, content, text, lists, within).findings())


class _Checker(MapChecker):
    fields = FIELDS
    required = ("map", "zone", "province")
    languages = dict.fromkeys(FIELDS, (*LANGUAGES, ANCIENT))

    def __init__(
        self, file: str, content: dict[str, Any], text: str, lists: ArmyLists | None = None,
        within: Steps = (),
    ) -> None:  # fmt: skip
        super().__init__(file, content, text, within)
        self.lists = lists or load_lists()

    def findings(self) -> Iterator[Finding]:
        """Every fault, in no order."""
        yield from self.form()
        yield from self.identifiers("zone", "province")
        yield from self.names()
        yield from self.words()
        yield from self.borders("zone")
        yield from self.borders("province")
        yield from self.coasts()
        yield from self.ways()
        yield from self.cities()
        yield from self.homes()
        yield from self.paper()
        yield from self.spots()

    def provinces(self) -> Iterator[tuple[str, Row, Steps]]:
        """Every province that has an id, with it and its steps."""
        for number, row in enumerate(self.rows("province")):
            if (name := self.good("province", row, "id")) is not None:
                yield name, row, ("province", number)

    def told(self, code: str, name: str, /, *steps: Step, **data: Datum) -> Finding:
        """A fault of a province."""
        return self.fault(code, *steps, place=f"province {name}", id=name, **data)

    def words(self) -> Iterator[Finding]:
        """Words of provinces that nobody knows."""
        known: dict[str, Collection[str]] = {
            "terrain": TERRAINS,
            "resources": RESOURCES,
            "army_list": self.lists.list,
            "mercenaries": self.lists.mercenary,
            "protector": GODS,
        }
        for field, declared in (("culture", "cultures"), ("regime", "regimes")):
            words = self.good("map", self.head_row, declared)
            if words is not None:
                known[field] = words
        for name, row, steps in self.provinces():
            for field, words in known.items():
                given = self.good("province", row, field)
                for index, word in enumerate([given] if isinstance(given, str) else given or []):
                    if word and word not in words:
                        at = (field, index) if field == "resources" else (field,)
                        data: dict[str, Datum] = {"word": word, "known": ", ".join(words)}
                        yield self.told("map.word", name, *steps, *at, field=field, **data)

    def coasts(self) -> Iterator[Finding]:
        """Sea zones of provinces that are not on the map, or named twice."""
        zones = self.ids("zone")
        for name, row, steps in self.provinces():
            near = self.good("province", row, "zones") or []
            for index, zone in enumerate(near):
                at = (*steps, "zones", index)
                if zone not in zones:
                    yield self.told("map.unknown_zone", name, *at, zone=zone)
                elif zone in near[:index]:
                    yield self.told("map.zone_twice", name, *at, zone=zone)

    def ways(self) -> Iterator[Finding]:
        """Places that touch nothing, or that no way by land and sea leads to."""
        shores = [
            (name, zone)
            for name, row, _ in self.provinces()
            for zone in self.good("province", row, "zones") or []
        ]
        touched = set(chain.from_iterable(shores))
        for table in ("zone", "province"):
            for finding in self.isolated(table):
                if finding.data["id"] not in touched:
                    yield finding
        yield from self.reach("zone", "province", across=shores)

    def cities(self) -> Iterator[Finding]:
        """Figures out of their range, ports without sea, arsenals without a port."""
        for name, row, steps in self.provinces():
            factor = self.good("province", row, "demographic")
            if factor is not None and factor not in FACTORS:
                yield self.told("map.factor", name, *steps, "demographic", count=factor)
            port = self.good("province", row, "port")
            if port and not row.get("zones"):
                yield self.told("map.port", name, *steps, "port")
            if self.good("province", row, "arsenal") and not port:
                yield self.told("map.arsenal", name, *steps, "arsenal")

    def homes(self) -> Iterator[Finding]:
        """Homes that are too few, unknown, named twice or without a god."""
        homes = self.good("map", self.head_row, "homes")
        if homes is None:
            return
        if len(set(homes)) < LEAST_HOMES:
            data: dict[str, Datum] = {"count": len(set(homes)), "wanted": LEAST_HOMES}
            yield self.fault("map.homes", "map", "homes", place="map", **data)
        provinces = {name: (row, steps) for name, row, steps in self.provinces()}
        for index, home in enumerate(homes):
            at = ("map", "homes", index)
            if home not in provinces:
                yield self.fault("map.unknown_home", *at, place="map", id=home)
            elif home in homes[:index]:
                yield self.fault("map.home_twice", *at, place="map", id=home)
            else:
                row, steps = provinces[home]
                if not (row.get("protector") and row.get("deity")):
                    yield self.told("map.protector_missing", home, *steps)

    def spots(self) -> Iterator[Finding]:
        """Names and cities beyond the edge of the drawing."""
        for kind, row, steps, place in self.tables():
            for field in ("site", "label"):
                spot = self.good(kind, row, field) if field in FIELDS[kind] else None
                if spot is not None:
                    yield from self.outside(row.get("id", place), place, [((*steps, field), spot)])
