"""What changed between two views: for the preview of an umpire's act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class Difference(msgspec.Struct, frozen=True):
    """One figure that changed.

    place: where it stands, dotted; None as a value: not there at all.
    path:  the battle in whose view it stands, or "" for the game's own.
    """

    place: str
    before: Any
    after: Any
    path: str = ""


def differences(before: Any, after: Any, path: str = "") -> list[Difference]:
    """Every figure that differs between two views, in the order of the first."""
    old, new = _flat(before), _flat(after)
    places = [*old, *(place for place in new if place not in old)]
    return [
        Difference(place, old.get(place), new.get(place), path)
        for place in places
        if old.get(place) != new.get(place)
    ]


def changed_views(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Difference]:
    """What differs between two times a seat's views, by path; what is in one only is all new."""
    return [
        each
        for path in dict.fromkeys((*before, *after))
        for each in differences(before.get(path), after.get(path), path)
    ]


def _flat(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if value is None:
        return found
    _walk("", msgspec.to_builtins(value), found)
    return found


def _walk(place: str, value: Any, found: dict[str, Any]) -> None:
    """Note every leaf of plain data under its dotted place."""
    if isinstance(value, dict) and value:
        steps = list(value.items())
    elif isinstance(value, (list, tuple)) and value:
        steps = list(enumerate(value))
    else:
        found[place] = value
        return
    for name, part in steps:
        _walk(f"{place}.{name}" if place else str(name), part, found)
