"""Chapter « Ordres de manœuvre » (TH-5): to whom they can be given, and what they do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from polemarque.api import OneOf, Rule, Sum, ask, explain, tell
from polemarque.api.boards import Board, Cell
from polemarque.systems.thucidide.movement import (
    Held,
    Move,
    allowance,
    is_better,
    judged,
    pace,
    possible_moves,
    step_cost,
    stride,
)
from polemarque.systems.thucidide.orders import affordable, cost, in_reach, obeys, price
from polemarque.systems.thucidide.state import Battle, Leader, Unit
from polemarque.systems.thucidide.tables import FORMATIONS, FRAME, LOOSE, TERRAINS, ground

Trail = tuple[Cell, ...]
"""A way with the hex it begins in."""


class Led(NamedTuple):
    """A way on which a guide leads, and the hexes for which it takes him."""

    hexes: int
    trail: Trail


def guide_price(battle: Battle, unit: Unit, path: tuple[Cell, ...]) -> Sum:
    """What the guide of a way costs: by the hexes for which it takes him, reduced once."""
    trail = (unit.cell, *path)
    hexes = sum([_guided_step(battle.board, trail[: end + 1]) for end in range(1, len(trail))])
    return cost(battle, "guide_local", unit, hexes)


def guided_moves(battle: Battle, unit: Unit, held: Held) -> dict[Cell, Move]:
    """Moves that a guide makes possible, or after which the unit may then fight, or leave.

    Those it can pay; to each hex by the way that takes him for the fewest hexes, of those after
    which the unit may fight if there are any.
    """
    most = _hexes_paid(battle, unit)
    if not most or not rough_near(battle, unit):
        return {}
    to_fight, usual = stride(unit).fight, possible_moves(battle, unit, held)
    best: dict[Cell, tuple[int, Move]] = {}
    for steps, ways in enumerate(_ways(battle, unit, held, most), 1):
        for hexes, (_, *path) in ways:
            end, move = path[-1], Move(tuple(path), steps, steps <= to_fight)
            known = best.get(end)
            if known is None or (hexes < known[0] and move.fights == known[1].fights):
                best[end] = hexes, move
    return {
        end: move
        for end, (_, move) in best.items()
        if end not in held and is_better(battle, unit, move, usual.get(end), guided=True)
    }


def rough_near(battle: Battle, unit: Unit) -> bool:
    """Whether there is any difficult terrain as far as a unit moves; spares a search."""
    near = battle.board.grid.within(unit.cell, max(stride(unit).most, 1))
    return any(ground(battle.board, cell).is_difficult for cell in near)


def _hexes_paid(battle: Battle, unit: Unit) -> int:
    """For how many hexes a unit could have a guide with the tokens there are."""
    tokens, hexes = battle.sides[unit.seat].tokens, range(1, stride(unit).most + 1)
    return max(
        [n for n in hexes if cost(battle, "guide_local", unit, n).total <= tokens], default=0
    )


def _ways(battle: Battle, unit: Unit, held: Held, most: int) -> Iterator[list[Led]]:
    """Ways of one hex, of two and so on, with a guide for `most` hexes; the cheapest to each hex.

    One that comes by road and one that does not are kept apart: they may cost more to go on.
    """
    board, start = battle.board, unit.cell
    cost_of, ways = step_cost(battle, unit, held, guided=True), [Led(0, (start,))]
    for _ in range(stride(unit).most):
        found: dict[tuple[Cell, bool], Led] = {}
        for led in ways:
            here = led.trail[-1]
            for there in board.grid.neighbours(here):
                if there == start or cost_of(here, there) is None:
                    continue
                trail = (*led.trail, there)
                hexes = led.hexes + _guided_step(board, trail)
                known = found.get((there, board.road(here, there)))
                if hexes <= most and (known is None or hexes < known.hexes):
                    found[there, board.road(here, there)] = Led(hexes, trail)
        ways = list(found.values())
        yield ways


def _guided_step(board: Board, trail: Trail) -> int:
    """For how many hexes the last step of a trail takes the guide.

    For difficult ground that it enters otherwise than by road; and for ground that would have
    ended the move, come to by road, which it leaves otherwise.
    """
    *before, here, there = trail
    if board.road(here, there):
        return 0
    by_road = bool(before) and board.road(before[-1], here)
    left = by_road and TERRAINS[board.terrain_of(here)].stop
    return int(left) + int(TERRAINS[board.terrain_of(there)].is_difficult)


BREAK = "break"
"""The word for breaking a special formation."""

CHANGES = ("monter", "formation", "serrer")
"""Orders that change how a unit stands, each for one movement step (TH-5.1)."""

ONE_STEP = FRAME.orders.step
"""Movement steps paid for such a change."""

FURTHER = FRAME.orders.further
"""Hexes that Marche forcée adds (TH-5.2)."""

RALLY_ROWS, ENEMY_AT = FRAME.rally.rows, FRAME.rally.enemies
"""A unit rallies in the rows next to its edge, with enemies at this distance or more (TH-5.6)."""

MASS = FRAME.orders.mass
"""Units that loosen or close their ranks in mass (TH-5.4)."""


# To whom (TH-5.1, TH-5.2) ------------------------------------------------------------------------


def moving_orders(battle: Battle, unit: Unit, held: Held) -> tuple[str, ...]:
    """Manoeuvre orders that an activated unit can be given as it moves, paid and in reach."""
    side = battle.sides[unit.seat]
    if side.manoeuvred or not side.tokens:
        return ()
    return tuple(
        code
        for code in (*CHANGES, *LEADING_ON)
        if affordable(battle, code, unit) and suits(battle, unit, code, held)
    )


def suits(battle: Battle, unit: Unit, code: str, held: Held) -> bool:
    """Whether an order would change anything for a unit that is to move now."""
    if code in CHANGES:
        return can_change(battle, unit, code)
    return bool(LEADING_ON[code](battle, unit, held))


def can_change(battle: Battle, unit: Unit, code: str) -> bool:
    """Whether a unit can change by an order of TH-5.1, and has a movement step to pay for it.

    Whatever a formation takes from its movement, it has a step to break it.
    """
    return pace(unit) >= ONE_STEP and bool(forms(battle, unit, code))


def forms(battle: Battle, unit: Unit, code: str) -> tuple[str, ...]:
    """What a unit can change into by an order of TH-5.1; empty if it cannot change."""
    if code == "monter":
        other = unit.other
        stands = other is not None and ground(battle.board, unit.cell).admits(other)
        return (other.kind,) if other is not None and stands else ()
    if code == "formation":
        arm = unit.figures.arm
        known = [f for f in unit.formations if f != unit.formation and arm in FORMATIONS[f].arms]
        return (*known, BREAK) if unit.formation else tuple(known)
    can = battle.options.loose_order == "yes" and unit.figures.arm in FORMATIONS[LOOSE].arms
    return (LOOSE,) if can else ()


def changed(unit: Unit, code: str, form: str) -> Unit:
    """A unit after an order of TH-5.1, the movement step paid.

    A formation that its new arm cannot take is broken, and its ranks are closed.
    """
    unit = replace(unit, marks=replace(unit.marks, steps=unit.marks.steps + ONE_STEP))
    if code == "formation":
        return replace(unit, formation="" if form == BREAK else form)
    if code == "serrer":
        return replace(unit, loose=not unit.loose)
    assert unit.other is not None
    arm = unit.other.arm
    keeps = unit.formation and arm in FORMATIONS[unit.formation].arms
    return replace(
        unit,
        figures=unit.other,
        other=unit.figures,
        mounted=not unit.mounted,
        formation=unit.formation if keeps else "",
        loose=unit.loose and arm in FORMATIONS[LOOSE].arms,
    )


def forced_marches(battle: Battle, unit: Unit, held: Held) -> dict[Cell, Move]:
    """TH-5.2: moves that « une case supplémentaire » opens, or after which the unit may still
    fight, or leave.
    """
    usual = possible_moves(battle, unit, held)
    return {
        cell: move
        for cell, move in possible_moves(battle, unit, held, further=FURTHER).items()
        if is_better(battle, unit, move, usual.get(cell), further=FURTHER)
    }


LEADING_ON = {"marche_forcee": forced_marches, "guide_local": guided_moves}
"""The orders of TH-5.2, and where each leads a unit that could not go there otherwise."""


def is_gain(
    battle: Battle, unit: Unit, held: Held, path: tuple[Cell, ...], *, further: int = 0,
    guided: bool = False,
) -> bool:  # fmt: skip
    """Whether a way can be gone by an order of TH-5.2, and is the better for it; the guide paid."""
    move = judged(battle, unit, path, held, further=further, guided=guided)
    usual = judged(battle, unit, path, held)
    if move is None or not is_better(battle, unit, move, usual, further=further, guided=guided):
        return False
    return not guided or guide_price(battle, unit, path).total <= battle.sides[unit.seat].tokens


def goes_farther(unit: Unit) -> bool:
    """Whether a hex more can be of use to a unit: it is not at the ceiling of its movement."""
    row = allowance(unit.figures)
    return not row.ceiling or row.fight < row.ceiling


# Rally (TH-5.6) ----------------------------------------------------------------------------------


def can_rally(battle: Battle, unit: Unit) -> bool:
    """Whether a unit has elements to regain, near its edge and far from enemy units.

    By the variant `general` it must be in the general's command range.  Whether an order reaches
    it is another question, as a leader who commits himself needs none (`rally_reaches`).
    """
    grid, by_general = battle.board.grid, battle.options.rally_by == "general"
    edge = battle.sides[unit.seat].edge
    if unit.elements >= unit.start or grid.rows_from(unit.cell, edge) > RALLY_ROWS:
        return False
    if enemies_within(battle, unit, ENEMY_AT - 1):
        return False
    return not by_general or _general_reaches(battle, unit)


def rally_reaches(battle: Battle, unit: Unit) -> bool:
    """Whether the order of a rally reaches a unit (TH-3.3): by `general` that is its own range."""
    return battle.options.rally_by == "general" or in_reach(battle, unit)


def enemies_within(battle: Battle, unit: Unit, hexes: int) -> bool:
    """Whether an enemy unit stands at that distance or nearer; lone leaders do not count."""
    far = battle.board.grid.distance
    enemies = battle.units_of(battle.enemy_of(unit.seat))
    return any(far(unit.cell, other.cell) <= hexes for other in enemies)


def rally_most(battle: Battle, unit: Unit) -> int:
    """How many elements a unit can regain with the tokens there are."""
    tokens = battle.sides[unit.seat].tokens
    lost = unit.start - unit.elements
    return max(
        [n for n in range(lost + 1) if not n or cost(battle, "ralliement", unit, n).total <= tokens]
    )


def _general_reaches(battle: Battle, unit: Unit) -> bool:
    general = battle.general_of(unit.seat)
    far = battle.board.grid.distance
    return (
        general is not None
        and obeys(unit, general)
        and far(general.cell, unit.cell) <= general.reach
    )


def rallied(battle: Battle, unit: Unit, elements: int) -> Battle:
    """The battle after a unit has regained elements, never above its start."""
    return battle.unit(unit.code, elements=min(unit.elements + elements, unit.start))


# For all units of a leader (TH-5.3, TH-5.4) ------------------------------------------------------


def mass_units(battle: Battle, leader: str) -> tuple[str, ...]:
    """Units that can loosen or close their ranks in mass, within their leader's command range."""
    one = battle.leaders[leader]
    far = battle.board.grid.distance
    return tuple(
        unit.code
        for unit in battle.units_of(one.seat)
        if unit.marks.by == leader
        and not unit.marks.moved
        and one.cell
        and far(one.cell, unit.cell) <= one.reach
        and can_change(battle, unit, "serrer")
    )


