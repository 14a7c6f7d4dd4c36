"""Chapter « Ordres d'attaque » (TH-6): given by the attacker of a melee, one for each combat.

What they do stands where it is done: dice in `strike`, support in `supporting`, the duty to follow
up and the breakthrough in `advance`.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from polemarque.api import Fact, Rule, Step, ask, explain, item, script, tell, then
from polemarque.systems.thucidide.chapters.combat import (
    attack_told,
    fight_of,
    fighting,
    while_both_stand,
)
from polemarque.systems.thucidide.orders import (
    CALL,
    NONE,
    ORDERS,
    affordable,
    calling,
    cost,
    offer,
    openings,
)
from polemarque.systems.thucidide.state import Battle, Unit

BEFORE_THE_DICE = ("allant", "berserks", "charge")
"""The attack orders that are given before the dice; Percée comes after them (TH-6.4)."""

LASTING = ("phase", "turn")
"""Orders that stay with their unit after the combat, as marks of the player-turn."""


@script("TH-6/order", edition="2026-11.2")
@while_both_stand
def attacker_orders(battle: Battle) -> Step[Battle]:
    """After the declaration: at most one attack order (from TH-6.1 on), legal and paid for."""
    return (yield from attack_ordered(battle, calling(battle, battle.active)))


def attack_ordered(battle: Battle, called: tuple[str, ...]) -> Step[Battle]:
    """An attack order; or `CALL`, where it is offered, and the question again."""
    fight = fight_of(battle)
    unit = battle.units[fight.attacker]
    codes = [code for code in attack_orders(battle) if affordable(battle, code, unit)]
    if codes:
        offered = offer(battle, "attack", unit, (*codes, *called), told_with(battle, unit))
        code = yield from ask(unit.seat, offered, absent=NONE, subject=unit.code)
        if code == CALL:
            return battle, [item("TH-8.3/call", unit.seat, "declared"), then(attacker_orders)]
        if code != NONE:
            paid = cost(battle, code, unit).total
            battle = yield from combat_order_paid(battle, code, unit)
            battle = fighting(given(battle, code, unit), ordered=True, paid=paid)
    return battle, [*openings(battle, "attack_order"), item("TH-7/order")]


def told_with(battle: Battle, unit: Unit) -> Callable[[str], Fact | None]:
    """What the next dice may come to with each order that a unit can be given, or with none.

    They are those of the attack, from an ambush those of the answer (TH-7.6).
    """

    def told(code: str) -> Fact | None:
        if code == CALL:
            return None
        ordered = battle if code == NONE else given(battle, code, unit)
        fight = fight_of(ordered)
        if "embuscade" in fight.answers:
            fight = replace(fight, throw="ambush")
        return attack_told(ordered, fight)

    return told


def attack_orders(battle: Battle) -> list[str]:
    """Attack orders that would have an effect on the attacker, before the dice; cost apart.

    Charge is for a supported unit too: it lasts the whole phase, in which friends may be left
    behind (TH-6.3).  No order is given twice while it is in force.
    """
    fight = fight_of(battle)
    unit = battle.units[fight.attacker]
    if fight.shooting:
        return []
    return [
        code
        for code in BEFORE_THE_DICE
        if code not in (*fight.orders, *unit.marks.orders) and ORDERS[code].suits(unit.figures.arm)
    ]


def combat_order_paid(battle: Battle, code: str, unit: Unit) -> Rule[Battle]:
    """The battle once an order to a unit is paid, in full before its effect (TH-3.1)."""
    price = cost(battle, code, unit)
    yield from explain(price)
    yield from tell(ORDERS[code].rule, code, seat=unit.seat, unit=unit.code, tokens=price.total)
    return battle.paying(unit.seat, price.total)


def given(battle: Battle, code: str, unit: Unit) -> Battle:
    """The battle with an order of combat in force: for this combat, or on its unit for longer."""
    order, fight = ORDERS[code], fight_of(battle)
    if order.lasts in LASTING:
        unit = battle.units[unit.code]
        return battle.marked(unit.code, orders=(*unit.marks.orders, code))
    if order.family == "attack":
        return replace(battle, fight=replace(fight, orders=(*fight.orders, code)))
    return replace(battle, fight=replace(fight, answers=(*fight.answers, code)))
