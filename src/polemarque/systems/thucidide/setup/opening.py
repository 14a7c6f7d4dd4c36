"""How a battle is set up (TH-F10): the scenarios we ship, and the battle that a set-up makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from polemarque.api import Next, NotAllowed, NotUnderstood, convert, then
from polemarque.api.boards import Board, BoardRefused, build_board, read_board
from polemarque.api.checkers import board_faults
from polemarque.api.files import Finding, Lines, Step, in_order, read_toml
from polemarque.api.lessons import lesson_faults
from polemarque.systems.thucidide.chapters.turn import turn_begins
from polemarque.systems.thucidide.orders import LEAST, ORDERS
from polemarque.systems.thucidide.setup.options import CHOICES, Options
from polemarque.systems.thucidide.setup.scenario import (
    RANK_FIGURES,
    Kind,
    Setup,
    SideSetup,
    UnitSetup,
    elements_of,
)
from polemarque.systems.thucidide.state import Battle, Leader, Side, Unit
from polemarque.systems.thucidide.tables import (
    DATA,
    FORMATIONS,
    FRAME,
    LOOSE,
    RANKS,
    SEATS,
    TERRAINS,
    Arm,
    Rank,
    UnitFigures,
    document,
)

SCENARIOS = DATA / "scenarios"
"""The shipped scenarios, one a file."""

DEFAULT = "crossing"
"""The scenario of a set-up that gives no board."""

LETTERS: dict[Rank, str] = {"general": "G", "sub_general": "S", "officer": "O"}
"""How codes of leaders go on after the seat: AG, AS1, AO2."""


@cache
def scenarios() -> Mapping[str, Mapping[str, Any]]:
    """Every shipped scenario as plain data; the default comes first."""
    paths = sorted(SCENARIOS.glob("*.toml"), key=lambda path: (path.stem != DEFAULT, path.stem))
    return {path.stem: document(f"scenarios/{path.name}") for path in paths}


def begin(setup: Setup, seats: tuple[str, ...], options: Mapping[str, Any]) -> Next[Battle]:
    """The battle before its first turn.  Raises Refusal on a bad set-up.

    seats: who plays side a, which moves first, and side b.
    Sides, units and leaders stand in the order of their codes, as in a position that was saved.
    """
    if not setup.board:
        setup = convert(scenarios()[DEFAULT], Setup)
    board = _board(setup)
    for fault in faults(setup, board):
        raise fault.refusal
    sides = dict(sorted(zip(seats, setup.sides.values(), strict=True)))
    units = [unit for seat, side in sides.items() for unit in _units(setup, seat, side)]
    leaders = [one for seat, side in sides.items() for one in _leaders(seat, side)]
    readings = convert({**options, **setup.options}, Options)
    battle = Battle(
        board=board,
        sides={seat: _side(seat, side, readings) for seat, side in sides.items()},
        units={unit.code: unit for unit in sorted(units, key=lambda unit: unit.code)},
        leaders={one.code: one for one in sorted(leaders, key=lambda one: one.code)},
        options=readings,
        active=seats[0],
        limit=setup.limit,
        at_limit=setup.at_limit,
    )
    return battle, [then(turn_begins)]


def _board(setup: Setup) -> Board:
    """The board of a set-up.  Raises NotUnderstood on its first fault."""
    # A record gives lists back as tuples; the reader of boards wants them as a file has them.
    table = msgspec.json.decode(msgspec.json.encode(setup.board))
    try:
        return read_board({"board": table}, terrains=tuple(TERRAINS))
    except BoardRefused as refused:
        fault = refused.findings[0]
        raise NotUnderstood(
            "thucidide.board", rule="TH-F10", part=fault, legal=TERRAINS, fault=fault
        ) from None


def _side(seat: str, side: SideSetup, options: Options) -> Side:
    assert side.edge is not None
    assert side.tokens is not None
    return Side(
        seat=seat,
        edge=side.edge,
        level=side.level,
        tokens=side.tokens,
        start=len(side.units),
        activations=side.activations,
        goals=side.victory,
        names=side.name,
        stops=options.stops,
        walls=side.walls,
        rerolls=side.rerolls,
    )


def _units(setup: Setup, seat: str, side: SideSetup) -> list[Unit]:
    """The units of a side, coded by number: A1; where there are ten or more, A01."""
    width = len(str(len(side.units)))
    return [
        _unit(setup, seat, f"{seat}{number:0{width}}", given)
        for number, given in enumerate(side.units, 1)
    ]


def _unit(setup: Setup, seat: str, code: str, given: UnitSetup) -> Unit:
    kind = setup.kinds[given.kind]
    ridden = kind.figures(given.kind)
    walking: UnitFigures | None = None
    if kind.dismounted:
        walking = setup.kinds[kind.dismounted].figures(kind.dismounted)
    on_foot = given.on_foot and walking is not None
    elements = elements_of(kind) if given.elements is None else given.elements
    names = given.name
    if not names and given.kind in setup.kind:  # nobody else could name a kind of the scenario's
        names = {lang: f"{said} {code}" for lang, said in kind.name.items()}
    return Unit(
        code=code,
        seat=seat,
        figures=setup.begins_as(given),
        elements=elements,
        start=elements,
        cell=given.at,
        names=names,
        contingent=given.contingent,
        other=ridden if on_foot else walking,
        mounted=walking is not None and not on_foot,
        formations=kind.formations,
        formation=given.formation,
    )


def _leaders(seat: str, side: SideSetup) -> list[Leader]:
    """The leaders of a side, coded by rank and number; there is but one general."""
    met: dict[Rank, int] = dict.fromkeys(RANKS, 0)
    found = []
    for given in side.leaders:
        met[given.rank] += 1
        number = "" if given.rank == "general" else str(met[given.rank])
        usual = RANK_FIGURES[given.rank]
        found.append(
            Leader(
                code=f"{seat}{LETTERS[given.rank]}{number}",
                seat=seat,
                rank=given.rank,
                command=usual.command if given.command is None else given.command,
                influence=usual.influence if given.influence is None else given.influence,
                cell=given.at,
                names=given.name,
                contingent=given.contingent,
                prices=given.prices,
            )
        )
    return found


# What is wrong with a scenario --------------------------------------------------------------------


SMALLEST = FRAME.armies.smallest
"""Hexes of the smallest board, one way and the other (TH-F1)."""


class Fault(msgspec.Struct, frozen=True):
    """One thing wrong with a set-up.

    steps: where it stands in the file.   code: after ``thucidide.``.   rule: whom it breaks.
    part:  what is wrong.   legal: what would do instead.
    """

    steps: tuple[Step, ...]
    code: str
    rule: str
    part: str
    legal: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where it stands, to be read: a.units[2].at."""
        said = ""
        for step in self.steps:
            said += f"[{step}]" if isinstance(step, int) else f".{step}" if said else str(step)
        return said

    @property
    def refusal(self) -> NotAllowed:
        """The refusal of a battle."""
        return NotAllowed(
            f"thucidide.{self.code}", rule=self.rule, part=self.part, legal=self.legal,
            place=self.place,
        )  # fmt: skip

    def finding(self, file: str, lines: Lines) -> Finding:
        """The finding about a file."""
        return Finding(
            file, lines.of(*self.steps), self.place, f"thucidide.{self.code}",
            {"part": self.part, "legal": ", ".join(self.legal), "rule": self.rule},
        )  # fmt: skip


