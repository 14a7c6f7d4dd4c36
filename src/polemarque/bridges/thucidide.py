"""The resolver `thucidide` (PA-5): each stand or unit is a unit of hexes, its elements its men."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from polemarque.api import NotUnderstood
from polemarque.api.battle import (
    Brief,
    BriefLeader,
    BriefUnit,
    Fate,
    Loss,
    Position,
    Report,
    Resolver,
    Side,
    register_resolver,
)
from polemarque.bridges.house import (
    Group,
    Priest,
    bodyguard,
    figures_of,
    grouped,
    guests_of,
    index_of,
    lost_by_piece,
    opened,
    pieces_of,
    reported,
    together,
    worth_of,
)
from polemarque.bridges.pairs import (
    Fault,
    Grounds,
    edge_rows,
    figures_for,
    form_of,
    kind_faults,
    on_land,
)
from polemarque.systems.thucidide import SYSTEM
from polemarque.systems.thucidide.setup.opening import LETTERS, begin
from polemarque.systems.thucidide.setup.scenario import (
    KINDS,
    LeaderSetup,
    Setup,
    SideSetup,
    UnitSetup,
)
from polemarque.systems.thucidide.state import Battle, Unit
from polemarque.systems.thucidide.tables import RANKS, TERRAINS, Rank

NAME = "thucidide"

GONE = ("captured", "committed")
"""Fates of a leader who counts as killed."""

WINGS = ("cavalry", "camelry", "chariots")
"""Arms that stand on the wings."""


class UnitConversion(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"is_": "is"}
):
    """What a kind of the campaign's units is here.

    ws:      least weapon skill that this row is for;  warband: whether for warbands alone.
    """

    kind: str
    is_: str
    ws: int = 0
    warband: bool = False

    def fits(self, unit: BriefUnit) -> bool:
        """Whether this row is for a unit."""
        skilled = unit.profile.get("ws", 0) >= self.ws
        wild = unit.profile.get("warband", "no") != "no"
        return unit.kind == self.kind and skilled and (wild or not self.warband)


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rank of a character whose Leadership is at least so much."""

    ld: int
    rank: Rank


