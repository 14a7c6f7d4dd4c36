"""Battles (MN-B): the brief that a campaign hands over, and what a report does to it.

After each battle: who is destroyed, who falls back, who has lost what.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from polemarque.api import EVERYBODY, Item, Rule, Step, script, tell, then
from polemarque.api.battle import Brief, BriefUnit, Report, Side
from polemarque.systems.mare_nostrum.army_stands import (
    GUARD,
    after_losses,
    fallen,
    has_guard,
    mercenaries,
    units,
)
from polemarque.systems.mare_nostrum.chapters.engagement_order import (
    BORDER,
    Duel,
    ends,
    entered,
    outsider,
)
from polemarque.systems.mare_nostrum.chapters.invasion import army_retreats
from polemarque.systems.mare_nostrum.chapters.military import relieved
from polemarque.systems.mare_nostrum.pieces import HOLD, Army, Fleet, Piece
from polemarque.systems.mare_nostrum.setup.options import CAMPAIGN, for_fleets
from polemarque.systems.mare_nostrum.state import TURNS_A_YEAR, Campaign
from polemarque.systems.mare_nostrum.tables import FIGURES, WAR_GOD

WAR_PRIEST = "war_priest"
"""The right that a battle may spend (MN-6.9)."""

FLEET = {"fr": "flotte de guerre", "en": "war fleet"}
"""What a fleet is called in a battle brief."""

SEASONS = ("spring", "summer", "autumn", "winter")


def brief(campaign: Campaign, field: str, duel: Duel, number: int) -> Brief:
    """The battle brief of two pieces that meet on a field (PA-1, MN-B.1, MN-B.2)."""
    attacker, defender = duel
    at_sea = isinstance(attacker, Fleet)
    place = defender.place if BORDER in field else field
    land = campaign.lands.get(field)
    ground = "sea" if at_sea else "border" if BORDER in field else "land"
    return Brief(
        id=f"b{number}",
        resolver=resolver_of(campaign, attacker.owner, defender.owner, at_sea=at_sea),
        place=place,
        sides=(_side(campaign, field, attacker), _side(campaign, field, defender)),
        terrain=_terrain(campaign, field, at_sea=at_sea),
        fortress=land is not None and land.fortress and land.owner == defender.owner,
        season=SEASONS[(campaign.turn - 1) % TURNS_A_YEAR],
        facts={
            "ground": ground,
            "siege": land is not None and land.siege is not None,
            "capital": field == campaign.seats[defender.owner].home,
            "sheet": "stands",
        },
        campaign=CAMPAIGN,
        witnesses=EVERYBODY,  # all stands open on this table: armies, priests, boards
        names=campaign.atlas.names_of(place),
    )


def _terrain(campaign: Campaign, field: str, *, at_sea: bool) -> str:
    """The land's; "sea"; "" on a border, which is neither land's, or where the map says nothing."""
    if at_sea:
        return "sea"
    return "" if BORDER in field else campaign.atlas.by_id[field].terrain


def resolver_of(campaign: Campaign, one: str, other: str, *, at_sea: bool) -> str:
    """Who resolves a battle: the way both players ordered, else the campaign's own (PA-2).

    What they ordered for armies alone is no wish for their fleets (PA-3).
    """
    wishes = [campaign.orders.get(seat, HOLD).resolver for seat in (one, other)]
    agreed, own = wishes[0] if wishes[0] == wishes[1] else "", campaign.options.resolver
    return for_fleets(agreed, own) if at_sea else agreed or own


def as_met(army: Army, field: str) -> Army:
    """An army as it stands on a field: on a border it has come to no province yet, so that nobody
    is at home there (MN-4.3).
    """
    return replace(army, place=field) if BORDER in field else army


def _side(campaign: Campaign, field: str, piece: Piece) -> Side:
    holder = campaign.seats[piece.owner]
    listed: tuple[BriefUnit, ...]
    rights: dict[str, Any]
    if isinstance(piece, Fleet):
        price = FIGURES.fleet_price
        listed = (BriefUnit(piece.id, "fleet", "fleet", 1, price, {"whole": True}, FLEET),)
        rights = {}
    else:
        met = as_met(piece, field)
        listed, rights = units(campaign, met), _rights(campaign, met)
    return Side(
        seat=piece.owner,
        name=holder.origin,
        units=listed,
        leaders=(),
        rights=rights,
        absent=holder.absent,
        names=campaign.atlas.by_id[holder.origin].capital,
    )


def _rights(campaign: Campaign, army: Army) -> dict[str, Any]:
    """Priest of War, engineer, Sacred Guard and mercenaries (MN-6.9); `once`: what may be spent."""
    priest = campaign.has(army.id, "priest", WAR_GOD)
    return {
        "army": army.id,
        "once": [WAR_PRIEST] if priest is not None else [],
        "engineer": campaign.has(army.id, "engineer") is not None,
        "guard": has_guard(campaign, army),
        "mercenaries": list(mercenaries(army)),
    }


@script("MN-B.3")
def battle_is_over(
    campaign: Campaign, field: str, attacker: str, defender: str, report: Report
) -> Step[Campaign]:
    """Losses and spent rights; then the loser's fate, or with no winner who falls back."""
    sides = [campaign.piece(attacker), campaign.piece(defender)]
    settled = (*campaign.at_field(field).settled, (attacker, defender))
    campaign = campaign.field_changed(field, settled=settled, steady=())
    items: list[Item] = []
    if report.winner is None:
        yield from tell("MN-B.3", "nobody", place=ends(field), seats=[one.owner for one in sides])
        for one, foe in (sides, sides[::-1]):
            items += _falls_back(campaign, field, one, foe)
    else:
        winner, loser = sides[report.winner], sides[1 - report.winner]
        yield from tell("MN-B.1", "won", place=ends(field), seat=winner.owner, other=loser.owner)
        campaign = campaign.counted(winner.owner, victories=1)
        items += _beaten(campaign, field, winner, loser)
        campaign = with_victor(campaign, field, winner)
    for one in sides:
        if isinstance(one, Army):
            campaign = yield from _losses(campaign, field, one, report)
    return campaign, [each for each in items if each[1] in {*campaign.armies, *campaign.fleets}]


