"""The sheet of movement orders (MN-2.7): its parts, what they offer, and the orders that it makes.

One sheet a seat and turn.  The first word of every part is what holds for who says nothing: stay,
defend, take what is won.  Parts stand for a piece (``move.A1``), a place (``line.latium``) or
the seat (``guard``).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from polemarque.api import Call, ChanceOf, Fact, Filling, OneOf, Options, Reasoned, SeveralOf, Sheet
from polemarque.systems.mare_nostrum.chapters.dice import (
    blockade,
    counted_turns,
    interception,
    invasion,
    resistance,
    surrender,
)
from polemarque.systems.mare_nostrum.lookups import age
from polemarque.systems.mare_nostrum.pieces import STAY, Army, Orders, Specialist
from polemarque.systems.mare_nostrum.reach import (
    army_refusal,
    army_ways,
    blockadable,
    dues,
    fleet_refusal,
    fleet_ways,
    invades,
    may_come,
    may_fight,
    spent,
    total_of,
    where_is,
)
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import WAR_GOD

RANKS = ("line", "line2", "line3", "line4")
"""Parts of the sheet that say who fights first, second…"""

Moves = dict[str, str]
"""Piece -> where it is ordered to go; those that stay are left out."""

Part = Generator[tuple[str, Options], Any, Any]

WishParts = Callable[[Campaign, str, Moves], Part]
"""Parts by which a seat orders whom it fights, before anybody meets."""


def has_orders(campaign: Campaign, seat: str) -> bool:
    """Whether a seat has anything to order: an army, a fleet."""
    return bool(campaign.armies_of(seat) or campaign.fleets_of(seat))


def order_sheet(
    campaign: Campaign, seat: str, resolvers: tuple[str, ...], wishes: WishParts | None = None
) -> Sheet:
    """A seat's sheet of movement orders.

    resolvers: ways of fighting battles, the campaign's own first (PA-2).
    wishes:    parts that order whom to fight, and with them what is done with what is won; None
               where that is decided as it happens (MN-7.5).
    """

    def fill() -> Filling:
        joins = yield from _specialists(campaign, seat)
        moves = yield from _armies(campaign, seat, joins)
        yield from _fleets(campaign, seat, moves)
        for army in campaign.armies_of(seat):
            attacks = yield from _duty(campaign, army, moves, joins)
            if wishes is not None and attacks:
                yield from _aim(campaign, army, moves, joins)
        yield from _chases(campaign, moves)
        yield from _lines(campaign, seat, moves)
        if wishes is not None:
            yield from wishes(campaign, seat, moves)
        yield from _standing_wishes(campaign, seat, moves, resolvers)

    remarks, where = partial(_remarks, campaign, seat), partial(where_is, campaign)
    return Sheet(fill, remarks=remarks, proposes=True, where=where)


def _remarks(campaign: Campaign, seat: str, sheet: Mapping[str, Any]) -> Iterator[Fact]:
    """Pieces without an order that could move; wars that begin; what cannot be besieged; what
    maintenance these orders change."""
    orders = orders_of(campaign, sheet)
    moves, busy = orders.moves, {*orders.attacks, *orders.plunders, *orders.cuts, *orders.blockades}
    idle = [army.id for army in campaign.armies_of(seat) if army_ways(campaign, army)]
    idle += [fleet.id for fleet in campaign.fleets_of(seat) if fleet_ways(campaign, fleet)]
    idle = [piece for piece in idle if piece not in moves and piece not in busy]
    idle.sort(key=lambda piece: (where_is(campaign, f".{piece}"), age(piece)))  # place by place
    if idle:
        yield Fact("idle", {"pieces": idle})
    goals: dict[str, list[str]] = {}
    for army in campaign.armies_of(seat):
        goal = moves.get(army.id, "")
        if goal in campaign.lands and campaign.owner(goal) and invades(campaign, seat, goal):
            goals.setdefault(goal, []).append(army.id)
    owners = {campaign.owner(place) or "" for place in goals}
    peaceful = [other for other in campaign.others(seat) if other in owners]
    peaceful = [other for other in peaceful if not campaign.at_war(seat, other)]
    if peaceful:
        yield Fact("war", {"seats": peaceful})
    joins = {one.id: orders.joins.get(one.id, one.joins) for one in campaign.specialists_of(seat)}
    for place, armies in goals.items():
        able = [one for one in armies if _besieges(campaign, campaign.armies[one], place, joins)]
        if campaign.lands[place].fortress and not able:
            yield Fact("only_pillage", {"place": place, "pieces": armies})
    yield from _upkeep_told(campaign, seat, moves)


def _upkeep_told(campaign: Campaign, seat: str, moves: Mapping[str, str]) -> Iterator[Fact]:
    """What a seat's pieces cost where they are ordered to go, if it is not what they cost now
    (MN-F4).  Sieges that begin this turn are not known yet.
    """
    gone = campaign
    for piece, goal in moves.items():
        changed = gone.army_changed if piece in gone.armies else gone.fleet_changed
        gone = changed(piece, place=goal)
    money, now = [total_of(dues(one, seat)) for one in (gone, campaign)]
    if money != now:
        yield Fact("upkeep_there", {"money": money, "now": now})


# Specialists (MN-2.9) ----------------------------------------------------------------------------


def _specialists(campaign: Campaign, seat: str) -> Part:
    """Who joins which army and who leaves his; one of each kind an army.  Gives who is where."""
    own = campaign.specialists_of(seat)
    joins = {one.id: one.joins for one in own}
    for one in own:
        if one.kind == "diplomat":
            continue
        words = _companies(campaign, one, joins)
        if len(words) > 1:
            said = yield f"join.{one.id}", OneOf(words, "order")
            if said != STAY:
                joins[one.id] = "" if said == "leave" else said
    return joins


def _companies(campaign: Campaign, one: Specialist, joins: Mapping[str, str]) -> tuple[str, ...]:
    """What a specialist can be told: to stay, to leave his army at home, or to join one."""
    army = campaign.armies.get(one.joins)
    if army is not None:
        home = campaign.seats[one.owner].home
        return (STAY, "leave") if army.place == home else (STAY,)
    if one.joins:
        return (STAY,)
    taken = [
        joins[other.id] for other in campaign.specialists_of(one.owner) if other.kind == one.kind
    ]
    there = campaign.armies_at(one.place, one.owner)
    return (STAY, *[army.id for army in there if army.id not in taken])


# Moves (MN-4) ------------------------------------------------------------------------------------


def _armies(campaign: Campaign, seat: str, joins: Mapping[str, str]) -> Part:
    """Where each army goes; a fleet takes one aboard.  Gives the moves."""
    moves: Moves = {}
    for army in campaign.armies_of(seat):
        full = [goal for goal in moves.values() if goal in campaign.fleets]
        words = (STAY, *[way for way in army_ways(campaign, army) if way not in full])
        why, told = partial(army_refusal, campaign, army), march_told(campaign, army, joins)
        said = yield f"move.{army.id}", Reasoned(words, "order", why=why, fact=told)
        if said != STAY:
            moves[army.id] = said
    return moves


def _fleets(campaign: Campaign, seat: str, moves: Moves) -> Part:
    """Where each fleet goes, and which port it blockades from there (MN-8.3)."""
    for fleet in campaign.fleets_of(seat):
        words = (STAY, *fleet_ways(campaign, fleet))
        why = partial(fleet_refusal, campaign, fleet)
        said = yield f"move.{fleet.id}", Reasoned(words, "order", why=why)
        if said != STAY:
            moves[fleet.id] = said
        ports = blockadable(campaign, seat, moves.get(fleet.id, fleet.place))
        if ports:
            yield f"blockade.{fleet.id}", OneOf(("none", *ports), "order", fact=blockade_told)


# What armies are to do where they go (MN-5, MN-6) ------------------------------------------------


def _duty(campaign: Campaign, army: Army, moves: Moves, joins: Mapping[str, str]) -> Part:
    """What an army does in garrison where it stays.  Gives whether it invades where it will be."""
    there = moves.get(army.id, army.place)
    if there not in campaign.lands or campaign.owner(there) == army.owner:
        return False
    if army.id in moves:
        return invades(campaign, army.owner, there)
    duties = garrison_duties(campaign, army, joins)
    if len(duties) == 1:
        return False
    told = garrison_told(campaign, army, joins)
    return (yield f"garrison.{army.id}", OneOf(duties, "order", fact=told)) == "attack"


def _aim(campaign: Campaign, army: Army, moves: Moves, joins: Mapping[str, str]) -> Part:
    """Control or siege, or pillage, if it wins where it invades (MN-5.2, MN-6.3)."""
    if _may_choose(campaign, army, moves.get(army.id, army.place), joins):
        yield f"aim.{army.id}", OneOf(("take", "pillage"), "order")


def garrison_duties(campaign: Campaign, army: Army, joins: Mapping[str, str]) -> tuple[str, ...]:
    """What an army may do that stays where it stands (MN-5.4, MN-6.10).

    It attacks only what it could take or besiege: an army that pillaged before a fortress and
    stayed is in garrison (MN-6.3).
    """
    place, seat = army.place, army.owner
    owner = campaign.owner(place)
    if owner == seat or campaign.besieging(army):
        return ("hold",)
    if owner is not None and not may_fight(campaign, seat, owner):
        return ("hold",)
    siege = campaign.lands[place].siege
    could = siege is None or campaign.enemies(seat, siege.by)
    if owner is not None and campaign.lands[place].fortress:
        could = could and _engineer(campaign, army, joins)
    duties = ("hold", "attack") if could and not spent(campaign, army) else ("hold",)
    cuts = owner is not None or _foreign_routes(campaign, seat, place)
    return (*duties, "plunder", "cut", "both") if cuts else (*duties, "plunder")


def _foreign_routes(campaign: Campaign, seat: str, place: str) -> bool:
    """Whether a player whom a seat may fight has a trade route from a province."""
    return any(
        route.origin == place and route.owner != seat and may_fight(campaign, seat, route.owner)
        for route in campaign.routes.values()
    )


def _may_choose(campaign: Campaign, army: Army, place: str, joins: Mapping[str, str]) -> bool:
    """Whether a victor would have a choice: an independent province, or one he could besiege."""
    if campaign.owner(place) is None:
        return True
    return campaign.lands[place].fortress and _engineer(campaign, army, joins)


def _engineer(campaign: Campaign, army: Army, joins: Mapping[str, str]) -> bool:
    return any(
        joins.get(one.id) == army.id
        for one in campaign.specialists_of(army.owner)
        if one.kind == "engineer"
    )


def _besieges(campaign: Campaign, army: Army, place: str, joins: Mapping[str, str]) -> bool:
    """Whether an army has an engineer, or another of its owner's already besieges (MN-6.3)."""
    siege = campaign.lands[place].siege
    ours = siege is not None and siege.by == army.owner
    return ours or _engineer(campaign, army, joins)


