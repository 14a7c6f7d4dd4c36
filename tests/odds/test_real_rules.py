"""The odds of our systems' own rules, held against icepool and against every face."""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction

import icepool
import msgspec
import pytest

from polemarque.kernel.agenda import Rules, registered
from polemarque.odds.consult import consult_odds
from polemarque.odds.enumeration import law
from polemarque.odds.rolls import TooLarge
from polemarque.systems.atlantide.strength import Ground
from polemarque.systems.batailles.phase_values import Force
from polemarque.systems.promiterra.chapters.strikes import Fighter


def side(pm, players, morale=10, command=3):
    return {"pm": pm, "morale": morale, "command": command, "players": players}


def by_outcome(answer):
    chances = defaultdict(Fraction)
    for outcome in answer.outcomes:
        chances[outcome.result["outcome"], outcome.result["winner"]] += Fraction(outcome.p)
    return chances


@pytest.mark.parametrize(("a", "b"), [((100, 3), (100, 3)), ((60, 0), (40, 2)), ((10, 1), (5, 0))])
def test_a_phase_agrees_with_icepool(a, b):
    answer = consult_odds("BC-2.1", {"a": side(*a), "b": side(*b, morale=12)})
    gap = (a[0] // 10 + a[1]) @ icepool.d6 - (b[0] // 10 + b[1]) @ icepool.d6 - 2
    wanted = defaultdict(Fraction)
    for difference, weight in gap.items():
        far = abs(difference)
        name = "tie" if not far else "narrow" if far < 6 else "clear" if far < 11 else "crushing"
        winner = "a" if difference > 0 else "b" if difference < 0 else None
        wanted[name, winner] += Fraction(weight, gap.denominator())
    assert by_outcome(answer) == wanted
    feats = sum(Fraction(o.p) * Fraction(o.means["feats_a"]) for o in answer.outcomes)
    assert feats == Fraction(a[1], 6)
    mean = sum(Fraction(o.p) * Fraction(o.means["score_a"]) for o in answer.outcomes)
    assert mean == Fraction(7, 2) * (a[0] // 10 + a[1]) + 13


def force(pm, players, morale=10, command=3, **more):
    return Force(pm=pm, engaged=pm, morale=morale, command=command, players=players, **more)


@pytest.mark.parametrize(
    ("rule", "args"),
    [
        ("BC-2.1/scores", (force(40, 2), force(30, 3, 9, strategy=2), "floor")),
        ("BC-2.1/scores", (force(31, 0, blessing=1), force(9, 2, 14, 5), "ceil")),
        ("BC-2.1/scores", (force(9, 0, 6), force(25, 0), "floor")),
        ("BC-2.1/scores", (force(9, 0), force(9, 0), "floor")),
        ("PR-5.3/strike", (50, 3, Fighter(20, 2, 3), 0, "cut", "attack")),
        ("PR-5.3/strike", (50, 3, Fighter(90, 2, 3, 2), 2, "cut", "riposte")),
        ("PR-5.3/strike", (1500, 4, Fighter(400, 2, 1, 4), 4, "cut", "attack")),
        ("PR-5.3/strike", (5, 6, Fighter(3, 2, 5, 1), 1, "cut", "attack")),
        ("PR-5.3/strike", (4, 3, Fighter(9, 2, 0), 0, "cut", "attack")),
        ("PR-5.3/strike", (7, 0, Fighter(0, 2, 2), 0, "cut", "attack")),
        ("PR-5.3/strike", (0, 3, Fighter(4, 2, 2, 3), 3, "cut", "attack")),
        ("AT-8.11", (12, 14, True)),
        ("AT-8.11", (3, 20, False)),
        ("AT-8.11", (20, 20, False)),
    ],
)
def test_a_law_in_closed_form_is_that_of_the_dice(rule, args):
    entry = registered(rule)
    assert entry.law is not None and entry.law(*args) is not None
    rolled = Rules("polemarque", "~")
    rolled[rule] = msgspec.structs.replace(entry, law=None)
    assert law(rule, args) == law(rule, args, rules=rolled)


def test_a_phase_of_thousands_of_dice_is_answered_and_one_of_more_refused_at_once():
    answer = consult_odds("BC-2.1", {"a": side(20_000, 3), "b": side(20_000, 3)})
    assert sum(Fraction(o.p) for o in answer.outcomes) == 1
    won = {o: p for o, p in by_outcome(answer).items() if o[1]}
    for name in ("narrow", "clear", "crushing"):
        assert won[name, "a"] == won[name, "b"]
    with pytest.raises(TooLarge) as refused:
        consult_odds("BC-2.1", {"a": side(40_000, 3), "b": side(40_000, 3)})
    assert refused.value.part == "8006D6"


def test_a_simulated_battle_conditions_its_ties_out():
    answer = consult_odds(
        "AT-8.11", {"attacker_force": 12, "defender_force": 14, "defender_absent": True}
    )
    wins = defaultdict(int)
    for a, b, c, d in itertools.product(range(1, 7), repeat=4):
        gap = 12 + a + b - (14 + c + d - 5)
        if gap:
            wins["attacker" if gap > 0 else "defender", abs(gap)] += 1
    found = {(o.result["winner"], o.result["difference"]): Fraction(o.p) for o in answer.outcomes}
    total = sum(wins.values())
    assert found == {who: Fraction(n, total) for who, n in wins.items()}


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("left", [None, 1, 4])
def test_an_assault_depends_on_the_strength_of_its_ground_and_on_who_holds_it(held, left):
    entry = registered("AT-9.5")
    rolled = Rules("polemarque", "~")
    rolled["AT-9.5"] = msgspec.structs.replace(entry, odds=None)
    laws, sizes, known = [], [], {}
    for terrain, capital, heart, attack in (
        ("mountains", True, False, 18), ("forest", True, True, 19), ("plains", False, False, 15),
    ):  # fmt: skip
        figures = (attack + 2 * held, Ground(terrain, capital, False, heart, held, 2), left)
        laws.append(law("AT-9.5", figures, known=known))
        sizes.append(len(known))
        assert laws[-1] == law("AT-9.5", figures, rules=rolled)
    assert laws[0] == laws[1] == laws[2]
    assert sizes[0] == sizes[1] == sizes[2]


def test_an_assault_agrees_with_play_in_floating_point():
    ground = {
        "terrain": "forest", "capital": False, "capital_conquered": True, "atlantis": False,
        "player_held": False, "fortresses": 0,
    }  # fmt: skip
    answer = consult_odds("AT-9.5", {"combat_force": 14, "loot": 50, **ground})
    taken = {0: 0.0, 100: 0.0, 200: 0.0}
    live = {15: 1.0}
    for _ in range(500):
        following = defaultdict(float)
        for attack, p in live.items():
            for dice in itertools.product(range(1, 7), repeat=2):
                gap, q = attack - 7 - sum(dice), p / 36
                if -2 <= gap <= 2:
                    following[attack + (gap > 0) - (gap < 0)] += q
                else:
                    taken[200 if gap >= 5 else 100 if gap > 0 else 0] += q
        live = following
    found = {0: Fraction(0), 100: Fraction(0), 200: Fraction(0)}
    for outcome in answer.outcomes:
        found[outcome.result["loot"]] += Fraction(outcome.p)
    assert {k: float(p) for k, p in found.items()} == pytest.approx(taken, abs=1e-12)
    assert sum(found.values()) == 1
