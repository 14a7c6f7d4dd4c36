"""The index of happiness, and what a people does that is not happy (MN-F7): figures only."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from polemarque.api import D100, Rule, Sum, bonus, procedure, roll, total
from polemarque.systems.mare_nostrum.trade_data import FRAME, IMPROVEMENTS

HAPPINESS = FRAME.happiness


class Year(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a people looks back on at an acclamation.

    profit:     what the treasury has gained in the year, in PO; a loss counts nothing.
    victories, provinces, routes: battles won over players, provinces gained, routes opened.
    improvements: how many the realm has, by kind.
    protector:  whether one of its temples is the protector's.
    campaigns, long_campaigns: armies away from their base, and of these those away too long.
    regime:     points of its constitution.
    omens:      points that the year's events brought.
    """

    profit: int = 0
    victories: int = 0
    provinces: int = 0
    routes: int = 0
    improvements: Mapping[str, int] = {}
    protector: bool = False
    campaigns: int = 0
    long_campaigns: int = 0
    regime: int = 0
    omens: int = 0


def index(year: Year) -> Sum:
    """The index of happiness in points, each reason on its own; never bounded."""
    reasons = bonus("MN-F7", HAPPINESS.base, "base_happiness")
    steps = max(0, year.profit) // HAPPINESS.profit_step
    reasons += bonus("MN-F7", steps * HAPPINESS.profit, "profit")
    reasons += bonus("MN-F7", year.victories * HAPPINESS.victory, "victories")
    reasons += bonus("MN-F7", year.provinces * HAPPINESS.new_province, "new_provinces")
    reasons += bonus("MN-F7", year.routes * HAPPINESS.new_route, "new_routes")
    for kind, number in year.improvements.items():
        reasons += bonus("MN-F7", improvement_points(kind, number), kind)
    temple = HAPPINESS.protector_temple if year.protector else 0
    reasons += bonus("MN-F7", temple, "protector_temple")
    short = year.campaigns - year.long_campaigns
    reasons += bonus("MN-F7", short * HAPPINESS.campaign, "campaigns")
    reasons += bonus("MN-F7", year.long_campaigns * HAPPINESS.long_campaign, "long_campaigns")
    reasons += bonus("MN-F7", year.regime, "regime")
    return reasons + bonus("MN-F7", year.omens, "omens")


def improvement_points(kind: str, number: int) -> int:
    """What a realm's improvements of one kind are worth, in points."""
    improvement = IMPROVEMENTS[kind]
    counted = {"each": number, "once": min(number, 1), "further": max(0, number - 1)}
    return counted[improvement.counts] * improvement.happiness


class Mood(msgspec.Struct, frozen=True):
    """Whether the people stays quiet."""

    quiet: bool


@procedure("MN-F7")
def acclamation(index: int) -> Rule[Mood]:
    """Above 75 nobody stirs; otherwise D100 of the index or less is quiet."""
    if index > HAPPINESS.quiet_above:
        return Mood(True)
    die = yield from roll(1, D100, read=total, why="acclamation")
    return Mood(die <= index)
