"""Chapter « Arrivée des renforts » (AT-10), and the army that forms again (AT-1.14, AT-3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from polemarque.api import (
    D3,
    Next,
    OneOf,
    Rule,
    SeveralOf,
    Step,
    ask,
    faces,
    roll,
    script,
    tell,
    then,
    wished,
)
from polemarque.systems.atlantide.chapters.broken_agreements import cut_off, present
from polemarque.systems.atlantide.chapters.provisions import convoys_are_let_through
from polemarque.systems.atlantide.purchases import joined, muster_places
from polemarque.systems.atlantide.state import Seat, Waiting, War
from polemarque.systems.atlantide.supply import is_supplied
from polemarque.systems.atlantide.troops import Army


@script("AT-10/phase", edition="2026-11.2")
def reinforcement_phase(war: War) -> Next[War]:
    """What was bought arrives, then it joins, seat by seat.

    Supply is looked at again (AT-10.2): convoys are let through first (AT-6.2).
    """
    convoys = [then(convoys_are_let_through)] if war.talked and cut_off(war) else []
    joining = [then(units_join, seat) for seat in war.in_play()]
    return war, [*convoys, then(where_units_arrive), *joining]


@script("AT-10.1", edition="2026-11.2")
def where_units_arrive(war: War) -> Step[War]:
    """Bought units arrive in the territory that their player has wished for, else in his city.

    Nobody is asked: what one buys is secret (AT-2.3), and so is who would have to be asked.
    """
    said = yield from wished(present(war), lambda seat: SeveralOf(arrivals(war, seat)))
    for code in war.in_play():
        if not arriving(war.seats[code]) or not war.lands_of(code):
            continue
        wish = said.get(code, ())
        place = wish[0].partition(".")[2] if wish else homes(war, code)[0]
        war = arrived(war, code, place)
        yield from tell("AT-10.1", "arrive", to=(code,), seat=code, place=place)
    return war, []


def arrivals(war: War, seat: str) -> tuple[str, ...]:
    """Where a seat can wish its reinforcements to arrive: ``arrive.<territory>``."""
    return tuple([f"arrive.{place}" for place in war.lands_of(seat)])


def arriving(seat: Seat) -> bool:
    """Whether he has bought what has not arrived yet."""
    return any(wait.cause == "bought" and wait.place is None for wait in seat.waiting)


def homes(war: War, seat: str) -> tuple[str, ...]:
    """His royal city, or if he lacks it his territories (AT-1.14)."""
    return war.royal_cities(seat) or war.lands_of(seat)


def arrived(war: War, seat: str, place: str) -> War:
    """The war once what a seat has bought waits in a territory."""
    waiting = tuple(
        replace(wait, place=place) if wait.cause == "bought" and wait.place is None else wait
        for wait in war.seats[seat].waiting
    )
    return war.changed(seat, waiting=waiting)


@script("AT-10.2")
def units_join(war: War, seat: str) -> Step[War]:
    """They join the army if it is supplied now, else wait (AT-10.3); without army they form one."""
    war = yield from slaves_join(war, seat)
    holder = war.seats[seat]
    if holder.army is None:
        return war, [then(new_army, seat)] if holder.waiting else []
    ready = _ready(war, holder)
    if not ready:
        return war, []
    if not is_supplied(war, seat):
        yield from tell("AT-10.3", "wait", to=(seat,), seat=seat)
        return war, []
    yield from tell("AT-10.2", "join", to=(seat,), seat=seat, figures=_figures(ready))
    return _joining(war, seat, ready), [then(warbands_roll, seat)]


def _ready(war: War, holder: Seat) -> tuple[Waiting, ...]:
    """What has arrived, slaves apart: they go their own way (AT-3.3)."""
    return tuple(
        wait
        for wait in holder.waiting
        if wait.cause != "slaves"
        and wait.due <= war.turn
        and (wait.place is not None or wait.cause == "returned")
    )


def _figures(waiting: Sequence[Waiting]) -> int:
    return sum([sum([u.figures for u in w.units]) + len(w.characters) for w in waiting])


def _joining(war: War, seat: str, ready: tuple[Waiting, ...]) -> War:
    holder = war.seats[seat]
    army = holder.army
    assert army is not None
    alive = [unit.id for unit in army.units]
    alive += [u.id for wait in holder.waiting if wait.cause == "returned" for u in wait.units]
    for wait in ready:
        units = wait.units
        if wait.cause == "bought":  # figures for a warband that has died are a new one (AT-1.6)
            units = tuple([u if u.id in alive or not u.die else replace(u, die=0) for u in units])
        army = joined(army, units, wait.characters, first=holder.next_id)
    left = tuple([wait for wait in holder.waiting if wait not in ready])
    last = max([member.id for member in (*army.units, *army.characters)], default=0)
    return war.changed(seat, army=army, waiting=left, next_id=max(holder.next_id, last + 1))


@script("AT-1.14")
def new_army(war: War, seat: str) -> Step[War]:
    """What came back and what was bought form a new army in his royal city, or where he likes.

    What came back at the start of a turn to a city where he has an army again joins it there.
    """
    holder = war.seats[seat]
    ready = _ready(war, holder)
    if holder.army is not None:
        back = tuple([wait for wait in ready if wait.cause == "returned"])
        if not back or holder.army.place not in homes(war, seat):
            return war, []
        yield from tell("AT-10.2", "join", to=(seat,), seat=seat, figures=_figures(back))
        return _joining(war, seat, back), [then(warbands_roll, seat)]
    if not war.lands_of(seat):
        if holder.waiting:
            yield from tell("AT-1.14", "lost", to=(seat,), seat=seat)
        return war.changed(seat, waiting=()), []
    places = muster_places(war, seat)
    if not ready or not places:
        return war, []
    place = places[0]
    if len(places) > 1 and not holder.absent:
        place = yield from ask(seat, OneOf(places, "territory"), absent=place, subject="muster")
    entered = war.moves + 1
    war = replace(war.changed(seat, army=Army((), (), place, entered=entered)), moves=entered)
    yield from tell("AT-1.14", "musters", seat=seat, place=place)
    war = yield from slaves_join(_joining(war, seat, ready), seat)
    return war, [then(warbands_roll, seat)]


@script("AT-1.6/joined")
def warbands_roll(war: War, seat: str) -> Step[War]:
    """Each warband that has just entered play rolls its D3, once for as long as it lasts."""
    army = war.seats[seat].army
    fresh = army.to_roll() if army is not None else ()
    if army is None or not fresh:
        return war, []
    dice = yield from roll(
        len(fresh), D3, read=faces, why="warband", whom=(seat,) * len(fresh), owner=seat
    )
    for unit, die in zip(fresh, dice, strict=True):
        army = army.rolled(unit, die)
    yield from tell("AT-1.6", "rolled", to=(seat,), seat=seat, dice=list(dice))
    return war.with_army(seat, army), []


def slaves_join(war: War, seat: str) -> Rule[War]:
    """Runaway slaves join where the army stands or ends its move, supplied or not (AT-3.3)."""
    holder = war.seats[seat]
    army = holder.army
    if army is None or not holder.waiting:
        return war
    here = tuple([w for w in holder.waiting if w.cause == "slaves" and w.place == army.place])
    if here:
        yield from tell("AT-3.3", "join", to=(seat,), seat=seat, figures=_figures(here))
        war = _joining(war, seat, here)
    return war
