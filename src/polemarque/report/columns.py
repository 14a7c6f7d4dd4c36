"""Cells in columns, for the formats that have nothing but letters to draw a table with."""

from __future__ import annotations

import re
from collections.abc import Sequence


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines, the first one the head; columns of figures stand to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    right = [all(map(_is_figure, column[1:])) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)]
        ).rstrip()
        for row in rows
    ]
    return [lines[0], "  ".join("─" * width for width in widths), *lines[1:]]


def _is_figure(cell: str) -> bool:
    return not cell or bool(re.fullmatch(r"[+\-−]?\d[\d\s/%,.\u202f\u00a0]*", cell))
