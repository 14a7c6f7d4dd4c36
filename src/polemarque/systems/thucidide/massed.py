"""Orders for several units or for the army: TH-5.3 before a leader's moves, TH-5.6 after all.

With the latter come those to units that are not activated, which are asked for before all moves
too.  The orders of TH-5 that go to one unit as it moves stand in `moves`.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from polemarque.kernel.agenda import Item, Rule, ask, script, tell
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.request import Amount, Filling, OneOf, Path, Reasoned, SeveralOf, Sheet
from polemarque.maps.grid import Cell
from polemarque.systems.thucidide.activation import candidates, may_activate
from polemarque.systems.thucidide.chain import affordable, cost
from polemarque.systems.thucidide.manoeuvre import (
    FURTHER,
    MASS,
    all_marching,
    army_price,
    can_rally,
    changed,
    goes_farther,
    manoeuvre_paid,
    mass_units,
    own_price,
    rallied,
    rally_most,
    rally_reaches,
    tell_change,
)
from polemarque.systems.thucidide.moments import openings
from polemarque.systems.thucidide.movement import Held, Move, possible_moves
from polemarque.systems.thucidide.moves import LATE, moved, movers
from polemarque.systems.thucidide.offers import NONE, refused
from polemarque.systems.thucidide.state import Battle, Leader, Unit

ONE_HEX = 1
"""How far a unit goes that is forced to march without being activated (TH-5.2)."""


def _offer(battle: Battle, given: tuple[str, ...], leader: Leader | None) -> Reasoned:
    """No order, or one of these; `leader` is he whose own prices count (see `own_price`)."""

    def why(code: str) -> NotAllowed | None:
        return refused(battle, "manoeuvre", None, code, special=own_price(code, leader))

    return Reasoned((NONE, *given), "offer", why=why)


# Before a leader's units move (TH-5.3, TH-5.4) ---------------------------------------------------


@script("TH-5.3")
def orders_for_all(battle: Battle, leader: str) -> Rule[tuple[Battle, list[Item]]]:
    """En avant marche !, or loosening in mass, for the units of a leader about to move."""
    seat = battle.active
    given = _massed(battle, leader)
    if not given:
        return battle, []
    orders = yield from ask(
        seat, lambda _: Sheet(lambda: _mass_sheet(battle, leader, given)),
        absent={"order": NONE}, subject=leader,
    )  # fmt: skip
    code = orders["order"]
    if code == NONE:
        return battle, []
    battle = yield from manoeuvre_paid(battle, seat, army_price(code, battle.leaders[leader]))
    if code == "en_avant":
        yield from tell("TH-5.3", "en_avant", seat=seat, leader=leader)
        return all_marching(battle, leader), []
    yield from tell("TH-5.4", "serrer_masse", seat=seat, leader=leader, units=orders["changing"])
    for each in orders["changing"]:
        unit = battle.units[each]
        yield from tell_change(unit, "serrer", "")
        battle = battle.with_unit(changed(unit, "serrer", ""))
    return battle, []


def _massed(battle: Battle, leader: str) -> tuple[str, ...]:
    """Orders for all that can be given a leader's units now."""
    side, one = battle.sides[battle.active], battle.leaders[leader]
    if side.manoeuvred:
        return ()
    given = []
    if side.tokens >= army_price("en_avant", one).total:
        able = [code for code in movers(battle, leader) if code in battle.units]
        given += ["en_avant"] if any(goes_farther(battle.units[code]) for code in able) else []
    if side.tokens >= army_price("serrer_masse", one).total and mass_units(battle, leader):
        given.append("serrer_masse")
    return tuple(given)


def _mass_sheet(battle: Battle, leader: str, given: tuple[str, ...]) -> Filling:
    code = yield "order", _offer(battle, given, battle.leaders[leader])
    if code == "serrer_masse":
        words = mass_units(battle, leader)
        yield "changing", SeveralOf(words, 1, min(MASS, len(words)), "unit")


