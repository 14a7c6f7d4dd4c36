"""What can happen to a realm in a turn, and what a free city answers an envoy (MN-F5, MN-F6).

Figures only; `event_effects` applies them to the campaign.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from polemarque.api import D6, D100, Rule, procedure, roll, total
from polemarque.systems.mare_nostrum.tables import TABLES
from polemarque.systems.mare_nostrum.trade_data import FRAME

Happening = Literal[
    "comet", "plague", "earthquake", "fire", "drought", "locusts", "flood", "storm", "shipwreck",
    "brigands", "pirates", "manhunt", "embezzlement", "famine", "exodus", "bad_omen", "camp_fever",
    "scandal", "lost_market", "quiet", "good_omen", "games", "harvest", "vintage", "silver_vein",
    "fair", "gifts", "bequest", "newcomers", "synoecism", "embassy", "inventor", "oracle",
    "veterans", "corsairs", "outlaws",
]  # fmt: skip

Effect = Literal[
    "none", "gain", "loss", "good_harvest", "bad_harvest", "happiness", "people", "ruin", "storm",
    "fever", "brigands", "pirates", "hunt", "own_brigands", "own_pirates", "mercenary", "priest",
    "engineer", "diplomat", "caravan_lost", "route_lost",
]  # fmt: skip
"""What the program does; the head of `event_effects` says how."""

Mission = Literal["commercial", "passage", "mercenaries", "allegiance"]
"""What a free city can be asked for (MN-F6)."""


class FortuneRow(msgspec.Struct, frozen=True):
    """A row of the table of events: its figure, and how many D6 are added to it."""

    event: Happening
    effect: Effect
    amount: int = 0
    dice: int = 0


class Fortune(msgspec.Struct, frozen=True):
    """What happens, and its figure: PO, points of happiness or of demography, or a D6 to fear."""

    event: Happening
    effect: Effect
    amount: int


EVENTS = TABLES.table("MN-F5", FortuneRow)

FIXED = {band.row.event: band.row.amount for band in EVENTS.bands}
"""What the row of an event adds to its dice."""


@procedure("MN-F5/table")
def fortune() -> Rule[Fortune]:
    """D100 on the table of events, then the D6 of its row."""
    row = EVENTS.row((yield from roll(1, D100, read=total, why="event")))
    dice = yield from roll(row.dice, D6, read=total, why="event_figure")
    return Fortune(row.event, row.effect, row.amount + dice)


class Audience(msgspec.Struct, frozen=True):
    """What was needed, and whether the city grants it."""

    threshold: int
    success: bool


@procedure("MN-F6/city")
def audience(mission: Mission) -> Rule[Audience]:
    """A free city grants what is asked on D100 of the mission's threshold or less."""
    needed = FRAME.mission.thresholds[mission]
    die = yield from roll(1, D100, read=total, why="mission")
    return Audience(needed, die <= needed)
