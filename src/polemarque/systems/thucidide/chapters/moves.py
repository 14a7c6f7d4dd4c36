"""The movement phase (TH-2.3, TH-2.4, TH-F8): leader after leader, unit after unit.

What the agenda carries of a leader's moves is his code; who has still to move stands in the state.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    Filling,
    Item,
    Next,
    NotAllowed,
    OneOf,
    Path,
    Rule,
    SeveralOf,
    Sheet,
    Step,
    ask,
    explain,
    item,
    script,
    tell,
    then,
)
from polemarque.api.boards import Cell
from polemarque.systems.thucidide.chapters.manoeuvre_orders import (
    CHANGES,
    FURTHER,
    LEADING_ON,
    changed,
    forms,
    guide_price,
    is_gain,
    manoeuvre_paid,
    moving_orders,
    tell_change,
)
from polemarque.systems.thucidide.movement import (
    Held,
    Move,
    allowance,
    can_leave,
    exits,
    judged,
    leader_moves,
    movement,
    possible_moves,
    refusal,
    strides,
)
from polemarque.systems.thucidide.orders import CALL, NONE, Route, calling, cost, offer, openings
from polemarque.systems.thucidide.state import Battle, Leader, Unit

DONE = "done"
"""The word for moving nobody else of this leader's."""

LATE = ""
"""In place of a leader: units whose leader's moment to move them is past (TH-2.5)."""

JUDGED_BY: Mapping[str, Mapping[str, Any]] = {
    "marche_forcee": {"further": FURTHER}, "guide_local": {"guided": True}
}  # fmt: skip
"""How moves by an order of TH-5.2 are judged."""

RULES = {
    "apart": "TH-F8", "closed": "TH-F9", "enemy": "TH-F8", "friend": "TH-F8", "stop": "TH-F9",
    "taken": "TH-F1", "far": "TH-F8",
}  # fmt: skip
"""The rules that close a way (see `movement.refusal`)."""


@script("TH-2.3")
def movement_phase(battle: Battle) -> Next[Battle]:
    """Units of the first leader move, then those of the second; orders before and after."""
    items: list[Item] = [then(leader_begins, leader) for leader in (*battle.acting, LATE)]
    battle = replace(battle, phase="movement")
    return battle, [item("TH-5.6/before"), *items, item("TH-5.6")]


@script("TH-2.3/leader")
def leader_begins(battle: Battle, leader: str) -> Next[Battle]:
    """One leader's moves: what leaders do of themselves, his order for all, his units."""
    if not movers(battle, leader):
        return battle, []
    for_all: list[Item] = [] if leader == LATE else [item("TH-5.3", leader)]
    return battle, [*openings(battle, "before_move"), *for_all, then(next_mover, leader)]


def movers(battle: Battle, leader: str) -> tuple[str, ...]:
    """Units of a leader's, and leaders alone, that have still to move; for `LATE` everybody's."""
    seat = battle.active
    units = [
        unit.code
        for unit in battle.units_of(seat)
        if unit.marks.by and leader in (unit.marks.by, LATE) and not unit.marks.moved
    ]
    leaders = [
        one.code
        for one in battle.leaders_of(seat)
        if one.by and leader in (one.by, LATE) and not one.moved
    ]
    return (*units, *leaders)


class Orders(msgspec.Struct, frozen=True):
    """Who moves, and where; of a unit its order as well, who goes along, and whether it leaves."""

    who: str
    order: str = NONE
    form: str = ""
    way: tuple[Cell, ...] = ()
    along: tuple[str, ...] = ()
    leaves: str = "no"


@script("TH-F8", edition="2026-11.2")
def next_mover(battle: Battle, leader: str) -> Step[Battle]:
    """One unit of a leader's moves, or a leader alone, until the player is done."""
    return (yield from one_moves(battle, leader, calling(battle, battle.active)))


def one_moves(battle: Battle, leader: str, called: tuple[str, ...]) -> Step[Battle]:
    """One move; or `CALL`, where it is offered, and the question again."""
    waiting = movers(battle, leader)
    if not waiting:
        return battle, []
    held = battle.by_cell()
    sheet = Sheet(lambda: _move_sheet(battle, waiting, held, called))
    orders = yield from ask(
        battle.active, sheet, absent=Orders(DONE), subject=leader,
        proposes={"order": NONE, "along": attrgetter("words")},
    )  # fmt: skip
    who = orders.who
    if who == DONE:
        return _all_stay(battle, waiting), []
    if who == CALL:
        called_on = item("TH-8.3/call", battle.active, "before_move")
        return battle, [called_on, then(next_mover, leader)]
    if who in battle.leaders:
        battle = yield from leader_moves_alone(battle, battle.leaders[who], orders.way)
    else:
        battle = yield from _unit_goes(battle, battle.units[who], orders, held)
    moved_hurt = who in battle.units and battle.units[who].elements < battle.units[who].start
    rally: list[Item] = [item("TH-5.6/after", who)] if moved_hurt else []
    return battle, [*rally, *openings(battle, "after_move"), then(next_mover, leader)]


