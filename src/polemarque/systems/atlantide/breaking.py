"""Nobody is bound (AT-4.3): breaking an agreement at the start of a phase.

A question must not betray a secret agreement.  So whoever might have one is asked, whether he has
or not: everybody for whom, by facts that all know, a break could now change what the phase does.
Before anybody has made an offer nobody is asked at all.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from polemarque.kernel.agenda import Item, Rule, ask_each, script, tell
from polemarque.kernel.request import Options, SeveralOf, Sheet
from polemarque.systems.atlantide.agreements import PEACEFUL, Agreement
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.supply import is_supplied
from polemarque.systems.atlantide.taxes import FIRST_TURN

Kinds = tuple[str, ...]


@script("AT-4.3")
def agreements_may_be_broken(war: War) -> Rule[tuple[War, list[Item]]]:
    """At the start of a phase: whom it can concern is asked."""
    return (yield from _window(war, concerned(war), ())), []


@script("AT-4.3/after_move")
def broken_after_a_move(war: War) -> Rule[tuple[War, list[Item]]]:
    """Variant `any_time`: passage and stationing also right after any army's move."""
    return (yield from _window(war, war.in_play(), PEACEFUL)), []


def present(war: War, seats: Iterable[str] | None = None) -> tuple[str, ...]:
    """Seats in play (of these) whose player is there (AT-2.4)."""
    return tuple(
        [
            code
            for code in war.in_play()
            if not war.seats[code].absent and (seats is None or code in seats)
        ]
    )


def _window(war: War, seats: Iterable[str], kinds: Kinds) -> Rule[War]:
    if not war.talked:
        return war
    sheets = yield from ask_each(
        present(war, seats),
        lambda seat: Sheet(lambda: _only_breaking(war, seat, kinds)),
        absent=lambda seat: nothing_broken(war, seat, kinds),
    )
    return (yield from breaks(war, sheets))


# Whom it can concern -----------------------------------------------------------------------------


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


def somebody_cut_off(war: War) -> bool:
    """Whether an army has no chain to its city but for agreements (AT-6.1): all can see that."""
    alone = replace(war, agreements=())
    return any(
        seat.army is not None and not is_supplied(alone, code) for code, seat in war.seats.items()
    )


# The part of a sheet -----------------------------------------------------------------------------


def own_agreements(war: War, seat: str, kinds: Kinds = ()) -> tuple[Agreement, ...]:
    """The agreements a seat is party to, of these kinds (of all)."""
    return tuple(
        [a for a in war.agreements if seat in a.parties and (not kinds or a.kind in kinds)]
    )


def may_break(
    war: War, seat: str, kinds: Kinds = ()
) -> Generator[tuple[str, Options], Any, tuple[int, ...]]:
    """The part of a sheet in which a seat breaks agreements; one who has none has no such part."""
    own = tuple([agreement.id for agreement in own_agreements(war, seat, kinds)])
    broken: tuple[int, ...] = ()
    if own:
        broken = yield "break", SeveralOf(own, label="agreement")
    return broken


def _only_breaking(war: War, seat: str, kinds: Kinds) -> Generator[tuple[str, Options], Any, None]:
    yield from may_break(war, seat, kinds)


def nothing_broken(war: War, seat: str, kinds: Kinds = ()) -> dict[str, Any]:
    """The answer of an absent player: he breaks nothing."""
    return {"break": ()} if own_agreements(war, seat, kinds) else {}


def breaks(war: War, sheets: Mapping[str, Mapping[str, Any]]) -> Rule[War]:
    """End the agreements that these sheets break; the other party hears of it, or everybody."""
    broken = {number: seat for seat, sheet in sheets.items() for number in sheet.get("break", ())}
    if not broken:
        return war
    for agreement in war.agreements:
        if agreement.id in broken:
            seat = broken[agreement.id]
            yield from tell(
                "AT-4.3", "broken", to=None if agreement.public else agreement.parties,
                seat=seat, other=agreement.other(seat), number=agreement.id, what=agreement.kind,
                places=agreement.territories,
            )  # fmt: skip
            for party in agreement.parties:
                lines = (*war.row(party).diplomacy, f"broken:{agreement.kind}:{seat}")
                war = war.noted(party, diplomacy=lines)
    return war.broken(broken)


def lapses(war: War, after: War) -> Rule[War]:
    """The war afterwards, once those who made an agreement know that it ended meanwhile (AT-4.5).

    With its last turn, with a party, or with the last of its territories that has not changed
    hands.
    """
    left = [agreement.id for agreement in after.agreements]
    for agreement in war.agreements:
        if agreement.id not in left:
            yield from tell(
                "AT-4.5", "lapsed", to=None if agreement.public else agreement.parties,
                what=agreement.kind, grantor=agreement.grantor, beneficiary=agreement.beneficiary,
            )  # fmt: skip
    return after
