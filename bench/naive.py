"""Rules as one writes them in an evening: plain Python, its own dice, every die thrown."""

from __future__ import annotations

from random import randint


def at_most(dice: int, needed: int) -> int:
    """How many of so many D6 show at most `needed`."""
    return sum(randint(1, 6) <= needed for _ in range(dice))


def exchange(units: int, against: int) -> tuple[int, int]:
    """PR-5.3 with all dice, attack 3 and defence 2 on attack 3 and defence 3: what both lose."""
    hits = at_most(units, 3)
    hits -= at_most(hits, 3)
    back = at_most(against, 3)
    back -= at_most(back, 2)
    return min(hits, against), min(back, units)


def assault(ahead: int) -> tuple[str, int]:
    """AT-9.5 on Atlantean land: how it ends, and the loot.  Losses are rolled and added up."""
    lost = 0
    while True:
        gap = ahead - randint(1, 6) - randint(1, 6)
        if gap >= 5:
            return "taken", 200
        if gap >= 3:
            lost += randint(1, 3)
            return "taken", 100
        if gap <= -5:
            lost += randint(1, 6) + randint(1, 6)
            return "crushed", 0
        if gap <= -3:
            lost += randint(1, 6)
            return "beaten", 0
        lost += randint(1, 3)
        ahead += (gap > 0) - (gap < 0)


def battle(a: dict[str, int], b: dict[str, int]) -> str:
    """BC-2 and BC-3, to the end: who holds the field."""
    pm_a, pm_b, morale_a, morale_b, last = a["pm"], b["pm"], a["morale"], b["morale"], 0
    while pm_a > 2 and pm_b > 2:
        score_a = sum(randint(1, 6) for _ in range(pm_a // 10 + a["players"]))
        score_b = sum(randint(1, 6) for _ in range(pm_b // 10 + b["players"]))
        gap = score_a + morale_a + a["command"] - score_b - morale_b - b["command"]
        win = (gap > 0) - (gap < 0)
        loser, winner = 10, 10
        if win:
            far = abs(gap)
            loser = 5 if far <= 5 else 10 if far <= 10 else 15
            winner = 5 if 6 <= far <= 10 else randint(1, 6) - 1 if far <= 5 else randint(1, 6) + 4
        to_a, to_b = min(loser, pm_b // 10), min(loser, pm_a // 10)
        if win > 0:
            to_a = min(winner, pm_b // 10 // 2)
        elif win < 0:
            to_b = min(winner, pm_a // 10 // 2)
        if not to_a and not to_b:
            return "a" if win > 0 else "b" if win < 0 else "none"
        pm_a, pm_b = pm_a - to_a, pm_b - to_b
        if win > 0:
            morale_a, morale_b = morale_a + 2 * (last == 1), morale_b - 2
        elif win < 0:
            morale_a, morale_b = morale_a - 2, morale_b + 2 * (last == -1)
        else:
            morale_a, morale_b = morale_a - 1, morale_b - 1
        last = 0 if win == last else win
    return "a" if pm_a > 2 else "b" if pm_b > 2 else "none"
