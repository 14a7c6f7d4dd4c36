"""The commercial phase (MN-F2, MN-F3, MN-3): markets, routes, caravans, hired mercenaries.

Markets pay first; then one sealed sheet a seat says where its caravans go and whether they sell or
hire; routes pay; caravans go, meet bands, and seek to open routes, oldest first.  The marks that
the last military phase left on provinces then come off (MN-1.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from polemarque.api import (
    Fact,
    Filling,
    Item,
    Next,
    OneOf,
    Rule,
    Sheet,
    Step,
    Sum,
    bonus,
    call,
    explain,
    script,
    tell,
    then,
)
from polemarque.systems.mare_nostrum.asking_seats import sheets_of
from polemarque.systems.mare_nostrum.caravans import (
    NEVER,
    ambush,
    base_threshold,
    caravans_of,
    destinations,
    market,
    next_step,
    open_ways,
    prospect,
    route_opened,
    routes_of,
    standing,
    supplies,
    trade_route,
    waiting,
    welcome,
    without_caravan,
    without_route,
)
from polemarque.systems.mare_nostrum.pieces import Caravan, Land, Route, Specialist
from polemarque.systems.mare_nostrum.reach import where_is
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import COMMERCE_GOD, RESOURCES

STAY = "stay"
SELL, HIRE = "sell", "hire"
DEAL = OneOf((SELL, HIRE), "deal")
NO_YES = OneOf(("no", "yes"), "takes_priest")


@script("MN-F2/phase")
def commercial_phase(campaign: Campaign) -> Step[Campaign]:
    """Every local market pays its owner, but for those that the war has closed (MN-1.2)."""
    for seat in campaign.in_play():
        money = yield from _markets(campaign, seat)
        campaign = campaign.earning(seat, money)
    items: list[Item] = []
    if campaign.caravans or campaign.routes:
        items.append(then(traders_are_told))
    if any([land.marked for land in campaign.lands.values()]):
        items.append(then(marks_come_off))
    return campaign, items


def _markets(campaign: Campaign, seat: str) -> Rule[int]:
    reasons, shut = Sum(), []
    for place in campaign.lands_of(seat):
        if market_closed(campaign.lands[place]):
            shut.append(place)
        else:
            reasons += market(campaign.atlas.by_id[place].resources)
    yield from explain(reasons)
    yield from tell("MN-F2", "market", seat=seat, money=reasons.total, shut=shut)
    return reasons.total


def market_closed(land: Land) -> bool:
    """Whether a province pays no local market: besieged, pillaged, or its tax cut off (MN-6.6)."""
    return land.siege is not None or land.pillaged or land.taxed_off


@script("MN-F2/end")
def marks_come_off(campaign: Campaign) -> Next[Campaign]:
    """What the war has done to trade has been felt: the marks come off."""
    lands = {
        place: replace(land, pillaged=False, taxed_off=False, cut=False) if land.marked else land
        for place, land in campaign.lands.items()
    }
    return replace(campaign, lands=lands), []


@script("MN-F3/orders")
def traders_are_told(campaign: Campaign) -> Step[Campaign]:
    """One sealed sheet for each seat with caravans, or a route that may hire; then routes pay."""
    seats = [s for s in campaign.in_play() if caravans_of(campaign, s) or _hiring(campaign, s)]
    sheets = yield from sheets_of(campaign, seats, _sheet, _as_before)
    campaign = _sent(campaign, sheets)
    hiring: list[str] = []
    for seat, sheet in sheets.items():
        hiring += [r.id for r in _hiring(campaign, seat) if sheet[f"route.{r.id}"] == HIRE]
    campaign = yield from _routes_pay(campaign, hiring)
    on_the_way = [one.id for seat in campaign.in_play() for one in caravans_of(campaign, seat)]
    return campaign, [then(caravans_travel, tuple(on_the_way))] if on_the_way else []


def _hiring(campaign: Campaign, seat: str) -> tuple[Route, ...]:
    """By the variant `each_turn`, the paying routes of a seat that end where there are mercenaries
    (MN-3.1).
    """
    if campaign.options.hire != "each_turn":
        return ()
    by_id = campaign.atlas.by_id
    return tuple(
        route
        for route in routes_of(campaign, seat)
        if by_id[route.destination].mercenaries and route_pays(campaign, route)
    )


def _priests(campaign: Campaign, seat: str) -> tuple[Specialist, ...]:
    return waiting(campaign, seat, "priest", COMMERCE_GOD)


def _sheet(campaign: Campaign, seat: str) -> Sheet:
    def fill() -> Filling:
        priests = [one.place for one in _priests(campaign, seat)]
        for caravan in caravans_of(campaign, seat):
            places = destinations(campaign, caravan)
            far = partial(_distance, campaign, caravan, open_ways(campaign, caravan))
            goal = yield f"to.{caravan.id}", OneOf((STAY, *places), "place", fact=far)
            if goal != STAY and campaign.atlas.by_id[goal].mercenaries:
                yield f"deal.{caravan.id}", DEAL
            if caravan.place in priests and not campaign.companions(caravan.id):
                taken = yield f"priest.{caravan.id}", NO_YES
                if taken == "yes":
                    priests.remove(caravan.place)
        for route in _hiring(campaign, seat):
            yield f"route.{route.id}", DEAL

    remarks, where = partial(_remarks, campaign, seat), partial(where_is, campaign)
    return Sheet(fill, remarks=remarks, proposes=True, where=where)


def _remarks(campaign: Campaign, seat: str, sheet: Mapping[str, Any]) -> Iterator[Fact]:
    """Caravans without an order; those that are at their destination, and try there again."""
    goals = [(one, sheet.get(f"to.{one.id}", STAY)) for one in caravans_of(campaign, seat)]
    idle = [one.id for one, goal in goals if goal == STAY]
    if idle:
        yield Fact("idle", {"pieces": idle})
    there = [one.id for one, goal in goals if goal == one.place]
    if there:
        yield Fact("there", {"pieces": there})


def _distance(
    campaign: Campaign, caravan: Caravan, ways: Mapping[str, int], place: str
) -> Fact | None:
    """What a destination promises a caravan; the soonest first."""
    if place == STAY:
        return None
    turns, figures = prospect(campaign, caravan, place, ways)
    group = standing(campaign, caravan.owner, place, figures["steps"])
    return Fact("steps", figures, group=group, rank=NEVER if turns is None else turns)


def _as_before(campaign: Campaign, seat: str) -> dict[str, Any]:
    """An absent player's caravans go on where they were going; everything is sold."""
    answer: dict[str, Any] = {}
    priests = [one.place for one in _priests(campaign, seat)]
    for caravan in caravans_of(campaign, seat):
        going = caravan.destination in destinations(campaign, caravan)
        answer[f"to.{caravan.id}"] = caravan.destination if going else STAY
        if going and campaign.atlas.by_id[caravan.destination].mercenaries:
            answer[f"deal.{caravan.id}"] = HIRE if caravan.hires else SELL
        if caravan.place in priests and not campaign.companions(caravan.id):
            answer[f"priest.{caravan.id}"] = "no"
    return answer | {f"route.{route.id}": SELL for route in _hiring(campaign, seat)}


