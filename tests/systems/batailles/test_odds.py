"""Exact odds against a count of all faces, and in time for the table."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from polemarque.odds.consult import consult, consult_odds

SMALL: dict[str, Any] = {
    "a": {"pm": 20, "morale": 6, "command": 2, "players": 1},
    "b": {"pm": 12, "morale": 9, "command": 1, "players": 0},
}


def test_odds_are_what_a_count_of_all_faces_says() -> None:
    counted: dict[tuple[Any, ...], Fraction] = {}
    sums: dict[tuple[Any, ...], Fraction] = {}
    for one, two, player, other in product(range(1, 7), repeat=4):
        score_a, score_b = one + two + player + 8, other + 10
        gap = abs(score_a - score_b)
        winner = None if not gap else "a" if score_a > score_b else "b"
        outcome = "tie" if not gap else "narrow" if gap < 6 else "clear" if gap < 11 else "crushing"
        loser = {"tie": 10, "narrow": 5, "clear": 10, "crushing": 15}[outcome]
        for die in range(1, 7):
            won = {"tie": 10, "narrow": die - 1, "clear": 5, "crushing": die + 4}[outcome]
            loss_a = min(won, 1 // 2) if winner == "a" else min(loser, 1)  # b inflicts 1
            loss_b = min(won, 2 // 2) if winner == "b" else min(loser, 2)  # a inflicts 2
            key = (outcome, winner, loss_a, loss_b)
            counted[key] = counted.get(key, Fraction(0)) + Fraction(1, 6**5)
            sums[key] = sums.get(key, Fraction(0)) + Fraction(score_a, 6**5)
    odds = consult_odds("BC-2.1", SMALL)
    found = {}
    for chance in odds.outcomes:
        r = chance.result
        key = (r["outcome"], r["winner"], r["loss_a"], r["loss_b"])
        found[key] = Fraction(chance.p)
        assert Fraction(chance.means["score_a"]) == sums[key] / counted[key]
    assert found == counted
    assert sum(found.values()) == 1


def test_odds_of_a_great_battle_come_in_time() -> None:
    side = {"pm": 100, "morale": 10, "command": 3, "players": 5}
    odds = consult_odds("BC-2.1", {"a": side, "b": side})
    assert sum(Fraction(chance.p) for chance in odds.outcomes) == 1


def test_equal_sides_have_equal_odds() -> None:
    side = {"pm": 50, "morale": 10, "command": 3, "players": 2}
    won = {"a": Fraction(0), "b": Fraction(0), None: Fraction(0)}
    for chance in consult_odds("BC-2.1", {"a": side, "b": side}).outcomes:
        won[chance.result["winner"]] += Fraction(chance.p)
    assert won["a"] == won["b"]


def test_odds_of_an_umpires_choice_take_the_least_and_say_so() -> None:
    odds = consult_odds("BC-2.1", SMALL, {"winner_losses": "umpire"})
    assert all(met.rule == "BC-2.7" for met in odds.choices)
    assert {met.answer for met in odds.choices} <= {0, 5}


def test_results_have_the_keys_of_the_contract_in_their_order() -> None:
    answer = consult("BC-2.1", SMALL, [1, 1, 1, 6, 1])
    assert list(answer.result) == [
        "score_a", "score_b", "gap", "outcome", "winner", "loss_a", "loss_b", "morale_a",
        "morale_b", "feats_a", "feats_b", "out_a", "out_b",
    ]  # fmt: skip
    assert [die.face for die in answer.dice] == [1, 1, 1, 6, 1]
    for name in ("score_a", "gap", "feats_b"):
        assert name not in consult_odds("BC-2.1", SMALL).outcomes[0].result
