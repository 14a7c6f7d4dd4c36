"""What the enemy can do in Thucidide: whom it can hit from where, and what a throw does to a unit.

Many questions of a turn, and of a search, meet an enemy that stands still: what was computed of it
is kept by all that it depends on.  Worth is counted in units: a whole one of middling figures is
worth about 1.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb
from typing import NamedTuple

import msgspec

from polemarque.api.boards import Board, Cell
from polemarque.systems.thucidide.combat_dice import LEAST
from polemarque.systems.thucidide.movement import allowance
from polemarque.systems.thucidide.tables import TERRAINS, TOWN, UnitFigures

FACES = 6
"""Of the combat die; one of them is a flag, one hits the arm, one is a letter (TH-F2)."""

PLAIN, ADVANTAGE = 1, 2
"""Faces that hit: the arm's own, and the tactical advantage on top."""


class Harm(msgspec.Struct, frozen=True):
    """What a throw does on average.

    lost:   elements, at most those there are.   killed: the chance that it takes them all.
    pushed: the chance that it drives back a unit that survives.   kept: flags that do so.
    """

    lost: float
    killed: float
    pushed: float
    kept: float


@cache
def harm(dice: int, hits: int, elements: int, ignored: int) -> Harm:
    """The law of a throw at a unit of so many elements, which ignores so many flags.

    hits: faces that hit, PLAIN or ADVANTAGE.
    """
    lost = killed = pushed = kept = 0.0
    rest = FACES - hits - 1
    for hit in range(dice + 1):
        for flags in range(dice - hit + 1):
            ways = comb(dice, hit) * comb(dice - hit, flags)
            chance = ways * hits**hit * rest ** (dice - hit - flags) / FACES**dice
            lost += chance * min(hit, elements)
            if hit >= elements:
                killed += chance
            elif flags > ignored:
                pushed += chance
                kept += chance * (flags - ignored)
    return Harm(lost, killed, pushed, kept)


class Stake(NamedTuple):
    """What is at stake with a unit.

    worth: by its figures.   life: what of it goes with the last element.   push: with a flag kept.
    """

    worth: float
    life: float
    push: float


class Body(NamedTuple):
    """A unit, as far as a throw by it or at it depends on it."""

    figures: UnitFigures
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
    """What an enemy unit may do next turn to a unit in a cell.

    hits: faces that hit.   near: whether the foe has to come beside the unit for it.
    """

    code: str
    dice: int
    hits: int
    near: bool


Attack = tuple[Body, str, str, int, bool, bool, str, str, int]
"""Who attacks which unit, with which factor and dice more; whether the unit is supported and the
attacker berserk; the ground of both, and the flags that the unit ignores there."""


class Outlook:
    """The enemy as it stands.

    walls:   hexes in which one's own units fight as in a town.
    dangers: what its next turn may cost, by who stands in which cell, supported, ignoring flags.
    strikes: what attacks on it promise.
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
    """The enemy as it stands, with what has been computed of it before; see `Outlook`."""
    return Outlook(board, foes, walls)
