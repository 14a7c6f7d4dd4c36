"""Chapter « Attaques » (PR-5): missiles, simultaneous attacks, melee, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    Amount,
    Filling,
    Modifier,
    Next,
    Rule,
    Step,
    Sum,
    ask,
    bonus,
    explain,
    item,
    script,
    sheet_parts,
    tell,
    then,
)
from polemarque.systems.promiterra.chapters.dice_cutting import Cut, cut
from polemarque.systems.promiterra.chapters.lent_priests import fought_out, struck_out
from polemarque.systems.promiterra.chapters.strikes import Clash, Strike, counting_fort
from polemarque.systems.promiterra.current_stats import fighter, riposte_denied, stat_reasons, stats
from polemarque.systems.promiterra.setup.options import DiceRule
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


Share = tuple[tuple[str, int], ...]
"""Troops, each with a number of units: losses, or units that riposte."""


@script("PR-5.7/attack")
def one_attacks(
    war: War, target: str, units: int, waiting: tuple[str, ...], struck: Share
) -> Step[War]:
    """One of several attacks; saves are rolled attack by attack.

    units:   of the target when melee began; they make the riposte.
    waiting: attackers still to come.   struck: losses caused so far, by attacker.
    """
    waiting = tuple([troop for troop in waiting if war.present_troop(troop)])
    if war.present_troop(target) is None:
        return war, []
    if not waiting:
        return war, [then(riposte_is_split, target, units, struck)]
    troop, *rest = waiting
    attacker, defender = war.troops[troop], war.troops[target]
    ours, theirs = fighter(war, attacker), fighter(war, defender)
    fort = counting_fort(theirs.fort, ours.fort)
    war, blow = yield from struck_out(war, ours.units, ours.attack, theirs, fort, "attack")
    half = half_of(war, troop, target, ours.units, blow)
    yield from explain(altered(war, attacker, "attack") + altered(war, defender, "defence"))
    yield from explain(account(half))
    if denied := riposte_denied(attacker, defender):
        yield from explain(unanswered(denied, UNANSWERED[denied], units))
    yield from tell(
        "PR-5.7", "attack", attacker=troop, target=target, units=ours.units, attack=ours.attack,
        defence=theirs.defence, fort=fort, hits=blow.hits, losses=blow.losses,
        times=multipliers(half),
    )  # fmt: skip
    after = (*struck, (troop, blow.losses))
    return having_attacked(war, troop), [then(one_attacks, target, units, tuple(rest), after)]


@script("PR-5.7/split")
def riposte_is_split(war: War, target: str, units: int, struck: Share) -> Step[War]:
    """Its losses known, the target splits its riposte before any of its dice fall."""
    defender = war.troops[target]
    losses = min(sum([lost for _, lost in struck]), units)
    yield from tell("PR-5.7", "toll", target=target, losses=losses, left=units - losses)
    exposed = [t for t, _ in struck if not riposte_denied(war.troops[t], defender)]
    shares: dict[str, int] = dict.fromkeys(exposed, units)
    if len(exposed) > 1:
        seat = defender.army
        filled = yield from ask(
            seat, split_sheet(exposed, units), absent=even_split(exposed, units), subject=target
        )
        shares = {troop: filled.get(f"riposte.{troop}", 0) for troop in exposed}
        shares[exposed[-1]] = units - sum([shares[troop] for troop in exposed[:-1]])
        yield from tell(
            "PR-5.7", "split", target=target, troops=exposed, shares=list(shares.values())
        )
    ripostes = tuple([(troop, share) for troop, share in shares.items() if share])
    return war, [then(one_riposte, target, losses, ripostes, ())]


@sheet_parts
def split_sheet(exposed: Sequence[str], units: int) -> Filling:
    """Whole units against each attacker; the last one faces those that are left."""
    left = units
    for troop in exposed[:-1]:
        left -= yield f"riposte.{troop}", Amount(0, left, unit="units")


def even_split(exposed: Sequence[str], units: int) -> dict[str, int]:
    """What is answered for an absent player: as even as can be."""
    return {f"riposte.{troop}": units // len(exposed) for troop in exposed[:-1]}


@script("PR-5.7/riposte")
def one_riposte(war: War, target: str, losses: int, waiting: Share, suffered: Share) -> Step[War]:
    """One part of the riposte; after the last all losses are taken.

    losses: of the target.   suffered: those of attackers so far.
    """
    waiting = tuple([(troop, share) for troop, share in waiting if war.present_troop(troop)])
    if war.present_troop(target) is None:
        return war, []
    if not waiting:
        war = yield from taken(war, target, losses)
        for troop, lost in suffered:
            war = yield from taken(war, troop, lost)
        return war, []
    (troop, share), *rest = waiting
    attacker, defender = war.troops[troop], war.troops[target]
    ours, theirs = fighter(war, attacker), fighter(war, defender)
    cover = counting_fort(ours.fort, theirs.fort)
    war, back = yield from struck_out(war, share, theirs.attack, ours, cover, "riposte")
    half = half_of(war, target, troop, share, back)
    yield from explain(riposting(target, share, "units_against"))
    yield from explain(altered(war, defender, "attack") + altered(war, attacker, "defence"))
    yield from explain(account(half))
    yield from tell(
        "PR-5.7", "riposte", attacker=troop, target=target, units=share, attack=theirs.attack,
        defence=ours.defence, cover=cover, hits=back.hits, losses=back.losses,
        remain=ours.units - back.losses, times=multipliers(half),
    )  # fmt: skip
    after = (*suffered, (troop, back.losses))
    return war, [then(one_riposte, target, losses, tuple(rest), after)]


class Half(msgspec.Struct, frozen=True, kw_only=True):
    """One half of a clash: an attack, or the riposte to it.

    striker, target: the troops, by their codes.
    units: how many of the striker struck.
    fort, other: the levels on which target and striker stand.
    struck: what it came to.   dice: how its dice were counted.
    """

    striker: str
    target: str
    units: int
    fort: int
    other: int
    struck: Strike
    dice: DiceRule

    @property
    def level(self) -> int:
        """The level of fortification that defends the target (PR-7.3)."""
        return counting_fort(self.fort, self.other)


def account(half: Half) -> Sum:
    """Hits, what saved from them, and what was left to lose: the target's losses."""
    return _hits(half) + _own_saves(half) + _fortification(half) + _limit(half)


