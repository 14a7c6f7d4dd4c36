"""The Mediterranean as a map to hang in the club, as the campaign stands.

Coordinates are those of the map file.  The same campaign gives the same drawing, byte for byte;
names keep their places from turn to turn, and pieces find room around them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from polemarque.kernel.files.texts import LANGUAGES
from polemarque.maps.provinces import Point, Polygon
from polemarque.report.documents.interactive_svg import Drawn, standing
from polemarque.report.island.furniture import compass
from polemarque.report.island.geometry import Box, overlap
from polemarque.report.island.glyphs import (
    COLOURS,
    INK,
    PAPER,
    SEA,
    STYLE,
    WATER,
    banner,
    line,
    marks,
    plain,
)
from polemarque.report.island.glyphs import definitions as island_definitions
from polemarque.report.labels import said
from polemarque.report.sea.chart_data import Lettering, Shown
from polemarque.report.sea.furniture import frame, legend, scale, title
from polemarque.report.sea.lettering import (
    BROAD,
    CITY,
    PITCH,
    Room,
    beside,
    block_box,
    broadened,
    city_name,
    city_wide,
    flag_box,
    flag_feet,
    name_boxes,
    near_any,
    people_name,
    province_name,
    zone_boxes,
    zone_name,
)
from polemarque.report.sea.outlines import mountains, outlines_of, rivers, spots
from polemarque.report.sea.pieces import STYLE as SEA_STYLE
from polemarque.report.sea.pieces import (
    army,
    caravan,
    definitions,
    fleet,
    good,
    route,
    siege,
    stamp,
)
from polemarque.systems.mare_nostrum.setup.atlas import Atlas, Province, Zone

SHORE = ((26.0, 0.3), (18.0, 0.45), (11.0, 0.65), (5.0, 0.9))
"""Lines in the sea along the coast: how far off, and how strong."""

HATCHED = 34
"""Breadth, twice, of the hatched rim of a province that somebody controls."""

SHEET = 'clip-path="url(#sea-sheet)"'

UNKNOWN_LIE = (150.0, 0.0)
"""Breadth and slope of a sea zone without outline."""

WEIGHT = 3
"""How much worse it is to write across a city than across a word."""

CROSSED = 10_000
"""How much worse it is to set a flag upon a name than anywhere else, in square units."""

MANY_ROUTES = 24
"""Trade routes up to which each is drawn in full."""

PIECE: Point = (30.0, 30.0)
"""Room for an army or a fleet."""


def draw_sea(
    atlas: Atlas,
    shown: Shown,
    lang: str,
    *,
    lettering: Lettering | None = None,
    under: str = "",
    goods: Mapping[str, str] | None = None,
) -> Drawn:
    """The map of a campaign.

    lang:      "fr" or "en", of the legend.    lettering: of the places; by default the same.
    under:     a line under the title.
    goods:     what the resources are called, in the order of the legend.

    Raises ValueError on a language, place or seat that is not known.
    """
    letters: Lettering = lettering or ("fr" if lang == "fr" else "en")
    _known(atlas, shown, lang)
    painter = _Painter(atlas, shown, lang, letters)
    words = atlas.names[letters]
    said = dict(goods or {good: good for p in atlas.provinces for good in p.resources})
    below = (
        painter.sea(),
        painter.lands(),
        painter.ground(),
        painter.frontiers(),
        painter.routes(),
    )
    names = painter.names() + painter.cities()
    return Drawn(
        size=atlas.size,
        kind="isl sea",
        pen=5.0,
        lang=lang,
        title=words,
        style=STYLE + SEA_STYLE,
        defs=island_definitions() + definitions() + painter.clips(),
        under=f"<g {SHEET}>" + "\n".join(below) + "</g>",
        names=f"<g {SHEET}>{names}</g>",
        pieces=painter.pieces(),
        over=painter.furniture(words, under, said),
        shapes=painter.places(),
    )


def _known(atlas: Atlas, shown: Shown, lang: str) -> None:
    """Raise ValueError on anything that the drawing would have to leave out in silence."""
    if lang not in LANGUAGES:
        raise ValueError(f"no legend in the language {lang!r}")
    lands = [*shown.owners, *shown.homes.values(), *shown.sieges, *shown.marks]
    lands += [piece.place for piece in shown.armies]
    lands += [place for _, *ends in shown.routes for place in ends]
    lands += [*(shown.fortresses or ()), *(shown.arsenals or ())]
    for land in lands:
        if land not in atlas.by_id:
            raise ValueError(f"no province {land!r} on the map {atlas.id!r}")
    for piece in shown.fleets:
        if piece.zone not in atlas.zone_by_id:
            raise ValueError(f"no sea zone {piece.zone!r} on the map {atlas.id!r}")
    for place in [each[1] for each in (*shown.caravans, *shown.bands)]:
        if place not in atlas.around:
            raise ValueError(f"no place {place!r} on the map {atlas.id!r}")
    seats = [*(owner for owner in shown.owners.values() if owner is not None), *shown.homes]
    seats += [*(piece.seat for piece in shown.armies), *(piece.seat for piece in shown.fleets)]
    seats += [seat for seat, *_ in (*shown.caravans, *shown.routes)]
    for seat in seats:
        if seat not in shown.names:
            raise ValueError(f"no name for the seat {seat!r}")


class _Painter:
    """Draws layer by layer; names are placed first, so that pieces keep off them."""

    def __init__(self, atlas: Atlas, shown: Shown, lang: str, lettering: Lettering) -> None:
        self.atlas, self.shown, self.lang, self.lettering = atlas, shown, lang, lettering
        self.shapes = outlines_of(atlas)
        self.letters = marks(shown.names)
        self.styles = {seat: number for number, seat in enumerate(shown.names)}
        self.homes = set(shown.homes.values())
        self.fortresses = _those(shown.fortresses, [p.id for p in atlas.provinces if p.fortress])
        self.arsenals = _those(shown.arsenals, [p.id for p in atlas.provinces if p.arsenal])
        self.room = Room()
        self.blocks = {p.id: self._block(p) for p in atlas.provinces}
        self.room.take(*self.blocks.values())
        for place in atlas.provinces:
            x, y = place.site
            self.room.take(*[(x - 7, y - 7, x + 7, y + 7)] * WEIGHT)
        for zone in atlas.zones:
            self.room.take(*zone_boxes(zone.names[lettering], zone.label, self._lie(zone.id)))
        # Room is kept for every flag: names stay where they are, no matter who conquers a province.
        broad = [box for p in atlas.provinces for box in self._broad(p)]
        for zone in atlas.zones:
            broad += zone_boxes(zone.names[lettering], zone.label, self._lie(zone.id), BROAD)
        self.flags = {p.id: self._flag(p, broad) for p in atlas.provinces}

    def _block(self, place: Province) -> Box:
        return block_box(place.names[self.lettering], len(self._signs(place)), place.label)

    def _lie(self, zone: str) -> tuple[float, float]:
        return self.shapes.lie.get(zone, UNKNOWN_LIE)

    @staticmethod
    def _signs(place: Province) -> list[str]:
        return [*map(good, place.resources), *(["mercenaries"] if place.mercenaries else [])]

    # --- sea and land ----------------------------------------------------------------------------

    def clips(self) -> str:
        """The sheet, and the outlines, once: each as a path to reuse and as its hatching's edge."""
        width, height = self.atlas.size
        sheet = f'<clipPath id="sea-sheet"><rect width="{width:g}" height="{height:g}"/></clipPath>'
        lands = "".join(
            f'<path id="sea-s-{name}" fill-rule="evenodd" d="{_path(shapes)}"/>'
            f'<clipPath id="sea-c-{name}">'
            f'<use href="#sea-s-{name}" clip-rule="evenodd"/></clipPath>'
            for name, shapes in self.shapes.provinces.items()
        )
        return f"{sheet}{lands}" + "".join(
            f'<path id="sea-z-{name}" fill-rule="evenodd" d="{_path(shapes)}"/>'
            for name, shapes in self.shapes.zones.items()
        )

    def places(self) -> dict[str, str]:
        """The outlines of provinces and of sea zones; a zone without one is a disc at its name."""
        provinces = {name: f'<use href="#sea-s-{name}"/>' for name in self.shapes.provinces}
        return provinces | {zone.id: self._water(zone) for zone in self.atlas.zones}

    def _water(self, zone: Zone) -> str:
        if zone.id in self.shapes.zones:
            return f'<use href="#sea-z-{zone.id}"/>'
        x, y = zone.label
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{UNKNOWN_LIE[0] / 2:g}"/>'

    def sea(self) -> str:
        """The water, and lines along the coast, each the edge of a broader band under the next."""
        width, height = self.atlas.size
        far = f'<path id="sea-beyond" fill-rule="evenodd" d="{_path(self.shapes.beyond)}"/>'
        lands = "".join(f'<use href="#sea-s-{name}"/>' for name in self.shapes.provinces)
        parts = [
            f'<defs>{far}<g id="sea-lands" class="isl">{lands}</g></defs>',
            f'<rect width="{width:g}" height="{height:g}" fill="{SEA}"/>',
        ]
        parts.append('<g stroke-linejoin="round" fill="none">')
        for off, strength in SHORE:
            for wide_, colour, dim in ((2 * off + 1.6, WATER, strength), (2 * off, SEA, 1)):
                pen = f'stroke="{colour}" stroke-width="{wide_:.1f}" stroke-opacity="{dim}"'
                parts.append(f'<g {pen}><use href="#sea-lands"/><use href="#sea-beyond"/></g>')
        parts.append("</g>")
        return "".join(parts)

    def lands(self) -> str:
        """Every province on its own, washed and hatched for its owner."""
        parts = [f'<use href="#sea-beyond" fill="#ece0c3" stroke="{INK}" stroke-width="1.2"/>']
        for place in self.atlas.provinces:
            owner = self.shown.owners.get(place.id)
            whose = self.shown.names[owner] if owner else said(self.lang, "chart.sea.independent")
            seat = f' data-owner="{plain(owner)}"' if owner else ""
            shape = f'<use href="#sea-s-{place.id}"'
            drawn = [f"<title>{plain(place.names[self.lettering])} ({plain(whose)})</title>"]
            drawn.append(f'{shape} fill="{PAPER}"/>')
            if owner:
                style = self.styles[owner] % len(COLOURS)
                drawn.append(f'{shape} fill="{COLOURS[style]}" fill-opacity=".24"/>')
                drawn.append(
                    f'<g clip-path="url(#sea-c-{place.id})">{shape} fill="none"'
                    f' stroke="url(#isl-h{style})" stroke-width="{HATCHED}"/></g>'
                )
            parts.append(f'<g class="land" id="sea-p-{place.id}"{seat}>{"".join(drawn)}</g>')
        return "".join(parts)

    def ground(self) -> str:
        """Rivers, and mountains where nothing is written."""
        return rivers(self.shapes) + mountains(self.shapes, self.room)

    def frontiers(self) -> str:
        """Borders of provinces and of sea zones."""
        zones = "".join(f'<use href="#sea-z-{name}"/>' for name in self.shapes.zones)
        return (
            f'<g class="zones" fill="none" stroke="{WATER}" stroke-width="1.6"'
            f' stroke-dasharray="10 5 2 5" opacity=".75">{zones}</g>'
            f'<g fill="none" stroke="{INK}" stroke-width="1.5" stroke-linejoin="round">'
            '<use href="#sea-lands"/></g>'
        )

    def routes(self) -> str:
        """Trade routes from city to city; where there are many they are faint, or hide the map."""
        drawn, seen = [], dict[frozenset[str], int]()
        for seat, start, end in self.shown.routes:
            pair = frozenset((start, end))
            number = seen[pair] = seen.get(pair, -1) + 1
            sites = self.atlas.by_id[start].site, self.atlas.by_id[end].site
            drawn.append(route(*sites, self.styles[seat], number))
        faint = ' opacity=".4"' if len(drawn) > MANY_ROUTES else ""
        return f'<g class="routes"{faint}>{"".join(drawn)}</g>'

    def _broad(self, place: Province) -> list[Box]:
        return name_boxes(place.names[self.lettering], place.label, self.blocks[place.id])

    def _flag(self, place: Province, broad: Sequence[Box]) -> Point:
        """The foot of a province's flag: above its name, or where no name is crossed near it."""
        feet = flag_feet(place.label, self.blocks[place.id], self._broad(place))
        flags = list(map(flag_box, feet))
        names = near_any(broad, flags)
        box = self.room.best(
            (price + CROSSED * sum([overlap(flag, name) for name in names]), flag)
            for price, flag in enumerate(flags)
        )
        self.room.take(*[box] * (WEIGHT - 1))
        return (box[0] + box[2]) / 2, box[3]

    # --- names and cities ------------------------------------------------------------------------

    def names(self) -> str:
        """Names of zones, of what lies beyond, and of provinces with what they yield."""
        parts = [people_name(name, at) for name, at in self.shapes.peoples.items()]
        for zone in self.atlas.zones:
            said = zone_name(zone.names[self.lettering], zone.label, self._lie(zone.id))
            parts.append(f'<g data-zone="{zone.id}">{said}</g>')
        for place in self.atlas.provinces:
            box, signs = self.blocks[place.id], self._signs(place)
            home = place.id in self.homes
            drawn = province_name(place.names[self.lettering], place.label, box, home)
            first = place.label[0] - PITCH * (len(signs) - 1) / 2
            for number, name in enumerate(signs):
                drawn += stamp(name, (first + PITCH * number, box[3] - PITCH / 2), 0.86)
            if owner := self.shown.owners.get(place.id):
                drawn += banner(self.letters[owner], self.styles[owner], self.flags[place.id])
            parts.append(f'<g data-province="{place.id}">{drawn}</g>')
        return "".join(parts)

    def cities(self) -> str:
        """Cities with their names, ports, fortresses and arsenals after them."""
        parts, flags = [], list(map(flag_box, self.flags.values()))
        for place in self.atlas.provinces:
            home = place.id in self.homes
            name = place.capital[self.lettering]
            after = [sign for sign, has in (
                ("port", place.port),
                ("fortress", place.id in self.fortresses),
                ("arsenal", place.id in self.arsenals),
            ) if has]  # fmt: skip
            choices = [
                (price + gap, box, broadened(box, place.site, name))
                for gap in (8.0, 12.0)
                for price, box in beside(place.site, city_wide(name, after), CITY + 2, gap)
            ]
            near = near_any(flags, [broad for *_, broad in choices])
            box = self.room.best(
                (price + CROSSED * sum([overlap(flag, broad) for flag in near]), box)
                for price, box, broad in choices
            )
            drawn = stamp("home" if home else "city", place.site)
            drawn += city_name(name, place.site, box, after, home)
            parts.append(f'<g data-city="{place.id}">{drawn}</g>')
        return "".join(parts)

    # --- pieces ----------------------------------------------------------------------------------

    def pieces(self) -> str:
        """Sieges and marks at the cities, then those on the move, where there is room."""
        parts = []
        for place, turns in self.shown.sieges.items():
            parts.append(standing("", place, siege(self.atlas.by_id[place].site, turns)))
        for place, suffered in self.shown.marks.items():
            for mark in suffered:
                drawn = stamp(mark, self._beside(place, (16, 16)), 1.1)
                parts.append(standing("", place, drawn))
        for one in self.shown.armies:
            at, tether = self._put(one.place, PIECE)
            drawn = army(self.letters[one.seat], self.styles[one.seat], at, one.exhausted)
            parts.append(standing(one.id, one.place, tether + drawn, one.seat))
        for ship in self.shown.fleets:
            at = self._beside(ship.zone, (46, 36))
            drawn = fleet(self.letters[ship.seat], self.styles[ship.seat], at, ship.carrying)
            parts.append(standing(ship.id, ship.zone, drawn, ship.seat))
        together: dict[tuple[str, str], list[str]] = {}
        for seat, place, number in self.shown.caravans:
            together.setdefault((seat, place), []).append(number)
        for (seat, place), numbers in together.items():
            at, tether = self._put(place, (28, 22))
            drawn = tether + caravan(self.letters[seat], self.styles[seat], at, len(numbers))
            for number in reversed(numbers):  # one cart stands for all of them
                drawn = standing(number, place, drawn, seat)
            parts.append(drawn)
        for kind, place in self.shown.bands:
            at, tether = self._put(place, (22, 22))
            parts.append(standing("", place, tether + stamp(kind, at, 1.1)))
        return f'<g class="pieces">{"".join(parts)}</g>'

    def _beside(self, place: str, size: Point) -> Point:
        """The middle of free room near a city, or under the name of a sea zone."""
        half, rise = size[0] / 2, size[1] / 2
        choices = [
            (price, (x - half, y - rise, x + half, y + rise))
            for price, (x, y) in spots(self.atlas, self.shapes, place)
        ]
        box = self.room.best(choices)
        self.room.take(*[box] * (WEIGHT - 1))
        return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2

    def _put(self, place: str, size: Point) -> tuple[Point, str]:
        """Where a piece finds room, and the line to its city if that is not near."""
        at = self._beside(place, size)
        home = self.atlas.by_id.get(place)
        if home is None or math.dist(at, home.site) < size[0]:
            return at, ""
        way = f'd="{line([at, home.site])}"'
        return at, (
            f'<path {way} stroke="{PAPER}" stroke-width="4.4"/>'
            f'<path class="tether" {way} stroke="{INK}" stroke-width="1.6"/>'
        )

    # --- around ----------------------------------------------------------------------------------

    def furniture(self, words: str, under: str, goods: Mapping[str, str]) -> str:
        """Frame, title, legend, compass and scale; where the map leaves them room."""
        width, height = self.atlas.size
        edges = f'<rect width="{width:g}" height="{height:g}" fill="url(#isl-aged)"'
        parts = [f'{edges} pointer-events="none"/>', frame(width, height)]
        if not self.shapes.beyond:
            return "".join(parts)
        names = self.shown.people or self.shown.names
        parts.append(title(words, under, (58.0, height - 720, 700.0, height - 560)))
        panel = legend(self.lang, names, self.letters, list(goods.items()))
        parts.append(f'<g transform="translate(58 {height - 462:g}) scale(1.22)">{panel}</g>')
        rose = compass((0, 0), said(self.lang, "chart.sea.compass"))
        spot = f"translate({width - 555:g} {height - 130:g}) scale(1.3)"
        parts.append(f'<g transform="{spot}">{rose}</g>')
        parts.append(
            scale(said(self.lang, "chart.sea.stadia"), self.shapes.stadia, (850.0, height - 520))
        )
        return "".join(parts)


def _those(given: Sequence[str] | None, otherwise: Sequence[str]) -> set[str]:
    return set(otherwise if given is None else given)


def _path(shapes: Sequence[Polygon]) -> str:
    """Path data of outlines in whole units, from step to step, without a sign too many: a third of
    the length of plain points."""
    parts = []
    for shape in shapes:
        corners = [(round(x), round(y)) for x, y in shape]
        steps = [(x - a, y - b) for (a, b), (x, y) in pairwise(corners)]
        ways = " ".join(f"{dx} {dy}" for dx, dy in steps if dx or dy).replace(" -", "-")
        parts.append(f"M{corners[0][0]},{corners[0][1]}l{ways}z" if ways else "")
    return "".join(parts)
