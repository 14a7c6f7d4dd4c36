"""Chapter « Combat » (TH-F5): one combat after another, each in the order of its steps.

Declare; attack order; defence order; Retraite or Embuscade; dice; letters gained; Évasion; losses;
flags ignored; retreat; Percée, follow-up, pursuit; riposte.  Each step is a short script that says
what comes next; what lasts from one to another stands in `Fight`.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    Call,
    ChanceOf,
    Fact,
    Filling,
    Item,
    MeanOf,
    Next,
    OneOf,
    Rule,
    Sheet,
    Step,
    again,
    ask,
    call,
    explain,
    faces,
    item,
    procedure,
    roll,
    script,
    tell,
    then,
    total,
)
from polemarque.systems.thucidide.chapters.succession import destroyed, lone_leaders_are_seized
from polemarque.systems.thucidide.combat_dice import (
    Kind,
    Thrown,
    advantage_hits,
    combat_dice,
    combat_reading,
    dice_of,
    kind_of,
    may_ignore,
)
from polemarque.systems.thucidide.orders import CALL, calling, openings
from polemarque.systems.thucidide.state import Battle, Fight, Unit
from polemarque.systems.thucidide.tables import Arm
from polemarque.systems.thucidide.targets import (
    assaults,
    is_influenced,
    is_supported,
    lone_leaders_beside,
    prey,
    support_of,
)

DONE = "end"
"""The word by which a player fights no further combat with a leader's units."""

Targets = dict[str, tuple[str, ...]]
"""Unit -> codes of what it may attack: enemy units, or a leader alone whom it may capture."""


# Whose turn it is to fight -----------------------------------------------------------------------


class Attack(msgspec.Struct, frozen=True):
    """Which unit attacks whom; or `DONE`, or `CALL`."""

    unit: str
    target: str = ""


@script("TH-F5", edition="2026-11.2")
def leader_fights(battle: Battle, leader: str) -> Step[Battle]:
    """The units of one leader fight, in the order their player likes (TH-2.3)."""
    called = calling(battle, battle.active)
    return (yield from next_combat(battle, leader, then(leader_fights, leader), called))


@script("TH-F5/late", edition="2026-11.2")
def late_units_fight(battle: Battle) -> Step[Battle]:
    """Units that were activated when their leader had fought already (TH-2.5)."""
    called = calling(battle, battle.active)
    return (yield from next_combat(battle, "", then(late_units_fight), called))


def next_combat(battle: Battle, leader: str, this: Item, called: tuple[str, ...]) -> Step[Battle]:
    """Ask for one combat, and come back after it, as long as there is one to be fought.

    called: `CALL`, where it is offered: the window opens, and the question comes again.
    """
    targets = _targets(battle, leader)
    if not targets:
        return _all_fought(battle, leader), []
    seat = battle.active
    sheet = Sheet(lambda: _combat(battle, targets, called))
    chosen = yield from ask(seat, sheet, absent=Attack(DONE), subject=leader)
    if chosen.unit == DONE:
        return _all_fought(battle, leader), []
    if chosen.unit == CALL:
        return battle, [item("TH-8.3/call", seat, "between_combats"), this]
    unit, target = chosen.unit, chosen.target
    battle = battle.marked(unit, fought=True)
    if target in battle.leaders:
        return battle, [then(lone_leaders_are_seized, unit, battle.leaders[target].cell), this]
    return battle, [then(combat_is_declared, unit, target, False), this]


def _combat(battle: Battle, targets: Targets, called: tuple[str, ...]) -> Filling:
    unit = yield "unit", OneOf((*targets, DONE, *called), "mover")

    def told(target: str) -> Fact | None:
        if target not in battle.units:
            return None
        return attack_told(battle, declared(battle, unit, target, pursuit=False))

    if unit in targets:
        yield "target", OneOf(targets[unit], "mover", fact=told)


def may_fight(unit: Unit) -> bool:
    """Whether a unit has a combat left this turn: activated, not marched too far, not fought."""
    marks = unit.marks
    return bool(marks.by) and marks.fights and not marks.fought


def _targets(battle: Battle, leader: str) -> Targets:
    """The units that may fight with a leader (with any, for ""), and what each may attack."""
    held = battle.by_cell()
    found: Targets = {}
    for unit in battle.units_of(battle.active):
        if may_fight(unit) and leader in ("", unit.marks.by):
            others = [other.code for other in prey(battle, unit, held)]
            others += [one.code for one in lone_leaders_beside(battle, unit, held)]
            if others:
                found[unit.code] = tuple(others)
    return found


