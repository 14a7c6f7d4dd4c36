"""The administrative phase (MN-F4, MN-F5): maintenance, purchases, improvements, bands.

Everything a player decides stands on one sealed sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from polemarque.api import (
    Item,
    Rule,
    Sheet,
    Step,
    Sum,
    explain,
    item,
    roll,
    script,
    tell,
    then,
    total,
)
from polemarque.systems.mare_nostrum.absent_seats import sheets_of
from polemarque.systems.mare_nostrum.chapters.administrative_sheet import (
    NOTHING,
    PRICES,
    administrative_sheet,
    distance_of,
    dues,
    total_of,
)
from polemarque.systems.mare_nostrum.chapters.military import relieved
from polemarque.systems.mare_nostrum.merchants import (
    goods_of,
    sent_home,
    start_of,
    with_caravan,
)
from polemarque.systems.mare_nostrum.pieces import Caravan, Specialist
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.trade_data import IMPROVEMENTS, temple_of


@script("MN-F5/phase")
def administrative_phase(campaign: Campaign) -> Step[Campaign]:
    """Each seat's sheet; all maintenance comes first, then purchases, bands and events."""
    blank = {seat: administrative_sheet(campaign, seat) for seat in campaign.in_play()}
    sheets = yield from sheets_of(
        campaign,
        [seat for seat, sheet in blank.items() if _has_something(sheet)],
        blank.__getitem__,
    )
    campaign = _in_campaign(campaign)
    for step in (_maintained, _enlisted, _built, _returned):
        for seat in campaign.in_play():
            campaign = yield from step(campaign, seat, sheets.get(seat, {}))
    bands: list[Item] = [then(band_moves, band) for band in campaign.bands]
    return campaign, [*bands, *[item("MN-F5/event", seat) for seat in campaign.in_play()]]


def _has_something(sheet: Sheet) -> bool:
    return next(sheet.fill(), None) is not None


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
    """A unit that is not paid goes; an army's specialists come home."""
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
    """One specialist, who waits at home (MN-2.9)."""
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
    """Improvements, province by province."""
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


# Bands -------------------------------------------------------------------------------------------


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
