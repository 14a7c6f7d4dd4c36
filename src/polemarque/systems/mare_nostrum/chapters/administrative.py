"""The administrative phase (MN-F4, MN-F5): maintenance, purchases, improvements, bands.

Everything a player decides stands on one sealed sheet.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from polemarque.api import (
    Amount,
    Fact,
    Filling,
    Item,
    OneOf,
    Options,
    Purse,
    Rule,
    SeveralOf,
    Sheet,
    Step,
    Sum,
    each_at,
    explain,
    item,
    price,
    roll,
    script,
    tell,
    then,
    total,
)
from polemarque.systems.mare_nostrum.asking_seats import sheets_of
from polemarque.systems.mare_nostrum.caravans import (
    TRADE,
    goods_of,
    sent_home,
    soonest,
    sources,
    start_of,
    with_caravan,
)
from polemarque.systems.mare_nostrum.chapters.acclamation import improvement_points
from polemarque.systems.mare_nostrum.chapters.military import relieved
from polemarque.systems.mare_nostrum.pieces import Caravan, Specialist
from polemarque.systems.mare_nostrum.reach import Due, distance_of, dues, total_of
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import (
    FIGURES,
    FRAME,
    GODS,
    IMPROVEMENTS,
    RESOURCES,
    TROOPS,
    kind_of,
    temple_of,
)


@script("MN-F5/phase")
def administrative_phase(campaign: Campaign) -> Step[Campaign]:
    """Each seat's sheet; all maintenance comes first, then purchases, bands and events."""
    asked = [seat for seat in campaign.in_play() if _has_something(campaign, seat)]
    sheets = yield from sheets_of(campaign, asked, administrative_sheet)
    campaign = _in_campaign(campaign)
    for step in (_maintained, _enlisted, _built, _returned):
        for seat in campaign.in_play():
            campaign = yield from step(campaign, seat, sheets.get(seat, {}))
    bands: list[Item] = [then(band_moves, band) for band in campaign.bands]
    return campaign, [*bands, *[item("MN-F5/event", seat) for seat in campaign.in_play()]]


def _has_something(campaign: Campaign, seat: str) -> bool:
    return next(administrative_sheet(campaign, seat).fill(), None) is not None


# Maintenance (MN-F4) -----------------------------------------------------------------------------


def _in_campaign(campaign: Campaign) -> Campaign:
    """The campaign with the turns counted that every army and fleet is away from its base."""
    for army in campaign.armies.values():
        away = army.away + 1 if distance_of(campaign, army.id) else 0
        if away != army.away:
            campaign = campaign.army_changed(army.id, away=away)
    for fleet in campaign.fleets.values():
        away = fleet.away + 1 if distance_of(campaign, fleet.id) else 0
        if away != fleet.away:
            campaign = campaign.fleet_changed(fleet.id, away=away)
    return campaign


def _maintained(campaign: Campaign, seat: str, sheet: Mapping[str, Any]) -> Rule[Campaign]:
    """Units are paid or disbanded; a fleet disbanded at sea takes its army with it.

    The sheet holds even if less is owed by now, because another's fleet has taken an army along:
    what the owner spared is spent on the same sheet.  One that names no unit pays for all.
    """
    due = dues(campaign, seat)
    if not due:
        return campaign
    paid = tuple([one for one in due if sheet.get(f"upkeep.{one.piece}", "pay") == "pay"])
    if paid:
        yield from explain(sum([one.cost for one in paid], Sum()))
        pieces = [one.piece for one in paid]
        yield from tell("MN-F4", "paid", seat=seat, money=total_of(paid), pieces=pieces)
        campaign = campaign.paying(seat, total_of(paid))
    for one in due:
        if one not in paid:
            campaign = yield from _disbanded(campaign, seat, one.piece)
    return campaign


def _disbanded(campaign: Campaign, seat: str, piece: str) -> Rule[Campaign]:
    if piece in campaign.fleets:
        cargo = campaign.cargo(piece)
        carried = [] if cargo is None else [cargo.id]
        yield from tell("MN-F4", "fleet_disbanded", seat=seat, piece=piece, pieces=carried)
        return campaign.without_fleet(piece)
    if piece not in campaign.armies:
        return campaign  # it went with the fleet that carried it
    place = campaign.whereabouts(campaign.armies[piece])
    yield from tell("MN-F4", "army_disbanded", seat=seat, piece=piece, place=place)
    after = sent_home(campaign, piece).without_army(piece)
    return (yield from relieved(campaign, after, place))


# Purchases (MN-F5) -------------------------------------------------------------------------------


