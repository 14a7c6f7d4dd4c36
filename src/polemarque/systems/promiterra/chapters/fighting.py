"""Chapter « Attaques » (PR-5): missiles, simultaneous attacks, melee, and what they cost."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.api import Modifier, Next, Rule, Step, Sum, explain, item, script, tell, then
from polemarque.systems.promiterra.attack_reasons import (
    UNANSWERED,
    Half,
    account,
    multipliers,
    riposting,
    unanswered,
)
from polemarque.systems.promiterra.chapters.priest import fought_out
from polemarque.systems.promiterra.chapters.strikes import Clash, Strike
from polemarque.systems.promiterra.current_stats import fighter, riposte_denied, stat_reasons, stats
from polemarque.systems.promiterra.state import Order, Troop, War, while_fighting
from polemarque.systems.promiterra.stats import StatName

REACH = 2
"""A missile attack needs so much range, and so much distance (PR-5.5)."""


def attack_orders(war: War) -> list[Order]:
    """The attacks of this turn that have been neither made nor lost."""
    return [o for o in war.orders if o.target and o.act == "attack" and o.troop not in war.attacked]


def attack_lost(war: War, troop: str, target: str) -> Rule[War]:
    """A declared attack that cannot be made is lost: its order has no target any more (PR-3.3)."""
    yield from tell("PR-3.3", "lost", troop=troop, target=target)
    orders = [replace(o, target="") if o.troop == troop else o for o in war.orders]
    return replace(war, orders=tuple(orders))


def distance(war: War, a: Troop, b: Troop) -> int:
    """How far apart two troops on the field are."""
    return war.board.grid.distance(a.cell, b.cell)


def facing(war: War, order: Order) -> tuple[Troop, Troop] | None:
    """The attacker and the target of an order, if both are still on the field."""
    attacker, target = war.present_troop(order.troop), war.present_troop(order.target)
    return (attacker, target) if attacker and target else None


def can_shoot(war: War, attacker: Troop, target: Troop) -> bool:
    """Whether a missile attack can be made (PR-5.5, PR-7.1)."""
    away = distance(war, attacker, target)
    return (
        REACH <= away <= stats(war, attacker).range
        and attacker.id not in war.moved
        and not target.barricaded
    )


def can_strike(war: War, order: Order) -> bool:
    """Whether a melee attack can be made: attacker and target adjacent (PR-5.6)."""
    pair = facing(war, order)
    return pair is not None and distance(war, *pair) == 1


# The three steps ---------------------------------------------------------------------------------


@script("PR-5.5")
@while_fighting
def missile_step(war: War) -> Next[War]:
    """Those who declared an attack on a target further away than one cell."""
    return war, [
        then(troop_shoots, order.troop, order.target)
        for order in attack_orders(war)
        if not can_strike(war, order)
    ]


@script("PR-5.5/shot")
@while_fighting
def troop_shoots(war: War, troop: str, target: str) -> Step[War]:
    """A missile attack, if it can be made."""
    pair = facing(war, Order(troop, target=target))
    if pair is None or not can_shoot(war, *pair):
        return (yield from attack_lost(war, troop, target)), []
    attacker, defender = pair
    war, fought = yield from fought_out(
        war, fighter(war, attacker), fighter(war, defender), riposte=False
    )
    yield from tell_clash("PR-5.5", war, attacker, defender, fought, "PR-1.4")
    war = having_attacked(war, troop)
    return (yield from taken(war, target, fought.defender_losses)), []


@script("PR-5.7")
@while_fighting
def simultaneous_step(war: War) -> Next[War]:
    """Two troops or more in melee against one target attack it together."""
    ready = [order for order in attack_orders(war) if can_strike(war, order)]
    aimed: dict[str, list[str]] = {}
    for order in ready:
        aimed.setdefault(order.target, []).append(order.troop)
    return war, [
        item("PR-5.7/attack", target, war.troops[target].units, tuple(attackers), ())
        for target, attackers in aimed.items()
        if len(attackers) > 1
    ]


@script("PR-5.6")
@while_fighting
def melee_step(war: War) -> Next[War]:
    """Troops that have declared a melee attack and not made it yet."""
    return war, [then(troop_strikes, order.troop, order.target) for order in attack_orders(war)]


@script("PR-5.6/melee")
@while_fighting
def troop_strikes(war: War, troop: str, target: str) -> Step[War]:
    """A melee attack and its riposte; the losses of both are taken at the end (PR-5.3)."""
    if not can_strike(war, Order(troop, target=target)):
        return (yield from attack_lost(war, troop, target)), []
    attacker, defender = war.troops[troop], war.troops[target]
    denied = riposte_denied(attacker, defender)
    war, fought = yield from fought_out(
        war, fighter(war, attacker), fighter(war, defender), riposte=not denied
    )
    yield from tell_clash("PR-5.6", war, attacker, defender, fought, denied)
    war = having_attacked(war, troop)
    war = yield from taken(war, target, fought.defender_losses)
    return (yield from taken(war, troop, fought.attacker_losses)), []


# What all attacks have in common -----------------------------------------------------------------


def having_attacked(war: War, troop: str) -> War:
    """The war after a troop has made its attack."""
    return replace(war, attacked=(*war.attacked, troop), stirred=True)


def taken(war: War, troop: str, losses: int) -> Rule[War]:
    """A troop that is still there takes its losses; at 0 units it is annihilated (PR-5.8)."""
    if war.present_troop(troop) is None:
        return war
    war = war.losing(troop, losses)
    if not war.troops[troop].units:
        yield from tell("PR-5.8", "annihilated", troop=troop)
        war = war.left_by(troop, "annihilated")
    return war


def tell_clash(
    rule: str, war: War, attacker: Troop, defender: Troop, fought: Clash, denied: str
) -> Rule[None]:
    """What an attack came to, with the changes of both troops' statistics.

    denied: the rule by which there was no riposte, "" if there was one.
    """
    yield from explain(altered(war, attacker, "attack") + altered(war, defender, "defence"))
    ours, theirs = fighter(war, attacker), fighter(war, defender)
    halves = [half_of(war, attacker.id, defender.id, attacker.units, fought.attack)]
    yield from explain(account(halves[0]))
    if denied:
        reason = "too_far" if rule == "PR-5.5" else UNANSWERED[denied]
        yield from explain(unanswered(denied, reason, defender.units))
    else:
        halves.append(half_of(war, defender.id, attacker.id, defender.units, fought.riposte))
        yield from explain(riposting(defender.id, defender.units, "units_before"))
        yield from explain(altered(war, defender, "attack") + altered(war, attacker, "defence"))
        yield from explain(account(halves[1]))
    kind = "attack" if denied else "fought"
    yield from tell(
        rule, kind, attacker=attacker.id, target=defender.id, units=attacker.units,
        attack=ours.attack, defence=theirs.defence, fort=theirs.fort, cover=ours.fort,
        hits=fought.hits, losses=fought.defender_losses,
        left=defender.units - fought.defender_losses, riposte_hits=fought.riposte_hits,
        riposte_losses=fought.attacker_losses,
        remain=attacker.units - fought.attacker_losses, denied=denied,
        times=multipliers(*halves),
    )  # fmt: skip


def half_of(war: War, striker: str, target: str, units: int, struck: Strike) -> Half:
    """One half of a clash between two troops on the field."""
    return Half(
        striker=striker, target=target, units=units, struck=struck, dice=war.options.dice,
        fort=war.fort(war.troops[target].cell), other=war.fort(war.troops[striker].cell),
    )  # fmt: skip


def altered(war: War, troop: Troop, name: StatName) -> Sum:
    """The changes of a statistic, without its base: nothing where nothing changes it."""
    parts: tuple[Modifier, ...] = stat_reasons(war, troop, name).parts[1:]
    return Sum(tuple([replace(part, reason=f"{part.reason}@{troop.id}") for part in parts]))
