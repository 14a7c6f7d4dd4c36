"""Purchases (MN-2.3 to MN-2.8, MN-3.3): armies and fleets, ordered sealed and revealed together."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from polemarque.api import (
    QUIET,
    Amount,
    Fact,
    Filling,
    NotAllowed,
    OneOf,
    Options,
    Reasoned,
    Rule,
    SeveralOf,
    Sheet,
    Step,
    ask_each,
    each_at,
    script,
    tell,
)
from polemarque.systems.mare_nostrum.army_stands import with_mercenaries
from polemarque.systems.mare_nostrum.chapters.administrative import CHEAPEST_SITE, PRICES
from polemarque.systems.mare_nostrum.pieces import LOST, OWN, STANDS, Army, Fleet
from polemarque.systems.mare_nostrum.reach import purse
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import FIGURES

ARSENAL = "arsenal"


class Treasury(Amount, frozen=True):
    """How many of something are bought; what the treasury cannot pay is refused whole (MN-2.8)."""

    def take(self, value: Any) -> int:
        """See Options."""
        if isinstance(value, int) and not isinstance(value, bool) and value > self.most:
            raise NotAllowed("order.treasury", rule="MN-2.8", part=value, legal=(f"0-{self.most}",))
        return super().take(value)


Spent = Generator[tuple[str, Options], Any, int]
"""Parts of the sheet; they give the PO spent."""


def muster_places(campaign: Campaign, seat: str) -> tuple[str, ...]:
    """Where a seat may raise armies: its provinces without a siege or an enemy army."""
    return tuple([place for place in campaign.lands_of(seat) if not _bar(campaign, seat, place)])


def shipyards(campaign: Campaign, seat: str) -> tuple[str, ...]:
    """Where a seat may raise fleets: likewise, in a port with an arsenal."""
    arsenals = [place for place in campaign.lands_of(seat) if _has_arsenal(campaign, place)]
    return tuple([place for place in arsenals if not _bar(campaign, seat, place)])


def muster_refusal(campaign: Campaign, seat: str, place: str) -> NotAllowed | None:
    """Why nothing can be raised in a province; None if it can, or if it is none."""
    if place not in campaign.lands:
        return None
    code = _bar(campaign, seat, place)
    return NotAllowed(code, rule="MN-2.8") if code else None


def shipyard_refusal(campaign: Campaign, seat: str, place: str) -> NotAllowed | None:
    """Why no fleet can be raised from a province; None if one can, or if it is none."""
    if place in campaign.lands and not _has_arsenal(campaign, place):
        return NotAllowed("order.no_arsenal", rule="MN-2.8")
    return muster_refusal(campaign, seat, place)


def _bar(campaign: Campaign, seat: str, place: str) -> str:
    """Why nothing can be raised in a province, as a code; "" if it can."""
    land = campaign.lands[place]
    if land.owner != seat:
        return "order.not_controlled"
    if land.siege is not None:
        return "order.besieged"
    if any([campaign.enemies(seat, army.owner) for army in campaign.armies_at(place)]):
        return "order.enemy_army"
    return ""


def _has_arsenal(campaign: Campaign, place: str) -> bool:
    there = ARSENAL in campaign.lands[place].improvements
    return there and campaign.atlas.by_id[place].port


def refillable(campaign: Campaign, seat: str) -> tuple[Army, ...]:
    """Armies in a controlled province that may buy back stands (`stand_losses=keep`, MN-B.4)."""
    if campaign.options.stand_losses != "keep":
        return ()
    return tuple(
        army
        for army in campaign.armies_of(seat)
        if LOST in army.stands
        and army.place in campaign.lands
        and campaign.owner(army.place) == seat
    )


def purchase_sheet(campaign: Campaign, seat: str) -> Sheet:
    """Armies with their mercenaries, fleets with their zone, lost stands; within the treasury."""
    places, yards = muster_places(campaign, seat), shipyards(campaign, seat)

    def fill() -> Filling:
        budget = campaign.seats[seat].treasury
        budget -= yield from _armies(campaign, seat, places, budget)
        budget -= yield from _fleets(campaign, seat, yards, budget)
        for army in refillable(campaign, seat):
            most = min(army.stands.count(LOST), budget // FIGURES.stand_price)
            if most:
                fact = each_at(FIGURES.stand_price)
                bought = yield f"stands.{army.id}", Amount(0, most, unit="stands", fact=fact)
                budget -= bought * FIGURES.stand_price

    remarks = partial(_remarks, campaign, seat)
    return Sheet(fill, lambda: purse(campaign, seat), remarks, proposes=True)


def _remarks(campaign: Campaign, seat: str, sheet: Mapping[str, Any]) -> Iterator[Fact]:
    """What the upkeep of this turn will lack once all is bought (MN-F4); why there is no fleet;
    what else the same treasury pays this turn (MN-F5)."""
    paid = purse(campaign, seat)
    if not shipyards(campaign, seat):
        barred = [place for place in campaign.lands_of(seat) if _has_arsenal(campaign, place)]
        yield Fact("no_fleet", {"price": FIGURES.fleet_price, "barred": barred})
    elif paid.holds < FIGURES.fleet_price:
        yield Fact("fleet_dear", {"price": FIGURES.fleet_price})
    spent = sheet.get("armies", 0) * FIGURES.army_price
    spent += sheet.get("fleets", 0) * FIGURES.fleet_price
    stands = [n for part, n in sheet.items() if part.startswith("stands.")]
    spent += sum(stands) * FIGURES.stand_price
    short = spent + paid.due - paid.holds
    if short > 0:
        yield Fact("upkeep_short", {"money": short})
    if spent:
        yield Fact("later_costs", {**PRICES, "site": CHEAPEST_SITE})


def _treasury(campaign: Campaign, seat: str, budget: int, cost: int) -> Treasury:
    """How many can be bought; beyond what the upkeep leaves, each number tells how many it does."""
    due = purse(campaign, seat).due
    kept = max(0, (budget - due) // cost)

    def fact(count: int) -> Fact | None:
        if not due or count <= kept:
            return each_at(cost)(count)
        data = {"price": count * cost, "due": due, "kept": kept}
        return Fact("price_short", data, count * cost)

    return Treasury(0, budget // cost, fact=fact)


def _armies(campaign: Campaign, seat: str, places: tuple[str, ...], budget: int) -> Spent:
    """How many armies, where each is raised, and which mercenaries it takes."""
    if not places or budget < FIGURES.army_price:
        return 0
    number: int = yield "armies", _treasury(campaign, seat, budget, FIGURES.army_price)
    garrison = in_garrison(campaign, seat)
    for n in range(1, number + 1):
        why = partial(muster_refusal, campaign, seat)
        yield f"army.{n}", Reasoned(places, "place", why=why, fact=partial(_border, campaign, seat))
        if garrison:
            hired = yield f"hired.{n}", SeveralOf(garrison, most=STANDS, label="hired")
            garrison = tuple([unit for unit in garrison if unit not in hired])
    return number * FIGURES.army_price


def _border(campaign: Campaign, seat: str, place: str) -> Fact:
    """Whose provinces lie beside a province; those on a border go first."""
    owners = [campaign.owner(near) for near in campaign.atlas.neighbours_of(place)]
    others = list(dict.fromkeys([one for one in owners if one not in (None, seat)]))
    group = "border" if others else "inland"
    return Fact("border", {"seats": others}, group=group, rank=-len(others))


def in_garrison(campaign: Campaign, seat: str) -> tuple[str, ...]:
    """The mercenary units in garrison, each by a word of its own: "celts", "celts.2"…"""
    seen: dict[str, int] = {}
    words = []
    for kind in campaign.seats[seat].mercenaries:
        seen[kind] = number = seen.get(kind, 0) + 1
        words.append(kind if number == 1 else f"{kind}.{number}")
    return tuple(words)


def _fleets(campaign: Campaign, seat: str, yards: tuple[str, ...], budget: int) -> Spent:
    """How many fleets, from which arsenal, and the zone where each appears."""
    if not yards or budget < FIGURES.fleet_price:
        return 0
    number: int = yield "fleets", _treasury(campaign, seat, budget, FIGURES.fleet_price)
    for n in range(1, number + 1):
        why = partial(shipyard_refusal, campaign, seat)
        yard = yield f"fleet.{n}", Reasoned(yards, "place", why=why)
        zones = campaign.atlas.zones_of(yard)
        if len(zones) > 1:
            yield f"zone.{n}", OneOf(zones, "place")
    return number * FIGURES.fleet_price


def blank_sheet(campaign: Campaign, seat: str) -> Sheet | None:
    """A seat's sheet of purchases, None where it would have no part."""
    holder = campaign.seats[seat]
    if holder.absent or holder.treasury < FIGURES.stand_price:
        return None
    sheet = purchase_sheet(campaign, seat)
    return None if next(sheet.fill(), None) is None else sheet


