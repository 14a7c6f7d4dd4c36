"""The tables and figures of the campaign, as its data files have them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from polemarque.api import Shelf, Sum, bonus, convert
from polemarque.systems.mare_nostrum.setup.atlas import Atlas

DATA = Path(__file__).parent / "data"
"""Tables, map, prices and texts."""

TABLES = Shelf(DATA)
"""Every table of the system, found by its rule."""


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / name).read_text(encoding="utf-8"))


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


FIGURES = convert(_read("war.toml"), WarFigures)
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


WAR_GOD = "war"
"""The domain whose priests go to war (MN-5.1, MN-6.9)."""

COMMERCE_GOD = "commerce"
"""The domain whose priests travel with caravans (MN-F3)."""

GODS = ("war", "commerce", "wisdom", "sea", "harvest", "arts", "sky")
"""The domains of the gods that priests serve and that protect cities (MN-F1, MN-2.9)."""


class Resource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A good (MN-F2, MN-F3).

    value:     PO a turn for a local market that has it, and for a trade route in it.
    threshold: base threshold of D100 to open a route.
    """

    key: str
    value: int
    threshold: int


class Regime(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A constitution (MN-F7): points of happiness, and whether it counts as a republic (MN-F3)."""

    key: str
    happiness: int = 0
    republic: bool = False


class Improvement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What can be built (MN-F5), its price in PO, and its points of happiness (MN-F7).

    counts: each one of the realm, once, or each further one after the first.
    port:   only in a port (MN-2.8).
    """

    key: str
    price: int
    happiness: int
    counts: Literal["each", "once", "further"] = "each"
    port: bool = False


class Troop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A special troop (MN-F5) and its price in PO."""

    key: str
    price: int


class TradeFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Modifiers of the threshold for a trade route (MN-F3), in points of D100."""

    already: int
    war_with_ally: int
    at_war: int
    own: int
    treaty: int
    republic: int
    commerce_priest: int
    racial: int


class Plunder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A caravan among bands is lost on a D6 of `lost` or less (MN-9.2)."""

    lost: int


class Storm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fleet in a storm sinks on a D6 of `sinks` or less (MN-F5)."""

    sinks: int


class MissionFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Missions (MN-F6): price and highest ransom in PO, thresholds of D100 for a free city."""

    price: int
    ransom: int
    thresholds: dict[str, int]


class HappinessFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The index of happiness (MN-F7): points, unless `frame.toml` says PO, turns or parts."""

    base: int
    quiet_above: int
    protector_temple: int
    victory: int
    new_province: int
    new_route: int
    profit_step: int
    profit: int
    campaign: int
    long_campaign: int
    long: int
    festivity_price: int
    festivity_most: int
    feast_price: int
    feast: int
    treasury_lost: int


class VictoryFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Victory points (MN-F8), and the first year whose end can bring a sudden win."""

    province: int
    army: int
    improvement: int
    richest: int
    second: int
    sudden_year: int


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of `frame.toml`."""

    trade: TradeFigures
    plunder: Plunder
    storm: Storm
    mission: MissionFigures
    happiness: HappinessFigures
    victory: VictoryFigures


class _Prices(msgspec.Struct, forbid_unknown_fields=True):
    improvement: tuple[Improvement, ...]
    troop: tuple[Troop, ...]


_PRICES = convert(_read("improvements.toml"), _Prices)

RESOURCES = {r.key: r for r in convert(_read("resources.toml")["resource"], tuple[Resource, ...])}
"""Resources by key, in the file's order."""

REGIMES = {r.key: r for r in convert(_read("regimes.toml")["regime"], tuple[Regime, ...])}
"""Regimes by key."""

IMPROVEMENTS = {one.key: one for one in _PRICES.improvement}
"""Improvements by key, in the file's order."""

TROOPS = {one.key: one for one in _PRICES.troop}
"""Special troops by key."""

FRAME = convert(_read("frame.toml"), Frame)
"""The figures of the frame."""

CULTURES = TABLES.matrix("MN-F3", int)
"""The racial factor between two cultures (MN-F3)."""


def local_market(atlas: Atlas, place: str) -> int:
    """What the local market of a province yields (MN-F2): its resources' values, in PO."""
    return sum([RESOURCES[resource].value for resource in atlas.by_id[place].resources])


def racial(one: str, other: str) -> int:
    """The racial factor of one culture's merchants in another's city, in points of D100.

    0 for a culture that only a club's own map knows.
    """
    if one not in CULTURES.rows or other not in CULTURES.columns:
        return 0
    return CULTURES.cell(one, other)


def temple_of(god: str) -> str:
    """A temple as it stands among a province's improvements: it has a god."""
    return f"temple:{god}"


def kind_of(improvement: str) -> str:
    """What an improvement is, its god left out."""
    return improvement.partition(":")[0]
