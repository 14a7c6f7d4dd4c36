"""Chapter « Couper le nombre de dés » (PR-6): how many dice are rolled for many units."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from polemarque.api import D6, MOST_DICE, Rule, at_most, roll
from polemarque.systems.promiterra.setup.options import DiceRule
from polemarque.systems.promiterra.tables import TABLES


class Cut(msgspec.Struct, frozen=True):
    """So many dice are rolled, and each success counts `multiplier` times (PR-6.1)."""

    dice: int
    multiplier: int


CUTTING = TABLES.table("PR-6.1", Cut)


def cut(count: int, dice: DiceRule) -> Cut:
    """The dice for `count` units or hits, none for none; by `dice=all` one die each."""
    return CUTTING.row(count) if dice == "cut" else Cut(count, 1)


def left_after(hits: int, saved: int, thrown: Cut) -> int:
    """Hits left of `hits` when `saved` of the thrown dice succeeded.

    If all of them did, nothing is left, whatever the multiplication says (PR-6.3); a
    multiplication never removes more hits than there are.
    """
    if saved == thrown.dice:
        return 0
    return max(hits - saved * thrown.multiplier, 0)


def rolls_of(count: int) -> Iterator[int]:
    """So many dice as rolls of at most `MOST_DICE` each: mergers know no largest troop (PR-7.8)."""
    while count > MOST_DICE:
        yield MOST_DICE
        count -= MOST_DICE
    yield count


def successes(count: int, needed: int, why: str) -> Rule[int]:
    """So many D6, however many: how many of them show at most `needed`."""
    found = 0
    for dice in rolls_of(count):
        found += yield from roll(dice, D6, read=at_most(needed), why=why)
    return found
