"""Whether chance alone makes what a study sees: tests, their correction for number, their power.

Binomial tests are exact and two-sided (twice the smaller tail).  Several answers from the same
games are corrected together by Holm's method (S. Holm, *A simple sequentially rejective multiple
test procedure*, Scandinavian Journal of Statistics 6, 1979): of all that is equal, anything at all
is called different in at most 5 studies of 100, however the answers hang together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from statistics import NormalDist

import msgspec

LEVEL = 0.05
"""In so many studies of what is equal, at most, anything is called different."""

POWER = 0.8
"""In so many studies of an advantage, at least, it is found: the size that is recommended."""

ODDS = 1.5
"""The advantage that a study should find: these odds beside those of the equal share, 60:40 with
two seats."""

MOST = 1_000_000
"""Games of a study at most; beyond, the normal approximation does."""

NORMAL = NormalDist()


# Binomial ----------------------------------------------------------------------------------------


def at_least(hits: int, of: int, chance: float) -> float:
    """The chance of so many hits or more, out of so many."""
    if hits <= 0 or chance >= 1:
        return 1.0
    if hits > of or chance <= 0:
        return 0.0
    if hits <= of * chance:  # the other tail is the shorter sum, and the more exact
        return 1.0 - at_least(of - hits + 1, of, 1 - chance)
    ways = math.lgamma(of + 1) - math.lgamma(hits + 1) - math.lgamma(of - hits + 1)
    term = math.exp(ways + hits * math.log(chance) + (of - hits) * math.log1p(-chance))
    total, odds = 0.0, chance / (1 - chance)
    for number in range(hits, of + 1):
        total += term
        if term < total * 1e-17:
            break
        term *= odds * (of - number) / (number + 1)
    return min(total, 1.0)


def binomial_p(hits: int, of: int, chance: float) -> float:
    """How rarely chance alone makes so few hits, or so many: twice the smaller tail, 1 at most."""
    few, many = at_least(of - hits, of, 1 - chance), at_least(hits, of, chance)
    return min(1.0, 2 * min(few, many))


def power(part: float, chance: float, of: int, level: float = LEVEL) -> float:
    """In what share of studies of so many games a seat with that part is told from a chance."""
    if part < chance:
        return power(1 - part, 1 - chance, of, level)
    low, high = math.floor(of * chance), of + 1
    while high - low > 1:  # the least number of hits that is told
        middle = (low + high) // 2
        if binomial_p(middle, of, chance) <= level:
            high = middle
        else:
            low = middle
    return at_least(high, of, part)


def games_for(part: float, chance: float, level: float = LEVEL) -> int | None:
    """How many games tell a part from a chance in 80 studies of 100; None where they are equal.

    The normal approximation says where to look, the exact test how far to go.
    """
    if part == chance:
        return None
    found, missed = NORMAL.inv_cdf(1 - level / 2), NORMAL.inv_cdf(POWER)
    spread = found * math.sqrt(chance * (1 - chance)) + missed * math.sqrt(part * (1 - part))
    games = max(1, math.ceil((spread / (part - chance)) ** 2))
    while games <= MOST and power(part, chance, games, level) < POWER:
        games += max(1, games // 200)
    return games


def advantaged(chance: float) -> float:
    """The share of a seat with the advantage that a study should find: 0.6 where 0.5 is equal."""
    return ODDS * chance / (1 - chance + ODDS * chance)


def questions(seats: int) -> int:
    """Tests that so many seats make: with two, the one's victory is the other's defeat."""
    return seats if seats > 2 else 1


def recommended(seats: int) -> int:
    """Games of a study that finds an advantaged seat among so many in 80 studies of 100.

    Each of the games has one winner: draws, which tell nothing of the seats, come on top.
    """
    if seats < 2:
        return 1
    return games_for(advantaged(1 / seats), 1 / seats, LEVEL / questions(seats)) or 1


def least_gap(differing: int, pairs: int, level: float) -> float:
    """The gap of two shares that so many pairs show in 80 studies of 100, where as many differ."""
    far = NORMAL.inv_cdf(1 - level / 2) + NORMAL.inv_cdf(POWER)
    return far * math.sqrt(differing) / pairs


# Several answers at once -------------------------------------------------------------------------


def holm(given: Sequence[float]) -> tuple[float, ...]:
    """Each p as Holm's method corrects it for the number of them: told where it is at most 0.05."""
    adjusted, least = [1.0] * len(given), 0.0
    for rank, at in enumerate(sorted(range(len(given)), key=given.__getitem__)):
        least = max(least, min(1.0, (len(given) - rank) * given[at]))
        adjusted[at] = least
    return tuple(adjusted)


