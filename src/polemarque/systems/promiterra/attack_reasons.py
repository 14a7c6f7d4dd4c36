"""Why an attack came to what it did: its parts, each with its amount, its reason and its rule.

They stand beside the event that tells the attack; from hits to losses they add up.
"""

from __future__ import annotations

import msgspec

from polemarque.api import Modifier, Sum, bonus
from polemarque.systems.promiterra.chapters.dice_cutting import Cut, cut
from polemarque.systems.promiterra.chapters.strikes import Strike, counting_fort
from polemarque.systems.promiterra.setup.options import DiceRule


class Half(msgspec.Struct, frozen=True, kw_only=True):
    """One half of a clash: an attack, or the riposte to it.

    striker, target: the troops, by their codes.
    units: how many of the striker struck.
    fort, other: the levels on which target and striker stand.
    struck: what it came to.   dice: how its dice were counted.
    """

    striker: str
    target: str
    units: int
    fort: int
    other: int
    struck: Strike
    dice: DiceRule

    @property
    def level(self) -> int:
        """The level of fortification that defends the target (PR-7.3)."""
        return counting_fort(self.fort, self.other)


def account(half: Half) -> Sum:
    """Hits, what saved from them, and what was left to lose: the target's losses."""
    return _hits(half) + _own_saves(half) + _fortification(half) + _limit(half)


def multipliers(*halves: Half) -> list[int]:
    """What each success of each roll counted (PR-6.1), in order; [] where no dice were cut."""
    found = [thrown.multiplier for half in halves for thrown in _rolls(half) if thrown.dice]
    return found if max(found, default=1) > 1 else []


def _rolls(half: Half) -> list[Cut]:
    """The rolls of an attack: hits, saves, and those of a fortification that counts."""
    hits, saved = half.struck.hits, half.struck.saved
    counts = [half.units, hits, *([hits - saved] if half.level else [])]
    return [cut(count, half.dice) for count in counts]


def _hits(half: Half) -> Sum:
    """Dice that hit (PR-5.1), and what the table makes of them (PR-6.1)."""
    hits = half.struck.hits
    rolled = hits // cut(half.units, half.dice).multiplier if hits else 0
    return bonus("PR-5.1", rolled, f"hits@{half.striker}") + bonus(
        "PR-6.1", hits - rolled, f"cut_dice@{half.striker}"
    )


def _own_saves(half: Half) -> Sum:
    """What the target's own dice removed (PR-5.2)."""
    return _saves("PR-5.2", f"saves@{half.target}", half.struck.hits, half.struck.saved, half)


def _fortification(half: Half) -> Sum:
    """What its fortification removed (PR-7.2), or that it does not count (PR-7.3)."""
    cancelled = bonus("PR-7.3", half.level - half.fort, f"cancelled_fort@{half.target}")
    left = half.struck.hits - half.struck.saved
    reason = f"fort_saves@{half.target}"
    return cancelled + _saves("PR-7.2", reason, left, half.struck.sheltered, half)


def _saves(rule: str, reason: str, hits: int, saved: int, half: Half) -> Sum:
    """Hits removed by dice, apart from those that a perfect defence removed besides (PR-6.3)."""
    thrown = cut(hits, half.dice)
    beyond = max(saved - thrown.dice * thrown.multiplier, 0)
    return bonus(rule, beyond - saved, reason) + bonus(
        "PR-6.3", -beyond, f"perfect_defence@{half.target}"
    )


def _limit(half: Half) -> Sum:
    """Hits that find no unit to remove any more (PR-6.4)."""
    struck = half.struck
    left = struck.hits - struck.saved - struck.sheltered
    return bonus("PR-6.4", struck.losses - left, f"no_more_units@{half.target}")


def riposting(troop: str, units: int, reason: str) -> Sum:
    """The units that riposte (PR-5.3)."""
    return bonus("PR-5.3", units, f"{reason}@{troop}")


UNANSWERED = {"PR-1.4": "mounted", "PR-1.10": "no_riposte"}
"""Why a melee attack is not answered, by the rule that says so."""


def unanswered(rule: str, reason: str, units: int) -> Sum:
    """The units that may not riposte, and why (PR-1.4, PR-1.10)."""
    return Sum((Modifier(-units, reason, rule),))
