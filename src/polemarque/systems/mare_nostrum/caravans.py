"""Caravans and trade routes on the map (MN-F3): what may be loaded, which way, how it is received.

Pure functions of the campaign; `commercial` plays them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    D100,
    Call,
    ChanceOf,
    Rule,
    Sum,
    at_most,
    bonus,
    explain,
    procedure,
    roll,
    total,
)
from polemarque.systems.mare_nostrum.lookups import CARAVANS_OF, ROUTES_OF, age
from polemarque.systems.mare_nostrum.pieces import Caravan, Route, Specialist
from polemarque.systems.mare_nostrum.state import Campaign, put, without
from polemarque.systems.mare_nostrum.tables import COMMERCE_GOD, FRAME, REGIMES, RESOURCES, racial

TRADE = FRAME.trade


class Welcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a caravan stands with its destination (MN-F3).

    already:         a trade route brings the same good there.
    war_with_ally:   at war with a player allied to the destination's owner.
    at_war:          at war with its owner.
    own:             the caravan's owner controls it.
    treaty:          he has a commercial treaty with it or its owner.
    republic:        he governs a republic.
    commerce_priest: a priest of a god of commerce travels along.
    racial:          the racial factor, -30 to +30.
    """

    already: bool = False
    war_with_ally: bool = False
    at_war: bool = False
    own: bool = False
    treaty: bool = False
    republic: bool = False
    commerce_priest: bool = False
    racial: int = 0


class Opening(msgspec.Struct, frozen=True):
    """What was needed, and whether the route is open."""

    threshold: int
    success: bool


@lru_cache(maxsize=256)
def market(resources: tuple[str, ...]) -> Sum:
    """The local market of a province that produces these (MN-F2), in PO; each as often as named."""
    reasons = Sum()
    for resource in resources:
        reasons += bonus("MN-F2", RESOURCES[resource].value, resource)
    return reasons


def threshold(base: int, welcome: Welcome) -> Sum:
    """The threshold of D100 for a route (MN-F3): all that applies, added, without bounds."""
    reasons = bonus("MN-F3", base, "base_threshold")
    for reason in (
        "already", "war_with_ally", "at_war", "own", "treaty", "republic", "commerce_priest"
    ):  # fmt: skip
        if getattr(welcome, reason):
            reasons += bonus("MN-F3", getattr(TRADE, reason), reason)
    return reasons + bonus("MN-F3", welcome.racial, "racial")


@procedure("MN-F3")
def trade_route(base: int, welcome: Welcome) -> Rule[Opening]:
    """D100 of the threshold or less opens the route.

    base: base threshold of the good, before every modifier.
    """
    reasons = threshold(base, welcome)
    yield from explain(reasons)
    die = yield from roll(1, D100, read=total, why="trade_route")
    return Opening(reasons.total, die <= reasons.total)


class Ambush(msgspec.Struct, frozen=True):
    """Whether a caravan is lost to bands."""

    lost: bool


@procedure("MN-9.2")
def ambush(bands: int) -> Rule[Ambush]:
    """Each band in the caravan's place rolls a D6; one that plunders it is enough."""
    hits = yield from roll(bands, D6, read=at_most(FRAME.plunder.lost), why="plunder")
    return Ambush(hits > 0)


def caravans_of(campaign: Campaign, seat: str) -> tuple[Caravan, ...]:
    """A seat's caravans, oldest first."""
    return CARAVANS_OF.of(campaign.caravans).get(seat, ())


def routes_of(campaign: Campaign, seat: str) -> tuple[Route, ...]:
    """A seat's trade routes, oldest first."""
    return ROUTES_OF.of(campaign.routes).get(seat, ())


def with_caravan(campaign: Campaign, caravan: Caravan) -> Campaign:
    """The campaign with a caravan in place of what it was, or new."""
    return replace(campaign, caravans=put(campaign.caravans, caravan.id, caravan))


def without_caravan(campaign: Campaign, caravan: str) -> Campaign:
    """The campaign after a caravan was lost, and those who were with it."""
    left = without(campaign.caravans, caravan)
    company = campaign.specialists
    if campaign.companions(caravan):
        company = {key: one for key, one in company.items() if one.joins != caravan}
    return replace(campaign, caravans=left, specialists=company)


