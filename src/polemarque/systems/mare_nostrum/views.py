"""What a seat may see: everything but sealed sheets, which the kernel keeps.

On the table of Mare Nostrum all stands open: the map, pieces, treasuries, treaties.  Only orders
are secret, and only until they are revealed (MN-2.7).
"""

from __future__ import annotations

import msgspec

from polemarque.systems.mare_nostrum.orders import Field, Orders
from polemarque.systems.mare_nostrum.pieces import (
    Army,
    Band,
    Caravan,
    Fleet,
    Land,
    Mission,
    Route,
    Specialist,
    Treaty,
)
from polemarque.systems.mare_nostrum.setup.army_lists import ArmyLists
from polemarque.systems.mare_nostrum.setup.atlas import Atlas
from polemarque.systems.mare_nostrum.setup.options import Options
from polemarque.systems.mare_nostrum.state import Campaign, Seat
from polemarque.systems.mare_nostrum.treaties import may_write


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """The campaign as one seat knows it; `orders` are those of this turn, once revealed, `fields`
    and `standoffs` as in `Campaign`.

    writes_to: seats he may write to (MN-F6, `talk`).
    atlas, lists: None where they are the shipped ones.
    """

    seat: str
    turn: int
    phase: str
    options: Options
    seats: dict[str, Seat]
    lands: dict[str, Land]
    armies: dict[str, Army]
    fleets: dict[str, Fleet]
    specialists: dict[str, Specialist]
    caravans: dict[str, Caravan]
    routes: dict[str, Route]
    bands: dict[str, Band]
    treaties: tuple[Treaty, ...]
    missions: tuple[Mission, ...]
    wars: tuple[tuple[str, str], ...]
    orders: dict[str, Orders]
    fields: dict[str, Field] = {}
    standoffs: dict[str, int] = {}
    writes_to: tuple[str, ...] = ()
    atlas: Atlas | None = None
    lists: ArmyLists | None = None
    over: bool = False
    winners: tuple[str, ...] = ()


def view(campaign: Campaign, seat: str) -> View:
    """What `seat` may see; a code that is no seat sees the same, and writes to nobody."""
    return View(
        seat=seat,
        turn=campaign.turn,
        phase=campaign.phase,
        options=campaign.options,
        seats=campaign.seats,
        lands=campaign.lands,
        armies=campaign.armies,
        fleets=campaign.fleets,
        specialists=campaign.specialists,
        caravans=campaign.caravans,
        routes=campaign.routes,
        bands=campaign.bands,
        treaties=campaign.treaties,
        missions=campaign.missions,
        wars=campaign.wars,
        orders=campaign.orders,
        fields=campaign.fields,
        standoffs=campaign.standoffs,
        writes_to=may_write(campaign, seat) if seat in campaign.seats else (),
        atlas=campaign.own_atlas,
        lists=campaign.own_lists,
        over=campaign.over,
        winners=campaign.winners,
    )
