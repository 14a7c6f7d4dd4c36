"""Deployment and the order of play (PR-2.4)."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    Filling,
    OneOf,
    Rule,
    Sheet,
    Step,
    again,
    ask,
    call,
    procedure,
    roll,
    script,
    tell,
    then,
    total,
)
from polemarque.api.boards import Cell
from polemarque.systems.promiterra.setup.zones import open_cells
from polemarque.systems.promiterra.state import Troop, War, while_fighting

Groups = tuple[tuple[str, ...], ...]
"""Alliances in order; those of one group are level."""


class Sequence(msgspec.Struct, frozen=True):
    """Alliances in the order in which they play."""

    alliances: tuple[str, ...]


@procedure("PR-2.4")
def roll_off(groups: Groups) -> Rule[Sequence]:
    """2D6 an alliance, the highest plays first; those level roll again among themselves."""
    at = next((n for n, group in enumerate(groups) if len(group) > 1), None)
    if at is None:
        return Sequence(tuple([group[0] for group in groups]))
    level = groups[at]
    thrown: dict[str, int] = {}
    for alliance in level:
        thrown[alliance] = yield from roll(2, D6, read=total, why="order", whom=(alliance,) * 2)
    parted = [
        tuple([alliance for alliance in level if thrown[alliance] == number])
        for number in sorted(set(thrown.values()), reverse=True)
    ]
    return again((*groups[:at], *parted, *groups[at + 1 :]))  # type: ignore[no-any-return]


@script("PR-2.4/order")
def order_of_play(war: War) -> Step[War]:
    """The set-up says which alliance plays first, or dice do; the first deploys last."""
    sides = tuple(dict.fromkeys([army.alliance for army in war.armies.values()]))
    if war.first:
        at = sides.index(war.first)
        sides = (*sides[at:], *sides[:at])
    else:
        sides = (yield from call(roll_off, (sides,))).alliances
    order = tuple([seat for side in sides for seat in war.armies if war.alliance_of(seat) == side])
    yield from tell("PR-2.4", "given" if war.first else "rolled", alliances=sides)
    waiting = [
        seat
        for side in reversed(sides)
        for seat in war.armies
        if war.alliance_of(seat) == side and any(not t.cell for t in war.troops_of(seat))
    ]
    return replace(war, order=order), [then(army_deploys, seat) for seat in waiting]


@script("PR-2.4/deploy")
@while_fighting
def army_deploys(war: War, seat: str) -> Step[War]:
    """The army's troops without a place are put into its zone.

    The umpire may have placed them all meanwhile: then nobody is asked.
    """
    waiting = [troop for troop in war.troops_of(seat) if not troop.cell]
    if not waiting:
        return war, []
    sheet = deployment_sheet(war, seat, waiting)
    places = yield from ask(seat, sheet, absent=lambda _: in_the_middle(war, seat, waiting))
    for troop in waiting:
        war = war.placed(troop.id, places[f"place.{troop.id}"])
    yield from tell("PR-2.4", "deployed", seat=seat, troops=[troop.id for troop in waiting])
    return war, []


def deployment_sheet(war: War, seat: str, waiting: list[Troop]) -> Sheet:
    """A free cell of the zone for each troop, the closed forts of others left out (PR-7.4)."""
    free = open_cells(war, seat)

    def fill() -> Filling:
        left = list(free)
        for troop in waiting:
            left.remove((yield f"place.{troop.id}", OneOf(tuple(left), "place")))

    return Sheet(fill)


def in_the_middle(war: War, seat: str, waiting: list[Troop]) -> dict[str, Cell]:
    """Where the troops of an absent player stand: as near to the middle of the board as can be."""
    ground = war.board.grid
    middle = ground.cell((ground.columns + 1) // 2, (ground.rows + 1) // 2)

    def away(cell: Cell) -> tuple[int, int]:
        aside = abs(ground.column(cell) - ground.column(middle))
        return ground.distance(cell, middle), aside

    near = sorted(open_cells(war, seat), key=away)
    return {f"place.{troop.id}": cell for troop, cell in zip(waiting, near, strict=False)}
