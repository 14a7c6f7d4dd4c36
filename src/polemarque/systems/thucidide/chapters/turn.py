"""The course of a battle (TH-F1): player-turn after player-turn, and the check at the end of each.

The orders of a turn, in the agenda: TH-2.2/phase (command), TH-2.3 (movement), TH-2.3/end and
TH-F5 (combats), TH-F1/end.
"""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.api import Rule, Step, script, tell, then
from polemarque.api.adjusting import in_force
from polemarque.systems.thucidide.chapters.activation import command_phase
from polemarque.systems.thucidide.chapters.succession import succeeded
from polemarque.systems.thucidide.chapters.victory import verdict
from polemarque.systems.thucidide.state import Battle, Ending, Marks
from polemarque.systems.thucidide.unit_values import Phase

FRESH = Marks()

SEQUENCE: dict[Phase, str] = {
    "command": "TH-2.2", "movement": "TH-2.3", "combat": "TH-F5", "end": "TH-F1"
}  # fmt: skip
"""The phases of a player-turn, in order, with the rule of each."""


def phase_of(battle: Battle) -> str:
    """The rule of the phase that runs, one of `SEQUENCE`."""
    return SEQUENCE[battle.phase]


@script("TH-F1")
def turn_begins(battle: Battle) -> Step[Battle]:
    """A player-turn: changes of options begin; command, movement, combats."""
    side = battle.sides[battle.active]
    yield from tell(
        "TH-F1", "turn", seat=side.seat, turn=(battle.turn + 1) // 2, tokens=side.tokens
    )
    options = yield from in_force("TH-F1", battle.options, battle.coming)
    return replace(battle, options=options, coming={}), [then(command_phase)]


@script("TH-F1/end")
def turn_ends(battle: Battle) -> Step[Battle]:
    """Is it won?  If not, a captured general's place is filled; what held for the turn is over."""
    battle = replace(battle, phase="end", fight=None)
    ending = verdict(battle)
    if ending is not None:
        yield from tell_end(battle, ending)
        return replace(battle, ending=ending), []
    for seat in battle.sides:
        battle = yield from succeeded(battle, seat)
    battle = replace(wiped(battle), turn=battle.turn + 1, active=battle.passive, phase="command")
    return battle, [then(turn_begins)]


def tell_end(battle: Battle, ending: Ending) -> Rule[None]:
    """Who has won, by what, and at which price; who has no leader left (TH-F12)."""
    for seat in battle.sides:
        if not battle.leaders_of(seat):
            yield from tell("TH-F12", "nobody", seat=seat)
    a, b = battle.sides
    yield from tell(
        "TH-F1", "won" if ending.winner else "drawn", seat=ending.winner or "",
        cause=ending.cause, lost_a=battle.lost(a), lost_b=battle.lost(b), a=a, b=b,
    )  # fmt: skip


def wiped(battle: Battle) -> Battle:
    """The battle without anything that held for one player-turn."""
    units = [replace(u, marks=FRESH) for u in battle.units.values() if u.marks != FRESH]
    leaders = [
        replace(one, activates=0, by="", moved=False, louder=0)
        for one in battle.leaders.values()
        if one.activates or one.by or one.moved or one.louder
    ]
    sides = {
        seat: replace(side, manoeuvred=False, scouting=False, further=0)
        for seat, side in battle.sides.items()
    }
    battle = battle.with_units(units).with_leaders(leaders)
    return replace(battle, sides=sides, acting=(), second=False)