def without_route(campaign: Campaign, route: str) -> Campaign:
    """The campaign without a trade route."""
    return replace(campaign, routes=without(campaign.routes, route))


def route_opened(campaign: Campaign, caravan: Caravan) -> tuple[Campaign, Route]:
    """The caravan is used up and its route is open; a priest who was with it is back home."""
    campaign = sent_home(campaign, caravan.id)
    campaign, number = campaign.numbered(caravan.owner, "R")
    route = Route(
        number, caravan.owner, caravan.resource, caravan.origin, caravan.destination,
        campaign.turn, caravan.hires,
    )  # fmt: skip
    campaign = without_caravan(campaign, caravan.id).counted(caravan.owner, routes=1)
    return replace(campaign, routes=put(campaign.routes, route.id, route)), route


def sent_home(campaign: Campaign, piece: str) -> Campaign:
    """The campaign with the specialists of an army or caravan waiting at their home again."""
    for one in campaign.companions(piece):
        home = campaign.seats[one.owner].home
        campaign = campaign.with_specialist(replace(one, joins="", place=home))
    return campaign


def waiting(campaign: Campaign, seat: str, kind: str, god: str = "") -> tuple[Specialist, ...]:
    """A seat's specialists of a kind (and god) who wait in a province, oldest first."""
    own = [
        one
        for one in campaign.specialists_of(seat)
        if one.kind == kind and one.place and god in ("", one.god)
    ]
    return tuple(sorted(own, key=lambda one: age(one.id)))


def commercial_treaty(campaign: Campaign, seat: str, place: str) -> bool:
    """Whether a seat has a commercial treaty with a province's owner, or with the free city."""
    owner = campaign.owner(place)
    return campaign.treaty("commercial", seat, place if owner is None else owner)


def supplies(campaign: Campaign, seat: str, place: str) -> bool:
    """Whether a province's goods are a seat's to trade: his own, or by a commercial treaty."""
    return campaign.owner(place) == seat or commercial_treaty(campaign, seat, place)


def sources(campaign: Campaign, seat: str) -> tuple[str, ...]:
    """Provinces whose goods a seat may load, in the map's order: none under siege, none empty."""
    by_id, lands = campaign.atlas.by_id, campaign.lands
    partners = {
        treaty.other if treaty.one == seat else treaty.one
        for treaty in campaign.treaties
        if treaty.kind == "commercial" and seat in (treaty.one, treaty.other)
    }
    places: Iterable[str] = campaign.lands_of(seat)
    if partners:
        holders = {seat, *partners}
        places = [place for place in by_id if (lands[place].owner or place) in holders]
    return tuple([p for p in places if by_id[p].resources and lands[p].siege is None])


def goods_of(campaign: Campaign, place: str) -> tuple[str, ...]:
    """The different resources of a province."""
    return tuple(dict.fromkeys(campaign.atlas.by_id[place].resources))


def start_of(campaign: Campaign, seat: str, origin: str) -> str:
    """Where a caravan with a province's goods sets out: there if it is his, else at his home."""
    return origin if campaign.owner(origin) == seat else campaign.seats[seat].home


def destinations(campaign: Campaign, caravan: Caravan) -> tuple[str, ...]:
    """Provinces where a caravan may seek a route, nearest first: any but its origin."""
    return campaign.atlas.provinces_from(caravan.place, caravan.origin)


def opening_turns(steps: int, percent: int) -> Fraction | None:
    """Turns that a caravan takes on average to open a route; None if it never can.

    steps: places it has to enter, one a turn.   percent: the threshold of D100 there (MN-F3).
    """
    if percent <= 0:
        return None
    return max(steps, 1) - 1 + Fraction(100, min(percent, 100))


def prospect(
    campaign: Campaign, caravan: Caravan, place: str, ways: Mapping[str, int]
) -> tuple[Fraction | None, dict[str, Any]]:
    """How soon a caravan opens a route at a destination on average, as things stand, and figures of
    that for a fact: places entered, the chance there (MN-F3), the turns, whom it could hire, and
    whether fleets shut every way (MN-8.2).

    ways: `open_ways` from where it is.   No turns where it can never open a route.
    """
    far = ways.get(place)
    base, greeted = base_threshold(caravan), welcome(campaign, replace(caravan, destination=place))
    turns = None if far is None else opening_turns(far, threshold(base, greeted).total)
    return turns, {
        "steps": campaign.atlas.distance(caravan.place, place) if far is None else far,
        "shut": far is None,
        "opens": ChanceOf(
            Call(trade_route.rule, (base, greeted)), lambda found: bool(found.success)
        ),
        "turns": floor((turns or 0) + Fraction(1, 2)),
        "mercenaries": campaign.atlas.by_id[place].mercenaries,
    }


