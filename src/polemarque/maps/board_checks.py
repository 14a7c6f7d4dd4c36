"""Checks of a board: every fault, each with its file, line and place.

Codes, with their data: those of `read_toml`, those of `forms` after ``board.``, and

board.shape (word)                   neither hex nor square
board.empty                          no row of terrain
board.ragged (row, count, wanted)    a row longer or shorter than the first
board.size (columns, rows, most_columns, most_rows)    a board too large to name its cells
board.character (character, row, column)    a character without a word in the legend
board.key (character)                a key of the legend that is not one character
board.terrain (word, known)          a terrain that the system does not know
board.cell (cell, last)              a mark or a road off the board; `last` is its last cell
board.apart (a, b)                   a road goes on to a cell that is not adjacent
board.short (way)                    a road of fewer than two cells

Rows count from the top of the text, as an author sees them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, get_args

from msgspec.structs import replace

from polemarque.kernel.files.findings import Datum, Finding, Step, examined_file, in_order
from polemarque.maps.grid import COLUMNS, ROWS, Grid, Shape, grid
from polemarque.maps.table_schema import SLUG, Forms

BOARD = "board"
"""The table that holds a board."""

FIELDS = {
    "id": "text",
    "name": "names",
    "shape": "text",
    "terrain": "text",
    "legend": "words",
    "roads": "texts?",
    "marks": "marks?",
}
"""What it has, and of which kind."""


def examined(
    path: Path | str, terrains: Collection[str] | None = None
) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """The content of a board file ({} if it cannot be read) and everything wrong with its board."""
    return examined_file(
        path, lambda content, file, text: board_faults(content, file, text, terrains)
    )


def board_faults(
    document: Mapping[str, Any],
    file: str = "",
    text: str = "",
    terrains: Collection[str] | None = None,
    within: tuple[Step, ...] = (),
) -> tuple[Finding, ...]:
    """Everything that is wrong with the board of a document, in the order of the file.

    document: what holds the table [board].
    text:     the file's text, for the lines; "" for plain data, without lines.
    terrains: the words that a system knows; None: any.
    within:   where the document stands in the file, such as ("scenario", 0).
    """
    content = {BOARD: document[BOARD]} if BOARD in document else {}
    return in_order(_Checker(content, file, text, within, terrains).findings())


class _Checker(Forms):
    """Looks at one table."""

    prefix = BOARD
    head = BOARD
    fields: ClassVar[Mapping[str, Mapping[str, str]]] = {BOARD: FIELDS}
    required = (BOARD,)

    def __init__(
        self,
        content: dict[str, Any],
        file: str,
        text: str,
        within: tuple[Step, ...],
        terrains: Collection[str] | None,
    ) -> None:
        super().__init__(file, content, text, within)
        self.text, self.known = text, terrains
        self.table = next(iter(self.rows(BOARD)), {})
        self.drawn = [
            (line, "".join(row.split()))
            for line, row in enumerate((self.value("terrain") or "").splitlines())
            if row.strip()
        ]

    def findings(self) -> Iterator[Finding]:
        """Every fault, in no order."""
        yield from self.form()
        yield from self.identifiers()
        yield from self.names()
        yield from self.shape()
        yield from self.legend()
        yield from self.terrain()
        board = self.grid()
        if board is not None:
            yield from self.marks(board)
            yield from self.roads(board)

    def fault(self, code: str, /, *steps: Step, place: str = "", **data: Datum) -> Finding:
        """A finding, put where the steps lead in the document."""
        return super().fault(code, *steps, place=place or ".".join(map(str, steps)), **data)

    def row_fault(self, code: str, line: int, /, **data: Datum) -> Finding:
        """A finding about a row of the terrain, on its own line of the file."""
        found = self.fault(code, BOARD, "terrain", place=f"{BOARD}.terrain", **data)
        return replace(found, line=self.line_of_row(line)) if found.line else found

    def value(self, field: str) -> Any:
        """The value of a field, or None if it is missing or of the wrong kind."""
        return self.good(BOARD, self.table, field)

    def shape(self) -> Iterator[Finding]:
        """A shape that cells cannot have."""
        shape = self.value("shape")
        if shape is not None and shape not in get_args(Shape):
            yield self.fault("board.shape", BOARD, "shape", word=shape)

    def legend(self) -> Iterator[Finding]:
        """Keys that stand for no cell, and terrains that the system does not know."""
        for character, word in (self.value("legend") or {}).items():
            if len(character) != 1 or character.isspace():
                yield self.fault("board.key", BOARD, "legend", character, character=character)
            if self.known is not None and word not in self.known:
                known = ", ".join(self.known)
                yield self.fault(
                    "board.terrain", BOARD, "legend", character, word=word, known=known
                )

    def terrain(self) -> Iterator[Finding]:
        """Rows of another length than the first, and characters that say nothing."""
        if not self.drawn:
            if self.value("terrain") is not None:
                yield self.fault("board.empty", BOARD, "terrain")
            return
        wanted = len(self.drawn[0][1])
        if wanted > COLUMNS or len(self.drawn) > ROWS:
            data: dict[str, Datum] = {"columns": wanted, "rows": len(self.drawn)}
            data |= {"most_columns": COLUMNS, "most_rows": ROWS}
            yield self.fault("board.size", BOARD, "terrain", place=BOARD, **data)
        legend = self.value("legend")
        for number, (line, row) in enumerate(self.drawn, 1):
            if len(row) != wanted:
                data = {"row": number, "count": len(row), "wanted": wanted}
                yield self.row_fault("board.ragged", line, **data)
            for column, character in enumerate(row, 1):
                if legend is not None and character not in legend:
                    data = {"character": character, "row": number, "column": column}
                    yield self.row_fault("board.character", line, **data)

    def line_of_row(self, line: int) -> int:
        """The file's line of a line of the terrain's text."""
        first = self.line(BOARD, "terrain")
        opening = self.text.split("\n")[first - 1].rstrip()
        return first + line + opening.endswith(('"""', "'''"))

    def grid(self) -> Grid | None:
        """The grid, where its size can be told."""
        lengths = {len(row) for _, row in self.drawn}
        shape = self.value("shape")
        if len(lengths) != 1 or shape not in get_args(Shape):
            return None
        columns, rows = lengths.pop(), len(self.drawn)
        return grid(shape, columns, rows) if columns <= COLUMNS and rows <= ROWS else None

    def marks(self, board: Grid) -> Iterator[Finding]:
        """Marks of cells that the board does not have."""
        for kind, cells in (self.value("marks") or {}).items():
            if not SLUG.fullmatch(kind):
                yield self.fault("board.slug", BOARD, "marks", kind, id=kind)
            for cell in cells:
                if cell not in board:
                    yield self.off(board, cell, BOARD, "marks", kind, cell)

    def roads(self, board: Grid) -> Iterator[Finding]:
        """Roads that leave the board or leap."""
        for number, way in enumerate(self.value("roads") or ()):
            cells = way.split()
            if len(cells) < 2:
                yield self.fault("board.short", BOARD, "roads", number, way=way)
            for cell in cells:
                if cell not in board:
                    yield self.off(board, cell, BOARD, "roads", number)
            for a, b in pairwise(cells):
                if a in board and b in board and not board.adjacent(a, b):
                    yield self.fault("board.apart", BOARD, "roads", number, a=a, b=b)

    def off(self, board: Grid, cell: str, *steps: Step) -> Finding:
        """A cell that the board does not have."""
        last = board.cell(board.columns, board.rows)
        return self.fault("board.cell", *steps, cell=cell, last=last)
