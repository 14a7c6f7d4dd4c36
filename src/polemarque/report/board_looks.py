"""How terrains are drawn: the looks of `data/board_terrains.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from polemarque.kernel.conversion import from_toml

_LOOKS = Path(__file__).parent / "data" / "board_terrains.toml"


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"like": "as"}):
    """How a terrain is drawn; the fields are explained in data/board_terrains.toml."""

    fill: str = ""
    text: str = ""
    signs: tuple[str, ...] = ()
    count: int = 0
    scale: float = 1.0
    water: int = 0
    over: str = ""
    road: bool = False
    like: str = ""


@cache
def looks() -> Mapping[str, Look]:
    """The looks of all terrains that have one of their own; "" for the others."""
    read = from_toml(_LOOKS.read_bytes(), dict[str, Look])
    return {word: read[look.like] if look.like else look for word, look in read.items()}


def look_of(terrain: str) -> Look:
    """How a terrain is drawn."""
    return looks().get(terrain, looks()[""])
