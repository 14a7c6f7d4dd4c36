"""What is rolled for in war and by fortune (MN-5 to MN-9, MN-F5, MN-F6): figures only."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from polemarque.api import (
    D6,
    D10,
    D100,
    Modifier,
    Rule,
    Sum,
    again,
    bonus,
    call,
    explain,
    faces,
    procedure,
    roll,
    total,
)
from polemarque.systems.mare_nostrum.tables import FIGURES, FRAME, TABLES


class Demography(msgspec.Struct, frozen=True):
    """A row of the invasion table: resistance by demographic factor."""

    resistance: int


class Invasion(msgspec.Struct, frozen=True):
    """How an invasion of an independent province went (MN-5.1)."""

    resistance: int
    success: bool


class Surrender(msgspec.Struct, frozen=True):
    """Whether a besieged city falls (MN-6.4)."""

    falls: bool


class Reaction(msgspec.Struct, frozen=True):
    """What an exhausted army does when it is attacked (MN-7.2)."""

    reaction: Literal["destroyed", "retreats", "fights"]


class Line(msgspec.Struct, frozen=True):
    """The order of combats in a contested province, first to fight first (MN-7.5)."""

    order: tuple[str, ...]


class Blockade(msgspec.Struct, frozen=True):
    """What a blockade does to a port (MN-8.3)."""

    routes_cut: bool = False
    taxes_lost: bool = False


class Interception(msgspec.Struct, frozen=True):
    """What becomes of brigands or pirates whom somebody meets (MN-9.1)."""

    outcome: Literal["escapes", "panics", "destroyed"]


RESISTANCE = TABLES.table("MN-5.1", Demography)
REACTIONS = TABLES.table("MN-7.2", Reaction)
BLOCKADES = TABLES.table("MN-8.3", Blockade)
INTERCEPTIONS = TABLES.table("MN-9.1", Interception)


def resistance(demographic: int, *, fortress: bool, engineer: bool, war_priest: bool) -> Sum:
    """Resistance of an independent province to an army (MN-5.1); an engineer matters only before
    a fortress.
    """
    reasons = Sum((Modifier(RESISTANCE.row(demographic).resistance, "demographic", "MN-5.1"),))
    if fortress:
        reasons += bonus("MN-5.1", FIGURES.fortress, "fortress")
    if fortress and engineer:
        reasons += bonus("MN-5.1", FIGURES.engineer, "engineer")
    if war_priest:
        reasons += bonus("MN-5.1", FIGURES.war_priest, "war_priest")
    return reasons


@procedure("MN-5.1")
def invasion(
    demographic: Annotated[int, msgspec.Meta(ge=0)],
    fortress: bool,
    engineer: bool,
    war_priest: bool,
) -> Rule[Invasion]:
    """Invade an independent province: D10, its resistance or more succeeds."""
    reasons = resistance(demographic, fortress=fortress, engineer=engineer, war_priest=war_priest)
    yield from explain(reasons)
    die = yield from roll(1, D10, read=total, why="invasion")
    return Invasion(reasons.total, die >= reasons.total)


def counted_turns(elapsed: int, siege_count: str) -> int:
    """The number of turns of a siege laid so many turns ago, by the variant (MN-6.4)."""
    return elapsed + (siege_count == "including")


@procedure("MN-6.4")
def surrender(siege_turns: int) -> Rule[Surrender]:
    """A besieged city falls on D10 ≤ number of turns of siege."""
    die = yield from roll(1, D10, read=total, why="surrender")
    return Surrender(die <= siege_turns)


@procedure("MN-7.2")
def exhausted_reaction(home: bool) -> Rule[Reaction]:
    """An exhausted army is attacked: D6, +1 in its owner's home province."""
    modifier = bonus("MN-7.2", int(home), "home")
    yield from explain(modifier)
    die = yield from roll(1, D6, read=total, why="reaction")
    return REACTIONS.row(die + modifier.total)


@procedure("MN-7.5")
def line_of_battle(players: tuple[str, ...]) -> Rule[Line]:
    """Everybody rolls a D6, the lowest score fights first; the tied roll again among themselves.

    The lowest tie is settled first, its own ties with it; they stay in the place of their score.
    """
    fell = yield from roll(len(players), D6, read=faces, why="line", whom=players)
    groups = _groups(players, fell)
    if len(groups) == 1 and len(players) > 1:
        return again(players)  # type: ignore[no-any-return]
    order: tuple[str, ...] = ()
    for group in groups:
        order += group if len(group) == 1 else (yield from call(line_of_battle, group)).order
    return Line(order)


def _groups(seats: tuple[str, ...], fell: tuple[int, ...]) -> list[tuple[str, ...]]:
    """Seats by what they rolled, the lowest score first."""
    rolled = list(zip(seats, fell, strict=True))
    return [tuple([seat for seat, die in rolled if die == face]) for face in sorted(set(fell))]


@procedure("MN-8.3")
def blockade() -> Rule[Blockade]:
    """A fleet before an enemy port: D6."""
    die = yield from roll(1, D6, read=total, why="blockade")
    return BLOCKADES.row(die)


@procedure("MN-9.1")
def interception(controlled: bool) -> Rule[Interception]:
    """Brigands or pirates are met: D6, +1 in a province that the interceptor controls."""
    modifier = bonus("MN-9.1", int(controlled), "controlled")
    yield from explain(modifier)
    die = yield from roll(1, D6, read=total, why="interception")
    return INTERCEPTIONS.row(die + modifier.total)


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
