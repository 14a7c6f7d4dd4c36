"""Exact laws, held against enumeration of faces, closed forms and icepool."""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction

import icepool
import msgspec
import pytest

from polemarque.kernel.agenda import Battles, Call, Tally, registered, roll
from polemarque.kernel.dice import D6, Reading, Roll, at_most, counts, faces, total, total_and
from polemarque.kernel.errors import KernelFault
from polemarque.kernel.records.keyed_dice import Seeded
from polemarque.odds import enumeration
from polemarque.odds.enumeration import law
from polemarque.odds.markov import solve
from polemarque.odds.outcomes import Mean
from polemarque.odds.rolls import OUTCOMES, TooLarge, rolled
from polemarque.odds.run_once import run_procedure
from tests.odds import toys
from tests.odds.toys import law_of


def run_with(rule, args, fed):
    """Run a procedure with the rolls fed so far: (value, tallies), or (the next roll, None)."""
    run, value, told = registered(rule).run(*args), None, defaultdict(int)
    while True:
        try:
            said = run.send(value)
        except StopIteration as end:
            return end.value, told
        value = None
        if isinstance(said, Roll):
            if not fed:
                return said, None
            value = said.read.of(fed.pop(0))
        elif isinstance(said, Call):
            value, inner = run_with(said.rule, said.args, fed)
            if inner is None:
                return value, None
            value = msgspec.structs.replace(value, **inner)
        elif isinstance(said, Tally):
            for name, n in said.sums.items():
                told[name] += n


def by_faces(rule, args):
    """The law of a procedure without rounds, from every way in which every die can fall."""
    chances, sums = defaultdict(Fraction), defaultdict(Fraction)

    def explore(fed, p):
        value, told = run_with(rule, args, list(fed))
        if told is None:
            every = list(itertools.product(range(1, value.sides + 1), repeat=value.count))
            for fell in every:
                explore([*fed, fell], p / len(every))
            return
        chances[value] += p
        for name, n in told.items():
            sums[value, name] += p * n

    explore([], Fraction(1))
    return chances, sums


@pytest.mark.parametrize(
    ("rule", "args"),
    [
        ("RK-1", (3, 6)),
        ("RK-1", (0, 6)),
        ("RK-2", (4, 2, 2)),
        ("RK-3", ((3, 1, 1), (4, 2, 0))),
        ("RK-3", ((0, 0, 1), (0, 0, 2))),
        ("RK-6", (4, 3, 2)),
        ("RK-9", (3,)),
        ("RK-10", (4,)),
        ("RK-15", (3,)),
        ("RK-15", (0,)),
        ("RK-15", (6,)),
    ],
)
def test_law_is_that_of_the_faces(rule, args):
    chances, sums = by_faces(rule, args)
    found = law(rule, args)
    assert {o.value: o.p for o in found.outcomes} == chances
    assert sum(o.p for o in found.outcomes) == 1
    for outcome in found.outcomes:
        for name, mean in outcome.means.items():
            assert mean == sums[outcome.value, name] / outcome.p


def test_outcomes_come_most_probable_first_and_then_in_order():
    found = law("RK-1", (2, 6)).outcomes
    assert [o.value.total for o in found] == [7, 6, 8, 5, 9, 10, 4, 11, 3, 12, 2]


def test_sums_agree_with_icepool():
    for count, sides in ((1, 6), (5, 3), (12, 6), (7, 10)):
        peer = count @ icepool.d(sides)
        ours = {o.value.total: o.p for o in law("RK-1", (count, sides)).outcomes}
        assert ours == {n: Fraction(weight, peer.denominator()) for n, weight in peer.items()}


def test_hits_and_saves_agree_with_icepool():
    hit, save = icepool.Die([1] * 3 + [0] * 3), icepool.Die([0] * 2 + [1] * 4)
    losses = (9 @ hit).map(lambda hits: hits @ save)
    found = law("RK-6", (9, 3, 2))
    assert {o.value.losses: o.p for o in found.outcomes} == {
        n: Fraction(weight, losses.denominator()) for n, weight in losses.items()
    }
    assert found.mean("hits") == Fraction(9, 2)


