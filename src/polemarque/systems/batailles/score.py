"""The battle score of a side (BC-2.1, BC-2.2): its dice, its morale, its commander, its players."""

from __future__ import annotations

import msgspec

from polemarque.api import (
    D6,
    Rule,
    Sum,
    bonus,
    call,
    explain,
    procedure,
    roll,
    tally,
    tell,
    total,
    total_and,
)
from polemarque.systems.batailles.phase_values import TEN, Force, SideCode

FEAT = 6
"""The face of a player's die that is a feat of arms (BC-2.2)."""


class Score(msgspec.Struct, frozen=True):
    """A side's battle score; its feats of arms are a tally."""

    score: int
    feats: int = 0


class Shown(msgspec.Struct, frozen=True):
    """What players add to a score; their feats of arms are a tally."""

    shown: int
    feats: int = 0


# The score ---------------------------------------------------------------------------------------


def power_dice(engaged: int, pm_dice: str) -> int:
    """How many dice an army rolls: one a full ten of PM, or a started one (BC-2.1)."""
    return -(-engaged // TEN) if pm_dice == "ceil" else engaged // TEN


def fixed_part(force: Force) -> Sum:
    """What a score is made of beside dice."""
    return (
        morale_part(force)
        + bonus("BC-2.1", force.command, "command")
        + bonus("BC-3.4", force.strategy, "strategy")
        + bonus("PA-3", force.blessing, "blessing")
    )


def morale_part(force: Force) -> Sum:
    """Total morale, in its parts where they are known (BC-1.2)."""
    known = force.bonuses or force.change
    base = force.morale - force.bonuses - force.change
    return (
        bonus("BC-1.2", base, "base_morale" if known else "morale")
        + bonus("BC-1.2", force.bonuses, "unit_bonuses")
        + bonus("BC-1.2", force.change, "won_and_lost")
    )


@procedure("BC-2.1/score")
def score(side: SideCode, force: Force, pm_dice: str) -> Rule[Score]:
    """1D6 for each 10 PM, total morale, command, and 1D6 for each player beside the commander."""
    count = power_dice(force.engaged, pm_dice)
    power = yield from roll(count, D6, read=total, why=f"power_{side}")
    if count:
        yield from tell("BC-2.1", "power", side=side, name=force.name, n=count, power=power)
    players = yield from call(players_roll, side, force.players, force.name, force.names)
    yield from tally(feats=players.feats)
    return Score((yield from tell_score(side, force, power, players.shown)))


@procedure("BC-2.2")
def players_roll(side: SideCode, count: int, name: str, names: tuple[str, ...]) -> Rule[Shown]:
    """1D6 for each player beside the commander; a 6 is a feat of arms."""
    shown, feats = yield from roll(
        count, D6, read=total_and(FEAT), why=f"players_{side}", whom=names
    )
    yield from tally(feats=feats)
    yield from tell_players(side, name, count, shown, feats)
    return Shown(shown)


def tell_players(side: SideCode, name: str, count: int, shown: int, feats: int) -> Rule[None]:
    """What the players' dice, just rolled, came to; they show each die by name (BC-2.2)."""
    if count:
        yield from tell(
            "BC-2.2", "players", side=side, name=name, n=count, shown=shown, feats=feats
        )


def tell_score(side: SideCode, force: Force, power: int, shown: int) -> Rule[int]:
    """The whole score of a side, once its dice lie on the table."""
    fixed = fixed_part(force)
    came = power + shown + fixed.total
    yield from explain(fixed)
    yield from tell(
        "BC-2.1", "score", side=side, name=force.name, score=came, power=power, players=shown,
        morale=force.morale, command=force.command, more=force.strategy + force.blessing,
    )  # fmt: skip
    return came
