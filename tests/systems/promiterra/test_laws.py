"""The law of an attack in closed form, against the enumeration of the procedures that play it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polemarque.odds.consult import consult_odds
from polemarque.odds.enumeration import law
from polemarque.odds.rolls import TooLarge
from polemarque.systems.promiterra.chapters.strikes import Fighter, strain

FIGHTERS = st.builds(
    Fighter, st.integers(0, 7), st.integers(0, 6), st.integers(0, 5), st.integers(0, 4)
)


@given(FIGHTERS, FIGHTERS, st.booleans(), st.sampled_from(["all", "cut"]))
@settings(max_examples=60, deadline=None)
def test_odds_of_an_attack_are_those_of_its_procedure(
    a: Fighter, d: Fighter, riposte: bool, dice: str
) -> None:
    def said(one: Fighter) -> dict[str, int]:
        return {"units": one.units, "attack": one.attack, "defence": one.defence, "fort": one.fort}

    inputs = {"attacker": said(a), "defender": said(d), "riposte": riposte}
    odds = consult_odds("PR-5.3", inputs, {"dice": dice})
    found = {
        (o.result["defender_losses"], o.result["attacker_losses"]): (
            Fraction(o.p), Fraction(o.means["hits"]), Fraction(o.means["riposte_hits"]),
        )
        for o in odds.outcomes
    }  # fmt: skip
    wanted = {
        (o.value.defender_losses, o.value.attacker_losses): (
            o.p, o.means["hits"], o.means.get("riposte_hits", 0),
        )
        for o in law("PR-5.3", (a, d, riposte, dice)).outcomes
    }  # fmt: skip
    assert found == wanted
    if dice == "all":
        there, back = strain(a, d), strain(d, a)
        suffered, scale = (back.weights(), back.scale) if riposte else ([1], 1)
        for lost, many in enumerate(there.weights()):
            for paid, weight in enumerate(suffered):
                p = wanted[lost, paid][0] if (lost, paid) in wanted else 0
                assert Fraction(many * weight, there.scale * scale) == p


def test_the_law_of_twenty_that_riposte_against_fifty() -> None:
    back = strain(Fighter(20, 3, 3), Fighter(50, 3, 2))
    weights = back.weights()
    assert len(weights) == 21 and sum(weights) == back.scale
    mean = sum(lost * weight for lost, weight in enumerate(weights))
    assert Fraction(mean, back.scale) == Fraction(20, 3)  # twenty, each 1/2 × 2/3


@pytest.mark.parametrize(
    ("units", "fort", "dice"),
    [(1000, 0, "all"), (5000, 3, "all"), (1_000_000, 0, "all"), (1000, 3, "cut")],
)
def test_what_is_too_much_to_list_is_refused_before_it_is_listed(
    units: int, fort: int, dice: str
) -> None:
    troop = {"units": units, "attack": 3, "defence": 3}
    with pytest.raises(TooLarge):
        consult_odds(
            "PR-5.3", {"attacker": troop, "defender": {**troop, "fort": fort}}, {"dice": dice}
        )


def test_many_dice_against_few_units_have_exact_odds() -> None:
    odds = consult_odds(
        "PR-5.3",
        {
            "attacker": {"units": 1500, "attack": 1, "defence": 2},
            "defender": {"units": 4, "attack": 3, "defence": 5, "fort": 4},
        },
        {"dice": "all"},
    )
    assert len(odds.outcomes) == 25
    assert sum(Fraction(o.p) for o in odds.outcomes) == 1


def test_fractions_too_long_to_be_written_are_refused() -> None:
    troop = {"units": 4000, "attack": 1, "defence": 1}
    with pytest.raises(TooLarge, match="too_large"):
        consult_odds(
            "PR-5.3", {"attacker": troop, "defender": {**troop, "units": 2}}, {"dice": "all"}
        )
