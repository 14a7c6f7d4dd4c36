"""What a seat may see of a battle.  All figures are public; sealed choices are the kernel's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import asdict

from polemarque.api import Event, Standing, Thrown, by_place, convert
from polemarque.api.texts import texts_in
from polemarque.systems.batailles.options import Options
from polemarque.systems.batailles.outcome import most_lost
from polemarque.systems.batailles.phase_values import Engagement
from polemarque.systems.batailles.state import Battle, Ending, Side
from polemarque.systems.batailles.tables import DATA

BEFORE_A_PHASE = ("BC-2.8/engage", "BC-3.4", "BC-3.4/negotiate")
"""The questions whose answer decides whether, and with what, the next phase is fought."""

Families = Mapping[str, Mapping[str, str]]
"""Family of texts -> code -> what readers call it."""


def view(battle: Battle, seat: str) -> dict[str, Any]:
    """The battle as `seat` sees it; anyone who is of neither side sees the same, without `you`."""
    return {
        "phase": battle.phase,
        "you": battle.code_of(seat),
        "sides": {code: _side(side) for code, side in battle.sides()},
        "previous": battle.previous,
        "last": None if battle.last is None else msgspec.to_builtins(battle.last),
        "ending": None if battle.ending is None else msgspec.to_builtins(battle.ending),
        "options": msgspec.to_builtins(battle.options),
        "coming": battle.coming,
    }


def _side(side: Side) -> dict[str, Any]:
    units = [asdict(unit) for unit in side.units]
    for unit in units:
        if not unit["names"]:
            del unit["names"]
    shown = asdict(side)
    shown["pm"], shown["morale"], shown["units"] = side.pm, side.morale.total, units
    return shown


def supposed(view: Mapping[str, Any], _seat: str, _premises: Mapping[str, Any]) -> Battle:
    """The battle that a view shows: nothing in it is secret but what is sealed."""
    sides = {code: convert(shown, Side) for code, shown in view["sides"].items()}
    return Battle(
        **sides, options=convert(view["options"], Options), phase=view["phase"],
        previous=view["previous"], last=convert(view["last"], Engagement | None),
        ending=convert(view["ending"], Ending | None), coming=view["coming"],
    )  # fmt: skip


def conditions(view: Mapping[str, Any], _seat: str, _subject: str) -> dict[str, Any]:
    """What the phase has come to, roughly enough that it may be foreseen.

    phase: who has won the last one.   lead: which side has more PM.
    """
    power = {side["pm"]: code for code, side in view["sides"].items()}
    lead = power[max(power)] if len(power) > 1 else ""
    return {"phase": (view["last"] or {}).get("winner"), "lead": lead}


def standing(battle: Battle) -> Standing:
    """Who holds the field; else the side with more PM comes first."""
    winner = battle.ending.winner if battle.ending else None
    places = by_place({side.seat: (code == winner, side.pm) for code, side in battle.sides()})
    winners = (battle.side(winner).seat,) if winner else ()
    return Standing(battle.ending is not None, winners, places)


def names(battle: Battle, lang: str) -> dict[str, dict[str, str]]:
    """What readers call seats, sides and their rolls in this battle, and all who have names by
    language: "force" is everybody, "member" those whom a set-up has named all together."""
    forces: dict[str, str] = {}
    members: dict[str, str] = {}
    for _, side in battle.sides():
        members |= side.called.get(lang, {})
        forces |= {side.name: side.names[lang]} if lang in side.names else {}
        forces |= {unit.name: unit.names[lang] for unit in side.units if lang in unit.names}
    sides = {
        code: side.names.get(lang, members.get(side.name, side.name))
        for code, side in battle.sides()
    }
    named = {code: name for code, name in sides.items() if name}
    return {
        "seat": {battle.side(code).seat: name for code, name in named.items()},
        "side": {str(code): name for code, name in named.items()},
        "force": members | forces,
        "roll": {
            f"{what}_{code}": texts_in(DATA).say(lang, f"rolled.{what}", name=name)
            for code, name in named.items()
            for what in ("power", "players")
        },
        **({"member": members} if members else {}),
    }


def thrower(event: Event, _: Thrown) -> str:
    """The side whose dice an event tells of: "a", "b", or "" for those of none."""
    return str(event.data.get("side", ""))


def own_names(battle: Battle, seat: str, lang: str, public: Families) -> Families:
    """What a seat is asked with its own units before its eyes: the order of losses (BC-1.3)."""
    code = battle.code_of(seat)
    if code is None:
        return {}
    texts, called = texts_in(DATA), public.get("force", {})
    units = [
        texts.say(
            lang, "unit_said", name=called.get(unit.name, unit.name), pm=unit.pm, bonus=unit.bonus
        )
        for unit in battle.side(code).units
    ]
    return {"ask": {"BC-1.3/order": texts.say(lang, "ask_order", units=units)}}


def asked_with(battle: Battle, rule: str, args: tuple[Any, ...], _: str) -> dict[str, Any]:
    """What a phase can cost at most, before sides choose it; whose change of strategy is judged,
    and in which words it was told (BC-2.8, BC-3.4).
    """
    if rule in BEFORE_A_PHASE:
        a, b = battle.force("a"), battle.force("b")
        most_a, most_b = most_lost(a, b, battle.options), most_lost(b, a, battle.options)
        return {"a": "a", "b": "b", "most_a": most_a, "most_b": most_b}
    if rule != "BC-3.4/strategy":
        return {}
    code, words = args
    return {"side": code, "name": battle.side(code).name, "words": words}
