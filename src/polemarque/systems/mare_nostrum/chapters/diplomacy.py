"""The diplomatic phase (MN-F6): treaties denounced, envoys sent, answered, held to ransom.

Three sealed steps at most: everybody's sheet, the answers to envoys, and ransoms.  A step asks only
the seats that could have something to say.  What envoys say is known to all: an embassy is no
secret.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from polemarque.api import (
    Amount,
    Call,
    ChanceOf,
    Fact,
    Filling,
    OneOf,
    Options,
    Rule,
    SeveralOf,
    Sheet,
    Step,
    call,
    each_at,
    price,
    script,
    sheet_parts,
    tell,
    then,
)
from polemarque.systems.mare_nostrum.asking_seats import sheets_of
from polemarque.systems.mare_nostrum.caravans import NEAR, NEVER, waiting
from polemarque.systems.mare_nostrum.chapters.dice import audience
from polemarque.systems.mare_nostrum.pieces import Mission, Specialist, Treaty
from polemarque.systems.mare_nostrum.reach import purse
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import FRAME


@script("MN-F6/phase")
def diplomatic_phase(campaign: Campaign) -> Step[Campaign]:
    """Everybody's sheet; then cities answer the envoys they are sent, and players theirs."""
    seats = [seat for seat in campaign.in_play() if _has_something(campaign, seat)]
    sheets = yield from sheets_of(campaign, seats, diplomacy_sheet, silent)
    before = campaign
    for seat, sheet in sheets.items():
        campaign = yield from _denounce(campaign, seat, sheet)
        if "convoys" in sheet:
            campaign = yield from _convoys(campaign, seat, sheet["convoys"])
    missions: list[Mission] = []
    for seat, sheet in sheets.items():
        sent = missions_of(before, seat, sheet)
        campaign = campaign.paying(seat, MISSION.price * len(sent))
        for mission in sent:
            host = "seat" if mission.to in campaign.seats else "city"
            yield from tell(
                "MN-F6", f"sent_to_{host}", seat=seat, other=mission.to, aim=mission.aim,
                money=MISSION.price,
            )  # fmt: skip
        missions += sent
    if not missions:
        return campaign, []
    to_cities = [n for n, mission in enumerate(missions) if mission.to not in campaign.seats]
    campaign = replace(campaign, missions=tuple(missions))
    return campaign, [*[then(city_hears_an_envoy, n) for n in to_cities], then(envoys_are_answered)]


def _has_something(campaign: Campaign, seat: str) -> bool:
    fleets = len(campaign.in_play()) > 1 and bool(campaign.fleets_of(seat))
    return fleets or bool(treaties_of(campaign, seat)) or most_missions(campaign, seat) > 0


def _denounce(campaign: Campaign, seat: str, sheet: Mapping[str, Any]) -> Rule[Campaign]:
    """Treaties end; one that the other party has denounced at the same time is told once."""
    for partner in sheet.get("denounce", ()):
        there = kinds_by_partner(campaign, seat).get(partner, ())
        kinds = tuple([k for k in sheet.get(f"denounced.{partner}", there) if k in there])
        if kinds:
            campaign = denounced(campaign, seat, partner, kinds)
            host = "seat" if partner in campaign.seats else "city"
            yield from tell("MN-F6", f"denounced_{host}", seat=seat, other=partner, kinds=kinds)
    return campaign


def _convoys(campaign: Campaign, seat: str, others: tuple[str, ...]) -> Rule[Campaign]:
    """Whose caravans a seat's fleets let through from now on (MN-8.2)."""
    if others == campaign.seats[seat].lets_pass:
        return campaign
    yield from tell("MN-8.2", "lets_pass", seat=seat, others=others)
    return campaign.changed(seat, lets_pass=others)


# Free cities -------------------------------------------------------------------------------------


@script("MN-F6/envoy")
def city_hears_an_envoy(campaign: Campaign, number: int) -> Step[Campaign]:
    """D100 on the mission's threshold; one that another envoy has won over hears nobody else."""
    mission = campaign.missions[number]
    seat, place = mission.owner, mission.to
    if campaign.owner(place) is not None:
        yield from tell("MN-F6", "too_late", seat=seat, place=place, aim=mission.aim)
        return campaign, []
    heard_out = yield from call(audience, mission.aim)  # type: ignore[arg-type]
    facts: dict[str, Any] = {"seat": seat, "place": place, "threshold": heard_out.threshold}
    if not heard_out.success:
        yield from tell("MN-F6", "refused", aim=mission.aim, **facts)
        return campaign, []
    yield from tell("MN-F6", f"granted_{mission.aim}", **facts)
    return _granted(campaign, seat, place, mission.aim), []


