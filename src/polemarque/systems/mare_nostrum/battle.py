"""Battles (MN-B): the brief that a campaign hands over, and what a report does to it.

The chapter's questions: who is in line (MN-7.5), what an exhausted army does when it is attacked
(MN-7.2), and after each battle who is destroyed, who falls back, who has lost what.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from polemarque.kernel.agenda import Item, Rule, battles, call, script, tell
from polemarque.kernel.battle import Brief, BriefUnit, Report, Side
from polemarque.kernel.events import EVERYBODY
from polemarque.systems.mare_nostrum.contest import (
    BORDER,
    borders,
    ends,
    entered,
    fighters,
    land_fields,
    next_duel,
    outsider,
    ready,
    sea_fields,
    seats_on,
    side_by_side,
)
from polemarque.systems.mare_nostrum.dice import exhausted_reaction, line_of_battle
from polemarque.systems.mare_nostrum.figures import FIGURES
from polemarque.systems.mare_nostrum.military import relieved, war_breaks_out
from polemarque.systems.mare_nostrum.options import CAMPAIGN, for_fleets
from polemarque.systems.mare_nostrum.orders import HOLD, Field
from polemarque.systems.mare_nostrum.pieces import Army, Fleet, Piece
from polemarque.systems.mare_nostrum.state import TURNS_A_YEAR, Campaign
from polemarque.systems.mare_nostrum.troops import (
    GUARD,
    after_losses,
    fallen,
    has_guard,
    mercenaries,
    units,
)
from polemarque.systems.mare_nostrum.wares import WAR_GOD

WAR_PRIEST = "war_priest"
"""The right that a battle may spend (MN-6.9)."""

FLEET = {"fr": "flotte de guerre", "en": "war fleet"}
"""What a fleet is called in a battle brief."""

SEASONS = ("spring", "summer", "autumn", "winter")


# The fields of the turn (MN-4.3, MN-8.1, MN-7.7) -------------------------------------------------


@script("MN-4.3")
def border_fights(campaign: Campaign) -> tuple[Campaign, list[Item]]:
    """Enemies that have exchanged places meet on the border first."""
    fields = borders(campaign)
    return campaign, [("MN-7.7/round", fields)] if fields else []


@script("MN-8.1")
def sea_fights(campaign: Campaign) -> tuple[Campaign, list[Item]]:
    """Fleets of different players in one zone, if either wants to; no zone touches another."""
    fields = sea_fields(campaign)
    return campaign, [("MN-7.7/round", fields)] if fields else []


@script("MN-7.7")
def land_fights(campaign: Campaign) -> tuple[Campaign, list[Item]]:
    """Provinces, in the map's order."""
    fields = land_fields(campaign)
    return campaign, [("MN-7.7/next", fields)] if fields else []


@script("MN-7.7/next")
def next_provinces(campaign: Campaign, fields: tuple[str, ...]) -> tuple[Campaign, list[Item]]:
    """The first province and those that cannot touch it, each settled with its retreats."""
    now = side_by_side(campaign, fields)
    later = tuple([field for field in fields if field not in now])
    return campaign, [("MN-7.7/round", now), *([("MN-7.7/next", later)] if later else [])]


@script("MN-7.7/round")
def next_round(campaign: Campaign, fields: tuple[str, ...]) -> tuple[Campaign, list[Item]]:
    """On each field the next two pieces meet; then all their battles are fought at once."""
    contested = [field for field in fields if len(seats_on(campaign, field)) > 1]
    items: list[Item] = [("MN-7.4", field) for field in contested]
    if contested:
        items.append(("MN-B.2", fields))
    else:
        items += [("MN-6.2", field) for field in fields if field in campaign.lands]
    return campaign, items


# Who meets whom (MN-7.2, MN-7.4, MN-7.5) ---------------------------------------------------------


