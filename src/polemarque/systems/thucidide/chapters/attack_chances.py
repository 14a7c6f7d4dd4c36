"""What the dice of an attack may come to, told beside targets and orders (TH-F2, TH-F4, TH-F5).

All that counts stands on the board for both sides to see.
"""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.api import Call, ChanceOf, Fact, MeanOf
from polemarque.systems.thucidide.chapters.priest import priests
from polemarque.systems.thucidide.combat_data import may_ignore
from polemarque.systems.thucidide.combat_dice import Thrown, combat_dice, dice_of, kind_of
from polemarque.systems.thucidide.fight import Fight
from polemarque.systems.thucidide.state import Battle
from polemarque.systems.thucidide.targets import is_influenced, is_supported, support_of

READ_OTHERWISE = frozenset(("sacrifice", "evasion", "embuscade", "retraite"))
"""Defence orders after which the dice of an attack cost something else, or fall later or never."""


def attack_told(battle: Battle, fight: Fight) -> Fact | None:
    """What the next dice of a combat may come to; None where priests might change a die.

    The unit that is struck ignores all the flags that it may.
    """
    battle = replace(battle, fight=fight)
    roller, struck = battle.units[fight.roller], battle.units[fight.struck]
    answers = fight.answers if fight.throw == "attack" else ()
    if priests(battle) or {*struck.marks.orders, *answers} & READ_OTHERWISE:
        return None
    dice, berserks = dice_of(battle, fight).total, "berserks" in fight.orders
    support = is_supported(battle, roller)
    thrown = Call(combat_dice.rule, (dice, struck.figures.arm, kind_of(fight), support, berserks))
    steadied, influenced = support_of(battle, struck), is_influenced(battle, struck)
    orders, steady = struck.marks.orders, battle.options.steady

    def destroyed(fell: Thrown) -> bool:
        return fell.hits >= struck.elements

    def falls_back(fell: Thrown) -> bool:
        ignored = may_ignore(
            fell.flags, 0, support=steadied, influenced=influenced, orders=orders, steady=steady
        )
        return not destroyed(fell) and fell.flags > ignored.total

    return Fact(
        fight.throw,
        {
            "destroyed": ChanceOf(thrown, destroyed),
            "back": ChanceOf(thrown, falls_back),
            "hits": MeanOf(thrown, lambda fell: fell.hits),
        },
    )
