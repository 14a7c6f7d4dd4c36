"""What one set-up changes beside another: games of the same seed are pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise
from typing import Literal

import msgspec
from msgspec.structs import replace

from polemarque.lab.games import Played
from polemarque.lab.intervals import Gap, gap_of_means, gap_of_pairs, spread
from polemarque.lab.significance import LEVEL, binomial_p, holm, student_p
from polemarque.lab.statistics import decided_at, leader, mean_of

What = Literal["seat", "lead", "decided", "turns", "battles", "asked"]


class Change(msgspec.Struct, frozen=True):
    """One figure of two set-ups, by pairs of games of the same seed.

    what:    "seat" (a share, of `seat`), "lead" (a share, as turn `turn` ended), or one of the
             means of games "decided", "turns", "battles" and "asked" (the latter two of a turn).
    first, second: the figure in each, over these pairs.
    pairs:   in which both games have it.   differing: those in which they have not the same.
    p:       how rarely chance makes such a gap, corrected for all figures of all comparisons.
    """

    what: What
    first: float
    second: float
    pairs: int
    differing: int
    gap: Gap
    p: float
    seat: str = ""
    turn: int = 0

    @property
    def told(self) -> bool:
        """Whether chance hardly makes such a gap."""
        return self.p <= LEVEL


def changes(
    plans: Sequence[Sequence[Played]], seats: Sequence[str]
) -> tuple[tuple[Change, ...], ...]:
    """What each set-up after the first changes; () of one without games.

    The tests are those of pairs (McNemar's, exactly, for shares; Student's for means), and Holm's
    correction takes all of them together.
    """
    raw = [_changes(plans[0], other, seats) for other in plans[1:]]
    told = iter(_corrected([change for each in raw for change in each]))
    return tuple([tuple(islice(told, len(each))) for each in raw])


def seat_change(first: Sequence[Played], second: Sequence[Played], seat: str) -> Change:
    """How a second set-up changes one seat's share; there is at least one pair."""
    pairs = [(seat in one.winners, seat in other.winners) for one, other in _pairs(first, second)]
    return _of_shares("seat", pairs, seat=seat)


def steps(plans: Sequence[Sequence[Played]], seat: str) -> tuple[Change, ...]:
    """How each set-up of a sweep changes a seat's share from the one before it; all have games.

    By pairs, and corrected together by Holm.
    """
    return _corrected([seat_change(one, other, seat) for one, other in pairwise(plans)])


def _corrected(found: Sequence[Change]) -> tuple[Change, ...]:
    """The same with their p corrected for all of them, by Holm."""
    ps = holm([change.p for change in found])
    return tuple([replace(change, p=p) for change, p in zip(found, ps, strict=True)])


def _pairs(first: Sequence[Played], second: Sequence[Played]) -> list[tuple[Played, Played]]:
    others = {game.seed: game for game in second}
    return [(game, others[game.seed]) for game in first if game.seed in others]


def _changes(
    first: Sequence[Played], second: Sequence[Played], seats: Sequence[str]
) -> list[Change]:
    pairs = _pairs(first, second)
    if not pairs:
        return []
    half = min([_median([pair[at].turns for pair in pairs]) for at in (0, 1)]) // 2
    found = [seat_change(first, second, seat) for seat in seats]
    led = [(_led(one, half), _led(other, half)) for one, other in pairs] if half else []
    led = [(a, b) for a, b in led if a is not None and b is not None]
    ends = [(decided_at(one), decided_at(other)) for one, other in pairs
            if one.winners and other.winners]  # fmt: skip
    ranked = any(any(game.places[:-1]) for pair in pairs for game in pair)
    means: Mapping[What, Sequence[tuple[float, float]]] = {
        "decided": ends if ranked else (),
        "turns": [(one.turns, other.turns) for one, other in pairs],
        "battles": [(mean_of(one.battles[1:]), mean_of(other.battles[1:])) for one, other in pairs],
        "asked": [(_asked(one, seats), _asked(other, seats)) for one, other in pairs],
    }
    return [
        *found,
        *([_of_shares("lead", led, turn=half)] if led else []),
        # Of a single pair nobody knows how far chance goes.
        *[_of_means(what, values) for what, values in means.items() if len(values) > 1],
    ]


def _led(game: Played, turn: int) -> bool | None:
    """Whether who led alone as a turn ended won; None where nobody did, or the game ended then."""
    first = leader(game, turn) if game.turns > turn else None
    return first in game.winners if first else None


def _asked(game: Played, seats: Sequence[str]) -> float:
    return mean_of([n for seat in seats for n in game.questions[seat][1:]])


def _of_shares(
    what: What, pairs: Sequence[tuple[bool | None, bool | None]], seat: str = "", turn: int = 0
) -> Change:
    gained = sum([not one and bool(other) for one, other in pairs])
    lost = sum([bool(one) and not other for one, other in pairs])
    first, second = (sum([bool(pair[at]) for pair in pairs]) / len(pairs) for at in (0, 1))
    return Change(
        what, first, second, len(pairs), gained + lost, gap_of_pairs(gained, lost, len(pairs)),
        binomial_p(gained, gained + lost, 0.5), seat, turn,
    )  # fmt: skip


def _of_means(what: What, pairs: Sequence[tuple[float, float]]) -> Change:
    by = [other - one for one, other in pairs]
    found = spread(by)
    assert found is not None
    differing = sum([gap != 0 for gap in by])
    p = 1.0
    if differing:
        # Signs alone cannot tell more of so few pairs, however alike their gaps are.
        t = found.mean / found.error if found.error else math.inf
        p = max(student_p(t, found.n - 1), 2.0 ** (1 - differing))
    first, second = (mean_of([pair[at] for pair in pairs]) for at in (0, 1))
    return Change(what, first, second, len(pairs), differing, gap_of_means(found), p)


def _median(values: Sequence[int]) -> int:
    """The lesser, where it falls between two."""
    return sorted(values)[math.ceil(len(values) / 2) - 1]
