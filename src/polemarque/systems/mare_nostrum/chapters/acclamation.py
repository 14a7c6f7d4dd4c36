"""The acclamation that ends a year (MN-F7): the index, festivities, and what the people does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from polemarque.api import (
    D100,
    Amount,
    Filling,
    OneOf,
    Purse,
    Rule,
    Sheet,
    Step,
    Sum,
    bonus,
    call,
    each_at,
    explain,
    price,
    procedure,
    roll,
    script,
    tell,
    then,
    total,
)
from polemarque.systems.mare_nostrum.asking_seats import sheets_of
from polemarque.systems.mare_nostrum.caravans import sent_home
from polemarque.systems.mare_nostrum.lookups import age
from polemarque.systems.mare_nostrum.pieces import Year
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import FRAME, IMPROVEMENTS, REGIMES, kind_of, temple_of

HAPPINESS = FRAME.happiness


class Past(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a people looks back on at an acclamation.

    profit:     what the treasury has gained in the year, in PO; a loss counts nothing.
    victories, provinces, routes: battles won over players, provinces gained, routes opened.
    improvements: how many the realm has, by kind.
    protector:  whether one of its temples is the protector's.
    campaigns, long_campaigns: armies away from their base, and of these those away too long.
    regime:     points of its constitution.
    omens:      points that the year's events brought.
    """

    profit: int = 0
    victories: int = 0
    provinces: int = 0
    routes: int = 0
    improvements: Mapping[str, int] = {}
    protector: bool = False
    campaigns: int = 0
    long_campaigns: int = 0
    regime: int = 0
    omens: int = 0


def index(year: Past) -> Sum:
    """The index of happiness in points, each reason on its own; never bounded."""
    reasons = bonus("MN-F7", HAPPINESS.base, "base_happiness")
    steps = max(0, year.profit) // HAPPINESS.profit_step
    reasons += bonus("MN-F7", steps * HAPPINESS.profit, "profit")
    reasons += bonus("MN-F7", year.victories * HAPPINESS.victory, "victories")
    reasons += bonus("MN-F7", year.provinces * HAPPINESS.new_province, "new_provinces")
    reasons += bonus("MN-F7", year.routes * HAPPINESS.new_route, "new_routes")
    for kind, number in year.improvements.items():
        reasons += bonus("MN-F7", improvement_points(kind, number), kind)
    temple = HAPPINESS.protector_temple if year.protector else 0
    reasons += bonus("MN-F7", temple, "protector_temple")
    short = year.campaigns - year.long_campaigns
    reasons += bonus("MN-F7", short * HAPPINESS.campaign, "campaigns")
    reasons += bonus("MN-F7", year.long_campaigns * HAPPINESS.long_campaign, "long_campaigns")
    reasons += bonus("MN-F7", year.regime, "regime")
    return reasons + bonus("MN-F7", year.omens, "omens")


def improvement_points(kind: str, number: int) -> int:
    """What a realm's improvements of one kind are worth, in points."""
    improvement = IMPROVEMENTS[kind]
    counted = {"each": number, "once": min(number, 1), "further": max(0, number - 1)}
    return counted[improvement.counts] * improvement.happiness


class Mood(msgspec.Struct, frozen=True):
    """Whether the people stays quiet."""

    quiet: bool


@procedure("MN-F7")
def acclamation(index: int) -> Rule[Mood]:
    """Above 75 nobody stirs; otherwise D100 of the index or less is quiet."""
    if index > HAPPINESS.quiet_above:
        return Mood(True)
    die = yield from roll(1, D100, read=total, why="acclamation")
    return Mood(die <= index)


FEAST = OneOf(("no", "yes"), "feast", fact={"yes": price(HAPPINESS.feast_price)}.get)


@script("MN-F7/phase")
def acclamation_phase(campaign: Campaign) -> Step[Campaign]:
    """Every index is told; seats that need it may buy festivities; then the peoples speak."""
    indices: dict[str, int] = {}
    for seat in campaign.in_play():
        reasons = happiness_of(campaign, seat)
        indices[seat] = reasons.total
        yield from explain(reasons)
        yield from tell("MN-F7", "index", seat=seat, index=reasons.total)
    asked = [seat for seat in indices if _may_celebrate(campaign, seat, indices[seat])]
    sheets = yield from sheets_of(campaign, asked, _sheet)
    for seat, sheet in sheets.items():
        bought = _celebrated(sheet)
        if bought.parts:
            price = price_of(sheet)
            indices[seat] += bought.total
            yield from explain(bought)
            yield from tell("MN-F7", "celebrates", seat=seat, money=price, index=indices[seat])
            campaign = campaign.paying(seat, price)
    return campaign, [then(people_speaks, seat, indices[seat]) for seat in indices]