def _chases(campaign: Campaign, moves: Moves) -> Part:
    """Whether it tries to intercept the brigands or pirates that it finds (MN-9.1)."""
    for piece, place in moves.items():
        bands = [band for band in campaign.bands.values() if band.place == place]
        if bands and place not in campaign.fleets:
            told = chase_told(campaign, campaign.piece(piece).owner, place)
            yield f"chase.{piece}", OneOf(("no", "yes"), "order", fact=told)


# Wishes of the seat (MN-7.4, MN-7.5, MN-2.2) -----------------------------------------------------


def _lines(campaign: Campaign, seat: str, moves: Moves) -> Part:
    """Where several of his pieces come together, which fights first (MN-7.4); beyond the fourth,
    the oldest do.
    """
    together: dict[str, list[str]] = {}
    for piece in campaign.pieces_of(seat):
        place = moves.get(piece.id, piece.place)
        if place not in campaign.fleets:
            together.setdefault(place, []).append(piece.id)
    for place, pieces in together.items():
        for part in RANKS[: len(pieces) - 1]:
            first = yield f"{part}.{place}", OneOf(tuple(pieces), "piece")
            pieces.remove(first)


def conditions(campaign: Campaign, seat: str, moves: Moves) -> Part:
    """Whom he fights where his pieces will be, of those who may be there as well (MN-7.5)."""
    goals = [moves.get(piece.id, piece.place) for piece in campaign.pieces_of(seat)]
    for place in dict.fromkeys(goals):
        foes = [
            other
            for other in campaign.others(seat)
            if may_fight(campaign, seat, other) and may_come(campaign, other, place)
        ]
        if foes:
            yield f"meet.{place}", SeveralOf(tuple(foes), label="seat")


