"""A captured leader, and who takes the general's place (TH-F11, TH-F12)."""

from __future__ import annotations

from polemarque.api import Rule, tell
from polemarque.systems.thucidide.command_data import FRAME
from polemarque.systems.thucidide.figures import RANKS
from polemarque.systems.thucidide.state import Battle, Leader

LEAST_LEVEL = FRAME.armies.least_level
"""No army's command level falls below it."""


def captured(battle: Battle, code: str) -> Battle:
    """The battle after a leader's capture; without its general an army has no command order."""
    leader = battle.leaders[code]
    battle = battle.leader(code, fate="captured", cell="")
    return battle.side(leader.seat, headless=True) if leader.rank == "general" else battle


def given_back(battle: Battle, code: str) -> Battle:
    """The battle once the umpire has given a side its leader back.

    With its general it has a head again, and he has not been captured.
    """
    leader = battle.leaders[code]
    general = leader.rank == "general"
    return battle.side(leader.seat, headless=False) if general else battle


def heir(battle: Battle, seat: str) -> Leader:
    """The highest leader left, of whatever contingent; of equals the first listed."""
    return min(battle.leaders_of(seat), key=lambda one: RANKS.index(one.rank))


def succeeded(battle: Battle, seat: str) -> Rule[Battle]:
    """The battle once the place of a captured general is filled, at the end of a player-turn.

    The new one has the ranges of the old, and the army a command level less.  There is somebody: an
    army without leaders has lost (`verdict`).
    """
    if not battle.sides[seat].headless:
        return battle
    new = heir(battle, seat)
    old = next(
        one for one in battle.leaders.values()
        if one.seat == seat and one.rank == "general" and not one.cell
    )  # fmt: skip
    level = max(battle.sides[seat].level - 1, LEAST_LEVEL)
    yield from tell("TH-F12", "succeeds", seat=seat, leader=new.code, level=level)
    battle = battle.leader(new.code, rank="general", command=old.command, influence=old.influence)
    return battle.side(seat, level=level, headless=False)
