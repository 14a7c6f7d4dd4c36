"""Exact odds of an attack: against enumeration, and of armies of any size."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial, prod
from typing import Any

import msgspec
import pytest

from polemarque.odds.consult import Asked, consult, consult_odds, consult_parts
from polemarque.odds.enumeration import law
from polemarque.odds.rolls import TooLarge
from tests.odds.toys import law_of


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


def convolved(laws: list[dict[int, Fraction]], most: int) -> dict[int, Fraction]:
    """Losses to several strikes, capped, by every combination."""
    found: dict[int, Fraction] = {}
    for ends in product(*[each.items() for each in laws]):
        lost = min(sum(n for n, _ in ends), most)
        found[lost] = found.get(lost, Fraction(0)) + prod([p for _, p in ends])
    return found


@pytest.mark.parametrize("dice", ["all", "cut"])
@pytest.mark.parametrize(
    ("troops", "shares", "target"),
    [
        ([(2, 3, 2, 0), (1, 4, 1, 0), (2, 3, 2, 0)], [1, 0, 2], (3, 2, 1, 0)),
        ([(2, 6, 2, 1), (1, 0, 5, 4)], [2, 1], (3, 5, 0, 2)),
        ([(2, 2, 3, 0)], [1], (1, 3, 3, 0)),
        ([(0, 2, 3, 0), (2, 6, 0, 0)], [0, 0], (2, 6, 0, 3)),
    ],
)
def test_several_attackers_against_every_face(
    dice: str, troops: list[Any], shares: list[int], target: Any
) -> None:
    attackers = [
        {**fighter(*one), "riposte": share} for one, share in zip(troops, shares, strict=True)
    ]
    odds = consult_odds(
        "PR-5.7", {"attackers": attackers, "defender": fighter(*target)}, {"dice": dice}
    )
    units, attack, defence, fort = target
    due = [strike(a[0], a[1], defence, fort if fort > a[3] else 0, units) for a in troops]
    back = [
        strike(share, attack, a[2], a[3] if a[3] > fort else 0, a[0])
        for a, share in zip(troops, shares, strict=True)
    ]
    wanted = {}
    for lost, p in convolved(due, units).items():
        for ends in product(*[each.items() for each in back]):
            chance = p * prod([q for _, q in ends])
            if chance:
                wanted[lost, tuple(n for n, _ in ends)] = chance
    found = {
        (o.result["defender_losses"], tuple(o.result["attacker_losses"])): Fraction(o.p)
        for o in odds.outcomes
    }
    assert found == wanted
    assert all("means" not in msgspec.to_builtins(o) for o in odds.outcomes)


@pytest.mark.parametrize("dice", ["all", "cut"])
def test_several_attackers_have_the_law_of_the_rule_that_is_played(dice: str) -> None:
    troops = [fighter(9, 2, 3), fighter(4, 3, 1, 2), fighter(9, 2, 3)]
    given = {"attackers": troops, "defender": fighter(8, 3, 2)}
    asked = Asked("PR-5.7", given, {"dice": dice})
    played = law_of(asked.begin, rule="PR-5.7", rules=asked.rules)
    odds = consult_odds("PR-5.7", given, {"dice": dice})
    assert [(o.result, Fraction(o.p)) for o in odds.outcomes] == [
        (o.value, o.p) for o in played.outcomes
    ]
    assert odds.choices == played.choices


def test_six_attackers_of_forty_have_a_law_each_where_their_joint_is_refused() -> None:
    troops = [fighter(40, 2, 2)] * 6
    given = {"attackers": troops, "defender": fighter(40, 3, 3)}
    answer = consult_parts("PR-5.7", given, {"dice": "all"})
    target, *each = [part.outcomes for part in answer.parts]
    # 240 units, of which each takes one with 2/6 × 3/6; and six or ten that riposte.
    found = {o.result["defender_losses"]: Fraction(o.p) for o in target}
    few = {n: Fraction(comb(240, n) * 5 ** (240 - n), 6**240) for n in range(40)}
    assert found == {**few, 40: 1 - sum(few.values())}
    for place, (outcomes, share) in enumerate(zip(each, [6] * 5 + [10], strict=True)):
        assert {o.result[f"attacker_losses[{place}]"]: Fraction(o.p) for o in outcomes} == {
            n: Fraction(comb(share, n) * 2 ** (share - n), 3**share) for n in range(share + 1)
        }
    with pytest.raises(TooLarge) as refused:
        consult_odds("PR-5.7", given, {"dice": "all"})
    assert (refused.value.code, refused.value.part) == ("odds.joint", str(41 * 7**5 * 11))


def test_halves_of_an_exchange_are_given_apart_however_long_their_joint_is() -> None:
    given = {"attacker": fighter(200, 3, 2), "defender": fighter(150, 3, 3)}
    there, back = [part.outcomes for part in consult_parts("PR-5.3", given, {"dice": "all"}).parts]
    lost = {o.result["defender_losses"]: Fraction(o.p) for o in there}
    few = {n: Fraction(comb(200, n) * 3 ** (200 - n), 4**200) for n in range(150)}
    assert lost == {**few, 150: 1 - sum(few.values())}
    assert sum(Fraction(o.p) for o in back) == 1 and len(back) == 151
    # 100 hits are expected, and the more of them the more of the target is lost.
    assert all(list(o.means or ()) == ["hits"] for o in there)
    mean = sum(Fraction(o.p) * Fraction(o.means["hits"]) for o in there if o.means)
    assert mean == 100
    with pytest.raises(TooLarge):
        consult_odds("PR-5.3", given, {"dice": "all"})


def test_a_rule_of_one_result_has_one_part() -> None:
    (part,) = consult_parts("PR-4.1", {"loyalty": 7}).parts
    assert part.outcomes == consult_odds("PR-4.1", {"loyalty": 7}).outcomes


@pytest.mark.parametrize(("rule", "whose"), [("PR-2.4", "alliances"), ("MN-7.5", "players")])
def test_of_too_many_orders_each_place_is_told_and_only_the_list_is_refused(
    rule: str, whose: str
) -> None:
    given = {whose: list("ABCDEFGH")}
    answer = consult_parts(rule, given)
    assert answer.dependent is True and len(answer.parts) == 8
    for place, part in enumerate(answer.parts):
        assert [o.result for o in part.outcomes] == [{f"order[{place}]": one} for one in "ABCDEFGH"]
        assert {o.p for o in part.outcomes} == {"1/8"}
    with pytest.raises(TooLarge) as refused:
        consult_odds(rule, given)
    assert (refused.value.code, refused.value.part) == ("odds.joint", "40320")
    with pytest.raises(TooLarge) as refused:
        consult_parts(rule, {whose: [str(n) for n in range(2000)]})
    assert refused.value.part == str(2000 * 2000)
    few = consult_parts(rule, {whose: list("ABCDEFG")})
    assert few.dependent is not True and len(few.parts[0].outcomes) == 5040


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
