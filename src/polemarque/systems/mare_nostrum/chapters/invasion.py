"""What a victor does with a province (MN-5, MN-6.2, MN-6.3, MN-7.7), once nobody fights there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

from msgspec.structs import replace

from polemarque.api import Fact, Item, OneOf, Rule, Step, ask_each, call, script, tell, then
from polemarque.systems.mare_nostrum.army_stands import fallen
from polemarque.systems.mare_nostrum.asking_seats import choose
from polemarque.systems.mare_nostrum.chapters.dice import invasion
from polemarque.systems.mare_nostrum.chapters.engagement_order import (
    intrudes,
    pieces,
    seats_on,
    standoff,
)
from polemarque.systems.mare_nostrum.chapters.military import relieved, war_breaks_out
from polemarque.systems.mare_nostrum.pieces import HOLD, Army
from polemarque.systems.mare_nostrum.reach import havens, refuges, wilds
from polemarque.systems.mare_nostrum.setup.options import AHEAD
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import WAR_GOD, local_market, pillaged

NOBODY = "nobody"
"""What contenders say who would rather that none of them had the province."""


@script("MN-6.2", edition="2026-11.2")
def province_is_settled(campaign: Campaign, place: str) -> Step[Campaign]:
    """The owner who stands keeps it; one other player has won it; several must agree (MN-7.7)."""
    return (yield from settled(campaign, place, left_to_nobody))


def settled(
    campaign: Campaign, place: str, left: Callable[[Campaign, str], Campaign]
) -> Step[Campaign]:
    """Whose a province is once nobody fights there.

    left: notes that it was left to nobody.
    """
    owner = campaign.owner(place)
    standing = seats_on(campaign, place)
    contenders = tuple([seat for seat in standing if invaders(campaign, place, seat)])
    if not contenders or owner in standing or _held_by_siege(campaign, place, contenders):
        return campaign, []
    if len(standing) == 1:
        if owner is None and _fought(campaign, place):
            yield from tell("MN-7.6", "last", place=place, seat=contenders[0])
        return campaign, [then(invader_has_won, place, contenders[0])]
    words = (NOBODY, *contenders)
    present = [seat for seat in standing if not campaign.seats[seat].absent]
    said = yield from ask_each(present, OneOf(words, "contender"), absent=NOBODY, subject=place)
    named = set(said.values()) if len(present) == len(standing) else {NOBODY}
    if len(named) > 1 or NOBODY in named:
        yield from tell("MN-7.7", "nobody", place=place, seats=standing)
        return left(campaign, place), []
    seat = next(iter(said.values()))
    yield from tell("MN-7.7", "agreed", place=place, seat=seat, seats=standing)
    return campaign, [then(invader_has_won, place, seat)]


def left_to_nobody(campaign: Campaign, place: str) -> Campaign:
    """The campaign in which armies that could not agree on a province remember whom they faced."""
    there = campaign.armies_at(place)
    faced = {
        standoff(one, other): campaign.turn
        for one, other in combinations(there, 2)
        if one.owner != other.owner
    }
    last = {pair: turn for pair, turn in campaign.standoffs.items() if turn >= campaign.turn - 1}
    return replace(campaign, standoffs=last | faced)


def invaders(campaign: Campaign, place: str, seat: str) -> tuple[str, ...]:
    """A seat's armies that invade a province, in the order in which they fight (MN-5.4)."""
    there = pieces(campaign, place, seat)
    return tuple([one.id for one in there if isinstance(one, Army) and intrudes(campaign, one)])


def _fought(campaign: Campaign, place: str) -> bool:
    return bool(campaign.at_field(place).settled)


def _held_by_siege(campaign: Campaign, place: str, contenders: tuple[str, ...]) -> bool:
    """Whether somebody lays siege there whom the contenders have not beaten (MN-6.11)."""
    siege = campaign.lands[place].siege
    return siege is not None and (
        siege.by in contenders or bool(campaign.armies_at(place, siege.by))
    )


@script("MN-6.2/won")
def invader_has_won(campaign: Campaign, place: str, seat: str) -> Step[Campaign]:
    """Nobody stands against him: the table of MN-5.1, control, or a fortress before him."""
    armies = invaders(campaign, place, seat)
    owner = campaign.owner(place)
    if owner is None:
        return campaign, [then(army_invades, place, armies)]
    campaign = yield from war_breaks_out(campaign, seat, owner)
    if not _fought(campaign, place):
        yield from tell("MN-6.1", "undefended", seat=seat, other=owner, place=place)
    if not campaign.lands[place].fortress:
        yield from tell("MN-6.2", "taken", seat=seat, other=owner, place=place)
        return campaign.taken(place, seat), []
    return campaign, [then(fortress_holds_out, place, seat)]