def faults(setup: Setup, board: Board) -> Iterator[Fault]:
    """Everything that is wrong with a set-up whose board is sound."""
    shape, long = board.grid.shape, sorted((board.grid.columns, board.grid.rows))
    if shape != "hex" or long[0] < SMALLEST[0] or long[1] < SMALLEST[1]:
        part = f"{shape} {board.grid.columns} × {board.grid.rows}"
        yield Fault(("board",), "size", "TH-F1", part, (f"hex {SMALLEST[0]} × {SMALLEST[1]}",))
    if setup.limit < 1:
        yield Fault(("limit",), "limit", "TH-F1", str(setup.limit), ("≥ 1",))
    yield from _option_faults(setup)
    yield from _kind_faults(setup)
    for fault in lesson_faults(setup.lesson, SEATS):
        where = ("lesson", fault.number, fault.field)
        yield Fault(where, "lesson", "TH-F10", fault.part, fault.legal)
    sides = setup.sides
    if sides["A"].edge == sides["B"].edge:
        yield Fault(("b", "edge"), "edges", "TH-F1", str(sides["B"].edge), ("north", "south"))
    held: dict[str, str] = {}
    for seat, side in sides.items():
        yield from _side_faults(seat.lower(), side)
        yield from _unit_faults(setup, board, seat, side, held)
    for seat, side in sides.items():
        yield from _leader_faults(board, seat, side, held)
        yield from _goal_faults(board, seat.lower(), side)
        yield from _wall_faults(board, seat.lower(), side)