def _sent(campaign: Campaign, sheets: Mapping[str, Mapping[str, Any]]) -> Campaign:
    """The campaign with all caravans told where to go, and with whom."""
    told: dict[str, Caravan] = {}
    for seat, sheet in sheets.items():
        for caravan in caravans_of(campaign, seat):
            goal = sheet[f"to.{caravan.id}"]
            hires = sheet.get(f"deal.{caravan.id}") == HIRE
            destination = "" if goal == STAY else goal
            if (destination, hires) != (caravan.destination, caravan.hires):
                told[caravan.id] = replace(caravan, destination=destination, hires=hires)
            if sheet.get(f"priest.{caravan.id}") == "yes":
                campaign = _accompanied(campaign, caravan)
    return replace(campaign, caravans={**campaign.caravans, **told}) if told else campaign


def _accompanied(campaign: Campaign, caravan: Caravan) -> Campaign:
    waits = _priests(campaign, caravan.owner)
    priest = next(one for one in waits if one.place == caravan.place)
    return campaign.with_specialist(replace(priest, joins=caravan.id, place=""))


def route_pays(campaign: Campaign, route: Route) -> bool:
    """Whether a route pays this turn: not from a besieged province nor if it is cut (MN-6.6)."""
    return delivers(campaign, route.owner, route.origin)


def delivers(campaign: Campaign, seat: str, origin: str) -> bool:
    """Whether the goods of a province reach the routes that a seat has from there."""
    land = campaign.lands[origin]
    return land.siege is None and not land.cut and supplies(campaign, seat, origin)


