"""Draw the island of Atlantis and write ``systems/atlantide/data/island.toml``.

Provenance. The drawing that went with the seed rules (« voir la carte ») is lost, so the island is
ours (AT-1.2). From the rules come only the ten kingdoms, their sizes and the city each one holds.
From Plato's Critias come the city of three rings in the middle, its mountains, Gadirus at the end
that looks towards the Pillars of Herakles, and the order of the other brothers around the shore.
Names of territories, terrain and coast are inventions of this project (MIT, like the rest of it).

Method. Every territory has a seed point. Space is bent by smooth noise and each cell of a fine grid
goes to its nearest seed; the coast is where a distance bent by noise passes 1. The borders between
cells are cut into chains where three lands meet; each chain is smoothed once and lent to the two
lands it parts, so they share it point for point.

Run ``python docs/maps/make_island.py [file]``: same program, same island, to the byte. Standard
library only; the noise is integer hashing, so neither platform nor Python version changes it.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from pathlib import Path

from shaping import (
    SEA,
    Grid,
    Point,
    noise,
    one_piece,
    paint,
    pieces,
    rings,
    roomiest,
    tidy,
    uncross,
)

TARGET = Path(__file__).parents[2] / "src/polemarque/systems/atlantide/data/island.toml"
WIDTH, HEIGHT, CELL = 1000, 760, 2
COLUMNS, ROWS = WIDTH // CELL, HEIGHT // CELL
CENTRE = (500.0, 382.0)
RADII = (432.0, 322.0)
SMALLEST_ISLET = 14  # cells; less would be a blot
SHORTEST_BORDER = 24.0  # units; less could be taken for a corner

HEADER = """\
# The island of Atlantis: 10 kingdoms, 32 territories (AT-1.2). Drawn by docs/maps/make_island.py,
# which tells where it comes from: change it there, not here. A club's own map has the same form.
# Units are those of the drawing; polygons turn clockwise and share their border points exactly.

[map]
id = "atlantide"
name = { fr = "L'île d'Atlantide", en = "The Island of Atlantis" }
size = [1000, 760]
stadia = 5  # in one unit of the drawing
terrains = ["plains", "river_plains", "forest", "mountains"]
cities = ["none", "royal", "atlantis"]
"""

KINGDOMS = {
    "atlantis": "Atlantis",
    "gadirus": "Gadirus & Myrine",
    "ampheres": "Ampheres",
    "euamon": "Euamon",
    "mneseus": "Mneseus",
    "autochthon": "Autochthon",
    "elaspissus": "Elaspissus",
    "mestor": "Mestor",
    "azues": "Azues",
    "diaprepes": "Diaprepes",
}
"""Clockwise from the east, after the middle one; the spelling is the book's in both languages."""

# id, French, English, city, terrain. In a kingdom of three the territory nearest to the middle
# comes first. Terrain keeps to the shares of AT-1.3: of nine royal territories
# five plains, two rivers, one forest, one mountain; of the other eighteen 6, 3, 3 and 6.
TERRITORIES: dict[str, tuple[tuple[str, str, str, str, str], ...]] = {
    "atlantis": (
        ("three_rings", "Les Trois Anneaux", "The Three Rings", "atlantis", "mountains"),
        ("clito_spring", "Source de Clito", "Cleito's Spring", "none", "mountains"),
        ("mount_pyreos", "Mont Pyréos", "Mount Pyreos", "none", "mountains"),
        ("orichalcum_mines", "Mines d'orichalque", "Orichalcum Mines", "none", "mountains"),
        ("mount_atlas", "Mont Atlas", "Mount Atlas", "none", "mountains"),
    ),
    "gadirus": (
        ("myrine_barrow", "Tertre de Myrine", "Myrine's Barrow", "none", "mountains"),
        ("gadeira", "Gadeira", "Gadeira", "royal", "plains"),
        ("hespera_gardens", "Jardins d'Hespéra", "Gardens of Hespera", "none", "river_plains"),
    ),
    "ampheres": (
        ("triton_wood", "Bois de Triton", "Triton's Wood", "none", "forest"),
        ("halia", "Halia", "Halia", "royal", "river_plains"),
        ("dolphin_bay", "Baie des Dauphins", "Dolphin Bay", "none", "plains"),
    ),
    "euamon": (
        ("scylla_teeth", "Dents de Scylla", "Scylla's Teeth", "none", "mountains"),
        ("thoosa", "Thoosa", "Thoosa", "none", "plains"),
        ("anthemis", "Anthémis", "Anthemis", "royal", "plains"),
    ),
    "mneseus": (
        ("mnemosa", "Mnémosa", "Mnemosa", "royal", "plains"),
        ("lethos", "Léthos", "Lethos", "none", "river_plains"),
        ("nereid_cape", "Cap des Néréides", "Nereids' Cape", "none", "mountains"),
    ),
    "autochthon": (
        ("chthonia", "Chthonie", "Chthonia", "royal", "mountains"),
        ("kerame", "Kéramè", "Kerame", "none", "plains"),
        ("rhiza", "Rhiza", "Rhiza", "none", "forest"),
    ),
    "elaspissus": (
        ("xanthe_saddle", "Selle de Xanthe", "Saddle of Xanthe", "none", "mountains"),
        ("hippeia", "Hippéia", "Hippeia", "royal", "plains"),
        ("mares_fields", "Champs des Cavales", "Mares' Fields", "none", "plains"),
    ),
    "mestor": (
        ("maenad_wood", "Bois des Ménades", "Maenads' Wood", "none", "forest"),
        ("halcyon_haven", "Havre d'Alcyon", "Halcyon Haven", "none", "plains"),
        ("dryas", "Dryas", "Dryas", "royal", "forest"),
    ),
    "azues": (
        ("boreas_vale", "Val de Borée", "Boreas' Vale", "none", "river_plains"),
        ("azais", "Azaïs", "Azais", "royal", "plains"),
        ("aithe", "Aithè", "Aithe", "none", "mountains"),
    ),
    "diaprepes": (
        ("brazen_steps", "Degrés d'Airain", "Brazen Steps", "none", "mountains"),
        ("glaucus_lights", "Feux de Glaucos", "Glaucus' Lights", "none", "plains"),
        ("lampra", "Lampra", "Lampra", "royal", "river_plains"),
    ),
}

