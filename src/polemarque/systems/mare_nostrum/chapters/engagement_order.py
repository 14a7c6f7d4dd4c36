"""Who meets whom, and in which order (MN-4.3, MN-7.4, MN-7.5, MN-7.7, MN-8.1): nothing is rolled.

A *field* is a place where pieces of several seats meet: a province (armies), a sea zone (fleets),
or a border "a|b" of two places that enemies have exchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from polemarque.systems.mare_nostrum.lookups import age
from polemarque.systems.mare_nostrum.pieces import HOLD, Army, Fleet, Piece
from polemarque.systems.mare_nostrum.reach import invades, may_fight, tired
from polemarque.systems.mare_nostrum.state import Campaign

BORDER = "|"


def ends(field: str) -> list[str]:
    """The place of a field, or the two places of a border."""
    return field.split(BORDER)


def borders(campaign: Campaign) -> tuple[str, ...]:
    """Borders that pieces of enemies have crossed both ways (MN-4.3)."""
    crossed: dict[tuple[str, str], set[str]] = {}
    for seat in campaign.in_play():
        for piece in campaign.pieces_of(seat):
            if piece.came:
                crossed.setdefault((piece.came, piece.place), set()).add(seat)
    found = []
    for (start, end), owners in crossed.items():
        back = crossed.get((end, start), set())
        if start < end and len(owners | back) > 1 and back:
            found.append(f"{start}{BORDER}{end}")
    return tuple(found)


def sea_fields(campaign: Campaign) -> tuple[str, ...]:
    """Zones with fleets of several seats, in the map's order."""
    owners: dict[str, set[str]] = {}
    for fleet in campaign.fleets.values():
        owners.setdefault(fleet.place, set()).add(fleet.owner)
    return tuple([z for z in campaign.atlas.zone_by_id if len(owners.get(z, ())) > 1])


def land_fields(campaign: Campaign) -> tuple[str, ...]:
    """Provinces with something to settle, in the map's order: an invasion, or several seats."""
    owners: dict[str, set[str]] = {}
    invaded = set()
    for army in campaign.armies.values():
        if army.place in campaign.lands:
            owners.setdefault(army.place, set()).add(army.owner)
            if intrudes(campaign, army):
                invaded.add(army.place)
    places = {place for place, seats in owners.items() if len(seats) > 1} | invaded
    return tuple([place for place in campaign.atlas.by_id if place in places])


def intrudes(campaign: Campaign, army: Army) -> bool:
    """Whether an army invades the province where it is (MN-4.4): by entering it without leave, by
    order, or by having won a fight there (MN-7.7).
    """
    if army.place not in campaign.lands:
        return False
    if army.id in campaign.at_field(army.place).victors:
        return True
    if army.came:
        return not army.by_leave and invades(campaign, army.owner, army.place)
    return attacks(campaign, army)


def attacks(campaign: Campaign, army: Army) -> bool:
    """Whether an army is ordered to attack the province where it stands (MN-5.4)."""
    return campaign.orders.get(army.owner, HOLD).attacks.get(army.id) == army.place


def outsider(campaign: Campaign, army: Army) -> bool:
    """Whether an army stands in a province without leave: its owner has none now, nor had any as
    this turn's armies moved, and is neither the province's owner nor his partner.
    """
    if army.place not in campaign.lands:  # the umpire has put it aboard since
        return False
    owner = campaign.owner(army.place)
    if army.by_leave or (owner is not None and campaign.partners(owner, army.owner)):
        return False
    return not campaign.passage(army.place if owner is None else owner, army.owner)


def side_by_side(campaign: Campaign, fields: Iterable[str]) -> tuple[str, ...]:
    """The first of these provinces, and those after it that can be settled at the same time:
    none with a common neighbour, nor with one that would have to wait (design, "Battles").
    """
    chosen: list[str] = []
    near: set[str] = set()
    for place in fields:
        around = campaign.atlas.surroundings[place]
        if not near & around:
            chosen.append(place)
        near |= around
    return tuple(chosen)


def _present(campaign: Campaign, field: str) -> Sequence[Piece]:
    """Everybody's pieces on a field."""
    if BORDER in field:
        every: tuple[Piece, ...] = (*campaign.armies.values(), *campaign.fleets.values())
        return [piece for piece in every if sorted((piece.came, piece.place)) == ends(field)]
    if field in campaign.lands:
        return campaign.armies_at(field)
    return campaign.fleets_at(field)


def pieces(campaign: Campaign, field: str, seat: str) -> tuple[Piece, ...]:
    """A seat's pieces on a field, first to fight first: as he ordered, else the oldest (MN-7.4)."""
    there = tuple([piece for piece in _present(campaign, field) if piece.owner == seat])
    if len(there) < 2:
        return there
    lines = campaign.orders.get(seat, HOLD).lines
    rank = {piece: at for place in ends(field) for at, piece in enumerate(lines.get(place, ()))}
    last = len(rank)
    return tuple(sorted(there, key=lambda piece: (rank.get(piece.id, last), age(piece.id))))


def seats_on(campaign: Campaign, field: str) -> tuple[str, ...]:
    """The seats with a piece on a field, in seat order."""
    owners = {piece.owner for piece in _present(campaign, field)}
    return tuple([seat for seat in campaign.in_play() if seat in owners])


def ready(campaign: Campaign, piece: Piece) -> bool:
    """Whether a piece can start a fight (MN-7.1); fleets are never exhausted (MN-8.4)."""
    return isinstance(piece, Fleet) or not tired(campaign, piece)


Duel = tuple[Piece, Piece]
"""Two pieces that fight, attacker first."""


