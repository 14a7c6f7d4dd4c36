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
    """Every figure that differs between two views, in the order of the first.

    A figure that has its usual value is told where it had another, or gets one: not where what it
    belongs to comes or goes as a whole.
    """
    old, new = _Flat(before), _Flat(after)
    places = [*old.figures, *(place for place in new.figures if place not in old.figures)]
    return [
        Difference(place, old.figures.get(place), new.figures.get(place), path)
        for place in places
        if old.figures.get(place) != new.figures.get(place)
        and not (place in old.usual and place not in new.figures)
        and not (place in new.usual and place not in old.figures)
    ]


def changed_views(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Difference]:
    """What differs between two times a seat's views, by path; what is in one only is all new."""
    return [
        each
        for path in dict.fromkeys((*before, *after))
        for each in differences(before.get(path), after.get(path), path)
    ]


class _Flat:
    """Every figure of a view under its dotted place.   usual: the places of those left at that."""

    def __init__(self, view: Any) -> None:
        self.figures: dict[str, Any] = {}
        self.usual: set[str] = set()
        if view is not None:
            self._walk("", view, usual=False)

    def _walk(self, place: str, value: Any, *, usual: bool) -> None:
        steps: list[tuple[Any, Any, bool]] = []
        if isinstance(value, msgspec.Struct) and not value.__struct_config__.array_like:
            told = msgspec.to_builtins(value)  # without what is as usual, where that is left out
            names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
            steps = [(name, getattr(value, field), name not in told) for name, field in names]
        elif isinstance(value, Mapping):
            steps = [(name, part, False) for name, part in value.items()]
        elif isinstance(value, (list, tuple)):
            steps = [(number, part, False) for number, part in enumerate(value)]
        for name, part, left in steps:
            self._walk(f"{place}.{name}" if place else str(name), part, usual=usual or left)
        if not steps:
            self.figures[place] = msgspec.to_builtins(value)
            if usual:
                self.usual.add(place)