def with_victor(campaign: Campaign, field: str, winner: Piece) -> Campaign:
    """The campaign after a piece has beaten another, or an exhausted one has given way to it.

    A seat that is no guest in a province stands as an invader that has won, whenever it came
    (MN-6.11, MN-7.6, MN-7.7).
    """
    if field not in campaign.lands or isinstance(winner, Fleet) or not outsider(campaign, winner):
        return campaign
    return campaign.field_changed(field, victors=(*campaign.at_field(field).victors, winner.id))


def _losses(campaign: Campaign, field: str, army: Army, report: Report) -> Rule[Campaign]:
    """Stands lost until the end of the phase, and the priest that was spent (MN-B.4, MN-6.9).

    The Sacred Guard alone is no army: it goes with the last of the others.
    """
    seat = army.owner
    lost = {
        loss.unit.removeprefix(f"{seat}."): loss.killed
        for loss in report.losses
        if loss.unit.startswith(f"{seat}.") and loss.killed
    }
    if lost:
        number = sum(lost.values())
        yield from tell("MN-B.4", "lost", seat=seat, piece=army.id, stands=number)
        campaign = campaign.with_army(after_losses(campaign, army, lost))
        if GUARD in lost:
            campaign = campaign.changed(seat, guard_lost=True)
    priest = campaign.has(army.id, "priest", WAR_GOD)
    if priest is not None and f"{seat}.{WAR_PRIEST}" in report.spent:
        yield from tell("MN-6.9", "spent", seat=seat, piece=army.id)
        campaign = campaign.without_specialist(priest.id)
    left = campaign.armies[army.id]
    if not left.strength:
        yield from tell("MN-B.4", "no_stands", seat=seat, piece=army.id)
        after = fallen(campaign, as_met(left, field))
        return (yield from relieved(campaign, after, army.place))
    return campaign


