"""Blockades (MN-8.3): a fleet before an enemy port."""

from __future__ import annotations

from polemarque.api import Next, Step, call, script, tell, then
from polemarque.systems.mare_nostrum.chapters.dice import blockade
from polemarque.systems.mare_nostrum.chapters.military import war_breaks_out
from polemarque.systems.mare_nostrum.reach import blockadable
from polemarque.systems.mare_nostrum.state import Campaign


@script("MN-8.3/all")
def blockades(campaign: Campaign) -> Next[Campaign]:
    """Every blockade that was ordered, seat by seat."""
    return campaign, [
        then(fleet_blockades, fleet, port)
        for orders in campaign.orders.values()
        for fleet, port in orders.blockades.items()
    ]


@script("MN-8.3/fleet")
def fleet_blockades(campaign: Campaign, fleet: str, port: str) -> Step[Campaign]:
    """One die a fleet, of several the best; not while a fleet of the port's owner is there."""
    there = campaign.fleets.get(fleet)
    if there is None:
        return campaign, []
    seat, owner = there.owner, campaign.owner(port)
    stopped = owner is not None and bool(campaign.fleets_at(there.place, owner))
    if owner is None or stopped or port not in blockadable(campaign, seat, there.place):
        yield from tell("MN-1.3", "void_blockade", seat=seat, piece=fleet, place=port)
        return campaign, []
    campaign = yield from war_breaks_out(campaign, seat, owner)
    result = yield from call(blockade)
    kind = "closed" if result.taxes_lost else "cut" if result.routes_cut else "nothing"
    yield from tell("MN-8.3", kind, seat=seat, other=owner, piece=fleet, place=port)
    land = campaign.lands[port]
    return campaign.land_changed(
        port, cut=land.cut or result.routes_cut, taxed_off=land.taxed_off or result.taxes_lost
    ), []
