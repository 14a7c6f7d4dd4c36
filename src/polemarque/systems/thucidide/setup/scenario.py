"""Kinds of units (TH-F3), and what a scenario says (TH-F10): its parts, and their defaults.

A scenario is a TOML file: a table ``[board]`` (see `polemarque.maps.boards`), the two sides ``[a]``
and ``[b]`` with their units and leaders, and what else it changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from polemarque.api import always, convert
from polemarque.api.lessons import Note
from polemarque.systems.thucidide.chapters.activation import usual_activations
from polemarque.systems.thucidide.state import Goal
from polemarque.systems.thucidide.tables import (
    FRAME,
    RANKS,
    Arm,
    AtLimit,
    Edge,
    Rank,
    UnitFigures,
    Weight,
    document,
)

Factor = Annotated[int, msgspec.Meta(le=999)]


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of unit; the fields are explained in data/units.toml."""

    name: dict[str, str]
    arm: Arm
    weight: Weight
    shooting: Factor = 0
    reach: Factor = 0
    assault: Factor = 0
    melee: Factor = 0
    elements: Factor | None = None
    dismounted: str = ""
    formations: tuple[str, ...] = ()

    def figures(self, key: str) -> UnitFigures:
        """What a unit of this kind is worth."""
        return UnitFigures(
            key, self.arm, self.weight, self.shooting, self.reach, self.assault, self.melee
        )


KINDS = convert(document("units.toml")["kind"], dict[str, Kind])
"""Every kind we ship, by its key."""

ELEMENTS = convert(document("units.toml")["elements"], dict[Arm, int])
"""Elements a unit begins with, by its arm."""


def elements_of(kind: Kind) -> int:
    """Elements a unit of that kind begins with."""
    return ELEMENTS[kind.arm] if kind.elements is None else kind.elements


LIMIT = FRAME.armies.limit
"""Player-turns of each side where a scenario does not say (TH-F1)."""

LEVEL = FRAME.armies.level
"""Command level of an army of which nothing is said."""

PER_SUB_GENERAL, PER_OFFICER = FRAME.leaders.sub_general, FRAME.leaders.officer
"""Units for each leader of an army whose leaders are not listed (TH-1.4)."""


Figure = Annotated[int, msgspec.Meta(le=999)]
"""As large as an umpire may make any; what is too small, `setup_checks` says."""

Few = msgspec.Meta(max_length=300)
"""More than any side has of anything."""


class RankFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ranges of a rank in hexes (TH-1.2), and what a leader without a name is called."""

    command: int
    influence: int
    name: dict[str, str]


RANK_FIGURES = convert(document("ranks.toml"), dict[Rank, RankFigures])


class UnitSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A unit: its kind and its hex.

    name:     by language, a plural with its article; {}: that of its kind.
    elements: where they are not those of its kind.
    on_foot:  it begins dismounted.
    """

    kind: str
    at: str
    name: dict[str, str] = {}
    contingent: str = ""
    elements: Figure | None = None
    formation: str = ""
    on_foot: bool = False


class LeaderSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A leader: his rank, his hex, and what is special about him (TH-1.4).

    command, influence: ranges where they are not those of his rank.
    prices: what single orders cost through him.
    """

    rank: Rank
    at: str
    name: dict[str, str] = {}
    contingent: str = ""
    command: Figure | None = None
    influence: Figure | None = None
    prices: dict[str, Figure] = {}


class SideSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A side.

    edge:        its own; the default is south for A, north for B.
    tokens:      order tokens at the start; None: as many as its command level (TH-3.1).
    activations: sizes of its activations, in order; (): by its number of units (TH-2.1).
    victory:     its ways to win (TH-F1).
    leaders:     (): those of TH-1.4, spread over the units.
    walls:       hexes in which its units fight and are shot at as in a town (PA-5).
    rerolls:     combat dice that its priests can have rolled again (PA-5).
    """

    name: dict[str, str] = {}
    edge: Edge | None = None
    level: Figure = LEVEL
    tokens: Figure | None = None
    activations: Annotated[tuple[Figure, ...], Few] = ()
    victory: Annotated[tuple[Goal, ...], Few] = always((Goal(),))
    units: Annotated[tuple[UnitSetup, ...], Few] = ()
    leaders: Annotated[tuple[LeaderSetup, ...], Few] = ()
    walls: tuple[str, ...] = ()
    rerolls: Figure = 0


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A battle.

    name, date, introduction, sources: of the scenario, by language (see `kernel.lesson`).
    lesson:  notes for a beginner beside the questions of the game.
    board:   the content of a table [board]; {}: the shipped scenario `DEFAULT` whole.
    limit:   player-turns of each side (TH-F1);  at_limit: whether units are counted then, or nobody
             has won.
    kind:    kinds of units of its own, in the form of data/units.toml.
    options: options that this scenario settles.
    """

    name: dict[str, str] = {}
    date: dict[str, str] = {}
    introduction: dict[str, str] = {}
    sources: dict[str, str] = {}
    lesson: Annotated[tuple[Note, ...], msgspec.Meta(max_length=1000)] = ()
    board: dict[str, Any] = {}
    limit: Figure = LIMIT
    at_limit: AtLimit = always("counted")
    a: SideSetup = always(SideSetup())
    b: SideSetup = always(SideSetup())
    kind: dict[str, Kind] = {}
    options: dict[str, Any] = {}

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The kinds its units may be of."""
        return {**KINDS, **self.kind} if self.kind else KINDS

    def begins_as(self, unit: UnitSetup) -> UnitFigures:
        """What a unit is worth as it begins: mounted, or on foot if it says so and can be."""
        kind = self.kinds[unit.kind]
        key = kind.dismounted if unit.on_foot and kind.dismounted else unit.kind
        return self.kinds[key].figures(key)

    @property
    def sides(self) -> dict[str, SideSetup]:
        """Both sides by usual seat, with what they leave open filled in."""
        given = {"A": self.a, "B": self.b}
        return {seat: filled(seat, side) for seat, side in given.items()}


def filled(seat: str, side: SideSetup) -> SideSetup:
    """A side with what it leaves open: its edge, tokens, activations, leaders."""
    edge: Edge = "south" if seat == "A" else "north"
    return replace(
        side,
        edge=side.edge or edge,
        tokens=side.level if side.tokens is None else side.tokens,
        activations=side.activations or usual_activations(len(side.units)),
        leaders=side.leaders or usual_leaders(side.units),
    )


def usual_leaders(units: tuple[UnitSetup, ...]) -> tuple[LeaderSetup, ...]:
    """The leaders of an army that lists none (TH-1.4), each with a unit, spread over its line."""
    counts = leader_counts(len(units))
    found = []
    for rank in RANKS:
        for number in range(counts[rank]):
            place = (2 * number + 1) * len(units) // (2 * counts[rank])
            found += [LeaderSetup(rank, unit.at) for unit in units[place : place + 1]]
    return tuple(found)


def leader_counts(units: int) -> dict[Rank, int]:
    """How many leaders of each rank an army of so many units has by default (TH-1.4)."""
    return {"general": 1, "sub_general": units // PER_SUB_GENERAL, "officer": units // PER_OFFICER}
