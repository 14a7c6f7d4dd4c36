"""The island of a campaign: kingdoms, cities, borders (AT-1.2); the map's checks (AT-1.3)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from polemarque.api import always, convert
from polemarque.api.checkers import Steps, content_faults, examined
from polemarque.api.files import Datum, Finding, Lines, Step, in_order
from polemarque.api.maps import NO_CITY, MapRefused, ProvinceMap, build_map

FIRST = "atlantide"
"""The shipped island that is played on where nobody chooses."""

Terrain = Literal["plains", "river_plains", "forest", "mountains"]
"""Main terrain of a territory (AT-1.3)."""

City = Literal["none", "royal", "atlantis"]
"""No royal city, a royal city, or the city of Atlantis, which is the royal city of its kingdom."""


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """One territory as the map draws it.

    id:         short identifier, unique on the board.
    name:       what the map calls it.
    names:      by language, where the map has a name in each.
    kingdom:    identifier of its kingdom.
    city:       which royal city it holds, if any.
    terrain:    the map's own terrain, used by the variant `terrain` = map (AT-1.3).
    neighbours: identifiers of the adjacent territories, in the map's order.
    """

    id: str
    name: str
    kingdom: str
    city: City = always("none")
    terrain: Terrain = always("plains")
    neighbours: tuple[str, ...] = ()
    names: dict[str, str] = {}


class Board(msgspec.Struct, frozen=True, dict=True, omit_defaults=True):
    """All territories, in the map's order, which is the order of everything that lists them.

    titles: what kingdoms are called: language -> name, by identifier.
    island: the shipped island that this is; "" for a club's own.
    chart:  a club's own map with its shapes, so that a record stands alone and can be drawn.

    The look-ups below are made when first used and are no part of the record.
    """

    places: tuple[Place, ...]
    titles: dict[str, dict[str, str]] = {}
    island: str = always(FIRST)
    chart: ProvinceMap | None = None

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """All territories, in the map's order."""
        return tuple([place.id for place in self.places])

    @cached_property
    def by_id(self) -> dict[str, Place]:
        """Territory by identifier."""
        return {place.id: place for place in self.places}

    @cached_property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """Adjacent territories of each."""
        return {place.id: place.neighbours for place in self.places}

    def distances(self, place: str) -> dict[str, int]:
        """How many marches it is from a territory to every one, nearest first."""
        if place in self._distances:
            return self._distances[place]
        found, ring = {place: 0}, [place]
        for here in ring:  # it grows on the way
            for there in self.neighbours[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    ring.append(there)
        self._distances[place] = found  # once it is whole: campaigns of other threads share a board
        return found

    @cached_property
    def _distances(self) -> dict[str, dict[str, int]]:
        return {}

    @cached_property
    def kingdoms(self) -> dict[str, tuple[str, ...]]:
        """Territories of each kingdom; kingdoms in the order of their first territory."""
        found: dict[str, tuple[str, ...]] = {}
        for place in self.places:
            found[place.kingdom] = (*found.get(place.kingdom, ()), place.id)
        return found

    @cached_property
    def capitals(self) -> dict[str, str]:
        """The territory with the royal city of each kingdom."""
        return {place.kingdom: place.id for place in self.places if place.city != "none"}

    @cached_property
    def atlantis(self) -> str:
        """The territory of the city of Atlantis, or "" on a board without it."""
        return next((place.id for place in self.places if place.city == "atlantis"), "")

    @cached_property
    def heart(self) -> str:
        """The kingdom of Atlantis: the one no player can choose (AT-1.2), or ""."""
        return self.by_id[self.atlantis].kingdom if self.atlantis else ""

    def is_city(self, place: str) -> bool:
        """Whether a royal city stands there, that of Atlantis included."""
        return self.by_id[place].city != "none"

    def in_heart(self, place: str) -> bool:
        """Whether the territory belongs to the kingdom of Atlantis."""
        return self.by_id[place].kingdom == self.heart


_DATA = Path(__file__).parents[1] / "data"

ISLANDS = {FIRST: _DATA / "island.toml", "wave": _DATA / "wave.toml"}
"""The project's own islands."""

ISLAND = ISLANDS[FIRST]

HEART = "atlantis"
"""The kingdom in the middle, which no player can choose."""

_OUTER = (
    "azues", "mestor", "gadirus", "diaprepes", "euamon",
    "mneseus", "autochthon", "elaspissus", "ampheres",
)  # fmt: skip
KINGDOM_SIZES = {HEART: 5, **dict.fromkeys(_OUTER, 3)}
"""Territories of each kingdom, in the book's order (AT-1.2); an island may leave some out."""

FEWEST = 2
"""Kingdoms that players can choose, at least."""

VOCABULARY: dict[str, tuple[str, ...]] = {"terrains": get_args(Terrain), "cities": get_args(City)}


def load_island(path: Path | str = ISLAND) -> ProvinceMap:
    """The island of a file; read once, so a changed file is not seen again.

    Raises MapRefused, with everything that is wrong with the file.
    """
    return _loaded(Path(path))


@cache
def _loaded(path: Path) -> ProvinceMap:
    content, findings = _examined(path)
    if findings:
        raise MapRefused(findings)
    return build_map(content)


def check_island(path: Path | str) -> tuple[Finding, ...]:
    """Everything that keeps a file from serving as an island; none if it can.

    Codes besides those of `province_checks`, with their data: map.kingdom_missing (id),
    map.kingdom_extra (id), map.kingdom_size (id, count, wanted), map.city_kind and
    map.terrain_fixed (id, word, wanted), map.landlocked (id), map.not_inland (id),
    map.vocabulary (field, word, known).
    """
    return _examined(path)[1]


def island_of(content: dict[str, Any]) -> ProvinceMap:
    """The island that a set-up gives as plain data.  Raises MapRefused with every fault."""
    findings = island_faults(content)
    if findings:
        raise MapRefused(findings)
    return build_map(content)


def island_faults(
    content: dict[str, Any], file: str = "", text: str = "", within: Steps = ()
) -> tuple[Finding, ...]:
    """Everything that is wrong with an island given as plain data; a bad form hides the rest.

    file, text, within: the file that holds it, its text, and where in it; none: without lines.
    """
    findings = content_faults(content, file, text, within)
    if findings:
        return findings
    return in_order(_Checker(file, build_map(content), content, text, within).findings())


@cache
def shipped_board(name: str = FIRST) -> Board:
    """The board of a shipped island."""
    return board_of(load_island(ISLANDS[name]), name)


def is_shipped(board: Board) -> bool:
    """Whether it is an island of ours, with the names that our texts know."""
    return bool(board.island) and board == shipped_board(board.island)


def chart_of(board: Board) -> ProvinceMap | None:
    """The map of a board, with its shapes.

    None for a club's own in a position that was saved before such maps were kept.
    """
    chart = board.chart or load_island(ISLANDS[board.island])
    return chart if tuple(chart.by_id) == board.ids else None


def board_of(island: ProvinceMap, name: str = "") -> Board:
    """What the rules see of a map: its territories and kingdoms.

    name: of a shipped island, whose shapes need not be kept; "" for a club's own.
    """
    places = [
        Place(
            id=land.id,
            name=land.names["fr"],
            kingdom=land.kingdom,
            city=convert(land.city, City),
            terrain=convert(land.terrain, Terrain),
            neighbours=land.neighbours,
            names=land.names,
        )
        for land in island.provinces
    ]
    titles = {kingdom.id: kingdom.names for kingdom in island.kingdoms}
    return Board(tuple(places), titles, name, None if name else island)


def _examined(path: Path | str) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """The content of a file and what is wrong with it; a bad form hides what the rules want."""
    content, findings = examined(path)
    if findings:
        return content, findings
    text = Path(path).read_text(encoding="utf-8-sig")
    return content, in_order(_Checker(str(path), build_map(content), content, text).findings())


class _Checker:
    def __init__(
        self, file: str, island: ProvinceMap, content: dict[str, Any], text: str,
        within: Steps = (),
    ) -> None:  # fmt: skip
        self.file, self.island, self.content, self.lines = file, island, content, Lines(text)
        self.within = within

    def findings(self) -> Iterator[Finding]:
        """Every fault, in no order."""
        yield from self.vocabulary()
        yield from self.kingdoms()
        yield from self.territories()

    def fault(self, code: str, /, *steps: Step, place: str = "", **data: Datum) -> Finding:
        """A finding, put where the steps lead in the file."""
        return Finding(self.file, self.lines.of(*self.within, *steps), place, code, data)

    def vocabulary(self) -> Iterator[Finding]:
        """Words the map declares and the rules do not know."""
        for field, known in VOCABULARY.items():
            for index, word in enumerate(self.content["map"][field]):
                if word not in known:
                    at, said = ("map", field, index), ", ".join(known)
                    yield self.fault("map.vocabulary", *at, field=field, word=word, known=said)

    def kingdoms(self) -> Iterator[Finding]:
        """Atlantis and enough others, their sizes and their coasts."""
        known = [kingdom.id for kingdom in self.island.kingdoms]
        absent = [kingdom for kingdom in _OUTER if kingdom not in known]
        least = absent[: max(0, FEWEST - len(_OUTER) + len(absent))]
        for missing in least if HEART in known else [HEART, *least]:
            yield self.fault("map.kingdom_missing", "kingdom", id=missing)
        for number, kingdom in enumerate(known):
            at, place = ("kingdom", number), f"kingdom {kingdom}"
            lands = self.island.by_kingdom[kingdom]
            if (wanted := KINGDOM_SIZES.get(kingdom)) is None:
                yield self.fault("map.kingdom_extra", *at, place=place, id=kingdom)
            elif len(lands) != wanted:
                data: dict[str, Datum] = {"id": kingdom, "count": len(lands), "wanted": wanted}
                yield self.fault("map.kingdom_size", *at, place=place, **data)
            if kingdom != HEART and not any(land.coastal for land in lands):
                yield self.fault("map.landlocked", *at, place=place, id=kingdom)

    def territories(self) -> Iterator[Finding]:
        """The right kind of city in each kingdom; mountains inland in the middle."""
        for number, land in enumerate(self.island.provinces):
            at, place = ("territory", number), f"territory {land.id}"
            wanted = HEART if land.kingdom == HEART else "royal"
            if land.city not in (NO_CITY, wanted):
                data: dict[str, Datum] = {"id": land.id, "word": land.city, "wanted": wanted}
                yield self.fault("map.city_kind", *at, "city", place=place, **data)
            if land.kingdom != HEART:
                continue
            if land.coastal:
                yield self.fault("map.not_inland", *at, "coastal", place=place, id=land.id)
            if land.terrain != "mountains":
                data = {"id": land.id, "word": land.terrain, "wanted": "mountains"}
                yield self.fault("map.terrain_fixed", *at, "terrain", place=place, **data)
