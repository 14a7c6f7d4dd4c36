"""Who has won (TH-F1): the goals of both sides, and the count when there is none or both."""

from __future__ import annotations

from polemarque.systems.thucidide.state import Battle, Ending, Goal


def needed(goal: Goal, start: int) -> int:
    """Units to destroy of so many at the start: the share, rounded up."""
    return -(-start * goal.part // goal.of)


def reached(battle: Battle, seat: str) -> str:
    """The kind of goal that a side has reached at the end of a player-turn, "" for none.

    An enemy without leaders is beaten (TH-F12), and so is one without units.
    """
    enemy = battle.enemy_of(seat)
    if not battle.leaders_of(enemy):
        return "leaderless"
    if not battle.units_of(enemy):
        return "destroyed"
    return next((goal.kind for goal in battle.sides[seat].goals if _met(battle, seat, goal)), "")


def _met(battle: Battle, seat: str, goal: Goal) -> bool:
    enemy = battle.enemy_of(seat)
    if goal.kind == "destroyed":
        return battle.lost(enemy) >= needed(goal, battle.sides[enemy].start)
    if goal.kind == "general":
        return battle.sides[enemy].headless
    if goal.kind == "exit":
        units = [u for u in battle.units.values() if u.seat == seat and u.fate == "left"]
        return len(units) >= goal.units
    if goal.kind == "hold":
        held = battle.by_cell()
        return battle.active == seat and all(
            cell in held and held[cell].seat == seat for cell in goal.cells
        )
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

    The goal `last` gives way to any that the enemy has reached.
    """
    goals = {seat: reached(battle, seat) for seat in battle.sides}
    won = {seat: kind for seat, kind in goals.items() if kind and kind != "last"}
    won = won or {seat: kind for seat, kind in goals.items() if kind}
    if len(won) == 1:
        return next(Ending(seat, kind) for seat, kind in won.items())
    if won:
        return Ending(counted(battle), "both")
    if battle.turn >= 2 * battle.limit:
        return Ending(counted(battle) if battle.at_limit == "counted" else None, "limit")
    return None