def _all_stay(battle: Battle, waiting: tuple[str, ...]) -> Battle:
    """Units that have not moved have had their moment."""
    for code in waiting:
        if code in battle.units:
            battle = battle.with_units(stayed(battle.units[code]))
        else:
            battle = battle.leader(code, moved=True)
    return battle


def stayed(unit: Unit) -> Unit:
    """A unit that ends its movement where it began it; steps paid may keep it from fighting."""
    marks = unit.marks
    hexes = strides(allowance(unit.figures), marks.further).fight
    return replace(
        unit, marks=replace(marks, moved=True, fights=marks.fights and hexes >= marks.steps)
    )


def _move_sheet(
    battle: Battle, waiting: tuple[str, ...], held: Held, called: tuple[str, ...]
) -> Filling:
    """Who moves; for a unit its order, its way, and who goes along."""
    who = yield "who", OneOf((*waiting, DONE, *called), "mover")
    if who in (DONE, CALL):
        return
    if who in battle.leaders:
        ways = leader_moves(battle, battle.leaders[who])
        yield "way", Path({cell: way.path for cell, way in ways.items()})
        return
    unit = battle.units[who]
    code = NONE
    given = moving_orders(battle, unit, held)
    if given:
        code = yield "order", offer(battle, "manoeuvre", unit, given)
    if code in CHANGES:
        offered = forms(battle, unit, code)
        form = offered[0]
        if len(offered) > 1:
            form = yield "form", OneOf(offered, "formation")
        unit = changed(unit, code, form)
        battle = battle.with_units(unit)
    way = yield "way", _ways(battle, unit, code, held)
    with_it = _company(battle, unit)
    if way and with_it:
        yield "along", SeveralOf(with_it, 0, None, "leader")
    if _may_leave(battle, unit, code, way, held):
        yield "leaves", OneOf(("no", "yes"), "leaves")


def _ways(battle: Battle, unit: Unit, code: str, held: Held) -> Path:
    """The ways of a unit; by an order that is to lead it on, only those that need the order."""

    def note(way: tuple[Cell, ...]) -> str:
        return _leads_to(battle, unit, _made(battle, unit, code, way, held), held)

    if code in LEADING_ON:
        ways = _paths(LEADING_ON[code](battle, unit, held))
        return Path(ways, False, partial(is_gain, battle, unit, held, **JUDGED_BY[code]), note)
    ways = _paths(possible_moves(battle, unit, held))

    def why(way: tuple[Cell, ...]) -> NotAllowed | None:
        """The first thing wrong with a way; a hex alone says nothing of the way to it."""
        if len(way) == 1 and not battle.board.grid.adjacent(unit.cell, way[0]):
            return None
        code, cell = refusal(battle, unit, way, held)
        named = {"unit": unit.code, "cell": cell, "terrain": battle.board.terrain.get(cell, "")}
        return NotAllowed(f"thucidide.way_{code}", rule=RULES[code], part=cell, legal=ways, **named)

    legal = partial(judged, battle, unit, held=held)
    return Route(ways, True, lambda way: legal(way) is not None, note, why)


def _leads_to(battle: Battle, unit: Unit, move: Move, held: Held) -> str:
    """What a way leads to: "fights" where the unit may fight then, "meets" beside an enemy as well,
    "shuns" beside an enemy where it may not; "" for none of these."""
    place = move.path[-1] if move.path else unit.cell
    near = [held[cell] for cell in battle.board.grid.neighbours(place) if cell in held]
    meets = any(other.seat != unit.seat for other in near)
    fights = unit.marks.fights and move.fights
    return ("meets" if fights else "shuns") if meets else ("fights" if fights else "")


def _paths(found: Mapping[Cell, Move]) -> dict[Cell, tuple[Cell, ...]]:
    return {cell: move.path for cell, move in found.items()}