def _falls_back(campaign: Campaign, field: str, one: Piece, foe: Piece) -> list[Item]:
    """No winner: who entered falls back as in MN-5.3; from a border to where he came from; at sea
    both stay.
    """
    if BORDER in field:
        return [then(back_over_the_border, one.id)]
    if isinstance(one, Army) and entered(campaign, one):
        return [then(army_retreats, one.id, field, foe.came, 1, ())]
    return []


@script("MN-4.3/back")
def back_over_the_border(campaign: Campaign, piece: str) -> Step[Campaign]:
    """Nobody has won on the border: a piece goes back to where it came from."""
    one = campaign.piece(piece)
    border = sorted((one.came, one.place))  # as the field names it, so that both are told together
    yield from tell("MN-4.3", "back", seat=one.owner, piece=piece, place=one.came, border=border)
    if isinstance(one, Army):
        after = campaign.army_changed(piece, place=one.came, came="").without_idle_siege(one.place)
        return (yield from relieved(campaign, after, one.place)), []
    return campaign.fleet_changed(piece, place=one.came, came=""), []


def _beaten(campaign: Campaign, field: str, winner: Piece, loser: Piece) -> list[Item]:
    """What becomes of the loser, by the rule of the field."""
    if isinstance(loser, Fleet):
        return [then(fleet_is_sunk, loser.id)]
    rule = "MN-4.3" if BORDER in field else defeat_rule(campaign, field, winner.owner, loser.owner)
    spared = {
        "MN-6.2": campaign.options.beaten_defender,
        "MN-7.7": campaign.options.contest_loser,
    }.get(rule)
    if spared == "retreats":
        return [then(army_retreats, loser.id, field, winner.came, 1, ())]
    return [then(army_is_destroyed, loser.id, rule)]


def defeat_rule(campaign: Campaign, province: str, winner: str, loser: str) -> str:
    """The rule by which a beaten army goes: MN-6.11 against or for a besieger, MN-6.2 the owner,
    MN-6.7 his invader, MN-7.7 anybody else.
    """
    land = campaign.lands[province]
    sides = (winner, loser)
    siege = land.siege
    if siege is not None and siege.by in sides:
        foe = loser if winner == siege.by else winner
        if land.owner is not None and (foe == land.owner or campaign.allies(foe, land.owner)):
            return "MN-6.11"
    if land.owner == loser:
        return "MN-6.2"
    return "MN-6.7" if land.owner == winner else "MN-7.7"


@script("MN-6.7")
def army_is_destroyed(campaign: Campaign, army: str, rule: str) -> Step[Campaign]:
    """A beaten army is destroyed, with those who go with it."""
    gone = campaign.armies[army]
    yield from tell("MN-6.7", "destroyed", seat=gone.owner, piece=army, place=gone.place, by=rule)
    # By MN-4.3 it fell on a border, where it had no Sacred Guard yet.
    after = campaign.without_army(army) if rule == "MN-4.3" else fallen(campaign, gone)
    return (yield from relieved(campaign, after, gone.place)), []


@script("MN-8.1/sunk")
def fleet_is_sunk(campaign: Campaign, fleet: str) -> Step[Campaign]:
    """A beaten fleet is destroyed, with the army it carries."""
    gone = campaign.fleets[fleet]
    carried = campaign.cargo(fleet)
    yield from tell(
        "MN-8.1", "sunk", seat=gone.owner, piece=fleet, place=gone.place,
        cargo=carried.id if carried else "",
    )  # fmt: skip
    return campaign.without_fleet(fleet), []
