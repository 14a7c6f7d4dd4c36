"""Breaking in edition 2026-11: at the start of a phase, all whom it can concern are asked.

A question must not betray a secret agreement: whoever might have one is asked, whether he has or
not.  Before anybody has made an offer nobody is asked at all.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from polemarque.api import (
    Filling,
    Item,
    Next,
    OneOf,
    Options,
    Rule,
    SeveralOf,
    Sheet,
    Step,
    ask_each,
    item,
    script,
    tell,
    then,
)
from polemarque.systems.atlantide.adjust import gods_judge
from polemarque.systems.atlantide.agreements import PEACEFUL
from polemarque.systems.atlantide.chapters.broken_agreements import (
    Kinds,
    breaks,
    cut_off,
    may_break,
    nothing_broken,
    present,
)
from polemarque.systems.atlantide.chapters.provisions import declared_to_all, undeclared
from polemarque.systems.atlantide.chapters.reinforcements import (
    arrived,
    arriving,
    homes,
    units_join,
)
from polemarque.systems.atlantide.chapters.turn import ENTRIES
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.taxes import FIRST_TURN

WINDOWS = ("loot", "movement", "battles", "conquest")
"""Phases that begin with a question about breaking agreements (AT-4.3).

Those of diplomacy, supply and reinforcements ask it on a sheet of their own.  Nothing that divine
events do depends on an agreement: breaking one then is breaking it at the next phase.
"""


@script("AT-2.1/phase")
def phase_begins(war: War, phase: str) -> Next[War]:
    """A phase: what the gods are to judge, agreements broken, then the phase itself."""
    items: list[Item] = [then(gods_judge, dispute) for dispute in war.disputes]
    if phase in WINDOWS:
        items.append(then(agreements_may_be_broken))
    return replace(war, phase=phase, disputes=()), [*items, item(ENTRIES[phase])]


@script("AT-4.3")
def agreements_may_be_broken(war: War) -> Step[War]:
    """At the start of a phase: whom it can concern is asked."""
    return (yield from _window(war, concerned(war), ())), []


@script("AT-4.3/after_move")
def broken_after_a_move(war: War) -> Step[War]:
    """Variant `any_time`: passage and stationing also right after any army's move."""
    return (yield from _window(war, war.in_play(), PEACEFUL)), []


def _window(war: War, seats: Iterable[str], kinds: Kinds) -> Rule[War]:
    if not war.talked:
        return war
    sheets = yield from ask_each(
        present(war, seats),
        lambda seat: Sheet(lambda: _only_breaking(war, seat, kinds)),
        absent=lambda seat: nothing_broken(war, seat, kinds),
        spares=True,
    )
    return (yield from breaks(war, sheets))


def _only_breaking(war: War, seat: str, kinds: Kinds) -> Generator[tuple[str, Options], Any, None]:
    yield from may_break(war, seat, kinds)


def concerned(war: War) -> tuple[str, ...]:
    """Seats for whom breaking an agreement can change the phase that begins, by public facts.

    Loot: an army on another player's land, and that player (taxes).  Battles: armies that stand
    together.  Conquest: an army on another player's land, that player, and whoever stands where
    another army came from.  Movement: everybody.
    """
    if war.phase == "loot":
        return _on_others_land(war) if war.turn >= FIRST_TURN else ()
    if war.phase == "battles":
        return _together(war)
    if war.phase == "conquest":
        return (*_on_others_land(war), *_in_the_way(war))
    return war.in_play()


def _on_others_land(war: War) -> tuple[str, ...]:
    """Players whose army stands on another's land, and those whose land it is."""
    seats: list[str] = []
    for code, seat in war.seats.items():
        owner = war.lands[seat.army.place].owner if seat.army else None
        if owner not in (None, code):
            seats += [code, str(owner)]
    return tuple(seats)


def _together(war: War) -> tuple[str, ...]:
    places = [seat.army.place for seat in war.seats.values() if seat.army]
    return tuple([s.code for s in war.seats.values() if s.army and places.count(s.army.place) > 1])


