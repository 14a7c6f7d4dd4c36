"""Governments that must move, and players who are eliminated (MN-6.8, MN-6.12, MN-6.13)."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.api import Next, Step, script, tell, then
from polemarque.systems.mare_nostrum.absent_seats import choose
from polemarque.systems.mare_nostrum.chapters.military import relieved
from polemarque.systems.mare_nostrum.state import Campaign


@script("MN-6.12")
def homes_are_looked_at(campaign: Campaign) -> Next[Campaign]:
    """At the end of the combats: seats that have lost their home province, in seat order."""
    return campaign, [
        then(home_is_lost, seat)
        for seat in campaign.in_play()
        if campaign.owner(campaign.seats[seat].home) != seat
    ]


@script("MN-6.8")
def home_is_lost(campaign: Campaign, seat: str) -> Step[Campaign]:
    """The government moves to a province he controls; without one he is eliminated.

    It stays if the umpire has given the home back meanwhile.
    """
    home = campaign.seats[seat].home
    if campaign.owner(home) == seat:
        return campaign, []
    places = campaign.lands_of(seat)
    if not places:
        yield from tell("MN-6.12", "eliminated", seat=seat, place=home)
        after = eliminated(campaign, seat)
        for besieged in campaign.atlas.by_id:
            yield from relieved(campaign, after, besieged)
        return after, []
    place = yield from choose(campaign, seat, places, "place")
    yield from tell("MN-6.8", "moves", seat=seat, start=home, place=place)
    return campaign.governed_from(seat, place), []


def eliminated(campaign: Campaign, seat: str) -> Campaign:
    """The campaign without a seat's pieces, trade and treaties; its treasury is lost (MN-6.12).

    Another's army aboard one of its fleets is lost with it; bands that it led are nobody's.
    """
    for fleet in campaign.fleets_of(seat):
        campaign = campaign.without_fleet(fleet.id)
    for army in campaign.armies_of(seat):
        campaign = campaign.without_army(army.id)
    kept = {
        "specialists": campaign.specialists,
        "caravans": campaign.caravans,
        "routes": campaign.routes,
    }
    left = {
        name: {key: one for key, one in pieces.items() if one.owner != seat}  # type: ignore[attr-defined]
        for name, pieces in kept.items()
    }
    bands = {
        key: replace(band, owner="") if band.owner == seat else band
        for key, band in campaign.bands.items()
    }
    diplomats = left["specialists"]
    campaign = replace(
        campaign,
        **left,
        bands=bands,
        treaties=tuple([t for t in campaign.treaties if seat not in (t.one, t.other)]),
        missions=tuple([m for m in campaign.missions if m.diplomat in diplomats and m.to != seat]),
        wars=tuple([war for war in campaign.wars if seat not in war]),
        channels=tuple([pair for pair in campaign.channels if seat not in pair]),
    )
    return campaign.changed(
        seat, eliminated=campaign.turn, home="", treasury=0, mercenaries=(), lets_pass=()
    )
