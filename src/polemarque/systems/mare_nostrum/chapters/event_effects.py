"""What the events of the administrative phase do to a realm (MN-F5), effect by effect.

An effect says among what a die picks its target, and what becomes of it.  One that finds no target
passes by: its event is told without a place.  Every event is told once, with the same figures:
`amount`, `place`, and `what` it concerns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from polemarque.api import Step, call, script, tell
from polemarque.systems.mare_nostrum.caravans import (
    caravans_of,
    routes_of,
    without_caravan,
    without_route,
)
from polemarque.systems.mare_nostrum.chapters.administrative import joined_home, picked
from polemarque.systems.mare_nostrum.chapters.dice import Effect, fortune
from polemarque.systems.mare_nostrum.pieces import Band
from polemarque.systems.mare_nostrum.state import MOST_PEOPLE, Campaign
from polemarque.systems.mare_nostrum.tables import FRAME, kind_of, local_market


class Blow(NamedTuple):
    """An event about to strike: what it strikes (a place, a piece, a kind) and its figure."""

    campaign: Campaign
    seat: str
    target: str
    amount: int


class Struck(NamedTuple):
    """What it did: the campaign after it, and the figures with which it is told."""

    campaign: Campaign
    amount: int = 0
    place: str = ""
    what: str = ""


class Work(NamedTuple):
    """How an effect works: among what its target is picked, and what becomes of that."""

    among: Callable[[Campaign, str], tuple[str, ...]]
    strike: Callable[[Blow], Struck]


@script("MN-F5/event")
def event_befalls(campaign: Campaign, seat: str) -> Step[Campaign]:
    """One D100 event for a player."""
    if seat not in campaign.in_play():
        return campaign, []
    sent = yield from call(fortune)
    work = WORKS[sent.effect]
    target = yield from picked(work.among(campaign, seat), "target")
    done = Struck(campaign)
    if target:
        done = work.strike(Blow(campaign, seat, target, sent.amount))
    yield from tell(
        "MN-F5", sent.event, seat=seat, amount=done.amount, place=done.place, what=done.what
    )
    return done.campaign, []


def _home(campaign: Campaign, seat: str) -> tuple[str, ...]:
    return (campaign.seats[seat].home,)


def _open_lands(campaign: Campaign, seat: str) -> tuple[str, ...]:
    """His provinces that are not besieged: a besieged one pays nothing (MN-6.6)."""
    lands = campaign.lands
    return tuple([place for place in campaign.lands_of(seat) if lands[place].siege is None])


def _beyond(campaign: Campaign, seat: str) -> tuple[str, ...]:
    near = [n for place in campaign.lands_of(seat) for n in campaign.atlas.neighbours_of(place)]
    return tuple([place for place in dict.fromkeys(near) if campaign.owner(place) != seat])


def _waters(campaign: Campaign, seat: str) -> tuple[str, ...]:
    zones = [z for place in campaign.lands_of(seat) for z in campaign.atlas.zones_of(place)]
    return tuple(dict.fromkeys(zones))


def _works(campaign: Campaign, seat: str) -> tuple[str, ...]:
    """Every improvement of his, as "place/number": all have the same chance."""
    return tuple(
        f"{place}/{number}"
        for place in campaign.lands_of(seat)
        for number, _ in enumerate(campaign.lands[place].improvements)
    )


def _fit_armies(campaign: Campaign, seat: str) -> tuple[str, ...]:
    return tuple([army.id for army in campaign.armies_of(seat) if not army.exhausted])


def _ids(
    of: Callable[[Campaign, str], Sequence[Any]],
) -> Callable[[Campaign, str], tuple[str, ...]]:
    return lambda campaign, seat: tuple([each.id for each in of(campaign, seat)])


def _bands(campaign: Campaign, seat: str) -> tuple[str, ...]:
    places = (*campaign.lands_of(seat), *_waters(campaign, seat))
    return tuple([b.id for b in campaign.bands.values() if b.place in places and b.owner != seat])


def _kinds(campaign: Campaign, _: str) -> tuple[str, ...]:
    hired = [province.mercenaries for province in campaign.atlas.provinces]
    return tuple(dict.fromkeys([kind for kind in hired if kind]))


def _nothing(blow: Blow) -> Struck:
    return Struck(blow.campaign)


def _gain(blow: Blow) -> Struck:
    return Struck(blow.campaign.earning(blow.seat, blow.amount), blow.amount)


def _loss(blow: Blow) -> Struck:
    """All he has at most."""
    lost = min(blow.amount, blow.campaign.seats[blow.seat].treasury)
    return Struck(blow.campaign.paying(blow.seat, lost), lost)


def _good_harvest(blow: Blow) -> Struck:
    """The local market pays once more."""
    money = local_market(blow.campaign.atlas, blow.target)
    return Struck(blow.campaign.earning(blow.seat, money), money, blow.target)


def _bad_harvest(blow: Blow) -> Struck:
    """The local market will pay nothing in the next commercial phase."""
    return Struck(blow.campaign.land_changed(blow.target, taxed_off=True), 0, blow.target)


def _happiness(blow: Blow) -> Struck:
    """Points for the next acclamation."""
    year = blow.campaign.seats[blow.seat].year
    after = replace(year, omens=year.omens + blow.amount)
    return Struck(blow.campaign.changed(blow.seat, year=after), blow.amount)


def _people(blow: Blow) -> Struck:
    """The demographic factor changes, between 1 and 20."""
    before = blow.campaign.demographic(blow.target)
    people = blow.campaign.lands[blow.target].people
    after = min(max(before + blow.amount, 1), MOST_PEOPLE)
    campaign = blow.campaign.land_changed(blow.target, people=people + after - before)
    return Struck(campaign, abs(after - before), blow.target)


def _ruin(blow: Blow) -> Struck:
    place, _, number = blow.target.rpartition("/")
    there = blow.campaign.lands[place].improvements
    at = int(number)
    campaign = blow.campaign.land_changed(place, improvements=(*there[:at], *there[at + 1 :]))
    return Struck(campaign, 0, place, kind_of(there[at]))


def _storm(blow: Blow) -> Struck:
    """A fleet sinks, with the army it carries, if the D6 of the event is low."""
    zone = blow.campaign.fleets[blow.target].place
    if blow.amount > FRAME.storm.sinks:
        return Struck(blow.campaign, 0, zone)
    return Struck(blow.campaign.without_fleet(blow.target), 1, zone)


def _fever(blow: Blow) -> Struck:
    """An army gets Exhausted I."""
    place = blow.campaign.whereabouts(blow.campaign.armies[blow.target])
    return Struck(blow.campaign.army_changed(blow.target, exhausted=1), 0, place)


def _caravan_lost(blow: Blow) -> Struck:
    caravan = blow.campaign.caravans[blow.target]
    left = without_caravan(blow.campaign, blow.target)
    return Struck(left, 0, caravan.place, caravan.resource)


def _route_lost(blow: Blow) -> Struck:
    route = blow.campaign.routes[blow.target]
    left = without_route(blow.campaign, blow.target)
    return Struck(left, 0, route.destination, route.resource)


def _hunt(blow: Blow) -> Struck:
    band = blow.campaign.bands[blow.target]
    return Struck(blow.campaign.without_band(band.id), 0, band.place, band.kind)


def _band(kind: Literal["brigands", "pirates"], blow: Blow, *, hired: bool = False) -> Struck:
    """A band appears, in somebody's pay or in nobody's (MN-9.2)."""
    number, owner = blow.campaign.next_band, blow.seat if hired else ""
    campaign = blow.campaign.with_band(Band(f"b{number}", kind, blow.target, owner))
    return Struck(replace(campaign, next_band=number + 1), 0, blow.target)


def _mercenary(blow: Blow) -> Struck:
    """A unit of mercenaries waits in garrison at his home."""
    holder = blow.campaign.seats[blow.seat]
    campaign = blow.campaign.changed(blow.seat, mercenaries=(*holder.mercenaries, blow.target))
    return Struck(campaign, 0, holder.home, blow.target)


def _priest(blow: Blow) -> Struck:
    """A priest of his protector god joins him."""
    god = blow.campaign.seats[blow.seat].god
    return Struck(joined_home(blow.campaign, blow.seat, "priest", god), 0, blow.target, god)


def _joins(kind: Literal["engineer", "diplomat"], blow: Blow) -> Struck:
    return Struck(joined_home(blow.campaign, blow.seat, kind), 0, blow.target)


WORKS: dict[Effect, Work] = {
    "none": Work(_home, _nothing),
    "gain": Work(_home, _gain),
    "loss": Work(_home, _loss),
    "good_harvest": Work(_open_lands, _good_harvest),
    "bad_harvest": Work(Campaign.lands_of, _bad_harvest),
    "happiness": Work(_home, _happiness),
    "people": Work(Campaign.lands_of, _people),
    "ruin": Work(_works, _ruin),
    "storm": Work(_ids(Campaign.fleets_of), _storm),
    "fever": Work(_fit_armies, _fever),
    "caravan_lost": Work(_ids(caravans_of), _caravan_lost),
    "route_lost": Work(_ids(routes_of), _route_lost),
    "brigands": Work(Campaign.lands_of, partial(_band, "brigands")),
    "pirates": Work(_waters, partial(_band, "pirates")),
    "hunt": Work(_bands, _hunt),
    "own_brigands": Work(_beyond, partial(_band, "brigands", hired=True)),
    "own_pirates": Work(_waters, partial(_band, "pirates", hired=True)),
    "mercenary": Work(_kinds, _mercenary),
    "priest": Work(_home, _priest),
    "engineer": Work(_home, partial(_joins, "engineer")),
    "diplomat": Work(_home, partial(_joins, "diplomat")),
}
"""How each effect of the table works."""