@script("MN-7.4")
def pieces_meet(campaign: Campaign, field: str) -> Rule[tuple[Campaign, list[Item]]]:
    """The line, by dice where there are more than two; then the next duel, unless an exhausted army
    that is attacked leaves the field first.
    """
    if field not in campaign.fields:
        campaign = yield from _line_is_formed(campaign, field)
    here = campaign.fields[field]
    duel = next_duel(campaign, field)
    if duel is None:
        return _with_field(campaign, field, replace(here, duel=())), []
    attacker, defender = duel
    campaign = yield from war_breaks_out(campaign, attacker.owner, defender.owner)
    if isinstance(defender, Army) and not ready(campaign, defender):
        again: Item = ("MN-7.4", field)
        if defender.id not in here.steady:
            return campaign, [("MN-7.2/attacked", field, attacker.id, defender.id), again]
    return _with_field(campaign, field, replace(here, duel=(attacker.id, defender.id))), []


def _line_is_formed(campaign: Campaign, field: str) -> Rule[Campaign]:
    """Several players who want to fight roll for their places; two need no dice (MN-7.5)."""
    line = fighters(campaign, field)
    if len(line) > 2:
        line = (yield from call(line_of_battle, line)).order
        yield from tell("MN-7.5", "line", place=ends(field), seats=line)
    return _with_field(campaign, field, Field(line))


def _with_field(campaign: Campaign, field: str, here: Field) -> Campaign:
    return replace(campaign, fields={**campaign.fields, field: here})


@script("MN-7.2/attacked")
def exhausted_army_is_attacked(
    campaign: Campaign, field: str, attacker: str, army: str
) -> Rule[tuple[Campaign, list[Item]]]:
    """It is destroyed, retreats, or fights normally this time.

    On a border it has not left the province that it came from: it retreats from there (MN-4.3).
    """
    worn, foe, here = campaign.armies[army], campaign.armies[attacker], campaign.fields[field]
    at_home = field == campaign.seats[worn.owner].home
    stood = worn.came if BORDER in field else worn.place
    result = yield from call(exhausted_reaction, at_home)
    yield from tell("MN-7.2", result.reaction, seat=worn.owner, piece=army, place=stood)
    if result.reaction == "fights":
        return _with_field(campaign, field, replace(here, steady=(*here.steady, army))), []
    campaign = _with_field(campaign, field, _with_victor(campaign, field, here, foe))
    if result.reaction == "destroyed":
        after = fallen(campaign, _as_met(worn, field))
        return (yield from relieved(campaign, after, worn.place)), []
    if stood != worn.place:
        campaign = campaign.army_changed(army, place=stood, came="")
    return campaign, [("MN-7.2/retreat", army, stood, foe.came)]


# The brief (MN-B.1, MN-B.2) ----------------------------------------------------------------------


@script("MN-B.2")
def battles_are_fought(
    campaign: Campaign, fields: tuple[str, ...]
) -> Rule[tuple[Campaign, list[Item]]]:
    """One battle a field, all of them side by side; fields without one are settled.

    Where the umpire has come between, moving a piece for instance, they are looked at once more.
    """
    fought = [field for field in fields if campaign.fields.get(field, Field()).duel]
    upset = [field for field in fought if not _still_meet(campaign, field)]
    if upset:
        for field in upset:
            campaign = _with_field(campaign, field, replace(campaign.fields[field], duel=()))
        return campaign, [("MN-7.7/round", fields)]
    done = [field for field in fields if field not in fought]
    items: list[Item] = [("MN-6.2", field) for field in done if field in campaign.lands]
    if not fought:
        return campaign, items
    first = campaign.next_battle
    briefs = [brief(campaign, field, first + n) for n, field in enumerate(fought)]
    for each in briefs:
        attacker, defender = each.sides
        kind = each.facts["ground"]
        yield from tell(
            "MN-B.1", kind, place=each.place, attacker=attacker.seat, defender=defender.seat
        )
    reports = yield from battles(*briefs)
    items += [("MN-B.3", field, report) for field, report in zip(fought, reports, strict=True)]
    items.append(("MN-7.7/round", tuple(fought)))
    return replace(campaign, next_battle=first + len(fought)), items


def _still_meet(campaign: Campaign, field: str) -> bool:
    """Whether the pieces that were to fight on a field are the next to fight there even now, and
    neither has to see first whether it can (MN-7.2).
    """
    here, duel = campaign.fields[field], next_duel(campaign, field)
    if duel is None or (duel[0].id, duel[1].id) != here.duel:
        return False
    return ready(campaign, duel[1]) or duel[1].id in here.steady


