"""Brigands and pirates (MN-9.1): an army or fleet that enters their place may intercept them."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.api import Next, Rule, Step, call, roll, script, tell, then, total
from polemarque.systems.mare_nostrum.absent_seats import choose
from polemarque.systems.mare_nostrum.chapters.dice import interception
from polemarque.systems.mare_nostrum.pieces import STAY, Band
from polemarque.systems.mare_nostrum.state import Campaign


@script("MN-9.1/all")
def interceptions(campaign: Campaign) -> Next[Campaign]:
    """One attempt per band for each army or fleet that has entered and was ordered to try."""
    return campaign, [
        then(band_is_met, piece, band.id)
        for orders in campaign.orders.values()
        for piece in orders.chases
        for band in campaign.bands.values()
        if band.place == campaign.piece(piece).place
    ]


@script("MN-9.1/band")
def band_is_met(campaign: Campaign, piece: str, number: str) -> Step[Campaign]:
    """It is destroyed, or it flees: where its owner likes if it escapes, the hunter if it panics.

    A band that another has driven off meanwhile is met no more.
    """
    hunter, band = campaign.piece(piece), campaign.bands.get(number)
    if band is None or band.place != hunter.place:
        return campaign, []
    land = campaign.lands.get(band.place)
    result = yield from call(interception, land is not None and land.owner == hunter.owner)
    yield from tell(
        "MN-9.1", f"{band.kind}_{result.outcome}", seat=hunter.owner, piece=piece, place=band.place
    )
    if result.outcome == "destroyed":
        return campaign.without_band(number), []
    leader = band.owner if result.outcome == "escapes" else hunter.owner
    place = yield from _flight(campaign, band, leader)
    if place != band.place:
        yield from tell("MN-9.1", "flees", place=band.place, goal=place)
    return campaign.with_band(replace(band, place=place, still=True)), []


def _flight(campaign: Campaign, band: Band, leader: str) -> Rule[str]:
    """Where a band goes: where `leader` wants, or without one at random; it may stay."""
    near = campaign.atlas.neighbours_of(band.place)
    if not near:
        return band.place
    if leader not in campaign.in_play():
        die = yield from roll(1, len(near), read=total, why="band_flight")
        return near[die - 1]
    way = yield from choose(campaign, leader, (STAY, *near), "order", band.id)
    return band.place if way == STAY else str(way)
