"""Curves as SVG: a few series of whole numbers over the same steps, drawn with very little ink.

Series are told apart by their stroke and by the name at their end, not by colour alone; ink is the
page's own (``currentColor``), so that a drawing suits day and night.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 560, 240
LEFT, RIGHT, TOP, BOTTOM = 40, 130, 16, 30
STROKES = ("", "7 4", "2 3", "9 3 2 3")
NEAR = 15
"""Least distance between two names."""
LONGEST = 18
"""Most letters of a name."""


def curves(series: Mapping[str, Sequence[int]], steps: Sequence[str]) -> str:
    """An SVG element.

    series: name -> one value a step, none below 0.   steps: what stands below the axis.
    """
    top = _round_up(max([max(values) for values in series.values()], default=1))
    drawing = [_frame(top, steps)]
    names: list[tuple[float, str]] = []
    for number, (name, values) in enumerate(series.items()):
        points = [(_x(at, len(steps)), _y(value, top)) for at, value in enumerate(values)]
        drawing.append(_curve(points, STROKES[number % len(STROKES)]))
        names.append((points[-1][1], name))
    drawing += _names(names)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" font-family="inherit" font-size="13" fill="currentColor">'
        + "".join(drawing)
        + "</svg>"
    )


def _round_up(value: int) -> int:
    """The next round number, for the top of the axis."""
    for step in (5, 10, 20, 50, 100, 200, 500):
        if value <= 5 * step:
            return -(-value // step) * step or step
    return value


def _x(at: int, steps: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (at / (steps - 1) if steps > 1 else 0.5)


def _y(value: int, top: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top


def _frame(top: int, steps: Sequence[str]) -> str:
    """Axis, its least, middle and greatest value, and the steps."""
    marks = []
    for value in dict.fromkeys((0, top // 2, top)):
        y = _y(value, top)
        marks.append(
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="currentColor" '
            f'stroke-opacity="{0.6 if value == 0 else 0.15}"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value}</text>'
        )
    every = -(-len(steps) // 12)  # a name for each step as long as there is room
    for at, step in enumerate(steps):
        if at % every == 0:
            marks.append(
                f'<text x="{_x(at, len(steps)):.1f}" y="{HEIGHT - 8}" text-anchor="middle">'
                f"{escape(step)}</text>"
            )
    return "".join(marks)


def _curve(points: Sequence[tuple[float, float]], stroke: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{stroke}"' if stroke else ""
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6"/>' for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" stroke="currentColor" stroke-width="1.6"{dashes}/>'
        + dots
    )


def _names(ends: Sequence[tuple[float, str]]) -> list[str]:
    """A name at the end of each curve, none over another."""
    said, last = [], float(TOP) - NEAR
    for y, name in sorted(ends):
        last = max(y + 4, last + NEAR)
        short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        said.append(f'<text x="{WIDTH - RIGHT + 10}" y="{last:.1f}">{escape(short)}</text>')
    return said
