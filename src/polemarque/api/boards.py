"""Boards of hexes and squares: their files, neighbours, distances, paths and lines of sight.

A cell is named by column and row, "a1" in the south-west.  Distances count steps, costs count
movement points; both are whole numbers.
"""

from __future__ import annotations

from polemarque.maps.boards import (
    Board,
    BoardRefused,
    Link,
    build_board,
    check_board,
    load_board,
    read_board,
)
from polemarque.maps.grid import Cell, Grid, grid
from polemarque.maps.paths import StepCost, Way, clear, path_cost, reachable

__all__ = [
    "Cell",
    "Grid",
    "grid",
    "Board",
    "BoardRefused",
    "Link",
    "load_board",
    "check_board",
    "read_board",
    "build_board",
    "StepCost",
    "Way",
    "reachable",
    "path_cost",
    "clear",
]
