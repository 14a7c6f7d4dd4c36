"""Amounts of loot: never more than there is, and for bribes in full fifties (AT-5.5, AT-5.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polemarque.api import Amount, Fact, NotAllowed
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.supply import STEP


class Spending(Amount, frozen=True):
    """An amount that loot has to pay for; more than there is is refused whole (AT-5.5).

    room: most that any loot could buy; beyond it loot is not the reason.  None: loot alone limits.
    """

    room: int | None = None

    def take(self, value: Any) -> int:
        """See Options."""
        if isinstance(value, int) and not isinstance(value, bool):
            legal = (f"{self.least}-{self.most}",)
            if self.most < value and (self.room is None or value <= self.room):
                raise NotAllowed("loot.overspent", rule="AT-5.5", part=value, legal=legal)
            if (value - self.least) % self.step:
                raise NotAllowed("loot.fifties", rule="AT-5.6", part=value, legal=legal)
        return super().take(value)


def bribe(war: War, seat: str, fact: Callable[[int], Fact | None]) -> Spending:
    """Loot for a bribe or a bargain, named before the die: as many full fifties as he has.

    fact: what is told beside an amount.
    """
    return Spending(0, war.loot(seat) // STEP * STEP, STEP, "loot", fact=fact)
