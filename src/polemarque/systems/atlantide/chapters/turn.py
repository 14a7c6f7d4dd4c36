"""Chapter « Séquence de jeu » (AT-2): the phases of a turn, and who acts first.

A phase is a few agenda items that return nothing more when it is done, so that it has ended for
all players before the next one begins.
"""

from __future__ import annotations

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
def one_after_another(war: War, rule: str, seats: tuple[str, ...]) -> Step[War]:
    """Do one rule for these seats in the order in which they act."""
    order = yield from in_order(war, seats)
    return replace(war, order=order), [item(rule, seat) for seat in order]
