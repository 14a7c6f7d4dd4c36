"""What a seat may see, and may suppose: everything but sealed sheets, which the kernel keeps.

On the table of Mare Nostrum all stands open: the map, pieces, treasuries, treaties.  Only orders
are secret, and only until they are revealed (MN-2.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from polemarque.systems.mare_nostrum.pieces import (
    Army,
    Band,
    Caravan,
    Field,
    Fleet,
    Land,
    Mission,
    Orders,
    Route,
    Specialist,
    Treaty,
)
from polemarque.systems.mare_nostrum.setup.army_lists import ArmyLists
from polemarque.systems.mare_nostrum.setup.atlas import Atlas
from polemarque.systems.mare_nostrum.setup.opening import next_band
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


# What a seat supposes -----------------------------------------------------------------------------


SHOWN = tuple([name for name in View.__struct_fields__ if name in Campaign.__struct_fields__])
"""What stands in a view as it does in the campaign."""


def supposed(view: View, seat: str, _premises: Mapping[str, Any]) -> Campaign:
    """The campaign as this seat sees it."""
    campaign = Campaign(
        own_atlas=view.atlas, own_lists=view.lists, next_band=next_band(view.bands),
        **{name: getattr(view, name) for name in SHOWN},
    )  # fmt: skip
    if view.options.talk == "free":
        return campaign
    heard = tuple(sorted([campaign.pair(seat, other) for other in view.writes_to]))
    return msgspec.structs.replace(campaign, channels=heard)


# What a condition may look at --------------------------------------------------------------------


def conditions(view: View, seat: str) -> dict[str, Any]:
    """How things stand for one's own armies and fleets, as everybody sees them.

    army:   where each stands and with what strength, and which pieces of others stand there too.
    around: the same, and which stand in the provinces and sea zones beside.
    """
    campaign = supposed(view, seat, {})
    own = [piece for piece in campaign.pieces_of(seat) if piece.place not in campaign.fleets]
    others = [piece for other in campaign.others(seat) for piece in campaign.pieces_of(other)]
    here = {piece.place for piece in own}
    beside = {there for place in here for there in campaign.atlas.around[place]}
    stands = [
        f"{piece.id}:{piece.place}:{piece.strength if isinstance(piece, Army) else 1}"
        for piece in campaign.pieces_of(seat)
    ]
    with_them = [f"{piece.id}:{piece.place}" for piece in others if piece.place in here]
    near = [f"{piece.id}:{piece.place}" for piece in others if piece.place in beside - here]
    return {"army": (*stands, *with_them), "around": (*stands, *with_them, *near)}
