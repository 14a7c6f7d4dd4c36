"""Deployment and the order of play (PR-2.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    Filling,
    NotAllowed,
    OneOf,
    Rule,
    Step,
    again,
    ask,
    call,
    procedure,
    roll,
    script,
    sheet_parts,
    tell,
    then,
    total,
)
from polemarque.api.boards import Cell, Grid
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


@sheet_parts
def deployment_sheet(war: War, seat: str, waiting: list[Troop]) -> Filling:
    """A free cell of the zone for each troop, the closed forts of others left out (PR-7.4)."""
    free = open_cells(war, seat)
    left = list(free)
    for troop in waiting:
        left.remove((yield f"place.{troop.id}", OneOf(tuple(left), "place")))


def in_the_middle(war: War, seat: str, waiting: list[Troop]) -> dict[str, Cell]:
    """Where the troops of an absent player stand: as near to the middle of the board as can be."""
    ground = war.board.grid
    middle = ground.cell((ground.columns + 1) // 2, (ground.rows + 1) // 2)

    def away(cell: Cell) -> tuple[int, int]:
        aside = abs(ground.column(cell) - ground.column(middle))
        return ground.distance(cell, middle), aside

    near = sorted(open_cells(war, seat), key=away)
    return {f"place.{troop.id}": cell for troop, cell in zip(waiting, near, strict=False)}


OPPOSITE = {"south": "north", "north": "south", "west": "east", "east": "west"}
"""Each edge of a board and the one that faces it."""

EDGES = tuple(OPPOSITE)
"""The edges of a board, in the order in which alliances without a zone are given them."""

DEPTH = 2
"""How many rows or columns from an edge one may deploy."""

Zone = str | tuple[Cell, ...]
"""An edge, cells, or "" for any edge."""


def edge_cells(grid: Grid, edge: str) -> tuple[Cell, ...]:
    """The cells along an edge, `DEPTH` deep; none for no edge."""
    tests: dict[str, Callable[[Cell], bool]] = {
        "south": lambda cell: grid.row(cell) <= DEPTH,
        "north": lambda cell: grid.row(cell) > grid.rows - DEPTH,
        "west": lambda cell: grid.column(cell) <= DEPTH,
        "east": lambda cell: grid.column(cell) > grid.columns - DEPTH,
    }
    return tuple(filter(tests[edge], grid.cells)) if edge else ()


def with_zones(war: War, given: Mapping[str, Zone]) -> War:
    """The war with every army's zone: its own, or its alliance's edge, opposite edges first.

    What one alliance has claimed is no other's.  Raises NotAllowed on one with too little room.
    """
    edges = _edges(war, given)
    claimed: dict[Cell, str] = {}
    for seat, army in war.armies.items():
        zone = given[seat] or edges.get(army.alliance, "")
        cells = zone if isinstance(zone, tuple) else edge_cells(war.board.grid, zone)
        own = [cell for cell in cells if claimed.setdefault(cell, army.alliance) == army.alliance]
        war = war.with_army(seat, zone=tuple(own))
    check_room(war)
    return war


def _edges(war: War, given: Mapping[str, Zone]) -> dict[str, str]:
    """The edge of each alliance that has named no cells, as far as there are edges."""
    named = {war.alliance_of(seat): zone for seat, zone in given.items() if zone in EDGES}
    found = {side: str(zone) for side, zone in named.items()}
    for side in war.sides_present:
        edge = _next_edge(tuple(found.values()))
        if side not in found and edge:
            found[side] = edge
    return found


def _next_edge(taken: tuple[str, ...]) -> str:
    """The edge for one more alliance: one that faces another alliance, if it is free (PR-2.4)."""
    facing = [OPPOSITE[edge] for edge in taken]
    return next((edge for edge in (*facing, *EDGES) if edge not in taken), "")


def open_cells(war: War, seat: str) -> tuple[Cell, ...]:
    """Where an army may deploy as things stand: free cells, closed forts left out (PR-7.4)."""
    side = war.alliance_of(seat)
    return tuple(
        cell
        for cell in war.armies[seat].zone
        if cell not in war.standing_on and war.holders.get(cell, side) == side
    )


def check_room(war: War) -> None:
    """Raises NotAllowed if an army might find no room, wherever its allies deploy."""
    for seat, army in war.armies.items():
        waiting = {
            code: len([t for t in war.troops_of(code) if not t.cell])
            for code in war.armies
            if war.alliance_of(code) == army.alliance
        }
        room, wanted = len(open_cells(war, seat)), sum(waiting.values())
        if waiting[seat] and room < wanted:
            raise NotAllowed(
                "promiterra.room", rule="PR-2.4", part=seat, legal=(wanted,), room=room,
                wanted=wanted,
            )  # fmt: skip