@script("MN-6.3", edition="2026-11.2")
def fortress_holds_out(campaign: Campaign, place: str, seat: str) -> Step[Campaign]:
    """The victor lays siege, if he has an engineer, or pillages and falls back."""
    engineers, sacked = engineers_at(campaign, place, seat), pillaged(campaign.demographic(place))
    besieges = bool(engineers) and (
        yield from decided(campaign, place, engineers, "siege", {"pillage": _once(sacked)})
    )
    return (yield from besieged_or_pillaged(campaign, place, seat, besieges))


def engineers_at(campaign: Campaign, place: str, seat: str) -> tuple[str, ...]:
    """A seat's invading armies that have an engineer."""
    armies = invaders(campaign, place, seat)
    return tuple([one for one in armies if campaign.has(one, "engineer") is not None])


def besieged_or_pillaged(
    campaign: Campaign, place: str, seat: str, besieges: bool
) -> Step[Campaign]:
    """A siege marker, or half the demographic factor in PO and all his armies fall back."""
    owner = campaign.owner(place)
    if besieges:
        yield from tell("MN-6.3", "siege", seat=seat, other=owner, place=place)
        return campaign.besieged(place, seat), []
    gold = pillaged(campaign.demographic(place))
    yield from tell("MN-6.3", "pillaged", seat=seat, other=owner, place=place, gold=gold)
    campaign = campaign.land_changed(place, pillaged=True).earning(seat, gold)
    armies = invaders(campaign, place, seat)
    return campaign, [then(pillager_falls_back, army, place, ()) for army in armies]


@script("MN-5.1/army")
def army_invades(campaign: Campaign, place: str, armies: tuple[str, ...]) -> Step[Campaign]:
    """One army rolls; if it fails it retreats, and the next one of its owner rolls (MN-5.4).

    Nobody does any more whom the umpire has moved meanwhile, or once he has said whose it is.
    """
    armies = tuple([one for one in armies if campaign.armies[one].place == place])
    if not armies or campaign.owner(place) is not None:
        return campaign, []
    army, rest = armies[0], armies[1:]
    seat = campaign.armies[army].owner
    result = yield from call(
        invasion,
        campaign.demographic(place),
        campaign.lands[place].fortress,
        campaign.has(army, "engineer") is not None,
        campaign.has(army, "priest", WAR_GOD) is not None,
    )
    kind = "success" if result.success else "failure"
    yield from tell(
        "MN-5.1", kind, seat=seat, piece=army, place=place, resistance=result.resistance
    )
    if not result.success:
        items: list[Item] = [then(army_retreats, army, place, "", 1, ())]
        if rest:
            yield from tell("MN-5.4", "next", seat=seat, piece=rest[0], place=place)
            items.append(then(army_invades, place, rest))
        return campaign, items
    return campaign, [then(province_submits, place, army)]


@script("MN-5.2", edition="2026-11.2")
def province_submits(campaign: Campaign, place: str, army: str) -> Step[Campaign]:
    """The die has succeeded: he takes control, or pillages and cashes the local market once."""
    market = local_market(campaign.atlas, place)
    facts = {"take": Fact("yields", {"value": market}), "pillage": _once(market)}
    takes = yield from decided(campaign, place, (army,), "take", facts)
    return (yield from taken_or_pillaged(campaign, place, army, takes))


def taken_or_pillaged(campaign: Campaign, place: str, army: str, takes: bool) -> Step[Campaign]:
    """What becomes of an independent province whose invasion has succeeded."""
    seat = campaign.armies[army].owner
    if takes:
        yield from tell("MN-5.2", "taken", seat=seat, place=place)
        return campaign.taken(place, seat), []
    gold = local_market(campaign.atlas, place)
    yield from tell("MN-5.2", "pillaged", seat=seat, place=place, gold=gold)
    return campaign.earning(seat, gold), []


def _once(gold: int) -> Fact:
    """Beside pillage: what it brings, once."""
    return Fact("once", {"value": gold})


def decided(
    campaign: Campaign, place: str, armies: tuple[str, ...], word: str, facts: Mapping[str, Fact]
) -> Rule[bool]:
    """Whether the victor does as the word says, and does not pillage: he decides now, or under
    `orders_ahead` his orders have decided (MN-2.7).
    """
    if campaign.options.orders_ahead == AHEAD:
        return as_ordered(campaign, armies)
    seat = campaign.armies[armies[0]].owner
    said = yield from choose(campaign, seat, (word, "pillage"), "spoils", place, facts)
    return bool(said == word)


def as_ordered(campaign: Campaign, armies: tuple[str, ...]) -> bool:
    """Whether one of these armies has no order to pillage."""
    orders = campaign.orders.get(campaign.armies[armies[0]].owner, HOLD)
    return not {*armies} <= {*orders.pillages}


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