def brief(campaign: Campaign, field: str, number: int) -> Brief:
    """The battle brief of a field's duel (PA-1)."""
    attacker, defender = [campaign.piece(one) for one in campaign.fields[field].duel]
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


def _as_met(army: Army, field: str) -> Army:
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
        met = _as_met(piece, field)
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


# The report (MN-B.3, MN-B.4, MN-6.7) -------------------------------------------------------------


@script("MN-B.3")
def battle_is_over(
    campaign: Campaign, field: str, report: Report
) -> Rule[tuple[Campaign, list[Item]]]:
    """Losses and spent rights; then the loser's fate, or with no winner who falls back."""
    here = campaign.fields[field]
    sides = [campaign.piece(one) for one in here.duel]
    pair = (here.duel[0], here.duel[1])
    here = replace(here, duel=(), settled=(*here.settled, pair), steady=())
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
        here = _with_victor(campaign, field, here, winner)
    campaign = _with_field(campaign, field, here)
    for one in sides:
        if isinstance(one, Army):
            campaign = yield from _losses(campaign, field, one, report)
    return campaign, [item for item in items if item[1] in {*campaign.armies, *campaign.fleets}]


def _with_victor(campaign: Campaign, field: str, here: Field, winner: Piece) -> Field:
    """A field after a piece has beaten another there, or an exhausted one has given way to it.

    Whoever is no guest there stands as an invader who has won, whenever he came (MN-6.11, MN-7.6,
    MN-7.7).
    """
    if field not in campaign.lands or isinstance(winner, Fleet) or not outsider(campaign, winner):
        return here
    return replace(here, victors=(*here.victors, winner.id))


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
        after = fallen(campaign, _as_met(left, field))
        return (yield from relieved(campaign, after, army.place))
    return campaign


def _falls_back(campaign: Campaign, field: str, one: Piece, foe: Piece) -> list[Item]:
    """No winner: who entered falls back as in MN-5.3; from a border to where he came from; at sea
    both stay.
    """
    if BORDER in field:
        return [("MN-4.3/back", one.id)]
    if isinstance(one, Army) and entered(campaign, one):
        return [("MN-5.3", one.id, field, foe.came, 1, ())]
    return []


@script("MN-4.3/back")
def back_over_the_border(campaign: Campaign, piece: str) -> Rule[tuple[Campaign, list[Item]]]:
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
        return [("MN-8.1/sunk", loser.id)]
    rule = "MN-4.3" if BORDER in field else defeat_rule(campaign, field, winner.owner, loser.owner)
    spared = {
        "MN-6.2": campaign.options.beaten_defender,
        "MN-7.7": campaign.options.contest_loser,
    }.get(rule)
    if spared == "retreats":
        return [("MN-5.3", loser.id, field, winner.came, 1, ())]
    return [("MN-6.7", loser.id, rule)]


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
def army_is_destroyed(
    campaign: Campaign, army: str, rule: str
) -> Rule[tuple[Campaign, list[Item]]]:
    """A beaten army is destroyed, with whoever goes with it."""
    gone = campaign.armies[army]
    yield from tell("MN-6.7", "destroyed", seat=gone.owner, piece=army, place=gone.place, by=rule)
    # By MN-4.3 it fell on a border, where it had no Sacred Guard yet.
    after = campaign.without_army(army) if rule == "MN-4.3" else fallen(campaign, gone)
    return (yield from relieved(campaign, after, gone.place)), []


@script("MN-8.1/sunk")
def fleet_is_sunk(campaign: Campaign, fleet: str) -> Rule[tuple[Campaign, list[Item]]]:
    """A beaten fleet is destroyed, with the army it carries."""
    gone = campaign.fleets[fleet]
    carried = campaign.cargo(fleet)
    yield from tell(
        "MN-8.1", "sunk", seat=gone.owner, piece=fleet, place=gone.place,
        cargo=carried.id if carried else "",
    )  # fmt: skip
    return campaign.without_fleet(fleet), []