@form_of(NAME, "PA-5")
class Conversion(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How armies of the campaign become armies of Thucidide.

    apart: each figure is a unit of its own.   most: units of a side, the `guard` not counted.
    level: command level, before the general's modifier.   limit: turns of each side.
    left:  of a destroyed unit, one in so many of those who stood to the last has left the table;
           0: none.
    ranks: of characters, by Leadership, the highest first; (): leaders are those of TH-1.4.
    """

    apart: bool = False
    most: int
    level: int
    limit: int
    left: int = 0
    priest: Priest = Priest()
    ranks: tuple[Command, ...] = ()
    row: tuple[UnitConversion, ...]
    grounds: Grounds

    def faults(self, kinds: tuple[str, ...], terrains: tuple[str, ...]) -> Iterator[Fault]:
        """What is wrong with them: each kind needs a row that takes any unit of it, as the last."""
        places: dict[str, tuple[str | int, ...]] = {}
        for number, row in enumerate(self.row):
            if not row.ws and not row.warband:
                places[row.kind] = ("row", number)
            if row.is_ not in KINDS:
                yield Fault(("row", number, "is"), "word", row.is_, ", ".join(KINDS))
        yield from kind_faults(places, kinds)
        lds = [one.ld for one in self.ranks]
        if lds != sorted(lds, reverse=True):
            yield Fault(("ranks",), "rows", str(lds))
        yield from self.grounds.faults(terrains, tuple(TERRAINS))


def kind_of(figures: Conversion, unit: BriefUnit) -> str:
    """The kind of a unit; the first row that fits.  Raises NotUnderstood where none does."""
    found = next((row.is_ for row in figures.row if row.fits(unit)), None)
    if found is None:
        kinds = dict.fromkeys([row.kind for row in figures.row])
        raise NotUnderstood("battle.kind", rule="PA-5", part=unit.kind, legal=kinds)
    return found


def groups(figures: Conversion, side: Side) -> tuple[Group, ...]:
    """The units of a side in the order of their line; the Sacred Guard is one more."""
    guard = bool(side.rights.get("guard"))
    kind = partial(kind_of, figures)
    guests = [guest for guest in guests_of(side) if guest.kind != "character"]
    pieces = pieces_of(side, guests, kind, apart=figures.apart)
    if not pieces:
        pieces = [bodyguard(one, kind) for one in side.leaders]
    return in_line(grouped(pieces, figures.most + guard))


def in_line(line: Sequence[Group]) -> tuple[Group, ...]:
    """Foot in the middle, riders in turn on either wing."""
    riders = [group for group in line if KINDS[group[0].kind].arm in WINGS]
    foot = [group for group in line if group not in riders]
    return (*riders[::2], *foot, *riders[1::2])


def places(figures: Conversion, count: int, *, north: bool) -> list[str]:
    """Where so many units stand: the second row first, from its middle; then the edge row."""
    cells = figures.grounds.grid()
    rows = edge_rows(cells, north=north, deep=figures.grounds.edge)
    wide = cells.columns
    behind, front = rows[:wide], rows[wide : 2 * wide]
    lines = []
    for row, number in ((front, min(count, wide)), (behind, max(0, count - wide))):
        start = (wide - number) // 2
        lines += list(row[start : start + number])
    return lines


def side_setup(figures: Conversion, brief: Brief, side: Side) -> SideSetup:
    """A side as the battle begins with it."""
    north = side == brief.sides[1]
    line = groups(figures, side)
    cells = places(figures, len(line), north=north)
    units = tuple([UnitSetup(group[0].kind, cell) for group, cell in zip(line, cells, strict=True)])
    walled = north and brief.fortress and not brief.sides[0].rights.get("engineer")
    return SideSetup(
        name=side.names,
        edge="north" if north else "south",
        level=max(1, figures.level + side.rights.get("command", 0)),
        units=units,
        leaders=tuple([setup for _, setup in leaders(figures, side, line, cells)]),
        walls=edge_rows(figures.grounds.grid(), north=True, deep=figures.grounds.edge)
        if walled
        else (),
        rerolls=figures.priest.with_side(side) * figures.priest.rerolls,
    )


Led = tuple[BriefLeader | None, LeaderSetup]
"""A character of the brief, None for one whose fate it does not want, and what they are here."""


def leaders(
    figures: Conversion, side: Side, line: Sequence[Group], cells: Sequence[str]
) -> list[Led]:
    """The leaders of a side: the general with what is worth most, the others along the line.

    An army that lists no characters has those of TH-1.4; one without a general is led by nobody
    in particular.  Mercenaries bring their own, whose fate is nobody's business (AT-1.13).
    """
    if not figures.ranks:
        return []
    first = max(range(len(line)), key=lambda n: (worth_of(line[n]), -n))
    general = next((one for one in side.leaders if one.rank == "general"), None)
    found: list[Led] = [(general, _leader("general", cells[first], general))]
    own = [one for one in side.leaders if one is not general]
    others = own + [
        BriefLeader(one.id, one.name, "character", one.points, one.profile, one.names)
        for one in guests_of(side)
        if one.kind == "character"
    ]
    for number, one in enumerate(others):
        cell = cells[(2 * number + 1) * len(cells) // (2 * len(others))]
        ld = one.profile.get("ld", 0)
        rank = next((row.rank for row in figures.ranks if ld >= row.ld), RANKS[-1])
        found.append((one if number < len(own) else None, _leader(rank, cell, one)))
    return found


def _leader(rank: Rank, cell: str, one: BriefLeader | None) -> LeaderSetup:
    return LeaderSetup(rank, cell, name=dict(one.names) if one else {})


def setup_of(figures: Conversion, brief: Brief) -> Setup:
    """The set-up of a brief's battle; the attacker moves first."""
    a, b = [side_setup(figures, brief, side) for side in brief.sides]
    return Setup(
        board=figures.grounds.board(brief), limit=figures.limit, at_limit="nobody", a=a, b=b
    )


def open_battle(brief: Brief) -> Position:
    """The battle of a brief before its first turn."""
    figures = figures_for(brief, NAME)
    seats = (brief.sides[0].seat, brief.sides[1].seat)
    options = SYSTEM.options_from({}, brief.edition)
    state, agenda = begin(setup_of(figures, brief), seats, options)
    return opened(brief, SYSTEM, state, agenda)


def toll(figures: Conversion, there: int, unit: Unit) -> tuple[int, int]:
    """Figures killed and figures that left the table, of so many of a unit.

    Its elements share them.  Of those who stood when the last blow fell some have left; a figure
    that is a unit of its own is lost with it.
    """
    if unit.fate != "destroyed":
        return there * (unit.start - unit.elements) // unit.start, 0
    before = there * (unit.start - unit.broken) // unit.start
    gone = (there - before) // figures.left if figures.left else 0
    return there - gone, gone


def losses_of(figures: Conversion, side: Side, battle: Battle) -> list[Loss]:
    """What a side's figures have lost, unit by unit."""
    line = groups(figures, side)
    units = sorted(
        [unit for unit in battle.units.values() if unit.seat == side.seat], key=lambda u: u.code
    )
    losses: list[Loss] = []
    for group, unit in zip(line, units, strict=True):
        losses += lost_by_piece(side.seat, group, *toll(figures, figures_of(group), unit))
    return together(losses)


def codes(side: Side, led: Sequence[Led]) -> list[tuple[BriefLeader | None, str]]:
    """The code that each leader bears in the battle."""
    met = dict.fromkeys(RANKS, 0)
    found = []
    for one, given in led:
        met[given.rank] += 1
        number = "" if given.rank == "general" else str(met[given.rank])
        found.append((one, f"{side.seat}{LETTERS[given.rank]}{number}"))
    return found


def fates_of(figures: Conversion, brief: Brief, side: Side, battle: Battle) -> list[Fate]:
    """What became of a campaign's characters."""
    line = groups(figures, side)
    cells = places(figures, len(line), north=side == brief.sides[1])
    return [
        Fate(f"{side.seat}.{one.id}", "killed" if battle.leaders[code].fate in GONE else "alive")
        for one, code in codes(side, leaders(figures, side, line, cells))
        if one is not None
    ]


def report(brief: Brief, battle: Battle) -> Report:
    """What the battle gives back to the campaign."""
    figures = figures_for(brief, NAME)
    losses = [one for side in brief.sides for one in losses_of(figures, side, battle)]
    fates = [one for side in brief.sides for one in fates_of(figures, brief, side, battle)]
    spent = figures.priest.spent(brief, {seat: s.rerolls for seat, s in battle.sides.items()})
    winner: Any = battle.ending.winner if battle.ending else None
    return reported(brief, index_of(brief, winner), losses, fates, spent)


THUCIDIDE = register_resolver(
    Resolver(NAME, open=open_battle, report=report, system=NAME, grounds=partial(on_land, NAME))
)
"""The resolver, as the entry point names it."""
