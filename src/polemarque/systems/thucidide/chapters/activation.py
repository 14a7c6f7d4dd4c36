"""Chapter « Activation des unités » (TH-2): which leaders activate, and whom."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    Filling,
    Next,
    NotAllowed,
    OneOf,
    Rule,
    Sheet,
    Step,
    ask,
    item,
    script,
    tell,
    then,
)
from polemarque.systems.thucidide.chapters.moves import movement_phase
from polemarque.systems.thucidide.orders import (
    CALL,
    NONE,
    Chosen,
    calling,
    has_committing,
    obeys,
    openings,
)
from polemarque.systems.thucidide.setup.options import Stops
from polemarque.systems.thucidide.state import Battle, Leader, Unit
from polemarque.systems.thucidide.tables import RANKS, TABLES

MESSENGER = "messenger"
"""Who activates a unit between a Messager and the naming of the leader with whom it acts."""

STOPS: tuple[Stops, ...] = get_args(Stops)
"""When a seat can be asked about commitments, as it is offered (TH-8.3)."""


class Sizes(msgspec.Struct, frozen=True):
    """Sizes of an army's activations in a turn, in order."""

    sizes: tuple[int, ...]


SIZES = TABLES.table("TH-2.1", Sizes)


def usual_activations(units: int) -> tuple[int, ...]:
    """Sizes of the activations of an army of so many units (TH-2.1)."""
    return SIZES.row(units).sizes


def sizes(battle: Battle) -> tuple[int, ...]:
    """Sizes of this command phase's activations, orders of command counted (TH-4)."""
    side = battle.sides[battle.active]
    if side.scouting:
        return (1,)
    usual = side.activations
    return usual + (usual[-1],) * (0 if battle.second else side.further)


def may_activate(battle: Battle, leader: Leader) -> bool:
    """Whether a leader may still make an activation in this command phase (TH-2.2).

    In the second one of TH-5.5 by the variant `others` only those who have not activated may.
    """
    if not leader.activates:
        return True
    return battle.second and battle.options.second_assault == "again" and leader.activates == 1


def anyone_activated(battle: Battle) -> bool:
    """Whether a unit, or a leader alone, of the active side has been activated this turn.

    A unit that has been destroyed since then counts as well.
    """
    pieces: tuple[Unit | Leader, ...] = (*battle.units.values(), *battle.leaders.values())
    marks = [one.marks.by if isinstance(one, Unit) else one.by for one in pieces
             if one.seat == battle.active]  # fmt: skip
    return any(marks)


def candidates(battle: Battle, leader: Leader) -> tuple[str, ...]:
    """Whom a leader can activate: units in his range, and leaders, who are activated alone.

    Leaders are reached at any distance (TH-1.3, TH-2.4); a contingent has its own (TH-F13).
    """
    far, here, reach = battle.board.grid.distance, leader.cell, leader.reach
    units = [
        unit.code
        for unit in battle.units.values()
        if unit.cell
        and unit.seat == leader.seat
        and not unit.marks.by
        and unit.contingent == leader.contingent
        and far(here, unit.cell) <= reach
    ]
    leaders = [
        one.code
        for one in battle.leaders_of(leader.seat)
        if not one.by and not one.moved and one.contingent == leader.contingent
    ]
    return (*units, *leaders)


def activated(battle: Battle, leader: Leader, chosen: tuple[str, ...]) -> Battle:
    """The battle after a leader has activated units, and leaders alone."""
    code = leader.code
    acting = battle.acting if code in battle.acting else (*battle.acting, code)
    battle = replace(battle, acting=acting).leader(code, activates=leader.activates + 1)
    for each in chosen:
        battle = (
            activate(battle, each, code) if each in battle.units else battle.leader(each, by=code)
        )
    return battle


def activate(battle: Battle, unit: str, leader: str) -> Battle:
    """The battle with one unit that acts with a leader; in the combat phase it no longer moves."""
    if battle.phase == "combat":
        return battle.marked(unit, by=leader, moved=True)
    return battle.marked(unit, by=leader)


