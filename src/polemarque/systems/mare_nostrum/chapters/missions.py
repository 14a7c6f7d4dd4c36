"""Missions (MN-F6): whom an envoy may be sent to, what he may ask, and what he is answered.

An envoy is a diplomat who waits at home.  The sheets are built here, `diplomacy` plays them.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from msgspec.structs import replace

from polemarque.api import (
    Amount,
    Filling,
    OneOf,
    Options,
    Purse,
    SeveralOf,
    Sheet,
    each_at,
    price,
)
from polemarque.systems.mare_nostrum.merchants import waiting
from polemarque.systems.mare_nostrum.pieces import Mission, Specialist
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.trade_data import FRAME
from polemarque.systems.mare_nostrum.treaties import (
    CITY_KINDS,
    KINDS,
    kinds_in_force,
    other_party,
    treaties_of,
)

MISSION = FRAME.mission

AGREE, DECLINE, SEND_BACK, EXECUTE, RANSOM = "agree", "decline", "send_back", "execute", "ransom"
ANSWERS = OneOf((AGREE, DECLINE, SEND_BACK, EXECUTE, RANSOM), "envoy")
"""Receive him and agree or not; or one of the three ways of not receiving him."""

ABANDON = OneOf(("abandon",), "ransom_answer")
RANSOMS = Amount(1, MISSION.ransom, unit="po")
HOSTS = OneOf(("seat", "city"), "host")
SEATS_ONLY = OneOf(("seat",), "host")
CITIES_ONLY = OneOf(("city",), "host")


def envoys(campaign: Campaign, seat: str) -> tuple[Specialist, ...]:
    """A seat's diplomats that can be sent, oldest first."""
    return waiting(campaign, seat, "diplomat")


def most_missions(campaign: Campaign, seat: str) -> int:
    """How many missions a seat can send and pay this turn."""
    able = campaign.seats[seat].treasury // MISSION.price
    return min(len(envoys(campaign, seat)), able)


def aims_with_seat(campaign: Campaign, seat: str, other: str) -> tuple[str, ...]:
    """The treaties a seat can ask another player for: those it has not."""
    had = kinds_in_force(campaign, other, seat)
    return tuple([kind for kind in KINDS if kind not in had])


def aims_with_city(campaign: Campaign, seat: str, place: str) -> tuple[str, ...]:
    """What a seat can ask a free city for; allegiance not while somebody's army stands there."""
    had = kinds_in_force(campaign, place, seat)
    aims = [kind for kind in CITY_KINDS if kind not in had]
    if campaign.atlas.by_id[place].mercenaries:
        aims.append("mercenaries")
    if not campaign.armies_at(place):
        aims.append("allegiance")
    return tuple(aims)


def _cities(campaign: Campaign, seat: str) -> list[str]:
    """The free cities that a seat can ask for anything: allegiance where no army stands."""
    guarded = {army.place for army in campaign.armies.values()}
    return [
        place
        for place in campaign.lands_of(None)
        if place not in guarded or aims_with_city(campaign, seat, place)
    ]


# The sheet of the diplomatic phase ---------------------------------------------------------------


def diplomacy_sheet(campaign: Campaign, seat: str) -> Sheet:
    """Treaties denounced, fleets opened to others' caravans, missions."""

    def fill() -> Filling:
        yield from _denounced(campaign, seat)
        if campaign.fleets_of(seat):
            yield "convoys", SeveralOf(campaign.others(seat), label="seat")
        most = most_missions(campaign, seat)
        number = 0
        if most:
            fact = each_at(MISSION.price)
            number = yield "missions", Amount(0, most, unit="missions", fact=fact)
        if number:
            yield from _missions(campaign, seat, number)

    return Sheet(fill, (lambda: _purse(campaign, seat)) if most_missions(campaign, seat) else None)


def _purse(campaign: Campaign, seat: str) -> Purse:
    return Purse("treasury", campaign.seats[seat].treasury)


def _denounced(campaign: Campaign, seat: str) -> Generator[tuple[str, Options], Any, None]:
    """With whom treaties are denounced, and where there are several, which."""
    kinds = kinds_by_partner(campaign, seat)
    if not kinds:
        return
    for partner in (yield "denounce", SeveralOf(tuple(kinds), label="party")):
        if len(kinds[partner]) > 1:
            yield f"denounced.{partner}", SeveralOf(kinds[partner], least=1, label="treaty")


