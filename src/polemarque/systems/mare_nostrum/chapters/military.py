"""Chapter « La phase militaire » (MN-1, MN-2.7, MN-4): orders written, revealed and carried out."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from polemarque.api import QUIET, Next, Rule, Step, ask_each, call, roll, script, tell, then, total
from polemarque.systems.mare_nostrum.asking_seats import choose
from polemarque.systems.mare_nostrum.chapters.dice import interception
from polemarque.systems.mare_nostrum.chapters.order_sheet import (
    WishParts,
    conditions,
    has_orders,
    order_sheet,
    orders_of,
)
from polemarque.systems.mare_nostrum.pieces import EVERYWHERE, STAY, Army, Band
from polemarque.systems.mare_nostrum.reach import invades, left_after
from polemarque.systems.mare_nostrum.setup.options import AHEAD, ways
from polemarque.systems.mare_nostrum.state import Campaign

# Orders (MN-2.7) ---------------------------------------------------------------------------------


@script("MN-2.7", edition="2026-11.2")
def orders_are_written(campaign: Campaign) -> Step[Campaign]:
    """Everybody writes his movement orders, sealed; they are revealed together."""
    ahead = campaign.options.orders_ahead == AHEAD
    campaign = yield from written(campaign, conditions if ahead else None)
    for seat, said in campaign.orders.items():
        for place, foes in said.fights.items():
            yield from tell("MN-2.7", "condition", seat=seat, others=foes, place=place)
    return campaign, []


def written(campaign: Campaign, wishes: WishParts | None) -> Rule[Campaign]:
    """The campaign with everybody's orders, revealed.  wishes: as `order_sheet` takes them."""
    campaign = _pieces_at_rest(campaign)
    asked = [
        seat
        for seat in campaign.in_play()
        if not campaign.seats[seat].absent and has_orders(campaign, seat)
    ]
    ways = resolvers(campaign)
    sheets = yield from ask_each(
        asked, lambda seat: order_sheet(campaign, seat, ways, wishes), absent=QUIET
    )
    orders = {seat: orders_of(campaign, sheet) for seat, sheet in sheets.items()}
    if orders:
        yield from tell("MN-1.1", "revealed", seats=list(orders))
    return replace(campaign, orders=orders)


def resolvers(campaign: Campaign) -> tuple[str, ...]:
    """Ways of fighting battles that players may order, the campaign's own first (PA-2)."""
    own = campaign.options.resolver
    if campaign.options.other_resolver == "none":
        return (own,)
    return (own, *[name for name in ways() if name != own])


def _pieces_at_rest(campaign: Campaign) -> Campaign:
    """The campaign before a turn's orders: nobody has moved, nobody is a guest; who bears a marker
    (MN-7.3).
    """
    armies = {
        key: replace(army, came="", guest="", bore=army.exhausted > 0)
        if army.came or army.guest or army.bore != (army.exhausted > 0)
        else army
        for key, army in campaign.armies.items()
    }
    fleets = {
        key: replace(fleet, came="") if fleet.came else fleet
        for key, fleet in campaign.fleets.items()
    }
    return replace(campaign, armies=armies, fleets=fleets, orders={}, fields={})


# Movement (MN-4.1, MN-4.2) -----------------------------------------------------------------------


@script("MN-4.1")
def everything_moves(campaign: Campaign) -> Step[Campaign]:
    """All at once: specialists, armies (landing and boarding where fleets stand now), fleets."""
    for seat in campaign.orders:
        campaign = _guard_named(campaign, seat)
        campaign = yield from _specialists_join(campaign, seat)
    moving = _marching_order(campaign)
    guests = _guests(campaign, {army.id: goal for army, goal in moving})
    for army, goal in moving:
        campaign = yield from _army_moves(campaign, army, goal)
    for guest in guests:
        campaign = campaign.army_changed(guest, guest=campaign.armies[guest].place)
    campaign = yield from _sieges_lifted(campaign)
    for seat, orders in campaign.orders.items():
        for piece, zone in orders.moves.items():
            if piece in campaign.fleets:
                here = campaign.fleets[piece].place
                yield from tell("MN-4.1", "sails", seat=seat, piece=piece, start=here, place=zone)
                campaign = campaign.fleet_changed(piece, place=zone, came=here)
    yield from _met_nobody(campaign)
    return campaign, []


