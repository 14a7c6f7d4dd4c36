"""What goes into a phase, what comes out of it, and what caps that: plain figures, no dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from polemarque.api import Modifier, Sum
from polemarque.systems.batailles.options import Options

SideCode = Literal["a", "b"]
"""The two sides of every battle, no matter who sits behind them."""

Outcome = Literal["tie", "narrow", "clear", "crushing"]

PARAGRAPHS: dict[Outcome, str] = {
    "tie": "BC-2.3",
    "narrow": "BC-2.4",
    "clear": "BC-2.5",
    "crushing": "BC-2.6",
}
"""The rule that each outcome of a phase is."""

SIDES: tuple[SideCode, SideCode] = ("a", "b")

OUT_OF_ACTION = 2
"""A side with no more PM than this is out of action (BC-3.3)."""


def other(side: SideCode) -> SideCode:
    """The side that faces `side`."""
    return "b" if side == "a" else "a"


class Force(msgspec.Struct, frozen=True):
    """A side as it goes into a phase (BC-2.1).

    pm:       its PM at the start of the phase.
    engaged:  those it puts in: they alone give dice, inflict and can be lost (BC-2.8).
    morale:   total morale (BC-1.2).   bonuses, change: what of it units add, and phases changed.
    players:  how many players roll beside the commander (BC-2.2).
    strategy: the umpire's modifier after a change of strategy (BC-3.4).
    blessing: what a war priest adds to this score (PA-3).
    name:     what readers call it, "" for a side without a name.
    names:    of its players, one a die, or none.
    """

    pm: int
    engaged: int
    morale: int
    command: int
    players: int = 0
    bonuses: int = 0
    change: int = 0
    strategy: int = 0
    blessing: int = 0
    name: str = ""
    names: tuple[str, ...] = ()


STRATEGY_MOST = 20
"""The most that a change of strategy adds to a score, or takes from it (BC-3.4)."""


class GapRow(msgspec.Struct, frozen=True):
    """A row of the table of gaps: PM that loser and winner lose, before the caps."""

    outcome: Outcome
    loser: int
    winner_least: int
    winner_most: int

    @property
    def paragraph(self) -> str:
        """The rule of this row."""
        return PARAGRAPHS[self.outcome]

    @property
    def ranged(self) -> bool:
        """Whether the winner's loss is a range, settled by BC-2.7."""
        return self.winner_least < self.winner_most


class Verdict(msgspec.Struct, frozen=True):
    """Which row of the table two scores lead to, and who wins; the rest are tallies."""

    row: GapRow
    winner: SideCode | None
    score_a: int = 0
    score_b: int = 0
    gap: int = 0
    feats_a: int = 0
    feats_b: int = 0


class Consequences(msgspec.Struct, frozen=True):
    """What a phase costs once its outcome is known; morale as changes."""

    loss_a: int
    loss_b: int
    morale_a: int
    morale_b: int
    out_a: bool
    out_b: bool


class Engagement(msgspec.Struct, frozen=True, kw_only=True):
    """A phase that has been fought; tallies are the scores, their gap, and the feats of arms.

    loss_*:   PM lost, caps applied.   morale_*: changes of this phase.
    feats_*:  feats of arms (BC-2.2).  out_*: out of action after it (BC-3.3).
    """

    score_a: int = 0
    score_b: int = 0
    gap: int = 0
    outcome: Outcome
    winner: SideCode | None
    loss_a: int
    loss_b: int
    morale_a: int
    morale_b: int
    feats_a: int = 0
    feats_b: int = 0
    out_a: bool
    out_b: bool


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
