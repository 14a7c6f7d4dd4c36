"""Losses of a phase and what caps them (BC-2.8 to BC-2.10): plain figures, no dice."""

from __future__ import annotations

from collections.abc import Iterator

from polemarque.api import Modifier, Sum
from polemarque.systems.batailles.options import Options
from polemarque.systems.batailles.phase_values import OUT_OF_ACTION, Force

TEN = 10
"""PM that give one die, and that inflict one PM."""


def inflicted(engaged: int) -> int:
    """The most PM that an army of `engaged` PM inflicts in one phase (BC-2.8)."""
    return max(engaged, 0) // TEN


def winner_cap(loser_engaged: int) -> int:
    """The most PM that the winner of a phase loses to a loser of `loser_engaged` PM (BC-2.9)."""
    return inflicted(loser_engaged) // 2


def loss(due: Modifier, side: Force, foe: Force, *, won: bool, options: Options) -> Sum:
    """What a side loses: what the outcome costs it, then each cap that takes something off."""
    parts = [due]
    left = due.amount
    for most, reason, rule in _caps(side, foe, won=won, options=options):
        if left > most:
            parts.append(Modifier(most - left, reason, rule))
            left = most
    return Sum(tuple(parts))


def _caps(
    side: Force, foe: Force, *, won: bool, options: Options
) -> Iterator[tuple[int, str, str]]:
    """Each cap: the most that is lost, why, and by which rule."""
    yield inflicted(foe.engaged), "inflict_cap", "BC-2.8"
    if won:
        yield winner_cap(foe.engaged), "winner_cap", "BC-2.9"
    if options.no_wipeout == "floor":
        yield side.pm - 1, "no_wipeout", "BC-2.10"
    yield side.pm, "no_more", "BC-1.3"
    yield side.engaged, "engaged_only", "BC-2.8"


def out_of_action(pm: int) -> bool:
    """Whether an army of `pm` PM is out of action (BC-3.3)."""
    return pm <= OUT_OF_ACTION