def _enlisted(campaign: Campaign, seat: str, sheet: Mapping[str, Any]) -> Rule[Campaign]:
    """Caravans, diplomats, engineers and priests, each told with its price."""
    bought = sheet.get("caravans", 0)
    campaign = campaign.paying(seat, PRICES["caravan"] * bought)
    for n in range(1, bought + 1):
        origin = sheet[f"origin.{n}"]
        resource = sheet.get(f"goods.{n}") or goods_of(campaign, origin)[0]
        campaign, number = campaign.numbered(seat, "C")
        place = start_of(campaign, seat, origin)
        yield from tell(
            "MN-F5", "caravan", seat=seat, resource=resource, origin=origin, place=place,
            money=PRICES["caravan"],
        )  # fmt: skip
        campaign = with_caravan(campaign, Caravan(number, seat, resource, origin, "", place))
    for kind in ("diplomat", "engineer"):
        for _ in range(sheet.get(kind, 0)):
            campaign = yield from _bought(campaign, seat, kind)
    for n in range(1, sheet.get("priests", 0) + 1):
        campaign = yield from _bought(campaign, seat, "priest", sheet[f"god.{n}"])
    return campaign


def _bought(campaign: Campaign, seat: str, kind: str, god: str = "") -> Rule[Campaign]:
    money = PRICES[kind]
    yield from tell("MN-F5", kind, seat=seat, money=money, god=god)
    return joined_home(campaign.paying(seat, money), seat, kind, god)


def joined_home(campaign: Campaign, seat: str, kind: str, god: str = "") -> Campaign:
    """The campaign with a new specialist waiting in a seat's home province."""
    campaign, number = campaign.numbered(seat, "S")
    home = campaign.seats[seat].home
    return campaign.with_specialist(
        Specialist(number, seat, kind, god, place=home)  # type: ignore[arg-type]
    )


def _built(campaign: Campaign, seat: str, sheet: Mapping[str, Any]) -> Rule[Campaign]:
    for place in sheet.get("sites", ()):
        kind = sheet[f"build.{place}"]
        if kind == NOTHING:
            continue
        price = IMPROVEMENTS[kind].price
        god = sheet.get(f"temple.{place}", "")
        yield from tell(
            "MN-F5", "built", seat=seat, place=place, improvement=kind, god=god, money=price
        )
        there = (*campaign.lands[place].improvements, temple_of(god) if god else kind)
        campaign = campaign.paying(seat, price).land_changed(place, improvements=there)
    return campaign


def _returned(campaign: Campaign, seat: str, sheet: Mapping[str, Any]) -> Rule[Campaign]:
    """The government moves back to the city it began in (MN-6.13)."""
    if sheet.get("government") != "yes":
        return campaign
    place = campaign.seats[seat].origin
    yield from tell("MN-6.13", "returns", seat=seat, place=place)
    return campaign.governed_from(seat, place)


# Bands (MN-F5) ------------------------------------------------------------------------------------


@script("MN-F5/band")
def band_moves(campaign: Campaign, number: str) -> Step[Campaign]:
    """A band moves one place at random, unless it was intercepted this turn (MN-9.1)."""
    band = campaign.bands[number]
    if band.still:
        return campaign.with_band(replace(band, still=False)), []
    near = campaign.atlas.neighbours_of(band.place)
    place = yield from picked(near, "band_moves")
    if not place:
        return campaign, []
    yield from tell("MN-F5", f"{band.kind}_move", origin=band.place, place=place)
    return campaign.with_band(replace(band, place=place)), []


def picked(words: tuple[str, ...], why: str) -> Rule[str]:
    """One of several at random, by a die of as many sides; "" of none."""
    if not words:
        return ""
    die = 1 if len(words) == 1 else (yield from roll(1, len(words), read=total, why=why))
    return words[die - 1]


# The sheet (MN-F4, MN-F5) -------------------------------------------------------------------------


DISBAND = OneOf(("disband",), "upkeep")
NOTHING = "nothing"


def serves(god: str) -> Fact:
    """What a priest of a god is good for: of war with an army, of commerce with a caravan."""
    figures = {"war": {"least": -FIGURES.war_priest}, "commerce": {"more": TRADE.commerce_priest}}
    return Fact(f"god_{god if god in figures else 'idle'}", figures.get(god, {}))


GOD = OneOf(GODS, "god", fact=serves)
MOVE = OneOf(("no", "yes"), "government")

PRICES = {key: troop.price for key, troop in TROOPS.items()}
CHEAPEST_SITE = min([one.price for one in IMPROVEMENTS.values()])

Parts = Generator[tuple[str, Options], Any, int]
"""Parts of the sheet; they give the PO spent."""


def administrative_sheet(campaign: Campaign, seat: str) -> Sheet:
    """Units paid, if not all can be; special troops; improvements; the seat of government."""
    treasury, due = campaign.seats[seat].treasury, dues(campaign, seat)
    all_paid = total_of(due) <= treasury
    origins = sources(campaign, seat) if treasury >= PRICES["caravan"] else ()

    def fill() -> Filling:
        budget = treasury
        budget -= total_of(due) if all_paid else (yield from _paid(due, budget))
        budget -= yield from _caravans(campaign, seat, origins, budget)
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