def _routes_pay(campaign: Campaign, hiring: list[str]) -> Rule[Campaign]:
    """Every route pays the base value of its good, or hires; a lost source closes it."""
    for seat in campaign.in_play():
        reasons, cut = Sum(), []
        for route in routes_of(campaign, seat):
            if not supplies(campaign, seat, route.origin):
                campaign = without_route(campaign, route.id)
                yield from tell("MN-F3", "closed", seat=seat, **_route_facts(route))
            elif not route_pays(campaign, route):
                cut.append(route.origin)
            elif route.id in hiring:
                campaign = yield from _hired(campaign, seat, route.destination)
            else:
                reasons += bonus("MN-F2", RESOURCES[route.resource].value, route.resource)
        if reasons.parts or cut:
            yield from explain(reasons)
            lost = list(dict.fromkeys(cut))
            yield from tell("MN-F3", "routes", seat=seat, money=reasons.total, cut=lost)
            campaign = campaign.earning(seat, reasons.total)
    return campaign


def _route_facts(route: Route | Caravan) -> dict[str, Any]:
    return {
        "resource": route.resource, "origin": route.origin, "destination": route.destination,
    }  # fmt: skip


def _hired(campaign: Campaign, seat: str, place: str) -> Rule[Campaign]:
    """A mercenary unit of a province waits in garrison at home (MN-3.1, MN-3.2)."""
    kind = campaign.atlas.by_id[place].mercenaries
    holder = campaign.seats[seat]
    garrison = (*holder.mercenaries, kind)
    yield from tell("MN-3.1", "hired", seat=seat, place=place, mercenaries=kind)
    yield from tell("MN-3.2", "garrison", seat=seat, place=holder.home, units=len(garrison))
    return campaign.changed(seat, mercenaries=garrison)


@script("MN-F3/caravans")
def caravans_travel(campaign: Campaign, caravans: tuple[str, ...]) -> Step[Campaign]:
    """Each in turn goes one place on; the first that meets bands or is at its destination rolls
    before the others set out.
    """
    travelled = dict(campaign.caravans)
    for at, number in enumerate(caravans, 1):
        travelled[number] = caravan = yield from _goes_on(campaign, travelled[number])
        if caravan.place == caravan.destination or campaign.bands_at(caravan.place):
            others = then(caravans_travel, caravans[at:])
            return replace(campaign, caravans=travelled), [then(caravan_rolls, number), others]
    return replace(campaign, caravans=travelled), []


def _goes_on(campaign: Campaign, caravan: Caravan) -> Rule[Caravan]:
    """One place on, towards the destination."""
    if caravan.destination in ("", caravan.place):
        return caravan
    seat, number, step = caravan.owner, caravan.id, next_step(campaign, caravan)
    if not step:
        yield from tell("MN-8.2", "no_way", seat=seat, piece=number, place=caravan.place)
        return caravan
    yield from tell("MN-F3", "travels", seat=seat, piece=number, place=step)
    return replace(caravan, place=step)


@script("MN-F3/rolls")
def caravan_rolls(campaign: Campaign, number: str) -> Step[Campaign]:
    """Past the bands where it is, and at the destination D100 for a route."""
    caravan = campaign.caravans[number]
    bands = campaign.bands_at(caravan.place)
    if bands:
        fate = yield from call(ambush, len(bands))
        kind = "lost" if fate.lost else "unharmed"
        yield from tell("MN-9.2", kind, seat=caravan.owner, piece=number, place=caravan.place)
        if fate.lost:
            return without_caravan(campaign, number), []
    if caravan.place != caravan.destination:
        return campaign, []
    return (yield from _seeks_route(campaign, caravan)), []


def _seeks_route(campaign: Campaign, caravan: Caravan) -> Rule[Campaign]:
    """Open a route: it uses up the caravan, and pays at once or hires; else the caravan waits.

    A route whose source is besieged, cut or lost opens all the same, but brings nothing (MN-6.6).
    """
    seat = caravan.owner
    found = yield from call(trade_route, base_threshold(caravan), welcome(campaign, caravan))
    facts = {**_route_facts(caravan), "seat": seat, "threshold": found.threshold}
    if not found.success:
        yield from tell("MN-F3", "fails", **facts)
        return campaign
    brings = delivers(campaign, seat, caravan.origin)
    there = bool(campaign.atlas.by_id[caravan.destination].mercenaries)
    hires = caravan.hires and there and brings
    value = RESOURCES[caravan.resource].value if brings and not hires else 0
    campaign, _ = route_opened(campaign, replace(caravan, hires=hires))
    yield from tell("MN-F3", "opened", money=value, **facts)
    if hires:
        return (yield from _hired(campaign, seat, caravan.destination))
    return campaign.earning(seat, value)
