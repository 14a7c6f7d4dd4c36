"""Boards as text: within the width, in both languages, every piece told."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from polemarque.report.boards.pieces import Piece
from polemarque.report.boards.text import text_board, text_scene, unit_list
from tests.report.fields import FIELD, VALLEY, board, scene

SMALL = """
[board]
id = "small"
name = { fr = "Le pré", en = "The meadow" }
shape = "hex"
terrain = '''
..w
 ~.h
'''
legend = { "." = "plain", w = "wood", "~" = "stream", h = "hill" }
[board.marks]
fortification = { c1 = 2, a2 = 4 }
"""

FEW = (
    Piece("a", "b1", 0, "infantry", "Hop", "4", ("A",)),
    Piece("g", "b1", 0, "general", "Pau"),
    Piece("b", "c2", 1, "light_cavalry", "Sa", title="les Saces, 3 éléments"),
)

DRAWN = """\
        a     b     c
 2      .  4  .   (Sa )
 1   ~   [Hop*   ^  2
     a     b     c"""

TOLD = """\
The meadow

{board}

 ^  hill    .  plain    ~  stream   TTT wood   2 wall (2)   4 castle (4)   * a leader with the unit

Pieces of each side
[] Greeks
  b1: infantry Hop, strength 4 (A), plain
  b1: general Pau, plain
() Persians
  c2: les Saces, 3 éléments, wood
{{}} Nobody
  no piece
"""


def test_a_small_board_and_its_pieces() -> None:
    meadow = replace(
        scene(), board=board(SMALL), sides=("Greeks", "Persians", "Nobody"), pieces=FEW, arrows=()
    )
    assert "\n".join(text_board(meadow, "en")) == DRAWN
    assert text_scene(meadow, "en") == TOLD.format(board=DRAWN)


@pytest.mark.parametrize("text", [VALLEY, FIELD], ids=["hex", "square"])
@pytest.mark.parametrize("width", [100, 40, 25])
def test_lines_fit_the_width(text: str, width: int) -> None:
    for part in text_board(scene(text), "fr", width):
        assert all(len(line) <= width for line in part.splitlines())


def test_a_board_too_wide_comes_in_even_parts() -> None:
    parts = list(text_board(scene(FIELD), "fr", 25))
    assert [part.splitlines()[0] for part in parts] == ["Colonnes a à c", "Colonnes d à f"]
    assert {len(part.splitlines()) for part in parts} == {1 + 2 + 4}


def test_sixteen_columns_fit_a_hundred_characters() -> None:
    wide = SMALL.replace("..w", "." * 16).replace("~.h", "." * 16).replace("c1 = 2, ", "")
    (part,) = text_board(replace(scene(), board=board(wide), pieces=(), arrows=()), "fr")
    assert len(part.splitlines()) == 4


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_piece_is_told(lang: str) -> None:
    given = scene()
    lines = list(unit_list(given, lang))
    assert len(lines) == 1 + len(given.sides) + len(given.pieces)
    for piece in given.pieces:
        assert any(f"{piece.cell}" in line and piece.label in line for line in lines)
