"""Sieges, garrisons and blockades (MN-6.4, MN-6.10, MN-8.3): surrender, pillage, cut routes."""

from __future__ import annotations

from polemarque.api import Next, Rule, Step, call, script, tell, then
from polemarque.systems.mare_nostrum.chapters.dice import blockade, counted_turns, surrender
from polemarque.systems.mare_nostrum.chapters.military import war_breaks_out
from polemarque.systems.mare_nostrum.pieces import Siege
from polemarque.systems.mare_nostrum.reach import blockadable, may_fight
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import local_market, pillaged


def siege_turns(campaign: Campaign, siege: Siege) -> int:
    """The number of turns of a siege, for its test this turn (MN-6.4)."""
    return counted_turns(campaign.turn - siege.begun, campaign.options.siege_count)


@script("MN-6.4/all")
def sieges_are_tested(campaign: Campaign) -> Next[Campaign]:
    """Every siege laid in an earlier turn, in the map's order."""
    return campaign, [
        then(city_is_tested, place)
        for place in campaign.atlas.by_id
        if _begun_before(campaign, place)
    ]


def _begun_before(campaign: Campaign, place: str) -> bool:
    siege = campaign.lands[place].siege
    return siege is not None and siege.begun < campaign.turn


@script("MN-6.4/city")
def city_is_tested(campaign: Campaign, place: str) -> Step[Campaign]:
    """The defender rolls: the city falls and changes hands, or the siege goes on."""
    siege, owner = campaign.lands[place].siege, campaign.owner(place)
    assert siege is not None
    turns = siege_turns(campaign, siege)
    result = yield from call(surrender, turns)
    kind = "falls" if result.falls else "holds"
    yield from tell("MN-6.4", kind, seat=siege.by, other=owner, place=place, turns=turns)
    return (campaign.taken(place, siege.by) if result.falls else campaign), []


@script("MN-6.10")
def garrisons_pillage(campaign: Campaign) -> Step[Campaign]:
    """Armies in garrison go on pillaging, and cut trade routes, as they were ordered.

    A province is pillaged so once a turn; a garrison that is gone, or whose province is now its
    owner's, a partner's or under siege, does nothing.  To cut routes is war with the province's
    owner; a free city's are cut without one.
    """
    done: set[str] = set()
    for seat, orders in campaign.orders.items():
        for army, place in (orders.plunders | orders.cuts).items():
            if not _in_garrison(campaign, army, place):
                yield from tell("MN-1.3", "void_garrison", seat=seat, piece=army, place=place)
                continue
            owner = campaign.owner(place)
            if army in orders.plunders and place in done:
                yield from tell("MN-6.10", "bare", seat=seat, piece=army, place=place)
            elif army in orders.plunders:
                done.add(place)
                campaign = yield from _plunder(campaign, seat, army, place)
            if army in orders.cuts:
                yield from tell("MN-6.10", "cut", seat=seat, other=owner, piece=army, place=place)
                campaign = yield from war_breaks_out(campaign, seat, owner)
                campaign = campaign.land_changed(place, cut=True)
    return campaign, []


def _in_garrison(campaign: Campaign, army: str, place: str) -> bool:
    """Whether an army can still do what its garrison was ordered: not where its owner, a besieger
    or, under `treaties=binding`, a partner now has the province.
    """
    there, land = campaign.armies.get(army), campaign.lands[place]
    if there is None or there.place != place or land.owner == there.owner:
        return False
    held = land.owner is not None and not may_fight(campaign, there.owner, land.owner)
    return not held and land.siege is None


def _plunder(campaign: Campaign, seat: str, army: str, place: str) -> Rule[Campaign]:
    """Half the local market, rounded up; the owner's market is lost for his next income."""
    owner = campaign.owner(place)
    gold = pillaged(local_market(campaign.atlas, place))
    yield from tell("MN-6.10", "plundered", seat=seat, piece=army, place=place, gold=gold)
    campaign = campaign.earning(seat, gold)
    if owner is None:
        return campaign
    campaign = yield from war_breaks_out(campaign, seat, owner)
    return campaign.land_changed(place, pillaged=True)


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
