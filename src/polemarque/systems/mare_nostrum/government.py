"""The seat of government (MN-6.8, MN-6.13): pure."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.systems.mare_nostrum.state import Campaign


def moved_government(campaign: Campaign, seat: str, place: str) -> Campaign:
    """The campaign with a seat governed from another province: its home for every rule.

    Treasury and garrisoned mercenaries follow, and so do the specialists who wait at home; the
    constitution is that of the new seat.
    """
    for one in campaign.specialists.values():
        if one.owner == seat and one.place:
            campaign = campaign.with_specialist(replace(one, place=place))
    return campaign.changed(seat, home=place, regime=campaign.atlas.by_id[place].regime)