def _standing_wishes(
    campaign: Campaign, seat: str, moves: Moves, resolvers: tuple[str, ...]
) -> Part:
    """Who has the Sacred Guard, how battles are fought."""
    guards = _guards(campaign, seat, moves)
    if len(guards) > 1:
        yield "guard", OneOf(guards, "piece")
    if len(resolvers) > 1 and campaign.others(seat):
        yield "resolver", OneOf(resolvers, "resolver")


def _guards(campaign: Campaign, seat: str, moves: Moves) -> tuple[str, ...]:
    """Armies one of which has the Sacred Guard at home, the present one first (MN-2.2)."""
    if campaign.options.sacred_guard != "home":
        return ()
    holder = campaign.seats[seat]
    there = [
        army.id
        for army in campaign.armies_of(seat)
        if moves.get(army.id, army.place) == holder.home
    ]
    return tuple(sorted(there, key=lambda army: army != holder.guard))


# From the sheet to the orders --------------------------------------------------------------------


def orders_of(campaign: Campaign, sheet: Mapping[str, Any]) -> Orders:
    """The orders that a filled sheet gives."""
    named: dict[str, dict[str, Any]] = {}
    for part, said in sheet.items():
        kind, _, piece = part.partition(".")
        named.setdefault(kind, {})[piece] = said
    duties = named.get("garrison", {})
    return Orders(
        moves={piece: said for piece, said in named.get("move", {}).items() if said != STAY},
        pillages=_those(named.get("aim", {}), "pillage"),
        attacks=_where_they_stand(campaign, duties, "attack"),
        plunders=_where_they_stand(campaign, duties, "plunder", "both"),
        cuts=_where_they_stand(campaign, duties, "cut", "both"),
        fights={
            place: foes
            for part in ("meet", "fights")
            for place, foes in named.get(part, {}).items()
            if foes
        },
        lines=_ranked([named.get(part, {}) for part in RANKS]),
        chases=_those(named.get("chase", {}), "yes"),
        blockades={
            fleet: port for fleet, port in named.get("blockade", {}).items() if port != "none"
        },
        joins={
            one: "" if said == "leave" else said
            for one, said in named.get("join", {}).items()
            if said != STAY
        },
        guard=sheet.get("guard", ""),
        resolver=sheet.get("resolver", ""),
    )


