"""The static board of a campaign: kingdoms, royal cities, terrain, who borders on whom (AT-1.2).

A `Board` other than the first shipped one is part of the state.  It never changes: owners, rolled
terrain and fortresses of territories are `Land`, in the war.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import msgspec

from polemarque.api import always
from polemarque.api.maps import ProvinceMap

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
