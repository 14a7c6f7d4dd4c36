"""Draw the islands of Atlantide and write ``island.toml`` and ``wave.toml`` of its data.

Provenance. The drawing that went with the seed rules (« voir la carte ») is lost, so both islands
are ours (AT-1.2). From the rules come only the ten kingdoms, their sizes and the city each holds.
From Plato's Critias come the city of three rings in the middle, its mountains, Gadirus at the end
that looks towards the Pillars of Herakles, and the order of the other brothers around the shore.
Names of territories, terrain and coast are inventions of this project (MIT, like the rest of it),
and so is the small island: the same one after a first wave, with five of its kingdoms.

Method. Every territory has a seed point. Space is bent by smooth noise and each cell of a fine grid
goes to its nearest seed; the coast is where a distance bent by noise passes 1. The borders between
cells are cut into chains where three lands meet; each chain is smoothed once and lent to the two
lands it parts, so they share it point for point.

Run ``python docs/maps/make_island.py [folder]``: same program, same islands, to the byte. Standard
library only; the noise is integer hashing, so neither platform nor Python version changes it. For
an island of your own, add a `Plan` to `PLANS`.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
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

TARGET = Path(__file__).parents[2] / "src/polemarque/systems/atlantide/data"
WIDTH, HEIGHT, CELL = 1000, 760, 2
COLUMNS, ROWS = WIDTH // CELL, HEIGHT // CELL
CENTRE = (500.0, 382.0)
SMALLEST_ISLET = 14  # cells; less would be a blot
SHORTEST_BORDER = 24.0  # units; less could be taken for a corner

HEADER = """\
# {about} (AT-1.2). Drawn by docs/maps/make_island.py,
# which tells where it comes from: change it there, not here. A club's own map has the same form.
# Units are those of the drawing; polygons turn clockwise and share their border points exactly.

[map]
id = "{id}"
name = {{ fr = "{fr}", en = "{en}" }}
size = [{size[0]}, {size[1]}]
stadia = {stadia}  # in one unit of the drawing
terrains = ["plains", "river_plains", "forest", "mountains"]
cities = ["none", "royal", "atlantis"]
"""

Row = tuple[str, str, str, str, str]
Bite = tuple[float, float, float, float]


@dataclass(frozen=True)
class Plan:
    """What an island is drawn from.

    file, about: where it is written, and what its first line says of it.
    id, fr, en:  the head of the map.     stadia: in one unit of the drawing.
    lands:       by kingdom, the middle one first and then clockwise from the east: id, French,
                 English, city, terrain.  In a kingdom of three the first is nearest to the middle.
    radii:       of the mean shore.
    bites:       where the sea bites (+) and where land reaches out (-): degrees clockwise from the
                 east, how far from the middle (1 = mean shore), radius and depth likewise.
    seeds:       one point for each territory, in the bent space of `bent`.
    salt:        another coast, and other borders, by other noise.
    margin:      of open sea that is left out at either side, and above and below.
    """

    file: str
    about: str
    id: str
    fr: str
    en: str
    stadia: int
    lands: dict[str, tuple[Row, ...]]
    radii: Point
    bites: tuple[Bite, ...]
    seeds: list[Point]
    salt: int = 0
    margin: tuple[int, int] = (0, 0)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the map."""
        return WIDTH - 2 * self.margin[0], HEIGHT - 2 * self.margin[1]


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
"""The spelling is the book's in both languages."""

