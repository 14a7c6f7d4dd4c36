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
)
from polemarque.systems.promiterra.chapters.trials import duel, invasion
from polemarque.systems.promiterra.current_stats import fighter, riposte_denied
from polemarque.systems.promiterra.setup.options import DiceRule
from polemarque.systems.promiterra.state import Troop, War

MOST_ROLLED = 20
"""Where every die is rolled, the law of larger troops takes too long to stand beside a choice."""


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
    melee = war.board.grid.distance(cell, other.cell) == 1
    if not melee or riposte_denied(troop, other):
        return Fact("attack", figures)
    back = _strike(theirs, ours, dice, "riposte")
    return Fact("fought", {**figures, "riposte": MeanOf(back, _losses)})


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
