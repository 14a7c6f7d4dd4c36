"""Grids: names, neighbours, distances and lines, against networkx and the drawn shapes."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import msgspec
import networkx as nx
import pytest
from hypothesis import given

from polemarque.maps.grid import COLUMNS, ROWS, Cell, Grid, grid
from tests.maps.boards import SHAPES, corners, grids, grids_and_cells, middle


@cache
def drawn(board: Grid) -> nx.Graph:
    """The graph of the cells that share a side as drawn; squares also those that share a corner."""
    wanted = 2 if board.shape == "hex" else 1
    graph = nx.Graph()
    graph.add_nodes_from(board.cells)
    shapes = {cell: set(corners(board, cell)) for cell in board.cells}
    graph.add_edges_from(
        (a, b) for a in shapes for b in shapes if a < b and len(shapes[a] & shapes[b]) >= wanted
    )
    return graph


def test_cells_are_named_from_the_south_west_and_listed_from_the_north_west() -> None:
    assert grid("square", 3, 2).cells == ("a2", "b2", "c2", "a1", "b1", "c1")
    wide = grid("hex", COLUMNS, ROWS)
    assert wide.cells[0] == "a99"
    assert wide.cells[-1] == "az1"
    assert wide.cell(26, 1) == "z1"
    assert wide.cell(27, 1) == "aa1"
    assert len(set(wide.cells)) == COLUMNS * ROWS


def test_what_is_not_a_cell_is_not_on_the_grid() -> None:
    board = grid("hex", 3, 3)
    assert "c3" in board
    assert all(name not in board for name in ("", "d1", "a4", "a0", "A1", "a01", 5, None))
    for ask in (board.row, board.column, board.neighbours):
        with pytest.raises(KeyError):
            ask("z9")
    with pytest.raises(KeyError):
        board.distance("a1", "z9")
    with pytest.raises(KeyError):
        board.cell(4, 1)
    with pytest.raises(KeyError):
        board.cell(0, 1)


@pytest.mark.parametrize(("columns", "rows"), [(0, 1), (1, 0), (COLUMNS + 1, 1), (1, ROWS + 1)])
def test_a_grid_has_a_size_that_can_be_named(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="a grid of"):
        grid("hex", columns, rows)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"shape": "hex", "columns": columns, "rows": rows}, Grid)


def test_neighbours_go_round_with_the_clock() -> None:
    hexes = grid("hex", 5, 5)
    assert hexes.neighbours("c4") == ("d5", "d4", "d3", "c3", "b4", "c5")
    assert hexes.neighbours("c3") == ("c4", "d3", "c2", "b2", "b3", "b4")
    assert hexes.neighbours("a1") == ("a2", "b1")
    squares = grid("square", 5, 5)
    assert squares.neighbours("b2") == ("b3", "c3", "c2", "c1", "b1", "a1", "a2", "a3")
    assert squares.neighbours("a1") == ("a2", "b2", "b1")


@given(grids())
def test_neighbours_are_those_that_touch(board: Grid) -> None:
    graph = drawn(board)
    for cell in board.cells:
        near = board.neighbours(cell)
        assert len(set(near)) == len(near)
        assert set(near) == set(graph[cell])
        assert all(board.adjacent(cell, other) == (other in near) for other in board.cells)


@given(grids_and_cells(count=1))
def test_distances_rings_and_surroundings_are_those_of_a_search(
    given_: tuple[Grid, list[Cell]],
) -> None:
    board, (start,) = given_
    steps = nx.single_source_shortest_path_length(drawn(board), start)
    assert {cell: board.distance(start, cell) for cell in board.cells} == steps
    for reach in range(-1, max(steps.values()) + 2):
        ring = [cell for cell in board.cells if steps[cell] == reach]
        assert list(board.ring(start, reach)) == ring
        inside = [cell for cell in board.cells if 1 <= steps[cell] <= reach]
        assert list(board.within(start, reach)) == sorted(inside, key=lambda cell: steps[cell])


@given(grids_and_cells())
def test_a_line_is_straight_short_and_the_same_both_ways(given_: tuple[Grid, list[Cell]]) -> None:
    board, (a, b) = given_
    lines = board.lines(a, b)
    assert board.line(a, b) == lines[0]
    assert 1 <= len(lines) <= 2
    assert len(set(lines)) == len(lines)
    for line in lines:
        assert len(line) == board.distance(a, b)
        assert all(board.adjacent(here, there) for here, there in pairwise((a, *line)))
    assert all(line[-1] == b for line in lines if a != b)
    back = [tuple(reversed((b, *line)))[1:] for line in board.lines(b, a)]
    assert back == list(lines)


@given(grids_and_cells())
def test_no_cell_lies_nearer_to_a_line_than_those_on_it(given_: tuple[Grid, list[Cell]]) -> None:
    board, (a, b) = given_
    length = board.distance(a, b)
    (ax, ay), (bx, by) = middle(board, a), middle(board, b)
    wide = 1 if board.shape == "square" else 3  # hexes are drawn squeezed; lengths are not
    for line in board.lines(a, b):
        for step, cell in enumerate(line, 1):
            px = (length - step) * ax + step * bx
            py = (length - step) * ay + step * by

            def far(other: Cell, px: int = px, py: int = py) -> int:
                x, y = middle(board, other)
                return wide * (length * x - px) ** 2 + (length * y - py) ** 2

            assert far(cell) == min(map(far, (cell, *board.neighbours(cell))))


def test_a_line_along_a_side_goes_either_way() -> None:
    hexes = grid("hex", 5, 5)
    assert hexes.lines("c1", "c3") == (("c2", "c3"), ("b2", "c3"))
    assert hexes.between("c1", "c3") == (("b2", "c2"),)
    squares = grid("square", 5, 5)
    assert set(squares.lines("a1", "c2")) == {("b1", "c2"), ("b2", "c2")}
    assert squares.between("a1", "c2") == (("b1",), ("b2",))
    assert squares.between("a1", "b2") == (("a2", "b1"),)


def test_a_line_along_the_rim_stays_on_the_board() -> None:
    hexes = grid("hex", 3, 5)
    assert hexes.lines("a1", "a5") == (("a2", "a3", "a4", "a5"),)
    assert hexes.between("a1", "a5") == (("a2",), ("a3",), ("a4",))
    assert hexes.lines("c2", "c4") == (("c3", "c4"),)


@given(grids())
def test_rows_are_counted_from_both_edges(board: Grid) -> None:
    for cell in board.cells:
        assert board.cell(board.column(cell), board.row(cell)) == cell
        assert board.rows_from(cell, "south") == board.row(cell)
        assert board.rows_from(cell, "south") + board.rows_from(cell, "north") == board.rows + 1
        for edge in ("north", "south"):
            rows = board.rows_from(cell, edge)
            nearer = [c for c in board.neighbours(cell) if board.rows_from(c, edge) < rows]
            assert list(board.toward(cell, edge)) == nearer
            assert all(board.rows_from(c, edge) == rows - 1 for c in nearer)
            assert bool(nearer) == (rows > 1)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_grid_is_plain_data_and_shares_its_tables(shape: str) -> None:
    board = grid(shape, 4, 3)
    again = msgspec.json.decode(msgspec.json.encode(board), type=Grid)
    assert again == board
    assert again.cells is board.cells
    assert grid(shape, 4, 3) is board


@given(grids_and_cells())
def test_what_lies_between_is_the_same_from_both_ends(given_: tuple[Grid, list[Cell]]) -> None:
    board, (a, b) = given_
    between = board.between(a, b)
    assert between == tuple(reversed(board.between(b, a)))
    passed = [cell for cells in between for cell in cells]
    assert len(set(passed)) == len(passed)
    assert {a, b}.isdisjoint(passed)
    assert {cell for line in board.lines(a, b) for cell in line[:-1]} <= set(passed)