def _caravans(campaign: Campaign, seat: str, origins: tuple[str, ...], budget: int) -> Parts:
    if not origins or budget < PRICES["caravan"]:
        return 0
    fact = each_at(PRICES["caravan"])
    number: int = yield "caravans", Amount(0, budget // PRICES["caravan"], fact=fact)
    for n in range(1, number + 1):
        loads = partial(_loads, campaign, seat)
        origin = yield f"origin.{n}", OneOf(origins, "place", fact=loads)
        goods = goods_of(campaign, origin)
        if len(goods) > 1:
            ships = partial(_ships, campaign, seat, origin)
            yield f"goods.{n}", OneOf(goods, "resource", fact=ships)
    return PRICES["caravan"] * number


def _loads(campaign: Campaign, seat: str, place: str) -> Fact:
    """What a caravan can load in a province, and what the dearest of it yields; that goes first.
    Of a single good also where it would open a route soonest."""
    goods = goods_of(campaign, place)
    value = max([RESOURCES[good].value for good in goods])
    group = "mine" if campaign.owner(place) == seat else "allied"
    alone = soonest(campaign, seat, place, *goods) if len(goods) == 1 else {"place": ""}
    return Fact("loads", {"goods": [*goods], "value": value, **alone}, group=group, rank=-value)


def _ships(campaign: Campaign, seat: str, origin: str, resource: str) -> Fact:
    """What a trade route in a good yields a turn (MN-F3), and where it would be opened soonest."""
    value = RESOURCES[resource].value
    return Fact("ships", {"value": value, **soonest(campaign, seat, origin, resource)})


def _priests(budget: int) -> Parts:
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
    spent, temples = 0, temples_of(campaign, seat)
    most, fact = budget // CHEAPEST_SITE, partial(_from, campaign, budget)
    several = SeveralOf(places, most=most, label="place", limit="treasury", fact=fact)
    chosen = yield "sites", several
    for place in chosen:
        kinds = buildable(campaign, place, budget - spent)
        protector, gods = campaign.seats[seat].god, templeless(campaign, place)
        honoured = "" if temple_of(protector) in temples else protector
        brought = {kind: brings(kind, honoured) for kind in kinds}
        kind = yield f"build.{place}", OneOf((NOTHING, *kinds), "improvement", fact=brought.get)
        if kind == NOTHING:
            continue
        spent += price_of(kind)
        if kind == "temple":
            honours = partial(_honours, protector, temples)
            god = yield f"temple.{place}", OneOf(gods, "god", fact=honours)
            temples = (*temples, temple_of(god))
    return spent


def _from(campaign: Campaign, budget: int, place: str) -> Fact:
    """The cheapest thing to be built in a province."""
    return Fact("from", {"price": min(map(price_of, buildable(campaign, place, budget)))})


def brings(kind: str, god: str = "") -> Fact:
    """What an improvement costs and brings: happiness (MN-F7), a fortress sieges (MN-6.3), an
    arsenal fleets (MN-2.4).   god: the protector, if the realm has no temple of theirs yet."""
    one = IMPROVEMENTS[kind]
    data: dict[str, int | str]
    if kind == "temple":
        data = {"price": one.price, "happiness": one.happiness, "god": god}
        data |= {"protector": FRAME.happiness.protector_temple}
        return Fact("brings_temple", data, one.price)
    counts = "" if one.counts == "each" else one.counts
    data = {"price": one.price, "happiness": one.happiness, "counts": counts}
    key = f"brings_{kind}" if kind in ("fortress", "arsenal") else "brings"
    return Fact(key, data, one.price)


def _honours(protector: str, temples: tuple[str, ...], god: str) -> Fact:
    """What a temple of a god brings to happiness beside these temples (MN-F7): all count after the
    first, and the first of the protector has a figure of its own."""
    happiness = improvement_points("temple", len(temples) + 1)
    happiness -= improvement_points("temple", len(temples))
    if god == protector and temple_of(god) not in temples:
        happiness += FRAME.happiness.protector_temple
    return Fact("temple", {"protector": god == protector, "happiness": happiness})


def temples_of(campaign: Campaign, seat: str) -> tuple[str, ...]:
    """The temples in a seat's provinces."""
    return tuple(
        one
        for place in campaign.lands_of(seat)
        for one in campaign.lands[place].improvements
        if kind_of(one) == "temple"
    )


def price_of(kind: str) -> int:
    """What an improvement costs, in PO."""
    return IMPROVEMENTS[kind].price


def sites(campaign: Campaign, seat: str, budget: int) -> tuple[str, ...]:
    """Provinces where a seat could build something now: its own, not besieged (MN-F5)."""
    return tuple(
        place
        for place in campaign.lands_of(seat)
        if campaign.lands[place].siege is None and buildable(campaign, place, budget)
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
