"""A board with what stands on it as plain text: for terminals, and for readers of screens.

Each cell is three characters between the brackets of its side, or the texture of its terrain; a
star in the place of the bracket is a leader beside the unit, a figure after the cell its walls::

    3 [Hop*(Imm)  .  TTT
    2   [Cav]  .  ~~~ 2
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from polemarque.maps.grid import Cell, letters
from polemarque.report.boards.ground import FORTIFICATION, look_of
from polemarque.report.boards.pieces import Piece, Scene
from polemarque.report.labels import said, terrain_words
from polemarque.report.pictures import BoardTold

BRACKETS = (("[", "]"), ("(", ")"), ("{", "}"), ("<", ">"))
"""Around the pieces of each side."""

LEADER = "*"
WIDTH = 100
"""Characters in a line."""


def text_scene(scene: Scene, lang: str, width: int = WIDTH) -> str:
    """A scene as lines of at most `width` characters: the board, its legend, then every piece."""
    told = scene_told(scene, lang, width)
    return f"{told.board}\n\n{told.rest}\n"


def scene_told(scene: Scene, lang: str, width: int = WIDTH) -> BoardTold:
    """The same in two parts: the board, and its legend with every piece."""
    named = terrain_words(scene.board, lang) | scene.terrains
    board = (scene.title or scene.board.names[lang], *text_board(scene, lang, width))
    rest = ("\n".join(_legend(scene, named, lang, width)), "\n".join(unit_list(scene, lang)))
    return BoardTold("\n\n".join(board), "\n\n".join(filter(None, rest)))


def text_board(scene: Scene, lang: str, width: int = WIDTH) -> Iterator[str]:
    """The board alone; one too wide comes in several parts, from west to east."""
    grid = scene.board.grid
    letters_shown = 2 if _fits(grid.columns, 2, width) > _fits(grid.columns, 3, width) else 3
    parts = 1
    while parts < grid.columns and not _fits(-(-grid.columns // parts), letters_shown, width):
        parts += 1
    most = -(-grid.columns // parts)
    for first in range(1, grid.columns + 1, most):
        last = min(first + most - 1, grid.columns)
        lines = list(_rows(scene, first, last, letters_shown))
        if most < grid.columns:
            ends = {"first": letters(first), "last": letters(last)}
            lines.insert(0, said(lang, "board.text.columns", **ends))
        yield "\n".join(lines)


def unit_list(scene: Scene, lang: str) -> Iterator[str]:
    """Every piece in words, side by side and by cell: what the picture says to the eye."""
    named = terrain_words(scene.board, lang) | scene.terrains
    yield said(lang, "board.text.units")
    order = {cell: number for number, cell in enumerate(scene.board.grid.cells)}
    for number, side in enumerate(scene.people or scene.sides):
        opening, closing = BRACKETS[number % len(BRACKETS)]
        yield f"{opening}{closing} {side}"
        own = [piece for piece in scene.pieces if piece.side == number]
        for piece in sorted(own, key=lambda piece: order[piece.cell]):
            terrain = named[scene.board.terrain_of(piece.cell)]
            yield "  " + _in_words(piece, terrain, lang)
        waiting = [words for side_of, words in scene.waiting if side_of == number]
        yield from [f"  {words}" for words in waiting]
        if not own and not waiting:
            yield "  " + said(lang, "board.text.none")


def _in_words(piece: Piece, terrain: str, lang: str) -> str:
    if piece.title:
        data = {"cell": piece.cell, "title": piece.title, "terrain": terrain}
        return said(lang, "board.text.titled", **data)
    symbol = said(lang, f"board.symbol.{piece.symbol}")
    return said(
        lang, "board.text.unit", cell=piece.cell, symbol=symbol, label=piece.label,
        strength=piece.strength, badges=" ".join(piece.badges), terrain=terrain,
    )  # fmt: skip


def _fits(columns: int, letters_shown: int, width: int) -> bool:
    """Whether so many columns fit into a line: row number, cells, and half a cell of shift."""
    step = letters_shown + 3
    return 3 + columns * step + step // 2 <= width


def _rows(scene: Scene, first: int, last: int, letters_shown: int) -> Iterator[str]:
    """Rows from north to south between lines of column letters."""
    grid = scene.board.grid
    step = letters_shown + 3
    heads = "".join(letters(column).center(step) for column in range(first, last + 1))
    standing: dict[Cell, list[Piece]] = {}
    for piece in sorted(scene.pieces, key=lambda piece: piece.leader):
        standing.setdefault(piece.cell, []).append(piece)

    def row(number: int) -> str:
        cells = (grid.cell(column, number) for column in range(first, last + 1))
        drawn = (_cell(scene, cell, standing.get(cell, []), letters_shown) for cell in cells)
        return f"{number:2} {_shift(scene, number, step)}{''.join(drawn)}".rstrip()

    def rim(number: int) -> str:
        return f"   {_shift(scene, number, step)}{heads}".rstrip()

    yield rim(grid.rows)
    yield from map(row, range(grid.rows, 0, -1))
    yield rim(1)


def _shift(scene: Scene, row: int, step: int) -> str:
    return " " * (step // 2) if scene.board.grid.shape == "hex" and row % 2 == 0 else ""


def _cell(scene: Scene, cell: Cell, pieces: list[Piece], letters_shown: int) -> str:
    """One cell; the first of several pieces names it."""
    walls = scene.board.mark(FORTIFICATION, cell)
    after = str(min(walls, 9)) if walls > 0 else " "
    if not pieces:
        texture = look_of(scene.board.terrain_of(cell)).text[:letters_shown]
        return f" {texture} {after}"
    opening, closing = BRACKETS[pieces[0].side % len(BRACKETS)]
    if any(piece.leader for piece in pieces[1:]):
        closing = LEADER
    return f"{opening}{pieces[0].label[:letters_shown]:<{letters_shown}}{closing}{after}"


def _legend(scene: Scene, named: Mapping[str, str], lang: str, width: int) -> Iterator[str]:
    """Textures, walls and leaders on this board, as many in a line as fit."""
    words = sorted(set(scene.board.terrain.values()), key=named.__getitem__)
    said_all = [f"{look_of(word).text} {named[word]}" for word in words]
    levels = set(scene.board.marks.get(FORTIFICATION, {}).values())
    said_all += [
        f"{level} {said(lang, f'board.works.{level}')}" for level in range(1, 5) if level in levels
    ]
    if any(piece.leader for piece in scene.pieces):
        said_all.append(f"{LEADER} {said(lang, 'board.text.leader')}")
    line = ""
    for words_ in said_all:
        longer = f"{line}   {words_}" if line else words_
        if len(longer) > width:
            yield line
            longer = words_
        line = longer
    yield line
