"""Who has won (TH-F1): the goals of both sides, and the count when there is none or both."""

from __future__ import annotations

from polemarque.systems.thucidide.state import Battle, Ending, Goal


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
