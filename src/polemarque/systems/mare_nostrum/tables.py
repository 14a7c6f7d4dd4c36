"""The tables of the campaign, as data; figures of the military phase, and upkeep (MN-F4)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from polemarque.api import Shelf, Sum, bonus, convert

DATA = Path(__file__).parent / "data"
"""Tables, map, prices and texts."""

TABLES = Shelf(DATA)
"""Every table of the system, found by its rule."""


class WarFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Prices in PO, modifiers of the invasion, and what pillage brings.

    army_price, fleet_price: MN-2.6.   stand_price: MN-B.4, variant `keep`.
    fortress, engineer, war_priest: added to the resistance of an independent province (MN-5.1).
    pillage_part: a pillager cashes one part in so many, rounded up (MN-6.3, MN-6.10).
    """

    army_price: int
    fleet_price: int
    stand_price: int
    fortress: int
    engineer: int
    war_priest: int
    pillage_part: int


FIGURES = convert(tomllib.loads((DATA / "war.toml").read_text(encoding="utf-8")), WarFigures)
"""The shipped figures."""


def pillaged(worth: int) -> int:
    """PO that a pillager gets of a demographic factor or a local market, rounded up."""
    return -(-worth // FIGURES.pillage_part)


class UpkeepRow(msgspec.Struct, frozen=True):
    """A row of the scale: PO a turn."""

    cost: int


MAINTENANCE = TABLES.table("MN-F4", UpkeepRow)
BESIEGING = {one.when: one.amount for one in MAINTENANCE.modifiers}["besieging"]


@cache
def maintenance(distance: int, siege: bool) -> Sum:
    """What an army or fleet costs this turn, in PO.

    distance: places entered on a shortest way from its base, from 0; at 0 only a siege costs.
    """
    reasons = bonus("MN-F4", MAINTENANCE.row(distance).cost, "distance")
    return reasons + bonus("MN-F4", BESIEGING if siege else 0, "besieging")
