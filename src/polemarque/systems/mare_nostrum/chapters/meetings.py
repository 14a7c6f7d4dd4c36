"""Meetings (MN-4.3, MN-7, MN-8.1): whom those who meet decide to fight, and how it goes on.

Everywhere the lowest score meets the next, and the winner the one after him (`next_duel`).
"""

from __future__ import annotations

from functools import partial
from itertools import combinations

from msgspec.structs import replace

from polemarque.api import (
    Fact,
    Filling,
    Item,
    Next,
    Rule,
    SeveralOf,
    Step,
    battles,
    call,
    script,
    sheet_parts,
    tell,
    then,
)
from polemarque.systems.mare_nostrum.army_stands import fallen
from polemarque.systems.mare_nostrum.asking_seats import sheets_of
from polemarque.systems.mare_nostrum.chapters.battle import (
    as_met,
    battle_is_over,
    brief,
    with_victor,
)
from polemarque.systems.mare_nostrum.chapters.dice import exhausted_reaction, line_of_battle
from polemarque.systems.mare_nostrum.chapters.engagement_order import (
    BORDER,
    Duel,
    able,
    at_it_again,
    borders,
    ends,
    fighters,
    foes_to_choose,
    land_fields,
    next_duel,
    pieces,
    sea_fields,
    seats_on,
    side_by_side,
)
from polemarque.systems.mare_nostrum.chapters.invasion import (
    exhausted_army_retreats,
    province_is_settled,
)
from polemarque.systems.mare_nostrum.chapters.military import relieved, war_breaks_out
from polemarque.systems.mare_nostrum.lookups import age
from polemarque.systems.mare_nostrum.pieces import HOLD, Army, Wishes
from polemarque.systems.mare_nostrum.setup.options import AHEAD
from polemarque.systems.mare_nostrum.state import Campaign


@script("MN-4.3")
def border_fights(campaign: Campaign) -> Next[Campaign]:
    """Enemies that have exchanged places meet on the border first."""
    fields = borders(campaign)
    return campaign, [then(they_decide, fields), then(next_round, fields)] if fields else []


@script("MN-8.1")
def sea_fights(campaign: Campaign) -> Next[Campaign]:
    """Fleets of different players in one zone, if either wants to; no zone touches another."""
    fields = sea_fields(campaign)
    return campaign, [then(they_decide, fields), then(next_round, fields)] if fields else []


@script("MN-7.7")
def land_fights(campaign: Campaign) -> Next[Campaign]:
    """Provinces, in the map's order."""
    fields = land_fields(campaign)
    return campaign, [then(they_decide, fields), then(next_provinces, fields)] if fields else []


@script("MN-7.7/next")
def next_provinces(campaign: Campaign, fields: tuple[str, ...]) -> Next[Campaign]:
    """The first province and those that cannot touch it, each settled with its retreats."""
    now = side_by_side(campaign, fields)
    later = tuple([field for field in fields if field not in now])
    return campaign, [then(next_round, now), *([then(next_provinces, later)] if later else [])]


@script("MN-7.5/meeting", edition="2026-11.2")
def they_decide(campaign: Campaign, fields: tuple[str, ...]) -> Step[Campaign]:
    """Each says whom he fights of those he meets, place by place, sealed until all have said it;
    nobody is asked who has no choice.  Under `orders_ahead` the orders have said it (MN-2.7).
    """
    choices = {seat: _choices(campaign, fields, seat) for seat in campaign.in_play()}
    if campaign.options.orders_ahead == AHEAD:
        said = {seat: _as_ordered(campaign, fields, seat) for seat in choices}
    else:
        said = yield from _asked(campaign, {seat: own for seat, own in choices.items() if own})
    for field in fields:
        wishes = {seat: foes[field] for seat, foes in said.items() if foes.get(field)}
        campaign = campaign.field_changed(field, wishes=wishes)
        met = {one for seat, own in choices.items() if field in own for one in (seat, *own[field])}
        yield from _told(campaign, field, [seat for seat in choices if seat in met])
    return campaign, []


def _choices(campaign: Campaign, fields: tuple[str, ...], seat: str) -> Wishes:
    """By field, those whom a seat is free to fight there; fields without any are left out."""
    found = {field: foes_to_choose(campaign, field, seat) for field in fields}
    return {field: foes for field, foes in found.items() if foes}


def _asked(campaign: Campaign, choices: dict[str, Wishes]) -> Rule[dict[str, Wishes]]:
    """What each says of those whom he may fight, by seat and field."""

    def part(field: str, seat: str) -> str:
        mine = pieces(campaign, field, seat)
        return f"border.{mine[0].id}" if BORDER in field else f"fight.{field}"

    @sheet_parts
    def sheet(_: Campaign, seat: str) -> Filling:
        for field, foes in choices[seat].items():
            told = partial(_force, campaign, field)
            yield part(field, seat), SeveralOf(foes, label="seat", fact=told)

    sheets = yield from sheets_of(campaign, choices, sheet)
    return {
        seat: {field: sheets[seat][part(field, seat)] for field in own}
        for seat, own in choices.items()
    }


def _force(campaign: Campaign, field: str, seat: str) -> Fact:
    """Beside an enemy: its pieces there, and their stands."""
    there = sorted(pieces(campaign, field, seat), key=lambda piece: age(piece.id))
    stands = sum([piece.strength for piece in there if isinstance(piece, Army)])
    return Fact("force", {"pieces": [piece.id for piece in there], "stands": stands})


