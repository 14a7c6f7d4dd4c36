"""Boards for battles of a campaign: by the place's terrain, and by what players laid in sectors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec

from polemarque.api.battle import Brief
from polemarque.api.boards import Cell, Grid, grid
from polemarque.api.checkers import board_faults
from polemarque.api.texts import LANGUAGES
from polemarque.bridges.pairs import Fault

SECTORS_ACROSS = 3
"""Sectors 1-2-3 lie over 4-5-6 (AT-8.4)."""

SLOTS = 6
"""Elements that a sector has room for."""

OPEN = "open"
"""The ground of a place of which nothing is known."""


class Grounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Boards of one size.

    shape:    "hex" or "square".
    ground:   terrain, or kind of field ("border"), -> rows from the north, a character a cell.
    legend:   character -> terrain of the battle system; the first is bare ground.
    elements: what players may lay in sectors (AT-8.5) -> character.
    edge:     rows along the two edges that nothing is laid in: armies deploy there.
    """

    shape: str
    ground: dict[str, str]
    legend: dict[str, str]
    elements: dict[str, str] = {}
    edge: int = 2

    def board(self, brief: Brief) -> dict[str, Any]:
        """The table of the board on which a brief's battle is fought."""
        wanted = brief.terrain or str(brief.facts.get("ground", OPEN))
        sectors = brief.facts.get("sectors") or ()
        rows = [list(row) for row in _rows(self.ground.get(wanted, self.ground[OPEN]))]
        if sectors:  # nothing lies there but what players have laid (AT-8.5)
            bare = next(iter(self.legend))
            rows = [[bare] * len(row) for row in rows]
            self._lay(rows, sectors)
        return {
            "id": brief.place,
            "name": brief.names or dict.fromkeys(LANGUAGES, brief.place),
            "shape": self.shape,
            "terrain": "\n".join(["".join(row) for row in rows]),
            "legend": dict(self.legend),
        }

    def grid(self) -> Grid:
        """The cells of these boards."""
        rows = _rows(self.ground[OPEN])
        return grid("hex" if self.shape == "hex" else "square", len(rows[0]), len(rows))

    def _lay(self, rows: list[list[str]], sectors: Collection[Collection[str]]) -> None:
        """Put each element of each sector into its slot."""
        for number, elements in enumerate(sectors):
            cells = self._sector(len(rows), len(rows[0]), number)
            for slot, element in enumerate(list(elements)[:SLOTS]):
                if element in self.elements:
                    part = cells[slot * len(cells) // SLOTS : (slot + 1) * len(cells) // SLOTS]
                    for row, column in part:
                        rows[row][column] = self.elements[element]

    def _sector(self, rows: int, columns: int, number: int) -> list[tuple[int, int]]:
        """The cells of a sector, counted from 0, row by row from the north-west."""
        down, across = divmod(number, SECTORS_ACROSS)
        inner = rows - 2 * self.edge
        top, bottom = [self.edge + inner * n // 2 for n in (down, down + 1)]
        west, east = [columns * n // SECTORS_ACROSS for n in (across, across + 1)]
        return [(row, column) for row in range(top, bottom) for column in range(west, east)]

    def faults(self, places: Collection[str], words: Collection[str]) -> Iterator[Fault]:
        """What is wrong with them: boards that are missing or unreadable, elements without a word.

        places: terrains of the campaign.   words: terrains of the battle system.
        """
        missing = [place for place in (OPEN, *places) if place not in self.ground]
        yield from [Fault(("grounds", "ground"), "board", place, place) for place in missing]
        if OPEN in missing:
            return
        sizes = {key: [len(row) for row in _rows(text)] for key, text in self.ground.items()}
        for key, text in self.ground.items():
            table = {"id": key, "name": {"fr": key, "en": key}, "shape": self.shape,
                     "terrain": text, "legend": dict(self.legend)}  # fmt: skip
            # The legend serves all grounds: a character need not stand in each.
            used = {char: word for char, word in self.legend.items() if char in text}
            wrong = board_faults({"board": {**table, "legend": used}}, terrains=tuple(words))
            if wrong or sizes[key] != sizes[OPEN]:
                part = wrong[0].code if wrong else f"{sizes[key]}"
                yield Fault(("grounds", "ground", key), "board", part, f"{sizes[OPEN]}")
        for element, char in self.elements.items():
            if char not in self.legend:
                where = ("grounds", "elements", element)
                yield Fault(where, "word", char, ", ".join(self.legend))


def _rows(text: str) -> list[str]:
    return ["".join(row.split()) for row in text.splitlines() if row.strip()]


def edge_rows(cells: Grid, *, north: bool, deep: int) -> tuple[Cell, ...]:
    """The cells of so many rows along the north or the south edge, nearest to it first."""
    rows = range(cells.rows, cells.rows - deep, -1) if north else range(1, deep + 1)
    return tuple(
        [cells.cell(column, row) for row in rows for column in range(1, cells.columns + 1)]
    )


def with_marks(
    board: Mapping[str, Any], kind: str, cells: Collection[Cell], n: int
) -> dict[str, Any]:
    """A board whose cells bear a mark."""
    return {**board, "marks": {kind: dict.fromkeys(cells, n)}} if cells and n else dict(board)
