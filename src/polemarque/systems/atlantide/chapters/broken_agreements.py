"""Nobody is bound (AT-4.3): breaking an agreement at the start of a phase, by a standing wish.

Nobody is asked.  Who is party to an agreement wishes at any moment that it be broken: at the next
moment that the rules allow, or at the start of a certain phase; and may take it back until then.
That a wish stands is known to its seat alone.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from polemarque.api import Options, Rule, SeveralOf, Step, script, tell, wished
from polemarque.systems.atlantide.agreements import PEACEFUL, Agreement, deals
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.supply import is_supplied

Kinds = tuple[str, ...]


@script("AT-4.3", edition="2026-11.2")
def agreements_may_be_broken(war: War) -> Step[War]:
    """At the start of a phase: agreements end that a party wished to be broken now."""
    return (yield from _wished(war, (), war.phase)), []


@script("AT-4.3/after_move", edition="2026-11.2")
def broken_after_a_move(war: War) -> Step[War]:
    """Variant `any_time`: passage and stationing also right after any army's move."""
    return (yield from _wished(war, PEACEFUL, "")), []


def _wished(war: War, kinds: Kinds, phase: str) -> Rule[War]:
    """Break what was wished to be broken at the next moment, or at the start of this phase.

    Before anybody has made an offer there is nothing to break.
    """
    if not war.talked:
        return war
    moments = ("next", phase) if phase else ("next",)
    said = yield from wished(
        present(war), lambda seat: SeveralOf(wishes_to_break(war, seat, moments, kinds))
    )
    sheets = {
        seat: {"break": [int(word.split(".")[1]) for word in words]} for seat, words in said.items()
    }
    return (yield from breaks(war, sheets))


def wishes_to_break(
    war: War, seat: str, moments: Sequence[str], kinds: Kinds = ()
) -> tuple[str, ...]:
    """What a seat can wish to be broken, by agreement and moment: ``break.<number>.<moment>``."""
    numbers = [points[0].bond for points in deals(own_agreements(war, seat, kinds))]
    return tuple([f"break.{number}.{moment}" for number in numbers for moment in moments])


def present(war: War, seats: Iterable[str] | None = None) -> tuple[str, ...]:
    """Seats in play (of these) whose player is there (AT-2.4)."""
    return tuple(
        code
        for code in war.in_play()
        if not war.seats[code].absent and (seats is None or code in seats)
    )


def cut_off(war: War) -> tuple[str, ...]:
    """Seats whose army has no supply but for agreements (AT-6.1): all can see that."""
    alone = replace(war, agreements=())
    return tuple(
        code
        for code, seat in war.seats.items()
        if seat.army is not None and not is_supplied(alone, code)
    )


def own_agreements(war: War, seat: str, kinds: Kinds = ()) -> tuple[Agreement, ...]:
    """The agreements a seat is party to, of these kinds (of all)."""
    return tuple(
        [a for a in war.agreements if seat in a.parties and (not kinds or a.kind in kinds)]
    )


def may_break(
    war: War, seat: str, kinds: Kinds = ()
) -> Generator[tuple[str, Options], Any, tuple[int, ...]]:
    """The part of a sheet in which a seat breaks agreements; one who has none has no such part."""
    own = tuple([points[0].bond for points in deals(own_agreements(war, seat, kinds))])
    broken: tuple[int, ...] = ()
    if own:
        broken = yield "break", SeveralOf(own, label="agreement")
    return broken


def nothing_broken(war: War, seat: str, kinds: Kinds = ()) -> dict[str, Any]:
    """The answer of an absent player: he breaks nothing."""
    return {"break": ()} if own_agreements(war, seat, kinds) else {}


def breaks(war: War, sheets: Mapping[str, Mapping[str, Any]]) -> Rule[War]:
    """End the agreements that these sheets break; the other party hears of it, or everybody."""
    broken = {number: seat for seat, sheet in sheets.items() for number in sheet.get("break", ())}
    if not broken:
        return war
    for points in deals(war.agreements):
        number = points[0].bond
        if number in broken:
            seat = broken[number]
            yield from tell(
                "AT-4.3", "broken", to=audience(points[0]), seat=seat, number=number,
                other=points[0].other(seat), **_what(points),
            )  # fmt: skip
            for point in points:
                for party in point.parties:
                    lines = (*war.row(party).diplomacy, f"broken:{point.kind}:{seat}")
                    war = war.noted(party, diplomacy=lines)
            war = war.broken([point.id for point in points])
    return war


def audience(agreement: Agreement) -> tuple[str, str] | None:
    """Who hears of it: everybody if it is public, else both parties."""
    return None if agreement.public else agreement.parties


def _what(points: Sequence[Agreement]) -> dict[str, Any]:
    if len(points) == 1:
        return {"what": points[0].kind, "places": points[0].territories}
    return {"what": [point.kind for point in points], "places": ()}


def lapses(war: War, after: War) -> Rule[War]:
    """The war afterwards, once those who made an agreement know that it ended meanwhile (AT-4.5).

    With its last turn, with a party, or with the last of its territories that has not changed
    hands.
    """
    left = [agreement.id for agreement in after.agreements]
    ended = [agreement for agreement in war.agreements if agreement.id not in left]
    for points in deals(ended):
        first = points[0]
        yield from tell(
            "AT-4.5", "lapsed", to=audience(first), what=_what(points)["what"],
            grantor=first.grantor, beneficiary=first.beneficiary,
        )  # fmt: skip
    return after