def soonest(campaign: Campaign, seat: str, origin: str, resource: str) -> dict[str, Any]:
    """The figures of `prospect` where a new caravan with a good would open a route soonest, and the
    `place`; "" if it could nowhere."""
    caravan = Caravan("", seat, resource, origin, "", start_of(campaign, seat, origin))
    ways = open_ways(campaign, caravan)
    found = [
        (seen[0], place, seen[1])
        for place in destinations(campaign, caravan)
        if (seen := prospect(campaign, caravan, place, ways))[0] is not None
    ]
    if not found:
        return {"place": ""}
    _, place, figures = min(found, key=lambda one: one[0])
    return {"place": place, **figures}


NEAR, NEVER = 3, 10_000
"""Places within so many steps are near; more turns, or steps, than any other number of them."""


def standing(campaign: Campaign, seat: str, place: str, steps: int) -> str:
    """Under which word of the family ``group`` a seat's lists have a province."""
    owner = campaign.owner(place)
    if owner == seat:
        return "mine"
    if (owner and campaign.allies(seat, owner)) or commercial_treaty(campaign, seat, place):
        return "allied"
    return "near" if steps <= NEAR else "far"


def next_step(campaign: Campaign, caravan: Caravan) -> str:
    """The place a caravan enters on a shortest open way to its destination; "" if there is none.

    War fleets close their sea zones to it, unless they let it pass (MN-8.2).
    """
    atlas, goal = campaign.atlas, caravan.destination
    closed = closed_zones(campaign, caravan.owner)
    if not any([atlas.on_the_way(zone, caravan.place, goal) for zone in closed]):
        return next(iter(atlas.next_steps(caravan.place, goal)), "")
    far = atlas.open_distances(goal, closed)
    steps = [near for near in atlas.around[caravan.place] if near in far]
    return min(steps, key=far.__getitem__, default="")


def open_ways(campaign: Campaign, caravan: Caravan) -> Mapping[str, int]:
    """How far every place is from a caravan by the ways that fleets leave open to it (MN-8.2)."""
    return campaign.atlas.open_distances(caravan.place, closed_zones(campaign, caravan.owner))


def closed_zones(campaign: Campaign, seat: str) -> tuple[str, ...]:
    """Sea zones that other players' war fleets close to a seat's caravans (MN-8.2)."""
    shut = [
        fleet.place
        for fleet in campaign.fleets.values()
        if fleet.owner != seat and seat not in campaign.seats[fleet.owner].lets_pass
    ]
    return tuple(dict.fromkeys(shut))


def base_threshold(caravan: Caravan) -> int:
    """The base threshold of the caravan's good."""
    return RESOURCES[caravan.resource].threshold


def welcome(campaign: Campaign, caravan: Caravan) -> Welcome:
    """How a caravan stands with its destination (MN-F3)."""
    seat, place = caravan.owner, caravan.destination
    owner = campaign.owner(place)
    foreign = owner is not None and owner != seat
    atlas = campaign.atlas
    holder = campaign.seats[seat]
    priests = [one for one in campaign.companions(caravan.id) if one.god == COMMERCE_GOD]
    return Welcome(
        already=any(
            route.destination == place and route.resource == caravan.resource
            for route in campaign.routes.values()
        ),
        war_with_ally=foreign
        and any(
            campaign.at_war(seat, other) and campaign.allies(owner or "", other)
            for other in campaign.others(seat)
        ),
        at_war=foreign and campaign.at_war(seat, owner or ""),
        own=owner == seat,
        treaty=commercial_treaty(campaign, seat, place),
        republic=holder.regime in REGIMES and REGIMES[holder.regime].republic,
        commerce_priest=bool(priests),
        racial=racial(atlas.by_id[campaign.seats[seat].origin].culture, atlas.by_id[place].culture),
    )