def _granted(campaign: Campaign, seat: str, place: str, aim: str) -> Campaign:
    """What a free city has granted: its allegiance, a unit of mercenaries, or a treaty."""
    if aim == "allegiance":
        return campaign.taken(place, seat)
    if aim == "mercenaries":
        kind = campaign.atlas.by_id[place].mercenaries
        return campaign.changed(seat, mercenaries=(*campaign.seats[seat].mercenaries, kind))
    return agreed(campaign, aim, place, seat)


# Players -----------------------------------------------------------------------------------------


@script("MN-F6/answers")
def envoys_are_answered(campaign: Campaign) -> Step[Campaign]:
    """Each receiving seat: receive him and agree or not, send him back, execute or hold him."""
    missions = [mission for mission in campaign.missions if mission.to in campaign.seats]
    seats = [seat for seat in campaign.in_play() if any([m.to == seat for m in missions])]
    sheets = yield from sheets_of(campaign, seats, answer_sheet, sent_back)
    captives: list[Mission] = []
    for mission in missions:
        sheet = sheets[mission.to]
        said = sheet[f"envoy.{mission.owner}"]
        if said == RANSOM:
            captives.append(held(mission, sheet))
        campaign = yield from _answered(campaign, mission, said)
    campaign = replace(campaign, missions=tuple(captives))
    return campaign, [then(ransoms_are_asked)] if captives else []


def _answered(campaign: Campaign, mission: Mission, said: str) -> Rule[Campaign]:
    """One envoy's fate, and the treaty if there is one."""
    facts: dict[str, Any] = {"seat": mission.to, "other": mission.owner, "aim": mission.aim}
    if said in (AGREE, DECLINE):
        campaign = heard(campaign, mission.to, mission.owner)
    if said == AGREE:
        if in_force(campaign, mission.aim, mission.to, mission.owner):
            return campaign  # their envoys crossed, and both agreed
        yield from tell("MN-F6", "agreed", **facts)
        for place in sieges_between(campaign, mission.to, mission.owner):
            yield from tell("MN-F6", "siege_raised", place=place)
        return agreed(campaign, mission.aim, mission.to, mission.owner)
    if said == EXECUTE:
        yield from tell("MN-F6", "executed", **facts)
        return campaign.without_specialist(mission.diplomat)
    if said in (DECLINE, SEND_BACK):
        yield from tell("MN-F6", "declined" if said == DECLINE else "sent_back", **facts)
    return campaign


@script("MN-F6/ransom")
def ransoms_are_asked(campaign: Campaign) -> Step[Campaign]:
    """A seat whose envoy is held pays, or gives him up."""
    seats = [s for s in campaign.in_play() if any([m.owner == s for m in campaign.missions])]
    sheets = yield from sheets_of(campaign, seats, ransom_sheet, abandoned)
    for mission in campaign.missions:
        paid = sheets[mission.owner][f"captive.{mission.to}"] == "pay"
        if paid:
            campaign = campaign.paying(mission.owner, mission.ransom)
            campaign = campaign.earning(mission.to, mission.ransom)
        else:
            campaign = campaign.without_specialist(mission.diplomat)
        yield from tell(
            "MN-F6", "ransomed" if paid else "abandoned",
            seat=mission.owner, other=mission.to, money=mission.ransom,
        )  # fmt: skip
    return replace(campaign, missions=()), []


# Missions (MN-F6) ---------------------------------------------------------------------------------


MISSION = FRAME.mission

AGREE, DECLINE, SEND_BACK, EXECUTE, RANSOM = "agree", "decline", "send_back", "execute", "ransom"
ANSWERS = (AGREE, DECLINE, SEND_BACK, EXECUTE, RANSOM)
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

    return Sheet(fill, (lambda: purse(campaign, seat)) if most_missions(campaign, seat) else None)


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
        other = treaty.other if treaty.one == seat else treaty.one
        kinds = found.setdefault(other, [])
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
            place = yield (
                f"city.{n}",
                OneOf(tuple(cities), "place", fact=partial(_city, campaign, seat)),
            )
            cities.remove(place)
            yield (
                f"request.{n}",
                OneOf(aims_with_city(campaign, seat, place), "aim", fact=_granting),
            )


def _city(campaign: Campaign, seat: str, place: str) -> Fact:
    """What a free city has, and how far it is from a seat's provinces; the nearest first."""
    province, far = campaign.atlas.by_id[place], campaign.atlas.distances(place)
    steps = min([far[own] for own in campaign.lands_of(seat) if own in far], default=NEVER)
    return Fact(
        "city", {"goods": list(province.resources), "mercenaries": province.mercenaries},
        group="near" if steps <= NEAR else "far", rank=steps,
    )  # fmt: skip


