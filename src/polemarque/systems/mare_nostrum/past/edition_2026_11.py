"""Edition 2026-11: whom to fight, to take or to besiege is ordered before anybody meets."""

from __future__ import annotations

from polemarque.api import Next, SeveralOf, Step, script, tell
from polemarque.systems.mare_nostrum.chapters.invasion import (
    as_ordered,
    besieged_or_pillaged,
    engineers_at,
    settled,
    taken_or_pillaged,
)
from polemarque.systems.mare_nostrum.chapters.military import written
from polemarque.systems.mare_nostrum.chapters.order_sheet import Moves, Part
from polemarque.systems.mare_nostrum.pieces import EVERYWHERE
from polemarque.systems.mare_nostrum.reach import may_fight
from polemarque.systems.mare_nostrum.state import Campaign


@script("MN-2.7")
def orders_are_written(campaign: Campaign) -> Step[Campaign]:
    """One order says whom to fight wherever they meet, and it is read out before the fights."""
    campaign = yield from written(campaign, anywhere)
    for seat, said in campaign.orders.items():
        if said.fights:
            yield from tell("MN-2.7", "fights", seat=seat, others=said.fights[EVERYWHERE])
    return campaign, []


def anywhere(campaign: Campaign, seat: str, _: Moves) -> Part:
    """Whom he fights wherever he meets them."""
    foes = tuple([other for other in campaign.others(seat) if may_fight(campaign, seat, other)])
    if foes:
        yield "fights", SeveralOf(foes, label="seat")


@script("MN-7.5/meeting")
def orders_decide(campaign: Campaign, fields: tuple[str, ...]) -> Next[Campaign]:
    """Everybody fights those whom he has ordered to fight."""
    wishes = {seat: said.fights.get(EVERYWHERE, ()) for seat, said in campaign.orders.items()}
    for field in fields:
        campaign = campaign.field_changed(field, wishes=wishes)
    return campaign, []


@script("MN-6.2")
def province_is_settled(campaign: Campaign, place: str) -> Step[Campaign]:
    """Those who leave a province to nobody may do so turn after turn."""
    return (yield from settled(campaign, place, lambda campaign, _: campaign))


@script("MN-5.2")
def province_submits(campaign: Campaign, place: str, army: str) -> Step[Campaign]:
    """As it was ordered before the die."""
    takes = as_ordered(campaign, (army,))
    return (yield from taken_or_pillaged(campaign, place, army, takes))


@script("MN-6.3")
def fortress_holds_out(campaign: Campaign, place: str, seat: str) -> Step[Campaign]:
    """As it was ordered before the battle."""
    engineers = engineers_at(campaign, place, seat)
    besieges = bool(engineers) and as_ordered(campaign, engineers)
    return (yield from besieged_or_pillaged(campaign, place, seat, besieges))