def together(setups: Sequence[Sequence[float]]) -> tuple[tuple[float, ...], ...]:
    """The tests of the seats of one set-up or several, corrected for all of them by Holm's method.

    Of a set-up of two seats both tests are one.
    """
    kept = [tests[: questions(len(tests))] for tests in setups]
    corrected = iter(holm([p for tests in kept for p in tests]))
    made = [[next(corrected) for _ in tests] for tests in kept]
    return tuple([
        tuple(ps * 2 if len(ps) < len(tests) else ps)
        for ps, tests in zip(made, setups, strict=True)
    ])  # fmt: skip


# A lead, or a roll, apart from the seat ----------------------------------------------------------


class Agreement(msgspec.Struct, frozen=True):
    """How often seats that bear a mark win, and how often they would if it meant nothing.

    expected: of the marks, the part that win because their seats win that often.
    p:        how rarely chance makes such a gap; None where the seats explain all there is: the
              same ones are always marked, or always win.
    """

    expected: float
    p: float | None


def agreement(games: Sequence[tuple[Collection[str], Collection[str]]]) -> Agreement:
    """The seats marked in each game and its winners: do they agree beyond what seats explain?

    A mark is a lead, or what a seat rolled.  As in Cohen's kappa, each seat is marked and wins as
    often as it does, and only which game's winners fall on which game's marks is left to chance.
    Mean and variance over all such orders are exact (W. Hoeffding, *A combinatorial central limit
    theorem*, 1951); p is of the normal law, corrected for continuity.
    """
    of = len(games)
    marks = Counter([frozenset(marked) for marked, _ in games])
    wins = Counter([frozenset(won) for _, won in games])
    claims = sum([n * len(marked) for marked, n in marks.items()])
    if not claims:
        return Agreement(0.0, None)
    rows = {a: sum([n * len(a & won) for won, n in wins.items()]) / of for a in marks}
    columns = {b: sum([n * len(b & marked) for marked, n in marks.items()]) / of for b in wins}
    mean = sum([n * rows[marked] for marked, n in marks.items()]) / of
    variance = sum([
        n * k * (len(a & b) - rows[a] - columns[b] + mean) ** 2
        for a, n in marks.items() for b, k in wins.items()
    ])  # fmt: skip
    if variance < 1e-9:
        return Agreement(mean * of / claims, None)
    seen = sum([len({*marked} & {*won}) for marked, won in games])
    z = max(abs(seen - mean * of) - 0.5, 0.0) / math.sqrt(variance / (of - 1))
    return Agreement(mean * of / claims, math.erfc(z / math.sqrt(2)))


# Pairs of the same seed --------------------------------------------------------------------------


def student_p(t: float, degrees: int) -> float:
    """How rarely Student's t is so far from 0 (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan2(abs(t), math.sqrt(degrees))
    cosine, sine = math.cos(angle), math.sin(angle)
    term = cosine if degrees % 2 else 1.0
    total = 0.0
    for number in range(degrees % 2 + 2, degrees + 1, 2):
        total += term
        term *= cosine * cosine * (number - 1) / number
    within = (2 / math.pi) * (angle + sine * total) if degrees % 2 else sine * total
    return max(0.0, 1.0 - within)


def student(degrees: int) -> float:
    """Within as many standard errors lie 95 % of Student's law."""
    low, high = 0.0, 13.0  # of one degree it is 12.706
    for _ in range(60):
        middle = (low + high) / 2
        if student_p(middle, degrees) > LEVEL:
            low = middle
        else:
            high = middle
    return high
