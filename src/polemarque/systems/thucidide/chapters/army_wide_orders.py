"""Orders for several units or for the army: TH-5.3 before a leader's moves, TH-5.6 after all.

With the latter come those to units that are not activated, which are asked for before all moves
too.  The orders of TH-5 that go to one unit as it moves stand in `moves`.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    Amount,
    Filling,
    Item,
    Next,
    NotAllowed,
    OneOf,
    Path,
    Reasoned,
    Rule,
    SeveralOf,
    Sheet,
    Step,
    ask,
    script,
    tell,
    then,
)
from polemarque.api.boards import Cell
from polemarque.systems.thucidide.chapters.activation import (
    candidates,
    leaders_activate,
    may_activate,
)
from polemarque.systems.thucidide.chapters.combat import late_units_fight, leader_fights
from polemarque.systems.thucidide.chapters.manoeuvre_orders import (
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
from polemarque.systems.thucidide.chapters.moves import (
    LATE,
    leader_begins,
    moved,
    movement_phase,
    movers,
)
from polemarque.systems.thucidide.chapters.turn import turn_ends
from polemarque.systems.thucidide.movement import Held, Move, possible_moves
from polemarque.systems.thucidide.orders import (
    ARMY,
    NONE,
    affordable,
    cost,
    offered_to,
    openings,
    refused,
)
from polemarque.systems.thucidide.state import Battle, Leader, Unit

ONE_HEX = 1
"""How far a unit goes that is forced to march without being activated (TH-5.2)."""


def _offer(
    battle: Battle, given: tuple[str, ...], leader: Leader | None, whose: str
) -> Reasoned:  # fmt: skip
    """No order, or one of these; own prices count of `leader` alone (see `own_price`).

    whose: see `offered_to`.
    """

    def why(code: str) -> NotAllowed | None:
        return refused(battle, "manoeuvre", None, code, special=own_price(code, leader))

    return Reasoned((NONE, *given), offered_to(whose), why=why)


# Before a leader's units move (TH-5.3, TH-5.4) ---------------------------------------------------


class Manoeuvre(msgspec.Struct, frozen=True):
    """A manoeuvre order: the units that it changes, or one unit with its way or its elements."""

    order: str = NONE
    changing: tuple[str, ...] = ()
    unit: str = ""
    way: tuple[Cell, ...] = ()
    elements: int = 0


@script("TH-5.3")
def orders_for_all(battle: Battle, leader: str) -> Step[Battle]:
    """En avant marche !, or loosening in mass, for the units of a leader about to move."""
    seat = battle.active
    given = _massed(battle, leader)
    if not given:
        return battle, []
    sheet = Sheet(lambda: _mass_sheet(battle, leader, given))
    orders = yield from ask(seat, sheet, absent=Manoeuvre(), subject=leader)
    code = orders.order
    if code == NONE:
        return battle, []
    battle = yield from manoeuvre_paid(battle, seat, army_price(code, battle.leaders[leader]))
    if code == "en_avant":
        yield from tell("TH-5.3", "en_avant", seat=seat, leader=leader)
        return all_marching(battle, leader), []
    yield from tell("TH-5.4", "serrer_masse", seat=seat, leader=leader, units=orders.changing)
    for each in orders.changing:
        unit = battle.units[each]
        yield from tell_change(unit, "serrer", "")
        battle = battle.with_units(changed(unit, "serrer", ""))
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
    code = yield "order", _offer(battle, given, battle.leaders[leader], leader)
    if code == "serrer_masse":
        words = mass_units(battle, leader)
        yield "changing", SeveralOf(words, 1, min(MASS, len(words)), "unit")


# Before and after all moves (TH-5.2, TH-5.5, TH-5.6) ---------------------------------------------


@script("TH-5.6/before")
def first_orders(battle: Battle) -> Step[Battle]:
    """An order to a unit that is not activated, before leaders and units move away.

    Where nobody is to move, it can as well be given at the end.
    """
    given = _unmoved(battle) if movers(battle, LATE) else ()
    return (yield from _ordered(battle, given))


@script("TH-5.6/after")
def order_after_its_move(battle: Battle, code: str) -> Step[Battle]:
    """A unit that is activated rallies at the end of its move, before leaders go away with others.

    Where nobody else is to move, it can as well be ordered at the end.
    """
    asks = not battle.sides[battle.active].manoeuvred and movers(battle, LATE)
    given = ("ralliement",) if asks and code in rallying(battle) else ()
    return (yield from _ordered(battle, given))


@script("TH-5.6")
def last_orders(battle: Battle) -> Step[Battle]:
    """The turn's manoeuvre order, if it is still to give: a rally, a second command phase…"""
    return (yield from _ordered(battle, _last(battle)))


