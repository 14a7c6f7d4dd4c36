"""The rules about armies that can be asked alone: statistics, values, ways, tests, order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from polemarque.api import NotUnderstood, Part, Question, Rule, any_order, call, explain
from polemarque.systems.promiterra.chapters.deployment import roll_off
from polemarque.systems.promiterra.chapters.loyalty import below_a_third
from polemarque.systems.promiterra.chapters.other_actions import starting_share
from polemarque.systems.promiterra.ground import COSTS
from polemarque.systems.promiterra.questions.inputs import Count, Inputs, Name, Options
from polemarque.systems.promiterra.setup.catalogue import TroopType
from polemarque.systems.promiterra.setup.set_up_rules import SHARE
from polemarque.systems.promiterra.stats import (
    STATS,
    Change,
    Source,
    StatName,
    Stats,
    reasons,
)


class StatsInput(Stats, frozen=True, forbid_unknown_fields=True):
    """Statistics of a troop: all six, since one that is left out would count as the weakest."""


class ChangeInput(Inputs, frozen=True):
    """What is added to them, and by what.

    action: which war action it is, so that the same one counts once; unnamed ones all differ.
    """

    source: Source = "ability"
    action: str = ""
    movement: int = 0
    range: int = 0
    attack: int = 0
    defence: int = 0
    loyalty: int = 0
    value: int = 0


def different(changes: tuple[ChangeInput, ...]) -> Iterator[tuple[Source, Change]]:
    """Changes without further copies of a war action (PR-3.2).  Raises NotUnderstood."""
    seen = set()
    for place, one in enumerate(changes):
        if one.action and one.source != "war_action":
            part = f"changes[{place}].action"
            raise NotUnderstood("consult.unknown_part", rule="PR-1.6", part=part)
        if one.action not in seen:
            yield one.source, Change(*[getattr(one, name) for name in STATS])
        if one.action:
            seen.add(one.action)


def ask_stats(
    base: StatsInput, changes: tuple[ChangeInput, ...] = (), *, options: Options
) -> Rule[Stats]:
    """PR-1.6: all changes are added first, then limited once."""
    stacking, added = options["war_actions"], list(different(changes))
    for name in STATS:
        parts = reasons(name, base, added, stacking)
        if len(parts.parts) > 1:
            yield from explain(parts)
    names: tuple[StatName, ...] = STATS
    found = {name: reasons(name, base, added, stacking).total for name in names}
    return Stats(**found)


class Troops(Inputs, frozen=True):
    """Some units of an army."""

    value: Count
    units: Count
    type: TroopType = "melee"


def ask_share(troops: tuple[Troops, ...], options: Options) -> dict[str, Any]:
    """PR-1.5: how much of an army is special, and how much may be."""
    by_value = options["special_share"] == "value"
    weights = [(t.type, t.units * (t.value if by_value else 1)) for t in troops]
    whole = sum([weight for _, weight in weights])
    special = sum([weight for kind, weight in weights if kind == "special"])
    return {"special": special, "most": whole // SHARE, "allowed": special * SHARE <= whole}


def ask_value(troops: tuple[Troops, ...]) -> dict[str, int]:
    """PR-1.7: the value of an army."""
    return {"value": sum([part.value * part.units for part in troops])}


def ask_way(terrains: tuple[str, ...], movement: Count, options: Options) -> dict[str, Any]:
    """PR-2.1: what a way costs, and whether the troop can go it."""
    for terrain in terrains:
        if terrain not in COSTS:
            raise NotUnderstood("promiterra.terrain", rule="PR-2.1", part=terrain, legal=COSTS)
    cost = sum([COSTS[terrain] for terrain in terrains])
    lone = len(terrains) == 1 and options["minimum_step"] == "yes"
    return {"cost": cost, "allowed": lone or cost <= movement}


Alliances = Annotated[tuple[Name, ...], msgspec.Meta(min_length=1)]
"""The alliances that meet."""


def once_each(alliances: Alliances) -> tuple[str, ...]:
    """The alliances, each one once.  Raises NotUnderstood."""
    if len(set(alliances)) < len(alliances):
        raise NotUnderstood("promiterra.twice", rule="PR-2.4", part=", ".join(alliances))
    return alliances


def ask_order(alliances: Alliances) -> Rule[dict[str, Any]]:
    """PR-2.4: who plays first."""
    rolled = yield from call(roll_off, (once_each(alliances),))
    return {"order": rolled.alliances}


def order_parts(alliances: Alliances) -> tuple[Part, ...]:
    """PR-2.4: all orders are equally likely, since all roll alike and ties are rolled again."""
    return (any_order(once_each(alliances)),)


def compared(**pair: int | None) -> bool:
    """Whether the first input is less than a third of the other.  Raises NotUnderstood on half a
    pair.
    """
    given = {name: number for name, number in pair.items() if number is not None}
    for name in pair if given else ():
        if name not in given:
            raise NotUnderstood(
                "promiterra.half", rule="PR-4.2", part=name, legal=("0..",), given=[*given]
            )
    return bool(given) and below_a_third(*given.values())


def ask_tests(
    army_value: Count | None = None,
    enemy_value: Count | None = None,
    units: Count | None = None,
    start: Count | None = None,
    commander: bool = True,
    fear: bool = False,
    unwell: bool = False,
) -> dict[str, Any]:
    """PR-4.2: which tests a troop owes.

    Values come in a pair, and so do units: neither, and there is nothing to compare.
    """
    owed = {
        "outvalued": compared(army_value=army_value, enemy_value=enemy_value),
        "decimated": compared(units=units, start=start),
        "leaderless": not commander,
        "fear": fear,
        "unwell": unwell,
    }
    found = [cause for cause, holds in owed.items() if holds]
    return {"tests": len(found), "causes": found}


def ask_merger(a: StatsInput, b: StatsInput, units_a: Count, units_b: Count) -> dict[str, Any]:
    """PR-7.8: the statistics of the merged troop, and whose name and type it has."""
    bigger: Literal["a", "b", "choice"] = "a" if units_a > units_b else "b"
    if units_a == units_b:
        bigger = "choice"
    weakest = a.weakest(b)
    return {
        "units": units_a + units_b,
        "named": bigger,
        **{name: getattr(weakest, name) for name in STATS},
    }


def ask_start(start: Count, units: Count, part: Count) -> dict[str, int]:
    """PR-7.9: the starting units of both troops after a division."""
    if not 0 < part < units:
        legal = (f"1-{units - 1}",) if units > 1 else ()
        raise NotUnderstood("promiterra.part", rule="PR-7.9", part=part, legal=legal, count=part)
    new = starting_share(start, part, units)
    return {"new": new, "old": start - new}


_TROOPS = {
    "troops": (
        {"type": "melee", "units": 60, "value": 10},
        {"type": "special", "units": 20, "value": 22},
    )
}
_BASE = {"movement": 2, "range": 1, "attack": 5, "defence": 3, "loyalty": 8, "value": 10}
_CHANGES = ({"source": "war_action", "attack": 2}, {"source": "mastery", "attack": -1})
_MERGER = {"a": _BASE, "b": {**_BASE, "attack": 3}, "units_a": 20, "units_b": 30}

ARMY_QUESTIONS = (
    Question("PR-1.5", ask_share, example=_TROOPS),
    Question("PR-1.6", ask_stats, example={"base": _BASE, "changes": _CHANGES}),
    Question("PR-1.7", ask_value, example=_TROOPS),
    Question("PR-2.1", ask_way, example={"terrains": ("road", "hill"), "movement": 3}),
    Question(
        "PR-2.4",
        ask_order,
        example={"alliances": ("A", "B")},
        dice="order",
        parts=order_parts,
    ),
    Question("PR-4.2", ask_tests, example={"units": 6, "start": 20}),
    Question("PR-7.8", ask_merger, example=_MERGER),
    Question("PR-7.9", ask_start, example={"start": 40, "units": 30, "part": 10}),
)
"""Every rule about armies that computes a figure."""
