"""The file of a study: which set-ups are played side by side, or which figure is swept or levelled.

system = "batailles"
scenario = "leuctra"                  # optional: a name, or a file beside this one
bots = ["steady"]                     # optional, as are games, seed, seats, turns and [options]
[sweep]                               # or [level], one [[setup]] after another, or grades of bots
figure = "a.units.Phalanx.pm"         # where it stands in the set-up; or "options.turn_limit"
from = 36
to = 46
step = 2                              # optional

A ``[[setup]]`` has a name, and what it has other than the file: scenario, bots, options, and
figures of the set-up by where they stand.  ``grades = ["random", "steady", "mcts:50"]`` plays each
bot against the next one.
"""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from polemarque.cli.common import say
from polemarque.cli.new_game import GameOptions, faults_of, header_of, in_file
from polemarque.cli.seating import bots_of
from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.files.findings import CheckFailed, Finding, read_toml
from polemarque.kernel.new_game import opening
from polemarque.kernel.records.record import Header
from polemarque.lab.games import StudyPlan
from polemarque.lab.significance import MOST
from polemarque.lab.study_file import Study

KINDS = ("setup", "grades", "sweep", "level")
"""Keys of a file of which one alone says what kind of study it is."""

MARKS = (*KINDS, "games", "bots", "seed", "turns", "figures")
"""Keys that tell the file of a study from house rules."""

MOST_PLANS = 60
"""Set-ups of a study at most, or values of a figure."""

WHERE = {"system": "system", "game": "system", "scenario": "scenario", "bot": "bots",
         "seats.bots": "bots", "seats": "seats"}  # fmt: skip
"""Under which key stands what a refusal of that code, or area, is about."""

OPTIONS = "options"
"""Begins where a figure stands that is an option."""

