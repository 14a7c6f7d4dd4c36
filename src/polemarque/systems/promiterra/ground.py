"""Chapter « Le terrain » (PR-2): what steps cost, which cells are closed, where a troop can go."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from polemarque.api import from_toml
from polemarque.api.boards import Cell, path_cost, reachable
from polemarque.systems.promiterra.state import FORTS, War
from polemarque.systems.promiterra.tables import DATA


class Ease(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Terrains that cost the same to enter."""

    cost: int
    terrains: tuple[str, ...]


def _costs() -> dict[str, int]:
    raw = (DATA / "terrain.toml").read_bytes()
    groups = from_toml(raw, dict[str, Ease]).values()
    return {terrain: ease.cost for ease in groups for terrain in ease.terrains}


COSTS: Mapping[str, int] = _costs()
"""Points of movement to enter a cell, by terrain (PR-2.1)."""

ROAD = 1
"""What it costs to follow a road, whatever it leads through."""

Path = tuple[Cell, ...]
"""The cells that a troop enters, in order."""

Step = Callable[[Cell, Cell], int | None]


class Field:
    """The board as one army sees it while its troops move, one after another.

    at:   where its own troops stand, as far as their moves are decided.
    aims: by target, its own troops that are to attack it, in the order in which they declare.
    """

    def __init__(self, war: War, seat: str) -> None:
        self.war = war
        self.seat = seat
        self.side = war.alliance_of(seat)
        self.at = {troop.id: troop.cell for troop in war.troops_of(seat)}
        self.aims: dict[str, list[str]] = {}
        self._enemies = {troop.cell for troop in war.enemies_of(seat)}
        self._allies = {t.cell for t in war.present if t.army != seat} - self._enemies
        self._forts = war.board.marks.get(FORTS, {})

    def friends(self, but: str = "") -> set[Cell]:
        """Cells of friendly troops, `but` one of them."""
        return self._allies.union([cell for troop, cell in self.at.items() if troop != but])

    def free(self, cell: Cell) -> bool:
        """Whether nobody stands there."""
        return cell not in self._enemies and cell not in self.friends()

    def closed_fort(self, cell: Cell) -> bool:
        """Whether a cell is an empty fortified one that its side does not defend (PR-7.4)."""
        if not self._forts.get(cell):
            return False
        return self.war.holders.get(cell) != self.side and self.free(cell)

    def step(self) -> Step:
        """What each step costs; None into enemies and into closed forts (PR-2.2, PR-7.4)."""
        board = self.war.board
        terrain = board.terrain
        roads = board.road if board.roads else None
        shut = self._enemies.union([cell for cell in self._forts if self.closed_fort(cell)])

        def cost(a: Cell, b: Cell) -> int | None:
            if b in shut:
                return None
            if roads is not None and roads(a, b):
                return ROAD
            return COSTS[terrain[b]]

        return cost

    def ways(self, troop: str, movement: int) -> dict[Cell, tuple[Cell, ...]]:
        """Where a troop can go, each with a cheapest path (PR-2.1)."""
        taken = self.friends(troop)
        found = reachable(
            self.war.board.grid, self.at[troop], movement, self.step(),
            lambda cell: cell not in taken, self.war.options.minimum_step == "yes",
        )  # fmt: skip
        return {cell: way.path for cell, way in found.items()}

    def legal(self, troop: str, movement: int, path: tuple[Cell, ...]) -> bool:
        """Whether a troop can go that very way; one that leads back to its start is none."""
        if not path or path[-1] in self.friends():
            return False
        cost = path_cost(self.war.board.grid, self.at[troop], path, self.step())
        if cost is None:
            return False
        lone = len(path) == 1 and self.war.options.minimum_step == "yes"
        return lone or cost <= movement

    def legal_part(self, troop: str, movement: int, path: Path) -> Path:
        """The longest beginning of a declared way that can still be gone (PR-3.3)."""
        for length in range(len(path), 0, -1):
            if self.legal(troop, movement, path[:length]):
                return path[:length]
        return ()
