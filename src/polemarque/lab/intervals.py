"""Shares and means with what they are worth: intervals at 95 %, and how many games would tell.

Floating point is enough here: these figures are read, no game depends on them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

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

    def excludes(self, chance: float) -> bool:
        """Whether it can hardly be that chance."""
        return not self.low <= chance <= self.high


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


def needed(part: float, chance: float) -> int | None:
    """How many games it takes until the interval of a share excludes a chance, if the share stays.

    Wilson's interval excludes q from n > z² q (1 − q) / (p − q)² on.  None where they are equal.
    """
    if part == chance:
        return None
    return math.floor(Z * Z * chance * (1 - chance) / (part - chance) ** 2) + 1


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

    @property
    def told(self) -> bool:
        """Whether chance hardly makes such a gap: the interval does not hold 0."""
        return not self.low <= 0 <= self.high


def gap_of_shares(first: Share, second: Share) -> Gap:
    """The gap of two shares, by Newcombe's interval, which is made of Wilson's two."""
    value = second.part - first.part
    below = math.hypot(second.part - second.low, first.high - first.part)
    above = math.hypot(second.high - second.part, first.part - first.low)
    return Gap(value, value - below, value + above)


def gap_of_means(first: Spread, second: Spread) -> Gap:
    """The gap of two means, as of samples that do not know each other."""
    value = second.mean - first.mean
    wide = Z * math.hypot(first.error, second.error)
    return Gap(value, value - wide, value + wide)