def kinds_by_partner(campaign: Campaign, seat: str) -> dict[str, tuple[str, ...]]:
    """Partner (seat or free city) -> the kinds of treaty a seat has with it."""
    found: dict[str, list[str]] = {}
    for treaty in treaties_of(campaign, seat):
        kinds = found.setdefault(other_party(treaty, seat), [])
        if treaty.kind not in kinds:
            kinds.append(treaty.kind)
    return {partner: tuple(kinds) for partner, kinds in found.items()}


def _missions(
    campaign: Campaign, seat: str, number: int
) -> Generator[tuple[str, Options], Any, None]:
    """To whom each envoy goes, and what he asks; one envoy to anybody in a turn."""
    seats = [other for other in campaign.others(seat) if aims_with_seat(campaign, seat, other)]
    cities = _cities(campaign, seat)
    for n in range(1, number + 1):
        if not seats and not cities:
            return
        hosts = HOSTS if seats and cities else SEATS_ONLY if seats else CITIES_ONLY
        if (yield f"host.{n}", hosts) == "seat":
            other = yield f"seat.{n}", OneOf(tuple(seats), "seat")
            seats.remove(other)
            yield f"request.{n}", OneOf(aims_with_seat(campaign, seat, other), "aim")
        else:
            place = yield f"city.{n}", OneOf(tuple(cities), "place")
            cities.remove(place)
            yield f"request.{n}", OneOf(aims_with_city(campaign, seat, place), "aim")


def silent(campaign: Campaign, seat: str) -> dict[str, Any]:
    """The sheet of a seat that says nothing: all stays as it is."""
    answer: dict[str, Any] = {}
    if treaties_of(campaign, seat):
        answer["denounce"] = ()
    if campaign.fleets_of(seat):
        others = campaign.others(seat)
        answer["convoys"] = tuple([s for s in others if s in campaign.seats[seat].lets_pass])
    if most_missions(campaign, seat):
        answer["missions"] = 0
    return answer


def missions_of(campaign: Campaign, seat: str, sheet: Mapping[str, Any]) -> tuple[Mission, ...]:
    """The missions that a filled sheet sends, each with an envoy."""
    found = []
    for n, envoy in enumerate(envoys(campaign, seat)[: sheet.get("missions", 0)], 1):
        to = sheet.get(f"seat.{n}") or sheet.get(f"city.{n}")
        if to:
            found.append(Mission(envoy.id, seat, to, sheet[f"request.{n}"]))
    return tuple(found)


# Answers -----------------------------------------------------------------------------------------


def answer_sheet(campaign: Campaign, seat: str) -> Sheet:
    """What becomes of each envoy that another player has sent."""

    def fill() -> Filling:
        for mission in campaign.missions:
            if mission.to == seat:
                said = yield f"envoy.{mission.owner}", ANSWERS
                if said == RANSOM:
                    yield f"price.{mission.owner}", RANSOMS

    return Sheet(fill)


def sent_back(campaign: Campaign, seat: str) -> dict[str, Any]:
    """The answers of a seat that says nothing."""
    return {f"envoy.{m.owner}": SEND_BACK for m in campaign.missions if m.to == seat}


def ransom_sheet(campaign: Campaign, seat: str) -> Sheet:
    """Which of his captive envoys a seat ransoms, never beyond its treasury."""

    def fill() -> Filling:
        budget = campaign.seats[seat].treasury
        for mission in campaign.missions:
            if mission.owner == seat:
                fact = {"pay": price(mission.ransom)}.get
                pay = OneOf(("pay", "abandon"), "ransom_answer", fact=fact)
                able = mission.ransom <= budget
                if (yield f"captive.{mission.to}", pay if able else ABANDON) == "pay":
                    budget -= mission.ransom

    return Sheet(fill, lambda: _purse(campaign, seat))


def abandoned(campaign: Campaign, seat: str) -> dict[str, Any]:
    """The answers of a seat that says nothing of its captives."""
    return {f"captive.{m.to}": "abandon" for m in campaign.missions if m.owner == seat}


def held(mission: Mission, sheet: Mapping[str, Any]) -> Mission:
    """A mission whose envoy is held to the ransom that the receiving seat has named."""
    return replace(mission, ransom=sheet[f"price.{mission.owner}"])