# Where the sea bites (+) and where land reaches out (-): degrees clockwise from the east, how far
# from the middle (1 = mean shore), radius and depth in the same measure.
BITES = (
    (18, 1.02, 0.22, 0.27),
    (63, 1.05, 0.27, 0.33),
    (99, 1.01, 0.20, 0.29),
    (141, 1.03, 0.24, 0.29),
    (184, 1.00, 0.22, 0.27),
    (221, 1.05, 0.25, 0.29),
    (262, 1.01, 0.23, 0.25),
    (303, 1.04, 0.25, 0.33),
    (343, 1.03, 0.20, 0.27),
    (0, 1.05, 0.17, -0.20),
    (45, 1.06, 0.16, -0.16),
    (118, 1.06, 0.17, -0.18),
    (160, 1.06, 0.17, -0.16),
    (206, 1.06, 0.17, -0.14),
    (243, 1.07, 0.17, -0.16),
    (322, 1.07, 0.17, -0.16),
    (60, 1.16, 0.045, -0.60),
    (64, 1.21, 0.028, -0.60),
    (143, 1.15, 0.05, -0.60),
    (148, 1.21, 0.03, -0.60),
    (223, 1.18, 0.05, -0.60),
    (301, 1.14, 0.05, -0.60),
    (297, 1.20, 0.035, -0.60),
)

# One point for each territory, a kingdom a line, in the bent space of `bent`. Found by a search and
# then frozen: sizes are alike, no border is too short to be read, the mountains close around the
# city of Atlantis, and outer kingdoms have two shores or more and six to eight borders each.
# fmt: off
SEEDS: list[Point] = [
    (517, 406), (562, 452), (410, 487), (374, 338), (543, 348),
    (752, 370), (861, 385), (861, 420),
    (664, 559), (739, 580), (742, 562),
    (545, 576), (551, 597), (473, 651),
    (397, 510), (350, 644), (270, 566),
    (278, 454), (172, 479), (152, 418),
    (351, 325), (154, 340), (186, 240),
    (426, 176), (226, 173), (423, 143),
    (544, 288), (544, 147), (633, 181),
    (710, 322), (759, 191), (835, 267),
]
# fmt: on


# --- the shape -----------------------------------------------------------------------------------


def _polar(degrees: float, reach: float) -> Point:
    turn = math.radians(degrees)
    return (
        CENTRE[0] + RADII[0] * reach * math.cos(turn),
        CENTRE[1] + RADII[1] * reach * math.sin(turn),
    )


BITE_PLACES = [(_polar(turn, reach), radius, depth) for turn, reach, radius, depth in BITES]


def is_land(x: float, y: float) -> int:
    """1 on land, 0 at sea: an ellipse, bitten by bays and frayed by noise."""
    at_x, at_y = x + 16 * noise(x, y, 60, 43), y + 16 * noise(x, y, 60, 47)
    across, down = (at_x - CENTRE[0]) / RADII[0], (at_y - CENTRE[1]) / RADII[1]
    reach = math.sqrt(across * across + down * down)
    if 0.6 < reach < 1.4:
        for (bite_x, bite_y), radius, depth in BITE_PLACES:
            gap = ((at_x - bite_x) / RADII[0]) ** 2 + ((at_y - bite_y) / RADII[1]) ** 2
            reach += depth * max(0.0, 1 - gap / radius**2)
        reach += 0.13 * noise(x, y, 80, 11) + 0.08 * noise(x, y, 22, 17)
    return int(reach < 1)


