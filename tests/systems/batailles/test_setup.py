"""The set-up of a battle (BC-1.1): what an army that says nothing brings."""

from typing import Any

import pytest

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.game import Game, new_header
from polemarque.systems.batailles.setup import MOST_UNITS, distinct

UNIT = {"name": "Phalanx", "pm": 10}


def test_an_army_that_says_nothing_brings_nothing_to_one_that_does() -> None:
    def power(**side: object) -> int:
        game = Game(new_header("batailles", setup={"a": side, "b": {"pm": 40}}))
        return game.state.a.start

    assert power(pm=20, allies=[{"name": "Friends"}]) == 20
    assert power(allies=[{"name": "Friends", "pm": 10}]) == 10
    assert power() == 50


@pytest.mark.parametrize(
    "side",
    [
        {"pm": 10**18},
        {"pm": 100_001},
        {"units": [{**UNIT, "pm": 10**18}]},
        {"morale": 10**6},
        {"bonus": 10**6},
        {"players": ["x"] * 61},
        {"units": [UNIT] * (MOST_UNITS + 1)},
        {"allies": [{"name": "Friends", "pm": 10}] * 61},
    ],
)
def test_figures_and_lists_beyond_all_measure_are_not_read(side: dict[str, Any]) -> None:
    with pytest.raises(NotUnderstood, match=r"setup\.unreadable"):
        Game(new_header("batailles", setup={"a": side}))


@pytest.mark.parametrize("unit", [UNIT, {**UNIT, "pm": 100_000}])
def test_a_side_is_measured_with_its_allies(unit: dict[str, Any]) -> None:
    few, allies = 6, [{"name": "Friends", "units": [unit] * 250}] * 2
    assert Game(new_header("batailles", setup={"a": {"units": [unit] * few}}))
    with pytest.raises(NotAllowed, match=r"batailles\.too_large"):
        Game(new_header("batailles", setup={"a": {"units": [unit] * few, "allies": allies}}))


@pytest.mark.timeout(10)
def test_names_that_come_again_are_numbered_at_once() -> None:
    assert distinct(["x", "x", "x 2", "y", "x", "x 2"]) == ("x", "x 3", "x 2", "y", "x 4", "x 2 2")
    many = distinct(["x"] * 3000)
    assert (len(set(many)), many[-1]) == (3000, "x 3000")
