"""What a sheet says its answers cost is what the rules then take, and never more than is there."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from polemarque.kernel.events import Event
from polemarque.kernel.request import Options, Sheet
from polemarque.report.order_forms.typed_answers import cost_of
from polemarque.testing.random_games import new_game, step

STEPS = 250
MONEY = {"AT-5.2": "loot", "AT-5.3": "", "MN-2.6": "gold", "MN-2.4": "gold", "MN-B.4": "gold"}
"""Rules by which a seat pays for its purchases, and the figure that their events tell."""


def asked_in(sheet: Sheet, value: dict[str, Any]) -> list[tuple[Options, Any]]:
    found, filling, said = [], sheet.fill(), None
    try:
        while True:
            part, options = filling.send(said)
            said = value[part]
            found.append((options, said))
    except StopIteration:
        return found


@pytest.mark.parametrize("system", ["atlantide", "mare_nostrum"])
@pytest.mark.parametrize("seed", [2, 7])
def test_what_a_sheet_costs_is_what_is_paid(system: str, seed: int) -> None:
    told: list[Event] = []
    game, rng = new_game(system, seed, told.append), random.Random(seed)
    due: Counter[tuple[int, str]] = Counter()
    rules = Counter[str]()
    for _ in range(STEPS):
        if game.over:
            break
        request, seat, value = step(game, rng)
        sheet = request.options(seat)
        if not isinstance(sheet, Sheet) or sheet.purse is None:
            continue
        purse, spent = sheet.purse(), sum([cost_of(*one) for one in asked_in(sheet, value)])
        later = purse.due if request.rule == "MN-2.6" else 0  # that is owed after it
        assert 0 <= spent <= purse.holds - purse.due + later
        rules[request.rule] += bool(spent)
        if request.rule in ("AT-5.2", "MN-2.6"):
            due[request.keys[seat].period, seat] += spent
    paid: Counter[tuple[int, str]] = Counter()
    for event in told:
        if event.rule in MONEY and "seat" in event.data:
            figure = 50 if event.kind == "built" else event.data.get(MONEY[event.rule], 0)
            paid[event.period, event.data["seat"]] += figure
    last = max(period for period, _ in due)  # its answers may still be sealed
    assert rules
    for period, seat in due:
        if period < last:
            assert due[period, seat] == paid[period, seat]