def bent(x: float, y: float) -> Point:
    """Where a place lies once the noise has moved it: straight borders become wandering ones."""
    return (
        x + 25 * noise(x, y, 120, 29) + 9 * noise(x, y, 26, 37),
        y + 25 * noise(x, y, 120, 31) + 9 * noise(x, y, 26, 41),
    )


def main_island(shape: Grid) -> tuple[Grid, list[Grid]]:
    """The largest land without lakes, and the islets off its shore, each on its own grid."""
    tidy(shape, 1)
    groups = pieces(shape)
    lands = [g for g in groups if shape[g[0][0]][g[0][1]]]
    ocean = next(g for g in groups if not shape[g[0][0]][g[0][1]])
    outside = set(ocean).union(*lands[1:])
    island = [[SEA if (i, j) in outside else 0 for j in range(COLUMNS)] for i in range(ROWS)]
    islets = []
    for group in lands[1:]:
        if len(group) >= SMALLEST_ISLET:
            cells = set(group)
            islets.append(
                [[0 if (i, j) in cells else SEA for j in range(COLUMNS)] for i in range(ROWS)]
            )
    return island, islets


def share_out(island: Grid, seeds: list[Point]) -> Grid:
    """Give every land cell to the seed nearest to its bent place."""
    order = range(len(seeds))

    def owner(i: int, j: int) -> int:
        if island[i][j] == SEA:
            return SEA
        x, y = bent((j + 0.5) * CELL, (i + 0.5) * CELL)
        return min(order, key=lambda s: (seeds[s][0] - x) ** 2 + (seeds[s][1] - y) ** 2)

    return [[owner(i, j) for j in range(COLUMNS)] for i in range(ROWS)]


def territories() -> tuple[list[list[Point]], list[list[Point]]]:
    """The outlines of the 32 territories, in order, and of the islets."""
    island, islets = main_island(paint(COLUMNS, ROWS, CELL, is_land))
    outlines = drawn(share_out(island, SEEDS), len(SEEDS))
    for (a, b), length in shared_lengths(outlines).items():
        if b != SEA and length < SHORTEST_BORDER:
            raise ValueError(f"lands {a} and {b} share {length:.0f} units only: move their seeds")
    return outlines, [rings(grid, CELL)[0] for grid in islets]


def drawn(owner: Grid, count: int) -> list[list[Point]]:
    """The outlines of painted territories, each made whole and smooth."""
    for passes in (2, 1, 1):
        tidy(owner, passes)
        one_piece(owner, [SEA, *range(count)])
        uncross(owner)
    outlines = rings(owner, CELL)
    return [outlines[k] for k in range(count)]


# --- the file ------------------------------------------------------------------------------------


def shared_lengths(outlines: list[list[Point]]) -> dict[tuple[int, int], float]:
    """How long a border every two territories share, in units."""
    sides: dict[frozenset[Point], list[int]] = defaultdict(list)
    for who, ring in enumerate(outlines):
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            sides[frozenset((a, b))].append(who)
    lengths: dict[tuple[int, int], float] = defaultdict(float)
    for side, whose in sides.items():
        a, b = tuple(side)
        length = math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)
        lengths[min(whose), max(whose) if len(whose) == 2 else SEA] += length
    return lengths


def as_toml() -> str:
    """The whole map file."""
    outlines, islets = territories()
    lengths = shared_lengths(outlines)
    rows = [(kingdom, *row) for kingdom, lands in TERRITORIES.items() for row in lands]
    names = [row[1] for row in rows]
    parts = [HEADER]
    for kingdom, name in KINGDOMS.items():
        parts.append(f'[[kingdom]]\nid = "{kingdom}"\nname = {{ fr = "{name}", en = "{name}" }}\n')
    for who, (kingdom, name, fr, en, city, terrain) in enumerate(rows):
        near = [names[a + b - who] for a, b in sorted(lengths) if who in (a, b) and b != SEA]
        quoted = ", ".join(f'"{other}"' for other in near)
        label, _ = roomiest(outlines[who], 40, 30)
        parts.append(
            "[[territory]]\n"
            f'id = "{name}"\nkingdom = "{kingdom}"\n'
            f'name = {{ fr = "{fr}", en = "{en}" }}\n'
            f'city = "{city}"\nterrain = "{terrain}"\n'
            f"coastal = {str((who, SEA) in lengths).lower()}\n"
            f"label = [{label[0]:.0f}, {label[1]:.0f}]\n"
            f"neighbours = [{quoted}]\n" + _polygon(outlines[who])
        )
    parts += ["[[islet]]\n" + _polygon(ring) for ring in islets]
    return "\n".join(parts)


def _polygon(ring: list[Point]) -> str:
    """A polygon, eight points a line."""
    points = [f"[{x:g}, {y:g}]" for x, y in ring]
    lines = [", ".join(points[k : k + 8]) for k in range(0, len(points), 8)]
    return "polygon = [\n" + "".join(f"  {line},\n" for line in lines) + "]\n"


def main() -> None:
    """Write the map where asked, or where the package keeps it."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(as_toml(), encoding="utf-8")


if __name__ == "__main__":
    main()