def _ordered(battle: Battle, given: tuple[str, ...]) -> Step[Battle]:
    """Ask for one of these orders, and carry it out."""
    seat = battle.active
    if not given:
        return battle, []
    orders = yield from ask(seat, Sheet(lambda: _last_sheet(battle, given)), absent=Manoeuvre())
    if orders.order == NONE:
        return battle, []
    return (yield from EFFECTS[orders.order](battle, orders))


def forced_march(battle: Battle, orders: Manoeuvre) -> Step[Battle]:
    """Variant `any` of TH-5.2: a unit that is not activated moves one hex and does not fight."""
    unit = battle.units[orders.unit]
    battle = yield from manoeuvre_paid(battle, unit.seat, cost(battle, "marche_forcee", unit))
    return (yield from _marches(battle, unit, orders.way)), []


def _marches(battle: Battle, unit: Unit, way: tuple[Cell, ...]) -> Rule[Battle]:
    """The battle after the one hex."""
    yield from tell("TH-5.2", "marche_forcee", seat=unit.seat, unit=unit.code)
    return (yield from moved(battle, unit, Move(way, ONE_HEX, fights=False), ()))


def second_assault(battle: Battle, _: Manoeuvre) -> Step[Battle]:
    """TH-5.5: « une seconde phase de commandement dans le même tour », played before the combats.

    « Les unités déjà activées ne peuvent pas l'être une seconde fois »: `candidates` leaves out
    those with a mark.
    """
    seat = battle.active
    due = army_price("second_assaut", battle.general_of(seat))
    battle = yield from manoeuvre_paid(battle, seat, due)
    yield from tell("TH-5.5", "second_assaut", seat=seat)
    battle = replace(battle, second=True, phase="command")
    return battle, [then(leaders_activate), then(movement_phase)]


def rally(battle: Battle, orders: Manoeuvre) -> Step[Battle]:
    """TH-5.6: « rallier les éléments éliminés de l'unité », so many tokens for each."""
    unit, elements = battle.units[orders.unit], orders.elements
    due = cost(battle, "ralliement", unit, elements)
    battle = yield from manoeuvre_paid(battle, unit.seat, due)
    yield from tell("TH-5.6", "rallies", seat=unit.seat, unit=unit.code, elements=elements)
    return rallied(battle, unit, elements), []


EFFECTS = {"marche_forcee": forced_march, "second_assaut": second_assault, "ralliement": rally}
"""What each of these orders does, by its code."""


@script("TH-5.2/forced")
def unit_forced_by_a_leader(battle: Battle, code: str) -> Step[Battle]:
    """Variant `any` of TH-5.2: the same for nothing, by a leader who commits himself (TH-8.2)."""
    unit = battle.units[code]
    if not can_be_forced(battle, unit, battle.by_cell()):  # the umpire has changed what could be
        return battle, []
    ways = forced_ways(battle, unit, battle.by_cell())
    way = next(iter(ways.values()))
    if len(ways) > 1:
        way = yield from ask(unit.seat, Path(ways, stay=False), absent=way, subject=code)
    return (yield from _marches(battle, unit, way)), []


