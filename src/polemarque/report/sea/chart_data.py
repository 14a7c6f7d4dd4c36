"""What a sea chart shows, as neutral data: nobody's rules, only who is where."""

from __future__ import annotations

from typing import Literal

import msgspec

Lettering = Literal["fr", "en", "ancient"]
"""In which form names of places are written."""

Mark = Literal["pillaged", "blockaded", "cut"]

Band = Literal["brigands", "pirates"]


class ShownArmy(msgspec.Struct, frozen=True):
    """An army in a province; `exhausted` is 0, 1 or 2, `id` what it is known by."""

    seat: str
    place: str
    exhausted: int = 0
    id: str = ""


class ShownFleet(msgspec.Struct, frozen=True):
    """A fleet in a sea zone, with an army aboard or not; `id` is what it is known by."""

    seat: str
    zone: str
    carrying: bool = False
    id: str = ""


class Shown(msgspec.Struct, frozen=True):
    """The state of a campaign as it is drawn.

    names:    powers by seat, in the order of the legend; it decides colours, hatchings, letters.
    people:   what the legend calls each seat, its person named; where empty, as in `names`.
    owners:   the seat that controls each province; None or missing: independent.
    homes:    the home province of each seat.
    caravans: (seat, province or zone, id).   bands: (kind, province or zone).
    routes:   (seat, province of origin, province of destination).
    sieges:   turns of siege by province.     marks: what a province suffers this turn.
    fortresses, arsenals: provinces that have one; None for those of the map.
    """

    names: dict[str, str] = {}
    people: dict[str, str] = {}
    owners: dict[str, str | None] = {}
    homes: dict[str, str] = {}
    armies: tuple[ShownArmy, ...] = ()
    fleets: tuple[ShownFleet, ...] = ()
    caravans: tuple[tuple[str, str, str], ...] = ()
    bands: tuple[tuple[Band, str], ...] = ()
    routes: tuple[tuple[str, str, str], ...] = ()
    sieges: dict[str, int] = {}
    marks: dict[str, tuple[Mark, ...]] = {}
    fortresses: tuple[str, ...] | None = None
    arsenals: tuple[str, ...] | None = None
