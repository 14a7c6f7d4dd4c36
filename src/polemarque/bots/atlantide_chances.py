"""What the steady bot of Atlantide may expect of an assault, a passage and a battle.

All of it comes from the book's own tables and is worked out once, by force beyond the defence.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from polemarque.systems.atlantide.conquest import CONQUEST, DICE, PASSAGE, UNDECIDED, Row
from polemarque.systems.atlantide.simulation import LOSSES

TWO_DICE = {n: 6 - abs(7 - n) for n in range(2, 13)}
"""How often of 36 two dice show each sum."""

HOPELESS, CERTAIN = -2, 16
"""At these advantages and beyond, an assault fails, or succeeds, whatever is rolled."""

SWEEPS = 60
"""Rounds after which hardly any assault is still undecided."""


class Assault(NamedTuple):
    """An assault before its first die.

    win:    the chance that the territory is taken.
    loot:   loot expected of it.
    losses: figures expected to be lost, won or not.
    """

    win: float
    loot: float
    losses: float


def assault(advantage: int) -> Assault:
    """What to expect of an attack so much stronger than the defence, its dice apart (AT-9.5)."""
    return _assaults()[min(max(advantage, HOPELESS), CERTAIN)]


@cache
def _assaults() -> dict[int, Assault]:
    """Every advantage, by going through the rounds until what is undecided hardly counts."""
    rows = {gap: CONQUEST.row(gap) for gap in range(HOPELESS - 12, CERTAIN)}
    known = {advantage: Assault(0.0, 0.0, 0.0) for advantage in range(HOPELESS, CERTAIN + 1)}
    for _ in range(SWEEPS):
        known = {advantage: _round(advantage, rows, known) for advantage in known}
    return known


def _round(advantage: int, rows: dict[int, Row], later: dict[int, Assault]) -> Assault:
    """One round of the defence's dice, and what follows where it decides nothing."""
    win = loot = losses = 0.0
    for dice, times in TWO_DICE.items():
        row, chance = rows[advantage - dice], times / 36
        count, sides = DICE[row.losses]
        losses += chance * count * (sides + 1) / 2
        loot += chance * row.loot
        if row.outcome == UNDECIDED:
            then = later[min(max(advantage + row.modifier, HOPELESS), CERTAIN)]
            win, loot = win + chance * then.win, loot + chance * then.loot
            losses += chance * then.losses
        else:
            win += chance * (row.outcome == "taken")
    return Assault(win, loot, losses)


@cache
def passage(modifier: int) -> float:
    """The chance of a passage with that modifier to the die (AT-9.2)."""
    return sum([PASSAGE.row(die + modifier).passage for die in range(1, 7)]) / 6


class Battle(NamedTuple):
    """A battle on the book's table before its dice: chance to win, army points lost by each."""

    win: float
    mine: float
    theirs: float


@cache
def battle(advantage: int) -> Battle:
    """What to expect of a battle with so much more combat force than the enemy (AT-8.11)."""
    won = mine = theirs = decided = 0.0
    for attack, often in TWO_DICE.items():
        for defence, times in TWO_DICE.items():
            gap, chance = advantage + attack - defence, often * times / 1296
            if gap == 0:
                continue
            row = LOSSES.row(abs(gap))
            decided += chance
            won += chance * (gap > 0)
            mine += chance * (row.winner if gap > 0 else row.loser)
            theirs += chance * (row.loser if gap > 0 else row.winner)
    return Battle(won / decided, mine / decided, theirs / decided)
