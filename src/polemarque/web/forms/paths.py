"""A way over the map as somebody types it, and a way as they would have typed it."""

from __future__ import annotations

import re
from typing import Any

from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.request import Path
from polemarque.report.order_forms.told_answers import Speaker
from polemarque.report.order_forms.typed_answers import Names

BETWEEN = re.compile(r"[>→,;]")
"""What stands between two places."""

LONGEST = 2000
"""Characters of a way that are read; no way is as long."""


def read_way(options: Path, typed: str, speaker: Speaker) -> Any:
    """The way that was typed; a place alone is its cheapest way, blanks may stand between codes."""
    names, typed = _names(options, speaker), typed[:LONGEST]
    parts = [part.strip() for part in BETWEEN.split(typed) if part.strip()]
    if parts and not BETWEEN.search(typed):
        place = _place(names, parts[0])
        if place in options.ways:
            return options.ways[place]
        parts = parts[0].split()
    return tuple([_place(names, part) for part in parts])


def way_typed(options: Path, way: tuple[str, ...], speaker: Speaker) -> str:
    """A way in the reader's words, such that `read_way` reads it; codes where names are not."""
    names = _names(options, speaker)
    labels = dict(zip(names.words, names.labels, strict=True))
    said = []
    for place in way:
        label = labels.get(place, place)
        sound = not BETWEEN.search(label) and _place(names, label) == place
        said.append(label if sound else place)
    return " > ".join(said) if len(said) > 1 else f"> {said[0]}"


def _names(options: Path, speaker: Speaker) -> Names:
    """All places that the listed ways go to or through."""
    through = [place for way in options.ways.values() for place in way]
    return Names(tuple(dict.fromkeys([*options.ways, *through])), "place", speaker)


def _place(names: Names, typed: str) -> str:
    if typed in names.words or typed.isdigit():  # the list has no numbers here
        return typed
    try:
        return str(names.find(typed))
    except NotAllowed:
        return typed
