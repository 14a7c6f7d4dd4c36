"""Chapter « Ordres de défense » (TH-7): in answer to an attack, one for each combat."""

from __future__ import annotations

from polemarque.api import OneOf, Rule, Step, ask, item, script, tell, then
from polemarque.systems.thucidide.chain import CALL, affordable, calling, openings
from polemarque.systems.thucidide.chapters.attack import combat_order_paid, given, told_with
from polemarque.systems.thucidide.chapters.combat import (
    both_have_ordered,
    dice_are_thrown,
    fight_of,
    fighting,
    losses_are_taken,
    while_both_stand,
)
from polemarque.systems.thucidide.chapters.withdrawal import withdrawals
from polemarque.systems.thucidide.combat_data import COMBAT
from polemarque.systems.thucidide.order_menu import NONE, offer, offered_to
from polemarque.systems.thucidide.orders import ORDERS, codes
from polemarque.systems.thucidide.state import Battle, Unit
from polemarque.systems.thucidide.targets import is_supported, support_of

EVASION = "evasion"


@script("TH-7/order", edition="2026-11.2")
@while_both_stand
def defender_answers(battle: Battle) -> Step[Battle]:
    """After the attack order, before the dice: at most one defence order that can be paid."""
    return (yield from defence_ordered(battle, calling(battle, battle.passive)))


def defence_ordered(battle: Battle, called: tuple[str, ...]) -> Step[Battle]:
    """A defence order; or `CALL`, where it is offered, and the question again."""
    unit = battle.units[fight_of(battle).target]
    found = [code for code in defence_orders(battle) if affordable(battle, code, unit)]
    if found:
        offered = offer(battle, "defence", unit, (*found, *called), told_with(battle, unit))
        code = yield from ask(unit.seat, offered, absent=NONE, subject=unit.code)
        if code == CALL:
            return battle, [item("TH-8.3/call", unit.seat, "attack_order"), then(defender_answers)]
        if code != NONE:
            battle = yield from combat_order_paid(battle, code, unit)
            battle = fighting(given(battle, code, unit), answered=True)
    return battle, [*openings(battle, "defence_order"), then(both_have_ordered)]


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
def target_evades(battle: Battle) -> Step[Battle]:
    """Once the dice are seen: one hit becomes flags that neither support nor a leader cancels."""
    fight = fight_of(battle)
    unit = battle.units[fight.target]
    prepaid = EVASION in fight.answers
    if can_evade(battle) and (prepaid or _may_pay_evasion(battle, unit)):
        word = yield from ask(
            unit.seat,
            OneOf((NONE, EVASION), offered_to(unit.code)),
            absent=NONE,
            subject=unit.code,
        )
        if word != NONE:
            battle = battle if prepaid else (yield from combat_order_paid(battle, EVASION, unit))
            battle = yield from evaded(fighting(battle, answered=True))
    return battle, [*openings(battle, "losses"), then(losses_are_taken)]


def can_evade(battle: Battle) -> bool:
    """Whether the attack has a hit that could be evaded: one and no more, by the variant `one`."""
    fight = fight_of(battle)
    left = battle.options.evaded == "each" or not fight.evaded
    return fight.throw == "attack" and fight.hits > 0 and left


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
    return fighting(battle, hits=fight.hits - 1, sure=fight.sure + flags, evaded=fight.evaded + 1)


# Embuscade (TH-7.6) ------------------------------------------------------------------------------


@script("TH-7.6")
@while_both_stand
def ambush_is_sprung(battle: Battle) -> Step[Battle]:
    """The defender's dice come first; there is no assault, follow-up or pursuit from them."""
    fight = fight_of(battle)
    attacker, unit = battle.units[fight.attacker], battle.units[fight.target]
    yield from tell("TH-7.6", "sprung", seat=unit.seat, unit=unit.code, target=attacker.code)
    battle = fighting(battle, throw="ambush", stood=attacker.cell)
    return battle, [*openings(battle, "riposte"), then(dice_are_thrown)]