def _in_the_way(war: War) -> tuple[str, ...]:
    """Players whose army stands where another one started, and the other ones."""
    seats: list[str] = []
    for code, seat in war.seats.items():
        if seat.army and seat.army.start:
            there = [other for other in war.armies_at(seat.army.start) if other != code]
            seats += [code, *there] if there else []
    return tuple(seats)


@script("AT-6.2")
def convoys_are_let_through(war: War) -> Step[War]:
    """Agreements are broken, and supply passages declared in public by those who grant them."""
    sheets = yield from ask_each(
        present(war),
        lambda seat: _convoys(war, seat),
        absent=lambda seat: {**nothing_broken(war, seat), **nothing_declared(war, seat)},
        spares=True,
    )
    war = yield from breaks(war, sheets)
    return (yield from declares(war, sheets)), []


def declares(war: War, sheets: Mapping[str, Mapping[str, Any]]) -> Rule[War]:
    """Tell everybody of the supply passages that these sheets declare; they hold this turn."""
    declared = [
        agreement
        for seat, sheet in sheets.items()
        for agreement in undeclared(war, seat)
        if agreement.bond in sheet.get("declare", ())
    ]
    return (yield from declared_to_all(war, declared))


def _convoys(war: War, seat: str) -> Sheet:
    def fill() -> Filling:
        broken = yield from may_break(war, seat)
        yield from may_declare(war, seat, broken)

    return Sheet(fill)


def may_declare(
    war: War, seat: str, broken: tuple[int, ...]
) -> Generator[tuple[str, Options], Any, None]:
    """The part of a sheet in which a seat declares supply passages, those just broken apart."""
    grants = tuple([a.bond for a in undeclared(war, seat) if a.bond not in broken])
    if grants:
        yield "declare", SeveralOf(grants, label="agreement")


def nothing_declared(war: War, seat: str) -> dict[str, Any]:
    """The answer of an absent player: he declares nothing."""
    return {"declare": ()} if undeclared(war, seat) else {}


@script("AT-10/phase")
def reinforcement_phase(war: War) -> Next[War]:
    """Everybody says where what he bought arrives; then it joins, seat by seat."""
    return war, [then(where_units_arrive), *[then(units_join, seat) for seat in war.in_play()]]


@script("AT-10.1")
def where_units_arrive(war: War) -> Step[War]:
    """Bought units arrive in one of his territories; agreements may be broken before (AT-4.3).

    Whoever has a choice of territories is asked, buyer or not: what one buys is secret (AT-2.3).
    Everybody is, if an army is cut off: supply is looked at anew, so a supply passage can be broken
    now, or declared (AT-6.2) if no army was cut off before it moved.
    """
    choosing = [code for code in war.in_play() if len(war.lands_of(code)) > 1]
    everybody = war.talked and cut_off(war)
    sheets = yield from ask_each(
        present(war, None if everybody else choosing),
        lambda seat: _arrival_sheet(war, seat),
        absent=lambda seat: {
            **nothing_broken(war, seat),
            **nothing_declared(war, seat),
            **_default_place(war, seat),
        },
        spares=True,
    )
    war = yield from breaks(war, sheets)
    war = yield from declares(war, sheets)
    for code in war.in_play():
        if not arriving(war.seats[code]) or not war.lands_of(code):
            continue
        place = sheets.get(code, {}).get("place") or homes(war, code)[0]
        war = arrived(war, code, place)
        yield from tell("AT-10.1", "arrive", to=(code,), seat=code, place=place)
    return war, []


def _arrival_sheet(war: War, seat: str) -> Sheet:
    def fill() -> Filling:
        broken = yield from may_break(war, seat)
        yield from may_declare(war, seat, broken)
        if arriving(war.seats[seat]) and len(war.lands_of(seat)) > 1:
            yield "place", OneOf(war.lands_of(seat), "territory")

    return Sheet(fill)


def _default_place(war: War, seat: str) -> dict[str, Any]:
    """His royal city, or the first of his territories (AT-2.4)."""
    if not arriving(war.seats[seat]) or len(war.lands_of(seat)) < 2:
        return {}
    return {"place": homes(war, seat)[0]}