def _all_fought(battle: Battle, leader: str) -> Battle:
    """The moment of a leader's units is past."""
    past = [
        replace(unit, marks=replace(unit.marks, fought=True))
        for unit in battle.units_of(battle.active)
        if unit.marks.by and not unit.marks.fought and leader in ("", unit.marks.by)
    ]
    return battle.with_units(*past) if past else battle


# One combat, up to the dice ----------------------------------------------------------------------


@script("TH-F5/declare")
def combat_is_declared(battle: Battle, attacker: str, target: str, pursuit: bool) -> Step[Battle]:
    """A unit attacks another: hand to hand if they touch, else it shoots; a pursuit assaults."""
    unit, other = battle.units[attacker], battle.units[target]
    fight = declared(battle, attacker, target, pursuit=pursuit)
    kind = "shoots" if fight.shooting else "pursues" if pursuit else "attacks"
    yield from tell(
        "TH-F5", kind, seat=unit.seat, enemy=other.seat, unit=attacker, target=target,
        at=other.cell, combat=f"{attacker}-{target}",
    )  # fmt: skip
    battle = replace(battle, fight=fight)
    return battle, [*openings(battle, "declared"), item("TH-6/order")]


def declared(battle: Battle, attacker: str, target: str, *, pursuit: bool) -> Fight:
    """The combat of two units as it begins."""
    unit, other = battle.units[attacker], battle.units[target]
    shooting = not battle.board.grid.adjacent(unit.cell, other.cell)
    return Fight(
        attacker,
        target,
        shooting=shooting,
        pursuit=pursuit,
        assault=not shooting and (pursuit or assaults(battle, unit, other)),
        stood=other.cell,
    )


def fight_of(battle: Battle) -> Fight:
    """The combat that is being fought."""
    assert battle.fight is not None
    return battle.fight


def fighting(battle: Battle, **fields: Any) -> Battle:
    """The battle with fields of its combat replaced."""
    return replace(battle, fight=replace(fight_of(battle), **fields))


def combat_over(battle: Battle) -> Battle:
    """The battle once its combat is over."""
    return replace(battle, fight=None)


def while_both_stand(run: Any) -> Any:
    """Let a step of a combat do nothing if one of the two is gone: the umpire may remove a unit."""

    @wraps(run)
    def guarded(battle: Battle, *args: Any) -> Any:
        fight = fight_of(battle)
        if battle.units[fight.attacker].stands and battle.units[fight.target].stands:
            return run(battle, *args)
        return combat_over(battle), ()

    return guarded


@script("TH-F5/answered")
@while_both_stand
def both_have_ordered(battle: Battle) -> Next[Battle]:
    """Retraite ends the combat before it begins; from an ambush the defender's dice come first."""
    answers = fight_of(battle).answers
    if "retraite" in answers:
        return battle, [item("TH-7.5")]
    if "embuscade" in answers:
        return battle, [item("TH-7.6")]
    return battle, [then(dice_are_thrown)]


# Dice and what they cost -------------------------------------------------------------------------


@script("TH-F5/dice")
@while_both_stand
def dice_are_thrown(battle: Battle) -> Step[Battle]:
    """The roller throws; the letters among his dice are tokens."""
    fight = fight_of(battle)
    roller, struck = battle.units[fight.roller], battle.units[fight.struck]
    dice, kind, support = dice_of(battle, fight), kind_of(fight), support_of(battle, roller)
    figures = dice.total, struck.figures.arm, kind, bool(support), "berserks" in fight.orders
    holding = priests(battle)
    if holding:
        blessed = yield from call(combat_dice_with_priests, *figures, holding)
        thrown, battle = blessed.thrown, without_priests(battle, blessed.spent)
    else:
        thrown = yield from call(combat_dice, *figures)
    yield from explain(dice)
    yield from tell(
        "TH-F2", kind, seat=roller.seat, unit=roller.code, target=struck.code, count=dice.total,
        hits=thrown.hits, flags=thrown.flags, letters=thrown.letters, supported=bool(support),
    )  # fmt: skip
    battle = yield from letters_gained(battle, roller.seat, thrown.letters)
    battle = fighting(battle, hits=thrown.hits, flags=thrown.flags, sure=0, spared=0)
    return battle, [item("TH-7.1")]