def _unmoved(battle: Battle) -> tuple[str, ...]:
    """Manoeuvre orders that can be given to units that have not to move, or no longer."""
    side = battle.sides[battle.active]
    if side.manoeuvred or not side.tokens:
        return ()
    able = {"ralliement": rallying(battle), "marche_forcee": forcible(battle)}
    return tuple([code for code, units in able.items() if units])


def _last(battle: Battle) -> tuple[str, ...]:
    """Manoeuvre orders that can be given once all units have moved."""
    side = battle.sides[battle.active]
    due = army_price("second_assaut", battle.general_of(side.seat))
    pays = side.tokens >= due.total and not side.manoeuvred
    again = ("second_assaut",) if pays and _second_possible(battle) else ()
    return (*_unmoved(battle), *again)


def rallying(battle: Battle) -> tuple[str, ...]:
    """Units of the active side that can be given a rally now (TH-5.6)."""
    return tuple(
        unit.code
        for unit in battle.units_of(battle.active)
        if (unit.marks.moved or not unit.marks.by)
        and can_rally(battle, unit)
        and rally_reaches(battle, unit)
        and rally_most(battle, unit)
    )


def _second_possible(battle: Battle) -> bool:
    """Whether a second command phase could activate anybody (TH-5.5)."""
    if battle.sides[battle.active].scouting:
        return False
    later = replace(battle, second=True)
    leaders = later.leaders_of(battle.active)
    return any(may_activate(later, one) and candidates(later, one) for one in leaders)


def forcible(battle: Battle) -> tuple[str, ...]:
    """Units that are not activated and can be forced to march a hex, by the variant `any`."""
    held = battle.by_cell()
    return tuple(
        unit.code
        for unit in battle.units_of(battle.active)
        if affordable(battle, "marche_forcee", unit) and can_be_forced(battle, unit, held)
    )


def can_be_forced(battle: Battle, unit: Unit, held: Held) -> bool:
    """Whether a unit stands that is not activated, and may and can be forced to march (TH-5.2).

    Nobody is forced twice in a turn: that one hex is all it goes.
    """
    if battle.options.forced_march != "any" or unit.marks.by or unit.marks.moved or not unit.cell:
        return False
    return bool(forced_ways(battle, unit, held))


def forced_ways(battle: Battle, unit: Unit, held: Held) -> dict[Cell, tuple[Cell, ...]]:
    """The hexes next to a unit that it can be forced into."""
    return {
        cell: move.path
        for cell, move in possible_moves(battle, unit, held, further=FURTHER).items()
        if len(move.path) == ONE_HEX
    }


def _last_sheet(battle: Battle, given: tuple[str, ...]) -> Filling:
    code = yield "order", _offer(battle, given, battle.general_of(battle.active), ARMY)
    if code == "ralliement":
        who = yield "unit", OneOf(rallying(battle), "rallied")
        yield "elements", Amount(1, rally_most(battle, battle.units[who]), unit="elements")
    elif code == "marche_forcee":
        who = yield "unit", OneOf(forcible(battle), "forced")
        yield "way", Path(forced_ways(battle, battle.units[who], battle.by_cell()), stay=False)


@script("TH-2.3/end")
def movement_ends(battle: Battle) -> Next[Battle]:
    """After the last move: what leaders do of themselves, then the combats, leader by leader.

    Those whom that activates still move, at the end of the phase (TH-2.5).
    """
    fighting: list[Item] = [then(leader_fights, leader) for leader in dict.fromkeys(battle.acting)]
    return battle, [
        *openings(battle, "movement_end"),
        then(leader_begins, LATE),
        then(combat_phase),
        *fighting,
        then(late_units_fight),
        then(turn_ends),
    ]


@script("TH-2.3/combat")
def combat_phase(battle: Battle) -> Next[Battle]:
    """From now on units that are activated fight, and do not move (TH-2.5)."""
    return replace(battle, phase="combat"), []
