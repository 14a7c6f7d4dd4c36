"""Supply (AT-6): the chain from an army to its royal city, and what modifies the want of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import msgspec

from polemarque.api import Modifier, Sum
from polemarque.systems.atlantide.agreements import lets_convoy, tolerates_tax
from polemarque.systems.atlantide.setup.island import City, Terrain
from polemarque.systems.atlantide.state import Land, War
from polemarque.systems.atlantide.tables import TABLES

RULE = "AT-5.1"
FIRST_TURN = 2


AMOUNTS = TABLES.matrix("AT-5.1", int)
REASONS: dict[City, str] = {"atlantis": "atlantis", "royal": "royal_city"}


class Taxed(msgspec.Struct, frozen=True):
    """A territory as the tax table reads it.

    enemy: an enemy army stands there and does not tolerate taxes: it pays nothing.
    heart: it belongs to the kingdom of Atlantis, read by the variant `kingdom` only.
    """

    terrain: Terrain
    city: City = "none"
    enemy: bool = False
    heart: bool = False


@lru_cache
def tax(ground: Taxed, atlantis_tax: str = "city") -> Modifier:
    """What one territory pays in loot, by its terrain and city, and by which row of the book."""
    if ground.enemy:
        return Modifier(0, "enemy_army", RULE)
    city = "atlantis" if ground.heart and atlantis_tax == "kingdom" else ground.city
    reason = REASONS.get(city, ground.terrain)
    return Modifier(AMOUNTS.cell(ground.terrain, city), reason, RULE)


def taxes(territories: Iterable[Taxed], atlantis_tax: str = "city") -> Sum:
    """What a list of territories pays, one part each, in order."""
    return Sum(tuple([tax(ground, atlantis_tax) for ground in territories]))


def taxed(war: War, place: str) -> Taxed:
    """A player's territory as the tax table reads it now.

    An enemy army is any other player's, unless it is beaten and still to retreat or its player
    tolerates the taxes (AT-4.1).
    """
    owner = war.lands[place].owner or ""
    enemies = war.enemies_at(place, owner)
    enemy = bool(enemies) and not all(tolerates_tax(war, e, owner, place) for e in enemies)
    where = war.board.by_id[place]
    return Taxed(war.lands[place].terrain, where.city, enemy, where.kingdom == war.board.heart)


def taxes_of(war: War, seat: str) -> Sum:
    """What a seat collects this turn, one part a territory in the board's order; none on turn 1."""
    if war.turn < FIRST_TURN:
        return Sum()
    grounds = [taxed(war, place) for place in war.lands_of(seat)]
    return taxes(grounds, war.options.atlantis_tax)


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