def all_marching(battle: Battle, leader: str) -> Battle:
    """The battle after En avant marche !: every unit that the leader activated goes farther."""
    units = [
        replace(unit, marks=replace(unit.marks, further=unit.marks.further + FURTHER))
        for unit in battle.units_of(battle.active)
        if unit.marks.by == leader and not unit.marks.moved
    ]
    return battle.with_units(*units)


def army_price(code: str, leader: Leader | None) -> Sum:
    """What an order for several units, or for the army, costs: nobody's influence reduces it.

    leader: who gives it (see `own_price`).
    """
    return price(code, special=own_price(code, leader))


def own_price(code: str, leader: Leader | None) -> int | None:
    """The own price of the leader of an order to many (TH-1.4); None for the list's price.

    That is for his units the leader who has activated them, for the army its general.
    """
    return leader.prices.get(code) if leader is not None and leader.present else None


# Paid, or given by a leader who commits himself (TH-8.2) -----------------------------------------


def manoeuvre_paid(battle: Battle, seat: str, due: Sum) -> Rule[Battle]:
    """The battle after a manoeuvre order has been paid, the only one of this turn (TH-3.5)."""
    yield from explain(due)
    battle = battle.paying(seat, due.total)
    return battle.side(seat, manoeuvred=True)


def direct_orders(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Manoeuvre orders that a leader can give a unit by committing himself to it (TH-8.2).

    Cost, reach and number do not count; what the order itself asks does: an activated unit that
    has still to move for all but the rally.
    """
    if battle.phase not in ("command", "movement") or unit.seat != battle.active:
        return ()
    codes = []
    if unit.marks.by and not unit.marks.moved:
        codes = [code for code in CHANGES if can_change(battle, unit, code)]
        codes += ["marche_forcee"] if goes_farther(unit) else []
        if "guide_local" not in unit.marks.orders and rough_near(battle, unit):
            codes.append("guide_local")
    if can_rally(battle, unit) and not (unit.marks.by and not unit.marks.moved):
        codes.append("ralliement")
    return tuple(codes)


def give_direct(battle: Battle, unit: Unit, code: str) -> Rule[Battle]:
    """The battle after such an order; a formation is asked for where there are several."""
    form = ""
    if code in CHANGES:
        offered = forms(battle, unit, code)
        form = offered[0]
        if len(offered) > 1:
            form = yield from ask(
                unit.seat, OneOf(offered, "formation"), absent=form, subject=unit.code
            )
        yield from tell_change(unit, code, form)
        return battle.with_units(changed(unit, code, form))
    if code == "ralliement":
        lost = unit.start - unit.elements
        yield from tell("TH-5.6", "rallies", seat=unit.seat, unit=unit.code, elements=lost)
        return rallied(battle, unit, lost)
    if code == "guide_local":
        yield from tell("TH-5.2", "guide_direct", seat=unit.seat, unit=unit.code)
        return battle.marked(unit.code, orders=(*unit.marks.orders, code))
    yield from tell("TH-5.2", "marche_forcee", seat=unit.seat, unit=unit.code)
    return battle.marked(unit.code, further=unit.marks.further + FURTHER)


def tell_change(unit: Unit, code: str, form: str) -> Rule[None]:
    """Tell how a unit changes (TH-5.1)."""
    seat, name = unit.seat, unit.code
    if code == "monter":
        yield from tell("TH-5.1", "dismounts" if unit.mounted else "mounts", seat=seat, unit=name)
    elif code == "serrer":
        yield from tell("TH-5.1", "closes" if unit.loose else "loosens", seat=seat, unit=name)
    elif form == BREAK:
        yield from tell("TH-5.1", "breaks", seat=seat, unit=name, formation=unit.formation)
    else:
        yield from tell("TH-5.1", "forms", seat=seat, unit=name, formation=form)
