"""The enemy as the steady general of Thucidide sees him: from where he strikes whom, and how hard.

One turn puts many questions while the enemy stands as he is, and a search meets him so again and
again: what has been reckoned of him is kept by all that it depends on.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from polemarque.bots.thucidide_odds import ADVANTAGE, PLAIN
from polemarque.maps.boards import Board
from polemarque.maps.grid import Cell
from polemarque.systems.thucidide.figures import Figures
from polemarque.systems.thucidide.movement import allowance
from polemarque.systems.thucidide.strike import LEAST
from polemarque.systems.thucidide.terrain import TERRAINS, TOWN


class Stake(NamedTuple):
    """What is at stake with a unit.

    worth: by its figures.   life: what of it goes with the last element.   push: with a flag kept.
    """

    worth: float
    life: float
    push: float


class Body(NamedTuple):
    """A unit, as far as a throw by it or at it depends on it."""

    figures: Figures
    elements: int
    start: int
    formation: str
    loose: bool
    stake: Stake


class Foe(NamedTuple):
    """An enemy unit where it stands.

    ground:  the word of the terrain it fights in.
    ignores: flags that it may ignore.
    answers: the chance that it ripostes, if it holds its ground.
    """

    code: str
    cell: Cell
    body: Body
    ground: str
    supported: bool
    ignores: int
    answers: float


class Peril(NamedTuple):
    """What an enemy unit may do next turn to whoever stands in a cell.

    hits: faces that hit.   near: whether it has to come beside him for it.
    """

    code: str
    dice: int
    hits: int
    near: bool


Attack = tuple[Body, str, str, int, bool, bool, str, str, int]
"""Who attacks whom, with which factor and dice more, supported, berserk, on what ground he stands
and from what ground he attacks, and what flags he ignores there."""


class Outlook:
    """The enemy as he stands.

    walls:   hexes in which one's own units fight as in a town.
    dangers: what his next turn may cost, by who stands in which cell, supported, ignoring flags.
    strikes: what attacks on him promise.
    """

    def __init__(self, board: Board, foes: tuple[Foe, ...], walls: tuple[Cell, ...]) -> None:
        self.board = board
        self.foes = foes
        self.walls = walls
        self.dangers: dict[tuple[Body, Cell, bool, int], float] = {}
        self.strikes: dict[Attack, float] = {}
        self._ranges: dict[Cell, list[int]] = {}
        self._perils: dict[Cell, list[Peril]] = {}

    def ranges(self, cell: Cell) -> list[int]:
        """How far each enemy is from a cell, in the order of `foes`."""
        found = self._ranges.get(cell)
        if found is None:
            far = self.board.grid.distance
            found = self._ranges[cell] = [far(foe.cell, cell) for foe in self.foes]
        return found

    def perils(self, cell: Cell) -> list[Peril]:
        """What may happen in a cell."""
        found = self._perils.get(cell)
        if found is None:
            far = zip(self.foes, self.ranges(cell), strict=True)
            seen = [self._peril(foe, hexes, cell) for foe, hexes in far]
            found = self._perils[cell] = [peril for peril in seen if peril is not None]
        return found

    def _peril(self, foe: Foe, far: int, cell: Cell) -> Peril | None:
        """What one enemy may do: strike hand to hand, or else shoot."""
        figures = foe.body.figures
        fight = allowance(figures).fight
        shelter = TERRAINS[TOWN if cell in self.walls else self.board.terrain[cell]]
        if far <= fight + 1:
            dice = figures.melee if far == 1 else figures.assault
            dice = max(dice + shelter.against.get(figures.arm, 0), LEAST)
            hits = ADVANTAGE if far > 1 or foe.supported else PLAIN
            return Peril(foe.code, dice, hits, True)
        if figures.shooting and far <= fight + figures.reach:
            return Peril(foe.code, max(figures.shooting + shelter.shot_at, LEAST), PLAIN, False)
        return None


@lru_cache(maxsize=128)
def outlook_on(board: Board, foes: tuple[Foe, ...], walls: tuple[Cell, ...]) -> Outlook:
    """The enemy as he stands, with what has been reckoned of him before; see `Outlook`."""
    return Outlook(board, foes, walls)
