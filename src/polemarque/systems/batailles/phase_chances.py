"""What the next phase may come to, told beside the choice to fight on (BC-2.1, BC-3.4)."""

from __future__ import annotations

from polemarque.api import Call, ChanceOf, Fact
from polemarque.systems.batailles.loss_caps import out_of_action
from polemarque.systems.batailles.phase_values import SIDES, SideCode, Verdict, other
from polemarque.systems.batailles.state import Battle
from polemarque.systems.batailles.unit_losses import without_lost_units

MOST = 15_000
"""With more PM than this on both sides together the law takes too long to stand beside a choice."""


def next_told(battle: Battle, code: SideCode) -> Fact | None:
    """How probably a side wins or loses the next phase, if both do nothing but fight on.

    None where that depends on what sides will choose: priests, or the PM they put in (BC-2.8).
    """
    spare = any([side.bonus or side.rerolls for _, side in battle.sides()])
    if spare or battle.options.engage == "chosen":
        return None
    for each, side in battle.sides():
        battle = battle.with_side(each, without_lost_units(side))
    a, b = [battle.force(each) for each in SIDES]
    if a.pm + b.pm > MOST or out_of_action(a.pm) or out_of_action(b.pm):
        return None
    scores = Call("BC-2.1/scores", (a, b, battle.options.pm_dice))

    def crushed(verdict: Verdict) -> bool:
        return verdict.winner == other(code) and verdict.row.outcome == "crushing"

    return Fact(
        "next_phase",
        {
            "won": ChanceOf(scores, lambda verdict: bool(verdict.winner == code)),
            "lost": ChanceOf(scores, lambda verdict: bool(verdict.winner == other(code))),
            "crushed": ChanceOf(scores, crushed),
        },
    )