@script("MN-2.6")
def purchases_are_made(campaign: Campaign) -> Step[Campaign]:
    """Orders of purchase are written sealed, revealed together, and all carried out.

    Each piece appears where MN-2.5 has it.
    """
    offered = {seat: blank_sheet(campaign, seat) for seat in campaign.in_play()}
    blank = {seat: sheet for seat, sheet in offered.items() if sheet is not None}
    sheets = yield from ask_each(blank, blank.__getitem__, absent=QUIET)
    for seat, sheet in sheets.items():
        for n in range(1, sheet.get("armies", 0) + 1):
            campaign = yield from _army_raised(campaign, seat, sheet, n)
    for seat, sheet in sheets.items():
        for n in range(1, sheet.get("fleets", 0) + 1):
            campaign = yield from _fleet_raised(campaign, seat, sheet, n)
    for seat, sheet in sheets.items():
        for part, number in sheet.items():
            if part.startswith("stands.") and number:
                army = part.removeprefix("stands.")
                campaign = yield from _stands_bought(campaign, seat, army, number)
    return campaign, []


def _army_raised(
    campaign: Campaign, seat: str, sheet: Mapping[str, Any], number: int
) -> Rule[Campaign]:
    """One army, with the list of its province; mercenaries leave the garrison for it."""
    place = sheet[f"army.{number}"]
    garrison = list(campaign.seats[seat].mercenaries)
    hired = tuple([unit.partition(".")[0] for unit in sheet.get(f"hired.{number}", ())])
    for kind in hired:
        garrison.remove(kind)
    campaign, army = campaign.numbered(seat)
    raised = Army(
        army, seat, campaign.atlas.by_id[place].army_list, place, place, created=campaign.turn
    )
    cost = FIGURES.army_price
    yield from tell("MN-2.6", "army", seat=seat, piece=army, place=place, gold=cost)
    if hired:
        yield from tell("MN-3.3", "hired", seat=seat, piece=army, kinds=hired)
    campaign = campaign.paying(seat, cost).changed(seat, mercenaries=tuple(garrison))
    return campaign.with_army(with_mercenaries(raised, hired))


def _fleet_raised(
    campaign: Campaign, seat: str, sheet: Mapping[str, Any], number: int
) -> Rule[Campaign]:
    """One fleet, in a zone that its arsenal's province touches."""
    yard = sheet[f"fleet.{number}"]
    zone = sheet.get(f"zone.{number}", campaign.atlas.zones_of(yard)[0])
    campaign, fleet = campaign.numbered(seat, "F")
    cost = FIGURES.fleet_price
    yield from tell("MN-2.4", "fleet", seat=seat, piece=fleet, place=zone, gold=cost)
    return campaign.paying(seat, cost).with_fleet(
        Fleet(fleet, seat, zone, zone, created=campaign.turn)
    )


def _stands_bought(campaign: Campaign, seat: str, army: str, number: int) -> Rule[Campaign]:
    """Lost stands bought back, the first of the list first (MN-B.4)."""
    cost = number * FIGURES.stand_price
    yield from tell("MN-B.4", "bought", seat=seat, piece=army, stands=number, gold=cost)
    left = list(campaign.armies[army].stands)
    for _ in range(number):
        left[left.index(LOST)] = OWN
    return campaign.paying(seat, cost).with_army(replace(campaign.armies[army], stands=tuple(left)))