Value = bool | int | str
Count = Annotated[int, msgspec.Meta(ge=1)]


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One set-up; what it does not say is as the file has it."""

    name: str
    scenario: str | None = None
    bots: str | tuple[str, ...] | None = None
    options: dict[str, Value] = {}
    figures: dict[str, Value] = {}


class Grid(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True,
    rename={"first": "from", "last": "to"},
):  # fmt: skip
    """The values of a figure, from the first to the last by steps.

    seat: the one whose share is to be level; without it the first.
    """

    figure: str
    first: int
    last: int
    step: Count = 1
    seat: str = ""

    @property
    def values(self) -> range:
        """In ascending order."""
        return range(self.first, self.last + 1, self.step)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    system: str
    scenario: str = ""
    seats: int | None = None
    turns: Count | None = None
    games: Annotated[int, msgspec.Meta(ge=1, le=MOST)] | None = None
    seed: int = 0
    bots: str | tuple[str, ...] = ""
    options: dict[str, Value] = {}
    figures: dict[str, Value] = {}
    setup: tuple[Setup, ...] = ()
    grades: tuple[str, ...] = ()
    sweep: Grid | None = None
    level: Grid | None = None


class Design(msgspec.Struct, frozen=True):
    """What is to be played.

    names: of its plans, in order.   scenario: what the file is called.
    games: of each plan, if it says so.   grid: of the figure that the plans differ in.
    level: whether the value is sought that makes the set-up level; else all are played.
    grades: whether the plans are bots of neighbouring grades against each other.
    """

    study: Study
    names: tuple[str, ...]
    scenario: str
    games: int | None
    grid: Grid | None = None
    level: bool = False
    grades: bool = False

    @property
    def tries(self) -> int:
        """As many set-ups are played, or as many values are tried at most."""
        many = len(self.names) or 1
        return min(many, 2 + 3 * math.ceil(math.log2(many))) if self.level else many


def read_design(path: Path, seed: int | None = None) -> Design:
    """The study of a file; a seed that is given goes before the file's.

    Raises NotUnderstood (file.holds) on anything wrong in it, with its line.
    """
    read = read_toml(path)
    if isinstance(read, Finding):
        raise faults_of(path, CheckFailed([read]))
    try:
        file = convert(read[0], _File)
    except msgspec.ValidationError as fault:
        wrong = NotUnderstood("study.unreadable", misread=str(fault))
        raise in_file(path, wrong) from None
    for number, setup in enumerate(file.setup):
        if setup.name in [each.name for each in file.setup[:number]]:
            raise in_file(path, NotAllowed("study.name", part=setup.name), "setup", number, "name")
    grid = file.sweep or file.level
    kinds = [kind for kind in KINDS if getattr(file, kind)]
    if len(kinds) > 1:
        raise in_file(path, NotAllowed("study.one_kind"), kinds[-1])
    setups = _side_by_side(path, file) if grid is None else _along(path, file, grid)
    plans = [_plan(path, file, setup, *steps) for setup, steps in setups]
    seats = plans[0].header.seats
    for number, plan in enumerate(plans):
        if plan.header.seats != seats:
            raise in_file(path, NotAllowed("study.seats", part=setups[number][0].name),
                          *setups[number][1])  # fmt: skip
        if plan in plans[:number]:
            raise in_file(path, NotAllowed("study.same", part=setups[number][0].name),
                          *setups[number][1])  # fmt: skip
    if file.level is not None and (file.level.seat or seats[0]) not in seats:
        wrong = NotUnderstood("seat.unknown", part=file.level.seat, legal=seats)
        raise in_file(path, wrong, "level", "seat")
    names = [setup.name for setup, _ in setups] if len(plans) > 1 or file.grades else []
    return Design(
        Study(tuple(plans), file.seed if seed is None else seed), tuple(names), path.name,
        file.games, grid, file.level is not None, bool(file.grades),
    )  # fmt: skip


_Placed = tuple[Setup, tuple[str | int, ...]]
"""A set-up, and where in the file it stands."""


def _side_by_side(path: Path, file: _File) -> list[_Placed]:
    if file.grades:
        if len(file.grades) < 2 or len({*file.grades}) < len(file.grades):
            wrong = NotAllowed("study.grades", part=", ".join(file.grades))
            raise in_file(path, wrong, "grades")
        return [(Setup(f"{better} / {worse}", bots=(worse, better)), ("grades",))
                for worse, better in pairwise(file.grades)]  # fmt: skip
    if len(file.setup) > MOST_PLANS:
        raise in_file(path, NotAllowed("study.many", part=len(file.setup), legal=(MOST_PLANS,)),
                      "setup", MOST_PLANS)  # fmt: skip
    setups = [(setup, ("setup", number)) for number, setup in enumerate(file.setup)]
    return [*setups] or [(Setup(say("study.first")), ())]


def _along(path: Path, file: _File, grid: Grid) -> list[_Placed]:
    where = "sweep" if file.sweep else "level"
    many = max(0, (grid.last - grid.first) // grid.step + 1)  # too many for `len`, it may be
    if not 2 <= many <= MOST_PLANS:
        wrong = NotAllowed("study.many", part=many, legal=(f"2-{MOST_PLANS}",))
        raise in_file(path, wrong, where, "to")
    return [
        (Setup(str(value), figures={grid.figure: value}), (where, "figure"))
        for value in grid.values
    ]


def _plan(path: Path, file: _File, setup: Setup, *steps: str | int) -> StudyPlan:
    """The plan of a set-up.  Raises NotUnderstood with the line in the file of the study."""
    scenario = file.scenario if setup.scenario is None else setup.scenario
    if scenario.endswith(".toml"):
        scenario = str(path.parent / scenario)
    figures = {**file.figures, **setup.figures}
    options = {**file.options, **setup.options}
    for figure, value in figures.items():
        section, _, name = figure.partition(".")
        if section == OPTIONS:
            options[name] = value
    typed = GameOptions(
        file.system, scenario, file.seats, None, file.turns,
        tuple([f"{name}={_plain(value)}" for name, value in options.items()]),
    )  # fmt: skip
    bots = file.bots if setup.bots is None else setup.bots
    try:
        header = header_of(typed, limited=True)
        for figure, value in figures.items():
            if figure.partition(".")[0] != OPTIONS:
                header = replace(header, setup=_changed(header, figure, value))
        opening(header)
        return StudyPlan(
            header, bots_of(header.seats, bots if isinstance(bots, str) else ",".join(bots),
                            header.system),
        )  # fmt: skip
    except Refusal as refusal:
        if refusal.code in ("file.holds", "setup.faults"):  # of another file, told with its line
            raise
        raise in_file(path, refusal, *_at(refusal, file, setup, steps)) from None


def _at(
    refusal: Refusal, file: _File, setup: Setup, steps: tuple[str | int, ...]
) -> tuple[str | int, ...]:
    """Where in the file of the study what is refused stands, as near as can be said."""
    listed = steps[:1] == ("setup",)
    if "misread" in refusal.data:
        return (*steps, "figures") if listed else steps
    for key in ("figures", "options"):
        for own, given in ((True, getattr(setup, key)), (False, getattr(file, key))):
            for name in given:
                if refusal.part in (name, _plain(given[name])):
                    return (key, name) if not own else (*steps, key, name) if listed else steps
    at = WHERE.get(refusal.code) or WHERE.get(refusal.code.partition(".")[0])
    if at is None:
        return steps
    if getattr(setup, at, None) is None:
        return (at,)
    return (*steps, at) if listed else steps


def _changed(header: Header, figure: str, value: Value) -> dict[str, Any]:
    """The set-up of a header with one figure of it changed.  Raises NotUnderstood."""
    changed: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(header.setup))
    place: Any = changed
    *steps, last = figure.split(".")
    for step in steps:
        place = place[_key(place, step, figure)]
    place[_key(place, last, figure)] = value
    return changed


def _key(place: Any, step: str, figure: str) -> str | int:
    """What a step means: a key, or in a list the number of an element, from 0, or its name."""
    if isinstance(place, dict) and step in place:
        return step
    if isinstance(place, list):
        for number, each in enumerate(place):
            if step == str(number) or (isinstance(each, dict) and step in _names(each)):
                return number
    raise _no_figure(place, step, figure)


def _names(each: dict[str, Any]) -> list[str]:
    """By which an element of a list may be called: its words."""
    return [value for value in each.values() if isinstance(value, str)]


def _no_figure(place: Any, step: str, figure: str) -> NotUnderstood:
    legal: list[str] = []
    if isinstance(place, dict):
        legal = list(place)
    elif isinstance(place, list):
        legal = [(_names(each) or [str(n)])[0] if isinstance(each, dict) else str(n)
                 for n, each in enumerate(place)]  # fmt: skip
    return NotUnderstood("study.figure", part=figure, step=step, legal=legal)


def _plain(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
