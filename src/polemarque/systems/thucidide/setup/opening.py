"""How a battle is set up (TH-F10): the scenarios we ship, and the battle that a set-up makes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from polemarque.api import Next, NotUnderstood, convert, then
from polemarque.api.boards import Board, BoardRefused, read_board
from polemarque.systems.thucidide.chapters.turn import turn_begins
from polemarque.systems.thucidide.setup.checks import faults
from polemarque.systems.thucidide.setup.options import Options
from polemarque.systems.thucidide.setup.scenario import (
    RANK_FIGURES,
    Setup,
    SideSetup,
    UnitSetup,
    elements_of,
)
from polemarque.systems.thucidide.state import Battle, Leader, Side, Unit
from polemarque.systems.thucidide.tables import DATA, document
from polemarque.systems.thucidide.terrain import TERRAINS
from polemarque.systems.thucidide.unit_values import RANKS, Rank, UnitFigures

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
    readings = Options.of({**options, **setup.options})
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
