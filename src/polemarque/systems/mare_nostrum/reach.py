"""Where armies and fleets may go, whom they meet there (MN-4), what they cost where they stand
(MN-F4): nothing here rolls or asks.
"""

from __future__ import annotations

from typing import NamedTuple

from polemarque.api import NotAllowed, Purse, Sum
from polemarque.systems.mare_nostrum.pieces import Army, Fleet
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import maintenance


def entry_refusal(campaign: Campaign, seat: str, province: str) -> str:
    """Why a seat's army may not enter a province, as a code; "" if it may (MN-4.4).

    Under `treaties=honour` it may, and the treaty ends.
    """
    owner = campaign.owner(province)
    if owner is None or campaign.enemies(seat, owner) or campaign.passage(owner, seat):
        return ""
    if owner == seat or campaign.options.treaties == "honour":
        return ""
    return "order.treaty"


def invades(campaign: Campaign, seat: str, province: str) -> bool:
    """Whether a seat's army that enters a province invades it (MN-4.4)."""
    owner = campaign.owner(province)
    if owner == seat:
        return False
    return not campaign.passage(province if owner is None else owner, seat)


def idle(campaign: Campaign, army: Army) -> str:
    """Why an army can get no order to move, as a code; "" if it can.

    A besieger may always lift his siege (MN-6.5).
    """
    if army.created >= campaign.turn:
        return "order.new"
    return "order.exhausted" if army.exhausted and not campaign.besieging(army) else ""


def army_ways(campaign: Campaign, army: Army) -> tuple[str, ...]:
    """Where an army may be ordered to go: provinces, then fleets it may board (MN-4.1, MN-4.2)."""
    if idle(campaign, army):
        return ()
    seat = army.owner
    if army.place in campaign.fleets:
        shore = campaign.atlas.provinces_of(campaign.fleets[army.place].place)
        return tuple([place for place in shore if not entry_refusal(campaign, seat, place)])
    beside = campaign.atlas.neighbours_of(army.place)
    if campaign.besieging(army):
        ways = [place for place in beside if campaign.owner(place) == seat]
    else:
        ways = [place for place in beside if not entry_refusal(campaign, seat, place)]
    return (*ways, *ferries(campaign, seat, army.place))


def ferries(campaign: Campaign, seat: str, province: str) -> tuple[str, ...]:
    """A seat's fleets that an army may board from a province: empty ones in an adjacent zone."""
    zones = campaign.atlas.zones_of(province)
    return tuple(
        fleet.id
        for fleet in campaign.fleets.values()
        if fleet.owner == seat and fleet.place in zones and campaign.cargo(fleet.id) is None
    )


def army_refusal(campaign: Campaign, army: Army, place: str) -> NotAllowed | None:
    """Why an army cannot be ordered to go to a province or fleet that its ways do not have.

    None where it is neither.
    """
    fleet = campaign.fleets.get(place)
    if fleet is None and place not in campaign.lands:
        return None
    code = idle(campaign, army)
    if code == "order.new":
        return NotAllowed(code, rule="MN-4.1")
    if code:
        return NotAllowed(code, rule="MN-8.4" if campaign.aboard(army) else "MN-7.1")
    if fleet is not None:
        if fleet.owner != army.owner:
            return NotAllowed("order.foreign_fleet", rule="MN-4.2")
        beside = campaign.atlas.adjacent(campaign.whereabouts(army), fleet.place)
        return NotAllowed("order.fleet_full" if beside else "order.far", rule="MN-4.2")
    if not campaign.atlas.adjacent(campaign.whereabouts(army), place):
        return NotAllowed("order.far", rule="MN-4.1")
    if campaign.besieging(army):
        return NotAllowed("order.besieging", rule="MN-6.5")
    barred = entry_refusal(campaign, army.owner, place)
    return NotAllowed(barred or "order.far", rule="MN-4.4")


def fleet_ways(campaign: Campaign, fleet: Fleet) -> tuple[str, ...]:
    """The zones a fleet may be ordered to (MN-4.1)."""
    if fleet.created >= campaign.turn:
        return ()
    return campaign.atlas.neighbours_of(fleet.place)


def fleet_refusal(campaign: Campaign, fleet: Fleet, zone: str) -> NotAllowed | None:
    """Why a fleet cannot be ordered to a zone that its ways do not have; None where it is none."""
    if zone not in campaign.atlas.zone_by_id:
        return None
    return NotAllowed("order.far" if fleet_ways(campaign, fleet) else "order.new", rule="MN-4.1")


def blockadable(campaign: Campaign, seat: str, zone: str) -> tuple[str, ...]:
    """Enemy ports that a seat's fleet in a zone may blockade (MN-8.3).

    Under `treaties=honour` a partner's too.
    """
    honour = campaign.options.treaties == "honour"
    ports = []
    for place in campaign.atlas.provinces_of(zone):
        owner = campaign.owner(place)
        if owner is None or owner == seat or not campaign.atlas.by_id[place].port:
            continue
        if honour or campaign.enemies(seat, owner):
            ports.append(place)
    return tuple(ports)


def may_fight(campaign: Campaign, seat: str, other: str) -> bool:
    """Whether a seat may give orders against another: his enemy, or under `honour` anybody."""
    return campaign.options.treaties == "honour" or campaign.enemies(seat, other)


