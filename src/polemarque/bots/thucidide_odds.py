"""What a throw of combat dice does to a unit, exactly (TH-F2): losses, flags, what they are worth.

Worth is reckoned in units: a whole one of middling figures is worth about 1.
"""

from __future__ import annotations

from functools import cache
from math import comb

import msgspec

FACES = 6
"""Of the combat die; one of them is a flag, one hits the arm, one is a letter (TH-F2)."""

PLAIN, ADVANTAGE = 1, 2
"""Faces that hit: the arm's own, and the tactical advantage on top."""


class Harm(msgspec.Struct, frozen=True):
    """What a throw does on average.

    lost:   elements, at most those there are.   killed: the chance that it takes them all.
    pushed: the chance that it drives back a unit that survives.   kept: flags that do so.
    """

    lost: float
    killed: float
    pushed: float
    kept: float


@cache
def harm(dice: int, hits: int, elements: int, ignored: int) -> Harm:
    """The law of a throw at a unit of so many elements, which ignores so many flags.

    hits: faces that hit, PLAIN or ADVANTAGE.
    """
    lost = killed = pushed = kept = 0.0
    rest = FACES - hits - 1
    for hit in range(dice + 1):
        for flags in range(dice - hit + 1):
            ways = comb(dice, hit) * comb(dice - hit, flags)
            chance = ways * hits**hit * rest ** (dice - hit - flags) / FACES**dice
            lost += chance * min(hit, elements)
            if hit >= elements:
                killed += chance
            elif flags > ignored:
                pushed += chance
                kept += chance * (flags - ignored)
    return Harm(lost, killed, pushed, kept)
