"""Chances in floats, for other programs, held against the exact odds of the rules themselves."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.odds.atlantide import conquest
from polemarque.odds.batailles import battle
from polemarque.odds.consult import consult_odds
from polemarque.odds.promiterra import exchange, fight
from polemarque.odds.rolls import TooLarge

NEAR = 1e-12

TROOPS = [
    ({"units": 10, "attack": 3, "defence": 2}, {"units": 5, "attack": 3, "defence": 3}),
    ({"units": 23, "attack": 6, "defence": 0}, {"units": 17, "attack": 0, "defence": 5, "fort": 4}),
    ({"units": 12, "attack": 1, "defence": 5, "fort": 2}, {"units": 31, "attack": 5, "defence": 1}),
    ({"units": 0, "attack": 3, "defence": 2}, {"units": 4, "attack": 6, "defence": 0, "fort": 1}),
    ({"units": 7, "attack": 4, "defence": 3, "fort": 3}, {"units": 8, "attack": 2, "defence": 2,
                                                          "fort": 3}),
]  # fmt: skip


def joint(a, b, dice):
    """Exact losses of attacker and defender."""
    odds = consult_odds("PR-5.3", {"attacker": a, "defender": b}, {"dice": dice})
    return {
        (o.result["attacker_losses"], o.result["defender_losses"]): Fraction(o.p)
        for o in odds.outcomes
    }


@pytest.mark.parametrize("dice", ["cut", "all"])
@pytest.mark.parametrize(("a", "b"), TROOPS)
def test_an_exchange_has_the_odds_of_the_rule(a, b, dice):
    known = joint(a, b, dice)
    found = exchange(a, b, dice=dice)
    for place, name in enumerate(("attacker_losses", "defender_losses")):
        exact = Counter()
        for losses, p in known.items():
            exact[losses[place]] += p
        assert sum(found[name].values()) == pytest.approx(1, abs=NEAR)
        for lost in {*exact, *found[name]}:
            assert abs(found[name].get(lost, 0) - exact[lost]) < NEAR


def test_large_armies_are_answered_too():
    a, b = {"units": 5000, "attack": 3, "defence": 2}, {"units": 3000, "attack": 3, "defence": 3}
    every = exchange(a, b, dice="all")["attacker_losses"]
    exact = Fraction(comb(3000, 1000) * 2000**0 * 2**2000, 3**3000)  # a hit is saved 1 time in 3
    assert abs(every[1000] - exact) < NEAR
    cut = exchange(a, b)["defender_losses"]
    assert sum(cut.values()) == pytest.approx(1, abs=NEAR) and max(cut) <= 3000


def test_without_riposte_the_attacker_loses_nothing():
    assert exchange(*TROOPS[0], riposte=False)["attacker_losses"] == {0: 1.0}


@pytest.mark.parametrize("dice", ["cut", "all"])
@pytest.mark.parametrize(("a", "b"), TROOPS)
def test_a_fight_goes_on_until_one_is_left(a, b, dice):
    few_a, few_b = a | {"units": min(a["units"], 6)}, b | {"units": min(b["units"], 5)}

    @cache
    def ends(i, j):
        if not i or not j:
            return Fraction(bool(i)), Fraction(bool(j)), Fraction(not i and not j)
        chances = joint(few_a | {"units": i}, few_b | {"units": j}, dice)
        stays = chances.pop((0, 0), 0)
        parts = [
            [p * n for n in ends(i - lost, j - killed)] for (lost, killed), p in chances.items()
        ]
        return tuple(sum(part) / (1 - stays) for part in zip(*parts, strict=True))

    found = fight(few_a, few_b, dice=dice)
    exact = ends(few_a["units"], few_b["units"])
    for name, p in zip(("a", "b", "none"), exact, strict=True):
        assert abs(found[name] - p) < NEAR
    assert found["stalemate"] == 0


def test_troops_that_cannot_hurt_each_other_fight_for_ever():
    harmless = {"units": 3, "attack": 0, "defence": 1}
    assert fight(harmless, harmless)["stalemate"] == 1
    assert fight(harmless, harmless | {"attack": 1})["b"] == pytest.approx(1, abs=NEAR)
    with pytest.raises(TooLarge):
        fight(harmless | {"units": 1000}, harmless | {"units": 1000, "attack": 1})


GROUNDS = [
    {"terrain": "forest", "capital": False, "capital_conquered": False, "atlantis": False,
     "player_held": False, "fortresses": 0},
    {"terrain": "mountains", "capital": True, "capital_conquered": True, "atlantis": True,
     "player_held": True, "fortresses": 2},
]  # fmt: skip


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize(("force", "loot"), [(13, 0), (16, 120), (9, 50)])
def test_a_conquest_tells_its_losses_apart(ground, force, loot):
    inputs = {"combat_force": force, "loot": loot, **ground}
    found = conquest(**inputs)
    assert sum(found.values()) == pytest.approx(1, abs=NEAR)
    exact, means = Counter(), Counter()
    for outcome in consult_odds("AT-9.5", inputs).outcomes:
        p, result = Fraction(outcome.p), outcome.result["result"]
        exact[result] += p
        means[result] += p * Fraction(outcome.means["figures_lost"])
    for result, p in exact.items():
        ours = {lost: q for (end, lost), q in found.items() if end == result}
        assert abs(sum(ours.values()) - p) < NEAR
        assert abs(sum(lost * q for lost, q in ours.items()) - means[result]) < 1e-10


def test_the_first_round_of_a_conquest_counted_by_hand():
    # 13 against 6 + 1 + 2D6 on a plain: without losses only where attack less defence is 5 or more.
    plain = GROUNDS[0] | {"terrain": "plains"}
    strength = 6 + 1
    unhurt = sum(20 - strength - x - y >= 5 for x, y in product(range(1, 7), repeat=2))
    assert conquest(combat_force=20, loot=0, **plain)["taken", 0] == pytest.approx(unhurt / 36)


SIDES = [
    ({"pm": 12, "morale": 3, "command": 2, "players": 0}, {"pm": 13, "morale": 2, "command": 2,
                                                           "players": 1}),
    ({"pm": 10, "morale": 5, "command": 2, "players": 1}, {"pm": 11, "morale": 9, "command": 1,
                                                           "players": 0}),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), SIDES)
def test_a_battle_is_fought_phase_by_phase(a, b):
    @cache
    def ends(pm_a, pm_b, morale_a, morale_b, previous):
        sides = {"a": a | {"pm": pm_a, "morale": morale_a},
                 "b": b | {"pm": pm_b, "morale": morale_b}}  # fmt: skip
        found = Counter()
        for outcome in consult_odds("BC-2.1", {**sides, "previous_winner": previous}).outcomes:
            p, r = Fraction(outcome.p), outcome.result
            beaten = {side for side in "ab" if r[f"out_{side}"]}
            if not r["loss_a"] and not r["loss_b"]:
                beaten = set("ab") - {r["winner"]}
            if beaten:
                left = set("ab") - beaten
                found[left.pop() if left else "none"] += p
                continue
            paired = r["winner"] in (None, previous)
            for end, q in ends(
                pm_a - r["loss_a"], pm_b - r["loss_b"],
                morale_a + r["morale_a"], morale_b + r["morale_b"],
                "none" if paired else r["winner"],
            ).items():  # fmt: skip
                found[end] += p * q
        return found

    exact = ends(a["pm"], b["pm"], a["morale"], b["morale"], "none")
    found = battle(a, b)
    assert set(found) == {"a", "b", "none"}
    for end, p in found.items():
        assert abs(p - exact[end]) < NEAR


@pytest.mark.parametrize(
    ("ask", "part"),
    [
        (lambda: exchange({"units": 3, "attack": 7, "defence": 0}, TROOPS[0][1]), "attack"),
        (lambda: exchange({"units": 3, "attack": 1}, TROOPS[0][1]), "defence"),
        (lambda: exchange(TROOPS[0][0] | {"colour": 1}, TROOPS[0][1]), "colour"),
        (lambda: exchange(*TROOPS[0], dice="some"), "some"),
        (lambda: fight(*TROOPS[0], dice="some"), "some"),
        (lambda: conquest(combat_force=13), "loot"),
        (lambda: conquest(combat_force=13, loot=0, **GROUNDS[0], weather=1), "weather"),
        (lambda: battle({"pm": 30}, SIDES[0][1]), "morale"),
    ],
)
def test_what_is_wrong_is_named(ask, part):
    with pytest.raises(NotUnderstood) as refused:
        ask()
    assert part in str(refused.value.part) + str(refused.value.data)


def test_a_side_out_of_action_starts_no_battle():
    with pytest.raises(NotAllowed):
        battle(SIDES[0][0] | {"pm": 2}, SIDES[0][1])
    with pytest.raises(TooLarge):
        battle(SIDES[0][0] | {"pm": 200}, SIDES[0][1] | {"pm": 200})
