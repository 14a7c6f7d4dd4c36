"""Who pays for a loss: the owner's choice among his units (AT-3.2, AT-8.11).

A loss is shared out along the army, cheapest figures first: each unit gives from as many as those
behind it cannot give to as many as are still owed.  Every way through leads to a whole loss.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any

from polemarque.kernel.agenda import Rule, ask
from polemarque.kernel.request import Amount, Filling, Sheet
from polemarque.systems.atlantide.army import (
    Loss,
    cheapest_first,
    common,
    figures,
    loss_of_figures,
    loss_of_points,
)
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.troops import Army

Sharing = Generator[tuple[int, int, int], int, None]
"""A loss being shared out: it yields (number, least, most) and is sent how many figures."""


def choose_losses(war: War, seat: str, count: int, why: str) -> Rule[Loss]:
    """So many figures die, desert or fall: their owner says which (AT-3.2).

    Nobody is asked where there is one way only, nor an absent player: his cheapest go first.
    """
    army = war.seats[seat].army
    if army is None or count <= 0:
        return ()
    cheapest = loss_of_figures(army, count)
    if war.seats[seat].absent:
        return cheapest
    return (yield from _chosen(seat, lambda: share_of_figures(army, count), cheapest, why))


def choose_point_losses(war: War, seat: str, points: int) -> Rule[Loss]:
    """Whole figures go until their worth reaches a loss in army points (AT-8.11).

    Characters pay only when no other figure is left (AT-1.15).
    """
    army = war.seats[seat].army
    if army is None or points <= 0:
        return ()
    cheapest = loss_of_points(army, points)
    if war.seats[seat].absent:
        return cheapest
    return (yield from _chosen(seat, lambda: share_of_points(army, points), cheapest, "battle"))


# How a loss can be shared ------------------------------------------------------------------------


def share_of_figures(army: Army, count: int) -> Sharing:
    """Share out `count` figures, or all there are; characters, who come last, only by choice."""
    sizes = {unit.id: unit.figures for unit in army.units}
    rest = figures(army)
    left = min(count, rest)
    for member in cheapest_first(army.units, army.characters):
        there = sizes.get(member, 1)
        rest -= there
        left -= yield member, max(0, left - rest), min(there, left)


def share_of_points(army: Army, points: int) -> Sharing:
    """Share out a loss in points: never one figure more than it takes, whoever pays last."""
    by = common(army.units)
    units = {u.id: (u.points * (by // u.full), u.figures) for u in army.units}
    heroes = {hero.id: hero.points * by for hero in army.characters}
    owed, rest = points * by, sum([each * there for each, there in units.values()])
    for member in cheapest_first(army.units, army.characters):
        if member in units:
            each, there = units[member]
        else:
            each, there = heroes[member], int(owed > 0)
            rest = rest if rest else sum(heroes.values())
        rest -= each * there
        least = min(there, max(0, -((rest - owed) // each)))
        most = min(there, max(0, -(-owed // each)))
        owed -= each * (yield member, least, most)


# From a sharing to a question, and back ----------------------------------------------------------


def _chosen(seat: str, sharing: Callable[[], Sharing], cheapest: Loss, why: str) -> Rule[Loss]:
    """The owner's choice; `cheapest` where he has none."""
    lost = dict(cheapest)
    gone_through = _walk(sharing(), lambda member, _: lost.get(member, 0))
    if not any(chosen for _, _, chosen in gone_through):
        return cheapest
    given = yield from ask(
        seat, lambda _: _sheet(sharing), absent=lambda _: _answer(sharing(), cheapest), subject=why
    )
    return _loss(sharing(), given)


def part_of(member: int) -> str:
    """The part of a sheet that is for a unit or character."""
    return f"unit.{member}"


def _sheet(sharing: Callable[[], Sharing]) -> Sheet:
    def fill() -> Filling:
        share = sharing()
        try:
            member, least, most = next(share)
            while True:
                lost = least if least == most else (yield part_of(member), Amount(least, most))
                member, least, most = share.send(lost)
        except StopIteration:
            return

    return Sheet(fill)


def _walk(share: Sharing, decide: Callable[[int, int], int]) -> Iterator[tuple[int, int, bool]]:
    """A sharing gone through: (number, figures lost, whether there was a choice), one by one."""
    try:
        member, least, most = next(share)
        while True:
            lost = decide(member, least)
            yield member, lost, least != most
            member, least, most = share.send(lost)
    except StopIteration:
        return


def _answer(share: Sharing, loss: Loss) -> dict[str, Any]:
    """The answer to the sheet that makes this loss; empty where nothing is left to say."""
    lost = dict(loss)
    gone_through = _walk(share, lambda member, _: lost.get(member, 0))
    return {part_of(member): number for member, number, chosen in gone_through if chosen}


def _loss(share: Sharing, given: Mapping[str, Any]) -> Loss:
    """The loss that an answer makes."""
    gone_through = _walk(share, lambda member, least: given.get(part_of(member), least))
    return tuple([(member, number) for member, number, _ in gone_through if number])