def _those(answers: Mapping[str, Any], *words: str) -> tuple[str, ...]:
    return tuple([piece for piece, said in answers.items() if said in words])


def _where_they_stand(campaign: Campaign, duties: Mapping[str, Any], *words: str) -> dict[str, str]:
    """Army -> its province, for those in garrison that were told one of these words."""
    return {army: campaign.armies[army].place for army in _those(duties, *words)}


def _ranked(answers: Sequence[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    """Place -> his pieces there, first to fight first, as far as he said."""
    return {
        place: tuple([rank[place] for rank in answers if place in rank]) for place in answers[0]
    }


# What an order may come to ------------------------------------------------------------------------


Told = Callable[[str], Fact | None]


def march_told(campaign: Campaign, army: Army, joins: Mapping[str, str]) -> Told:
    """Beside each goal of an army: its invasion of an independent province; of a player's, what
    defends it; where it stays, the fall of the city that it besieges.

    joins: who is ordered to go with which army.
    """

    def told(goal: str) -> Fact | None:
        if goal == STAY:
            return _siege_told(campaign, army)
        if goal not in campaign.lands or not invades(campaign, army.owner, goal):
            return None
        settled = _invasion_told(campaign, army, joins, goal)
        return settled or _defence_told(campaign, goal, _besieges(campaign, army, goal, joins))

    return told


def _defence_told(campaign: Campaign, place: str, besieges: bool) -> Fact:
    """What of its owner's defends a province as all see it; sealed orders may change it (MN-6.1).

    besieges: whether the invader could besiege it, not only pillage (MN-6.3).

    Who wins is settled by another system, or on a table: no chance is told.
    """
    owner = campaign.owner(place) or ""
    armies = campaign.armies_at(place, owner)
    return Fact(
        "defended",
        {
            "fortress": campaign.lands[place].fortress,
            "besieges": besieges,
            "pieces": [army.id for army in armies],
            "stands": sum([army.strength for army in armies]),
        },
    )  # fmt: skip


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
    war_priest = any([one.kind == "priest" and one.god == WAR_GOD for one in with_it])
    demographic, fortress = campaign.demographic(place), land.fortress
    figures = demographic, fortress, engineer, war_priest
    success = ChanceOf(Call(invasion.rule, figures), lambda fate: bool(fate.success))
    helped = resistance(demographic, fortress=fortress, engineer=engineer, war_priest=war_priest)
    alone = resistance(demographic, fortress=fortress, engineer=False, war_priest=False)
    lessened = {"resistance": helped.total} if helped != alone else {}
    return Fact("invasion", {"success": success, "resistance": 0, **lessened})


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
