"""Whose pieces, what is where, who is bound to whom: found out once for what the state holds.

The state copies what it holds and never changes it in place (see `Latest`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import attrgetter
from typing import Protocol, TypeVar

from polemarque.api.maps import Latest
from polemarque.systems.mare_nostrum.pieces import (
    Army,
    Band,
    Caravan,
    Fleet,
    Route,
    Specialist,
    Treaty,
)

LETTERS = "ABCDEFGHRSb"
"""What ids begin with: seats' codes, kinds of pieces."""

T = TypeVar("T")


class _Owned(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def owner(self) -> str: ...


class _Placed(Protocol):
    @property
    def place(self) -> str: ...


Own = TypeVar("Own", bound=_Owned)
Placed = TypeVar("Placed", bound=_Placed)
Found = dict[str, tuple[T, ...]]


@lru_cache(maxsize=4096)
def age(piece: str) -> int:
    """The number in a piece's id: of one seat's pieces, the lower is the older."""
    return int(piece.lstrip(LETTERS) or 0)


def _by(name: Callable[[T], str], pieces: Iterable[T]) -> Found[T]:
    """Pieces by a name that each has, in their order."""
    found: dict[str, list[T]] = {}
    for piece in pieces:
        found.setdefault(name(piece), []).append(piece)
    return {key: tuple(those) for key, those in found.items()}


def _by_place(pieces: dict[str, Placed]) -> Found[Placed]:
    return _by(attrgetter("place"), pieces.values())


def _by_owner(pieces: dict[str, Own]) -> Found[Own]:
    return _by(attrgetter("owner"), pieces.values())


def _oldest_first(pieces: dict[str, Own]) -> Found[Own]:
    """Of a seat's ids of one kind the shorter has the lower number, of two as long the first."""
    ids = sorted(sorted(pieces), key=len)
    return _by(attrgetter("owner"), [pieces[piece] for piece in ids])


def _by_parties(treaties: tuple[Treaty, ...]) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for treaty in treaties:
        found.setdefault((treaty.one, treaty.other), set()).add(treaty.kind)
    return found


ARMIES_AT: Latest[dict[str, Army], Found[Army]] = Latest(_by_place)
"""Armies by the province where they stand, or the fleet that carries them."""

BANDS_AT: Latest[dict[str, Band], Found[Band]] = Latest(_by_place)
"""Bands by where they are."""

ARMIES_OF: Latest[dict[str, Army], Found[Army]] = Latest(_by_owner)
"""Armies by their seat."""

FLEETS_OF: Latest[dict[str, Fleet], Found[Fleet]] = Latest(_by_owner)
"""Fleets by their seat."""

SPECIALISTS_OF: Latest[dict[str, Specialist], Found[Specialist]] = Latest(_by_owner)
"""Specialists by their seat."""

COMPANIONS: Latest[dict[str, Specialist], Found[Specialist]] = Latest(
    lambda specialists: _by(attrgetter("joins"), specialists.values())
)
"""Specialists by the army or caravan they are with; under "" those who wait."""

CARAVANS_OF: Latest[dict[str, Caravan], Found[Caravan]] = Latest(_oldest_first)
"""Caravans by their seat, oldest first."""

ROUTES_OF: Latest[dict[str, Route], Found[Route]] = Latest(_oldest_first)
"""Trade routes by their seat, oldest first."""

TREATIES: Latest[tuple[Treaty, ...], dict[tuple[str, str], set[str]]] = Latest(_by_parties)
"""Kinds of treaties by their parties, no matter who proposed them first."""
