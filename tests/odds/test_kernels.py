"""Kernels held against the rules on the same dice, against exact odds, and against themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from math import sqrt

import pytest

from polemarque.api import call
from polemarque.kernel.dice import D3, D6
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.game import Game, new_header
from polemarque.odds import kernels, sampling
from polemarque.odds.atlantide import assaults
from polemarque.odds.batailles import battle
from polemarque.odds.consult import Asked, consult_odds, consult_sample
from polemarque.odds.promiterra import fight
from polemarque.systems.atlantide.chapters.conquest import CONQUEST, assault
from polemarque.systems.atlantide.chapters.simulation import LOSSES
from polemarque.systems.atlantide.strength import Ground
from polemarque.systems.batailles.outcome import GAP
from polemarque.systems.promiterra.chapters.dice_cutting import CUTTING
from polemarque.systems.promiterra.chapters.strikes import Fighter, clash
from tests.odds.test_chances import TROOPS as FEW
from tests.strangers import FORD, installed, package

PLAYS = 300

# Dice --------------------------------------------------------------------------------------------


def faces(state, count, sides):
    """The faces that kernels see, by the digits of whole numbers instead of fractions."""
    each = 8 if sides == D6 else 1
    span, found = sides**each, []
    while len(found) < count:
        drawn = kernels.word(state) * span
        while drawn % 2**32 < 2**32 % span:
            drawn = kernels.word(state) * span
        number = drawn // 2**32
        digits = [number // sides**place % sides + 1 for place in reversed(range(each))]
        found += digits[: count - len(found)]
    return found


class Same:
    """A source of the very dice that a kernel rolls from this seed."""

    def __init__(self, seed):
        self.state = sampling.generator_state(seed)

    def throw(self, roll, where=None, decision=None):
        return tuple(faces(self.state, roll.count, roll.sides))


@pytest.fixture
def same_dice(monkeypatch):
    """Rules that are sampled roll what kernels roll from the same seed."""
    monkeypatch.setattr(sampling, "Stream", Same)


def test_the_generator_is_xoshiro128_plus_plus():
    state = [1, 2, 3, 4]  # the numbers are those of its authors' program
    assert [kernels.word(state) for _ in range(10)] == [
        641, 1573767, 3222811527, 3517856514, 836907274,
        4247214768, 3867114732, 1355841295, 495546011, 621204420,
    ]  # fmt: skip


@pytest.mark.parametrize("needed", [0, 2, 5, 6])
@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 61])
def test_dice_are_added_up_and_counted(count, needed):
    one, other = [5, 6, 7, 8], [5, 6, 7, 8]
    for _ in range(20):
        shown = faces(one, count, D6)
        assert kernels.sixes(other, count, needed) == (
            sum(shown), sum(face <= needed for face in shown)
        )  # fmt: skip
        assert kernels.thrown(other, count, D3) == sum(faces(one, count, D3))
    assert one == other


def test_words_that_would_favour_a_face_are_drawn_again(monkeypatch):
    words = iter([0, 2**32 - 1])  # 0 is one of them, for all that is no power of two
    monkeypatch.setattr(kernels, "word", lambda state: next(words))
    assert kernels.sixes([], 3, 5) == (18, 0)
    words = iter([0, 2**31])
    assert kernels.thrown([], 1, D3) == 2


# The rules on the same dice ----------------------------------------------------------------------

TROOPS = [
    *FEW,
    ({"units": 450, "attack": 5, "defence": 1}, {"units": 160, "attack": 4, "defence": 4}),
    ({"units": 1, "attack": 6, "defence": 5}, {"units": 1, "attack": 6, "defence": 0}),
]  # fmt: skip

GROUNDS = [
    {"terrain": "forest", "capital": False, "capital_conquered": False, "atlantis": False,
     "player_held": False, "fortresses": 0},
    {"terrain": "mountains", "capital": True, "capital_conquered": True, "atlantis": True,
     "player_held": True, "fortresses": 2},
]  # fmt: skip

SIDES = [
    ({"pm": 80, "morale": 10, "command": 3, "players": 3}, {"pm": 70, "morale": 9, "command": 4,
                                                            "players": 2}),
    ({"pm": 3, "morale": 0, "command": 1, "players": 0}, {"pm": 25, "morale": 1, "command": 1,
                                                          "players": 1}),
    ({"pm": 41, "morale": 20, "command": 5, "players": 1}, {"pm": 39, "morale": 4, "command": 1,
                                                            "players": 0}),
]  # fmt: skip

EXCHANGES = [
    ("PR-5.3", {"attacker": a, "defender": b, "riposte": riposte}, {"dice": dice})
    for a, b in TROOPS
    for dice in ("cut", "all")
    for riposte in (True, False)
]
PHASES = [
    ("BC-2.1", {"a": a, "b": b, "previous_winner": previous}, options)
    for a, b in SIDES
    for previous, options in (
        ("none", {}),
        ("a", {"pm_dice": "ceil", "tie_morale": 2}),
        ("b", {"winner_losses": "most", "no_wipeout": "floor", "streak": "every"}),
    )
] + [
    ("BC-2.1", {"a": SIDES[0][0], "b": SIDES[0][1], "winner_loss": 5}, {"winner_losses": "umpire"})
]
ASSAULTS = [
    ("AT-9.5", {"combat_force": force, "loot": loot, **ground}, {})
    for ground in GROUNDS
    for force, loot in ((13, 0), (16, 120), (9, 50), (40, 0), (-20, 0))
]
SIMULATED = [
    ("AT-8.11", {"attacker_force": 10, "defender_force": other, "defender_absent": absent}, {})
    for other in (10, 14, -40)
    for absent in (False, True)
]


@pytest.mark.parametrize(
    ("rule", "inputs", "options"), [*EXCHANGES, *PHASES, *ASSAULTS, *SIMULATED]
)
def test_a_kernel_plays_the_rule(same_dice, rule, inputs, options):
    asked = Asked(rule, inputs, options)
    tallies, played = asked.question.tallies, sampling.as_played(asked)
    by_rule = sampling.sample_of(
        asked.begin, PLAYS, 7, tallies=tallies, rule=rule, rules=asked.rules
    )
    assert sampling.sample_played(played, PLAYS, 7, tallies=tallies) == by_rule


@pytest.mark.parametrize("left", [None, 0, 1, 4, 200])
def test_an_assault_ends_with_the_last_figure(same_dice, left):
    args, tallies = (14, Ground(**GROUNDS[0]), left), ("rounds", "figures_lost")
    by_rule = sampling.sample_of(lambda: call(assault, *args), PLAYS, 7, tallies=tallies)
    assert sampling.sample_played(assaults(*args), PLAYS, 7, tallies=tallies) == by_rule
    ends = {o.value["result"] for o in by_rule.outcomes}
    assert ("destroyed" in ends) is (left in (0, 1, 4))


@pytest.mark.parametrize("dice", ["cut", "all"])
@pytest.mark.parametrize(("a", "b"), TROOPS)
def test_a_fight_is_one_exchange_after_another(same_dice, a, b, dice):
    def fought():
        first, second = (Fighter(**troop) for troop in (a, b))
        turn = 0
        while first.units and second.units:
            ours, theirs = (second, first) if turn else (first, second)
            cost = yield from call(clash, ours, theirs, True, dice)
            losses = [cost.attacker_losses, cost.defender_losses]
            first, second = (
                Fighter(one.units - lost, one.attack, one.defence, one.fort)
                for one, lost in zip((first, second), losses[::-1] if turn else losses, strict=True)
            )
            turn = 1 - turn
        return "a" if first.units else "b" if second.units else "none"

    law = sampling.sample_of(fought, PLAYS, 7)
    found = fight(a, b, dice, sample=PLAYS, seed=7)
    assert {end: p for end, p in found.items() if p} == {o.value: float(o.p) for o in law.outcomes}


@pytest.mark.parametrize(("a", "b"), SIDES)
def test_a_battle_is_the_game_in_which_both_go_on(a, b):
    source, ends = Same(7), {"a": 0, "b": 0, "none": 0}
    setup = {
        code: {**side, "players": [str(n) for n in range(side["players"])]}
        for code, side in (("a", a), ("b", b))
    }
    for _ in range(60):
        game = Game(new_header("batailles", setup=setup), source)
        game.settle()
        while not game.over:
            game.absent(game.requests()[0].missing[0])
            game.settle()
        ends[game.state.ending.winner or "none"] += 1
    assert battle(a, b, sample=60, seed=7) == {end: n / 60 for end, n in ends.items()}


# What is sampled ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "inputs", "options"),
    [EXCHANGES[0], EXCHANGES[2], PHASES[0], ASSAULTS[1], SIMULATED[0]],
)
def test_shares_are_those_of_the_exact_odds(rule, inputs, options):
    """Chi-square, at one case in ten thousand (Wilson and Hilferty's approximation)."""
    plays = 20_000
    found = {
        json.dumps(o.result): plays * Fraction(o.p)
        for o in consult_sample(rule, inputs, options, n=plays, seed=11).outcomes
    }
    distance, cells, rest, seldom = 0.0, 0, float(plays), float(plays)
    for outcome in consult_odds(rule, inputs, options).outcomes:
        expected = plays * Fraction(outcome.p)
        if expected >= 10:
            came = found.get(json.dumps(outcome.result), 0)
            distance += float((came - expected) ** 2 / expected)
            cells, rest, seldom = cells + 1, rest - float(came), seldom - float(expected)
    if seldom >= 1:
        distance, cells = distance + (rest - seldom) ** 2 / seldom, cells + 1
    assert cells > 3
    free = cells - 1
    assert distance < free * (1 - 2 / (9 * free) + 3.72 * sqrt(2 / (9 * free))) ** 3


def test_shares_of_whole_fights_and_battles_are_exact_ones_too():
    error = 4 * sqrt(0.25 / 5_000)
    for dice in ("cut", "all"):
        exact, found = (fight(*TROOPS[0], dice, sample=n, seed=3) for n in (None, 5_000))
        assert set(found) == set(exact)
        assert all(abs(found[end] - p) < error for end, p in exact.items())
    exact, found = (battle(*SIDES[2], sample=n, seed=3) for n in (None, 5_000))
    assert all(abs(found[end] - p) < error for end, p in exact.items())


def test_armies_too_large_for_exact_odds_are_sampled():
    a, b = ({**side, "pm": 400} for side in SIDES[0])
    assert sum(battle(a, b, sample=5, seed=1).values()) == pytest.approx(1)
    one, other = ({**troop, "units": 400} for troop in TROOPS[0])
    assert sum(fight(one, other, sample=5, seed=1).values()) == pytest.approx(1)
    for ask in (
        lambda: battle({**a, "pm": 100_001}, b, sample=1),
        lambda: fight({**one, "units": 100_001}, other, sample=1),
        lambda: fight(one, other, sample=0),
    ):
        with pytest.raises(NotUnderstood):
            ask()
    helpless = {"units": 3, "attack": 0, "defence": 1}
    assert fight(helpless, helpless, sample=5)["stalemate"] == 1


def test_what_no_kernel_plays_is_left_to_the_rule():
    phase = {"a": SIDES[0][0], "b": SIDES[0][1]}
    for rule, inputs, options in (
        ("BC-2.1", phase, {"winner_losses": "umpire"}),
        ("PR-5.3", {"attacker": {**TROOPS[0][0], "units": 100_001}, "defender": TROOPS[0][1]}, {}),
        ("AT-8.11", {**SIMULATED[0][1], "attacker_force": 200_000}, {}),
        ("PR-5.1", {"units": 50, "attack": 2}, {}),
    ):
        assert sampling.as_played(Asked(rule, inputs, options)) is None
    umpire = consult_sample("BC-2.1", phase, {"winner_losses": "umpire"}, n=30, seed=1)
    assert umpire.choices[0].rule == "BC-2.7"
    with pytest.raises(NotAllowed):
        consult_sample("BC-2.1", {**phase, "a": {**SIDES[0][0], "pm": 2}}, n=1)


CROSSED = """

from polemarque.odds.kernels import compiled, row_of, thrown
from polemarque.odds.sampling import Played

@compiled
def crossings(plays, state, given, book):
    for _ in range(plays):
        die = 3
        while die == 3:
            die = thrown(state, 1, 6)
        row_of(die > given[0], book)

KERNELS = {
    "CHP-2": lambda asked: Played(
        "fjord:crossings", [[asked.inputs.depth]], lambda n: Across(across=n == 1))
}
"""


def test_a_strangers_system_brings_its_kernels(tmp_path):
    told = FORD.format(name="fjord", depth=3) + CROSSED
    package(tmp_path, "fjord", told.replace("    seats=", '    kernels="fjord", seats='))
    with installed(tmp_path):
        asked = Asked("fjord:CHP-2", {"depth": 3})
        assert sampling.as_played(asked).kernel == "fjord:crossings"
        found = consult_sample("fjord:CHP-2", {"depth": 3}, n=4_000, seed=1).outcomes
        shares = {one.result["across"]: float(Fraction(one.p)) for one in found}
        assert shares[False] == pytest.approx(2 / 5, abs=0.03)
        assert set(shares) == {True, False}


def test_tables_of_kernels_are_open_above():
    assert {table.span[1] for table in (LOSSES, CONQUEST, CUTTING, GAP)} == {None}


def test_a_book_is_emptied_before_it_is_full(monkeypatch):
    asked = Asked("PR-5.3", {"attacker": TROOPS[5][0], "defender": TROOPS[5][1]}, {"dice": "all"})
    played, at_once = sampling.as_played(asked), None
    for chunk, rows in ((sampling.CHUNK, kernels.ROWS), (50, 100)):
        monkeypatch.setattr(sampling, "CHUNK", chunk)
        monkeypatch.setattr(kernels, "ROWS", rows)
        found = sampling.sample_played(played, 1_000, 5, tallies=asked.question.tallies)
        assert sum(o.p for o in found.outcomes) == 1
        assert found == (at_once or found)
        at_once = found
    assert len(at_once.outcomes) > 500


# Compiled ----------------------------------------------------------------------------------------

BOTH_WAYS = """
import json, sys
from polemarque.odds import kernels
from polemarque.odds.batailles import battle
from polemarque.odds.consult import consult_sample
from polemarque.odds.promiterra import fight
import msgspec

compiled, times, asked, fights, sides = json.load(sys.stdin)
assert kernels.COMPILED is compiled
took = []
for rule, inputs, options in asked:
    answer = consult_sample(rule, inputs, options, n=2000, seed=4, on_compiled=took.append)
    print(msgspec.json.encode(answer).decode())
for a, b in fights:
    print([fight(a, b, dice, sample=200, seed=4) for dice in ("cut", "all")])
for a, b in sides:
    print(battle(a, b, sample=200, seed=4))
assert len(took) == times
"""


@pytest.mark.slow
def test_compiled_or_not_the_figures_are_the_same(tmp_path):
    said = []
    for compiled, times in ((False, 0), (True, 4), (True, 0)):  # then they are kept
        given = [compiled, times, [*EXCHANGES, *PHASES, *ASSAULTS, *SIMULATED], TROOPS, SIDES]
        switched = {"NUMBA_DISABLE_JIT": str(int(not compiled)), "NUMBA_CACHE_DIR": str(tmp_path)}
        ran = subprocess.run(
            [sys.executable, "-c", BOTH_WAYS], input=json.dumps(given), env=os.environ | switched,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        said.append(ran.stdout)
    assert said[0] == said[1] == said[2] and len(said[0].splitlines()) > 50
