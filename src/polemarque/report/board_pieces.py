"""What stands and happens on a board, as drawings and terminals show it: no system's own types.

A system's drawing turns its state into a `Scene`; pictures, texts and replays do the rest.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import msgspec

from polemarque.maps.boards import Board
from polemarque.maps.grid import Cell

Symbol: TypeAlias = Literal[
    "infantry", "light_infantry", "missile", "cavalry", "light_cavalry", "camelry", "chariots",
    "elephants", "artillery", "engine", "creature", "general", "sub_general", "officer",
]  # fmt: skip
"""What a piece is; each has its own glyph."""

SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)

LEADERS: tuple[Symbol, ...] = ("general", "sub_general", "officer")
"""Those who may stand in a cell with a unit; they are drawn beside it."""

SIDES = 4
"""How many sides can be told apart without colour; further ones begin anew."""


class Piece(msgspec.Struct, frozen=True):
    """One piece.

    id:       what it is known by from picture to picture.
    side:     0 for the first side of the scene, and so on.
    label:    two or three letters that tell it from its fellows.
    strength: what is left of it, in one to four characters ("4", "350").
    badges:   up to three signs of one or two characters (an order, a status).
    title:    all of it in words, for who cannot see it; by default symbol, label, strength.
    """

    id: str
    cell: Cell
    side: int
    symbol: Symbol
    label: str = ""
    strength: str = ""
    badges: tuple[str, ...] = ()
    title: str = ""

    @property
    def leader(self) -> bool:
        """Whether it is a leader, who needs no cell of his own."""
        return self.symbol in LEADERS


class Arrow(msgspec.Struct, frozen=True):
    """Where something went or struck: the cells of the way, its start included."""

    path: tuple[Cell, ...]
    side: int
    kind: Literal["move", "attack", "shot"] = "move"
    title: str = ""


class Scene(msgspec.Struct, frozen=True):
    """A board with what stands on it.

    sides:    names of the sides, which number colours, shapes and hatchings.
    terrains: names of terrains and marks by their words, over those we have.
    """

    board: Board
    sides: tuple[str, ...]
    pieces: tuple[Piece, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    terrains: dict[str, str] = {}
    title: str = ""
