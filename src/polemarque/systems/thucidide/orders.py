"""Chapter « Donner un ordre » (TH-3): what orders there are, and what each costs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, Literal

import msgspec

from polemarque.api import (
    Fact,
    Item,
    Modifier,
    NotAllowed,
    Path,
    Reasoned,
    SeveralOf,
    Sum,
    bonus,
    convert,
    item,
)
from polemarque.systems.thucidide.state import Battle, Leader, Unit
from polemarque.systems.thucidide.tables import ARMS, FRAME, Arm, document

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


COMMITTING = ("sub_general", "officer")
"""Ranks that may commit themselves; a general never may (TH-8.2)."""


def obeys(unit: Unit, leader: Leader) -> bool:
    """Whether a leader may activate, order, influence a unit, distance apart (TH-1.3, TH-F13)."""
    return unit.seat == leader.seat and unit.contingent == leader.contingent


def commanding(battle: Battle, unit: Unit) -> list[Leader]:
    """Leaders who have a unit in their command range (TH-1.2), in order."""
    return _within(battle, unit, attrgetter("reach"))


def influencing(battle: Battle, unit: Unit) -> list[Leader]:
    """Leaders who have a unit in their influence range (TH-1.2, TH-8.1), in order."""
    return _within(battle, unit, attrgetter("influence"))


def _within(battle: Battle, unit: Unit, reach: Callable[[Leader], int]) -> list[Leader]:
    far = battle.board.grid.distance
    return [
        one
        for one in battle.leaders_of(unit.seat)
        if obeys(unit, one) and far(one.cell, unit.cell) <= reach(one)
    ]


def ordering(battle: Battle, unit: Unit) -> list[Leader]:
    """Leaders through whom an order can reach a unit, by the variant of TH-3.3."""
    reach = battle.options.order_reach
    if reach == "influence":
        return influencing(battle, unit)
    if reach == "command":
        return commanding(battle, unit)
    return [one for one in battle.leaders_of(unit.seat) if obeys(unit, one)]


def in_reach(battle: Battle, unit: Unit) -> bool:
    """Whether orders reach a unit (TH-3.3); by `anywhere` they do without any leader."""
    return battle.options.order_reach == "anywhere" or bool(ordering(battle, unit))


def cost(battle: Battle, code: str, unit: Unit, count: int = 1) -> Sum:
    """What an order to one unit costs its side, through the leader who makes it cheapest (TH-3.4).

    A leader's own price is his alone, be it lower or higher than the list's (TH-1.4).
    """
    near, arm = bool(influencing(battle, unit)), unit.figures.arm
    own = dict.fromkeys([one.prices.get(code) for one in ordering(battle, unit)]) or {None: None}
    sums = [price(code, arm, count=count, influence=near, special=each) for each in own]
    return min(sums, key=lambda due: due.total)


def affordable(battle: Battle, code: str, unit: Unit) -> bool:
    """Whether an order may go to a unit: it suits its arm, reaches it, and can be paid."""
    return (
        ORDERS[code].suits(unit.figures.arm)
        and battle.sides[unit.seat].tokens >= 1  # the cheapest order; spares the longer questions
        and in_reach(battle, unit)
        and battle.sides[unit.seat].tokens >= cost(battle, code, unit).total
    )


Moment = Literal[
    "command", "before_move", "after_move", "movement_end", "between_combats",
    "declared", "attack_order", "defence_order", "losses", "riposte",
]  # fmt: skip

LOSSES: Moment = "losses"
"""The moment at which everybody is stopped."""


CALL = "call"
"""The word by which a seat opens the window itself, at a question of its own (TH-8.3)."""


def stopped(battle: Battle, moment: Moment) -> list[str]:
    """Seats that are asked at this moment if they have something to play, the active one first.

    Everybody is after a roll that would cost one of its units an element; beside that a seat is
    asked as it likes: nowhere, of the unit of its own that is `attacked`, in its `own` turn, or at
    `all` moments.
    """
    return [
        seat
        for seat in (battle.active, battle.passive)
        if (moment == LOSSES or asks_of(battle, seat)) and has_committing(battle, seat)
    ]


def asks_of(battle: Battle, seat: str) -> bool:
    """Whether a seat likes to be asked now, whatever a roll costs."""
    stops, fight = battle.sides[seat].stops, battle.fight
    if stops == "attacked":
        return fight is not None and battle.units[fight.target].seat == seat
    return stops == "all" or (stops == "own" and seat == battle.active)


def has_committing(battle: Battle, seat: str) -> bool:
    """Whether a seat has anybody left who may commit himself."""
    return any(one.rank in COMMITTING for one in battle.leaders_of(seat))


def calling(battle: Battle, seat: str) -> tuple[str, ...]:
    """The word `CALL` where a seat has anybody who may commit himself."""
    return (CALL,) if has_committing(battle, seat) else ()


def openings(battle: Battle, moment: Moment) -> list[Item]:
    """The window of a moment as agenda items; none where nobody is stopped.

    Whether there is anything to commit to is seen when it opens (`commitment.moment_comes`).
    """
    return [item("TH-8.3", moment)] if stopped(battle, moment) else []


NONE = "none"
"""The word for no order."""


ARMY = "army"
"""Whose orders those are that go to the army, or to a unit still to be chosen (`offered_to`)."""


def offered_to(whose: str) -> str:
    """The family of texts of a list of orders: their prices depend on whose they are.

    whose: a unit's code, a leader's, or `ARMY`.
    """
    return f"offer.{whose}"


class Chosen(SeveralOf, frozen=True):
    """Several words; for one that is not among them `why` may know the reason."""

    why: Callable[[str], NotAllowed | None] = lambda _: None

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
