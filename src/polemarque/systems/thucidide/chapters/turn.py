"""The course of a battle (TH-F1): player-turn after player-turn, and the check at the end of each.

The orders of a turn, in the agenda: TH-2.2/phase (command), TH-2.3 (movement), TH-2.3/end and
TH-F5 (combats), TH-F1/end.
"""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.api import Rule, Step, script, tell, then
from polemarque.api.adjusting import in_force
from polemarque.systems.thucidide.chapters.activation import command_phase
from polemarque.systems.thucidide.chapters.succession import succeeded
from polemarque.systems.thucidide.state import Battle, Ending, Goal, Marks
from polemarque.systems.thucidide.tables import Phase

FRESH = Marks()

SEQUENCE: dict[Phase, str] = {
    "command": "TH-2.2", "movement": "TH-2.3", "combat": "TH-F5", "end": "TH-F1"
}  # fmt: skip
"""The phases of a player-turn, in order, with the rule of each."""


def phase_of(battle: Battle) -> str:
    """The rule of the phase that runs, one of `SEQUENCE`."""
    return SEQUENCE[battle.phase]


@script("TH-F1")
def turn_begins(battle: Battle) -> Step[Battle]:
    """A player-turn: changes of options begin; command, movement, combats."""
    side = battle.sides[battle.active]
    yield from tell(
        "TH-F1", "turn", seat=side.seat, turn=(battle.turn + 1) // 2, tokens=side.tokens
    )
    options = yield from in_force("TH-F1", battle.options, battle.coming)
    return replace(battle, options=options, coming={}), [then(command_phase)]


@script("TH-F1/end")
def turn_ends(battle: Battle) -> Step[Battle]:
    """Is it won?  If not, a captured general's place is filled; what held for the turn is over."""
    battle = replace(battle, phase="end", fight=None)
    ending = verdict(battle)
    if ending is not None:
        yield from tell_end(battle, ending)
        return replace(battle, ending=ending), []
    for seat in battle.sides:
        battle = yield from succeeded(battle, seat)
    battle = replace(wiped(battle), turn=battle.turn + 1, active=battle.passive, phase="command")
    return battle, [then(turn_begins)]


def tell_end(battle: Battle, ending: Ending) -> Rule[None]:
    """Who has won, by what, and at which price; who has no leader left (TH-F12)."""
    for seat in battle.sides:
        if not battle.leaders_of(seat):
            yield from tell("TH-F12", "nobody", seat=seat)
    a, b = battle.sides
    yield from tell(
        "TH-F1", "won" if ending.winner else "drawn", seat=ending.winner or "",
        cause=ending.cause, lost_a=battle.lost(a), lost_b=battle.lost(b), a=a, b=b,
    )  # fmt: skip


def wiped(battle: Battle) -> Battle:
    """The battle without anything that held for one player-turn."""
    units = [replace(u, marks=FRESH) for u in battle.units.values() if u.marks != FRESH]
    leaders = [
        replace(one, activates=0, by="", moved=False, louder=0)
        for one in battle.leaders.values()
        if one.activates or one.by or one.moved or one.louder
    ]
    sides = {
        seat: replace(side, manoeuvred=False, scouting=False, further=0)
        for seat, side in battle.sides.items()
    }
    battle = battle.with_units(*units).with_leaders(*leaders)
    return replace(battle, sides=sides, acting=(), second=False)


def needed(goal: Goal, start: int) -> int:
    """Units to destroy of so many at the start: the share, rounded up."""
    return -(-start * goal.part // goal.of)


def reached(battle: Battle, seat: str) -> str:
    """The kind of goal that a side has reached at the end of a player-turn, "" for none.

    An enemy without leaders is beaten (TH-F12).  `last` is no goal that is reached: see `lasts`.
    """
    if not battle.leaders_of(battle.enemy_of(seat)):
        return "leaderless"
    goals = [goal for goal in battle.sides[seat].goals if goal.kind != "last"]
    return next((goal.kind for goal in goals if _met(battle, seat, goal)), "")


def wiped_out(battle: Battle, seat: str) -> str:
    """Whether a side has destroyed the enemy's army whole, be it no goal of its own.

    Units that have left the board are not destroyed: they may have gone to win by it (TH-F10).
    """
    enemy = battle.enemy_of(seat)
    return "destroyed" if battle.lost(enemy) == battle.sides[enemy].start else ""


def lasts(battle: Battle, seat: str) -> str:
    """Whether a side has lasted to the turn limit, where that is what it has to do."""
    goals = [goal.kind for goal in battle.sides[seat].goals]
    return "last" if "last" in goals and _limit_reached(battle) else ""


def _met(battle: Battle, seat: str, goal: Goal) -> bool:
    enemy = battle.enemy_of(seat)
    if goal.kind == "destroyed":
        return battle.lost(enemy) >= needed(goal, battle.sides[enemy].start)
    if goal.kind == "general":
        return battle.sides[enemy].headless
    if goal.kind == "exit":
        units = [u for u in battle.units.values() if u.seat == seat and u.exit in goal.cells]
        return len(units) >= goal.units
    held = battle.by_cell()
    return battle.active == seat and all(
        cell in held and held[cell].seat == seat for cell in goal.cells
    )


def _limit_reached(battle: Battle) -> bool:
    return battle.turn >= 2 * battle.limit


def counted(battle: Battle) -> str | None:
    """Who has destroyed more of the enemy in proportion to the start; None if nobody (TH-F1)."""
    a, b = battle.sides.values()
    balance = weighed(battle.lost(a.seat), a.start, battle.lost(b.seat), b.start)
    if not balance:
        return None
    return a.seat if balance > 0 else b.seat


def weighed(lost: int, start: int, enemy_lost: int, enemy_start: int) -> int:
    """Above 0 if more of the enemy is destroyed than of one's own, below 0 if less (TH-F1).

    Both in proportion to the start, by whole numbers multiplied crosswise: no share is rounded.
    """
    return enemy_lost * start - lost * enemy_start


def verdict(battle: Battle) -> Ending | None:
    """How the battle ends with this player-turn; None if it goes on.

    What is listed first decides: an army destroyed whole has not lost if it has reached its goal,
    and nobody has lasted whose enemy has won.
    """
    for condition in (reached, wiped_out, lasts):
        won = {seat: kind for seat in battle.sides if (kind := condition(battle, seat))}
        if len(won) == 1:
            return next(Ending(seat, kind) for seat, kind in won.items())
        if won:
            return Ending(counted(battle), "both")
    if _limit_reached(battle):
        return Ending(counted(battle) if battle.at_limit == "counted" else None, "limit")
    return None
