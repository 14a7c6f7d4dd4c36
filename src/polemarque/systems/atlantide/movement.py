"""Movement (AT-7): where an army may go, must go, and who fights whom at the end of the phase."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from polemarque.api import NotAllowed
from polemarque.systems.atlantide.agreements import PEACEFUL, granted, stand_together
from polemarque.systems.atlantide.state import War

CROWD = 2
"""Armies that a territory can hold, in passing too (AT-7.5)."""

Way = tuple[str, ...]
"""The territories an army enters, in order."""


class Moves(msgspec.Struct, frozen=True):
    """What an army may do at its turn to move.

    ways: reachable territories, each with one shortest way; nearer ones first, in the map's order.
    stay: whether it may stay.
    duty: whether it must go, so that with no way it is destroyed (AT-7.6, AT-8.8).
    """

    ways: dict[str, Way]
    stay: bool = True
    duty: bool = False

    @property
    def doomed(self) -> bool:
        """Whether a duty to go finds nothing legal."""
        return self.duty and not self.ways


NO_MOVES = Moves({})
"""An army that stays where it is."""


def moves(war: War, seat: str) -> Moves:
    """What a seat's army may do at its turn to move (AT-7.3 to AT-7.7).

    A duty to go is stopped neither by a refusal to move nor by an absent player.  An army that a
    passage right obliges to leave may stay only if it can go nowhere.
    """
    holder = war.seats[seat]
    army = holder.army
    if army is None:
        return NO_MOVES
    if army.duty is not None:
        kind = army.duty.kind
        if kind == "leave":
            return Moves(_ordinary(war, seat), stay=False, duty=True)
        return Moves(_ways(retreats(war, seat)), stay=False, duty=True)
    if not army.may_move or holder.absent:
        return NO_MOVES
    ways = _ordinary(war, seat)
    return Moves(ways, stay=not ways or not _must_leave(war, seat))


def retreats(war: War, seat: str) -> tuple[str, ...]:
    """Where an army under a duty may retreat to, its start first (AT-7.6, AT-8.8).

    Beaten in battle: its start or an adjacent territory of its colony.  Crushed in a conquest: its
    start; only if that is closed, any adjacent territory.  Neither may meet another player's army
    without an agreement.  Empty under any other duty, or none.
    """
    army = war.seats[seat].army
    if army is None or army.duty is None or army.duty.kind == "leave":
        return ()
    home = (army.start,) if army.start is not None and start_open(war, seat) else ()
    crushed = army.duty.kind == "crushed"
    if crushed and home:
        return home
    beside = [
        place
        for place in war.board.neighbours[army.place]
        if place not in home
        and (crushed or war.lands[place].owner == seat)
        and _refuge(war, seat, place)
    ]
    return (*home, *beside)


def start_open(war: War, seat: str) -> bool:
    """Whether an army can go back to its start (AT-7.7); so also whether it can withdraw (AT-9.2).

    Closed if it has none, if another player holds it and lets it neither pass nor stay, if two
    armies are there, or if another player's army without an agreement is.  By the variant `since`
    only a conquest since it left closes the land itself.
    """
    army = war.seats[seat].army
    if army is None or army.start is None:
        return False
    if army.start_closed if war.options.refuge == "since" else _foreign(war, seat, army.start):
        return False
    return _refuge(war, seat, army.start)


def way_refusal(war: War, seat: str, way: Way) -> str:
    """Why an army may not go that way, as a code; "" if it may.  The empty way is to stay."""
    allowed = moves(war, seat)
    if not way:
        return "" if allowed.stay else "move.must_go"
    army = war.seats[seat].army
    if army is None:
        return "move.no_army"
    if allowed.ways.get(way[-1]) == way:
        return ""
    duty = army.duty
    free = army.may_move and not war.seats[seat].absent if duty is None else duty.kind == "leave"
    if not free:
        return "move.closed"
    return _refused_steps(war, seat, army.place, way)


def is_legal_way(war: War, seat: str, way: Way) -> bool:
    """Whether an army may go that way: the further check of a `Path` question."""
    return not way_refusal(war, seat, way)


def battles_due(war: War) -> tuple[tuple[str, str, str], ...]:
    """Battles at the end of the movement phase (AT-7.5), in the board's order of territories.

    Each is (territory, attacker, defender); the attacker is the army that entered last (AT-8.11).
    """
    there: dict[str, list[tuple[int, str]]] = {}
    for seat in war.seats.values():
        if seat.army is not None:
            there.setdefault(seat.army.place, []).append((seat.army.entered, seat.code))
    if len(there) == sum(1 for seat in war.seats.values() if seat.army is not None):
        return ()
    due = []
    for place in war.board.ids:
        armies = sorted(there.get(place, ()))
        if len(armies) == CROWD:
            (_, first), (_, last) = armies
            if not stand_together(war, first, last, place):
                due.append((place, last, first))
    return tuple(due)


class Mover(msgspec.Struct, frozen=True):
    """An army waiting to move.

    number:  its movement initiative, or the smaller number its general lowered it to (AT-7.2).
    lowered: 0 for its own number; otherwise the how-many-th lowering of the phase this was.
    """

    seat: str
    number: int
    lowered: int = 0


def next_mover(queue: Iterable[Mover]) -> Mover:
    """Who moves next (AT-7.2): the highest number; of equals its own holder, then by lowering."""
    return min(queue, key=lambda mover: (-mover.number, mover.lowered))


def lower(queue: tuple[Mover, ...], seat: str, number: int) -> tuple[Mover, ...]:
    """The queue after a general lowered his number; he may do so again (AT-7.2).

    Raises NotAllowed unless the new number is smaller.
    """
    latest = 1 + max(mover.lowered for mover in queue)
    after = []
    for mover in queue:
        if mover.seat == seat:
            if number >= mover.number:
                raise NotAllowed("move.lower", rule="AT-7.2", part=number, least=mover.number - 1)
            mover = Mover(seat, number, latest)
        after.append(mover)
    return tuple(after)


def _ways(places: Iterable[str]) -> dict[str, Way]:
    return {place: (place,) for place in places}


def _crowded(war: War, seat: str) -> tuple[str, ...]:
    """Territories that cannot be entered: two other players' armies stand there (AT-7.5)."""
    places = [s.army.place for s in war.seats.values() if s.army is not None and s.code != seat]
    if len(set(places)) == len(places):
        return ()
    return tuple([place for place in places if places.count(place) >= CROWD])


