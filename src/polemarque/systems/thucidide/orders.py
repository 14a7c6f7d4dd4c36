"""Chapter « Donner un ordre » (TH-3): what orders there are, and what each costs."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Literal

import msgspec

from polemarque.api import Modifier, NotAllowed, Sum, bonus, convert
from polemarque.systems.thucidide.tables import FRAME, document
from polemarque.systems.thucidide.unit_values import ARMS, Arm

Family = Literal["command", "manoeuvre", "attack", "defence"]

LEAST = FRAME.orders.least
"""No order costs less (TH-3.4)."""


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An order of data/orders.toml, where the fields are explained."""

    rule: str
    family: Family
    cost: int | dict[Arm, int]
    each: bool = False
    reduced: bool = False
    lasts: Literal["at_once", "combat", "phase", "turn"] = "at_once"

    @property
    def least(self) -> int:
        """Its price for whom it is cheapest, in tokens."""
        return self.cost if isinstance(self.cost, int) else min(self.cost.values())

    def suits(self, arm: Arm) -> bool:
        """Whether a unit of that arm can be given it."""
        return isinstance(self.cost, int) or arm in self.cost

    @property
    def one_price(self) -> int | None:
        """What it costs whichever arm is given it; None if that depends on the arm."""
        prices = {self.cost} if isinstance(self.cost, int) else set(self.cost.values())
        return prices.pop() if len(prices) == 1 else None


ORDERS = convert(document("orders.toml"), dict[str, Order])
"""Every order, by its code."""


@cache
def codes(family: Family) -> tuple[str, ...]:
    """The orders of a family, in the order of the list."""
    return tuple([code for code, order in ORDERS.items() if order.family == family])


@lru_cache(maxsize=1024)
def price(
    code: str, arm: Arm | None = None, *, count: int = 1, influence: bool = False,
    special: int | None = None,
) -> Sum:  # fmt: skip
    """What an order costs in tokens, with its reasons (TH-3.4).

    arm:       of the unit; None only where the price is one for every arm that can be given it.
    count:     hexes of Guide local, elements of Ralliement.
    influence: whether the unit is in the influence range of a leader: 1 less, never below 1.
    special:   the leader's own price of this order (TH-1.4).
    Raises NotAllowed if the arm cannot be given the order.
    """
    order = ORDERS[code]
    cost = order.cost
    if special is not None:
        one = special
    elif isinstance(cost, int):
        one = cost
    elif arm in cost:
        one = cost[arm]
    elif arm is None and order.one_price is not None:
        one = order.one_price
    else:
        legal = [each for each in ARMS if each in cost]
        part = arm or "-"
        raise NotAllowed(
            "thucidide.arm", rule=order.rule, part=part, legal=legal, order=code, arm=arm
        )
    whole = one * count if order.each else one
    less = max(whole - 1, LEAST) - whole if influence and order.reduced else 0
    return Sum((Modifier(whole, "order_price", order.rule),)) + bonus("TH-3.4", less, "influence")