def may_come(campaign: Campaign, seat: str, place: str) -> bool:
    """Whether a seat has a piece that stands at a place, or can be ordered there this turn."""
    ways = [army_ways(campaign, army) for army in campaign.armies_of(seat)]
    ways += [fleet_ways(campaign, fleet) for fleet in campaign.fleets_of(seat)]
    stand = [piece.place for piece in campaign.pieces_of(seat)]
    return place in stand or any([place in way for way in ways])


def tired(campaign: Campaign, army: Army) -> bool:
    """Whether an army is exhausted in this turn's combats (MN-7.3)."""
    if campaign.options.exhausted_when == "entry" and army.bore:
        return True
    return army.exhausted > 0


def spent(campaign: Campaign, army: Army) -> bool:
    """Whether an army will be exhausted in the combats, as its orders are written (MN-7.3)."""
    if campaign.options.exhausted_when == "entry":
        return army.exhausted > 0
    return left_after(campaign, army) > 0


def left_after(campaign: Campaign, army: Army) -> int:
    """What is left of an army's marker at the end of the movement (MN-7.3)."""
    return 0 if campaign.options.recovery == "all" else max(0, army.exhausted - 1)


def closed(campaign: Campaign, seat: str, place: str, host: str = "") -> bool:
    """Whether a place holds an enemy army or fleet, so that nobody retreats there (MN-1.3).

    host: whose fleet is to take the army aboard; what is his closes nothing to his guest.
    """
    owners = [army.owner for army in campaign.armies_at(place)]
    owners += [fleet.owner for fleet in campaign.fleets_at(place)]
    return any([owner != host and campaign.enemies(seat, owner) for owner in owners])


def refuges(campaign: Campaign, army: Army, barred: str = "") -> tuple[str, ...]:
    """Where an army may retreat as in MN-5.3: adjacent controlled provinces, then fleets.

    barred: the place that the attacker came from (MN-1.3).
    A fleet of somebody else's is one of them whatever there is between the two players: he is
    asked (`rescue_fleet=any`).
    """
    controlled = havens(campaign, army, barred)
    zones = [zone for zone in campaign.atlas.zones_of(army.place) if zone != barred]
    owners = [army.owner]
    if campaign.options.rescue_fleet == "any":
        owners += campaign.others(army.owner)
    boats = [
        fleet.id
        for owner in owners
        for fleet in campaign.fleets_of(owner)
        if fleet.place in zones
        and campaign.cargo(fleet.id) is None
        and not closed(campaign, army.owner, fleet.place, host=owner)
    ]
    return (*controlled, *boats)


def havens(campaign: Campaign, army: Army, barred: str = "") -> tuple[str, ...]:
    """Adjacent provinces that an army's owner controls, and that are open to it."""
    return tuple(
        place
        for place in campaign.atlas.neighbours_of(army.place)
        if campaign.owner(place) == army.owner
        and place != barred
        and not closed(campaign, army.owner, place)
    )


def wilds(campaign: Campaign, army: Army, barred: str = "") -> tuple[str, ...]:
    """Where an exhausted army may retreat by `exhausted_retreat=any` (MN-7.2): any adjacent
    province with no foreign army and no foreign owner.
    """
    seat = army.owner
    return tuple(
        place
        for place in campaign.atlas.neighbours_of(army.place)
        if campaign.owner(place) in (None, seat)
        and place != barred
        and not any([other.owner != seat for other in campaign.armies_at(place)])
    )


def where_is(campaign: Campaign, part: str) -> str:
    """Where that stands now which a part of a sheet is about, a piece or a place; "" for none."""
    code = part.partition(".")[2]
    army = campaign.armies.get(code)
    piece = campaign.fleets.get(code) or campaign.caravans.get(code)
    place = campaign.whereabouts(army) if army else piece.place if piece else code
    return place if place in campaign.atlas.around else ""


class Due(NamedTuple):
    """What an army or fleet costs this turn, with its reasons (MN-F4)."""

    piece: str
    cost: Sum


def distance_of(campaign: Campaign, piece: str) -> int:
    """How far an army or fleet is from its base, in places entered (MN-F4).

    More than any scale knows if no way leads there, as only the umpire's hand can bring about.
    """
    army = campaign.armies.get(piece)
    if army is not None:
        far = campaign.atlas.distance(army.base, campaign.whereabouts(army))
    else:
        fleet = campaign.fleets[piece]
        far = campaign.atlas.sea_distance(fleet.base, fleet.place)
    return len(campaign.atlas.places) if far is None else far


def dues(campaign: Campaign, seat: str) -> tuple[Due, ...]:
    """Armies and fleets that cost something this turn, the cheapest first."""
    armies = [
        Due(army.id, maintenance(distance_of(campaign, army.id), campaign.besieging(army)))
        for army in campaign.armies_of(seat)
    ]
    fleets = [
        Due(fleet.id, maintenance(distance_of(campaign, fleet.id), False))
        for fleet in campaign.fleets_of(seat)
    ]
    owing = [due for due in (*armies, *fleets) if due.cost.total]
    return tuple(sorted(owing, key=lambda due: due.cost.total))


def total_of(due: tuple[Due, ...]) -> int:
    """What all of them cost together."""
    return sum([one.cost.total for one in due])


def purse(campaign: Campaign, seat: str) -> Purse:
    """A seat's treasury, and what its armies and fleets cost this turn where they stand."""
    return Purse("treasury", campaign.seats[seat].treasury, total_of(dues(campaign, seat)))
