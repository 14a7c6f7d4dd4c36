"""The combat die (TH-F2): six faces, and what they are worth against a target."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from polemarque.api import D6, Matrix, Reading, Rule, procedure, roll
from polemarque.systems.thucidide.figures import Arm
from polemarque.systems.thucidide.tables import TABLES

Value = Literal["hit", "miss", "flag", "letter", "advantage"]
"""What a face is worth before it is known whether an advantage hits."""

Kind = Literal["melee", "shooting", "riposte"]
"""How dice are thrown: in an attack hand to hand, from afar, or in answer to an attack."""

DIE: Matrix[Value] = TABLES.matrix("TH-F2", Value)  # type: ignore[arg-type]


class Thrown(msgspec.Struct, frozen=True):
    """What combat dice show: hits on the target, flags for it, letters for the roller."""

    hits: int
    flags: int
    letters: int


@procedure("TH-F2")
def combat_dice(
    count: int, target: Arm, kind: Kind, supported: bool, berserks: bool
) -> Rule[Thrown]:
    """Throw `count` combat dice at a target of that arm, and read them.

    supported: the roller is supported.   berserks: a riposte answers a Berserks attack (TH-6.2).
    """
    hits = advantage_hits(kind, supported=supported, berserks=berserks)
    shown = yield from roll(count, D6, read=combat_reading(target, hits), why=kind)
    return Thrown(*shown)


def advantage_hits(kind: Kind, *, supported: bool, berserks: bool) -> bool:
    """Whether a tactical advantage is a hit.

    In melee for a supported attacker, in a riposte only against Berserks, never in shooting.
    """
    return supported if kind == "melee" else berserks if kind == "riposte" else False


@cache
def combat_reading(target: Arm, advantage: bool) -> Reading[tuple[int, int, int]]:
    """(hits, flags, letters) of combat dice against an arm; `advantage`: that face hits."""
    worth = [DIE.cell(row, target) for row in DIE.rows]
    values = [_counted("hit" if value == "advantage" and advantage else value) for value in worth]
    name = f"combat({target},{'advantage' if advantage else 'plain'})"
    return Reading(name, (0, 0, 0), lambda face: values[face - 1], _together)


def _counted(value: Value) -> tuple[int, int, int]:
    return int(value == "hit"), int(value == "flag"), int(value == "letter")


def _together(a: tuple[int, int, int], b: tuple[int, int, int]) -> tuple[int, int, int]:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]
