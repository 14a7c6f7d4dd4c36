"""Money: every PO that appears or disappears is told in an event with its rule (MN-F2 to MN-F7)."""

from __future__ import annotations

import random

import pytest

from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Adjust
from polemarque.systems.mare_nostrum import SYSTEM, faults

GAINS = (
    "MN-2.1.begins", "MN-F2.market", "MN-F3.routes", "MN-F3.opened", "MN-5.2.pillaged",
    "MN-6.3.pillaged", "MN-6.10.plundered", "MN-F5.vintage", "MN-F5.silver_vein", "MN-F5.fair",
    "MN-F5.gifts", "MN-F5.bequest", "MN-F5.harvest",
)  # fmt: skip
LOSSES = (
    "MN-F4.paid", "MN-F5.caravan", "MN-F5.diplomat", "MN-F5.engineer", "MN-F5.priest",
    "MN-F5.built", "MN-F5.flood", "MN-F5.embezzlement", "MN-F5.famine", "MN-F6.sent_to_seat",
    "MN-F6.sent_to_city", "MN-F7.celebrates", "MN-F7.falls", "MN-2.6.army", "MN-2.4.fleet",
    "MN-B.4.bought",
)  # fmt: skip

UNPAID = ("MN-F6.abandoned", "MN-F8.treasury")
"""Events that speak of money that does not change hands."""


def booked(treasuries: dict[str, int], event: Event) -> None:
    """Enter an event into the books."""
    name = f"{event.rule}.{event.kind}"
    data = event.data
    amount = data.get("money", data.get("gold", data.get("amount", 0)))
    if name in GAINS:
        treasuries[data["seat"]] += amount
    elif name in LOSSES:
        treasuries[data["seat"]] -= amount
    elif name == "MN-F6.ransomed":
        treasuries[data["seat"]] -= amount
        treasuries[data["other"]] += amount
    elif name == "MN-6.12.eliminated":
        treasuries[data["seat"]] = 0  # his treasury is lost
    else:
        assert name in UNPAID or not {"money", "gold"} & set(data), name


@pytest.mark.parametrize("seed", range(12))
def test_the_books_kept_from_events_are_the_treasuries(seed):
    rng = random.Random(seed)
    options = {c.name: rng.choice(c.values) for c in SYSTEM.options if not c.number}
    scenario = rng.choice(tuple(SYSTEM.scenarios))
    events: list[Event] = []
    header = new_header(
        "mare_nostrum", seed=seed, scenario=scenario, options={**options, "resolver": "tabletop"}
    )
    game = Game(header, publish=events.append)
    books = dict.fromkeys(header.seats, 0)
    game.settle()
    for _ in range(600):
        for event in events:
            booked(books, event)
        events.clear()
        if not game.requests():
            assert {code: seat.treasury for code, seat in game.state.seats.items()} == books
            break
        if any(len(r.seats) > 1 and len(r.missing) == len(r.seats) for r in game.requests()):
            # Nothing is half done when a sealed step begins.
            assert {code: seat.treasury for code, seat in game.state.seats.items()} == books
            assert not faults(game.state)
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()


def test_a_treasury_holds_no_more_than_can_be_spent_at_one_go():
    game = Game(new_header("mare_nostrum", seed=1))
    game.settle()
    with pytest.raises(NotUnderstood) as refused:
        game.enter(Adjust("treasury.A", 10_001, "a gift of the gods"))
    assert refused.value.legal == ("0-10000",)
    game.enter(Adjust("treasury.A", 10_000, "a gift of the gods"))
    assert game.state.seats["A"].treasury == 10_000
