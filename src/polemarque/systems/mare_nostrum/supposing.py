"""What a player supposes, where rehearsals of his turn begin: all stands open on the table, so that
only who else may write to whom is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from polemarque.systems.mare_nostrum.pieces import Army
from polemarque.systems.mare_nostrum.setup.setup_trade import next_band
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.views import View

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
