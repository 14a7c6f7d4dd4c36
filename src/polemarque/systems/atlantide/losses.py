"""Who pays for a loss: the owner's choice among his units (AT-3.2, AT-8.11)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import Any

from polemarque.api import Amount, Filling, Rule, Sheet, ask
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.troops import (
    Army,
    Loss,
    cheapest_first,
    common,
    loss_of_figures,
    loss_of_points,
)

Part = tuple[str, Amount]
"""A part of a sheet, and how many figures its owner may put there."""

Sharing = Generator[Part, int, Loss]
"""A loss being shared out: it asks part by part, and gives the loss."""


def choose_losses(war: War, seat: str, count: int, why: str) -> Rule[Loss]:
    """So many figures die, desert or fall: their owner says which (AT-3.2).

    Nobody is asked where there is one way only, nor an absent player: his cheapest go first.
    """
    army = war.army(seat)
    if army is None or count <= 0:
        return ()
    cheapest = loss_of_figures(army, count)
    return (yield from _chosen(war, seat, partial(share_of_figures, army, count), cheapest, why))


def choose_point_losses(war: War, seat: str, points: int) -> Rule[Loss]:
    """Whole figures go until their worth reaches a loss in army points (AT-8.11)."""
    army = war.army(seat)
    if army is None or points <= 0:
        return ()
    cheapest = loss_of_points(army, points)
    sharing = partial(share_of_points, army, points)
    return (yield from _chosen(war, seat, sharing, cheapest, "battle"))


def share_of_figures(army: Army, count: int) -> Sharing:
    """`count` figures, or all there are: each pays for one, characters among them (AT-1.15)."""
    members, there = cheapest_first(army.units, army.characters), army.figures_by_id
    loss, _ = yield from _shared(count, [(one, 1, there[one]) for one in members])
    return loss


def share_of_points(army: Army, points: int) -> Sharing:
    """Each figure pays its worth; characters only when no other figure is left (AT-8.11)."""
    by = common(army.units)
    worth = {unit.id: unit.points * (by // unit.full) for unit in army.units}
    worth |= {hero.id: hero.points * by for hero in army.characters}
    units, heroes = cheapest_first(army.units, ()), cheapest_first((), army.characters)
    there = army.figures_by_id
    lost, left = yield from _shared(points * by, [(u, worth[u], there[u]) for u in units])
    fallen, _ = yield from _shared(left, [(hero, worth[hero], 1) for hero in heroes])
    return (*lost, *fallen)


def _shared(
    owed: int, payers: Iterable[tuple[int, int, int]]
) -> Generator[Part, int, tuple[Loss, int]]:
    """What is owed, shared out at the player's choice; gives the loss, and what is owed still.

    payers: (number, worth of a figure, figures there).

    Each gives from as many figures as those behind him cannot pay for to as many as are owed, so
    that every way through pays all, and none takes a figure more than that.
    """
    loss, payers = list[tuple[int, int]](), tuple(payers)
    behind = sum([worth * there for _, worth, there in payers])
    for member, worth, there in payers:
        if owed <= 0:
            break
        behind -= worth * there
        least = min(there, max(0, -(-(owed - behind) // worth)))
        most = min(there, -(-owed // worth))
        gone = least if least == most else (yield part_of(member), Amount(least, most))
        owed -= worth * gone
        loss += [(member, gone)] if gone else []
    return tuple(loss), owed


def part_of(member: int) -> str:
    """The part of a sheet that is for a unit or character."""
    return f"unit.{member}"


def _chosen(
    war: War, seat: str, sharing: Callable[[], Sharing], cheapest: Loss, why: str
) -> Rule[Loss]:
    """The owner's choice; `cheapest` where he has none, is absent, or says nothing."""
    if war.seats[seat].absent:
        return cheapest
    lost = {part_of(member): number for member, number in cheapest}
    usual, _ = gone_through(sharing(), lambda part: lost.get(part, 0))
    if not usual:
        return cheapest

    def fill() -> Filling:
        yield from sharing()

    given = yield from ask(seat, lambda _: Sheet(fill), absent=usual, subject=why)
    return gone_through(sharing(), given.__getitem__)[1]


def gone_through(sharing: Sharing, decide: Callable[[str], int]) -> tuple[dict[str, Any], Loss]:
    """A sharing answered part by part: the answers, and the loss they make."""
    answers: dict[str, Any] = {}
    try:
        part, _ = next(sharing)
        while True:
            answers[part] = decide(part)
            part, _ = sharing.send(answers[part])
    except StopIteration as end:
        return answers, end.value