def _granting(aim: str) -> Fact:
    """How probably a free city grants what an envoy asks."""
    asked = Call(audience.rule, (aim,))
    return Fact("granted", {"chance": ChanceOf(asked, lambda found: bool(found.success))})


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


@sheet_parts
def answer_sheet(campaign: Campaign, seat: str) -> Filling:
    """What becomes of each envoy that another player has sent."""
    for mission in campaign.missions:
        if mission.to == seat:
            asked = Fact("treaty", {"aim": mission.aim})
            told = {AGREE: asked, DECLINE: asked}.get
            said = yield f"envoy.{mission.owner}", OneOf(ANSWERS, "envoy", fact=told)
            if said == RANSOM:
                yield f"price.{mission.owner}", RANSOMS


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

    return Sheet(fill, lambda: purse(campaign, seat))


def abandoned(campaign: Campaign, seat: str) -> dict[str, Any]:
    """The answers of a seat that says nothing of its captives."""
    return {f"captive.{m.to}": "abandon" for m in campaign.missions if m.owner == seat}


def held(mission: Mission, sheet: Mapping[str, Any]) -> Mission:
    """A mission whose envoy is held to the ransom that the receiving seat has named."""
    return replace(mission, ransom=sheet[f"price.{mission.owner}"])


KINDS = ("commercial", "non_aggression", "alliance", "passage")
"""What two players may agree on; passage is granted by one to the other."""

CITY_KINDS = ("commercial", "passage")
"""What a free city may agree to."""


def treaties_of(campaign: Campaign, seat: str) -> tuple[Treaty, ...]:
    """The treaties a seat is a party to, oldest first."""
    return tuple([treaty for treaty in campaign.treaties if seat in (treaty.one, treaty.other)])


def in_force(campaign: Campaign, kind: str, grantor: str, seat: str) -> bool:
    """Whether a seat has this already: passage from the grantor, or a treaty both ways."""
    return kind in kinds_in_force(campaign, grantor, seat)


def kinds_in_force(campaign: Campaign, grantor: str, seat: str) -> tuple[str, ...]:
    """What a seat has already: passage from the grantor, and treaties both ways."""
    return tuple(
        t.kind
        for t in campaign.treaties
        if (t.one == grantor and t.other == seat)
        or (t.one == seat and t.other == grantor and t.kind != "passage")
    )


def agreed(campaign: Campaign, kind: str, grantor: str, seat: str) -> Campaign:
    """The campaign with a treaty more; between two players it ends their war (MN-4.4), and the
    sieges that they lay to one another.
    """
    treaty = Treaty(kind, grantor, seat, campaign.turn)  # type: ignore[arg-type]
    campaign = replace(campaign, treaties=(*campaign.treaties, treaty))
    if grantor not in campaign.seats:
        return campaign
    for place in sieges_between(campaign, grantor, seat):
        campaign = campaign.land_changed(place, siege=None)
    pair = campaign.pair(grantor, seat)
    return replace(campaign, wars=tuple([war for war in campaign.wars if war != pair]))


def sieges_between(campaign: Campaign, one: str, other: str) -> tuple[str, ...]:
    """The provinces of one of two seats that the other besieges, in the map's order."""
    lands = campaign.lands
    return tuple(
        place
        for place in campaign.atlas.by_id
        if (siege := lands[place].siege) is not None
        and {siege.by, lands[place].owner} == {one, other}
    )


def denounced(campaign: Campaign, seat: str, partner: str, kinds: tuple[str, ...]) -> Campaign:
    """The campaign without a seat's treaties of these kinds with a partner, passage both ways."""
    kept = [
        treaty
        for treaty in campaign.treaties
        if {treaty.one, treaty.other} != {seat, partner} or treaty.kind not in kinds
    ]
    return replace(campaign, treaties=tuple(kept))


def may_write(campaign: Campaign, seat: str) -> tuple[str, ...]:
    """Players to whom a seat may write: everybody, or by `talk=mission` those it has heard from."""
    others = campaign.others(seat)
    if campaign.options.talk == "free":
        return others
    return tuple([other for other in others if campaign.pair(seat, other) in campaign.channels])


def heard(campaign: Campaign, one: str, other: str) -> Campaign:
    """The campaign after a seat received another's envoy: from now on the two may write."""
    pair = campaign.pair(one, other)
    if campaign.options.talk == "free" or pair in campaign.channels:
        return campaign
    return replace(campaign, channels=(*campaign.channels, pair))
