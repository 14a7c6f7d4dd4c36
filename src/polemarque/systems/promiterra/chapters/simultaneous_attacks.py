"""Chapter « Attaque simultanée » (PR-5.7): several against one, which splits its riposte.

What has come about so far travels in the agenda, an item an attack; the war changes at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from polemarque.api import Amount, Filling, Sheet, Step, ask, explain, script, tell, then
from polemarque.systems.promiterra.attack_reasons import (
    UNANSWERED,
    account,
    multipliers,
    riposting,
    unanswered,
)
from polemarque.systems.promiterra.chapters.fighting import altered, half_of, having_attacked, taken
from polemarque.systems.promiterra.chapters.priest import struck_out
from polemarque.systems.promiterra.chapters.strikes import counting_fort
from polemarque.systems.promiterra.current_stats import fighter, riposte_denied
from polemarque.systems.promiterra.state import War

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


def split_sheet(exposed: Sequence[str], units: int) -> Sheet:
    """Whole units against each attacker; the last one faces those that are left."""

    def fill() -> Filling:
        left = units
        for troop in exposed[:-1]:
            left -= yield f"riposte.{troop}", Amount(0, left, unit="units")

    return Sheet(fill)


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
