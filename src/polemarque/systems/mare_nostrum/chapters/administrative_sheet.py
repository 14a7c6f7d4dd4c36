"""The administrative sheet (MN-F4, MN-F5): which units are paid, what is bought and built where.

Pure: the budget runs through the parts, so that no way through the sheet is beyond the treasury.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any, NamedTuple

from polemarque.api import (
    Amount,
    Fact,
    Filling,
    OneOf,
    Options,
    Purse,
    SeveralOf,
    Sheet,
    Sum,
    each_at,
    price,
)
from polemarque.systems.mare_nostrum.merchants import goods_of, sources
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import maintenance
from polemarque.systems.mare_nostrum.trade_data import (
    GODS,
    IMPROVEMENTS,
    RESOURCES,
    TROOPS,
    kind_of,
    temple_of,
)

DISBAND = OneOf(("disband",), "upkeep")
NOTHING = "nothing"
GOD = OneOf(GODS, "god")
MOVE = OneOf(("no", "yes"), "government")

PRICES = {key: troop.price for key, troop in TROOPS.items()}
CHEAPEST_SITE = min([one.price for one in IMPROVEMENTS.values()])

Parts = Generator[tuple[str, Options], Any, int]
"""Parts of the sheet; they give the PO spent."""


class Due(NamedTuple):
    """What an army or fleet costs this turn, with its reasons (MN-F4)."""

    piece: str
    cost: Sum


# Maintenance -------------------------------------------------------------------------------------


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


# The sheet ---------------------------------------------------------------------------------------


def administrative_sheet(campaign: Campaign, seat: str) -> Sheet:
    """Units paid, if not all can be; special troops; improvements; the seat of government."""
    treasury, due = campaign.seats[seat].treasury, dues(campaign, seat)
    all_paid = total_of(due) <= treasury
    origins = sources(campaign, seat) if treasury >= PRICES["caravan"] else ()

    def fill() -> Filling:
        budget = treasury
        budget -= total_of(due) if all_paid else (yield from _paid(due, budget))
        budget -= yield from _caravans(campaign, origins, budget)
        for kind in ("diplomat", "engineer"):
            if budget >= PRICES[kind]:
                most, fact = budget // PRICES[kind], each_at(PRICES[kind])
                budget -= PRICES[kind] * (yield kind, Amount(0, most, fact=fact))
        budget -= yield from _priests(budget)
        budget -= yield from _improvements(campaign, seat, budget)
        if may_return(campaign, seat):
            yield "government", MOVE

    return Sheet(fill, lambda: Purse("treasury", treasury, total_of(due) if all_paid else 0))


def _paid(due: tuple[Due, ...], budget: int) -> Parts:
    """Which units are paid, when there is not enough for all."""
    spent = 0
    for one in due:
        able = spent + one.cost.total <= budget
        pay = OneOf(("pay", "disband"), "upkeep", fact={"pay": price(one.cost.total)}.get)
        if (yield f"upkeep.{one.piece}", pay if able else DISBAND) == "pay":
            spent += one.cost.total
    return spent


def _caravans(campaign: Campaign, origins: tuple[str, ...], budget: int) -> Parts:
    """How many caravans, and what each loads where."""
    if not origins or budget < PRICES["caravan"]:
        return 0
    fact = each_at(PRICES["caravan"])
    number: int = yield "caravans", Amount(0, budget // PRICES["caravan"], fact=fact)
    for n in range(1, number + 1):
        origin = yield f"origin.{n}", OneOf(origins, "place", fact=partial(_loads, campaign))
        goods = goods_of(campaign, origin)
        if len(goods) > 1:
            yield f"goods.{n}", OneOf(goods, "resource", fact=yields)
    return PRICES["caravan"] * number


def _loads(campaign: Campaign, place: str) -> Fact:
    """What a caravan can load in a province."""
    return Fact("loads", {"goods": list(goods_of(campaign, place))})


def yields(resource: str) -> Fact:
    """What a trade route in a good yields a turn (MN-F3)."""
    return Fact("yields", {"value": RESOURCES[resource].value})


def _priests(budget: int) -> Parts:
    """How many priests, and of which god each."""
    most = budget // PRICES["priest"]
    number: int = (yield "priests", Amount(0, most, fact=each_at(PRICES["priest"]))) if most else 0
    for n in range(1, number + 1):
        yield f"god.{n}", GOD
    return PRICES["priest"] * number


def _improvements(campaign: Campaign, seat: str, budget: int) -> Parts:
    """Where something is built, and what: one improvement a province and turn."""
    if budget < CHEAPEST_SITE:
        return 0
    places = sites(campaign, seat, budget)
    if not places:
        return 0
    spent = 0
    most, fact = budget // CHEAPEST_SITE, partial(_from, campaign, budget)
    chosen = yield "sites", SeveralOf(places, most=most, label="place", fact=fact)
    for place in chosen:
        kinds = buildable(campaign, place, budget - spent)
        prices = {kind: price(price_of(kind)) for kind in kinds}
        kind = yield f"build.{place}", OneOf((NOTHING, *kinds), "improvement", fact=prices.get)
        if kind == NOTHING:
            continue
        spent += price_of(kind)
        if kind == "temple":
            yield f"temple.{place}", OneOf(templeless(campaign, place), "god")
    return spent


def _from(campaign: Campaign, budget: int, place: str) -> Fact:
    """The cheapest thing to be built in a province."""
    return Fact("from", {"price": min(map(price_of, buildable(campaign, place, budget)))})


def price_of(kind: str) -> int:
    """What an improvement costs, in PO."""
    return IMPROVEMENTS[kind].price


def sites(campaign: Campaign, seat: str, budget: int) -> tuple[str, ...]:
    """Provinces where a seat could build something now: its own, not besieged (MN-F5)."""
    return tuple(
        [
            place
            for place in campaign.lands_of(seat)
            if campaign.lands[place].siege is None and buildable(campaign, place, budget)
        ]
    )


def buildable(campaign: Campaign, place: str, budget: int) -> tuple[str, ...]:
    """What can be built in a province with so many PO: one of each kind, a temple for each god."""
    there = [kind_of(one) for one in campaign.lands[place].improvements]
    port = campaign.atlas.by_id[place].port
    found = []
    for kind, improvement in IMPROVEMENTS.items():
        free = bool(templeless(campaign, place)) if kind == "temple" else kind not in there
        if free and improvement.price <= budget and (port or not improvement.port):
            found.append(kind)
    return tuple(found)


def templeless(campaign: Campaign, place: str) -> tuple[str, ...]:
    """The gods that have no temple in a province yet."""
    there = campaign.lands[place].improvements
    return tuple([god for god in GODS if temple_of(god) not in there])


def may_return(campaign: Campaign, seat: str) -> bool:
    """Whether a seat that has won its first city back may govern from there again (MN-6.13)."""
    holder = campaign.seats[seat]
    return holder.home != holder.origin and campaign.owner(holder.origin) == seat
