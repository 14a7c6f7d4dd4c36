"""The files of this system's own kind: a set-up, or several under their names (scenarios)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from polemarque.kernel.checks import Datum, Finding, Lines, in_order, read_toml
from polemarque.kernel.conversion import convert
from polemarque.kernel.errors import Refusal
from polemarque.systems.batailles.figures import SIDES
from polemarque.systems.batailles.setup import Setup, begin

SEATS = ("A", "B")


def check(path: Path) -> tuple[Finding, ...] | None:
    """Everything that is wrong with a set-up or a file of scenarios; None if it is neither.

    Codes: ``batailles.setup`` (message: what the set-up's type says), and those of the refusals
    of `setup.begin`, with their data.
    """
    read = read_toml(path)
    if isinstance(read, Finding):
        return None
    raw, text = read
    lines = Lines(text)
    if _looks_like_setup(raw):
        return _check_setup(path, lines, "", raw)
    if not raw or not all(_looks_like_setup(each) for each in raw.values()):
        return None
    return in_order(
        finding for name, each in raw.items() for finding in _check_setup(path, lines, name, each)
    )


def _looks_like_setup(raw: Any) -> bool:
    return isinstance(raw, dict) and bool(raw) and all(key in SIDES for key in raw)


def _check_setup(
    path: Path, lines: Lines, name: str, raw: Mapping[str, Any]
) -> tuple[Finding, ...]:
    try:
        begin(convert(raw, Setup), SEATS, {})
    except msgspec.ValidationError as fault:
        data: dict[str, Datum] = {"message": str(fault)}
        return (Finding(str(path), lines.of(name) if name else 1, name, "batailles.setup", data),)
    except Refusal as refusal:
        side = str(refusal.data.get("side", refusal.part))
        steps = (name, side) if name else (side,)
        data = {"part": refusal.part, "pm": refusal.data.get("pm", 0)}
        data["units"] = refusal.data.get("units", 0)
        return (Finding(str(path), lines.of(*steps), ".".join(steps), refusal.code, data),)
    return ()
