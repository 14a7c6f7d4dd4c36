"""Rules written in a notebook: a cell may be run again, two rules of one id may not be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from polemarque.kernel.errors import KernelFault
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import find_system
from polemarque.odds.consult import consult, find_question
from polemarque.testing import forget

CELL = """
from pathlib import Path
from typing import Any
import msgspec
from polemarque.kernel.agenda import Rule, ask, call, procedure, roll, script
from polemarque.kernel.battle_brief import Report, Resolver, register_resolver
from polemarque.kernel.dice import D6, total
from polemarque.kernel.request import Amount
from polemarque.kernel.system import Question, Standing, System, add_system

class Pond(msgspec.Struct, frozen=True):
    frogs: int = 0

class Leap(msgspec.Struct, frozen=True):
    far: int

@procedure("NB-2")
def leap(wind: int) -> Rule[Leap]:
    return Leap(MORE + wind + (yield from roll(1, D6, read=total, why="leap")))

@script("NB-1")
def frogs_leap(pond: Pond) -> Rule[Any]:
    more = yield from ask("A", Amount(1, 9), absent=1)
    return Pond(pond.frogs + more + MORE), []

register_resolver(Resolver("nb_frogs", lambda brief: None, lambda b, s: Report("", 0), "nb_frogs"))
add_system(System(
    name="nb_frogs", edition="1", titles={"fr": "x", "en": "x"}, seats=("A",), least=1, options=(),
    state=Pond, setup=Pond, begin=lambda s, seats, o: (Pond(), [("NB-1",)]), playable=True,
    period=lambda pond: 1, view=lambda pond, seat: None, data=Path(),
    standing=lambda pond: Standing(pond.frogs > 0),
    questions=(Question("NB-2", leap),),
))
"""


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    yield
    for module in ("notebook", "another"):
        forget(module)


def run(cell: str, name: str = "<cell 1>", module: str = "notebook") -> dict[str, Any]:
    """Run a cell: IPython, too, gives each text of one its own name of a file."""
    space: dict[str, Any] = {"__name__": module, "MORE": 0}
    exec(compile(cell, name, "exec"), space)
    return space


def frogs() -> int:
    game = Game(new_header("nb_frogs"))
    game.answer("A", 2)
    assert game.over
    return int(game.state.frogs)


def test_the_same_cell_may_be_run_again() -> None:
    run(CELL)
    assert frogs() == 2
    first = find_question("NB-2")
    run(CELL)
    assert frogs() == 2 and find_question("NB-2") is not first


def test_an_edited_cell_takes_the_place_of_the_one_before() -> None:
    run(CELL)
    assert frogs() == 2 and find_system("nb_frogs").titles["en"] == "x"
    assert consult("NB-2", {"wind": 1}, [3]).result == {"far": 4}
    edited = CELL.replace("MORE", "10").replace('"en": "x"', '"en": "y"')
    run("# what frogs do\n" + edited, "<cell 2>")
    assert frogs() == 12 and find_system("nb_frogs").titles["en"] == "y"
    assert consult("NB-2", {"wind": 1}, [3]).result == {"far": 14}


@pytest.mark.parametrize(
    ("cell", "name", "module"),
    [
        (CELL.replace("frogs_leap", "toads_leap"), "<cell 2>", "notebook"),
        (CELL.replace("def leap(", "def hop("), "<cell 2>", "notebook"),
        (CELL.replace("Pond", "Lake"), "<cell 2>", "notebook"),
        ("\n" + CELL, "<cell 1>", "notebook"),
    ],
    ids=["script", "procedure", "state", "file"],
)  # fmt: skip
def test_two_rules_of_one_id_are_refused(cell: str, name: str, module: str) -> None:
    run(CELL)
    with pytest.raises(KernelFault, match=r"NB-[12] is registered twice"):
        run(cell, name, module)
    assert frogs() == 2, "the first one plays on"


def test_two_systems_of_one_name_are_refused() -> None:
    run(CELL)
    other = CELL.replace("NB-", "NB-9").replace("nb_frogs", "nb_toads", 2)
    with pytest.raises(KernelFault, match="nb_frogs"):
        run(other, "<cell 2>", "another")
    ours = CELL.replace('name="nb_frogs"', 'name="atlantide"')
    with pytest.raises(KernelFault, match="atlantide"):
        run(ours)