def _company(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Leaders who can go along with a unit (TH-2.4): those with it who have not moved."""
    return tuple(
        [one.code for one in battle.leaders_of(unit.seat)
         if one.cell == unit.cell and not one.moved]
    )  # fmt: skip


def _may_leave(battle: Battle, unit: Unit, code: str, way: tuple[Cell, ...], held: Held) -> bool:
    """Whether a unit can leave the board at the end of a move (TH-F10)."""
    if (way[-1] if way else unit.cell) not in exits(battle, unit.seat):
        return False
    move = _made(battle, unit, code, way, held)
    return can_leave(battle, unit, move, **JUDGED_BY.get(code, {}))


def _made(battle: Battle, unit: Unit, code: str, way: tuple[Cell, ...], held: Held) -> Move:
    """A move that was answered, with what it uses up."""
    if not way:
        return Move((), 0, stayed(unit).marks.fights)
    move = judged(battle, unit, way, held, **JUDGED_BY.get(code, {}))
    assert move is not None
    return move


def _unit_goes(battle: Battle, unit: Unit, orders: Orders, held: Held) -> Rule[Battle]:
    """A unit moves as its owner has said, its order paid first."""
    code = orders.order
    if code in CHANGES:
        offered = forms(battle, unit, code)
        form = orders.form or offered[0]
        battle = yield from manoeuvre_paid(battle, unit.seat, cost(battle, code, unit))
        yield from tell_change(unit, code, form)
        unit = changed(unit, code, form)
    move = _made(battle.with_units(unit), unit, code, orders.way, held)
    if code in LEADING_ON:
        battle = yield from led_on(battle, unit, code, move.path)
        unit = battle.units[unit.code]
    battle = yield from moved(battle, unit, move, orders.along)
    return (yield from _left(battle, unit)) if orders.leaves == "yes" else battle


def led_on(battle: Battle, unit: Unit, code: str, path: tuple[Cell, ...]) -> Rule[Battle]:
    """TH-5.2: a guide is paid « 2 par hex » of difficult terrain, a forced march once, for one hex
    more; where they lead, `LEADING_ON` says.
    """
    if code == "marche_forcee":
        battle = yield from manoeuvre_paid(battle, unit.seat, cost(battle, code, unit))
        yield from tell("TH-5.2", "marche_forcee", seat=unit.seat, unit=unit.code)
        return battle.marked(unit.code, further=unit.marks.further + FURTHER)
    due = guide_price(battle, unit, path)
    battle = yield from manoeuvre_paid(battle, unit.seat, due)
    yield from tell("TH-5.2", "guide_local", seat=unit.seat, unit=unit.code, tokens=due.total)
    return battle


def moved(battle: Battle, unit: Unit, move: Move, along: tuple[str, ...]) -> Rule[Battle]:
    """The battle after a unit's movement; leaders who go along have moved too (TH-2.4)."""
    if not move.path:
        return battle.with_units(stayed(unit))
    marks = replace(
        unit.marks, moved=True, hexes=len(move.path), start=unit.cell,
        fights=unit.marks.fights and move.fights,
    )  # fmt: skip
    place = move.path[-1]
    yield from explain(movement(unit))
    yield from tell(
        "TH-F8", "moves", seat=unit.seat, unit=unit.code, start=unit.cell, place=place,
        via=move.path[:-1], leaders=along, fights=marks.fights,
    )  # fmt: skip
    battle = battle.with_units(replace(unit, cell=place, marks=marks))
    gone = [replace(battle.leaders[code], cell=place, moved=True) for code in along]
    return battle.with_leaders(*gone)


def _left(battle: Battle, unit: Unit) -> Rule[Battle]:
    """A unit leaves the board; leaders stay behind."""
    place = battle.units[unit.code].cell
    yield from tell("TH-F10", "leaves", seat=unit.seat, unit=unit.code, place=place)
    return battle.unit(unit.code, cell="", fate="left", exit=place)


def leader_moves_alone(battle: Battle, leader: Leader, way: tuple[Cell, ...]) -> Rule[Battle]:
    """A leader activated alone moves, once, and joins a unit of its side there (TH-2.4)."""
    if way:
        joined = battle.unit_at(way[-1])
        yield from tell(
            "TH-2.4", "leader_moves", seat=leader.seat, leader=leader.code, start=leader.cell,
            place=way[-1], unit=joined.code if joined else "",
        )  # fmt: skip
        return battle.leader(leader.code, cell=way[-1], moved=True)
    return battle.leader(leader.code, moved=True)
