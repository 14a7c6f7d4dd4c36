"""The chances report: how many rare decisions a game should have, and what is made of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import pytest

from polemarque.kernel.events import Event
from polemarque.odds.decisions import Odds
from polemarque.report.chances import Chances, Weighed, numbers


def weighed(
    tail: Fraction, rare: Fraction = Fraction(1, 10), told: tuple[int, ...] = ()
) -> Weighed:
    return Weighed("X-1", "", (), told, Odds(tail, tail, rare))


RARE, PLAIN = weighed(Fraction(1, 20)), weighed(Fraction(1, 2))


def test_numbers_of_independent_events_against_listing_them() -> None:
    chances = [0.1, 0.25, 0.5, 0.0, 1.0]
    by_hand = [0.0] * 6
    for ends in product((0, 1), repeat=5):
        p = prod(c if e else 1 - c for c, e in zip(chances, ends, strict=True))
        by_hand[sum(ends)] += p
    assert numbers(chances) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("rare", "plain", "verdict"),
    [(20, 0, "few"), (4, 36, "chance"), (12, 28, "high"), (0, 40, "chance"), (0, 80, "low")],
)
def test_dice_are_called_out_only_where_chance_hardly_explains_them(
    rare: int, plain: int, verdict: str
) -> None:
    found = Chances((RARE,) * rare + (PLAIN,) * plain, ()).rarity
    assert (found.rare, found.expected) == (rare, Fraction(rare + plain, 10))
    assert found.verdict == verdict
    assert (found.chance is None) == (verdict == "few")


def test_the_rarest_come_first_and_only_rare_ones() -> None:
    rarer, none = weighed(Fraction(1, 100)), Weighed("X-2", "", (), (), None)
    assert Chances((RARE, PLAIN, none, rarer), ()).rarest == (rarer, RARE)


def test_a_seat_is_shown_what_it_was_told_whole() -> None:
    events = (Event("X-1", "a"), Event("X-1", "b", audience=("A",)))
    some = [weighed(Fraction(1, 2), told=told) for told in ((0,), (1,), (0, 1), ())]
    found = Chances(tuple(some), events)
    assert found.seen_by("A").weighed == tuple(some[:3])
    assert found.seen_by("B").weighed == (some[0],)
    assert found.seen_by("").weighed == (some[0],)