def _met_nobody(campaign: Campaign) -> Rule[None]:
    """Tell of orders to fight those who are neither at that place nor on the way (MN-7.5)."""
    for seat, said in campaign.orders.items():
        for place, foes in said.fights.items():
            gone = tuple([foe for foe in foes if not _meet(campaign, seat, foe, place)])
            if gone and place != EVERYWHERE:
                yield from tell("MN-1.3", "void_fight", seat=seat, others=gone, place=place)


def _meet(campaign: Campaign, seat: str, foe: str, place: str) -> bool:
    """Whether a seat's pieces meet another's at a place, or on the border on their way there."""
    came = {piece.came for piece in campaign.pieces_of(seat) if piece.place == place}
    return any(
        bool(came) and (piece.place == place or (piece.came == place and piece.place in came))
        for piece in campaign.pieces_of(foe)
    )


def _marching_order(campaign: Campaign) -> list[tuple[Army, str]]:
    """Armies that move, and where to: those that embark are told first, then those that land."""
    moving = [
        (campaign.armies[piece], goal)
        for orders in campaign.orders.values()
        for piece, goal in orders.moves.items()
        if piece in campaign.armies
    ]
    return sorted(
        moving, key=lambda move: (move[1] in campaign.lands, not campaign.aboard(move[0]))
    )


def _guests(campaign: Campaign, goals: Mapping[str, str]) -> list[str]:
    """Armies that enter a province of another's, or stay in it, by leave; and those that stay in a
    partner's (MN-4.4).

    goals: where those go that move.
    Asked of all before the first one moves: no entry takes another's leave away.
    """
    found = []
    for army in campaign.armies.values():
        place, seat = goals.get(army.id, army.place), army.owner
        if place not in campaign.lands or campaign.owner(place) == seat:
            continue
        host = campaign.owner(place)
        partner = host is not None and army.id not in goals and campaign.partners(host, seat)
        if partner or not invades(campaign, seat, place):
            found.append(army.id)
    return found


def _guard_named(campaign: Campaign, seat: str) -> Campaign:
    """Which army at home has the Sacred Guard (MN-2.2)."""
    guard = campaign.orders[seat].guard
    return campaign.changed(seat, guard=guard) if guard else campaign


def _specialists_join(campaign: Campaign, seat: str) -> Rule[Campaign]:
    """Specialists join or leave an army that stands where they are (MN-2.9)."""
    for number, army in campaign.orders[seat].joins.items():
        one = campaign.specialists[number]
        place = "" if army else campaign.armies[one.joins].place
        yield from tell(
            "MN-2.9", "joins" if army else "leaves", seat=seat, specialist=one.kind,
            piece=army or one.joins,
        )  # fmt: skip
        campaign = campaign.with_specialist(replace(one, joins=army, place=place))
    return campaign


def _army_moves(campaign: Campaign, army: Army, goal: str) -> Rule[Campaign]:
    """One army marches, boards a fleet, or lands."""
    here, seat = campaign.whereabouts(army), army.owner
    if goal in campaign.fleets:
        yield from tell("MN-4.2", "embarks", seat=seat, piece=army.id, place=here, fleet=goal)
        came = ""
    else:
        rule, kind = ("MN-4.2", "lands") if campaign.aboard(army) else ("MN-4.1", "marches")
        yield from tell(rule, kind, seat=seat, piece=army.id, start=here, place=goal)
        campaign = yield from treaty_ends_on_entry(campaign, seat, goal)
        came = here
    return campaign.army_changed(army.id, place=goal, came=came)


