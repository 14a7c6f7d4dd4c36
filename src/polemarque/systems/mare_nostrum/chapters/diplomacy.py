"""The diplomatic phase (MN-F6): treaties denounced, envoys sent, answered, held to ransom.

Three sealed steps at most: everybody's sheet, the answers to envoys, and ransoms.  A step asks only
the seats that could have something to say.  What envoys say is known to all: an embassy is no
secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from polemarque.api import Rule, Step, call, script, tell, then
from polemarque.systems.mare_nostrum.absent_seats import sheets_of
from polemarque.systems.mare_nostrum.chapters.missions import (
    AGREE,
    DECLINE,
    EXECUTE,
    MISSION,
    RANSOM,
    SEND_BACK,
    abandoned,
    answer_sheet,
    diplomacy_sheet,
    held,
    kinds_by_partner,
    missions_of,
    most_missions,
    ransom_sheet,
    sent_back,
    silent,
)
from polemarque.systems.mare_nostrum.event_tables import audience
from polemarque.systems.mare_nostrum.pieces import Mission
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.treaties import (
    agreed,
    denounced,
    heard,
    in_force,
    sieges_between,
    treaties_of,
)


@script("MN-F6/phase")
def diplomatic_phase(campaign: Campaign) -> Step[Campaign]:
    """Everybody's sheet; then cities answer the envoys they are sent, and players theirs."""
    seats = [seat for seat in campaign.in_play() if _has_something(campaign, seat)]
    sheets = yield from sheets_of(
        campaign,
        seats,
        lambda seat: diplomacy_sheet(campaign, seat),
        absent=lambda seat: silent(campaign, seat),
    )
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
    sheets = yield from sheets_of(
        campaign,
        seats,
        lambda seat: answer_sheet(campaign, seat),
        absent=lambda seat: sent_back(campaign, seat),
    )
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
    sheets = yield from sheets_of(
        campaign,
        seats,
        lambda seat: ransom_sheet(campaign, seat),
        absent=lambda seat: abandoned(campaign, seat),
    )
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
