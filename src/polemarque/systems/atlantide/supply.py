"""Supply (AT-6): the chain from an army to its royal city, and what modifies the want of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from polemarque.api import Modifier, Sum
from polemarque.systems.atlantide.agreements import lets_convoy
from polemarque.systems.atlantide.state import Land, War
from polemarque.systems.atlantide.taxes import Taxed, tax

WANT = "AT-6.3"
STEP = 50
"""Loot for one bribe or bargain; "per 50" is per full 50 (AT-5.6)."""


def sources(war: War, seat: str) -> tuple[str, ...]:
    """Where convoys of a seat start from: its royal cities, or the capital of its colony."""
    cities = war.royal_cities(seat)
    if cities or war.options.supply_city != "capital":
        return cities
    return capital(war.lands, war.lands_of(seat))


def capital(lands: Mapping[str, Land], held: Iterable[str]) -> tuple[str, ...]:
    """The capital of a colony without a royal city: its richest territory, of equals the first.

    Empty for a colony without territory.
    """
    richest = max(held, key=lambda place: tax(Taxed(lands[place].terrain)).amount, default=None)
    return () if richest is None else (richest,)


def supply_chain(war: War, seat: str) -> tuple[str, ...] | None:
    """The shortest chain from the army's territory to its player's royal city, both included.

    Each territory after the army's own is his or opened by AT-6.2, and free of enemy armies; the
    first need be neither.  A chain of one means that the army stands in the city.  None: no chain,
    no army, or nothing to start from.  Among equals the map's order of neighbours decides.
    """
    army = war.seats[seat].army
    if army is None:
        return None
    goals = sources(war, seat)
    if not goals:
        return None
    if army.place in goals:
        return (army.place,)
    neighbours, lands = war.board.neighbours, war.lands
    met = [s.army.place for s in war.seats.values() if s.army is not None and s.code != seat]
    came: dict[str, str] = {army.place: ""}
    ring = [army.place]
    while ring:
        following = []
        for here in ring:
            for there in neighbours[here]:
                if there in came:
                    continue
                # Own land without any army needs no look at agreements: nearly every step.
                easy = lands[there].owner == seat and there not in met
                if not easy and not convoy_passes(war, seat, there):
                    continue
                came[there] = here
                if there in goals:
                    return _back(came, there)
                following.append(there)
        ring = following
    return None


def _back(came: dict[str, str], goal: str) -> tuple[str, ...]:
    chain = [goal]
    while came[chain[-1]]:
        chain.append(came[chain[-1]])
    return tuple(reversed(chain))


def convoy_passes(war: War, seat: str, place: str) -> bool:
    """Whether a convoy of `seat` may go through a territory (AT-6.1, AT-6.2).

    The land is his, or its owner lets the convoy through; and no other player's army stands there,
    unless it is beaten and still to retreat (AT-8.8) or its player lets the convoy pass.
    """
    owner = war.lands[place].owner
    if owner != seat and (owner is None or not lets_convoy(war, owner, seat, place)):
        return False
    enemies = war.enemies_at(place, seat)
    return not enemies or all(lets_convoy(war, enemy, seat, place) for enemy in enemies)


def is_supplied(war: War, seat: str) -> bool:
    """Whether the army is supplied as things stand (AT-6.1, AT-10.2)."""
    return supply_chain(war, seat) is not None


def want_modifiers(earlier_turns: int, loot: int, supply_count: str = "earlier") -> Sum:
    """What is added to the die of AT-6.3.

    earlier_turns: consecutive turns without supply before this one; by the variant `including`
                   this one counts too.
    loot:          spent now, in loot; +1 per full 50 (AT-5.6).
    """
    turns = earlier_turns + (supply_count == "including")
    parts = ((-turns, "turns_unsupplied"), (loot // STEP, "bargain"))
    return Sum(tuple([Modifier(amount, reason, WANT) for amount, reason in parts if amount]))
