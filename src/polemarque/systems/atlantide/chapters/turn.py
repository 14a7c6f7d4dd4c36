"""Chapter « Séquence de jeu » (AT-2): the phases of a turn, and who acts first.

A phase is a few agenda items that return nothing more when it is done, so that it has ended for
all players before the next one begins.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    Item,
    Next,
    Rule,
    Step,
    again,
    call,
    faces,
    item,
    procedure,
    roll,
    script,
    tell,
    then,
)
from polemarque.api.adjusting import in_force
from polemarque.systems.atlantide.adjust import gods_judge
from polemarque.systems.atlantide.chapters.broken_agreements import agreements_may_be_broken
from polemarque.systems.atlantide.chapters.reinforcements import new_army
from polemarque.systems.atlantide.state import PHASES, Seat, Waiting, War
from polemarque.systems.atlantide.strength import initiative_total
from polemarque.systems.atlantide.troops import Army, points_of

ENTRIES = {
    "events": "AT-3/phase",
    "diplomacy": "AT-4/phase",
    "loot": "AT-5/phase",
    "supply": "AT-6/phase",
    "movement": "AT-7/phase",
    "battles": "AT-8/phase",
    "conquest": "AT-9/phase",
    "reinforcements": "AT-10/phase",
}
"""The first item of each phase, in order (AT-2.1)."""

RETURNS = "AT-1.12"
"""What is done first in a turn, before its phases."""

SEQUENCE = (RETURNS, *[entry.partition("/")[0] for entry in ENTRIES.values()])
"""The sequence of play, by the rules of its phases."""

WINDOWS = PHASES[1:]
"""Phases at whose start agreements are broken (AT-4.3).