# Terrain keeps to the shares of AT-1.3: of nine royal territories
# five plains, two rivers, one forest, one mountain; of the other eighteen 6, 3, 3 and 6.
LANDS: dict[str, tuple[Row, ...]] = {
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

# A kingdom a line. Found by a search and then frozen: sizes are alike, no border is too short to be
# read, the mountains close around the city of Atlantis, and outer kingdoms have two shores or more
# and six to eight borders each.
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


LARGE = Plan(
    file="island.toml",
    about="The island of Atlantis: 10 kingdoms, 32 territories",
    id="atlantide",
    fr="L'île d'Atlantide",
    en="The Island of Atlantis",
    stadia=5,
    lands=LANDS,
    radii=(432.0, 322.0),
    bites=BITES,
    seeds=SEEDS,
)

WAVE = Plan(
    file="wave.toml",
    about="Atlantis after the wave: 6 kingdoms, 20 territories",
    id="wave",
    fr="L'Atlantide après la vague",
    en="Atlantis after the Wave",
    stadia=4,
    lands={
        "atlantis": LANDS["atlantis"],
        "gadirus": (
            ("pillar_ridge", "Crête des Colonnes", "Ridge of Pillars", "none", "mountains"),
            ("gadeira", "Gadeira", "Gadeira", "royal", "plains"),
            ("wreck_strand", "Grève aux Épaves", "Wreck Strand", "none", "plains"),
        ),
        "euamon": (
            ("drowned_wood", "Bois noyé", "Drowned Wood", "none", "forest"),
            ("anthemis", "Anthémis", "Anthemis", "royal", "plains"),
            ("salt_meadows", "Prés salés", "Salt Meadows", "none", "river_plains"),
        ),
        "autochthon": (
            ("clay_hills", "Collines d'Argile", "Clay Hills", "none", "plains"),
            ("chthonia", "Chthonie", "Chthonia", "royal", "mountains"),
            ("heron_pools", "Étangs du Héron", "Heron Pools", "none", "river_plains"),
        ),
        "mestor": (
            ("vine_terraces", "Terrasses de la Vigne", "Vine Terraces", "none", "plains"),
            ("dryas", "Dryas", "Dryas", "royal", "forest"),
            ("halcyon_rocks", "Rochers d'Alcyon", "Halcyon Rocks", "none", "mountains"),
        ),
        "diaprepes": (
            ("ash_slopes", "Pentes de Cendre", "Ash Slopes", "none", "mountains"),
            ("lampra", "Lampra", "Lampra", "royal", "river_plains"),
            ("bull_pasture", "Pré des Taureaux", "Bulls' Pasture", "none", "plains"),
        ),
    },
    radii=(404.0, 302.0),
    bites=(
        (0, 1.05, 0.17, 0.20), (72, 1.05, 0.17, 0.20), (144, 1.05, 0.17, 0.20),
        (216, 1.05, 0.17, 0.20), (288, 1.05, 0.17, 0.20),
        (36, 1.02, 0.27, 0.46), (108, 1.02, 0.27, 0.46), (180, 1.02, 0.27, 0.46),
        (252, 1.02, 0.27, 0.46), (324, 1.02, 0.27, 0.46),
        (34, 1.10, 0.05, -0.6), (39, 1.17, 0.04, -0.6), (30, 1.18, 0.03, -0.6),
        (106, 1.10, 0.05, -0.6), (112, 1.16, 0.035, -0.6),
        (178, 1.10, 0.05, -0.6),
        (250, 1.11, 0.05, -0.6), (256, 1.16, 0.035, -0.6),
        (322, 1.10, 0.05, -0.6), (327, 1.15, 0.04, -0.6), (318, 1.17, 0.03, -0.6),
    ),
    seeds=[
        (490, 383), (556, 480), (402, 435), (470, 281), (598, 325),
        (721, 386), (783, 312), (806, 451),
        (555, 536), (696, 573), (545, 660),
        (333, 459), (330, 583), (217, 456),
        (293, 269), (164, 287), (312, 182),
        (546, 206), (524, 142), (684, 152),
    ],
    salt=1000,
    margin=(45, 28),
)  # fmt: skip

PLANS = (LARGE, WAVE)


# --- the shape -----------------------------------------------------------------------------------


def _polar(plan: Plan, degrees: float, reach: float) -> Point:
    turn = math.radians(degrees)
    return (
        CENTRE[0] + plan.radii[0] * reach * math.cos(turn),
        CENTRE[1] + plan.radii[1] * reach * math.sin(turn),
    )


def land_of(plan: Plan) -> Callable[[float, float], int]:
    """1 on land, 0 at sea: an ellipse, bitten by bays and frayed by noise."""
    (wide, high), salt = plan.radii, plan.salt
    bites = [(_polar(plan, turn, reach), *bite) for turn, reach, *bite in plan.bites]

    def is_land(x: float, y: float) -> int:
        at_x, at_y = x + 16 * noise(x, y, 60, salt + 43), y + 16 * noise(x, y, 60, salt + 47)
        across, down = (at_x - CENTRE[0]) / wide, (at_y - CENTRE[1]) / high
        reach = math.sqrt(across * across + down * down)
        if 0.6 < reach < 1.4:
            for (bite_x, bite_y), radius, depth in bites:
                gap = ((at_x - bite_x) / wide) ** 2 + ((at_y - bite_y) / high) ** 2
                reach += depth * max(0.0, 1 - gap / radius**2)
            reach += 0.13 * noise(x, y, 80, salt + 11) + 0.08 * noise(x, y, 22, salt + 17)
        return int(reach < 1)

    return is_land


def bent(x: float, y: float, salt: int) -> Point:
    """Where a place lies once the noise has moved it: straight borders become wandering ones."""
    return (
        x + 25 * noise(x, y, 120, salt + 29) + 9 * noise(x, y, 26, salt + 37),
        y + 25 * noise(x, y, 120, salt + 31) + 9 * noise(x, y, 26, salt + 41),
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


def share_out(island: Grid, seeds: list[Point], salt: int) -> Grid:
    """Give every land cell to the seed nearest to its bent place."""
    order = range(len(seeds))

    def owner(i: int, j: int) -> int:
        if island[i][j] == SEA:
            return SEA
        x, y = bent((j + 0.5) * CELL, (i + 0.5) * CELL, salt)
        return min(order, key=lambda s: (seeds[s][0] - x) ** 2 + (seeds[s][1] - y) ** 2)

    return [[owner(i, j) for j in range(COLUMNS)] for i in range(ROWS)]


def territories(plan: Plan) -> tuple[list[list[Point]], list[list[Point]]]:
    """The outlines of the territories, in order, and of the islets."""
    island, islets = main_island(paint(COLUMNS, ROWS, CELL, land_of(plan)))
    outlines = drawn(share_out(island, plan.seeds, plan.salt), len(plan.seeds))
    for (a, b), length in shared_lengths(outlines).items():
        if b != SEA and length < SHORTEST_BORDER:
            raise ValueError(f"lands {a} and {b} share {length:.0f} units only: move their seeds")
    rest = [rings(grid, CELL)[0] for grid in islets]
    return [cropped(plan, ring) for ring in outlines], [cropped(plan, ring) for ring in rest]


def cropped(plan: Plan, ring: list[Point]) -> list[Point]:
    """An outline where it lies on the map without its margin."""
    across, down = plan.margin
    return [(round(x - across, 1), round(y - down, 1)) for x, y in ring]


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


def as_toml(plan: Plan) -> str:
    """The whole map file."""
    outlines, islets = territories(plan)
    lengths = shared_lengths(outlines)
    rows = [(kingdom, *row) for kingdom, lands in plan.lands.items() for row in lands]
    names = [row[1] for row in rows]
    parts = [HEADER.format(size=plan.size, **vars(plan))]
    for kingdom in plan.lands:
        name = KINGDOMS[kingdom]
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
    """Write the maps where asked, or where the package keeps them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    folder.mkdir(parents=True, exist_ok=True)
    for plan in PLANS:
        (folder / plan.file).write_text(as_toml(plan), encoding="utf-8")


if __name__ == "__main__":
    main()
