"""The island of Atlantis as a printed map, as the campaign stands.

Coordinates are those of a sheet in the proportions of A4 on its side. The same island with the same
owners gives the same drawing, byte for byte; trees and hills keep their places from turn to turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polemarque.kernel.files.texts import LANGUAGES
from polemarque.maps.provinces import NO_CITY, Province, ProvinceMap
from polemarque.report.documents.interactive_svg import Drawn, standing
from polemarque.report.island.furniture import (
    HEIGHT,
    KINGDOM_LINE,
    PANEL,
    TERRITORY_LINE,
    WIDTH,
    aged,
    cartouche,
    frame,
    kingdom_names,
    legend,
    ornaments,
    waves,
)
from polemarque.report.island.geometry import Box, Layout, chance, laid_out, river, scattered
from polemarque.report.island.glyphs import (
    COLOURS,
    INK,
    PAPER,
    SEA,
    STYLE,
    WATER,
    banner,
    definitions,
    folded,
    line,
    marks,
    plain,
    shield,
    sign,
)
from polemarque.report.labels import said

AREA: Box = (242.0, 62.0, 1196.0, 826.0)
"""Where the map stands on the sheet."""

NAME_SIZE = 12.5
SHORE = ((30.0, 0.35), (22.0, 0.5), (15.0, 0.7), (9.0, 0.9))
"""Lines in the sea along the coast: how far off, and how strong."""


def draw_island(
    island: ProvinceMap,
    owners: Mapping[str, str | None],
    armies: Sequence[tuple[str, str]],
    fortresses: Mapping[str, int],
    names: Mapping[str, str],
    lang: str,
    title: str = "",
    terrains: Mapping[str, str] | None = None,
    people: Mapping[str, str] | None = None,
) -> Drawn:
    """The map of a campaign.

    owners:     seat that holds each territory; None or missing: Atlantean.
    armies:     (seat, territory) of each army.
    fortresses: number of fortresses by territory.
    names:      people by seat, in the order of the legend; it decides colours, hatchings, letters.
    lang:       "fr" or "en".        title: for the cartouche; by default the name of the map.
    terrains:   main terrain by territory where it is not the map's own (AT-1.3).
    people:     what the legend calls each seat, its person named; by default as in `names`.

    Raises ValueError on a language, territory or seat that is not known.
    """
    _known(island, owners, armies, fortresses, names, lang, terrains or {})
    painter = _Painter(island, names, lang, dict(terrains or {}))
    painter.place_names(owners, armies, fortresses)
    around = ornaments(painter.layout, painter.at_sea, said(lang, "chart.island.compass"))
    around += waves(painter.layout, painter.at_sea)
    heading = title or island.names[lang]
    over = (
        around,
        cartouche(heading),
        legend(people or names, painter.letters, lang, island.stadia / painter.layout.scale),
        aged(),
    )
    return Drawn(
        size=(WIDTH, HEIGHT),
        kind="isl",
        pen=2.6,
        lang=lang,
        title=heading,
        style=STYLE,
        defs=definitions() + painter.clips(),
        under=painter.under(owners),
        names="\n".join(painter.written),
        pieces="".join(painter.armies),
        over="\n".join(over),
        shapes={name: f'<use href="#isl-s-{name}"/>' for name in painter.layout.shapes},
    )


def _known(
    island: ProvinceMap,
    owners: Mapping[str, str | None],
    armies: Sequence[tuple[str, str]],
    fortresses: Mapping[str, int],
    names: Mapping[str, str],
    lang: str,
    terrains: Mapping[str, str],
) -> None:
    """Raise ValueError on anything that the drawing would have to leave out in silence."""
    if lang not in LANGUAGES:
        raise ValueError(f"no legend in the language {lang!r}")
    places = [*owners, *fortresses, *terrains, *(place for _, place in armies)]
    seats = [*owners.values(), *(seat for seat, _ in armies)]
    for place in places:
        if place not in island.by_id:
            raise ValueError(f"no territory {place!r} on the map {island.id!r}")
    for seat in seats:
        if seat is not None and seat not in names:
            raise ValueError(f"no name for the seat {seat!r}")


class _Painter:
    """Draws layer by layer; names are placed first, so that everything else keeps off them."""

    def __init__(
        self, island: ProvinceMap, names: Mapping[str, str], lang: str, terrains: dict[str, str]
    ) -> None:
        self.island, self.names, self.lang, self.terrains = island, names, lang, terrains
        self.layout: Layout = laid_out(island, AREA)
        self.letters = marks(names)
        self.styles = {seat: number for number, seat in enumerate(names)}
        self.written: list[str] = []
        self.armies: list[str] = []
        self.at_sea: list[Box] = [(0.0, 0.0, PANEL[2] + 8, HEIGHT)]
        self.rivers = [
            self._river(p) for p in island.provinces if self.terrain(p) == "river_plains"
        ]

    def terrain(self, province: Province) -> str:
        """The main terrain as it is in this campaign."""
        return self.terrains.get(province.id, province.terrain)

    # --- names and signs -------------------------------------------------------------------------

    def place_names(
        self,
        owners: Mapping[str, str | None],
        armies: Sequence[tuple[str, str]],
        fortresses: Mapping[str, int],
    ) -> None:
        """Write each territory's name, with its city and towers above and its armies below."""
        for province in self.island.provinces:
            here = [seat for seat, place in armies if place == province.id]
            name = self._name(province)
            above = self._above(province, owners.get(province.id), fortresses.get(province.id, 0))
            self.armies += self._below(province, here)
            self.written.append(f'<g data-territory="{province.id}">{above}{name}</g>')
        self.written.append(kingdom_names(self.layout, self.lang, self.at_sea))

    def _take(self, province: Province, box: Box) -> None:
        self.layout.taken[province.id].append(box)

    def _name(self, province: Province) -> str:
        x, y = self.layout.labels[province.id]
        lines = folded(province.names[self.lang])
        step = NAME_SIZE * 0.98
        first = y + 4 - step * (len(lines) - 1) / 2
        half = max(map(len, lines)) * NAME_SIZE * 0.27 + 3
        self._take(province, (x - half, first - 11, x + half, first + step * (len(lines) - 1) + 5))
        spans = "".join(
            f'<tspan x="{x:.1f}" y="{first + step * n:.1f}">{plain(words)}</tspan>'
            for n, words in enumerate(lines)
        )
        weight = ' font-weight="bold"' if province.city != NO_CITY else ' font-style="italic"'
        pen = f'class="halo" font-size="{NAME_SIZE}" text-anchor="middle"{weight}'
        return f"<text {pen}>{spans}</text>"

    def _above(self, province: Province, owner: str | None, towers: int) -> str:
        """Banner, city and towers in a row over the name."""
        x, y = self.layout.labels[province.id]
        lines = len(folded(province.names[self.lang]))
        foot = y - 7 - (lines - 1) * NAME_SIZE / 2
        items: list[tuple[float, float, str]] = []
        if owner is not None:
            items.append((18.0, 22.0, "banner"))
        if province.city != NO_CITY:
            atlantis = province.city == "atlantis"
            items.append((40.0, 33.0, "atlantis") if atlantis else (28.0, 21.0, "royal"))
        items += [(11.0, 13.0, "tower")] * towers
        left = x - sum(width + 1 for width, _, _ in items) / 2
        drawn = []
        for width, height, kind in items:
            at = (left + width / 2, foot)
            if kind == "banner" and owner is not None:
                drawn.append(banner(self.letters[owner], self.styles[owner], at))
            else:
                drawn.append(sign(kind, at))
            self._take(province, (left - 1, foot - height, left + width + 1, foot + 2))
            left += width + 1
        return "".join(drawn)

    def _below(self, province: Province, seats: Sequence[str]) -> list[str]:
        """Shields in a row under the name."""
        x, y = self.layout.labels[province.id]
        lines = len(folded(province.names[self.lang]))
        level = y + 20 + (lines - 1) * NAME_SIZE / 2
        left = x - 12.5 * (len(seats) - 1)
        drawn = []
        for number, seat in enumerate(seats):
            at = (left + 25 * number, level)
            army = shield(self.letters[seat], self.styles[seat], at)
            drawn.append(standing(seat, province.id, army, seat))
            self._take(province, (at[0] - 12, at[1] - 12, at[0] + 12, at[1] + 12))
        return drawn

    # --- sea and land ----------------------------------------------------------------------------

    def clips(self) -> str:
        """The outlines, once: each as a path to reuse, and as the edge of its own hatching."""
        coast = "".join(line(b.points) for b in self.layout.borders if b.other is None)
        return f'<path id="isl-coast" d="{coast}"/>' + "".join(
            f'<path id="isl-s-{name}" d="{line(shape, closed=True)}"/>'
            f'<clipPath id="isl-c-{name}"><use href="#isl-s-{name}"/></clipPath>'
            for name, shape in self.layout.shapes.items()
        )

    def under(self, owners: Mapping[str, str | None]) -> str:
        """Everything that lies under the names."""
        layers = (frame(), self.sea(), self.lands(owners), self.ground(), self.frontiers())
        return "\n".join(layers)

    def sea(self) -> str:
        """Lines along the coast, each the edge of a broader band under the next."""
        coast = '<use href="#isl-coast"/>'
        lands = "".join(f'<use href="#isl-s-{name}"/>' for name in self.layout.shapes)
        islets = "".join(f'<path d="{line(islet, closed=True)}"/>' for islet in self.layout.islets)
        parts = ['<g stroke-linejoin="round" stroke-linecap="round">']
        for index, (off, strength) in enumerate(SHORE):
            shore = coast if index < 2 else coast + islets
            for width, colour, dim in ((2 * off + 1.6, WATER, strength), (2 * off, SEA, 1)):
                pen = f'stroke="{colour}" stroke-width="{width:.1f}" stroke-opacity="{dim}"'
                parts.append(f'<g fill="none" {pen}>{shore}</g>')
        parts.append(f'<g fill="none" stroke="{INK}" stroke-width="2.4">{coast}</g>')
        parts.append(f'<g fill="{PAPER}">{lands}</g>')
        parts.append(f'<g fill="{PAPER}" stroke="{INK}" stroke-width="1">{islets}</g></g>')
        return "".join(parts)

    def lands(self, owners: Mapping[str, str | None]) -> str:
        """Every territory on its own, washed and hatched for its owner."""
        parts = []
        for province in self.island.provinces:
            owner = owners.get(province.id)
            seat = "" if owner is None else f' data-owner="{plain(owner)}"'
            whose = self.names[owner] if owner else said(self.lang, "chart.island.atlanteans")
            shape = f'<use href="#isl-s-{province.id}"'
            drawn = [f"<title>{plain(province.names[self.lang])} ({plain(whose)})</title>"]
            drawn.append(f'{shape} fill="{PAPER}"/>')
            if owner is not None:
                style = self.styles[owner] % len(COLOURS)
                drawn.append(f'{shape} fill="{COLOURS[style]}" fill-opacity=".2"/>')
                drawn.append(
                    f'<g clip-path="url(#isl-c-{province.id})">{shape} fill="none"'
                    f' stroke="url(#isl-h{style})" stroke-width="24" stroke-opacity=".85"/></g>'
                )
            parts.append(f'<g class="land" id="isl-t-{province.id}"{seat}>{"".join(drawn)}</g>')
        return "".join(parts)

    def ground(self) -> str:
        """Hills, trees and grass, from back to front."""
        strewn = [
            each
            for province in self.island.provinces
            for each in self._strewn(province, self.terrain(province))
        ]
        strewn.sort(key=lambda each: (each[0], each[1]))
        return (
            "".join(self.rivers)
            + '<g class="ground">'
            + "".join(drawn for *_, drawn in strewn)
            + "</g>"
        )

    def _strewn(self, province: Province, terrain: str) -> list[tuple[float, float, str]]:
        """Glyphs of a territory with the place that orders them."""
        name = province.id
        kinds, step, size, margin, scale = {
            "mountains": (("m1", "m2", "m3"), (22.0, 14.0), (17.0, 14.0), 0.6, 0.8),
            "forest": (("t1", "t2", "t3", "t1"), (12.5, 9.5), (10.0, 11.0), 2.0, 0.95),
        }.get(terrain, (("g1", "g1", "g2", "g3"), (27.0, 20.0), (11.0, 8.0), 6.0, 1.0))
        inland = not any(p.coastal for p in self.island.by_kingdom[province.kingdom])
        drawn = []
        for x, y in scattered(self.layout, name, step, size, margin):
            lot = chance(name, f"{x:.1f}", f"{y:.1f}")
            kind = kinds[int(lot * len(kinds))]
            if terrain == "mountains" and inland and chance(name, f"{x:.1f}") < 0.14:
                kind = "volcano"
            drawn.append((y, x, sign(kind, (x, y), scale * (0.88 + 0.24 * lot), lot * 7 % 1 < 0.4)))
        return drawn

    def _river(self, province: Province) -> str:
        """A river that broadens on its way.

        It keeps off whatever may ever be written there, so that it never moves.
        """
        x, y = self.layout.labels[province.id]
        self._take(province, (x - 36, y - 30, x + 36, y + 32))
        way, lake = river(self.layout, province.id)
        self.layout.taken[province.id].clear()
        if not way:
            return ""
        parts = []
        for n in range(0, len(way) - 1, 6):
            width = 1.3 + 2.4 * n / len(way)
            parts.append(f'<path d="{line(way[n : n + 7])}" stroke-width="{width:.1f}"/>')
        for x, y in way:
            self._take(province, (x - 4, y - 4, x + 4, y + 4))
        end = way[-1]
        if lake:
            parts.append(
                f'<ellipse cx="{end[0]:.1f}" cy="{end[1]:.1f}" rx="11" ry="6" fill="#b9cfd4"'
                f' stroke-width="1"/>'
            )
            self._take(province, (end[0] - 13, end[1] - 8, end[0] + 13, end[1] + 8))
        return (
            f'<g clip-path="url(#isl-c-{province.id})" fill="none" stroke="{WATER}"'
            f' stroke-linecap="round" stroke-linejoin="round">{"".join(parts)}</g>'
        )

    def frontiers(self) -> str:
        """Borders of territories, then those of kingdoms over a pale band."""
        thin = "".join(
            line(b.points) for b in self.layout.borders if b.other and not b.parts_kingdoms
        )
        thick = "".join(line(b.points) for b in self.layout.borders if b.parts_kingdoms)
        return (
            f'<path class="territory-border" d="{thin}" {TERRITORY_LINE}/>'
            f'<path d="{thick}" fill="none" stroke="{PAPER}" stroke-width="4.4" opacity=".8"/>'
            f'<path class="kingdom-border" d="{thick}" {KINGDOM_LINE}/>'
            f'<use href="#isl-coast" class="coast" fill="none" stroke="{INK}" stroke-width="1.5"/>'
        )
