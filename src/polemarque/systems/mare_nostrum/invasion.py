"""What a victor does with a province (MN-5, MN-6.2, MN-6.3, MN-7.7), once nobody fights there."""

from __future__ import annotations

from polemarque.kernel.agenda import Item, Rule, ask_each, call, script, tell
from polemarque.kernel.request import OneOf
from polemarque.systems.mare_nostrum.contest import intrudes, pieces, seats_on
from polemarque.systems.mare_nostrum.dice import invasion
from polemarque.systems.mare_nostrum.figures import pillaged
from polemarque.systems.mare_nostrum.military import war_breaks_out
from polemarque.systems.mare_nostrum.orders import HOLD, Field
from polemarque.systems.mare_nostrum.pieces import Army
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.wares import WAR_GOD, local_market

NOBODY = "nobody"
"""What contenders say who would rather that none of them had the province."""


@script("MN-6.2")
def province_is_settled(campaign: Campaign, place: str) -> Rule[tuple[Campaign, list[Item]]]:
    """The owner who stands keeps it; one other player has won it; several must agree (MN-7.7)."""
    owner = campaign.owner(place)
    standing = seats_on(campaign, place)
    contenders = tuple([seat for seat in standing if invaders(campaign, place, seat)])
    if not contenders or owner in standing or _held_by_siege(campaign, place, contenders):
        return campaign, []
    if len(standing) == 1:
        if owner is None and _fought(campaign, place):
            yield from tell("MN-7.6", "last", place=place, seat=contenders[0])
        return campaign, [("MN-6.2/won", place, contenders[0])]
    words = (NOBODY, *contenders)
    present = [seat for seat in standing if not campaign.seats[seat].absent]
    said = yield from ask_each(present, OneOf(words, "contender"), absent=NOBODY, subject=place)
    named = set(said.values()) if len(present) == len(standing) else {NOBODY}
    if len(named) > 1 or NOBODY in named:
        yield from tell("MN-7.7", "nobody", place=place, seats=standing)
        return campaign, []
    seat = next(iter(said.values()))
    yield from tell("MN-7.7", "agreed", place=place, seat=seat, seats=standing)
    return campaign, [("MN-6.2/won", place, seat)]


def invaders(campaign: Campaign, place: str, seat: str) -> tuple[str, ...]:
    """A seat's armies that invade a province, in the order in which they fight (MN-5.4)."""
    there = pieces(campaign, place, seat)
    return tuple([one.id for one in there if isinstance(one, Army) and intrudes(campaign, one)])


def _fought(campaign: Campaign, place: str) -> bool:
    """Whether there was a battle in a province this turn."""
    return bool(campaign.fields.get(place, Field()).settled)


def _held_by_siege(campaign: Campaign, place: str, contenders: tuple[str, ...]) -> bool:
    """Whether somebody lays siege there whom the contenders have not beaten (MN-6.11)."""
    siege = campaign.lands[place].siege
    return siege is not None and (
        siege.by in contenders or bool(campaign.armies_at(place, siege.by))
    )


@script("MN-6.2/won")
def invader_has_won(campaign: Campaign, place: str, seat: str) -> Rule[tuple[Campaign, list[Item]]]:
    """Nobody stands against him: the table of MN-5.1, control, or a fortress before him."""
    armies = invaders(campaign, place, seat)
    owner = campaign.owner(place)
    if owner is None:
        return campaign, [("MN-5.1/army", place, armies)]
    campaign = yield from war_breaks_out(campaign, seat, owner)
    if not _fought(campaign, place):
        yield from tell("MN-6.1", "undefended", seat=seat, other=owner, place=place)
    if not campaign.lands[place].fortress:
        yield from tell("MN-6.2", "taken", seat=seat, other=owner, place=place)
        return campaign.taken(place, seat), []
    pillages = campaign.orders.get(seat, HOLD).pillages
    engineers = [
        army
        for army in armies
        if army not in pillages and campaign.has(army, "engineer") is not None
    ]
    if engineers:
        yield from tell("MN-6.3", "siege", seat=seat, other=owner, place=place)
        return campaign.besieged(place, seat), []
    gold = pillaged(campaign.demographic(place))
    yield from tell("MN-6.3", "pillaged", seat=seat, other=owner, place=place, gold=gold)
    campaign = campaign.land_changed(place, pillaged=True).earning(seat, gold)
    return campaign, [("MN-6.3/falls_back", army, place, ()) for army in armies]


@script("MN-5.1/army")
def army_invades(
    campaign: Campaign, place: str, armies: tuple[str, ...]
) -> Rule[tuple[Campaign, list[Item]]]:
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
        items: list[Item] = [("MN-5.3", army, place, "", 1, ())]
        if rest:
            yield from tell("MN-5.4", "next", seat=seat, piece=rest[0], place=place)
            items.append(("MN-5.1/army", place, rest))
        return campaign, items
    if army in campaign.orders.get(seat, HOLD).pillages:
        gold = local_market(campaign.atlas, place)
        yield from tell("MN-5.2", "pillaged", seat=seat, place=place, gold=gold)
        return campaign.earning(seat, gold), []
    yield from tell("MN-5.2", "taken", seat=seat, place=place)
    return campaign.taken(place, seat), []