def letters_gained(battle: Battle, seat: str, letters: int) -> Rule[Battle]:
    """TH-3.1: each order letter gives its roller a token, usable at once."""
    if not letters:
        return battle
    battle = battle.paying(seat, -letters)
    yield from tell(
        "TH-3.1", "letters", seat=seat, gained=letters, tokens=battle.sides[seat].tokens
    )
    return battle


@script("TH-F5/losses")
@while_both_stand
def losses_are_taken(battle: Battle) -> Step[Battle]:
    """A hit costs an element; those that leaders take upon themselves cost none."""
    fight = fight_of(battle)
    battle, gone = yield from elements_lost(battle, fight.struck, fight.hits)
    stands = battle.units[fight.struck].stands
    return battle, [*gone, item("TH-F6") if stands else then(throw_is_over)]


def elements_lost(battle: Battle, code: str, hits: int) -> Step[Battle]:
    """Take losses from the unit that is struck; gives what follows if it is destroyed."""
    unit = battle.units[code]
    spared, reading = fight_of(battle).spared, battle.options.spared
    lost, spared = losses(hits, unit.elements, spared, reading)
    battle = fighting(battle, spared=spared)
    if not lost:
        return battle, []
    left = unit.elements - lost
    yield from tell("TH-F5", "losses", seat=unit.seat, unit=code, lost=lost, left=left)
    if left:
        return battle.unit(code, elements=left), []
    return (yield from destroyed(battle, code))


def losses(hits: int, elements: int, spared: int, reading: str) -> tuple[int, int]:
    """Elements that hits cost a unit, and how many losses leaders can still take upon themselves.

    A loss is an element, so that hits beyond the last one need not be spared; by the variant `hit`
    of TH-8.2 it is a hit, and all those that cost the last element have to be.
    """
    due = hits if reading == "hit" else min(hits, elements)
    taken = min(spared, due)
    return min(due - taken, elements), spared - taken


@script("TH-F5/over")
def throw_is_over(battle: Battle) -> Next[Battle]:
    """What follows a throw: the attack after an ambush, or all that follows an attack.

    Ambushed, who is destroyed or has to fall back does not attack, even if he cannot (TH-7.6).
    """
    fight = fight_of(battle)
    struck = battle.units[fight.struck]
    held = struck.stands and struck.cell == fight.stood
    foiled = fight.throw == "ambush" and (fight.pushed or not struck.stands)
    if fight.throw == "riposte" or foiled:
        return combat_over(battle), []
    if fight.throw == "ambush":
        target = battle.units[fight.target]
        battle = fighting(battle, throw="attack", stood=target.cell, riposted=True)
        return battle, [then(dice_are_thrown)]
    battle = battle if held else fighting(battle, emptied=fight.stood)
    return battle, [item("TH-F7")]


# The riposte -------------------------------------------------------------------------------------


@script("TH-F5/riposte")
def defender_ripostes(battle: Battle, fight: Fight) -> Next[Battle]:
    """A supported defender who survives answers once, unless he shot at, or already did."""
    battle = replace(battle, fight=replace(fight, throw="riposte", hits=0, flags=0, sure=0))
    if not _ripostes(battle):
        return combat_over(battle), []
    battle = fighting(battle, stood=battle.units[fight.attacker].cell, riposted=True)
    return battle, [*openings(battle, "riposte"), then(dice_are_thrown)]


def _ripostes(battle: Battle) -> bool:
    """Whether the defender may answer: by `held` where he stood, by `adjacent` beside him."""
    fight = fight_of(battle)
    attacker, target = battle.units[fight.attacker], battle.units[fight.target]
    if fight.shooting or fight.riposted or not (attacker.stands and target.stands):
        return False
    if battle.options.riposte == "held" and fight.emptied:
        return False
    return (
        target.figures.melee > 0
        and battle.board.grid.adjacent(attacker.cell, target.cell)
        and is_supported(battle, target)
    )


# What the dice may come to ------------------------------------------------------------------------


READ_OTHERWISE = frozenset(("sacrifice", "evasion", "embuscade", "retraite"))
"""Defence orders after which the dice of an attack cost something else, or fall later or never."""


