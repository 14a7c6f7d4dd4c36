"""A board with what stands on it, as a drawing for paper, page or film.

Every cell has an id (``b-c4``) and a title, every piece too (``bp-<id>``), so that a page can take
them up.  The same scene gives the same drawing, byte for byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from polemarque.maps.grid import Cell
from polemarque.maps.provinces import Point
from polemarque.report.boards.glyphs import (
    STYLE,
    arrow,
    colour_of,
    counter,
    definitions,
    disc,
    lettering,
)
from polemarque.report.boards.ground import Ground, Layout
from polemarque.report.boards.legend import legend
from polemarque.report.boards.pieces import Arrow, Piece, Scene
from polemarque.report.documents.interactive_svg import Drawn
from polemarque.report.island.glyphs import PAPER, plain
from polemarque.report.labels import said, terrain_words
from polemarque.report.pictures import Seen

HEAD = 46.0
"""Height of the title."""


def draw_scene(scene: Scene, lang: str) -> Drawn:
    """A scene with title and legend.

    Raises ValueError on a language, a side or a cell that is not known.
    """
    return Sheet(scene, lang).drawn()


def scene_seen(scene: Scene, lang: str) -> Seen:
    """A scene with what is said of its cells, for a page.  Raises ValueError as `draw_scene`."""
    sheet = Sheet(scene, lang)
    return Seen(sheet.drawn(), sheet.labels(), sheet.middles())


def piece_title(piece: Piece, sides: Sequence[str], lang: str) -> str:
    """A piece in words, with its cell."""
    return f"{piece.cell} · {piece_words(piece, sides, lang)}"


def piece_words(piece: Piece, sides: Sequence[str], lang: str) -> str:
    """A piece in words: whose it is, and what."""
    symbol = said(lang, f"board.symbol.{piece.symbol}")
    words = piece.title or " ".join(filter(None, (symbol, piece.label, piece.strength)))
    return f"{sides[piece.side]} · {words}"


class Placed(msgspec.Struct, frozen=True):
    """A piece, how far from the middle of its cell it is drawn, and whether beside a unit."""

    piece: Piece
    dx: float
    dy: float
    beside: bool

    @property
    def face(self) -> str:
        """The counter without words; leaders beside a unit are drawn small."""
        draw = disc if self.beside else counter
        return draw(self.piece.side, self.piece.symbol)

    @property
    def words(self) -> str:
        """The words on the counter; a small one has no room for any."""
        return "" if self.beside else lettering(self.piece)


def places(pieces: Iterable[Piece]) -> list[Placed]:
    """Where pieces are drawn, in the order in which they lie on each other.

    Leaders come last, at the corner of a unit if there is one in their cell; several units in a
    cell lie fanned out.
    """
    pieces = tuple(pieces)
    held = {piece.cell for piece in pieces if not piece.leader}
    before: Counter[tuple[Cell, bool]] = Counter()
    placed = []
    for piece in sorted(pieces, key=lambda piece: piece.leader):
        beside = piece.leader and piece.cell in held
        number = before[piece.cell, beside]
        before[piece.cell, beside] += 1
        dx, dy = (19.0 - 15 * number, -21.0) if beside else (4.0 * number, -4.0 * number)
        placed.append(Placed(piece, dx, dy, beside))
    return placed


class Sheet:
    """The sheet on which one board is drawn."""

    def __init__(self, scene: Scene, lang: str) -> None:
        self.scene, self.lang = scene, lang
        self.named = terrain_words(scene.board, lang) | scene.terrains
        self.ground = Ground(scene.board, self.named)
        self.layout = Layout(scene.board.grid)
        _known(scene)

    def drawn(self) -> Drawn:
        """The whole drawing."""
        beside, below, key = legend(self.scene, self.named, self.lang)
        width = round(self.layout.width + beside)
        height = round(HEAD + max(self.layout.height, below))
        lower = f'<g transform="translate(0 {HEAD:.0f})">'
        upper = self.arrows(self.scene.arrows) + self.pieces(self.scene.pieces)
        return Drawn(
            size=(width, height),
            kind="brd",
            pen=2.4,
            lang=self.lang,
            title=self.title,
            style=STYLE,
            defs=self._signs(),
            under=(
                f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
                f'<text x="{self.layout.width / 2:.0f}" y="32" font-size="22" font-style="italic"'
                f' text-anchor="middle">{plain(self.title)}</text>'
                f"{lower}{self.ground.drawn()}</g>"
            ),
            names="",
            pieces=f'{lower}<g class="upper">{upper}</g></g>',
            over=f'<g transform="translate({self.layout.width:.0f} {HEAD:.0f})">{key}</g>',
            shapes={cell: self._cell(cell) for cell in self.scene.board.grid.cells},
        )

    def _cell(self, cell: Cell) -> str:
        x, y = self.layout.at(cell)
        return f'<use href="#brd-cell" transform="translate({x:.1f} {y + HEAD:.1f})"/>'

    def middles(self) -> dict[Cell, Point]:
        """The middle of each cell in the whole drawing."""
        at = {cell: self.layout.at(cell) for cell in self.scene.board.grid.cells}
        return {cell: (x, y + HEAD) for cell, (x, y) in at.items()}

    def labels(self) -> dict[Cell, str]:
        """Each cell in words, with those who stand there, row by row from the north-west."""
        told = {cell: [self.ground.title(cell)] for cell in self.scene.board.grid.cells}
        for piece in self.scene.pieces:
            told[piece.cell].append(piece_words(piece, self.scene.sides, self.lang))
        return {cell: " · ".join(words) for cell, words in told.items()}

    def bare(self, upper: str, more: str = "") -> str:
        """The board without title and legend; `more` stands among the definitions."""
        width, height = self.layout.width, self.layout.height
        return (
            f"{self._opening(width, height, plain(self.title))}{self.definitions(more)}"
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="{PAPER}"/>'
            f'\n{self.ground.drawn()}\n<g class="upper">{upper}</g></svg>\n'
        )

    def key_alone(self) -> str:
        """The legend as a drawing of its own; it needs the board's on the same page."""
        width, height, key = legend(self.scene, self.named, self.lang)
        title = plain(said(self.lang, "board.legend.title"))
        return f"{self._opening(width, height, title)}{key}</svg>\n"

    @property
    def title(self) -> str:
        """What the drawing is called."""
        return self.scene.title or self.scene.board.names[self.lang]

    def definitions(self, more: str = "") -> str:
        """Pens, and what is put down many times."""
        return f"<style>{STYLE}</style><defs>{self._signs()}{more}</defs>"

    def _signs(self) -> str:
        return definitions(self.ground.signs(), self.layout.corners)

    def _opening(self, width: float, height: float, title: str) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
            f' class="brd" role="img" lang="{self.lang}" aria-label="{title}">'
        )

    def pieces(self, pieces: Iterable[Piece]) -> str:
        """Pieces where they stand."""
        parts = []
        for each in places(pieces):
            x, y = self.layout.at(each.piece.cell)
            name = plain(each.piece.id)
            parts.append(
                f'<g class="piece" id="bp-{name}" data-piece="{name}" data-at="{each.piece.cell}"'
                f' transform="translate({x + each.dx:.1f} {y + each.dy:.1f})">'
                f"<title>{plain(piece_title(each.piece, self.scene.sides, self.lang))}</title>"
                f"{each.face}{each.words}</g>"
            )
        return "".join(parts)

    def arrows(self, arrows: Iterable[Arrow]) -> str:
        """Arrows; one of a single cell is not drawn."""
        return "".join(
            f'<g class="arrow">{f"<title>{plain(each.title)}</title>" if each.title else ""}'
            + arrow([self.layout.at(cell) for cell in each.path], colour_of(each.side), each.kind)
            + "</g>"
            for each in arrows
            if len(each.path) > 1
        )


def _known(scene: Scene) -> None:
    """Raise ValueError on anything that would have to be left out in silence."""
    grid = scene.board.grid
    cells = [p.cell for p in scene.pieces] + [c for each in scene.arrows for c in each.path]
    for cell in cells:
        if cell not in grid:
            raise ValueError(f"no cell {cell!r} on the board {scene.board.id!r}")
    for side in [p.side for p in scene.pieces] + [each.side for each in scene.arrows]:
        if not 0 <= side < len(scene.sides):
            raise ValueError(f"no side {side!r}")
