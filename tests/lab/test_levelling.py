"""The search for what makes it level, on games that are drawn, not played: A wins by a curve."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from polemarque.lab.games import Played
from polemarque.lab.levelling import Level, find_level
from tests.lab.test_statistics import A, game

VALUES = range(20, 61)

Curve = Callable[[int], float]


def line(middle: float, slope: float) -> Curve:
    """A share of one half at the middle, and so much more for each step."""
    return lambda value: min(0.95, max(0.05, 0.5 + slope * (value - middle)))


def found(curve: Curve, games: int = 400, seed: int = 0, seat: str = "A") -> Level:
    """Each game has its luck, the same at each value."""
    luck = [Random(f"{seed}/{n}").random() for n in range(games)]

    def games_at(at: int) -> list[Played]:
        chance = curve(VALUES[at])
        return [game(n, "A" if luck[n] < chance else "B", A) for n in range(games)]

    return find_level(VALUES, seat, ("A", "B"), games_at)


@pytest.mark.slow
@pytest.mark.parametrize("slope", [0.02, -0.02])
def test_the_level_is_found_and_its_interval_holds_the_true_one(slope: float) -> None:
    misses = 0
    for seed in range(40):
        level = found(line(37, slope), seed=seed)
        assert level.verdict == "found"
        assert level.low is not None and level.high is not None
        assert level.low <= level.value <= level.high
        misses += not level.low <= 37 <= level.high
        assert level.high - level.low <= 8
        assert level.games == 400 * len(level.points)
        assert len(level.points) <= 2 + 3 * 6
    assert misses <= 4  # 5 % of 40, and what chance adds to that


def test_the_seat_that_is_named_is_levelled() -> None:
    one, other = found(line(37, 0.02)), found(line(37, 0.02), seat="B")
    assert (one.seat, other.seat) == ("A", "B")
    assert one.value == other.value
    assert other.ends.value == -one.ends.value


def test_a_flat_curve_is_refused() -> None:
    level = found(lambda value: 0.5)
    assert (level.verdict, level.games, len(level.points)) == ("flat", 800, 2)
    assert found(lambda value: 0.7).verdict == "flat"


def test_where_the_level_lies_beyond_the_range_the_nearer_end_is_told() -> None:
    above = found(line(0, 0.006))  # 62 % at 20, and more from there
    assert (above.verdict, above.value) == ("outside", 20)
    below = found(line(80, 0.006))
    assert (below.verdict, below.value) == ("outside", 60)
    # An end that nothing tells from a level one is the best there is, and open on that side.
    near = found(line(19, 0.02))
    assert (near.verdict, near.value, near.low) == ("found", 20, None)
    assert near.high is not None


def test_a_leap_over_the_level_is_no_level() -> None:
    level = found(lambda value: 0.3 if value < 44 else 0.7)
    assert (level.verdict, level.value, level.beyond) == ("cliff", 43, 44)
    shares = {point.value: point.won.part for point in level.points}
    assert shares[43] < 0.4 and shares[44] > 0.6


def test_games_without_a_winner_tell_nothing_of_the_level() -> None:
    def games_at(at: int) -> list[Played]:
        return [game(n, "" if n % 2 else "A" if n % 100 < at + 30 else "B", A) for n in range(400)]

    level = find_level(range(41), "A", ("A", "B"), games_at)
    assert level.verdict == "found"
    assert {point.won.of for point in level.points} == {200}
    assert level.value == 20