def _option_faults(setup: Setup) -> Iterator[Fault]:
    known = {choice.name: choice for choice in CHOICES}
    for name, value in setup.options.items():
        if name not in known:
            yield Fault(("options", name), "option", "TH-F10", name, tuple(known))
            continue
        try:
            known[name].take(value)
        except NotUnderstood as refusal:
            yield Fault(("options", name), "option", refusal.rule, str(value), refusal.legal)


def _kind_faults(setup: Setup) -> Iterator[Fault]:
    """Faults of a scenario's own kinds: a unit has elements, and no factor is below 0 (TH-F3)."""
    for key, kind in setup.kind.items():
        where = ("kind", key)
        if kind.elements is not None and kind.elements < 1:
            yield Fault((*where, "elements"), "elements", "TH-F3", str(kind.elements), ("≥ 1",))
        figures = {"shooting": kind.shooting, "reach": kind.reach, "assault": kind.assault,
                   "melee": kind.melee}  # fmt: skip
        yield from _below_zero(where, "TH-F3", figures)


def _below_zero(
    where: tuple[Step, ...], rule: str, figures: Mapping[str, int | None]
) -> Iterator[Fault]:
    """A fault for each of these figures that is given and below 0, in which no rule has a sense."""
    for name, value in figures.items():
        if value is not None and value < 0:
            yield Fault((*where, name), "figure", rule, f"{name} = {value}", ("≥ 0",))


def _side_faults(key: str, side: SideSetup) -> Iterator[Fault]:
    if not side.units:
        yield Fault((key, "units"), "no_units", "TH-F10", "0", ("≥ 1",))
    if side.level < 1:
        yield Fault((key, "level"), "level", "TH-3.1", str(side.level), ("≥ 1",))
    elif side.tokens is not None and side.tokens < 0:
        yield Fault((key, "tokens"), "tokens", "TH-3.1", str(side.tokens), ("≥ 0",))
    for number, size in enumerate(side.activations):
        if size < 1:
            where = (key, "activations", number)
            yield Fault(where, "activations", "TH-2.1", str(size), ("≥ 1",))
    if side.rerolls < 0:
        yield Fault((key, "rerolls"), "rerolls", "PA-5", str(side.rerolls), ("≥ 0",))
    generals = [one for one in side.leaders if one.rank == "general"]
    if side.units and len(generals) != 1:
        yield Fault((key, "leaders"), "generals", "TH-1.1", str(len(generals)), ("1",))


def _unit_faults(
    setup: Setup, board: Board, seat: str, side: SideSetup, held: dict[str, str]
) -> Iterator[Fault]:
    """Faults of a side's units; notes in `held` whose unit stands in each hex."""
    obeyed = {one.contingent for one in side.leaders}
    for number, unit in enumerate(side.units):
        where = (seat.lower(), "units", number)
        kind = setup.kinds.get(unit.kind)
        if kind is None or (kind.dismounted and kind.dismounted not in setup.kinds):
            part = unit.kind if kind is None else kind.dismounted
            yield Fault((*where, "kind"), "kind", "TH-F3", part, tuple(setup.kinds))
        else:
            figures = setup.begins_as(unit)
            yield from _formation_faults(where, kind, unit.formation, figures.arm)
            if unit.at in board.grid:
                yield from _ground_faults(where, board, unit.at, figures)
        if unit.at not in board.grid:
            yield _off_board((*where, "at"), board, unit.at)
        elif unit.at in held:
            free = [cell for cell in board.grid.neighbours(unit.at) if cell not in held]
            yield Fault((*where, "at"), "taken", "TH-F1", unit.at, tuple(free))
        held.setdefault(unit.at, seat)
        if unit.elements is not None and unit.elements < 1:
            yield Fault((*where, "elements"), "elements", "TH-F3", str(unit.elements), ("≥ 1",))
        if unit.contingent not in obeyed:
            legal = tuple(sorted(obeyed))
            yield Fault((*where, "contingent"), "contingent", "TH-F13", unit.contingent, legal)


def _formation_faults(
    where: tuple[Step, ...], kind: Kind, formation: str, arm: Arm
) -> Iterator[Fault]:
    """Faults of the formations of a kind, and of the one in which a unit of that arm begins."""
    known = [key for key in kind.formations if key in FORMATIONS and key != LOOSE]
    taken = [key for key in known if arm in FORMATIONS[key].arms]
    for word in kind.formations:
        if word not in known:
            yield Fault((*where, "formation"), "formation", "TH-5.1", word, tuple(known))
    if formation and formation not in taken:
        yield Fault((*where, "formation"), "formation", "TH-5.1", formation, tuple(taken))


