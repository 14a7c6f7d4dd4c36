"""The law of two scores that meet (BC-2.1), of any number of dice, without listing them.

A die of b, taken from 7, falls as a die of a does: all dice are one roll, whose sum gives the gap.
What a sum of them holds of each die on the average is the same for every die.  The tests hold this
against the enumeration of `scores_meet`.
"""

from __future__ import annotations

from fractions import Fraction

from polemarque.api import D6, ClosedForm, total
from polemarque.systems.batailles.outcome import verdict_of
from polemarque.systems.batailles.phase_values import Force, Verdict
from polemarque.systems.batailles.score import FEAT, fixed_part, power_dice

MOST = 5_000
"""With more dice than this, fractions are longer than anybody reads."""

BOTH = D6 + 1
"""A face and the one that lies below."""


def scores_law(a: Force, b: Force, pm_dice: str) -> ClosedForm:
    """Who wins by which row, with the means of scores, gap and feats of arms."""
    ours = power_dice(a.engaged, pm_dice) + a.players
    theirs = power_dice(b.engaged, pm_dice) + b.players
    dice = ours + theirs
    if dice > MOST:
        raise OverflowError(f"{dice}D{D6}")
    fixed_a, fixed_b = fixed_part(a).total, fixed_part(b).total
    others = total.law(dice - 1, D6) if dice else {}
    # By verdict: ways, and summed over them the dice, the gap, and whether a die is a feat.
    sums: dict[Verdict, list[int]] = {}
    for shown, ways in total.law(dice, D6).items():
        ahead = fixed_a + shown - fixed_b - BOTH * theirs
        found = sums.setdefault(verdict_of(ahead), [0] * 5)
        feats = others.get(shown - FEAT, 0), others.get(shown - (BOTH - FEAT), 0)
        for place, more in enumerate((ways, ways * shown, ways * abs(ahead), *feats)):
            found[place] += more
    ends = []
    for verdict, (ways, shown, gap, feats_a, feats_b) in sums.items():
        a_die = Fraction(shown, ways * (dice or 1))
        means = {
            "score_a": fixed_a + ours * a_die,
            "score_b": fixed_b + theirs * (BOTH - a_die),
            "gap": Fraction(gap, ways),
            "feats_a": Fraction(a.players * feats_a, ways),
            "feats_b": Fraction(b.players * feats_b, ways),
        }
        ends.append((verdict, ways, means))
    return ends, D6**dice
