"""What is where: found out once for dictionaries that are copied and never changed in place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")
V = TypeVar("V")


class Owned(Protocol):
    """A province as a game keeps it."""

    @property
    def owner(self) -> str | None:
        """The seat that holds it, or None."""
        ...


class Latest(Generic[T, V]):
    """What was found out about the value asked about last, which is never changed in place."""

    def __init__(self, find: Callable[[T], V]) -> None:
        self._find = find
        self._last: tuple[T, V] | None = None

    def of(self, value: T) -> V:
        """What is found out about this value."""
        last = self._last
        if last is not None and last[0] is value:
            return last[1]
        found = self._find(value)
        self._last = value, found
        return found


class Holdings:
    """Who holds what: kept for the provinces asked about last."""

    def __init__(self) -> None:
        self._last: tuple[Any, Any, dict[str | None, tuple[str, ...]]] = (None, None, {})

    def of(
        self, places: tuple[str, ...], lands: Mapping[str, Owned]
    ) -> dict[str | None, tuple[str, ...]]:
        """Provinces by owner (None: nobody), in the order of `places`."""
        known_places, known_lands, held = self._last
        if known_lands is not lands or known_places is not places:
            by_owner: dict[str | None, list[str]] = {}
            for place in places:
                by_owner.setdefault(lands[place].owner, []).append(place)
            held = {owner: tuple(theirs) for owner, theirs in by_owner.items()}
            self._last = places, lands, held
        return held