def _foreign(war: War, seat: str, place: str) -> bool:
    """Whether another player holds a territory, and has not opened it by either right (AT-7.4)."""
    owner = war.lands[place].owner
    return owner not in (None, seat) and granted(war, PEACEFUL, owner, seat, place) is None


def _refuge(war: War, seat: str, place: str) -> bool:
    """Whether a retreat may end there: no crowd, and nobody without an agreement."""
    others = [code for code in war.armies_at(place) if code != seat]
    return len(others) < CROWD and all(stand_together(war, seat, o, place) for o in others)


def _counts_as_own(war: War, seat: str, place: str) -> bool:
    """Own land for AT-7.3; by the variant `through`, land opened by its owner too (AT-7.4)."""
    owner = war.lands[place].owner
    if owner == seat:
        return True
    if owner is None or war.options.passage != "through":
        return False
    return granted(war, PEACEFUL, owner, seat, place) is not None


def _ordinary(war: War, seat: str) -> dict[str, Way]:
    """Every territory within an army's ordinary move (AT-7.3); it never ends where it began."""
    army = war.seats[seat].army
    if army is None:
        return {}
    neighbours, crowded, place = war.board.neighbours, _crowded(war, seat), army.place
    own = set(war.lands_of(seat))
    if war.options.passage == "through":
        own.update(there for there in war.lands if _counts_as_own(war, seat, there))
    ways = _ways([there for there in neighbours[place] if there not in crowded])
    for first in [there for there in ways if there in own]:
        for second in neighbours[first]:
            if second in own and second not in ways and second != place and second not in crowded:
                ways[second] = (first, second)
    return ways


def _refused_steps(war: War, seat: str, place: str, way: Way) -> str:
    """Why an ordinary move may not go that way, step by step; "" if it may."""
    here = place
    for there in way:
        if there not in war.board.neighbours[here]:
            return "move.not_adjacent"
        if there in _crowded(war, seat):
            return "move.two_armies"
        here = there
    if here == place:
        return "move.same_place"
    if len(way) > 2:
        return "move.too_far"
    if len(way) == 2 and not all(_counts_as_own(war, seat, step) for step in way):
        return "move.foreign_land"
    return ""


def _must_leave(war: War, seat: str) -> bool:
    """Whether a passage right obliges the army to leave at this move (AT-7.4).

    No longer if the land has become its own, or if its holder lets it be stationed.
    """
    army = war.seats[seat].army
    if army is None or not army.passing:
        return False
    owner = war.lands[army.place].owner
    if owner == seat:
        return False
    hosts = [code for code in war.seats if code == owner or code in war.armies_at(army.place)]
    return all(granted(war, ("stationing",), host, seat, army.place) is None for host in hosts)