@pytest.mark.parametrize("count", [1, 2, 7, 30])
def test_readings_of_rolls_keep_their_law(count):
    for read in (total, at_most(2), at_most(9), total_and(6)):
        (value, weight), rest, scale = rolled(read, count, D6)
        assert dict([(value, weight), *rest]) == read.law(count, D6)
        assert scale == 6**count == weight + sum(w for _, w in rest)


# Rounds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edge", [-2, 0, 3, 5])
def test_ties_are_conditioned_out(edge):
    pairs = list(itertools.product(range(1, 7), repeat=2))
    wins = sum(a + edge > b for a, b in pairs)
    ties = sum(a + edge == b for a, b in pairs)
    found = law("RK-5", (edge,))
    assert found.p(lambda won: won.winner == "a") == Fraction(wins, 36 - ties)
    assert all(o.means["throws"] == Fraction(2 * 36, 36 - ties) for o in found.outcomes)


@pytest.mark.parametrize(("coins", "enough"), [(1, 2), (1, 7), (3, 10), (12, 20)])
def test_loops_have_their_closed_form(coins, enough):
    found = law("RK-7", (coins, enough))
    assert found.p(lambda end: end.rich) == Fraction(coins, enough)
    assert found.mean("rounds") == coins * (enough - coins)
    rich = next(o for o in found.outcomes if o.value.rich)
    assert rich.means["rounds"] == Fraction(enough**2 - coins**2, 3)


def test_rounds_agree_with_play_in_floating_point():
    found = law("RK-4", (10, 3))
    chances, lost, live = defaultdict(float), defaultdict(float), {10: (1.0, 0.0)}
    for _ in range(400):
        following = defaultdict(lambda: (0.0, 0.0))
        for attack, (p, carried) in live.items():
            for dice in itertools.product(range(1, 7), repeat=2):
                gap, q = attack - 3 - sum(dice), p / 36
                now = carried / 36 + q * 2
                if -2 <= gap <= 2:
                    there = attack + (gap > 0) - (gap < 0)
                    following[there] = (following[there][0] + q, following[there][1] + now)
                else:
                    chances["taken" if gap > 0 else "beaten"] += q
                    lost["taken" if gap > 0 else "beaten"] += now
        live = following
    assert {o.value.result for o in found.outcomes} == set(chances)
    for outcome in found.outcomes:
        name = outcome.value.result
        assert float(outcome.p) == pytest.approx(chances[name], abs=1e-12)
        assert float(outcome.means["lost"]) == pytest.approx(lost[name] / chances[name], abs=1e-9)


def test_elimination_solves_a_tangle_of_situations():
    n = 6
    edges = {i: ({j: (i * j + i + 1) % 5 for j in range(n)}, 30) for i in range(n)}
    ends = {i: ({"e": 30 - sum(edges[i][0].values())}, 30) for i in range(n)}
    for order in itertools.islice(itertools.permutations(range(n)), 0, 720, 97):
        assert all(x == {"e": of} for x, of in solve(order, edges, ends).values())


def test_a_roll_that_nobody_looks_at_takes_one_run():
    runs = []

    def begin():
        runs.append(0)
        return toys.seldom_read.run(0)

    found = law_of(begin, tallies=("hits",))
    assert len(runs) == 7  # of the second roll alone: once unread, then each of its values
    assert {o.means["hits"] for o in found.outcomes} == {Fraction(14 - 4)}


def test_laws_found_before_serve_again():
    known = {}
    first, situations = law("RK-7", (1, 9), known=known), len(known)
    assert situations == 8
    assert law("RK-7", (1, 9), known=known) == first
    assert law("RK-7", (5, 9), known=known).p(lambda end: end.rich) == Fraction(5, 9)
    assert len(known) == situations


def test_the_procedure_that_never_ends_is_a_fault():
    with pytest.raises(KernelFault, match="never ends"):
        law("RK-12", (0,))


def test_the_procedure_that_calls_itself_is_a_fault():
    with pytest.raises(KernelFault, match="calls itself"):
        law("RK-13", (0,))


