"""Ways against networkx, lines of sight against the drawn shapes."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemarque.maps.grid import Cell, Grid, grid
from polemarque.maps.paths import Way, clear, path_cost, reachable
from tests.maps.boards import clear_by_hand, grids, grids_and_cells

# Sight --------------------------------------------------------------------------------------------


@given(grids_and_cells(), st.randoms(use_true_random=False))
def test_sight_agrees_with_the_shapes(given_: tuple[Grid, list[Cell]], chance: object) -> None:
    board, (a, b) = given_
    for many in (0.1, 0.3, 0.7):
        blocking = {cell for cell in board.cells if chance.random() < many}
        seen = clear(board, a, b, blocking.__contains__)
        assert seen == clear_by_hand(board, a, b, blocking)
        assert seen == clear(board, b, a, blocking.__contains__)


def test_the_whole_of_a_small_board_agrees_with_the_shapes() -> None:
    for board in (grid("hex", 4, 5), grid("square", 4, 4)):
        for a in board.cells:
            for b in board.cells:
                for cell in board.cells:
                    blocked = not clear(board, a, b, lambda c, cell=cell: c == cell)
                    assert blocked == (not clear_by_hand(board, a, b, {cell})), (a, b, cell)


def test_the_ends_do_not_block() -> None:
    board = grid("hex", 5, 5)
    assert clear(board, "a1", "b1", lambda _: True)
    assert clear(board, "a1", "a1", lambda _: True)
    assert not clear(board, "a1", "c1", lambda _: True)


def test_a_side_needs_two_to_block() -> None:
    board = grid("hex", 5, 5)
    assert clear(board, "c1", "c3", {"b2"}.__contains__)
    assert clear(board, "c1", "c3", {"c2"}.__contains__)
    assert not clear(board, "c1", "c3", {"b2", "c2"}.__contains__)


def test_a_clipped_corner_blocks() -> None:
    """The line from a1 to j4 cuts a corner of two cells that the nearest line leaves out."""
    board = grid("hex", 12, 6)
    on_line = set(board.line("a1", "j4"))
    clipped = [cells[0] for cells in board.between("a1", "j4") if cells[0] not in on_line]
    assert clipped
    assert all(not clear(board, "a1", "j4", {cell}.__contains__) for cell in clipped)


# Ways ---------------------------------------------------------------------------------------------


@st.composite
def lands(draw: st.DrawFn) -> tuple[Grid, dict[tuple[Cell, Cell], int], Cell]:
    """A grid, what some steps cost (the others cannot be made), and a start."""
    board = draw(grids(6))
    steps = [(a, b) for a in board.cells for b in board.neighbours(a)]
    chance = draw(st.randoms(use_true_random=False))
    most = draw(st.integers(0, 4))
    costs = {step: chance.randint(0, most) for step in steps if chance.random() < 0.8}
    return board, costs, draw(st.sampled_from(board.cells))


@given(lands(), st.integers(0, 8), st.booleans(), st.data())
def test_ways_are_the_cheapest(
    land: tuple[Grid, dict[tuple[Cell, Cell], int], Cell],
    points: int,
    minimum_step: bool,
    data: st.DataObject,
) -> None:
    board, costs, start = land
    closed = data.draw(st.sets(st.sampled_from(board.cells), max_size=5))

    def cost(a: Cell, b: Cell) -> int | None:
        return costs.get((a, b))

    ways = reachable(board, start, points, cost, lambda c: c not in closed, minimum_step)
    graph = nx.DiGraph()
    graph.add_node(start)
    graph.add_weighted_edges_from((a, b, price) for (a, b), price in costs.items())
    cheapest = nx.single_source_dijkstra_path_length(graph, start)
    wanted = {c: n for c, n in cheapest.items() if n <= points and c != start and c not in closed}
    if minimum_step:
        for cell in board.neighbours(start):
            if (start, cell) in costs and cell not in closed:
                wanted.setdefault(cell, costs[start, cell])
    assert {cell: way.cost for cell, way in ways.items()} == wanted
    assert [way.cost for way in ways.values()] == sorted(wanted.values())
    for cell, way in ways.items():
        assert way.path[-1] == cell
        assert len({start, *way.path}) == len(way.path) + 1
        assert path_cost(board, start, way.path, cost) == way.cost
        assert way.cost <= points or (minimum_step and len(way.path) == 1)


@given(lands(), st.integers(0, 6))
def test_ties_go_to_the_shortest_and_then_to_the_first_turn(
    land: tuple[Grid, dict[tuple[Cell, Cell], int], Cell], points: int
) -> None:
    """Against every simple way there is, on a board small enough for that."""
    board, costs, start = land
    ways = reachable(board, start, points, lambda a, b: costs.get((a, b)), lambda _: True)
    best: dict[Cell, tuple[int, int, tuple[int, ...], tuple[Cell, ...]]] = {}
    todo: list[tuple[int, tuple[int, ...], tuple[Cell, ...]]] = [(0, (), (start,))]
    while todo:
        spent, turns, path = todo.pop()
        if len(path) > 4:
            continue
        for turn, cell in enumerate(board.neighbours(path[-1])):
            price = costs.get((path[-1], cell))
            if price is None or cell in path or spent + price > points:
                continue
            longer = (spent + price, (*turns, turn), (*path, cell))
            todo.append(longer)
            rank = (longer[0], len(longer[1]), longer[1], longer[2][1:])
            best[cell] = min(best.get(cell, rank), rank)
    for cell, way in ways.items():
        if len(way.path) <= 4:
            assert way == Way(best[cell][3], best[cell][0])


def test_one_may_pass_through_where_one_may_not_stop() -> None:
    board = grid("square", 3, 1)
    ways = reachable(board, "a1", 2, lambda a, b: 1, lambda cell: cell != "b1")
    assert ways == {"c1": Way(("b1", "c1"), 2)}


def test_the_minimum_step_is_the_whole_way() -> None:
    board = grid("square", 3, 1)
    ways = reachable(board, "a1", 2, lambda a, b: 3, lambda _: True, minimum_step=True)
    assert ways == {"b1": Way(("b1",), 3)}
    assert reachable(board, "a1", 2, lambda a, b: 3, lambda _: True) == {}
    assert reachable(board, "a1", 2, lambda a, b: None, lambda _: True, minimum_step=True) == {}
    shut = reachable(board, "a1", 2, lambda a, b: 3, lambda _: False, minimum_step=True)
    assert shut == {}


@pytest.mark.parametrize(
    ("path", "cost"),
    [((), 0), (("b1",), 1), (("b1", "c1"), 3), (("c1",), None), (("b1", "z9"), None),
     (("a1",), None), (("b1", "b2"), None)],
)  # fmt: skip
def test_what_a_way_costs(path: tuple[str, ...], cost: int | None) -> None:
    board = grid("square", 3, 2)
    prices = {"b1": 1, "c1": 2}
    assert path_cost(board, "a1", path, lambda a, b: prices.get(b)) == cost


def test_costs_are_asked_of_each_step_of_a_road() -> None:
    board = grid("hex", 6, 1)
    road = set(pairwise(board.cells[:4]))
    ways = reachable(board, "a1", 3, lambda a, b: 1 if (a, b) in road else 2, lambda _: True)
    assert list(ways) == ["b1", "c1", "d1"]
