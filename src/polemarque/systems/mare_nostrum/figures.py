"""The figures of the military phase, read from its data file."""

from __future__ import annotations

import tomllib

import msgspec

from polemarque.api import convert
from polemarque.systems.mare_nostrum.tables import DATA


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
