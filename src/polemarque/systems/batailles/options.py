"""The variants of the ledger as options of a battle: names, values, defaults.

`CHOICES` is what the system's descriptor shows, `Options` what state and procedures carry.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from polemarque.api import Choice


class Options(msgspec.Struct, frozen=True):
    """The readings a battle is fought by; every default is the ledger's first.

    rout:          BC-1.3, whether a side without morale must withdraw.
    pm_dice:       BC-2.1, whether a started ten gives a die.
    tie_morale:    BC-2.3, morale each side loses on a tie.
    winner_losses: BC-2.7, how a range of losses is settled.
    engage:        BC-2.8, whether a side may hold power back.
    no_wipeout:    BC-2.10, whether a side always keeps 1 PM.
    streak:        BC-3.2, what counts as two wins in a row.
    strategy:      BC-3.4, who says what a change of strategy is worth.
    """

    rout: Literal["none", "zero"] = "none"
    pm_dice: Literal["floor", "ceil"] = "floor"
    tie_morale: int = 1
    winner_losses: Literal["dice", "umpire", "least", "most"] = "dice"
    engage: Literal["all", "chosen"] = "all"
    no_wipeout: Literal["intent", "floor"] = "intent"
    streak: Literal["pairs", "every"] = "pairs"
    strategy: Literal["umpire", "sides"] = "umpire"


CHOICES = (
    Choice("rout", "BC-1.3", ("none", "zero"), "none"),
    Choice("pm_dice", "BC-2.1", ("floor", "ceil"), "floor"),
    Choice("tie_morale", "BC-2.3", (0, 2), 1, number=True),
    Choice("winner_losses", "BC-2.7", ("dice", "umpire", "least", "most"), "dice"),
    Choice("engage", "BC-2.8", ("all", "chosen"), "all"),
    Choice("no_wipeout", "BC-2.10", ("intent", "floor"), "intent"),
    Choice("streak", "BC-3.2", ("pairs", "every"), "pairs"),
    Choice("strategy", "BC-3.4", ("umpire", "sides"), "umpire", since="2026-11.2"),
)
"""What the descriptor offers, in the ledger's order."""
