"""Chapter « Ordres de défense » (TH-7): in answer to an attack, one for each combat."""

from __future__ import annotations

from polemarque.kernel.agenda import Item, Rule, ask, script, tell
from polemarque.kernel.request import OneOf
from polemarque.systems.thucidide.attack import combat_order_paid, given
from polemarque.systems.thucidide.chain import affordable
from polemarque.systems.thucidide.combat import fight_of, fighting, while_both_stand
from polemarque.systems.thucidide.combat_data import COMBAT
from polemarque.systems.thucidide.moments import openings
from polemarque.systems.thucidide.offers import NONE, offer
from polemarque.systems.thucidide.orders import ORDERS, codes
from polemarque.systems.thucidide.state import Battle, Unit
from polemarque.systems.thucidide.supporting import is_supported, support_of
from polemarque.systems.thucidide.withdrawal import withdrawals

EVASION = "evasion"


@script("TH-7/order")
@while_both_stand
def defender_answers(battle: Battle) -> Rule[tuple[Battle, list[Item]]]:
    """After the attack order, before the dice: at most one defence order that can be paid."""
    unit = battle.units[fight_of(battle).target]
    found = [code for code in defence_orders(battle) if affordable(battle, code, unit)]
    if found:
        offered = offer(battle, "defence", unit, tuple(found))
        code = yield from ask(unit.seat, offered, absent=NONE, subject=unit.code)
        if code != NONE:
            battle = yield from combat_order_paid(battle, code, unit)
            battle = fighting(given(battle, code, unit), answered=True)
    return battle, [*openings(battle, "defence_order"), ("TH-F5/answered",)]


def defence_orders(battle: Battle) -> list[str]:
    """Defence orders that would have an effect now, before the dice; cost apart."""
    fight = fight_of(battle)
    unit = battle.units[fight.target]
    if "retraite" in fight.answers:
        return []
    return [
        code
        for code in codes("defence")
        if ORDERS[code].suits(unit.figures.arm)
        and code not in (*fight.answers, *unit.marks.orders)
        and _has_effect(battle, code, unit)
    ]


def _has_effect(battle: Battle, code: str, unit: Unit) -> bool:
    """Whether an order that is not yet in force would do anything (TH-3.1)."""
    fight, options = fight_of(battle), battle.options
    if code == EVASION:
        return options.evasion == "before"
    if code == "defense":
        return not is_supported(battle, unit) or _may_lose_support(battle, unit)
    if code == "pieges":
        return not fight.shooting
    if code == "embuscade":
        lies = options.ambush == "any" or is_supported(battle, unit)
        return lies and not fight.shooting and unit.figures.melee > 0
    if code == "retraite":
        return bool(withdrawals(battle, unit))
    return True


def _may_lose_support(battle: Battle, unit: Unit) -> bool:
    """Whether it could be pushed away from the neighbours by whose support it would riposte.

    So by the variant `adjacent` of TH-F5; by the order it is supported wherever it ends (TH-7.3).
    """
    fight = fight_of(battle)
    ripostes = not fight.shooting and "embuscade" not in fight.answers and unit.figures.melee > 0
    by_neighbours = support_of(battle, unit) == "TH-F4"
    return battle.options.riposte == "adjacent" and ripostes and by_neighbours


# Évasion (TH-7.1) --------------------------------------------------------------------------------


@script("TH-7.1")
@while_both_stand
def target_evades(battle: Battle) -> Rule[tuple[Battle, list[Item]]]:
    """Once the dice are seen: one hit becomes flags that nothing cancels."""
    fight = fight_of(battle)
    unit = battle.units[fight.target]
    prepaid = EVASION in fight.answers
    if can_evade(battle) and (prepaid or _may_pay_evasion(battle, unit)):
        word = yield from ask(
            unit.seat, OneOf((NONE, EVASION), "offer"), absent=NONE, subject=unit.code
        )
        if word != NONE:
            battle = battle if prepaid else (yield from combat_order_paid(battle, EVASION, unit))
            battle = yield from evaded(fighting(battle, answered=True))
    return battle, [*openings(battle, "losses"), ("TH-F5/losses",)]


def can_evade(battle: Battle) -> bool:
    """Whether the attack has a hit that could be evaded."""
    fight = fight_of(battle)
    return fight.throw == "attack" and fight.hits > 0


def _may_pay_evasion(battle: Battle, unit: Unit) -> bool:
    """By the variant `after` it is given now, if no defence order was given in this combat."""
    if battle.options.evasion == "before" or fight_of(battle).answered:
        return False
    return affordable(battle, EVASION, unit)


def evaded(battle: Battle) -> Rule[Battle]:
    """The battle with one hit turned into flags."""
    fight = fight_of(battle)
    unit, flags = battle.units[fight.target], COMBAT.flags.evasion
    yield from tell("TH-7.1", "evades", seat=unit.seat, unit=unit.code, flags=flags)
    return fighting(battle, hits=fight.hits - 1, sure=fight.sure + flags)


# Embuscade (TH-7.6) ------------------------------------------------------------------------------


@script("TH-7.6")
@while_both_stand
def ambush_is_sprung(battle: Battle) -> Rule[tuple[Battle, list[Item]]]:
    """The defender's dice come first; there is no assault, follow-up or pursuit from them."""
    fight = fight_of(battle)
    attacker, unit = battle.units[fight.attacker], battle.units[fight.target]
    yield from tell("TH-7.6", "sprung", seat=unit.seat, unit=unit.code, target=attacker.code)
    battle = fighting(battle, throw="ambush", stood=attacker.cell)
    return battle, [*openings(battle, "riposte"), ("TH-F5/dice",)]
