"""A field of each shape with everything on it that can be drawn."""

from __future__ import annotations

import tomllib

from polemarque.maps.boards import Board, read_board
from polemarque.report.boards.pieces import SYMBOLS, Arrow, Piece, Scene

VALLEY = """
[board]
id = "valley"
name = { fr = "La vallée", en = "The valley" }
shape = "hex"
terrain = '''
m h w . ~ k
 h w . ~ T .
h . . = . l
 . R B ~ . l
s R . ~ y .
'''
roads = ["d5 d4 e4 f4"]
[board.legend]
"." = "plain"
"~" = "river"
"=" = "ford"
B = "bridge"
R = "road"
T = "town"
h = "hill"
k = "rocky"
l = "lake"
m = "mountain"
s = "sand"
w = "wood"
y = "marsh"
[board.marks]
fortification = { e4 = 3, a1 = 1, b2 = 2, c5 = 4 }
height = { b4 = 2 }
"""

FIELD = """
[board]
id = "field"
name = { fr = "La lande", en = "The heath" }
shape = "square"
terrain = '''
FFf.s.
f..s.,
.RTd.*
..R.?.
'''
[board.legend]
"." = "clear"
"," = "thin_snow"
"*" = "deep_snow"
"?" = "blue_grass"
F = "dense_forest"
R = "road"
T = "town"
d = "desert"
f = "light_forest"
s = "stream"
"""


def board(text: str) -> Board:
    return read_board(tomllib.loads(text))


def pieces(on: Board) -> tuple[Piece, ...]:
    """One of each symbol, a leader beside a unit, badges, four sides."""
    cells = on.grid.cells[: len(SYMBOLS)]
    crowd = [
        Piece(f"p{n}", cell, n % 4, symbol, symbol[:3].title(), str(n))
        for n, (cell, symbol) in enumerate(zip(cells, SYMBOLS, strict=True))
    ]
    beside = Piece("chief", cells[0], 0, "general", "Chf", badges=("A", "!", "M"))
    return (*crowd, beside)


def scene(text: str = VALLEY) -> Scene:
    on = board(text)
    arrows = (
        Arrow(("a1", "a2", "a3"), 0, title="a march"),
        Arrow(("b1", "b2"), 1, "attack"),
        Arrow(("c1", "c4"), 2, "shot"),
    )
    return Scene(on, ("Athènes", "Thèbes", "Sparte", "<Perse>"), pieces(on), arrows)
