"""Chapter « Couper le nombre de dés » (PR-6): how many dice are rolled for many units."""

from __future__ import annotations

import msgspec

from polemarque.systems.promiterra.options import DiceRule
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