Nothing that divine events do depends on an agreement: a wish stands until the next phase.
"""


Groups = tuple[tuple[str, ...], ...]
"""Seats in order; those of one group are level."""


class Order(msgspec.Struct, frozen=True):
    """Seats in order, nobody level any more."""

    seats: tuple[str, ...]


def phase_of(war: War) -> str:
    """The rule of the phase that runs, one of `SEQUENCE`; "" while the campaign is set up."""
    if war.opening:
        return ""
    return ENTRIES[war.phase].partition("/")[0] if war.phase else RETURNS


@script("AT-2.1")
def turn_begins(war: War) -> Step[War]:
    """A turn: who comes back, the eight phases, and what is looked at when it ends."""
    yield from tell("AT-2.1", "turn", turn=war.turn)
    options = yield from in_force("AT-2.1", war.options, war.ordered)
    war = replace(war, options=options, ordered={})
    items: list[Item] = [item("AT-1.12")]
    items += [then(new_army, seat.code) for seat in war.seats.values() if seat.waiting]
    items += [then(phase_begins, phase) for phase in PHASES]
    return war, [*items, item("AT-1.10")]


@script("AT-2.1/phase", edition="2026-11.2")
def phase_begins(war: War, phase: str) -> Next[War]:
    """A phase: what the gods are to judge, agreements broken, then the phase itself."""
    items: list[Item] = [then(gods_judge, dispute) for dispute in war.disputes]
    if phase in WINDOWS:
        items.append(then(agreements_may_be_broken))
    return replace(war, phase=phase, disputes=()), [*items, item(ENTRIES[phase])]


@procedure("AT-2.2/roll_off")
def roll_off(groups: Groups) -> Rule[Order]:
    """Players of one initiative roll a D6; the higher acts first, equals roll again."""
    return (yield from rolled_off(groups, D6, "order"))


def rolled_off(groups: Groups, sides: int, why: str) -> Rule[Order]:
    """The order of a roll-off, once nobody is level with anybody; before that the next round."""
    if all_parted(groups):
        return Order(in_line(groups))
    groups = yield from part_first(groups, sides, why)
    return again(groups)  # type: ignore[no-any-return]


def all_parted(groups: Groups) -> bool:
    """Whether nobody is level with anybody."""
    return all(len(group) == 1 for group in groups)


def in_line(groups: Groups) -> tuple[str, ...]:
    """The seats of all groups, one after another."""
    return tuple([seat for group in groups for seat in group])


def part_first(groups: Groups, sides: int, why: str) -> Rule[Groups]:
    """Let the first group of several roll one die each: the groups it falls into, in its place."""
    number = next(n for n, group in enumerate(groups) if len(group) > 1)
    level = groups[number]
    fell = yield from roll(len(level), sides, read=faces, why=why, whom=level)
    shown = dict(zip(level, fell, strict=True))
    parted = [
        tuple([seat for seat in level if shown[seat] == face])
        for face in sorted(set(fell), reverse=True)
    ]
    return (*groups[:number], *parted, *groups[number + 1 :])


def in_order(war: War, seats: tuple[str, ...]) -> Rule[tuple[str, ...]]:
    """These seats in decreasing initiative, ties rolled off, those without army last (AT-2.2)."""
    groups = tuple(
        tuple([seat for seat in group if seat in seats])
        for group in order_groups(war)
        if any(seat in seats for seat in group)
    )
    if all_parted(groups):
        return in_line(groups)
    order = yield from call(roll_off, groups)
    yield from tell("AT-2.2", "order", seats=order.seats)
    return order.seats


@script("AT-2.2")
def one_after_another(war: War, rule: str, seats: tuple[str, ...]) -> Step[War]:
    """Do one rule for these seats in the order in which they act."""
    order = yield from in_order(war, seats)
    return replace(war, order=order), [item(rule, seat) for seat in order]


class Leaders(msgspec.Struct, frozen=True):
    """Who leads, and what decided it.

    seats:  one, or those whom a roll-off has to part (AT-1.11); none if nobody is in.
    by:     the last criterion that parted anybody: "territories", "atlantis", "points",
            or "roll_off" where none is left.
    """

    seats: tuple[str, ...]
    by: str


def order_groups(war: War) -> tuple[tuple[str, ...], ...]:
    """Seats in play by decreasing initiative (AT-2.2); a group of several is tied and rolls off.

    Players without an army come last, as one group if there are several.
    """
    armed: dict[int, tuple[str, ...]] = {}
    bare: tuple[str, ...] = ()
    for code in war.in_play():
        army = war.seats[code].army
        if army is None:
            bare = (*bare, code)
        else:
            number = initiative_total(army)
            armed[number] = (*armed.get(number, ()), code)
    groups = [armed[number] for number in sorted(armed, reverse=True)]
    return (*groups, bare) if bare else tuple(groups)


def tied(numbers: dict[str, int]) -> tuple[str, ...]:
    """Seats whose number is not theirs alone, in the order given (AT-7.1)."""
    values = list(numbers.values())
    return tuple([seat for seat, number in numbers.items() if values.count(number) > 1])


def is_out(war: War, seat: str) -> bool:
    """Whether a seat is eliminated: no territory, no army, none to come (AT-1.12, AT-1.14)."""
    holder = war.seats[seat]
    return holder.army is None and not holder.waiting and not war.lands_of(seat)


def return_cities(war: War) -> tuple[str, ...]:
    """Royal cities where an eliminated player may come back (AT-1.12), in the board's order.

    Atlantean, free of armies, and not that of Atlantis.
    """
    if war.options.return_ == "none":
        return ()
    return tuple(
        city
        for kingdom, city in war.board.capitals.items()
        if kingdom != war.board.heart and war.lands[city].owner is None and not war.armies_at(city)
    )


def may_return(war: War) -> tuple[str, ...]:
    """Eliminated players who may still come back, earliest first; equals in order of their codes.

    Each once only; equals roll D100 for who chooses first (AT-1.12).
    """
    out = [s for s in war.seats.values() if s.eliminated and not s.returned and not s.given_up]
    return tuple([seat.code for seat in sorted(out, key=lambda s: (s.eliminated, s.code))])


def end_reached(war: War) -> str:
    """Why the campaign ends with this turn, or "" (AT-1.10): looked at when a turn ends.

    "all_land" for one player who holds everything, "alone" for one still in (or nobody),
    "turn_limit" for the limit of the options.  A unanimous vote is the script's to ask.
    """
    playing = war.in_play()
    if any(len(war.lands_of(seat)) == len(war.board.places) for seat in playing):
        return "all_land"
    if len(playing) <= 1:
        return "alone"
    limit = war.options.turn_limit
    return "turn_limit" if limit and war.turn >= limit else ""


def campaign_points(seat: Seat) -> int:
    """Loot plus army points, waiting units included, rounded down once (AT-1.11, AT-10.3)."""
    forces: list[Army | Waiting] = [*seat.waiting]
    if seat.army is not None:
        forces.append(seat.army)
    units = tuple([unit for force in forces for unit in force.units])
    characters = tuple([one for force in forces for one in force.characters])
    return seat.loot + points_of(units, characters)


def leaders(war: War, among: tuple[str, ...] | None = None) -> Leaders:
    """Who leads among those in play: most territories, city of Atlantis, loot and points (AT-1.11).

    Each criterion is read among those still tied; if none of them holds the city of Atlantis, the
    next one decides.
    """
    left = war.in_play() if among is None else among
    criteria: tuple[tuple[str, Callable[[str], int]], ...] = (
        ("territories", lambda seat: len(war.lands_of(seat))),
        ("atlantis", lambda seat: _holds_atlantis(war, seat)),
        ("points", lambda seat: campaign_points(war.seats[seat])),
    )
    for name, measure in criteria:
        values = {seat: measure(seat) for seat in left}
        best = max(values.values(), default=0)
        left = tuple([seat for seat in left if values[seat] == best])
        if len(left) <= 1:
            return Leaders(left, name)
    return Leaders(left, "roll_off")


def standings(war: War) -> tuple[tuple[str, ...], ...]:
    """Everybody, best first, by the criteria of AT-1.11; a group of several is level."""
    left = tuple(war.seats)
    groups = []
    while left:
        best = leaders(war, left).seats
        groups.append(best)
        left = tuple([seat for seat in left if seat not in best])
    return tuple(groups)


def _holds_atlantis(war: War, seat: str) -> int:
    city = war.board.atlantis
    return int(bool(city) and war.lands[city].owner == seat)
