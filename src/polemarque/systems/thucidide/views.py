"""What a seat may see of a battle, who is ahead, and what readers call everybody.

All is public in this game: the board, units, leaders, tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from polemarque.api import Event, Standing, Thrown, by_place
from polemarque.systems.thucidide.chapters.victory import counted
from polemarque.systems.thucidide.setup.scenario import KINDS, RANK_FIGURES
from polemarque.systems.thucidide.state import Battle, Leader, Unit


def view(battle: Battle, seat: str) -> dict[str, Any]:
    """The battle as `seat` sees it; anyone who is of neither side sees the same, without `you`."""
    return {
        "you": seat if seat in battle.sides else None,
        "turn": battle.turn,
        "active": battle.active,
        "phase": battle.phase,
        "acting": battle.acting,
        "second": battle.second,
        "limit": battle.limit,
        "board": battle.board,
        "sides": battle.sides,
        "lost": {code: battle.lost(code) for code in battle.sides},
        "units": battle.units,
        "leaders": battle.leaders,
        "fight": battle.fight,
        "ending": battle.ending,
        "options": battle.options,
        "coming": battle.coming,
    }


def standing(battle: Battle) -> Standing:
    """Who has won; before that, the side that has destroyed more in proportion comes first."""
    over = battle.ending is not None
    first = battle.ending.winner if battle.ending else counted(battle)
    places = by_place({seat: seat == first for seat in sorted(battle.sides)})
    return Standing(over, (first,) if over and first else (), places)


def names(battle: Battle, lang: str) -> Mapping[str, Mapping[str, str]]:
    """Families "seat", "unit", "leader", "mover" for units and leaders alike, and "kind".

    While two units fight, "attacker" and "target" say of either who attacks whom.
    """
    units = {code: unit_name(unit, lang) for code, unit in battle.units.items()}
    leaders = {code: leader_name(one, lang) for code, one in battle.leaders.items()}
    seats = {code: side.names[lang] for code, side in battle.sides.items() if lang in side.names}
    return {
        "seat": seats, "unit": units, "leader": leaders, "mover": {**units, **leaders},
        "kind": _kinds(lang), **_fighting(battle, units),
    }  # fmt: skip


def _fighting(battle: Battle, units: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    fight = battle.fight
    if fight is None:
        return {"attacker": {}, "target": {}}
    both = (fight.attacker, fight.target)
    roles = (("attacker", fight.attacker), ("target", fight.target))
    return {role: dict.fromkeys(both, units.get(code, code)) for role, code in roles}


@cache
def _kinds(lang: str) -> Mapping[str, str]:
    return {key: kind.name[lang] for key, kind in KINDS.items()}


def unit_name(unit: Unit, lang: str) -> str:
    """Its own name, or that of its kind with its code: les hoplites A2."""
    if lang in unit.names:
        return unit.names[lang]
    kind = KINDS.get(unit.figures.kind)
    return f"{kind.name[lang] if kind else unit.figures.kind} {unit.code}"


def leader_name(leader: Leader, lang: str) -> str:
    """His own name, or his rank with his code: le sous-général AS1."""
    return leader.names.get(lang) or f"{RANK_FIGURES[leader.rank].name[lang]} {leader.code}"


def thrower(event: Event, _: Thrown) -> str:
    """The seat whose unit throws, or ""."""
    return str(event.data.get("seat", ""))
