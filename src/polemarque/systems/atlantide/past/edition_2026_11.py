"""Edition 2026-11: an umpire who plays answers alone, armies are counted before everybody, and
kingdoms and places are chosen one seat after the other."""

from __future__ import annotations

from typing import Any

from polemarque.api import UMPIRE, Item, OneOf, Rule, Step, ask, script, tell, then
from polemarque.systems.atlantide.army import figures, without
from polemarque.systems.atlantide.brief import force_of
from polemarque.systems.atlantide.chapters.battle import (
    faced,
    forces_are_picked,
    handed_over,
    part_is_played,
    resolver_of,
    tell_side,
)
from polemarque.systems.atlantide.chapters.battle_guests import WHO
from polemarque.systems.atlantide.chapters.conquest import FEW, attacked, over
from polemarque.systems.atlantide.chapters.ending import won
from polemarque.systems.atlantide.chapters.reinforcements import warbands_roll
from polemarque.systems.atlantide.chapters.turn import turn_begins
from polemarque.systems.atlantide.losses import choose_losses
from polemarque.systems.atlantide.setup.opening import (
    army_is_counted,
    city_or_first,
    colony,
    free_kingdoms,
    order_told,
    settled,
    standing_at,
)
from polemarque.systems.atlantide.setup.options import TABLE
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.strength import army_force


def asks_alone(options: OneOf, *, absent: str, subject: str, **_: Any) -> Rule[str]:
    """Ask the umpire, and nobody else whom it touches."""
    word: str = yield from ask(UMPIRE, options, absent=absent, subject=subject)
    return word


@script("AT-1.4")
def kingdoms_are_chosen(war: War, places: dict[str, str]) -> Step[War]:
    """One seat after the other picks a kingdom, then places an army, openly."""
    given = tuple([code for code in war.in_play() if war.seats[code].kingdom])
    choosing = tuple([code for code in war.in_play() if code not in given])
    order = yield from order_told(choosing)
    items: list[Item] = [then(player_picks_a_kingdom, seat) for seat in order]
    for seat in (*given, *order):
        items += [then(army_is_placed, seat, places.get(seat, "")), then(warbands_roll, seat)]
        items.append(then(army_is_counted, seat))
    return war, [*items, then(turn_begins)]


@script("AT-1.4/kingdom")
def player_picks_a_kingdom(war: War, seat: str) -> Step[War]:
    """One of the kingdoms that are left."""
    if war.seats[seat].given_up:
        return war, []
    free = free_kingdoms(war)
    kingdom = free[0]
    if len(free) > 1:
        kingdom = yield from ask(seat, OneOf(free, "kingdom"), absent=kingdom)
    yield from tell("AT-1.4", "kingdom", seat=seat, kingdom=kingdom)
    return settled(war, seat, kingdom), []


@script("AT-1.4/place")
def army_is_placed(war: War, seat: str, place: str) -> Step[War]:
    """On one of the territories of his colony."""
    if war.seats[seat].given_up:
        return war, []
    if not place:
        options = OneOf(colony(war, seat), "territory")
        place = yield from ask(seat, options, absent=city_or_first(war, seat))
    yield from tell("AT-1.4", "placed", seat=seat, place=place)
    return standing_at(war, seat, place), []


@script("AT-1.11")
def campaign_is_won(war: War) -> Step[War]:
    """The umpire says how a tie is broken."""
    return (yield from won(war, asks_alone))


@script("AT-1.13")
def guests_join(war: War, number: int) -> Step[War]:
    """The umpire says on which side guests join, if they do."""
    place = war.battles[number].place
    who = OneOf(tuple(WHO), "guests")
    joined = WHO[(yield from asks_alone(who, absent="none", subject=place))]
    return (yield from forces_are_picked(war, number, joined)) if joined else (war, [])


@script("AT-2.4/deputy")
def somebody_plays_his_part(war: War, number: int, side: int) -> Step[War]:
    """The umpire names the deputy where there are several."""
    return (yield from part_is_played(war, number, side, asks_alone))


@script("AT-8.10")
def battles_are_fought(war: War) -> Step[War]:
    """The book's own table compares what everybody reads of both armies, row by row."""
    war = faced(war)
    for battle in war.battles:
        if resolver_of(war, battle) == TABLE:
            for seat in battle.sides:
                yield from tell_side(battle, seat, force_of(war, battle, seat))
    return (yield from handed_over(war))


@script("AT-9.3")
def army_attacks(war: War, seat: str, bribe: int) -> Step[War]:
    """Everybody reads what the army counts for; figures lost are named before it goes on.

    An army of more than 30 figures is not counted down: its assault goes on to the end.
    """
    army = war.army_of(seat)
    left = there if (there := figures(army)) <= FEW else None
    war, fought = yield from attacked(war, seat, bribe, army_force(army), left)
    lost = yield from choose_losses(war, seat, fought.figures_lost, "conquest")
    return war.with_army(seat, without(war.army_of(seat), lost)), over(seat, fought)
