"""False alarms and power of a study, by simulation and by enumeration: no game is played.

Victories are drawn from the multinomial law, by fixed seeds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from polemarque.lab.intervals import share
from polemarque.lab.significance import (
    LEVEL,
    POWER,
    advantaged,
    agreement,
    at_least,
    binomial_p,
    games_for,
    holm,
    least_gap,
    power,
    questions,
    recommended,
    student,
    student_p,
    together,
)

STUDIES = 1000


def verdicts(won: list[int], games: int) -> tuple[float, ...]:
    """The tests of the seats of one set-up, as a study has them."""
    return together([[binomial_p(hits, games, 1 / len(won)) for hits in won]])[0]


def victories(chances: list[float], games: int, seed: int) -> list[list[int]]:
    """Victories of each seat in many studies of so many games."""
    chance, seats = Random(seed), range(len(chances))
    drawn = [Counter(chance.choices(seats, chances, k=games)) for _ in range(STUDIES)]
    return [[study[seat] for seat in seats] for study in drawn]


@pytest.mark.parametrize("games", [60, 460])
@pytest.mark.parametrize("seats", [2, 3, 4, 6, 9])
def test_equal_seats_are_called_unequal_in_five_studies_of_100_at_most(
    seats: int, games: int
) -> None:
    studies = victories([1 / seats] * seats, games, seed=seats)
    alarms = sum([min(verdicts(won, games)) <= LEVEL for won in studies])
    assert alarms <= LEVEL * STUDIES
    # Each interval by itself excludes the equal share of some seat far more often.
    if seats == 6:
        alone = [any(not s.low <= 1 / 6 <= s.high for s in (share(n, games) for n in won))
                 for won in studies]  # fmt: skip
        assert sum(alone) > 0.2 * STUDIES


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_seat_of_60_to_40_is_found_in_80_studies_of_100_of_the_recommended_size(
    seats: int,
) -> None:
    games, part = recommended(seats), advantaged(1 / seats)
    chances = [part, *[(1 - part) / (seats - 1)] * (seats - 1)]
    studies = victories(chances, games, seed=7)
    found = sum([verdicts(won, games)[0] <= LEVEL for won in studies])
    assert power(part, 1 / seats, games, LEVEL / questions(seats)) >= POWER
    assert found >= (POWER - 3 * 0.0127) * STUDIES  # three standard errors of 1000 studies
    fewer = games * 9 // 10
    assert power(part, 1 / seats, fewer, LEVEL / questions(seats)) < POWER


def test_of_several_fair_set_ups_none_is_called_unfair_in_more_than_five_studies_of_100() -> None:
    for seats, setups in ((2, 5), (4, 10)):
        equal = [1 / seats] * seats
        studies = [*zip(*[victories(equal, 200, seed=n) for n in range(setups)], strict=True)]
        alarms = sum(
            min(
                map(
                    min,
                    together([[binomial_p(hits, 200, 1 / seats) for hits in won] for won in study]),
                )
            )
            <= LEVEL
            for study in studies
        )
        assert alarms <= LEVEL * len(studies)


def test_the_tests_of_two_seats_are_one() -> None:
    assert together([(0.02, 0.02), (0.01, 0.01)]) == ((0.02, 0.02), (0.02, 0.02))
    assert together([(0.02, 0.5, 0.5), (0.04, 0.04)]) == ((0.08, 1, 1), (0.12, 0.12))
    assert together([]) == ()


def test_60_to_40_is_what_it_says() -> None:
    assert advantaged(0.5) == pytest.approx(0.6)
    assert advantaged(1 / 6) == pytest.approx(3 / 13)  # odds 1:5 become 3:10
    assert (recommended(2), recommended(1)) == (199, 1)


@pytest.mark.parametrize(("of", "chance"), [(1, "1/2"), (12, "1/6"), (40, "2/5")])
def test_tails_are_sums_of_the_binomial_law(of: int, chance: str) -> None:
    p = Fraction(chance)
    law = [math.comb(of, k) * p**k * (1 - p) ** (of - k) for k in range(of + 1)]
    for hits in range(of + 2):
        assert at_least(hits, of, float(p)) == pytest.approx(float(sum(law[hits:])), abs=1e-12)
    for hits in range(of + 1):
        tails = min(sum(law[hits:]), sum(law[: hits + 1]))
        assert binomial_p(hits, of, float(p)) == pytest.approx(min(1.0, float(2 * tails)))
    told = [
        hits for hits in range(of + 1) if hits > of * p and binomial_p(hits, of, float(p)) <= LEVEL
    ]
    wanted = at_least(min(told), of, 0.7) if told else 0.0
    assert power(0.7, float(p), of) == pytest.approx(wanted)


def test_tails_of_a_million_games_are_soon_summed() -> None:
    assert binomial_p(501_000, 1_000_000, 0.5) == pytest.approx(0.0456, abs=1e-4)
    assert at_least(1_000_000, 1_000_000, 0.5) == 0
    assert binomial_p(0, 0, 0.5) == 1


def test_games_that_tell_a_part_from_a_chance() -> None:
    for part, chance in ((0.3, 0.25), (0.2, 0.25), (0.7, 0.5)):
        games = games_for(part, chance)
        assert games is not None
        assert power(part, chance, games) >= POWER
        assert power(part, chance, games * 9 // 10) < POWER
    assert games_for(0.25, 0.25) is None


def test_holm_takes_each_in_turn_and_never_falls_back() -> None:
    # Holm (1979): the least of four times 4, the next times 3 …, none below the one before.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.6, 0.7]) == (1.0, 1.0)
    assert holm([]) == ()


def test_leaders_that_win_no_more_than_their_seats_are_seldom_told() -> None:
    """A leads 70 and wins 60 games of 100, whichever; told apart in five studies of 100 at most."""
    chance, alarms = Random(3), 0
    for _ in range(STUDIES):
        leads = [(chance.choices("AB", (7, 3))[0], chance.choices("AB", (6, 4))[0])
                 for _ in range(100)]  # fmt: skip
        found = agreement(leads)
        alarms += found.p is not None and found.p <= LEVEL
    assert 0 < alarms <= LEVEL * STUDIES


def test_the_agreement_of_leaders_and_winners_is_that_of_all_their_orders() -> None:
    leads = [("A", "A"), ("A", "B"), ("A", "A"), ("B", "B"), ("B", "")]
    _is_that_of_all_orders(leads, 5)
    # Marks of several seats of a game, and victories of several: six marks, one game without.
    _is_that_of_all_orders([("AB", "A"), ("AC", "AC"), ("", "B"), ("C", "C"), ("B", "AB")], 6)
    assert agreement([]).p is None
    assert agreement([("A", "A"), ("A", "B")]).p is None


def _is_that_of_all_orders(leads: list[tuple[str, str]], marks: int) -> None:
    def agreeing(order: Sequence[str]) -> int:
        return sum(len({*led} & {*won}) for (led, _), won in zip(leads, order, strict=True))

    winners = [won for _, won in leads]
    hits = [agreeing(order) for order in permutations(winners)]
    mean = Fraction(sum(hits), len(hits))
    variance = sum((n - mean) ** 2 for n in hits) / len(hits)
    found = agreement(leads)
    assert found.expected == pytest.approx(float(mean) / marks)
    z = max(abs(agreeing(winners) - mean) - Fraction(1, 2), 0) / Fraction(math.sqrt(variance))
    assert found.p == pytest.approx(math.erfc(float(z) / math.sqrt(2)))


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (2, 4.303), (9, 2.262), (30, 2.042), (1000, 1.962)]
)
def test_students_quantiles_are_those_of_the_tables(degrees: int, quantile: float) -> None:
    assert student(degrees) == pytest.approx(quantile, abs=6e-4)
    assert student_p(quantile, degrees) == pytest.approx(LEVEL, abs=1e-4)
    assert student_p(0, degrees) == 1


def test_the_least_gap_that_pairs_show_is_found_in_80_studies_of_100() -> None:
    """200 pairs of which a fifth differ, more one way: McNemar tells them as often as promised."""
    gap, pairs = least_gap(40, 200, LEVEL), 200
    chance, found = Random(5), 0
    for _ in range(STUDIES):
        drawn = chance.choices("+-=", (0.1 + gap / 2, 0.1 - gap / 2, 0.8), k=pairs)
        gained, lost = drawn.count("+"), drawn.count("-")
        found += binomial_p(gained, gained + lost, 0.5) <= LEVEL
    assert found == pytest.approx(POWER * STUDIES, abs=0.08 * STUDIES)