def attack_told(battle: Battle, fight: Fight) -> Fact | None:
    """What the next dice of a combat may come to, and the riposte if the target holds its hex;
    None where priests might change a die.

    The unit that is struck ignores all the flags that it may.
    """
    battle = replace(battle, fight=fight)
    figures = _throw_told(battle, fight)
    if figures is None:
        return None
    answers = fight.throw == "attack" and _ripostes(battle)
    back = _throw_told(battle, replace(fight, throw="riposte")) if answers else None
    if back is None:
        return Fact(fight.throw, figures)
    answered = {f"riposte_{name}": figure for name, figure in back.items()}
    return Fact("fought", {**figures, **answered})


def _throw_told(battle: Battle, fight: Fight) -> dict[str, Any] | None:
    """What one throw may come to for the unit that is struck."""
    roller, struck = battle.units[fight.roller], battle.units[fight.struck]
    answers = fight.answers if fight.throw == "attack" else ()
    if priests(battle) or {*struck.marks.orders, *answers} & READ_OTHERWISE:
        return None
    dice, berserks = dice_of(battle, fight).total, "berserks" in fight.orders
    support = is_supported(battle, roller)
    thrown = Call(combat_dice.rule, (dice, struck.figures.arm, kind_of(fight), support, berserks))
    steadied, influenced = support_of(battle, struck), is_influenced(battle, struck)
    orders, steady = struck.marks.orders, battle.options.steady

    def destroyed(fell: Thrown) -> bool:
        return fell.hits >= struck.elements

    def falls_back(fell: Thrown) -> bool:
        ignored = may_ignore(
            fell.flags, 0, support=steadied, influenced=influenced, orders=orders, steady=steady
        )
        return not destroyed(fell) and fell.flags > ignored.total

    return {
        "destroyed": ChanceOf(thrown, destroyed),
        "back": ChanceOf(thrown, falls_back),
        "hits": MeanOf(thrown, lambda fell: fell.hits),
    }


KEEP = "keep"
"""The word by which a priest lets the dice lie."""


class Shown(msgspec.Struct, frozen=True):
    """Combat dice as they lie on the table, and the seats whose priests have changed one."""

    faces: tuple[int, ...]
    spent: tuple[str, ...] = ()


class Blessed(msgspec.Struct, frozen=True):
    """What combat dice came to with priests about, and the seats whose priests were spent."""

    thrown: Thrown
    spent: tuple[str, ...] = ()


def priests(battle: Battle) -> tuple[str, ...]:
    """The seats whose priests can still have a die rolled again, whose turn it is first."""
    seats = (battle.active, battle.passive)
    return tuple([seat for seat in seats if battle.sides[seat].rerolls])


def without_priests(battle: Battle, spent: tuple[str, ...]) -> Battle:
    """The battle once these seats' priests have done what they can."""
    for seat in spent:
        battle = battle.side(seat, rerolls=battle.sides[seat].rerolls - 1)
    return battle


@procedure("TH-F2/priests")
def combat_dice_with_priests(
    count: int, target: Arm, kind: Kind, supported: bool, berserks: bool, waiting: tuple[str, ...]
) -> Rule[Blessed]:
    """Combat dice of which each priest in turn may have one rolled again before they are read."""
    fell = yield from roll(count, D6, read=faces, why=kind)
    shown = yield from call(one_again, fell, waiting, ())
    hits = advantage_hits(kind, supported=supported, berserks=berserks)
    worth = combat_reading(target, hits).of(shown.faces)
    return Blessed(Thrown(*worth), shown.spent)


@procedure("TH-F2/reroll")
def one_again(
    fell: tuple[int, ...], waiting: tuple[str, ...], spent: tuple[str, ...]
) -> Rule[Shown]:
    """One die of one combat for each priest, or none."""
    if not fell or not waiting:
        return Shown(fell, spent)
    seat, *others = waiting
    words = (KEEP, *[str(face) for face in sorted(set(fell))])
    word = yield from ask(seat, OneOf(words, "combat_face"), absent=KEEP, subject="reroll")
    if word == KEEP:
        return again(fell, tuple(others), spent)  # type: ignore[no-any-return]
    place = fell.index(int(word))
    new = yield from roll(1, D6, read=total, why="reroll")
    yield from tell("PA-5", "reroll", seat=seat, old=int(word), new=new)
    fell = (*fell[:place], new, *fell[place + 1 :])
    return again(fell, tuple(others), (*spent, seat))  # type: ignore[no-any-return]