def _as_ordered(campaign: Campaign, fields: tuple[str, ...], seat: str) -> Wishes:
    """By field, those there whom a seat's orders say to fight: on a border, as for the place that
    its piece goes to.
    """
    ordered = campaign.orders.get(seat, HOLD).fights
    found = {}
    for field in fields:
        goals = {piece.place for piece in pieces(campaign, field, seat)}
        foes = {foe for goal in goals for foe in ordered.get(goal, ())}
        found[field] = tuple([foe for foe in seats_on(campaign, field) if foe in foes])
    return found


def _told(campaign: Campaign, field: str, met: list[str]) -> Rule[None]:
    """Tell what was decided by those who met with a choice, and who has none left (MN-7.7)."""
    wishes = campaign.at_field(field).wishes
    for seat, foes in wishes.items():
        yield from tell("MN-7.5", "wants", seat=seat, others=foes, place=ends(field))
    if met and not wishes:
        yield from tell("MN-7.5", "peace", seats=met, place=ends(field))
    for one, other in combinations(fighters(campaign, field), 2):
        if at_it_again(campaign, field, one, other):
            yield from tell("MN-7.7", "again", seat=one, other=other, place=field)


@script("MN-7.7/round")
def next_round(campaign: Campaign, fields: tuple[str, ...]) -> Next[Campaign]:
    """On each field the next two pieces meet; then all their battles are fought at once."""
    contested = [field for field in fields if len(seats_on(campaign, field)) > 1]
    return campaign, [*[then(pieces_meet, f) for f in contested], then(battles_are_fought, fields)]


@script("MN-7.4")
def pieces_meet(campaign: Campaign, field: str) -> Step[Campaign]:
    """The line, by dice where there are more than two; then its next two are at war, and an
    exhausted army that is attacked may leave the field first.
    """
    if campaign.at_field(field).line is None:
        campaign = yield from _line_is_formed(campaign, field)
    duel = next_duel(campaign, field)
    if duel is None:
        return campaign, []
    attacker, defender = duel
    campaign = yield from war_breaks_out(campaign, attacker.owner, defender.owner)
    if able(campaign, field, defender):
        return campaign, []
    shown = then(exhausted_army_is_attacked, field, attacker.id, defender.id)
    return campaign, [shown, then(pieces_meet, field)]


def _line_is_formed(campaign: Campaign, field: str) -> Rule[Campaign]:
    """Several players who want to fight roll for their places; two need no dice (MN-7.5)."""
    line = fighters(campaign, field)
    if len(line) > 2:
        line = (yield from call(line_of_battle, line)).order
        yield from tell("MN-7.5", "line", place=ends(field), seats=line)
    return campaign.field_changed(field, line=line)


@script("MN-7.2/attacked")
def exhausted_army_is_attacked(
    campaign: Campaign, field: str, attacker: str, army: str
) -> Step[Campaign]:
    """It is destroyed, retreats, or fights normally this time.

    On a border it has not left the province that it came from: it retreats from there (MN-4.3).
    """
    worn, foe = campaign.armies[army], campaign.armies[attacker]
    at_home = field == campaign.seats[worn.owner].home
    stood = worn.came if BORDER in field else worn.place
    result = yield from call(exhausted_reaction, at_home)
    yield from tell("MN-7.2", result.reaction, seat=worn.owner, piece=army, place=stood)
    if result.reaction == "fights":
        steady = (*campaign.at_field(field).steady, army)
        return campaign.field_changed(field, steady=steady), []
    campaign = with_victor(campaign, field, foe)
    if result.reaction == "destroyed":
        after = fallen(campaign, as_met(worn, field))
        return (yield from relieved(campaign, after, worn.place)), []
    if stood != worn.place:
        campaign = campaign.army_changed(army, place=stood, came="")
    return campaign, [then(exhausted_army_retreats, army, stood, foe.came)]


@script("MN-B.2")
def battles_are_fought(campaign: Campaign, fields: tuple[str, ...]) -> Step[Campaign]:
    """One battle a field, all of them side by side; fields without one are settled.

    Where the umpire has come between, moving a piece for instance, they are looked at once more.
    """
    duels = {field: duel for field in fields if (duel := next_duel(campaign, field))}
    if not all([_have_met(campaign, field, duel) for field, duel in duels.items()]):
        return campaign, [then(next_round, fields)]
    items: list[Item] = [
        then(province_is_settled, field)
        for field in fields
        if field in campaign.lands and field not in duels
    ]
    if not duels:
        return campaign, items
    first = campaign.next_battle
    briefs = [brief(campaign, field, duels[field], first + n) for n, field in enumerate(duels)]
    for each in briefs:
        attacker, defender = each.sides
        kind = each.facts["ground"]
        yield from tell(
            "MN-B.1", kind, place=each.place, attacker=attacker.seat, defender=defender.seat
        )
    reports = yield from battles(*briefs)
    for (field, (one, other)), report in zip(duels.items(), reports, strict=True):
        items.append(then(battle_is_over, field, one.id, other.id, report))
    items.append(then(next_round, tuple(duels)))
    return replace(campaign, next_battle=first + len(duels)), items


def _have_met(campaign: Campaign, field: str, duel: Duel) -> bool:
    """Whether two pieces have met already: there is war between them, and both can fight."""
    attacker, defender = duel
    at_war = campaign.at_war(attacker.owner, defender.owner)
    return at_war and able(campaign, field, defender)
