"""What stands and happens on a board, as drawings and terminals show it: no system's own types.

A system's drawing turns its state into a `Scene`; pictures, texts and replays do the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
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
"""How many sides can be told apart without colour; further ones begin again."""


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
        """Whether it is a leader, who needs no cell alone."""
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
    people:   what the legend calls each side, its person named; where empty, as in `sides`.
    terrains: names of terrains and marks by their words, over those we have.
    waiting:  what is not on the board yet, in words, each with the number of its side.
    """

    board: Board
    sides: tuple[str, ...]
    pieces: tuple[Piece, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    terrains: dict[str, str] = {}
    title: str = ""
    waiting: tuple[tuple[int, str], ...] = ()
    people: tuple[str, ...] = ()


# Labels ------------------------------------------------------------------------------------------

LETTERS = 3

_SMALL = {
    "le", "la", "les", "l", "de", "du", "des", "d", "à", "au", "aux", "et",
    "the", "of", "a", "an", "and", "on", "with",
}  # fmt: skip
"""Words that tell nothing apart, in either language."""

_BODIES = {
    "aile", "bande", "batterie", "carré", "clan", "cohorte", "compagnie", "corps", "escadron",
    "garde", "groupe", "ligne", "troupe",
    "band", "battery", "company", "group", "guard", "line", "squadron", "square",
    "troop", "wing",
}  # fmt: skip
"""Words for a body of men, which tell less than the word for the men."""

_WORD = re.compile(r"[^\W_]+")


def short_labels(names: Mapping[str, str]) -> dict[str, str]:
    """A label for each code: the code itself if the name ends with it, else letters of the name.

    Letters are those of the first word that no other name has; where letters clash all the same,
    two of them and a number.
    """
    words = {code: _telling(name) for code, name in names.items()}
    borne = Counter(word for own in words.values() for word in set(own))
    labels = {}
    for code, own in words.items():
        if len(code) <= LETTERS and names[code].endswith(code):
            labels[code] = code
        else:
            alone = next((word for word in own if borne[word] == 1), own[0] if own else code)
            labels[code] = alone[:LETTERS].capitalize()
    return _apart(labels)


def _telling(name: str) -> list[str]:
    """The words of a name, the most telling first."""
    words = [word for word in map(str.lower, _WORD.findall(name)) if not word.isdigit()]
    return sorted((word for word in words if word not in _SMALL), key=_BODIES.__contains__)


def _apart(labels: Mapping[str, str]) -> dict[str, str]:
    """Labels that clash, numbered in their order."""
    borne = Counter(labels.values())
    seen: Counter[str] = Counter()
    apart = {}
    for code, label in labels.items():
        if borne[label] > 1:
            seen[label] += 1
            number = str(seen[label])
            label = label[: LETTERS - len(number)] + number
        apart[code] = label
    return apart