def multipliers(*halves: Half) -> list[int]:
    """What each success of each roll counted (PR-6.1), in order; [] where no dice were cut."""
    found = [thrown.multiplier for half in halves for thrown in _rolls(half) if thrown.dice]
    return found if max(found, default=1) > 1 else []


def _rolls(half: Half) -> list[Cut]:
    """The rolls of an attack: hits, saves, and those of a fortification that counts."""
    hits, saved = half.struck.hits, half.struck.saved
    counts = [half.units, hits, *([hits - saved] if half.level else [])]
    return [cut(count, half.dice) for count in counts]


def _hits(half: Half) -> Sum:
    """Dice that hit (PR-5.1), and what the table makes of them (PR-6.1)."""
    hits = half.struck.hits
    rolled = hits // cut(half.units, half.dice).multiplier if hits else 0
    return bonus("PR-5.1", rolled, f"hits@{half.striker}") + bonus(
        "PR-6.1", hits - rolled, f"cut_dice@{half.striker}"
    )


def _own_saves(half: Half) -> Sum:
    return _saves("PR-5.2", f"saves@{half.target}", half.struck.hits, half.struck.saved, half)


def _fortification(half: Half) -> Sum:
    """What its fortification removed (PR-7.2), or that it does not count (PR-7.3)."""
    cancelled = bonus("PR-7.3", half.level - half.fort, f"cancelled_fort@{half.target}")
    left = half.struck.hits - half.struck.saved
    reason = f"fort_saves@{half.target}"
    return cancelled + _saves("PR-7.2", reason, left, half.struck.sheltered, half)


def _saves(rule: str, reason: str, hits: int, saved: int, half: Half) -> Sum:
    """Hits removed by dice, apart from those that a perfect defence removed besides (PR-6.3)."""
    thrown = cut(hits, half.dice)
    beyond = max(saved - thrown.dice * thrown.multiplier, 0)
    return bonus(rule, beyond - saved, reason) + bonus(
        "PR-6.3", -beyond, f"perfect_defence@{half.target}"
    )


def _limit(half: Half) -> Sum:
    """Hits that find no unit to remove any more (PR-6.4)."""
    struck = half.struck
    left = struck.hits - struck.saved - struck.sheltered
    return bonus("PR-6.4", struck.losses - left, f"no_more_units@{half.target}")


def riposting(troop: str, units: int, reason: str) -> Sum:
    """The units that riposte (PR-5.3)."""
    return bonus("PR-5.3", units, f"{reason}@{troop}")


UNANSWERED = {"PR-1.4": "mounted", "PR-1.10": "no_riposte"}
"""Why a melee attack is not answered, by the rule that says so."""


def unanswered(rule: str, reason: str, units: int) -> Sum:
    """The units that may not riposte, and why (PR-1.4, PR-1.10)."""
    return Sum((Modifier(-units, reason, rule),))