def next_duel(campaign: Campaign, field: str) -> Duel | None:
    """The next two pieces to fight; None once all have met (MN-7.7).

    The lowest score meets the next, and the winner meets the one after him (MN-7.5).
    """
    line = campaign.at_field(field).line or ()
    for at, seat in enumerate(line):
        for winner in line[:at]:
            if duel := _duel(campaign, field, winner, seat):
                return duel
    return None


def fighters(campaign: Campaign, field: str) -> tuple[str, ...]:
    """The seats that have somebody to fight on a field, in seat order."""
    seats = seats_on(campaign, field)
    return tuple([a for a in seats if any([_duel(campaign, field, a, b) for b in seats if a != b])])


def foes_to_choose(campaign: Campaign, field: str, seat: str) -> tuple[str, ...]:
    """Those whom a seat meets and is free to fight or to spare (MN-7.5): a treaty forbids it
    nothing, no rule makes it fight, and it has a piece there that can start it (MN-7.1).
    """
    return tuple(
        other
        for other in seats_on(campaign, field)
        if other != seat
        and may_fight(campaign, seat, other)
        and not bound_to_fight(campaign, field, seat, other)
        and any([ready(campaign, mine) for mine, _ in _opposed(campaign, field, seat, other)])
    )


def starters(campaign: Campaign, field: str, one: str, other: str) -> tuple[str, ...]:
    """Which of two seats would start a fight: both where they must, else who has decided to."""
    if bound_to_fight(campaign, field, one, other):
        return (one, other)
    if not may_fight(campaign, one, other):
        return ()
    wishes = campaign.at_field(field).wishes
    return tuple([a for a, b in ((one, other), (other, one)) if b in wishes.get(a, ())])


def bound_to_fight(campaign: Campaign, field: str, one: str, other: str) -> bool:
    """Whether two seats fight on a field whatever they wish (MN-6.11, MN-7.7)."""
    return (
        must_fight(campaign, field, one, other)
        or must_fight(campaign, field, other, one)
        or at_it_again(campaign, field, one, other)
    )


def must_fight(campaign: Campaign, field: str, keeper: str, intruder: str) -> bool:
    """Whether `keeper` and `intruder` fight in a province whatever they wish: its owner and an
    invader (MN-7.7); the owner's ally who enters and a besieger (MN-6.11).
    """
    land = campaign.lands.get(field)
    if land is None or land.owner is None:
        return False
    if land.owner == keeper:
        there = campaign.armies_at(field, intruder)
        return any([attacks(campaign, army) or outsider(campaign, army) for army in there])
    friends = campaign.partners(keeper, intruder)
    relief = any([army.came for army in campaign.armies_at(field, keeper)])
    besieger = land.siege is not None and land.siege.by == intruder
    return relief and besieger and not friends and campaign.allies(keeper, land.owner)


def at_it_again(campaign: Campaign, field: str, one: str, other: str) -> bool:
    """Whether armies of two seats that left a province to nobody a turn ago meet again, and one of
    them invades: they settle it now, or have parted before (MN-7.7).
    """
    if not campaign.standoffs or campaign.partners(one, other):
        return False
    return any(
        campaign.standoffs.get(standoff(mine, theirs)) == campaign.turn - 1
        for mine in campaign.armies_at(field, one)
        for theirs in campaign.armies_at(field, other)
        if intrudes(campaign, mine) or intrudes(campaign, theirs)
    )


def standoff(one: Army, other: Army) -> str:
    """What a meeting of two armies without an outcome is noted under."""
    return BORDER.join(sorted((one.id, other.id)))


def able(campaign: Campaign, field: str, piece: Piece) -> bool:
    """Whether a piece can fight: it is fresh, or has found the strength this time (MN-7.2)."""
    return ready(campaign, piece) or piece.id in campaign.at_field(field).steady


def _duel(campaign: Campaign, field: str, one: str, other: str) -> Duel | None:
    """The pieces with which two seats fight next; None if they do not."""
    starting = starters(campaign, field, one, other)
    for duel in _opposed(campaign, field, one, other) if starting else ():
        if any([piece.owner in starting and ready(campaign, piece) for piece in duel]):
            return _attacker_first(campaign, field, *duel)
    return None


def _opposed(campaign: Campaign, field: str, one: str, other: str) -> list[Duel]:
    """Pieces of two seats that can still meet on a field: they have not yet, nor, on a border, do
    they go the same way.
    """
    settled = campaign.at_field(field).settled
    return [
        (mine, theirs)
        for mine in pieces(campaign, field, one)
        for theirs in pieces(campaign, field, other)
        if (mine.id, theirs.id) not in settled and (theirs.id, mine.id) not in settled
        if not (BORDER in field and mine.place == theirs.place)
    ]


def _attacker_first(
    campaign: Campaign, field: str, one: Piece, other: Piece
) -> tuple[Piece, Piece]:
    """Who attacks: never an exhausted army; not the owner, unless he relieves a siege; else one
    that has entered; else the first in line.
    """
    if not ready(campaign, one) or not ready(campaign, other):
        return (one, other) if ready(campaign, one) else (other, one)
    land = campaign.lands.get(field)
    if land is not None and land.siege is not None and land.siege.by in (one.owner, other.owner):
        return (other, one) if one.owner == land.siege.by else (one, other)
    if land is not None and land.owner in (one.owner, other.owner):
        return (other, one) if one.owner == land.owner else (one, other)
    return (other, one) if other.came and not one.came else (one, other)


def entered(campaign: Campaign, piece: Piece) -> bool:
    """Whether a side counts as having entered (MN-B.3): by moving, by order to attack, or as a
    besieger.
    """
    if isinstance(piece, Fleet):
        return bool(piece.came)
    return bool(piece.came) or campaign.besieging(piece) or attacks(campaign, piece)
