"""A small campaign for tests: the tiny map, two to four homes, nothing moved yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from polemarque.systems.mare_nostrum.pieces import (
    Army,
    Caravan,
    Fleet,
    Land,
    Route,
    Specialist,
    Treaty,
    Year,
)
from polemarque.systems.mare_nostrum.setup.atlas import Atlas, load_atlas
from polemarque.systems.mare_nostrum.setup.options import Options
from polemarque.systems.mare_nostrum.state import Campaign, Seat

TINY: Atlas = load_atlas(Path(__file__).parent / "maps" / "tiny.toml")

HOMES = dict(zip("ABCD", TINY.homes, strict=True))
"""Where each seat begins: A in alba, B in faro, C in corva, D in helos."""


def realm(seats: str = "AB", *, turn: int = 1, **options: Any) -> Campaign:
    """A campaign as it begins: each seat with its home, 50 PO and one army (number 1)."""
    lands = {
        province.id: Land(
            improvements=tuple(
                [kind for kind in ("arsenal", "fortress") if getattr(province, kind)]
            )
        )
        for province in TINY.provinces
    }
    held: dict[str, Seat] = {}
    armies: dict[str, Army] = {}
    for seat in seats:
        home = HOMES[seat]
        province = TINY.by_id[home]
        lands[home] = replace(lands[home], owner=seat)
        held[seat] = Seat(
            seat, home, home, 50, god=province.protector, regime=province.regime, next_id=2,
            year=Year(50),
        )  # fmt: skip
        armies[f"{seat}1"] = Army(f"{seat}1", seat, province.army_list, home, home)
    return Campaign(TINY, Options(**options), held, lands, armies, turn=turn)


def owning(campaign: Campaign, seat: str, *places: str) -> Campaign:
    """The campaign with provinces in a seat's hands."""
    for place in places:
        campaign = campaign.land_changed(place, owner=seat)
    return campaign


def caravan(
    campaign: Campaign, seat: str, place: str, to: str = "", good: str = "wine", **more: Any
) -> Campaign:
    """The campaign with caravan 9 of a seat, from its home."""
    one = Caravan(f"{seat}C9", seat, good, HOMES[seat], to, place, **more)
    return replace(campaign, caravans={**campaign.caravans, one.id: one})


def route(campaign: Campaign, seat: str, to: str, good: str = "wine", **more: Any) -> Campaign:
    """The campaign with trade route 8 of a seat, from its home."""
    origin = more.pop("origin", HOMES[seat])
    one = Route(more.pop("id", f"{seat}R8"), seat, good, origin, to, 1, **more)
    return replace(campaign, routes={**campaign.routes, one.id: one})


def fleet(campaign: Campaign, seat: str, place: str, base: str = "") -> Campaign:
    """The campaign with fleet 7 of a seat."""
    return campaign.with_fleet(Fleet(f"{seat}F7", seat, base or place, place))


def specialist(campaign: Campaign, seat: str, kind: Any, **more: Any) -> Campaign:
    """The campaign with specialist 6 of a seat, waiting at home unless it joins somebody."""
    number = f"{seat}S{more.pop('number', 6)}"
    place = "" if more.get("joins") else campaign.seats[seat].home
    return campaign.with_specialist(Specialist(number, seat, kind, place=place, **more))


def treaty(campaign: Campaign, kind: Any, one: str, other: str) -> Campaign:
    """The campaign with a treaty more."""
    return replace(campaign, treaties=(*campaign.treaties, Treaty(kind, one, other, 1)))


def at_war(campaign: Campaign, one: str, other: str) -> Campaign:
    """The campaign with two seats at war."""
    return replace(campaign, wars=(*campaign.wars, campaign.pair(one, other)))


def rich(campaign: Campaign, **treasuries: int) -> Campaign:
    """The campaign with these treasuries."""
    for seat, treasury in treasuries.items():
        campaign = campaign.changed(seat, treasury=treasury)
    return campaign
