"""What stands around the sea on its sheet: frame, title, legend, scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from polemarque.maps.provinces import Point
from polemarque.report.island.glyphs import COLOURS, FADED, GOLD, INK, PAPER, writing
from polemarque.report.labels import said
from polemarque.report.sea.pieces import army, caravan, fleet, good, route, siege, stamp

RIM = 26
"""Breadth of the frame."""

ROW, TEXT = 27.0, 15.0


def frame(width: float, height: float) -> str:
    """A double line around the sheet, with divisions as on a sea chart, over the map's edges."""
    hole = f"M{RIM},{RIM}V{height - RIM}H{width - RIM}V{RIM}Z"
    edge = f"M0,0H{width}V{height}H0Z"
    parts = [f'<path d="{edge}{hole}" fill="{PAPER}" fill-rule="evenodd"/>']
    for inset, pen in ((8, 2.6), (RIM, 1.6)):
        box = f'x="{inset}" y="{inset}" width="{width - 2 * inset}" height="{height - 2 * inset}"'
        parts.append(f'<rect {box} fill="none" stroke="{INK}" stroke-width="{pen}"/>')
    middle, step = (8 + RIM) / 2, 60
    dark = [f"M{x},{middle}h{step}M{x},{height - middle}h{step}"
            for x in range(RIM, int(width) - RIM - step, 2 * step)]  # fmt: skip
    dark += [f"M{middle},{y}v{step}M{width - middle},{y}v{step}"
             for y in range(RIM, int(height) - RIM - step, 2 * step)]  # fmt: skip
    parts.append(f'<path d="{"".join(dark)}" stroke="{FADED}" stroke-width="6"/>')
    return "".join(parts)


def title(words: str, under: str, box: tuple[float, float, float, float]) -> str:
    """The title and a line under it, in a box with a meander below."""
    left, top, right, bottom = box
    middle = (left + right) / 2
    size = min(46.0, 1.75 * (right - left) / max(1, len(words)))
    meander = "".join(
        f"M{x:.0f},{bottom - 22:.0f}v-12h12v8h-5v-4"
        for x in range(int(left) + 40, int(right) - 50, 18)
    )
    return (
        f'<g><rect class="c" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"/>'
        f'<rect x="{left + 7}" y="{top + 7}" width="{right - left - 14}"'
        f' height="{bottom - top - 14}" fill="none" stroke="{GOLD}" stroke-width="2"/>'
        + writing(words, (middle, top + 72), size, halo=False, extra=' font-variant="small-caps"')
        + writing(under, (middle, top + 108), 23, halo=False, extra=' font-style="italic"')
        + f'<path d="{meander}" fill="none" stroke="{GOLD}" stroke-width="1.6"/></g>'
    )


class Legend:
    """Columns of samples with their words, on a panel."""

    def __init__(self, lang: str) -> None:
        self.lang, self.parts = lang, list[str]()
        self.x, self.y, self.lowest = 26.0, 20.0, 0.0

    def say(self, word: str) -> str:
        """A word of the legend."""
        return said(self.lang, f"chart.sea.{word}")

    def column(self, heading: str) -> None:
        """Begin a column, or go on below in the same one."""
        style = ' font-variant="small-caps" letter-spacing="2"'
        at = (self.x, self.y + 14)
        self.parts.append(
            writing(self.say(heading), at, 20, anchor="start", halo=False, extra=style)
        )
        self.y += 14 + ROW

    def row(self, drawn: str, words: str, room: float = 62) -> None:
        """A sample drawn about the middle of its cell, and what it means."""
        self.parts.append(
            f'<g transform="translate({self.x + 22:.1f} {self.y - 5:.1f})">{drawn}</g>'
        )
        size = min(TEXT, 360.0 / max(1, len(words)))
        self.parts.append(
            writing(words, (self.x + room, self.y), round(size, 1), anchor="start", halo=False)
        )
        self.lowest = max(self.lowest, self.y)
        self.y += ROW

    def on(self, width: float) -> None:
        """Go on with the next column."""
        self.x += width
        self.y = 20.0

    def drawn(self) -> str:
        """The whole panel."""
        wide, high = self.x, self.lowest + 22
        frame = f'x="0.0" y="0.0" width="{wide:.0f}" height="{high:.0f}"'
        inner = f'x="6.0" y="6.0" width="{wide - 12:.0f}" height="{high - 12:.0f}"'
        return (
            f'<g class="legend"><rect class="c" {frame}/><rect {inner} fill="none"'
            f' stroke="{GOLD}" stroke-width="1.6"/>{"".join(self.parts)}</g>'
        )


