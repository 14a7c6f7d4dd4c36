"""Exact odds of an attack: against enumeration, and of armies of any size."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial
from typing import Any

import pytest

from polemarque.odds.consult import consult, consult_odds
from polemarque.odds.enumeration import law
from polemarque.odds.rolls import TooLarge


def fighter(units: int, attack: int, defence: int, fort: int = 0) -> dict[str, int]:
    return {"units": units, "attack": attack, "defence": defence, "fort": fort}


def strike(units: int, attack: int, defence: int, fort: int, most: int) -> dict[int, Fraction]:
    """Losses by every face of every die, without the program's help (few units)."""
    found: dict[int, Fraction] = {}
    for dice in product(range(1, 7), repeat=units):
        hits = sum(die <= attack for die in dice)
        for saves in product(range(1, 7), repeat=hits):
            left = sum(die > defence for die in saves)
            for walls in product(range(1, 7), repeat=left if fort else 0):
                through = sum(die > fort for die in walls) if fort else left
                p = Fraction(1, 6 ** (units + hits + len(walls)))
                lost = min(through, most)
                found[lost] = found.get(lost, Fraction(0)) + p
    return found


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((2, 3, 2, 0), (3, 2, 1, 0)),
        ((3, 4, 1, 0), (1, 6, 5, 2)),
        ((2, 2, 0, 3), (2, 5, 3, 1)),
        ((1, 6, 2, 2), (2, 0, 0, 2)),
    ],
)
def test_small_attacks_against_enumeration(a: Any, b: Any) -> None:
    odds = consult_odds("PR-5.3", {"attacker": fighter(*a), "defender": fighter(*b)})
    there = strike(a[0], a[1], b[2], b[3] if b[3] > a[3] else 0, b[0])
    back = strike(b[0], b[1], a[2], a[3] if a[3] > b[3] else 0, a[0])
    wanted = {(d, r): p * q for d, p in there.items() for r, q in back.items() if p * q}
    found = {
        (o.result["defender_losses"], o.result["attacker_losses"]): Fraction(o.p)
        for o in odds.outcomes
    }
    assert found == wanted
    mean = sum(Fraction(o.p) * Fraction(o.means["hits"]) for o in odds.outcomes if o.means)
    assert mean == Fraction(a[0] * a[1], 6)


@pytest.mark.parametrize(("a", "b"), [(50, 20), (5000, 3000), (100_000, 100_000)])
def test_large_armies_have_exact_odds(a: int, b: int) -> None:
    odds = consult_odds("PR-5.3", {"attacker": fighter(a, 2, 3), "defender": fighter(b, 3, 3)})
    assert sum(Fraction(o.p) for o in odds.outcomes) == 1
    assert all(o.result["defender_losses"] <= b for o in odds.outcomes)


def test_every_die_of_many_is_too_much_and_said_so() -> None:
    given = {"attacker": fighter(3000, 2, 3), "defender": fighter(3000, 3, 3)}
    with pytest.raises(TooLarge):
        consult_odds("PR-5.3", given, {"dice": "all"})


def test_every_die_of_some_can_be_reckoned() -> None:
    given = {"attacker": fighter(40, 2, 3), "defender": fighter(30, 3, 3), "riposte": False}
    odds = consult_odds("PR-5.3", given, {"dice": "all"})
    mean = sum(Fraction(o.p) * o.result["defender_losses"] for o in odds.outcomes)
    assert mean < Fraction(40, 6)  # 40 × 2/6 × 1/2, but for the cap at 30
    assert mean > Fraction(40, 6) - Fraction(1, 1000)


def test_a_loyalty_test_has_the_odds_of_two_dice() -> None:
    odds = consult_odds("PR-4.1", {"loyalty": 7})
    assert {o.result["holds"]: o.p for o in odds.outcomes} == {True: "7/12", False: "5/12"}


def test_ties_of_a_duel_are_conditioned_out() -> None:
    odds = consult_odds("PR-7.6", {})
    assert [o.p for o in odds.outcomes] == ["1/2", "1/2"]


def test_typed_dice_are_asked_for_in_the_order_of_the_rule() -> None:
    given = {"attacker": fighter(16, 3, 1), "defender": fighter(4, 2, 1, 3)}
    answer = consult("PR-5.3", given, dice=[1] * 8 + [6] * 8 + [3] + [4] * 7 + [1] * 4 + [6] * 4)
    assert answer.result == {
        "hits": 16, "defender_losses": 4, "riposte_hits": 4, "attacker_losses": 4,
    }  # fmt: skip
    assert [die.why for die in answer.dice[::8]] == [
        "attack_hits", "attack_saves", "attack_fort_saves", "riposte_hits",
    ]  # fmt: skip


def test_odds_of_a_riposte_name_the_split_that_nobody_gave() -> None:
    light = {"units": 1, "attack": 2, "defence": 2}
    given = {"attackers": [light, light], "defender": {"units": 5, "attack": 3, "defence": 3}}
    odds = consult_odds("PR-5.7", given)
    (met,) = odds.choices
    split = {"riposte.attackers[0]": 2, "riposte.attackers[1]": 3}
    assert (met.rule, met.answer) == ("PR-5.7", split)
    shares = [{**light, "riposte": 2}, {**light, "riposte": 3}]
    assert consult_odds("PR-5.7", {**given, "attackers": shares}).outcomes == odds.outcomes


def test_conditions_have_exact_odds_as_long_as_they_can_be_listed() -> None:
    odds = consult_odds("PR-8.4", {"lost": 15})
    assert len(odds.outcomes) == comb(20, 5)
    assert sum(Fraction(o.p) for o in odds.outcomes) == 1
    most = [2, 2, 2, 3, 3, 3]
    assert sorted(odds.outcomes[0].result.values()) == most
    ways = factorial(15) // (2**3 * 6**3)
    assert Fraction(odds.outcomes[0].p) == Fraction(ways, 6**15)
    with pytest.raises(TooLarge) as refused:
        consult_odds("PR-8.4", {"lost": 16})
    assert refused.value.code == "odds.too_many"


def test_every_order_of_play_is_equally_likely() -> None:
    for sides in ("A", "AB", "ABC"):
        outcomes = consult_odds("PR-2.4", {"alliances": list(sides)}).outcomes
        wanted = law("PR-2.4", ((tuple(sides),),)).outcomes
        found = {tuple(o.result["order"]): Fraction(o.p) for o in outcomes}
        assert found == {o.value.alliances: o.p for o in wanted}
    outcomes = consult_odds("PR-2.4", {"alliances": list("ABCDE")}).outcomes
    assert [o.result["order"] for o in outcomes] == list(permutations("ABCDE"))
    assert {o.p for o in outcomes} == {"1/120"}
    with pytest.raises(TooLarge):
        consult_odds("PR-2.4", {"alliances": list("ABCDEFGH")})
