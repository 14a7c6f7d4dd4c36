"""Boards: a grid with terrain, marks, roads and rivers, and the files that describe them.

A board is a table ``[board]`` in a TOML file, by itself or in a scenario::

    [board]
    id = "ford"
    name = { fr = "Le gué", en = "The ford" }
    shape = "hex"                       # or "square"
    terrain = '''
    . . w w
     . h . =
    . . . .
    '''
    legend = { "." = "plain", w = "wood", h = "hill", "=" = "ford" }
    roads = ["a1 a2 a3"]                # each from cell to cell
    marks.fortification = { b2 = 1 }

The top row of the terrain is the north, and its bottom row is row 1; each character is a cell,
blanks are for the eye.  What terrains and marks mean is the systems' business.  What can be wrong
is listed in `polemarque.maps.board_checks`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from polemarque.kernel.files.findings import CheckFailed, Finding
from polemarque.maps.grid import Cell, Grid, grid

Link: TypeAlias = tuple[Cell, Cell]
"""Two adjacent cells, the first in alphabetical order before the other."""


class BoardRefused(CheckFailed, ValueError):
    """A board that cannot be used. `findings` say why."""


class Board(msgspec.Struct, frozen=True, dict=True):
    """A field of battle.

    id:      short identifier.
    names:   by language.
    terrain: the word of every cell.
    marks:   whole numbers that some cells bear, by what they count ("fortification"…), then cell.
    roads:   pairs of adjacent cells that a road joins, each in alphabetical order.
    """

    id: str
    names: dict[str, str]
    grid: Grid
    terrain: dict[Cell, str]
    marks: dict[str, dict[Cell, int]] = {}
    roads: tuple[Link, ...] = ()

    def __hash__(self) -> int:
        """Of its identifier, so that what is worked out of a board can be kept by it."""
        return hash(self.id)

    def terrain_of(self, cell: Cell) -> str:
        """The terrain of a cell. Raises KeyError on one that is not on the board."""
        return self.terrain[cell]

    def mark(self, kind: str, cell: Cell) -> int:
        """What a cell bears of a kind of mark; 0 for none."""
        return self.marks.get(kind, {}).get(cell, 0)

    def road(self, a: Cell, b: Cell) -> bool:
        """Whether a road leads from one cell to the next."""
        return (a, b) in self._roads

    @cached_property
    def _roads(self) -> frozenset[Link]:
        return frozenset(self.roads).union((b, a) for a, b in self.roads)


def joined(ways: Iterable[str]) -> tuple[Link, ...]:
    """The links of ways that are written cell after cell ("a1 a2 b3"), each once, in order."""
    links = {(min(link), max(link)) for way in ways for link in pairwise(way.split())}
    return tuple(sorted(links))


def build_board(table: Mapping[str, Any]) -> Board:
    """The board that a ``[board]`` table describes; it must be free of findings."""
    rows = ["".join(row.split()) for row in table["terrain"].splitlines() if row.strip()]
    ground = grid(table["shape"], len(rows[0]), len(rows))
    words = (table["legend"][character] for row in rows for character in row)
    return Board(
        id=table["id"],
        names=dict(table["name"]),
        grid=ground,
        terrain=dict(zip(ground.cells, words, strict=True)),
        marks={kind: dict(cells) for kind, cells in table.get("marks", {}).items()},
        roads=joined(table.get("roads", ())),
    )


def read_board(
    document: Mapping[str, Any], where: str = "", terrains: Collection[str] | None = None
) -> Board:
    """The board of a document that has a table ``[board]``, such as a set-up or a scenario.

    where:    what findings give as the file.
    terrains: the words that a system knows; None: any.
    Raises BoardRefused, with everything that is wrong with it.
    """
    from polemarque.maps.board_checks import board_faults

    findings = board_faults(document, where, terrains=terrains)
    if findings:
        raise BoardRefused(findings)
    return build_board(document["board"])


def load_board(path: Path | str, terrains: Collection[str] | None = None) -> Board:
    """The board of a file. Raises BoardRefused, with everything that is wrong with it."""
    from polemarque.maps.board_checks import examined

    document, findings = examined(path, terrains)
    if findings:
        raise BoardRefused(findings)
    return build_board(document["board"])


def check_board(path: Path | str, terrains: Collection[str] | None = None) -> tuple[Finding, ...]:
    """Everything that is wrong with a board file, in its order; none if it can be loaded.

    terrains: the words that a system knows; None: any.
    """
    from polemarque.maps.board_checks import examined

    return examined(path, terrains)[1]
