"""Chapter « Le terrain » (PR-2): what steps cost, which cells are closed, where a troop can go."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import msgspec

from polemarque.api import from_toml
from polemarque.api.boards import Cell, path_cost, reachable
from polemarque.systems.promiterra.state import FORTS, Person, Troop, War
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


DIVISIONS = 9
"""How often a person may lead a new troop in one war: each is named after him."""


def targets(war: War, seat: str, cell: Cell, reach: int) -> tuple[str, ...]:
    """Hostile troops that can be attacked from a cell: adjacent ones, and with a range of two or
    more those within it that are not barricaded (PR-5.5, PR-5.6, PR-7.1).
    """
    distance = war.board.grid.distance
    found = []
    for enemy in war.enemies_of(seat):
        away = distance(cell, enemy.cell)
        if away == 1 or (1 < away <= reach and not enemy.barricaded):
            found.append(enemy.id)
    return tuple(found)


def zones(war: War, troop: Troop, movement: int, reach: int) -> dict[str, tuple[Cell, ...]]:
    """The cells a troop that stands on the field can use, alone and as all others stand.

    "moves": where it can go (PR-2.1); "beside": where it strikes (PR-5.6); "shots": where it
    shoots (PR-5.5).
    """
    grid = war.board.grid
    ways = {} if troop.id in war.moved else Field(war, troop.army).ways(troop.id, movement)
    beside = tuple(grid.neighbours(troop.cell))
    near = {troop.cell, *beside}
    shots = tuple([cell for cell in grid.within(troop.cell, reach) if cell not in near])
    return {"moves": tuple(ways), "beside": beside, "shots": shots if reach > 1 else ()}


def invadable(field: Field, cell: Cell) -> tuple[Cell, ...]:
    """Adjacent empty fortified cells that its side does not defend (PR-7.4)."""
    near = field.war.board.grid.neighbours(cell)
    return tuple([other for other in near if field.closed_fort(other)])


def duellists(war: War, seat: str, challenged: Collection[str]) -> tuple[str, ...]:
    """Hostile troops whose leader can be challenged, at any distance (PR-7.6).

    challenged: those whom the army challenges this turn already; by `once` not a second time.
    """
    spared = challenged if war.options.challenges == "once" else ()
    return tuple([enemy.id for enemy in war.enemies_of(seat) if enemy.id not in spared])


def founders(war: War, troop: Troop) -> tuple[str, ...]:
    """Persons of a troop who could lead another one (PR-7.7)."""
    return tuple(
        person.id
        for person in war.people
        if person.troop == troop.id and person.id != troop.leader and new_troop_id(war, person)
    )


def new_troop_id(war: War, person: Person) -> str:
    """What the troop that a person founds is called, "" if he has founded all he may."""
    names = [f"{person.id}-{number}" for number in range(1, DIVISIONS + 1)]
    return next((name for name in names if name not in war.troops), "")


def division_cells(field: Field, cell: Cell) -> tuple[Cell, ...]:
    """Adjacent free cells for a new troop, closed forts left out (PR-7.7)."""
    near = field.war.board.grid.neighbours(cell)
    return tuple([other for other in near if field.free(other) and not field.closed_fort(other)])


def mergeable(field: Field, troop: Troop) -> tuple[str, ...]:
    """Own troops of one type beside a troop, as far as moves are decided, that have not attacked
    this turn (PR-7.8).
    """
    war, adjacent = field.war, field.war.board.grid.adjacent
    here = field.at[troop.id]
    return tuple(
        other.id
        for other in war.troops_of(field.seat)
        if other.type == troop.type
        and other.id not in war.attacked
        and adjacent(here, field.at[other.id])
    )
