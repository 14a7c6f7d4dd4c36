"""The moments at which a leader may commit himself (TH-8.3), as agenda items.

A side that is stopped `losses` only is asked after a roll that would cost one of its units an
element; one that is stopped at `all` moments, wherever a leader of its could do something useful.
"""

from __future__ import annotations

from typing import Literal

from polemarque.kernel.agenda import Item
from polemarque.systems.thucidide.chain import COMMITTING
from polemarque.systems.thucidide.state import Battle

Moment = Literal[
    "command", "before_move", "after_move", "movement_end",
    "declared", "attack_order", "defence_order", "losses", "riposte",
]  # fmt: skip

LOSSES: Moment = "losses"
"""The moment at which everybody is stopped."""


def stopped(battle: Battle, moment: Moment) -> list[str]:
    """Seats that are asked at this moment if they have something to play, the active one first."""
    return [
        seat
        for seat in (battle.active, battle.passive)
        if (moment == LOSSES or battle.sides[seat].stops == "all")
        and any(one.rank in COMMITTING for one in battle.leaders_of(seat))
    ]


def openings(battle: Battle, moment: Moment) -> list[Item]:
    """The window of a moment as agenda items; none where nobody is stopped.

    Whether there is anything to commit to is seen when it opens (`commitment.moment_comes`).
    """
    return [("TH-8.3", moment)] if stopped(battle, moment) else []
