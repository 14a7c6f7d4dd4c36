"""What an order may come to, told beside it on the sheet of orders (MN-2.7).

All stands open on the table but the orders of others: each chance names what they could change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from polemarque.api import Call, ChanceOf, Fact
from polemarque.systems.mare_nostrum.chapters.dice import (
    blockade,
    counted_turns,
    interception,
    invasion,
    surrender,
)
from polemarque.systems.mare_nostrum.orders import STAY
from polemarque.systems.mare_nostrum.pieces import Army, Specialist
from polemarque.systems.mare_nostrum.reach import invades
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.trade_data import WAR_GOD

Told = Callable[[str], Fact | None]


def march_told(campaign: Campaign, army: Army, joins: Mapping[str, str]) -> Told:
    """Beside each goal of an army: its invasion of an independent province; where it stays, the
    fall of the city that it besieges.

    joins: who is ordered to go with which army.
    """

    def told(goal: str) -> Fact | None:
        if goal == STAY:
            return _siege_told(campaign, army)
        if goal not in campaign.lands or not invades(campaign, army.owner, goal):
            return None
        return _invasion_told(campaign, army, joins, goal)

    return told


def garrison_told(campaign: Campaign, army: Army, joins: Mapping[str, str]) -> Told:
    """Beside each duty of a garrison: the invasion of the province where it stands (MN-5.4)."""
    return {"attack": _invasion_told(campaign, army, joins, army.place)}.get


def _invasion_told(
    campaign: Campaign, army: Army, joins: Mapping[str, str], place: str
) -> Fact | None:
    if campaign.owner(place) is not None:
        return None
    land, own = campaign.lands[place], campaign.specialists_of(army.owner)
    with_it = [one for one in own if joins.get(one.id) == army.id]
    engineer = any([one.kind == "engineer" for one in with_it])
    figures = campaign.demographic(place), land.fortress, engineer, _war_priest(with_it)
    success = ChanceOf(Call(invasion.rule, figures), lambda fate: bool(fate.success))
    return Fact("invasion", {"success": success})


def _war_priest(with_it: list[Specialist]) -> bool:
    return any([one.kind == "priest" and one.god == WAR_GOD for one in with_it])


def _siege_told(campaign: Campaign, army: Army) -> Fact | None:
    siege = campaign.lands[army.place].siege if campaign.besieging(army) else None
    if siege is None or siege.begun >= campaign.turn:
        return None
    turns = counted_turns(campaign.turn - siege.begun, campaign.options.siege_count)
    test = Call(surrender.rule, (turns,))
    return Fact("siege", {"falls": ChanceOf(test, lambda fate: bool(fate.falls))})


def chase_told(campaign: Campaign, seat: str, place: str) -> Told:
    """Beside the order to intercept what brigands or pirates are there (MN-9.1)."""
    land = campaign.lands.get(place)
    hunt = Call(interception.rule, (land is not None and land.owner == seat,))
    fact = Fact(
        "chase",
        {
            "destroyed": ChanceOf(hunt, lambda fate: bool(fate.outcome == "destroyed")),
            "panics": ChanceOf(hunt, lambda fate: bool(fate.outcome == "panics")),
        },
    )
    return {"yes": fact}.get


def blockade_told(port: str) -> Fact | None:
    """Beside each port that a fleet can blockade (MN-8.3)."""
    if port == "none":
        return None
    die = Call(blockade.rule, ())
    return Fact(
        "blockade",
        {
            "cut": ChanceOf(die, lambda fate: bool(fate.routes_cut)),
            "closed": ChanceOf(die, lambda fate: bool(fate.taxes_lost)),
        },
    )
