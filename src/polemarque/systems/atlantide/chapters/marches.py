"""Chapter « Mouvements » (AT-7): who moves when, where to, and who must go.

The queue of movers travels in the agenda as (seat, number, lowering): `movement` says who is next
and which ways are open.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import msgspec

from polemarque.api import (
    D6,
    Amount,
    Fact,
    Filling,
    Modifier,
    Next,
    OneOf,
    Path,
    Rule,
    Sheet,
    Step,
    Sum,
    ask,
    bonus,
    explain,
    roll,
    script,
    tell,
    then,
    total,
)
from polemarque.systems.atlantide.agreements import granted
from polemarque.systems.atlantide.chapters.battle import met_told
from polemarque.systems.atlantide.chapters.broken_agreements import broken_after_a_move
from polemarque.systems.atlantide.chapters.casualty_recovery import remnant
from polemarque.systems.atlantide.chapters.conquest import goal_told
from polemarque.systems.atlantide.chapters.reinforcements import slaves_join
from polemarque.systems.atlantide.chapters.turn import Groups, all_parted, in_line, tied
from polemarque.systems.atlantide.movement import (
    Mover,
    Moves,
    Way,
    is_legal_way,
    lower,
    moves,
    next_mover,
)
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.strength import initiative_total

Queue = tuple[tuple[str, int, int], ...]
"""Movers as plain data: seat, movement initiative, and which lowering made it (0: none)."""

Numbers = tuple[tuple[str, int], ...]
"""Movement initiatives by seat."""

REFUSALS = ("mutiny", "refusal")
"""Effects of AT-6.3 by which an army does not move; they are public."""


@script("AT-7/phase")
def movement_phase(war: War) -> Next[War]:
    """Every army rolls; that of an absent player does not, and goes only if it must.

    Under a duty it goes at its bare initiative (AT-2.4, AT-7.6); otherwise it stays.
    """
    armed = _with_armies(war, war.seats)
    rolling = tuple([code for code in armed if not war.seats[code].absent])
    forced = [code for code in armed if code not in rolling and war.army_of(code).duty]
    unrolled = tuple([(code, initiative_total(war.army_of(code)), 0) for code in forced])
    idle = [code for code in armed if code not in rolling and code not in forced]
    return war, [
        then(movement_initiative, rolling, unrolled),
        *[then(army_marches, code, ()) for code in idle],
    ]


def _with_armies(war: War, seats: Iterable[str]) -> tuple[str, ...]:
    """Those who have an army: the umpire may take one away at any moment (AT-1.16)."""
    return tuple([seat for seat in seats if war.seats[seat].army is not None])


@script("AT-7.1")
def movement_initiative(war: War, rolling: tuple[str, ...], unrolled: Queue) -> Step[War]:
    """Initiative + 2D6 (+ spies); if any two are equal all roll again, or by a variant the tied."""
    rolling = _with_armies(war, rolling)
    numbers: dict[str, int] = {}
    for seat in rolling:
        numbers[seat] = yield from _rolled(war, seat, "rolled")
    level = tied(numbers)
    if not level:
        return war, [then(next_army, _queue(rolling, numbers) + unrolled)]
    yield from tell("AT-7.1", "tied", seats=level, variant=war.options.initiative_ties)
    if war.options.initiative_ties == "all":
        return war, [then(movement_initiative, rolling, unrolled)]
    groups = tuple(
        tuple([seat for seat in rolling if numbers[seat] == number])
        for number in sorted(set(numbers.values()), reverse=True)
    )
    return war, [then(the_tied_roll_again, groups, tuple(numbers.items()), unrolled)]


def _rolled(war: War, seat: str, kind: str) -> Rule[int]:
    army = war.army_of(seat)
    dice = yield from roll(2, D6, read=total, why="initiative", whom=(seat, seat))
    quickness = initiative_total(army)
    number = quickness + dice + army.roll_change
    yield from explain(
        Sum((Modifier(quickness, "initiative", "AT-1.8"),))
        + bonus("AT-3.1", army.roll_change, "spies")
    )
    yield from tell("AT-7.1", kind, seat=seat, number=number, dice=dice)
    return number


@script("AT-7.1/tied")
def the_tied_roll_again(war: War, groups: Groups, numbers: Numbers, unrolled: Queue) -> Step[War]:
    """Variant `tied`: those level roll again, and only say who of them comes first.

    They keep the number that they share, so that nobody falls below one whom he beat; the queue
    lists them in the order in which they act.
    """
    known = dict(numbers)
    groups = tuple([there for group in groups if (there := _with_armies(war, group))])
    if all_parted(groups):
        return war, [then(next_army, _queue(in_line(groups), known) + unrolled)]
    at = next(n for n, group in enumerate(groups) if len(group) > 1)
    again: dict[str, int] = {}
    for seat in groups[at]:
        again[seat] = yield from _rolled(war, seat, "rerolled")
    parted = tuple(
        tuple([seat for seat in groups[at] if again[seat] == number])
        for number in sorted(set(again.values()), reverse=True)
    )
    return war, [
        then(the_tied_roll_again, (*groups[:at], *parted, *groups[at + 1 :]), numbers, unrolled)
    ]


def _queue(seats: Iterable[str], numbers: dict[str, int]) -> Queue:
    return tuple([(seat, numbers[seat], 0) for seat in seats])


class March(msgspec.Struct, frozen=True):
    """An army moves now, () to stay; or it lowers its number.

    That of a player who says nothing stays, or goes the quietest way if it must.
    """

    act: str = "move"
    way: Way = ()
    number: int = 0


@script("AT-7.2")
def next_army(war: War, queue: Queue) -> Step[War]:
    """The highest number moves, or lowers its number to act after others."""
    movers = tuple([Mover(*mover) for mover in queue if war.seats[mover[0]].army is not None])
    if not movers:
        return war, []
    mover = next_mover(movers)
    seat = mover.seat
    rest = tuple([other for other in movers if other.seat != seat])
    after = then(next_army, _plain(rest))
    allowed = moves(war, seat)
    if allowed.doomed:
        return war, [then(no_retreat, seat), after]
    if not allowed.ways and not _keeps_still_in_secret(war, seat):
        return war, [then(army_marches, seat, ()), after]
    if war.seats[seat].absent:
        return war, [then(army_marches, seat, quiet_way(war, seat, allowed)), after]
    stays = March(way=() if allowed.stay else quiet_way(war, seat, allowed))
    order = yield from ask(seat, _marching_orders(war, mover, allowed, bool(rest)), absent=stays)
    if order.act == "lower":
        yield from tell("AT-7.2", "lowered", seat=seat, number=order.number, before=mover.number)
        return war, [then(next_army, _plain(lower(movers, seat, order.number)))]
    return war, [then(army_marches, seat, order.way), after]


def _plain(movers: Iterable[Mover]) -> Queue:
    return tuple([(mover.seat, mover.number, mover.lowered) for mover in movers])


def _keeps_still_in_secret(war: War, seat: str) -> bool:
    """Whether an army stays for a reason that only its player knows: it reorganises (AT-5.4).

    He is asked like the others, so that no question left out tells of it.
    """
    refuses = war.row(seat).supply in REFUSALS
    if war.army_of(seat).may_move or refuses or war.seats[seat].absent:
        return False
    return bool(moves(war.army_changed(seat, may_move=True), seat).ways)


def _marching_orders(war: War, mover: Mover, allowed: Moves, others: bool) -> Sheet:
    """Move now, or lower the number while others are still to move."""

    def fill() -> Filling:
        act = "move"
        if others and mover.number > 0:
            act = yield "act", OneOf(("move", "lower"), "march")
        if act == "lower":
            yield "number", Amount(0, mover.number - 1)
        else:
            legal = partial(is_legal_way, war, mover.seat)
            told = partial(way_told, war, mover.seat)
            yield "way", Path(allowed.ways, allowed.stay, legal, fact=told)

    return Sheet(fill, proposes=True)


def way_told(war: War, seat: str, way: Way) -> Fact | None:
    """What waits at the end of a way: a battle, or else a passage or an assault."""
    return met_told(war, seat, way) or goal_told(war, seat, way)


def quiet_way(war: War, seat: str, allowed: Moves) -> Way:
    """Where an army goes that must, if its player does not say: where nobody else stands, back to
    its start, on its own land, near.
    """
    start = war.army_of(seat).start

    def noise(place: str) -> tuple[bool, bool, bool, int]:
        crowd = any(other != seat for other in war.armies_at(place))
        return crowd, place != start, war.owner(place) != seat, len(allowed.ways[place])

    return allowed.ways[min(allowed.ways, key=noise)]


@script("AT-7.3")
def army_marches(war: War, seat: str, way: Way) -> Step[War]:
    """The army goes its way, or stays; what it finds there is the next phases' business."""
    army = war.seats[seat].army
    if army is None:  # given up since (AT-1.16)
        return war, []
    here, duty = army.place, army.duty
    if not way:
        yield from tell("AT-7.3", "stays", seat=seat, place=here)
        war = yield from slaves_join(war, seat)
        return war.noted(seat, left=here, arrived=here), []
    there = way[-1]
    war = war.moved(seat, there)
    if duty is None:
        yield from tell("AT-7.3", "moves", seat=seat, start=here, place=there, via=way[:-1])
    else:
        yield from tell("AT-7.6", duty.kind, seat=seat, start=here, place=there)
    if war.army_of(seat).passing:
        yield from tell("AT-7.4", "passing", to=_let_pass(war, seat), seat=seat, place=there)
    war = war.noted(seat, left=here, arrived=there)
    war = yield from slaves_join(war, seat)
    any_time = war.options.breaking == "any_time"
    return war, [then(broken_after_a_move)] if any_time else []


def _let_pass(war: War, seat: str) -> tuple[str, ...]:
    """The army's player and those who let it pass there: an agreement may be secret (AT-2.3)."""
    place = war.army_of(seat).place
    hosts = [host for host in war.seats if granted(war, ("passage",), host, seat, place)]
    return (seat, *hosts)


@script("AT-8.8/destroyed")
def no_retreat(war: War, seat: str) -> Step[War]:
    """A duty to go finds no legal way: the army is destroyed, and a remnant reaches the capital."""
    army = war.seats[seat].army
    if army is None:  # given up since (AT-1.16)
        return war, []
    yield from tell("AT-8.8", "destroyed", seat=seat, place=army.place)
    saved = sum([unit.figures for unit in remnant(army)]) + len(army.characters)
    if saved and war.lands_of(seat):
        yield from tell("AT-8.8", "remnant", to=(seat,), seat=seat, figures=saved)
    return war.destroyed(seat).noted(seat, left=army.place, arrived=""), []