# Before and after all moves (TH-5.2, TH-5.5, TH-5.6) ---------------------------------------------


@script("TH-5.6/before")
def first_orders(battle: Battle) -> Rule[tuple[Battle, list[Item]]]:
    """An order to a unit that is not activated, before leaders and units move away.

    Where nobody is to move, it can as well be given at the end.
    """
    given = _unmoved(battle) if movers(battle, LATE) else ()
    return (yield from _ordered(battle, given))


@script("TH-5.6/after")
def order_after_its_move(battle: Battle, code: str) -> Rule[tuple[Battle, list[Item]]]:
    """A unit that is activated rallies at the end of its move, before leaders go away with others.

    Where nobody else is to move, it can as well be ordered at the end.
    """
    asks = not battle.sides[battle.active].manoeuvred and movers(battle, LATE)
    given = ("ralliement",) if asks and code in _rallying(battle) else ()
    return (yield from _ordered(battle, given))


@script("TH-5.6")
def last_orders(battle: Battle) -> Rule[tuple[Battle, list[Item]]]:
    """The turn's manoeuvre order, if it is still to give: a rally, a second command phase…"""
    return (yield from _ordered(battle, _last(battle)))


def _ordered(battle: Battle, given: tuple[str, ...]) -> Rule[tuple[Battle, list[Item]]]:
    """Ask for one of these orders, and carry it out."""
    seat = battle.active
    if not given:
        return battle, []
    orders = yield from ask(
        seat, lambda _: Sheet(lambda: _last_sheet(battle, given)), absent={"order": NONE}
    )
    code = orders["order"]
    if code == NONE:
        return battle, []
    if code == "second_assaut":
        battle = yield from manoeuvre_paid(battle, seat, army_price(code, battle.general_of(seat)))
        yield from tell("TH-5.5", "second_assaut", seat=seat)
        return replace(battle, second=True, phase="command"), [("TH-2.2",), ("TH-2.3",)]
    unit = battle.units[orders["unit"]]
    if code == "ralliement":
        elements = orders["elements"]
        battle = yield from manoeuvre_paid(battle, seat, cost(battle, code, unit, elements))
        yield from tell("TH-5.6", "rallies", seat=seat, unit=unit.code, elements=elements)
        return rallied(battle, unit, elements), []
    battle = yield from _unit_forced(battle, unit, orders)
    return battle, []


def _unit_forced(battle: Battle, unit: Unit, orders: dict[str, Any]) -> Rule[Battle]:
    """Variant `any` of TH-5.2: a unit that is not activated moves one hex and does not fight."""
    move = forced_moves(battle, unit, battle.by_cell())[orders["way"][-1]]
    battle = yield from manoeuvre_paid(battle, unit.seat, cost(battle, "marche_forcee", unit))
    yield from tell("TH-5.2", "marche_forcee", seat=unit.seat, unit=unit.code)
    return (yield from moved(battle, unit, move, ()))


@script("TH-5.2/forced")
def unit_forced_by_a_leader(battle: Battle, code: str) -> Rule[tuple[Battle, list[Item]]]:
    """Variant `any` of TH-5.2: the same for nothing, by a leader who commits himself (TH-8.2)."""
    unit = battle.units[code]
    if not can_be_forced(battle, unit, battle.by_cell()):  # the umpire has changed what could be
        return battle, []
    found = forced_moves(battle, unit, battle.by_cell())
    ways = {cell: move.path for cell, move in found.items()}
    first = next(iter(ways.values()))
    way = first
    if len(ways) > 1:
        way = yield from ask(unit.seat, Path(ways, stay=False), absent=first, subject=code)
    yield from tell("TH-5.2", "marche_forcee", seat=unit.seat, unit=code)
    return (yield from moved(battle, unit, found[way[-1]], ())), []


