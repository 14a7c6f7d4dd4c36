"""Taxes (AT-5.1): what each territory pays, and which ones pay at all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from polemarque.api import Modifier, Sum
from polemarque.systems.atlantide.agreements import tolerates_tax
from polemarque.systems.atlantide.setup.island import City, Terrain
from polemarque.systems.atlantide.state import War
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
