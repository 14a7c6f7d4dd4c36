"""What a market is worth, and how a caravan opens a trade route (MN-F2, MN-F3): figures only."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from polemarque.api import D6, D100, Rule, Sum, at_most, bonus, explain, procedure, roll, total
from polemarque.systems.mare_nostrum.trade_data import FRAME, RESOURCES

TRADE = FRAME.trade


class Welcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a caravan stands with its destination (MN-F3).

    already:         a trade route brings the same good there.
    war_with_ally:   at war with a player allied to the destination's owner.
    at_war:          at war with its owner.
    own:             the caravan's owner controls it.
    treaty:          he has a commercial treaty with it or its owner.
    republic:        he governs a republic.
    commerce_priest: a priest of a god of commerce travels along.
    racial:          the racial factor, -30 to +30.
    """

    already: bool = False
    war_with_ally: bool = False
    at_war: bool = False
    own: bool = False
    treaty: bool = False
    republic: bool = False
    commerce_priest: bool = False
    racial: int = 0


class Opening(msgspec.Struct, frozen=True):
    """What was needed, and whether the route is open."""

    threshold: int
    success: bool


@lru_cache(maxsize=256)
def market(resources: tuple[str, ...]) -> Sum:
    """The local market of a province that produces these (MN-F2), in PO; each as often as named."""
    reasons = Sum()
    for resource in resources:
        reasons += bonus("MN-F2", RESOURCES[resource].value, resource)
    return reasons


def threshold(base: int, welcome: Welcome) -> Sum:
    """The threshold of D100 for a route (MN-F3): all that applies, added, without bounds."""
    reasons = bonus("MN-F3", base, "base_threshold")
    for reason in (
        "already", "war_with_ally", "at_war", "own", "treaty", "republic", "commerce_priest"
    ):  # fmt: skip
        if getattr(welcome, reason):
            reasons += bonus("MN-F3", getattr(TRADE, reason), reason)
    return reasons + bonus("MN-F3", welcome.racial, "racial")


@procedure("MN-F3")
def trade_route(base: int, welcome: Welcome) -> Rule[Opening]:
    """D100 of the threshold or less opens the route.

    base: base threshold of the good, before every modifier.
    """
    reasons = threshold(base, welcome)
    yield from explain(reasons)
    die = yield from roll(1, D100, read=total, why="trade_route")
    return Opening(reasons.total, die <= reasons.total)


class Ambush(msgspec.Struct, frozen=True):
    """Whether a caravan is lost to bands."""

    lost: bool


@procedure("MN-9.2")
def ambush(bands: int) -> Rule[Ambush]:
    """Each band in the caravan's place rolls a D6; one that plunders it is enough."""
    hits = yield from roll(bands, D6, read=at_most(FRAME.plunder.lost), why="plunder")
    return Ambush(hits > 0)
