"""What armies and fleets cost away from their base (MN-F4): figures only."""

from __future__ import annotations

from functools import cache

import msgspec

from polemarque.api import Sum, bonus
from polemarque.systems.mare_nostrum.tables import TABLES


class UpkeepRow(msgspec.Struct, frozen=True):
    """A row of the scale: PO a turn."""

    cost: int


MAINTENANCE = TABLES.table("MN-F4", UpkeepRow)
BESIEGING = {one.when: one.amount for one in MAINTENANCE.modifiers}["besieging"]


@cache
def maintenance(distance: int, siege: bool) -> Sum:
    """What an army or fleet costs this turn, in PO.

    distance: places entered on a shortest way from its base, from 0; at 0 only a siege costs.
    """
    reasons = bonus("MN-F4", MAINTENANCE.row(distance).cost, "distance")
    return reasons + bonus("MN-F4", BESIEGING if siege else 0, "besieging")
