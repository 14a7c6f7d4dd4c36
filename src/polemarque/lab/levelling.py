"""At which value of a figure a seat wins its equal share: by bisection, with an interval.

The share is taken to rise or to fall with the figure all along.  All values play the same seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from polemarque.lab.comparisons import seat_change
from polemarque.lab.games import Played
from polemarque.lab.intervals import Gap, Share, share
from polemarque.lab.significance import LEVEL
from polemarque.lab.statistics import victories


class Point(msgspec.Struct, frozen=True):
    """A value that was tried: how often the seat won, of the games that tell seats apart.

    p: how rarely an equal seat has such a share.
    """

    value: int
    won: Share
    equal: float
    p: float

    @property
    def told(self) -> bool:
        """Whether the seat is shown to win more, or less, than its share."""
        return self.p <= LEVEL


Verdict = Literal["found", "cliff", "flat", "outside"]


class Level(msgspec.Struct, frozen=True):
    """What was found.

    seat:    whose share was to be level.
    verdict: "found": `value` is level as far as the games show.
             "cliff": the share leaps from below to above between `value` and the next, `beyond`.
             "flat": between the ends the share hardly changes.   "outside": it is level at no
             value between them, but beyond `value`, the nearer end.
    low, high: values from and to which nothing tells the seat from an equal one, each end at
             97.5 %; None where the range ends before.
    ends:    the change of the share from the first value to the last, by pairs.
    points:  all values that were tried.   games: all that were played.
    """

    seat: str
    verdict: Verdict
    ends: Gap
    points: tuple[Point, ...]
    games: int
    value: int = 0
    beyond: int = 0
    low: int | None = None
    high: int | None = None


GamesAt = Callable[[int], Sequence[Played]]
"""The games of the value of that place, played if need be."""


def find_level(values: Sequence[int], seat: str, seats: Sequence[str], games_at: GamesAt) -> Level:
    """Look for the value between the first and the last at which the seat is level.

    Three bisections: where the share crosses the equal one, and where on each side of that it
    begins to be told from it.
    """
    search, last = _Search(values, seat, seats, games_at), len(values) - 1
    if not search.ends.told:
        return search.level("flat")
    if search.side(0) > 0 or search.side(last) < 0:
        below = above = 0 if search.side(0) > 0 else last
        if search.at(below).told:
            return search.level("outside", value=values[below])
    else:
        above = search.first(lambda at: search.side(at) > 0, 0, last)
        below = above - 1
    best = min(below, above, key=lambda at: abs(search.side(at)))
    if search.at(best).told:
        return search.level("cliff", value=values[below], beyond=values[above])
    low = high = None
    if search.shown(0) < 0:
        low = values[search.first(lambda at: search.shown(at) >= 0, 0, best)]
    if search.shown(last) > 0:
        high = values[search.first(lambda at: search.shown(at) > 0, best, last) - 1]
    return search.level("found", value=values[best], low=low, high=high)


class _Search:
    """What is known of each value, by its place."""

    def __init__(
        self, values: Sequence[int], seat: str, seats: Sequence[str], games_at: GamesAt
    ) -> None:
        self._values, self._seat, self._seats = values, seat, seats
        self._games = cache(games_at)
        self._points: dict[int, Point] = {}
        self.at(0), self.at(len(values) - 1)
        self.ends = seat_change(self._games(0), self._games(len(values) - 1), seat)

    def at(self, at: int) -> Point:
        """The figures of a value."""
        if at not in self._points:
            told, seat = victories(self._games(at), self._seats), self._seat
            won = share(told.hits[seat], told.of)
            self._points[at] = Point(self._values[at], won, told.chance, told.p(seat))
        return self._points[at]

    def side(self, at: int) -> float:
        """Below 0 where the share is on the side of the first value, above on that of the last."""
        away = self.at(at).won.part - self.at(at).equal
        return away if self.ends.gap.value > 0 else -away

    def shown(self, at: int) -> float:
        """The side where the games show it, else 0."""
        return self.side(at) if self.at(at).told else 0.0

    @staticmethod
    def first(holds: Callable[[int], bool], low: int, high: int) -> int:
        """The first place from which on it holds: not yet at `low`, and at `high`."""
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if holds(middle) else (middle, high)
        return high

    def level(self, verdict: Verdict, **found: Any) -> Level:
        """What was found, with all that was tried."""
        points = tuple([point for _, point in sorted(self._points.items())])
        games = sum([len(self._games(at)) for at in self._points])
        return Level(self._seat, verdict, self.ends.gap, points, games, **found)
