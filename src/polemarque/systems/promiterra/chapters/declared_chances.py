"""What an act may come to, told beside it before it is declared (PR-3.3): all stands open."""

from __future__ import annotations

from polemarque.api import Call, ChanceOf, Fact, MeanOf
from polemarque.api.boards import Cell
from polemarque.systems.promiterra.chapters.priest import holders
from polemarque.systems.promiterra.chapters.strikes import (
    Blow,
    Fighter,
    Strike,
    counting_fort,
    strike,
    toll,
)
from polemarque.systems.promiterra.chapters.trials import duel, invasion
from polemarque.systems.promiterra.current_stats import fighter, riposte_denied
from polemarque.systems.promiterra.ground import Field
from polemarque.systems.promiterra.setup.options import DiceRule
from polemarque.systems.promiterra.state import Troop, War

MOST_ROLLED = 20
"""Where every die is rolled, the law of larger troops takes too long to stand beside a choice."""

MOST_TOGETHER = 60
"""The losses that several cause a larger target take too long to stand beside a choice."""


def attack_told(war: War, troop: Troop, cell: Cell, target: str) -> Fact | None:
    """What a troop's attack costs the target, and its riposte the troop, if it attacks alone.

    cell: from where it attacks.   None where priests could have dice rolled again, or for troops
    that are too large.
    """
    other, dice = war.troops[target], war.options.dice
    large = dice != "cut" and max(troop.units, other.units) > MOST_ROLLED
    if large or holders(war):
        return None
    ours, theirs = fighter(war, war.placed(troop.id, cell).troops[troop.id]), fighter(war, other)
    blow = _strike(ours, theirs, dice, "attack")

    def annihilated(struck: Strike) -> bool:
        return struck.losses >= theirs.units

    figures = {"losses": MeanOf(blow, _losses), "gone": ChanceOf(blow, annihilated)}
    if not _melee(war, cell, other) or riposte_denied(troop, other):
        return Fact("attack", figures)
    back = _strike(theirs, ours, dice, "riposte")
    return Fact("fought", {**figures, "riposte": MeanOf(back, _losses)})


def told_with_others(war: War, troop: Troop, field: Field, target: str) -> Fact | None:
    """What a troop's attack costs the target with those of its army that declared one before it.

    They attack together in melee (PR-5.7).   None as `attack_told`, and for a larger target.
    """
    other, cell = war.troops[target], field.at[troop.id]
    beside = [one for one in field.aims.get(target, ()) if _melee(war, field.at[one], other)]
    alone = attack_told(war, troop, cell, target)
    if alone is None or not beside or not _melee(war, cell, other):
        return alone
    all_told = [attack_told(war, war.troops[one], field.at[one], target) for one in beside]
    if other.units > MOST_TOGETHER or None in all_told:
        return None
    fighters = [
        fighter(war, war.placed(one, field.at[one]).troops[one]) for one in (*beside, troop.id)
    ]
    blows = Call(toll.rule, (tuple(fighters), fighter(war, other), war.options.dice))
    gone = ChanceOf(blows, lambda struck: bool(struck.losses >= other.units))
    return Fact("joint", {"losses": MeanOf(blows, _losses), "gone": gone, "troops": beside})


def _melee(war: War, cell: Cell, other: Troop) -> bool:
    return war.board.grid.distance(cell, other.cell) == 1


def _losses(struck: Strike) -> int:
    return struck.losses


def _strike(striker: Fighter, struck: Fighter, dice: DiceRule, blow: Blow) -> Call:
    fort = counting_fort(struck.fort, striker.fort)
    return Call(strike.rule, (striker.units, striker.attack, struck, fort, dice, blow))


def invasion_told(war: War, cell: Cell) -> Fact:
    """Whether a troop enters an empty fortification (PR-7.4)."""
    entry = Call(invasion.rule, (war.fort(cell),))
    return Fact("invasion", {"enters": ChanceOf(entry, bool)})


def duel_told(war: War, troop: str, target: str, *, challenged: bool = False) -> Fact | None:
    """Whether a leader wins a duel that is fought with dice (PR-7.6).

    challenged: the leader of the target decides, else that of the troop.
    """
    if war.options.duel != "opposed":
        return None
    skills = [war.persons[war.troops[one].leader].skill for one in (troop, target)]
    winner = "challenged" if challenged else "challenger"
    won = ChanceOf(Call(duel.rule, tuple(skills)), lambda fate: bool(fate == winner))
    return Fact("duel" if challenged else "challenge", {"won": won})
