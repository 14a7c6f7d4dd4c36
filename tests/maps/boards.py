"""Boards drawn by chance, and their geometry worked out the long way."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from polemarque.maps.grid import Cell, Grid, grid

SHAPES = ("hex", "square")

CORNERS = {
    "hex": ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)),
    "square": ((1, 1), (1, -1), (-1, -1), (-1, 1)),
}
"""Of a cell about 0, 0, clockwise; hexes are squeezed so that their corners are whole numbers."""


@st.composite
def grids(draw: st.DrawFn, most: int = 9) -> Grid:
    return grid(
        draw(st.sampled_from(SHAPES)), draw(st.integers(1, most)), draw(st.integers(1, most))
    )


@st.composite
def grids_and_cells(draw: st.DrawFn, count: int = 2, most: int = 9) -> tuple[Grid, list[Cell]]:
    board = draw(grids(most))
    return board, [draw(st.sampled_from(board.cells)) for _ in range(count)]


def middle(board: Grid, cell: Cell) -> tuple[int, int]:
    """Where the middle of a cell is drawn: x eastwards, y northwards."""
    column, row = board.column(cell), board.row(cell)
    if board.shape == "square":
        return 2 * column, 2 * row
    return 2 * column + (row % 2 == 0), 3 * row


def corners(board: Grid, cell: Cell) -> list[tuple[int, int]]:
    x, y = middle(board, cell)
    return [(x + dx, y + dy) for dx, dy in CORNERS[board.shape]]


def stretch(board: Grid, a: Cell, b: Cell, cell: Cell) -> tuple[Fraction, Fraction, bool] | None:
    """Where the line from `a` to `b` enters and leaves a cell, and whether it enters its inside.

    The line is cut off at each side of the cell in turn, with exact fractions.
    """
    (ax, ay), (bx, by) = middle(board, a), middle(board, b)
    shape = corners(board, cell)
    low, high, inside = Fraction(0), Fraction(1), True
    for (px, py), (qx, qy) in zip(shape, shape[1:] + shape[:1], strict=True):
        # What lies right of a side taken clockwise is in; `at` and `gain` measure how far.
        at = (qy - py) * (ax - px) - (qx - px) * (ay - py)
        gain = (qy - py) * (bx - ax) - (qx - px) * (by - ay)
        if gain == 0:
            if at < 0:
                return None
            inside = inside and at > 0
        elif gain > 0:
            low = max(low, Fraction(-at, gain))
        else:
            high = min(high, Fraction(-at, gain))
    if low > high:
        return None
    return low, high, inside and low < high


def clear_by_hand(board: Grid, a: Cell, b: Cell, blocking: set[Cell]) -> bool:
    """Whether the line is clear: nothing that blocks on it, nor on both sides of a stretch."""
    touched: dict[tuple[Fraction, Fraction], list[Cell]] = {}
    for cell in board.cells:
        met = stretch(board, a, b, cell)
        if cell in (a, b) or met is None:
            continue
        low, high, inside = met
        if inside and cell in blocking:
            return False
        if not inside:
            touched.setdefault((low, high), []).append(cell)
    return not any(
        blocking.issuperset(cells)
        for (low, high), cells in touched.items()
        if low < high or len(cells) > 1
    )