def _ground_faults(
    where: tuple[Step, ...], board: Board, cell: str, figures: UnitFigures
) -> Iterator[Fault]:
    if not TERRAINS[board.terrain_of(cell)].admits(figures):
        legal = tuple([key for key, terrain in TERRAINS.items() if terrain.admits(figures)])
        part = f"{cell}: {board.terrain_of(cell)}"
        yield Fault((*where, "at"), "closed", "TH-F9", part, legal)


def _leader_faults(
    board: Board, seat: str, side: SideSetup, held: dict[str, str]
) -> Iterator[Fault]:
    for number, one in enumerate(side.leaders):
        where = (seat.lower(), "leaders", number)
        if one.at not in board.grid:
            yield _off_board((*where, "at"), board, one.at)
        elif held.setdefault(one.at, seat) != seat:
            free = [c for c in board.grid.neighbours(one.at) if held.get(c, seat) == seat]
            yield Fault((*where, "at"), "taken", "TH-F8", one.at, tuple(free))
        elif TERRAINS[board.terrain_of(one.at)].impassable:
            legal = tuple([key for key, terrain in TERRAINS.items() if not terrain.impassable])
            part = f"{one.at}: {board.terrain_of(one.at)}"
            yield Fault((*where, "at"), "closed", "TH-F9", part, legal)
        ranges = {"command": one.command, "influence": one.influence}
        yield from _below_zero(where, "TH-1.2", ranges)
        for code, price in one.prices.items():
            if code not in ORDERS:
                yield Fault((*where, "prices", code), "order", "TH-1.4", code, tuple(ORDERS))
            elif price < LEAST:
                legal = (f"≥ {LEAST}",)
                yield Fault((*where, "prices", code), "price", "TH-3.4", str(price), legal)


def _goal_faults(board: Board, key: str, side: SideSetup) -> Iterator[Fault]:
    if not side.victory:
        yield Fault((key, "victory"), "goal", "TH-F1", "0", ("destroyed", "hold", "exit"))
    for number, goal in enumerate(side.victory):
        where = (key, "victory", number)
        if goal.kind in ("hold", "exit") and not goal.cells:
            yield Fault((*where, "cells"), "goal", "TH-F1", goal.kind, ("cells",))
        if goal.units < 1:
            part = f"{goal.kind}: units = {goal.units}"
            yield Fault((*where, "units"), "goal", "TH-F1", part, ("units ≥ 1",))
        if not 0 < goal.part <= goal.of:
            part = f"{goal.part}/{goal.of}"
            yield Fault(where, "goal", "TH-F1", part, ("1/3",))
        for cell in goal.cells:
            if cell not in board.grid:
                yield _off_board((*where, "cells"), board, cell)


def _wall_faults(board: Board, key: str, side: SideSetup) -> Iterator[Fault]:
    for number, cell in enumerate(side.walls):
        if cell not in board.grid:
            yield _off_board((key, "walls", number), board, cell)


def _off_board(steps: tuple[Step, ...], board: Board, cell: str) -> Fault:
    grid = board.grid
    return Fault(steps, "cell", "TH-F1", cell, (f"a1-{grid.cell(grid.columns, grid.rows)}",))


# Files -------------------------------------------------------------------------------------------


def check(path: Path) -> tuple[Finding, ...] | None:
    """Everything that is wrong with a scenario file; None for a file of another kind."""
    read = read_toml(path)
    if isinstance(read, Finding):
        return None
    raw, text = read
    if not _looks_like_scenario(raw):
        return None
    lines, file = Lines(text), str(path)
    on_board = board_faults(raw, file, text, tuple(TERRAINS))
    if on_board:
        return on_board
    try:
        setup = convert(raw, Setup)
    except msgspec.ValidationError as fault:
        return (Finding(file, 1, "", "thucidide.setup", {"misread": str(fault)}),)
    found = faults(setup, build_board(raw["board"]))
    return in_order([fault.finding(file, lines) for fault in found])


def _looks_like_scenario(raw: dict[str, Any]) -> bool:
    """A board and a side, whatever the side leaves out: no other system's file has these."""
    return "board" in raw and any(isinstance(raw.get(key), dict) for key in ("a", "b"))
