"""Battle brief and battle report: all that a campaign and a battle know of each other (PA-1).

A campaign hands over a `Brief`; a resolver, found by name, opens it as a position of its own
system inside the campaign's position, and reads a `Report` off its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from polemarque.kernel.errors import KernelFault, NotUnderstood
from polemarque.kernel.plugins import entry_points, load

if TYPE_CHECKING:
    from polemarque.kernel.position import Position

GROUP = "polemarque.resolvers"
"""Entry points of resolvers; each registers itself when it is loaded."""


class BriefUnit(msgspec.Struct, frozen=True, omit_defaults=True):
    """One unit of a side.

    figures: models (or stands) present now.   points: what the whole unit present is worth.
    profile: figures of the campaign's own (ws, toughness, ld, …) for conversion tables.
    """

    id: str
    name: str
    kind: str
    figures: int
    points: int
    profile: dict[str, Any] = {}


class BriefLeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """A general or character."""

    id: str
    name: str
    rank: str
    points: int
    profile: dict[str, Any] = {}


class Side(msgspec.Struct, frozen=True, omit_defaults=True):
    """One side: the seat that answers for it, its list, its rights, whether it is absent."""

    seat: str
    name: str
    units: tuple[BriefUnit, ...]
    leaders: tuple[BriefLeader, ...]
    rights: dict[str, Any] = {}
    absent: bool = False


class Brief(msgspec.Struct, frozen=True, omit_defaults=True):
    """A battle handed over: who, where, under which circumstances, and who resolves it.

    sides: attacker first.   facts: scenario, strategies, sector terrain and whatever else the
    campaign wants on the printed dossier.
    edition: of the battle's system, as the campaign pinned it; the kernel writes it here.
    """

    id: str
    resolver: str
    place: str
    sides: tuple[Side, Side]
    terrain: str = ""
    fortress: bool = False
    season: str = ""
    facts: dict[str, Any] = {}
    edition: str = ""


class Loss(msgspec.Struct, frozen=True):
    """What a unit ("seat.unit") lost: figures killed, and figures that left the field."""

    unit: str
    killed: int = 0
    left: int = 0


class Fate(msgspec.Struct, frozen=True):
    """The fate of a leader ("seat.leader"): alive, killed, killed in a "duel", fled, captured."""

    leader: str
    fate: str


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a battle gives back.

    winner: index of the winning side (0 attacker, 1 defender), or None.
    facts:  counts that the campaign reads itself (quarters, standards), and how it was decided.
    log:    reference of the battle's own log: its path inside the record.
    """

    brief: str
    winner: int | None
    losses: tuple[Loss, ...] = ()
    fates: tuple[Fate, ...] = ()
    spent: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    log: str = ""


class Resolver(msgspec.Struct, frozen=True):
    """A way of fighting battles.

    open:   the position in which the battle begins, from its brief; its scripts ask the seats that
            the brief names.
    report: the report, read off the state at the battle's end.
    system: name of the system that its battles are fought by.
    """

    name: str
    open: Callable[[Brief], Position]
    report: Callable[[Any], Report]
    system: str


_RESOLVERS: dict[str, Resolver] = {}


def register_resolver(resolver: Resolver) -> Resolver:
    """Make a resolver known by its name.  Raises KernelFault on a second one of that name."""
    if resolver.name in _RESOLVERS:
        raise KernelFault(f"resolver {resolver.name} is registered twice")
    _RESOLVERS[resolver.name] = resolver
    return resolver


def resolver(name: str) -> Resolver:
    """The resolver of that name, loaded by its entry point if nobody has loaded it yet.

    Raises NotUnderstood naming those there are.
    """
    if name not in _RESOLVERS and name in entry_points(GROUP):
        load(entry_points(GROUP)[name])
    if name not in _RESOLVERS:
        raise NotUnderstood("battle.resolver", part=name, legal=resolvers())
    return _RESOLVERS[name]


def resolvers() -> tuple[str, ...]:
    """Names of all resolvers, sorted."""
    return tuple(sorted(set(entry_points(GROUP)) | set(_RESOLVERS)))
