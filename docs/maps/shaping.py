"""From seed points to smooth shared borders: the geometry behind ``make_island.py``.

Lands are painted on a grid of square cells, then the edges between cells are cut into chains at
the points where three lands meet. A chain is smoothed once and lent to both lands it parts.
Deterministic: the noise is integer hashing, the rest is plain arithmetic. Standard library only.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise

SEA = -1

Point = tuple[float, float]
Cell = tuple[int, int]
Grid = list[list[int]]

_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1))


# --- noise ---------------------------------------------------------------------------------------


@cache
def speck(x: int, y: int, salt: int) -> float:
    """A number in [-1, 1) for a lattice point; integer arithmetic only, so the same everywhere."""
    mixed = (x * 374761393 + y * 668265263 + salt * 2246822519) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 13)) * 1274126177) & 0xFFFFFFFF
    mixed ^= mixed >> 16
    return mixed / 0x80000000 - 1.0


def _smooth(x: float, y: float, salt: int) -> float:
    """Value noise: the lattice blended by cubic steps."""
    left, top = math.floor(x), math.floor(y)
    u, v = x - left, y - top
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    above = speck(left, top, salt) * (1 - u) + speck(left + 1, top, salt) * u
    below = speck(left, top + 1, salt) * (1 - u) + speck(left + 1, top + 1, salt) * u
    return above * (1 - v) + below * v


def noise(x: float, y: float, wave: float, salt: int) -> float:
    """Three octaves of value noise, about -1 to 1; ``wave`` is the longest wavelength in units."""
    total = 0.0
    for octave, share in enumerate((0.58, 0.28, 0.14)):
        scale = wave / 2**octave
        total += share * _smooth(x / scale, y / scale, salt + octave)
    return total


# --- grids ---------------------------------------------------------------------------------------


def paint(columns: int, rows: int, cell: int, label: Callable[[float, float], int]) -> Grid:
    """A grid of labels, each asked at the middle of its cell."""
    return [
        [label((column + 0.5) * cell, (row + 0.5) * cell) for column in range(columns)]
        for row in range(rows)
    ]


def pieces(grid: Grid) -> list[list[Cell]]:
    """Connected groups of cells of one label, largest first."""
    rows, columns = len(grid), len(grid[0])
    seen = [[False] * columns for _ in range(rows)]
    groups = []
    for start in ((row, column) for row in range(rows) for column in range(columns)):
        if seen[start[0]][start[1]]:
            continue
        seen[start[0]][start[1]] = True
        group = [start]
        for i, j in group:
            for a, b in ((i + di, j + dj) for di, dj in _AROUND):
                if not (0 <= a < rows and 0 <= b < columns) or seen[a][b]:
                    continue
                if grid[a][b] == grid[i][j]:
                    seen[a][b] = True
                    group.append((a, b))
        groups.append(group)
    return sorted(groups, key=lambda group: (-len(group), group[0]))


def one_piece(grid: Grid, labels: Iterable[int]) -> None:
    """Keep the largest piece of each label; the rest goes to whoever surrounds it."""
    kept: set[int] = set()
    wanted = set(labels)
    for group in pieces(grid):
        label = grid[group[0][0]][group[0][1]]
        if label not in wanted or label not in kept:
            kept.add(label)
            continue
        around = Counter(
            grid[i + di][j + dj]
            for i, j in group
            for di, dj in _AROUND
            if grid[i + di][j + dj] != label
        )
        for i, j in group:
            grid[i][j] = around.most_common(1)[0][0]


def tidy(grid: Grid, passes: int = 5) -> None:
    """Smooth ragged edges: a cell goes over to the majority of the nine around it."""
    for _ in range(passes):
        for row in range(1, len(grid) - 1):
            for column in range(1, len(grid[0]) - 1):
                nine = [grid[row + i][column + j] for i in (-1, 0, 1) for j in (-1, 0, 1)]
                if nine.count(nine[4]) < 5:
                    best, count = Counter(nine).most_common(1)[0]
                    if count >= 5 or nine.count(nine[4]) < 4:
                        grid[row][column] = best


def uncross(grid: Grid) -> None:
    """Where four lands meet at a point, let one of them win a cell, so that only three do."""
    for above, below in pairwise(grid):
        for column in range(len(above) - 1):
            a, b = above[column : column + 2]
            c, d = below[column : column + 2]
            if a != b and b != d and d != c and c != a:
                below[column + 1] = b


# --- borders -------------------------------------------------------------------------------------


def rings(grid: Grid, cell: int) -> dict[int, list[Point]]:
    """The outline of every label but SEA, in units to one decimal, clockwise.

    Two labels that touch share the points of their border exactly. Raises ValueError if four lands
    meet at a point, or if a label is in pieces or has a hole.
    """
    borders: dict[int, list[list[Point]]] = defaultdict(list)
    for chain, sides in _chains(grid):
        drawn = _soften([(x * cell, y * cell) for x, y in chain])
        for label in sides - {SEA}:
            borders[label].append(drawn)
    return {label: _joined(label, chains) for label, chains in sorted(borders.items())}


def _edges(grid: Grid) -> dict[tuple[Cell, Cell], frozenset[int]]:
    """Unit edges between cells of different labels, by their two corners (x, y)."""
    edges = {}
    for y in range(1, len(grid)):
        for x in range(1, len(grid[0])):
            here = grid[y][x]
            if here != grid[y][x - 1]:
                edges[(x, y), (x, y + 1)] = frozenset((here, grid[y][x - 1]))
            if here != grid[y - 1][x]:
                edges[(x, y), (x + 1, y)] = frozenset((here, grid[y - 1][x]))
    return edges


def _chains(grid: Grid) -> list[tuple[list[Cell], frozenset[int]]]:
    """Borders cut where three lands meet: corners in order, and the two labels parted."""
    edges = _edges(grid)
    at: dict[Cell, list[Cell]] = defaultdict(list)
    for a, b in edges:
        at[a].append(b)
        at[b].append(a)
    crossed = [corner for corner, ends in at.items() if len(ends) == 4]
    if crossed:
        raise ValueError(f"four lands meet at {crossed[:5]}")
    done: set[frozenset[Cell]] = set()
    chains = []
    # Points where three meet come first; a loop without any is started anywhere.
    for start in sorted(at, key=lambda corner: (len(at[corner]) != 3, corner)):
        for following in sorted(at[start]):
            if frozenset((start, following)) in done:
                continue
            chain = [start, following]
            done.add(frozenset(chain))
            while len(at[chain[-1]]) == 2 and chain[-1] != start:
                chain.append(next(c for c in at[chain[-1]] if c != chain[-2]))
                done.add(frozenset(chain[-2:]))
            low, high = sorted((start, following))
            chains.append((chain, edges[low, high]))
    return chains


def _soften(corners: list[Point]) -> list[Point]:
    """Turn a staircase into a line as a pen would draw it; the ends stay."""
    line = [corners[0]]
    line += [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in pairwise(corners)]
    line.append(corners[-1])
    for _ in range(2):
        inner = [
            ((a[0] + 2 * b[0] + c[0]) / 4, (a[1] + 2 * b[1] + c[1]) / 4)
            for a, b, c in zip(line, line[1:], line[2:], strict=False)
        ]
        line = [line[0], *inner, line[-1]]
    return [(round(x, 1), round(y, 1)) for x, y in _thin(line, 0.45)]


def _thin(line: list[Point], tolerance: float) -> list[Point]:
    """Drop points that lie within ``tolerance`` of the line between those kept."""
    (x0, y0), (x1, y1) = line[0], line[-1]
    across, down = x1 - x0, y1 - y0
    length = math.sqrt(across * across + down * down)

    def off(point: Point) -> float:
        if length < 1e-9:
            return math.sqrt((point[0] - x0) ** 2 + (point[1] - y0) ** 2)
        return abs(across * (point[1] - y0) - down * (point[0] - x0)) / length

    if len(line) < 3:
        return line
    far = max(range(1, len(line) - 1), key=lambda i: off(line[i]))
    if off(line[far]) <= tolerance:
        return [line[0], line[-1]]
    return _thin(line[: far + 1], tolerance)[:-1] + _thin(line[far:], tolerance)


def _joined(label: int, chains: list[list[Point]]) -> list[Point]:
    """Link chains end to end into one clockwise ring, without repeating the first point."""
    left = list(chains)
    ring = left.pop(0)
    while left:
        at = next((i for i, c in enumerate(left) if ring[-1] in (c[0], c[-1])), None)
        if at is None:
            raise ValueError(f"land {label} is in pieces or has a hole")
        chain = left.pop(at)
        ring = ring + (chain[1:] if chain[0] == ring[-1] else chain[-2::-1])
    if ring[0] != ring[-1]:
        raise ValueError(f"land {label} is not closed")
    ring = ring[:-1]
    return ring if area(ring) > 0 else ring[::-1]


def area(ring: list[Point]) -> float:
    """Signed area; positive is clockwise on a page whose y grows downwards."""
    pairs = zip(ring, ring[1:] + ring[:1], strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2


def roomiest(ring: list[Point], half_width: float, half_height: float) -> tuple[Point, float]:
    """Where a box of that shape fits at its largest inside a ring, and how many times over."""
    best, room = ring[0], 0.0
    left, right = min(x for x, _ in ring), max(x for x, _ in ring)
    top, bottom = min(y for _, y in ring), max(y for _, y in ring)
    dense = [p for a, b in zip(ring, ring[1:] + ring[:1], strict=True) for p in _between(a, b)]
    for x in range(int(left), int(right), 2):
        for y in range(int(top), int(bottom), 2):
            fit = _room_at(x, y, dense, half_width, half_height, room)
            if fit > room and inside((x, y), ring):
                best, room = (float(x), float(y)), fit
    return best, room


def _room_at(
    x: int, y: int, outline: list[Point], half_width: float, half_height: float, least: float
) -> float:
    """How many times over a box fits there before it meets the outline; 0 if at most `least`.

    The point that is in the way comes first from then on: it is in the next one's way as well.
    """
    room = math.inf
    for at, (a, b) in enumerate(outline):
        fit = max(abs(a - x) / half_width, abs(b - y) / half_height)
        if fit <= least:
            outline[0], outline[at] = outline[at], outline[0]
            return 0.0
        if fit < room:
            room = fit
    return room


def _between(a: Point, b: Point) -> list[Point]:
    """Points from a towards b, at most three units apart."""
    steps = max(1, math.ceil(max(abs(b[0] - a[0]), abs(b[1] - a[1])) / 3))
    return [
        (a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps) for k in range(steps)
    ]


def inside(point: Point, ring: list[Point]) -> bool:
    """Whether a point lies within a ring."""
    x, y = point
    odd = False
    for (x0, y0), (x1, y1) in zip(ring, ring[1:] + ring[:1], strict=True):
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            odd = not odd
    return odd
