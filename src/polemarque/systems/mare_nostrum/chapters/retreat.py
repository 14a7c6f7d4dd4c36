"""Retreats (MN-5.3, MN-6.3, MN-7.2): an army falls back where it can, or is destroyed.

One that the umpire has moved meanwhile has left already.
"""

from __future__ import annotations

from collections.abc import Callable

from polemarque.api import Item, Step, script, tell, then
from polemarque.systems.mare_nostrum.absent_seats import choose
from polemarque.systems.mare_nostrum.army_stands import fallen
from polemarque.systems.mare_nostrum.chapters.military import relieved
from polemarque.systems.mare_nostrum.reach import havens, refuges, wilds
from polemarque.systems.mare_nostrum.state import Campaign


@script("MN-5.3")
def army_retreats(
    campaign: Campaign, army: str, place: str, barred: str, level: int, refused: tuple[str, ...]
) -> Step[Campaign]:
    """To an adjacent controlled province, or aboard a war fleet in an adjacent zone; with a marker.

    place:   the province that it leaves.
    barred:  where the attacker came from (MN-1.3).   level: the marker it then bears at least.
    refused: fleets of other seats whose owners would not have it (`rescue_fleet=any`).
    """
    beaten = campaign.armies[army]
    if beaten.place != place:
        return campaign, []
    ways = [way for way in refuges(campaign, beaten, barred) if way not in refused]

    def otherwise(fleet: str) -> Item:
        return then(army_retreats, army, place, barred, level, (*refused, fleet))

    return (yield from _goes(campaign, army, tuple(ways), level, otherwise))


@script("MN-7.2/retreat")
def exhausted_army_retreats(
    campaign: Campaign, army: str, place: str, barred: str
) -> Step[Campaign]:
    """An exhausted army that was attacked leaves for another region, Exhausted II."""
    as_beaten = then(army_retreats, army, place, barred, 2, ())
    beaten = campaign.armies[army]
    if beaten.place != place:
        return campaign, []
    if campaign.options.exhausted_retreat == "controlled":
        return campaign, [as_beaten]
    ways = wilds(campaign, beaten, barred)
    return (yield from _goes(campaign, army, ways, 2, lambda _: as_beaten))


def _goes(
    campaign: Campaign,
    army: str,
    ways: tuple[str, ...],
    level: int,
    otherwise: Callable[[str], Item],
) -> Step[Campaign]:
    """The army goes one of these ways; with none it is destroyed.

    otherwise: what is tried next when the owner of a fleet would not have it.
    """
    beaten = campaign.armies[army]
    seat, place = beaten.owner, beaten.place
    if not ways:
        yield from tell("MN-5.3", "no_refuge", seat=seat, piece=army, place=place)
        return (yield from relieved(campaign, fallen(campaign, beaten), place)), []
    way = yield from choose(campaign, seat, ways, "refuge", army)
    fleet = campaign.fleets.get(way)
    if fleet is not None and fleet.owner != seat:
        said = yield from choose(campaign, fleet.owner, ("no", "yes"), "rescue", way)
        yield from tell("MN-5.3", f"rescue_{said}", seat=fleet.owner, other=seat, fleet=way)
        if said == "no":
            return campaign, [otherwise(way)]
    after = campaign.army_changed(
        army, place=way, came="", exhausted=max(level, beaten.exhausted)
    ).without_idle_siege(place)
    kind = "retreats" if fleet is None else "retreats_aboard"
    yield from tell("MN-5.3", kind, seat=seat, piece=army, start=place, place=way, level=level)
    return (yield from relieved(campaign, after, place)), []


@script("MN-6.3/falls_back")
def pillager_falls_back(
    campaign: Campaign, army: str, place: str, refused: tuple[str, ...]
) -> Step[Campaign]:
    """After a pillage: to an adjacent controlled province; without one it embarks as in MN-5.3;
    else it stays with Exhausted I.

    place, refused: as of `army_retreats`.
    """
    pillager = campaign.armies[army]
    if pillager.place != place:
        return campaign, []
    seat = pillager.owner
    ways = havens(campaign, pillager)
    if ways:
        way = yield from choose(campaign, seat, ways, "refuge", army)
        yield from tell("MN-6.3", "falls_back", seat=seat, piece=army, start=place, place=way)
        return campaign.army_changed(army, place=way, came=""), []
    boats = tuple([way for way in refuges(campaign, pillager) if way not in refused])

    def otherwise(fleet: str) -> Item:
        return then(pillager_falls_back, army, place, (*refused, fleet))

    if boats:
        return (yield from _goes(campaign, army, boats, 1, otherwise))
    yield from tell("MN-6.3", "stays", seat=seat, piece=army, place=place)
    return campaign.army_changed(army, exhausted=max(1, pillager.exhausted), came=""), []
