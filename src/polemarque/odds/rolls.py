"""The laws of rolls: every value of a reading with its weight, and where listing must stop."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from math import gcd
from typing import Any

from polemarque.kernel.dice import Reading
from polemarque.kernel.errors import Refusal

OUTCOMES = 20_000
"""More outcomes than this are not listed."""

RUNS = 400_000
"""A law that takes more runs of its procedures than this is not computed."""

HOPELESS = RUNS
"""A first run that branches more widely than this is refused at once."""

PAIRS = 100_000
"""Two halves of a roll are joined if that takes no more additions; else die is added to die."""

ADDITIONS = 3_000_000
"""A reading whose law takes more additions than this, die by die, is not computed."""

DICE = 24_000
"""Rolls whose dice have more faces together than this are not computed."""


class TooLarge(Refusal):
    """Exact odds would take too long: they can be estimated by sampling."""

    kind = "too_large"


Branches = tuple[tuple[Any, int], list[tuple[Any, int]], int]
"""The likeliest value and its weight, the others, and what all weights add up to."""


def branches(weighted: list[tuple[Any, int]], scale: int) -> Branches:
    """Likeliest first: the first way through stands for all when their number is estimated."""
    if len(weighted) == 1:
        return weighted[0], [], scale
    first = max(weighted, key=lambda branch: branch[1])
    return first, [branch for branch in weighted if branch is not first], scale


@lru_cache(maxsize=256)
def rolled(read: Reading[Any], count: int, sides: int) -> Branches:
    """The values of a roll.  Raises TooLarge before it lists too many."""
    if read.values(count, sides) > OUTCOMES:
        few = bisect_right(range(count), OUTCOMES, key=lambda n: read.values(n, sides)) - 1
        raise TooLarge("odds.too_many", part=read.values(count, sides), answered=f"{few}D{sides}")
    if count * sides > DICE:
        raise TooLarge(
            "odds.too_large", part=f"{count}D{sides}", answered=f"{DICE // sides}D{sides}"
        )
    weights = _bounded_law(read, count, sides)
    if weights is None or len(weights) > RUNS:
        raise TooLarge("odds.too_large", part=f"{count}D{sides}")
    return branches(list(weights.items()), sides**count)


@lru_cache(maxsize=256)
def mean_of(read: Reading[Any], count: int, sides: int) -> tuple[int, int] | None:
    """The mean of a roll; None if it has one value, or they are no numbers.  Raises TooLarge."""
    (value, weight), others, scale = rolled(read, count, sides)
    if type(value) is not int or not others:
        return None
    total = value * weight + sum([other * n for other, n in others])
    common = gcd(total, scale)
    return total // common, scale // common


def _bounded_law(read: Reading[Any], count: int, sides: int) -> Mapping[Any, int] | None:
    """The law of a reading, or None if that takes too long."""
    if type(read).law is not Reading.law or count <= 1:
        return read.law(count, sides)
    half = _bounded_law(read, count - count // 2, sides)
    if half is None or len(half) ** 2 <= PAIRS:
        return None if half is None else read.law(count, sides)  # by halves: few values
    return _grown_law(read, half, count // 2, sides)


def _grown_law(
    read: Reading[Any], law: Mapping[Any, int], more: int, sides: int
) -> Mapping[Any, int] | None:
    """A law with so many dice more, one by one, or None if that takes too long.

    Where values have several parts, most pairs of halves lead to the same ones: this is quicker.
    """
    add, face, left = read.add, read.law(1, sides).items(), ADDITIONS
    for _ in range(more):
        left -= len(law) * len(face)
        if left < 0:
            return None
        grown: dict[Any, int] = {}
        for value, weight in law.items():
            for other, times in face:
                both = add(value, other)
                grown[both] = grown.get(both, 0) + weight * times
        law = grown
    return law
