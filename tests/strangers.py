"""Packages of strangers, written into a folder of the module path as an installer would."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from polemarque.kernel.files.plugins import look_again
from polemarque.testing import forget

FORD = """
from pathlib import Path
import msgspec
from polemarque.kernel.agenda import Rule, again, ask, call, procedure, roll, script, tell
from polemarque.kernel.dice import D6, total
from polemarque.kernel.request import Amount
from polemarque.kernel.system import Question, Standing, System

class State(msgspec.Struct, frozen=True):
    water: dict[str, int]
    turn: int = 1

class Setup(msgspec.Struct, frozen=True):
    depth: int = {depth}

class Across(msgspec.Struct, frozen=True):
    across: bool

@procedure("CHP-2")
def cross(depth: int = 3) -> Rule[Across]:
    die = yield from roll(1, D6, read=total, why="cross")
    return Across(die > depth) if die != {depth} else again(depth)

@script("CHP-1")
def turn(state: State):
    given = yield from ask("A", Amount(0, {depth}), absent=0)
    yield from call(cross, given)
    yield from tell("CHP-1", "crossed", seat="A", water=given)
    after = State({{**state.water, "A": given}}, state.turn + 1)
    return after, [] if after.turn > 2 else [("CHP-1",)]

SYSTEM = System(
    name="{name}", edition="1", titles={{"fr": "Gué {name}", "en": "Ford {name}"}},
    seats=("A", "B"), least=2, state=State, setup=Setup,
    begin=lambda setup, seats, options: (State(dict.fromkeys(seats, setup.depth)), [("CHP-1",)]),
    period=lambda state: state.turn, view=lambda state, seat: {{"water": state.water}},
    standing=lambda state: Standing(state.turn > 2), data=Path(__file__).parent / "data",
    questions=(Question("CHP-2", cross),),
)
"""
"""A small system that is sound.  {name}, {depth}: what it is called, how deep its water is."""


def package(
    folder: Path, name: str, source: str, group: str = "polemarque.systems", point: str = ""
) -> Path:
    """A package of one module, registered as `point` of a group; gives the folder of its code."""
    home = folder / name
    home.mkdir(parents=True)
    (home / "__init__.py").write_text(source, encoding="utf-8")
    told = folder / f"{name}-1.0.dist-info"
    told.mkdir()
    registered = f"[{group}]\n{point or name} = {name}:SYSTEM\n"
    (told / "entry_points.txt").write_text(registered, encoding="utf-8")
    return home


def lay_out(project: Path) -> None:
    """Have a project's folder say what its installation would: its entry points."""
    told = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [
        line
        for group, points in told["entry-points"].items()
        for line in (f"[{group}]", *[f"{name} = {target}" for name, target in points.items()])
    ]
    home = project / f"{told['name']}-{told['version']}.dist-info"
    home.mkdir()
    (home / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """Have the packages of a folder installed for a while."""
    modules = set(sys.modules)
    sys.path.insert(0, str(folder))
    look_again()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        gone = {
            name
            for name in set(sys.modules) - modules
            if str(folder) in str(getattr(sys.modules[name], "__file__", ""))
        }
        for name in gone:
            del sys.modules[name]
        for name in {each.partition(".")[0] for each in gone}:
            forget(name)
        look_again()