def _sieges_lifted(campaign: Campaign) -> Rule[Campaign]:
    """Sieges that nobody lays any more once all armies have moved (MN-6.5); an army that comes in
    the place of one that leaves goes on with their owner's siege (MN-6.11).
    """
    for place in campaign.atlas.by_id:
        siege = campaign.lands[place].siege
        if siege is not None and not campaign.armies_at(place, siege.by):
            yield from tell("MN-6.5", "lifted", seat=siege.by, place=place)
            campaign = campaign.without_idle_siege(place)
    return campaign


def treaty_ends_on_entry(campaign: Campaign, seat: str, province: str) -> Rule[Campaign]:
    """Under `treaties=honour` to enter a partner's province without leave ends the treaty."""
    owner = campaign.owner(province)
    if owner in (None, seat) or campaign.enemies(seat, owner) or campaign.passage(owner, seat):
        return campaign
    yield from tell("MN-4.4", "breach", seat=seat, other=owner)
    return campaign.estranged(seat, owner)


def war_breaks_out(campaign: Campaign, seat: str, other: str | None) -> Rule[Campaign]:
    """A fight, siege, pillage or blockade between two seats: they are at war, and what treaties
    they had are void (MN-4.4).
    """
    if other in (None, seat) or campaign.at_war(seat, other):
        return campaign
    after = campaign.hostile(seat, other)
    void = [treaty.kind for treaty in campaign.treaties if treaty not in after.treaties]
    yield from tell("MN-4.4", "war", seat=seat, other=other, kinds=void)
    return after


def relieved(before: Campaign, after: Campaign, place: str) -> Rule[Campaign]:
    """Tell of a siege that ended because its last besieger is gone (MN-6.11)."""
    land = before.lands.get(place)
    if land is not None and land.siege is not None and after.lands[place].siege is None:
        yield from tell("MN-6.11", "siege_ends", seat=land.siege.by, place=place)
    return after


# Exhaustion (MN-7.3) -----------------------------------------------------------------------------


@script("MN-7.3")
def exhaustion_wears_off(campaign: Campaign) -> Step[Campaign]:
    """Markers come off at the end of the movement of the turn after they were given."""
    for army in campaign.armies.values():
        if army.exhausted:
            left = left_after(campaign, army)
            yield from tell("MN-7.3", "recovers", seat=army.owner, piece=army.id, level=left)
            campaign = campaign.army_changed(army.id, exhausted=left)
    return campaign, []


# After the combats (MN-1.2) ----------------------------------------------------------------------


@script("MN-1.2")
def war_weighs_on_trade(campaign: Campaign) -> Step[Campaign]:
    """What will bring nothing in the next commercial phase."""
    lands = campaign.lands
    places = campaign.atlas.by_id
    besieged = [place for place in places if lands[place].siege is not None]
    markets = [place for place in places if lands[place].pillaged or lands[place].taxed_off]
    routes = [place for place in places if lands[place].cut]
    if besieged:
        yield from tell("MN-6.6", "besieged", places=besieged)
    if markets:
        yield from tell("MN-1.2", "markets", places=markets)
    if routes:
        yield from tell("MN-1.2", "routes", places=routes)
    return campaign, []


@script("MN-B.4")
def losses_are_made_good(campaign: Campaign) -> Step[Campaign]:
    """Lost stands come back at the end of the phase, mercenaries as ordinary ones; and with
    `stand_losses=keep` only what was paid for.
    """
    if campaign.options.stand_losses == "keep":
        return campaign.guards_back(), []
    lacking = [army.id for army in campaign.armies.values() if army.strength < len(army.stands)]
    if lacking:
        yield from tell("MN-B.4", "refilled", pieces=lacking)
    return campaign.guards_back().refilled(), []


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
