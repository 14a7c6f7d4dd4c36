"""Deployment (PR-2.4): where armies may stand before the war begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from polemarque.api import NotAllowed
from polemarque.api.boards import Cell, Grid
from polemarque.systems.promiterra.state import War

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
        [
            cell
            for cell in war.armies[seat].zone
            if cell not in war.standing_on and war.holders.get(cell, side) == side
        ]
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