# Tallies -----------------------------------------------------------------------------------------


def test_a_tally_that_is_read_is_a_fault():
    with pytest.raises(KernelFault, match="tally"):
        law("RK-11", (2,))


def test_means_can_be_added_and_scaled():
    two = Mean(3, 2) + 1 - Mean(1, 2)
    assert (-(2 * two) / 3 + 10 - Fraction(1)).exact == Fraction(23, 3)
    assert (3 - two).exact == 1
    for misuse in (bool, int, hash, lambda m: m == 1, lambda m: m > 1, lambda m: m * m):
        with pytest.raises(KernelFault):
            misuse(two)


# Questions ---------------------------------------------------------------------------------------


def test_law_of_a_question_leaves_its_tallies_out():
    found = law_of(lambda: toys.assault.run(10, 3), tallies=("rounds", "lost"))
    assert {o.value["result"] for o in found.outcomes} == {"taken", "beaten"}
    straight = {o.value.result: o for o in law("RK-4", (10, 3)).outcomes}
    for outcome in found.outcomes:
        same = straight[outcome.value["result"]]
        assert (outcome.p, outcome.means) == (same.p, same.means)


def test_law_of_what_asks_nothing():
    only = law_of(lambda: {"taxes": 3}).outcomes
    assert [(o.value, o.p) for o in only] == [({"taxes": 3}, 1)]


def test_choices_are_given_or_the_absent_players_and_named():
    given = law("RK-8", (3,), choices={"stake": 2})
    assert len(given.outcomes) == 11
    assert not given.choices
    absent = law("RK-8", (3,))
    assert len(absent.outcomes) == 6
    assert [(met.rule, met.subject, met.answer) for met in absent.choices] == [("RK-8", "stake", 1)]
    by_rule = law("RK-8", (3,), choices={"RK-8": 0})
    assert [o.value.total for o in by_rule.outcomes] == [0]
    illegal = law("RK-8", (3,), choices={"stake": 9})
    assert illegal.outcomes == absent.outcomes
    assert illegal.choices


# What is too large -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "args"),
    [("RK-9", (30,)), ("RK-9", (9,)), ("RK-10", (30,)), ("RK-1", (10**9, 6)), ("RK-1", (9000, 6))],
)
def test_what_is_too_large_is_refused_before_it_is_listed(rule, args, monkeypatch):
    monkeypatch.setattr(enumeration, "RUNS", 10_000)
    with pytest.raises(TooLarge) as refused:
        law(rule, args)
    assert refused.value.kind == "too_large"


def test_up_to_twenty_thousand_outcomes_are_given():
    def one_of(count):
        return {"which": (yield from roll(1, count, read=total, why="which"))}

    assert len(law_of(lambda: one_of(OUTCOMES)).outcomes) == OUTCOMES
    with pytest.raises(TooLarge):
        law_of(lambda: one_of(OUTCOMES + 1))


@pytest.mark.parametrize("read", [faces, counts(6), counts(100)])
def test_readings_with_too_many_values_are_refused(read):
    with pytest.raises(TooLarge):
        rolled(read, 60, 6)


@pytest.mark.parametrize(("count", "sides"), [(0, 6), (1, 6), (5, 6), (7, 3), (3, 4)])
def test_counts_of_faces_have_multinomial_weights(count, sides):
    named = counts(sides)
    wanted = Reading.law(named, count, sides)
    assert dict(named.law(count, sides)) == wanted
    assert named.values(count, sides) == len(wanted)
    assert sum(wanted.values()) == sides**count


def test_counts_read_other_dice_too():
    assert counts(6).law(2, 4) == Reading.law(counts(6), 2, 4)
    assert counts(6).values(2, 4) == 10


def test_a_procedure_opens_no_battle_and_says_nothing_of_its_own():
    def yields(what):
        yield what

    for what in (Battles(()), "a word"):
        with pytest.raises(KernelFault, match="toy"):
            law_of(lambda what=what: yields(what), rule="toy")
        with pytest.raises(KernelFault, match="toy"):
            run_procedure(lambda what=what: yields(what), Seeded(1), rule="toy")