def happiness_of(campaign: Campaign, seat: str) -> Sum:
    """A seat's index of happiness as it stands, before festivities."""
    return index(year_of(campaign, seat))


def year_of(campaign: Campaign, seat: str) -> Past:
    """What a seat's people looks back on."""
    holder, year = campaign.seats[seat], campaign.seats[seat].year
    built = dict.fromkeys(IMPROVEMENTS, 0)
    protector = False
    for place in campaign.lands_of(seat):
        for one in campaign.lands[place].improvements:
            built[kind_of(one)] += 1
            protector = protector or one == temple_of(holder.god)
    armies = campaign.armies_of(seat)
    regime = REGIMES.get(holder.regime)
    return Past(
        profit=holder.treasury - year.treasury,
        victories=year.victories,
        provinces=year.provinces,
        routes=year.routes,
        improvements={kind: number for kind, number in built.items() if number},
        protector=protector,
        campaigns=len([army for army in armies if army.away]),
        long_campaigns=len([army for army in armies if army.away > HAPPINESS.long]),
        regime=0 if regime is None else regime.happiness,
        omens=year.omens,
    )


def _may_celebrate(campaign: Campaign, seat: str, index: int) -> bool:
    cheapest = min(HAPPINESS.festivity_price, HAPPINESS.feast_price)
    return index <= HAPPINESS.quiet_above and campaign.seats[seat].treasury >= cheapest


def _most_points(campaign: Campaign, seat: str) -> int:
    """Most points of festivity: so many in each city of his, and as many as he can pay."""
    able = campaign.seats[seat].treasury // HAPPINESS.festivity_price
    return min(able, HAPPINESS.festivity_most * len(campaign.lands_of(seat)))


def _sheet(campaign: Campaign, seat: str) -> Sheet:
    def fill() -> Filling:
        most = _most_points(campaign, seat)
        fact = each_at(HAPPINESS.festivity_price)
        points = (yield "festivity", Amount(0, most, unit="points", fact=fact)) if most else 0
        left = campaign.seats[seat].treasury - points * HAPPINESS.festivity_price
        if left >= HAPPINESS.feast_price:
            yield "feast", FEAST

    return Sheet(fill, lambda: Purse("treasury", campaign.seats[seat].treasury))


def _celebrated(sheet: Mapping[str, Any]) -> Sum:
    reasons = bonus("MN-F7", sheet.get("festivity", 0), "festivity")
    return reasons + bonus("MN-F7", HAPPINESS.feast if sheet.get("feast") == "yes" else 0, "feast")


def price_of(sheet: Mapping[str, Any]) -> int:
    """What the festivities of a filled sheet cost, in PO."""
    feast = HAPPINESS.feast_price if sheet.get("feast") == "yes" else 0
    return int(sheet.get("festivity", 0)) * HAPPINESS.festivity_price + feast


@script("MN-F7/seat")
def people_speaks(campaign: Campaign, seat: str, index: int) -> Step[Campaign]:
    """Quiet, or the government falls; either way a new year begins for it."""
    mood = yield from call(acclamation, index)
    if mood.quiet:
        yield from tell("MN-F7", "quiet", seat=seat, index=index)
    else:
        campaign = yield from _falls(campaign, seat, index)
    treasury = campaign.seats[seat].treasury
    return campaign.changed(seat, happiness=index, year=Year(treasury)), []


def _falls(campaign: Campaign, seat: str, index: int) -> Rule[Campaign]:
    """Part of the treasury is lost, and the oldest army in the home province disbands."""
    holder = campaign.seats[seat]
    lost = holder.treasury // HAPPINESS.treasury_lost
    garrison = sorted([army.id for army in campaign.armies_at(holder.home, seat)], key=age)[:1]
    yield from tell(
        "MN-F7", "falls", seat=seat, index=index, money=lost, place=holder.home, pieces=garrison
    )
    for army in garrison:
        campaign = sent_home(campaign, army).without_army(army)
    return campaign.paying(seat, lost)