def legend(
    lang: str,
    names: Mapping[str, str],
    letters: Mapping[str, str],
    goods: Sequence[tuple[str, str]],
) -> str:
    """Who is who and what is what, on a panel whose corner is 0, 0.

    goods: the resources of the map, each with what it is called.
    """
    panel = Legend(lang)
    panel.column("players")
    for style, (seat, name) in enumerate(names.items()):
        panel.row(_power(letters[seat], style), name, 128)
    panel.row(_swatch(None), panel.say("free"), 128)
    panel.on(330)
    panel.column("cities")
    for name in (
        "city", "home", "port", "fortress", "arsenal", "mercenaries", "pillaged", "blockaded", "cut"
    ):  # fmt: skip
        panel.row(stamp(name, (0, 0), 1.2), panel.say(name), 52)
    panel.on(270)
    panel.column("forces")
    samples = {
        "army": army("", 5, (0, 0)),
        "exhausted": army("", 5, (-8, 0), 1),
        "fleet": fleet("", 5, (0, 2)),
        "carrying": fleet("", 5, (0, 2), carrying=True),
        "siege": siege((-4, 0), 2),
        "route": route((-24, 4), (24, 4), 5),
        "caravan": caravan("", 5, (0, 0)),
    }
    for name, drawn in samples.items():
        panel.row(f'<g transform="scale(.68)">{drawn}</g>', panel.say(name), 58)
    for name in ("brigands", "pirates"):
        panel.row(stamp(name, (0, 0), 1.1), panel.say(name), 58)
    panel.on(280)
    panel.column("goods")
    rows = math.ceil(len(goods) / 3)
    top = panel.y
    for start in range(0, len(goods), rows or 1):
        panel.y = top
        for name, words in goods[start : start + rows]:
            panel.row(stamp(good(name), (0, 0), 1.25), words, 44)
        panel.x += 142
    panel.x += 4
    return panel.drawn()


def _swatch(style: int | None) -> str:
    box = 'x="-20" y="-10" width="40" height="20"'
    if style is None:
        return f'<rect {box} fill="{PAPER}" stroke="{INK}"/>'
    colour = COLOURS[style % len(COLOURS)]
    return (
        f'<rect {box} fill="{PAPER}"/><rect {box} fill="{colour}" fill-opacity=".26"/>'
        f'<rect {box} fill="url(#isl-h{style % len(COLOURS)})" stroke="{INK}"/>'
    )


def _power(letter: str, style: int) -> str:
    """A player's land, army and fleet."""
    return (
        _swatch(style)
        + f'<g transform="translate(42 0) scale(.72)">{army(letter, style, (0, 0))}</g>'
        + f'<g transform="translate(78 1) scale(.66)">{fleet(letter, style, (0, 2))}</g>'
    )


def scale(word: str, stadia: float, at: Point) -> str:
    """A scale bar of four fields; `stadia` in one unit of the sheet."""
    power = 10 ** math.floor(math.log10(300 * stadia))
    whole = next(power * step for step in (5, 4, 2, 1) if power * step <= 300 * stadia)
    length = whole / stadia
    x, y = at
    parts = [
        f'<rect x="{x + length * n / 4:.1f}" y="{y - 8:.1f}" width="{length / 4:.1f}" height="7"'
        f' fill="{INK if n % 2 else PAPER}" stroke="{INK}"/>'
        for n in range(4)
    ]
    parts += [
        writing(f"{whole * share:g}", (x + length * share, y - 13), 14, halo=False)
        for share in (0.0, 0.5, 1.0)
    ]
    parts.append(writing(word, (x + length / 2, y + 17), 16, halo=False))
    return f'<g class="scale">{"".join(parts)}</g>'
