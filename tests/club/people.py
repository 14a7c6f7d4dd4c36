"""People and campaigns for tests."""

from __future__ import annotations

from collections.abc import Sequence

from polemarque.club.models import Campaign, Person
from polemarque.club.muster import Plan, begin, make, sit_down
from polemarque.club.tables import reading
from polemarque.kernel.request import Key


def person(name: str) -> Person:
    found, _ = Person.objects.get_or_create(username=name)
    return found


def campaign(
    system: str = "batailles", *, seats: int = 2, held: int | None = None, umpired: bool = True
) -> Campaign:
    """A campaign that has begun: `held` seats by people called as they are, the others by bots."""
    plan = Plan(system, seats=seats)
    codes = plan.header().seats
    people = codes[: len(codes) if held is None else held]
    made = make(
        "A test", plan, person("zoe") if umpired else None,
        bots={code: "steady" for code in codes if code not in people},
    )  # fmt: skip
    for code in people:
        sit_down(made, code, person(code.lower()))
    begin(made)
    made.refresh_from_db()
    return made


def asked(made: Campaign, seat: str) -> Key:
    """The first question that is open to a seat."""
    with reading(made) as table:
        return table.game.requests(seat)[0].keys[seat]


def some_answer(made: Campaign, seat: str, number: int = 0) -> object:
    """A legal answer to it."""
    from random import Random

    with reading(made) as table:
        return table.game.requests(seat)[0].options(seat).sample(Random(number))


def seats(made: Campaign) -> Sequence[str]:
    with reading(made) as table:
        return table.game.header.seats
