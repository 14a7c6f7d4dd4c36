"""The variants of the ledger as options of a battle: names, values, defaults.

`CHOICES` is what the system's descriptor shows, `Options` what state and procedures carry.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from polemarque.api import Choice

Stops = Literal["losses", "attacked", "own", "all"]
"""When a seat is asked about commitments: after a roll that would cost one of its units an element;
then too when a unit of its own is attacked, or in its own turn; or at every moment (TH-8.3)."""


class Options(msgspec.Struct, frozen=True):
    """The readings a battle is fought by.

    Every default is how a battle is fought that does not name the reading: by those that the
    edition 2026-11 did not know yet, as it had them; `CHOICES` has what new battles begin with.

    order_reach:    TH-3.3, how near a leader must be for an order.
    forced_march:   TH-5.2, who may be given a forced march.
    loose_order:    TH-5.1, whether ranks can be loosened (an optional rule of the book).
    second_assault: TH-5.5, whether leaders may activate again.
    rally_by:       TH-5.6, who rallies.
    evasion:        TH-7.1, when Évasion is given and paid.
    evaded:         TH-7.1, how many hits of a combat can be evaded.
    steady:         TH-7.4, which flags Tenir sa position ignores.
    withdrawn:      TH-7.5, what becomes of the attack order that a Retraite forestalls.
    ambush:         TH-7.6, who may lie in ambush.
    riposte:        TH-F5, who may riposte.
    spared:         TH-8.2, from what a leader saves who takes a loss upon himself.
    stops:          TH-8.3, at which moments a seat is asked about commitments until it says
                    otherwise.
    """

    order_reach: Literal["command", "influence", "anywhere"] = "command"
    forced_march: Literal["activated", "any"] = "activated"
    loose_order: Literal["no", "yes"] = "no"
    second_assault: Literal["again", "others"] = "again"
    rally_by: Literal["any", "general"] = "any"
    evasion: Literal["after", "before"] = "after"
    evaded: Literal["one", "each"] = "each"
    steady: Literal["all", "ordinary"] = "ordinary"
    withdrawn: Literal["spent", "returned"] = "spent"
    ambush: Literal["any", "supported"] = "any"
    riposte: Literal["held", "adjacent"] = "held"
    spared: Literal["element", "hit"] = "element"
    stops: Stops = "losses"


CHOICES = (
    Choice("order_reach", "TH-3.3", ("command", "influence", "anywhere"), "command"),
    Choice("loose_order", "TH-5.1", ("no", "yes"), "no"),
    Choice("forced_march", "TH-5.2", ("activated", "any"), "activated"),
    Choice("second_assault", "TH-5.5", ("again", "others"), "again"),
    Choice("rally_by", "TH-5.6", ("any", "general"), "any"),
    Choice("evasion", "TH-7.1", ("after", "before"), "after"),
    Choice("evaded", "TH-7.1", ("one", "each"), "one", since="2026-11.2"),
    Choice("steady", "TH-7.4", ("all", "ordinary"), "all", since="2026-11.2"),
    Choice("withdrawn", "TH-7.5", ("spent", "returned"), "spent", since="2026-11.2"),
    Choice("ambush", "TH-7.6", ("any", "supported"), "any"),
    Choice("spared", "TH-8.2", ("element", "hit"), "element", since="2026-11.2"),
    Choice("stops", "TH-8.3", ("losses", "attacked", "own", "all"), "losses"),
    Choice("riposte", "TH-F5", ("held", "adjacent"), "held"),
)
"""What the descriptor offers, in the ledger's order."""