def companions(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Leaders with whom a unit activated on top can act (TH-2.5): those who act this turn.

    Before any does, all whom the unit obeys, or else all of its side, the highest listed first.
    """
    acting = [code for code in battle.acting if battle.leaders[code].seat == unit.seat]
    if acting:
        return tuple(acting)
    there = battle.leaders_of(unit.seat)
    obeyed = [one for one in there if one.contingent == unit.contingent] or there
    obeyed.sort(key=lambda one: RANKS.index(one.rank))
    return tuple([one.code for one in obeyed])


@script("TH-2.2", edition="2026-11.2")
def leaders_activate(battle: Battle) -> Step[Battle]:
    """The player names the leaders who activate, in order, and each one's units."""
    return (yield from activations_named(battle, calling(battle, battle.active), STOPS))


def activations_named(
    battle: Battle, called: tuple[str, ...], stops: tuple[Stops, ...]
) -> Step[Battle]:
    """The activations of a phase; or `CALL`, where it is offered, and the question again."""
    seat = battle.active
    wanted = sizes(battle)
    able = [one for one in battle.leaders_of(seat) if may_activate(battle, one)]
    if not any(candidates(battle, one) for one in able):
        yield from tell("TH-2.2", "nobody", seat=seat)
        return battle, []
    orders = yield from ask(
        seat,
        lambda _: Sheet(lambda: _activation_sheet(battle, wanted, called, stops)),
        absent=lambda _: _nobody(battle),
        subject="second" if battle.second else "",
        warns=lambda _, orders: "nobody" if orders.get("leader.1") == NONE else "",
    )
    if orders.get("leader.1") == CALL:
        return battle, [item("TH-8.3/call", seat, "command"), then(leaders_activate)]
    for number in range(1, len(wanted) + 1):
        code = orders.get(f"leader.{number}", NONE)
        if code == NONE:
            break
        chosen = orders[f"units.{number}"]
        battle = activated(battle, battle.leaders[code], chosen)
        yield from tell(
            "TH-2.2", "activates", seat=seat, leader=code,
            units=tuple([each for each in chosen if each in battle.units]),
            leaders=tuple([each for each in chosen if each in battle.leaders]),
        )  # fmt: skip
    if not any(unit.marks.by for unit in battle.units_of(seat)) and not battle.acting:
        yield from tell("TH-2.2", "passes", seat=seat)
    battle = yield from _messenger_arrives(battle, orders.get("with", ""))
    return battle.side(seat, stops=orders.get("stops", battle.sides[seat].stops)), []


def _activation_sheet(
    battle: Battle, wanted: tuple[int, ...], called: tuple[str, ...], stops: tuple[Stops, ...]
) -> Filling:
    """Leader after leader with his units; then with whom the messenger's unit acts, and stops."""
    seat = battle.active
    able = {one.code: one for one in battle.leaders_of(seat) if may_activate(battle, one)}
    reached = {code: candidates(battle, one) for code, one in able.items()}
    taken: set[str] = set()
    acting: list[str] = list(battle.acting)
    for number, size in enumerate(wanted, 1):
        left = [code for code in reached if any(each not in taken for each in reached[code])]
        if not left:
            break
        offered = (*left, NONE, *called) if number == 1 else (*left, NONE)
        leader = yield f"leader.{number}", OneOf(offered, "leader")
        if leader == CALL:
            return
        if leader == NONE:
            break
        words = tuple([each for each in reached.pop(leader) if each not in taken])
        options = _reached(battle, able[leader], words, size)
        taken.update((yield f"units.{number}", options))
        acting.append(leader)
    if len(acting) > 1 and _carried(battle):
        yield "with", OneOf(tuple(dict.fromkeys(acting)), "leader")
    if _asks_stops(battle):
        now = battle.sides[seat].stops
        yield "stops", OneOf((now, *[word for word in stops if word != now]), "stops")


def _reached(battle: Battle, leader: Leader, words: tuple[str, ...], size: int) -> Chosen:
    """Whom a leader activates; who is refused is told why."""

    def why(code: str) -> NotAllowed | None:
        return not_activated(battle, leader, code, words)

    return Chosen(words, 1, min(size, len(words)), "mover", why=why)


def not_activated(
    battle: Battle, leader: Leader, code: str, legal: tuple[str, ...]
) -> NotAllowed | None:
    """Why a leader cannot activate somebody of his side now; None for others, and for leaders.

    Codes: thucidide.disobeys (another contingent), .too_far (need: distance, reach), .activated.
    """
    unit = battle.units.get(code)
    if unit is None or unit.seat != leader.seat or not unit.cell:
        return None
    named: dict[str, Any] = {"part": code, "legal": legal, "unit": code, "leader": leader.code}
    if not obeys(unit, leader):
        return NotAllowed("thucidide.disobeys", rule="TH-1.3", **named)
    far = battle.board.grid.distance(leader.cell, unit.cell)
    if far > leader.reach:
        return NotAllowed("thucidide.too_far", rule="TH-1.2", far=far, reach=leader.reach, **named)
    return NotAllowed("thucidide.activated", rule="TH-2.2", **named)


def _nobody(battle: Battle) -> dict[str, Any]:
    """An absent player activates nobody."""
    answer: dict[str, Any] = {"leader.1": NONE}
    acting = dict.fromkeys(battle.acting)
    if len(acting) > 1 and _carried(battle):
        answer["with"] = next(iter(acting))
    if _asks_stops(battle):
        answer["stops"] = battle.sides[battle.active].stops
    return answer


def _asks_stops(battle: Battle) -> bool:
    """Whether the side has anybody who could commit himself (TH-8.3); asked once a turn."""
    return not battle.second and has_committing(battle, battle.active)


# Units activated on top (TH-2.5) -----------------------------------------------------------------


def _carried(battle: Battle) -> Unit | None:
    return next((u for u in battle.units.values() if u.marks.by == MESSENGER), None)


def _messenger_arrives(battle: Battle, named: str) -> Rule[Battle]:
    """The messenger's unit acts with the leader its owner has named, or the only one."""
    unit = _carried(battle)
    if unit is None:
        return battle
    leader = named or companions(battle, unit)[0]
    battle = activate(battle, unit.code, leader)
    yield from tell("TH-2.5", "acts_with", seat=unit.seat, unit=unit.code, leader=leader)
    return battle


@script("TH-2.5")
def unit_activated_on_top(battle: Battle, code: str) -> Step[Battle]:
    """A unit that a leader's commitment activates (TH-8.2) acts with the leader its owner names."""
    unit = battle.units[code]
    if not unit.cell or unit.marks.by:
        return battle, []
    offered = companions(battle, unit)
    if not offered:
        return battle, []
    leader = offered[0]
    if len(offered) > 1:
        leader = yield from ask(unit.seat, OneOf(offered, "leader"), absent=leader, subject=code)
    battle = activate(battle, code, leader)
    yield from tell("TH-2.5", "acts_with", seat=unit.seat, unit=code, leader=leader)
    return battle, []


@script("TH-2.2/phase")
def command_phase(battle: Battle) -> Next[Battle]:
    """The command phase: what leaders do of themselves, the general's order, the activations."""
    opening = openings(battle, "command")
    return battle, [
        *opening,
        item("TH-3.5"),
        then(leaders_activate),
        then(movement_phase),
        item("TH-2.3/end"),
    ]