def _unmoved(battle: Battle) -> tuple[str, ...]:
    """Manoeuvre orders that can be given to units that have not to move, or no longer."""
    side = battle.sides[battle.active]
    if side.manoeuvred or not side.tokens:
        return ()
    given = []
    if _rallying(battle):
        given.append("ralliement")
    if _forcible(battle):
        given.append("marche_forcee")
    return tuple(given)


def _last(battle: Battle) -> tuple[str, ...]:
    """Manoeuvre orders that can be given once all units have moved."""
    given, side = _unmoved(battle), battle.sides[battle.active]
    due = army_price("second_assaut", battle.general_of(side.seat))
    affords = side.tokens >= due.total
    if affords and not side.manoeuvred and _second_possible(battle):
        return (*given, "second_assaut")
    return given


def _rallying(battle: Battle) -> tuple[str, ...]:
    return tuple(
        [
            unit.code
            for unit in battle.units_of(battle.active)
            if (unit.marks.moved or not unit.marks.by)
            and can_rally(battle, unit)
            and rally_reaches(battle, unit)
            and rally_most(battle, unit)
        ]
    )


def _second_possible(battle: Battle) -> bool:
    """Whether a second command phase could activate anybody (TH-5.5)."""
    if battle.sides[battle.active].scouting:
        return False
    then = replace(battle, second=True)
    return any(
        may_activate(then, one) and candidates(then, one) for one in then.leaders_of(then.active)
    )


def _forcible(battle: Battle) -> tuple[str, ...]:
    """Units that are not activated and can be forced to march a hex, by the variant `any`."""
    held = battle.by_cell()
    return tuple(
        [
            unit.code
            for unit in battle.units_of(battle.active)
            if affordable(battle, "marche_forcee", unit) and can_be_forced(battle, unit, held)
        ]
    )


def can_be_forced(battle: Battle, unit: Unit, held: Held) -> bool:
    """Whether a unit stands that is not activated, and may and can be forced to march (TH-5.2).

    Nobody is forced twice in a turn: that one hex is all it goes.
    """
    if battle.options.forced_march != "any" or unit.marks.by or unit.marks.moved or not unit.cell:
        return False
    return bool(forced_moves(battle, unit, held))


def forced_moves(battle: Battle, unit: Unit, held: Held) -> dict[Cell, Move]:
    """The hexes next to a unit that it can be forced into; it does not fight afterwards."""
    return {
        cell: replace(move, fights=False)
        for cell, move in possible_moves(battle, unit, held, further=FURTHER).items()
        if len(move.path) == ONE_HEX
    }


def _last_sheet(battle: Battle, given: tuple[str, ...]) -> Filling:
    code = yield "order", _offer(battle, given, battle.general_of(battle.active))
    if code == "ralliement":
        who = yield "unit", OneOf(_rallying(battle), "unit")
        yield "elements", Amount(1, rally_most(battle, battle.units[who]), unit="elements")
    elif code == "marche_forcee":
        who = yield "unit", OneOf(_forcible(battle), "unit")
        ways = forced_moves(battle, battle.units[who], battle.by_cell())
        yield "way", Path({cell: move.path for cell, move in ways.items()}, stay=False)


@script("TH-2.3/end")
def movement_ends(battle: Battle) -> tuple[Battle, list[Item]]:
    """After the last move: what leaders do of themselves, then the combats, leader by leader.

    Whoever that activates still moves, at the end of the phase (TH-2.5).
    """
    fighting: list[Item] = [("TH-F5", leader) for leader in dict.fromkeys(battle.acting)]
    return battle, [
        *openings(battle, "movement_end"), ("TH-2.3/leader", LATE), ("TH-2.3/combat",), *fighting,
        ("TH-F5/late",), ("TH-F1/end",),
    ]  # fmt: skip


@script("TH-2.3/combat")
def combat_phase(battle: Battle) -> tuple[Battle, list[Item]]:
    """From now on units that are activated fight, and do not move (TH-2.5)."""
    return replace(battle, phase="combat"), []
