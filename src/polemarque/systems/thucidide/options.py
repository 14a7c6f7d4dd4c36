"""The variants of the ledger as options of a battle: names, values, defaults.

`CHOICES` is what the system's descriptor shows, `Options` what state and procedures carry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from polemarque.kernel.conversion import convert
from polemarque.kernel.system import Choice


class Options(msgspec.Struct, frozen=True):
    """The readings a battle is fought by; every default is the ledger's first.

    order_reach:    TH-3.3, how near a leader must be for an order.
    forced_march:   TH-5.2, who may be given a forced march.
    loose_order:    TH-5.1, whether ranks can be loosened (an optional rule of the book).
    second_assault: TH-5.5, whether leaders may activate again.
    rally_by:       TH-5.6, who rallies.
    evasion:        TH-7.1, when Évasion is given and paid.
    ambush:         TH-7.6, who may lie in ambush.
    riposte:        TH-F5, who may riposte.
    stops:          TH-8.3, at which moments a seat is asked about commitments until it says
                    otherwise: after a roll that would cost an element, or at all of them.
    """

    order_reach: Literal["command", "influence", "anywhere"] = "command"
    forced_march: Literal["activated", "any"] = "activated"
    loose_order: Literal["no", "yes"] = "no"
    second_assault: Literal["again", "others"] = "again"
    rally_by: Literal["any", "general"] = "any"
    evasion: Literal["after", "before"] = "after"
    ambush: Literal["any", "supported"] = "any"
    riposte: Literal["held", "adjacent"] = "held"
    stops: Literal["losses", "all"] = "losses"

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Options:
        """Options from names and values already checked against `CHOICES`; missing: default."""
        return convert(dict(values), cls)


CHOICES = (
    Choice("order_reach", "TH-3.3", ("command", "influence", "anywhere"), "command"),
    Choice("loose_order", "TH-5.1", ("no", "yes"), "no"),
    Choice("forced_march", "TH-5.2", ("activated", "any"), "activated"),
    Choice("second_assault", "TH-5.5", ("again", "others"), "again"),
    Choice("rally_by", "TH-5.6", ("any", "general"), "any"),
    Choice("evasion", "TH-7.1", ("after", "before"), "after"),
    Choice("ambush", "TH-7.6", ("any", "supported"), "any"),
    Choice("stops", "TH-8.3", ("losses", "all"), "losses"),
    Choice("riposte", "TH-F5", ("held", "adjacent"), "held"),
)
"""What the descriptor offers, in the ledger's order."""
