"""Orders as they are offered: those that can be given now, and why another one cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polemarque.api import Fact, NotAllowed, Path, Reasoned, SeveralOf
from polemarque.systems.thucidide.chain import cost, in_reach
from polemarque.systems.thucidide.orders import ORDERS, Family
from polemarque.systems.thucidide.state import Battle, Unit

NONE = "none"
"""The word for no order."""


ARMY = "army"
"""Whose orders those are that go to the army, or to a unit still to be chosen (`offered_to`)."""


def offered_to(whose: str) -> str:
    """The family of texts of a list of orders: their prices depend on whose they are.

    whose: a unit's code, a leader's, or `ARMY`.
    """
    return f"offer.{whose}"


def _unknown(_: str) -> NotAllowed | None:
    return None


class Chosen(SeveralOf, frozen=True):
    """Several words; for one that is not among them `why` may know the reason."""

    why: Callable[[str], NotAllowed | None] = _unknown

    def take(self, value: Any) -> tuple[Any, ...]:
        """See Options."""
        if isinstance(value, (list, tuple)):
            for word in value:
                known = not isinstance(word, str) or word in self.words
                refusal = None if known else self.why(word)
                if refusal is not None:
                    raise refusal
        return super().take(value)


class Route(Path, frozen=True):
    """A way; for one that cannot be gone `why` knows the reason."""

    why: Callable[[tuple[str, ...]], NotAllowed | None] = lambda _: None

    def take(self, value: Any) -> tuple[str, ...]:
        """See Options."""
        try:
            return super().take(value)
        except NotAllowed as refusal:
            reason = self.why((value,) if isinstance(value, str) else tuple(value))
            raise reason or refusal from None


def offer(
    battle: Battle, family: Family, unit: Unit, given: tuple[str, ...],
    fact: Callable[[str], Fact | None] | None = None,
) -> Reasoned:  # fmt: skip
    """The question which of the orders `given` to give a unit, or none.

    fact: what is told beside each (`Fact`).
    """
    return Reasoned(
        (NONE, *given),
        offered_to(unit.code),
        fact=fact,
        why=lambda code: refused(battle, family, unit, code),
    )


def refused(
    battle: Battle, family: Family, unit: Unit | None, code: str, *, special: int | None = None
) -> NotAllowed | None:
    """Why an order cannot be given to a unit (None: to the army) now; None for no order at all.

    special: what an order to the army costs through its general, if not the list's price (TH-1.4).

    Codes: thucidide.moment (of another family), .second (one of this family has been given),
    .not_this_arm, .reach (no leader reaches the unit), .poor (need, tokens), .no_effect.
    """
    order = ORDERS.get(code)
    if order is None:
        return None
    named: dict[str, Any] = {"order": code}
    side = battle.sides[unit.seat if unit is not None else battle.active]
    if order.family != family:
        return NotAllowed("thucidide.moment", rule=order.rule, **named)
    if family == "manoeuvre" and side.manoeuvred:
        return NotAllowed("thucidide.second", rule="TH-3.5", **named)
    if unit is not None:
        if not order.suits(unit.figures.arm):
            return NotAllowed("thucidide.not_this_arm", rule=order.rule, **named)
        if not in_reach(battle, unit):
            return NotAllowed("thucidide.reach", rule="TH-3.3", unit=unit.code, **named)
    if unit is not None:
        need = cost(battle, code, unit).total
    else:
        need = order.least if special is None else special
    if need > side.tokens:
        return NotAllowed("thucidide.poor", rule="TH-3.1", need=need, tokens=side.tokens, **named)
    return NotAllowed("thucidide.no_effect", rule="TH-3.1", **named)
