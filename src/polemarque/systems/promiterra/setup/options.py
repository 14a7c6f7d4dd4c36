"""The variants of the ledger as options of a war: names, values, defaults.

`CHOICES` is what the system's descriptor shows, `Options` what the state carries.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from polemarque.api import Choice

DiceRule = Literal["cut", "all"]
"""Whether the table of PR-6.1 says how many dice are rolled, or every die is."""

Stacking = Literal["same", "any"]
"""Which war actions on one troop do not add up (PR-3.2)."""


class Options(msgspec.Struct, frozen=True):
    """The readings a war is fought by.

    Every default is how a war is fought that does not name the reading: by those that the edition
    2026-11 did not know yet, as it had them; `CHOICES` has what new wars begin with.

    special_share: PR-1.5, of what special troops are at most a third.
    minimum_step:  PR-2.1, whether one adjacent cell may always be entered.
    grid:          PR-2.2, squares with eight neighbours, or hexes.
    war_actions:   PR-3.2, which war actions on one troop do not add up.
    value_sides:   PR-4.2, whose value is compared with the enemy's.
    dice:          PR-6.1, the table, or every die.
    duel:          PR-7.6, how a duel is settled.
    challenges:    PR-7.6, how often an army challenges one leader in its turn.
    captured:      PR-8.3, what a captured leader suffers who lost no unit.
    turn_limit:    PR-8.5, the last round (0: none).
    quiet_limit:   PR-8.5, rounds in which nothing changes before the war ends.
    """

    special_share: Literal["units", "value"] = "units"
    minimum_step: Literal["yes", "no"] = "yes"
    grid: Literal["square8", "hex"] = "square8"
    war_actions: Stacking = "same"
    value_sides: Literal["army", "alliance"] = "army"
    dice: DiceRule = "cut"
    duel: Literal["opposed", "entered"] = "opposed"
    challenges: Literal["once", "any"] = "any"
    captured: Literal["weak", "unhurt"] = "weak"
    turn_limit: int = 0
    quiet_limit: int = 10


CHOICES = (
    Choice("special_share", "PR-1.5", ("units", "value"), "units"),
    Choice("minimum_step", "PR-2.1", ("yes", "no"), "yes"),
    Choice("grid", "PR-2.2", ("square8", "hex"), "square8"),
    Choice("war_actions", "PR-3.2", ("same", "any"), "same"),
    Choice("value_sides", "PR-4.2", ("army", "alliance"), "army"),
    Choice("dice", "PR-6.1", ("cut", "all"), "cut"),
    Choice("duel", "PR-7.6", ("opposed", "entered"), "opposed"),
    Choice("challenges", "PR-7.6", ("once", "any"), "once", since="2026-11.2"),
    Choice("captured", "PR-8.3", ("weak", "unhurt"), "weak", since="2026-11.2"),
    Choice("turn_limit", "PR-8.5", (0, 1000), 0, number=True),
    Choice("quiet_limit", "PR-8.5", (1, 1000), 10, number=True),
)
"""What the descriptor offers, in the ledger's order."""
