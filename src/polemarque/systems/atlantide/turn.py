"""Chapter « Séquence de jeu » (AT-2): the phases of a turn, and who acts first.

A phase is a few agenda items that return nothing more when it is done, so that it has ended for
all players before the next one begins.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from polemarque.kernel.agenda import Item, Rule, again, call, procedure, roll, script, tell
from polemarque.kernel.dice import D6, faces
from polemarque.kernel.variants import in_force
from polemarque.systems.atlantide.ranking import order_groups
from polemarque.systems.atlantide.state import PHASES, War

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

WINDOWS = ("loot", "movement", "battles", "conquest")
"""Phases that begin with a question about breaking agreements (AT-4.3).

Those of diplomacy, supply and reinforcements ask it on a sheet of their own.  Nothing that divine
events do depends on an agreement: breaking one then is breaking it at the next phase.
"""

Groups = tuple[tuple[str, ...], ...]
"""Seats in order; those of one group are level."""


class Order(msgspec.Struct, frozen=True):
    """Seats in order, nobody level any more."""

    seats: tuple[str, ...]


@script("AT-2.1")
def turn_begins(war: War) -> Rule[tuple[War, list[Item]]]:
    """A turn: who comes back, the eight phases, and what is looked at when it ends."""
    yield from tell("AT-2.1", "turn", turn=war.turn)
    options = yield from in_force("AT-2.1", war.options, war.ordered)
    war = replace(war, options=options, ordered={})
    items: list[Item] = [("AT-1.12",)]
    items += [("AT-1.14", seat.code) for seat in war.seats.values() if seat.waiting]
    items += [("AT-2.1/phase", phase) for phase in PHASES]
    return war, [*items, ("AT-1.10",)]


@script("AT-2.1/phase")
def phase_begins(war: War, phase: str) -> tuple[War, list[Item]]:
    """A phase: what the gods are to judge, agreements broken, then the phase itself."""
    items: list[Item] = [("AT-11.2", dispute) for dispute in war.disputes]
    if phase in WINDOWS:
        items.append(("AT-4.3",))
    return replace(war, phase=phase, disputes=()), [*items, (ENTRIES[phase],)]


# Who acts first (AT-2.2) -------------------------------------------------------------------------


@procedure("AT-2.2/roll_off")
def roll_off(groups: Groups) -> Rule[Order]:
    """Players of one initiative roll a D6; the higher acts first, equals roll again."""
    if all_parted(groups):
        return Order(in_line(groups))
    groups = yield from part_first(groups, D6, "order")
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
        [
            tuple([seat for seat in group if seat in seats])
            for group in order_groups(war)
            if any(seat in seats for seat in group)
        ]
    )
    if all_parted(groups):
        return in_line(groups)
    order = yield from call(roll_off, groups)
    yield from tell("AT-2.2", "order", seats=order.seats)
    return order.seats


@script("AT-2.2")
def one_after_another(war: War, rule: str, seats: tuple[str, ...]) -> Rule[tuple[War, list[Item]]]:
    """Do one rule for these seats in the order in which they act."""
    order = yield from in_order(war, seats)
    return replace(war, order=order), [(rule, seat) for seat in order]
