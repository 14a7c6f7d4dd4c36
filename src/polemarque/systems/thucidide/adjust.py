"""What an umpire may adjust between two steps of a battle, and what a sound battle is."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from polemarque.api import NotAllowed, NotUnderstood
from polemarque.api.adjusting import formed, number, ordered, word
from polemarque.systems.thucidide.chapters.succession import given_back
from polemarque.systems.thucidide.setup.options import CHOICES
from polemarque.systems.thucidide.state import Battle, Ending, Leader, Unit
from polemarque.systems.thucidide.tables import ground

NOBODY = "nobody"

LEGAL = (
    "A.tokens", "A.level", "unit.CODE.elements", "unit.CODE.cell", "leader.CODE.cell", "end",
    "option.NAME",
)  # fmt: skip
"""What can be adjusted; of side A as of side B."""


def adjust(battle: Battle, name: str, value: Any) -> Battle:
    """The battle with one thing adjusted.  Raises NotUnderstood or NotAllowed.

    `<side>.tokens`, `<side>.level`: its order tokens, its command level.  `unit.<code>.elements`:
    from 0, which destroys it, to those it began with.  `unit.<code>.cell`, `leader.<code>.cell`:
    where it stands; a unit takes nobody along.  `end` declares who has won.  `option.<name>`
    changes an option from the next turn on.
    """
    head, _, rest = formed(name, LEGAL).partition(".")
    if name == "end":
        winner = word(value, (*battle.sides, NOBODY), name=name, beyond=NotAllowed)
        return replace(battle, ending=Ending(None if winner == NOBODY else winner, "declared"))
    if head == "option":
        return replace(battle, coming=ordered(battle.coming, CHOICES, rest, value))
    if head in battle.sides and rest in ("tokens", "level"):
        least = 1 if rest == "level" else 0
        figure = number(value, least, 999, name=name, beyond=NotAllowed)
        return battle.side(head, **{rest: figure})
    code, _, what = rest.partition(".")
    if head == "unit" and code in battle.units:
        return _unit(battle, battle.units[code], name, what, value)
    if head == "leader" and code in battle.leaders and what == "cell":
        return _leader(battle, battle.leaders[code], name, value)
    known = {"unit": tuple(battle.units), "leader": tuple(battle.leaders)}.get(head, LEGAL)
    raise NotUnderstood("act.unknown", part=name, legal=LEGAL if code in known else known)


def _unit(battle: Battle, unit: Unit, name: str, what: str, value: Any) -> Battle:
    if what == "elements":
        elements = number(value, 0, unit.start, name=name, beyond=NotAllowed)
        if not elements:
            broken, gone = unit.elements or unit.broken, {"cell": "", "exit": ""}
            return battle.unit(unit.code, elements=0, fate="destroyed", broken=broken, **gone)
        if not unit.cell:
            raise NotAllowed("thucidide.adjust_gone", rule="TH-F6", part=name)
        return battle.unit(unit.code, elements=elements)
    if what == "cell":
        held = {cell for cell, other in battle.by_cell().items() if other.code != unit.code}
        enemies = {one.cell for one in battle.leaders_of(battle.enemy_of(unit.seat))}
        legal = [
            cell
            for cell in battle.board.grid.cells
            if cell not in held
            and cell not in enemies
            and ground(battle.board, cell).admits(unit.figures)
        ]
        cell = word(value, legal, name=name, beyond=NotAllowed)
        elements = max(unit.elements, 1)
        return battle.unit(unit.code, cell=cell, fate="", exit="", elements=elements)
    raise NotUnderstood("act.unknown", part=name, legal=LEGAL)


def _leader(battle: Battle, leader: Leader, name: str, value: Any) -> Battle:
    enemy = battle.enemy_of(leader.seat)
    enemies = {unit.cell for unit in battle.units_of(enemy)}
    enemies |= {one.cell for one in battle.leaders_of(enemy)}
    legal = [
        cell
        for cell in battle.board.grid.cells
        if cell not in enemies and not ground(battle.board, cell).impassable
    ]
    cell = word(value, legal, name=name, beyond=NotAllowed)
    return given_back(battle.leader(leader.code, cell=cell, fate=""), leader.code)


def faults(battle: Battle) -> list[str]:
    """What is wrong with a battle, as the names of the figures, with the rule they break."""
    found = [f"{s.seat}.tokens < 0 (TH-3.1)" for s in battle.sides.values() if s.tokens < 0]
    held: dict[str, Unit] = {}
    for unit in battle.units.values():
        found += _unit_faults(battle, unit)
        if unit.cell and unit.cell in held:
            found.append(f"unit.{unit.code}.cell = unit.{held[unit.cell].code}.cell (TH-F1)")
        held[unit.cell or unit.code] = unit
    for one in battle.leaders.values():
        other = held.get(one.cell)
        if other is not None and other.seat != one.seat:
            found.append(f"leader.{one.code}.cell = unit.{other.code}.cell (TH-F8)")
    for seat in battle.sides:
        generals = [one for one in battle.leaders_of(seat) if one.rank == "general"]
        if len(generals) > 1:
            found.append(f"{seat}: {len(generals)} generals (TH-1.1)")
    return found


def _unit_faults(battle: Battle, unit: Unit) -> list[str]:
    """A unit stands with 1 to its start of elements on ground that admits it, or is out of it."""
    if unit.fate or not unit.cell:
        return [] if unit.fate and not unit.cell else [f"unit.{unit.code}.fate (TH-F6)"]
    found = []
    if not 0 < unit.elements <= unit.start:
        found.append(f"unit.{unit.code}.elements (TH-F6)")
    if unit.cell not in battle.board.grid:
        found.append(f"unit.{unit.code}.cell (TH-F1)")
    elif not ground(battle.board, unit.cell).admits(unit.figures):
        found.append(f"unit.{unit.code}.cell (TH-F9)")
    return found
