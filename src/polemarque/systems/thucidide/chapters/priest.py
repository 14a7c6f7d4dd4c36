"""War priests (PA-5): a campaign may lend a side a combat die to be rolled again."""

from __future__ import annotations

import msgspec

from polemarque.api import D6, OneOf, Rule, again, ask, call, faces, procedure, roll, tell, total
from polemarque.systems.thucidide.combat_dice import Kind, Thrown, advantage_hits, combat_reading
from polemarque.systems.thucidide.state import Battle
from polemarque.systems.thucidide.unit_values import Arm

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
