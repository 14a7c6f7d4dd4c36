"""Shares and means with what they are worth: their intervals at 95 %.

Floating point is enough here: these figures are read, no game depends on them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from polemarque.lab.significance import student

Z = 1.959963984540054
"""Within as many standard deviations lie 95 % of a normal law."""


class Share(msgspec.Struct, frozen=True):
    """So many out of so many, and the interval of Wilson at 95 % in which the chance lies.

    Out of none nothing is known: the interval is from 0 to 1.
    """

    hits: int
    of: int
    low: float
    high: float

    @property
    def part(self) -> float:
        """Hits out of all; 0 out of none."""
        return self.hits / self.of if self.of else 0.0


def share(hits: int, of: int) -> Share:
    """Hits out of so many, with their interval."""
    if not of:
        return Share(0, 0, 0.0, 1.0)
    return Share(hits, of, *wilson(hits / of, of))


def wilson(part: float, of: int) -> tuple[float, float]:
    """Wilson's interval of a share of so many: it holds the share, and stays within 0 and 1."""
    z = Z * Z / of
    middle = part + z / 2
    spread = Z * math.sqrt(part * (1 - part) / of + z / of / 4)
    low, high = (middle - spread) / (1 + z), (middle + spread) / (1 + z)
    return max(min(low, part), 0.0), min(max(high, part), 1.0)


class Spread(msgspec.Struct, frozen=True):
    """Numbers by rank, the lesser where a rank falls between two, and their mean."""

    n: int
    least: float
    low: float
    middle: float
    high: float
    most: float
    mean: float
    error: float
    """The standard error of the mean."""


def spread(values: Sequence[float]) -> Spread | None:
    """Least, quartiles, most and mean; None of no numbers."""
    if not values:
        return None
    n, line = len(values), sorted(values)
    mean = math.fsum(line) / n
    variance = math.fsum([(value - mean) ** 2 for value in line]) / (n - 1) if n > 1 else 0.0
    low, middle, high = (line[math.ceil(n * part / 4) - 1] for part in (1, 2, 3))
    return Spread(n, line[0], low, middle, high, line[-1], mean, math.sqrt(variance / n))


class Gap(msgspec.Struct, frozen=True):
    """By how much a second figure is more than a first, and its interval at 95 %."""

    value: float
    low: float
    high: float


def gap_of_pairs(gained: int, lost: int, of: int) -> Gap:
    """The gap of two shares of the same games, each played twice.

    gained: pairs of which only the second game counts; lost: only the first.
    The interval is that of A. Agresti and Y. Min, *Simple improved confidence intervals for
    comparing matched proportions*, Statistics in Medicine 24, 2005.
    """
    some, more, fewer = of + 2, gained + 0.5, lost + 0.5
    middle = (more - fewer) / some
    wide = Z * math.sqrt(more + fewer - (more - fewer) ** 2 / some) / some
    return Gap((gained - lost) / of, max(middle - wide, -1.0), min(middle + wide, 1.0))


def gap_of_means(found: Spread) -> Gap:
    """The mean of the differences of pairs, with Student's interval."""
    wide = student(found.n - 1) * found.error if found.error else 0.0
    return Gap(found.mean, found.mean - wide, found.mean + wide)
