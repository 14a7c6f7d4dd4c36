"""The rules about armies that can be asked alone: statistics, values, ways, tests, order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from polemarque.kernel.agenda import Rule, call, explain
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.system import Part, Question, any_order
from polemarque.systems.promiterra.actions import starting_share
from polemarque.systems.promiterra.catalogue import TroopType
from polemarque.systems.promiterra.deployment import roll_off
from polemarque.systems.promiterra.ground import COSTS
from polemarque.systems.promiterra.inputs import Count, Inputs, Name, Options
from polemarque.systems.promiterra.loyalty import below_a_third
from polemarque.systems.promiterra.scrutiny import SHARE
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


class ChangesInput(Inputs, frozen=True):
    """A troop's statistics and everything that changes them."""

    base: StatsInput
    changes: tuple[ChangeInput, ...] = ()

    def different(self) -> Iterator[ChangeInput]:
        """Changes without further copies of a war action (PR-3.2).  Raises NotUnderstood."""
        seen = set()
        for place, one in enumerate(self.changes):
            if one.action and one.source != "war_action":
                part = f"changes[{place}].action"
                raise NotUnderstood("consult.unknown_part", rule="PR-1.6", part=part)
            if one.action not in seen:
                yield one
            if one.action:
                seen.add(one.action)


def ask_stats(inputs: ChangesInput, options: Options) -> Rule[Stats]:
    """PR-1.6: all changes are added first, then limited once."""
    base, stacking = inputs.base, options["war_actions"]
    changes: list[tuple[Source, Change]] = [
        (one.source, Change(*[getattr(one, name) for name in STATS])) for one in inputs.different()
    ]
    for name in STATS:
        parts = reasons(name, base, changes, stacking)
        if len(parts.parts) > 1:
            yield from explain(parts)
    names: tuple[StatName, ...] = STATS
    found = {name: reasons(name, base, changes, stacking).total for name in names}
    return Stats(**found)


class Troops(Inputs, frozen=True):
    """Some units of an army."""

    value: Count
    units: Count
    type: TroopType = "melee"


class ArmyInput(Inputs, frozen=True):
    """The troops of an army."""

    troops: tuple[Troops, ...]


def ask_share(inputs: ArmyInput, options: Options) -> dict[str, Any]:
    """PR-1.5: how much of an army is special, and how much may be."""
    by_value = options["special_share"] == "value"
    weights = [(t.type, t.units * (t.value if by_value else 1)) for t in inputs.troops]
    whole = sum([weight for _, weight in weights])
    special = sum([weight for kind, weight in weights if kind == "special"])
    return {"special": special, "most": whole // SHARE, "allowed": special * SHARE <= whole}


def ask_value(inputs: ArmyInput, _: Options) -> dict[str, int]:
    """PR-1.7: the value of an army."""
    return {"value": sum([part.value * part.units for part in inputs.troops])}


class WayInput(Inputs, frozen=True):
    """The terrains that a troop enters, one after another."""

    terrains: tuple[str, ...]
    movement: Count


def ask_way(inputs: WayInput, options: Options) -> dict[str, Any]:
    """PR-2.1: what a way costs, and whether the troop can go it."""
    for terrain in inputs.terrains:
        if terrain not in COSTS:
            raise NotUnderstood("promiterra.terrain", rule="PR-2.1", part=terrain, legal=COSTS)
    cost = sum([COSTS[terrain] for terrain in inputs.terrains])
    lone = len(inputs.terrains) == 1 and options["minimum_step"] == "yes"
    return {"cost": cost, "allowed": lone or cost <= inputs.movement}


class AlliancesInput(Inputs, frozen=True):
    """The alliances that meet."""

    alliances: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1)]

    def different(self) -> tuple[str, ...]:
        """The alliances, each one once.  Raises NotUnderstood."""
        if len(set(self.alliances)) < len(self.alliances):
            named = ", ".join(self.alliances)
            raise NotUnderstood("promiterra.twice", rule="PR-2.4", part=named)
        return self.alliances


def ask_order(inputs: AlliancesInput, _: Options) -> Rule[dict[str, Any]]:
    """PR-2.4: who plays first."""
    rolled = yield from call(roll_off, (inputs.different(),))
    return {"order": rolled.alliances}


def order_parts(inputs: AlliancesInput, _: Options) -> tuple[Part, ...]:
    """PR-2.4: all orders are equally likely, since all roll alike and ties are rolled again."""
    return (any_order(inputs.different()),)


class TestsInput(Inputs, frozen=True):
    """A troop and its army when loyalty is looked at; values are those that are compared.

    Values come in a pair, and so do units: neither, and there is nothing to compare.
    """

    army_value: Count | None = None
    enemy_value: Count | None = None
    units: Count | None = None
    start: Count | None = None
    commander: bool = True
    fear: bool = False
    unwell: bool = False

    def below_a_third(self, part: str, whole: str) -> bool:
        """Whether one input is less than a third of another.  Raises NotUnderstood on half a
        pair.
        """
        pair: dict[str, int | None] = {name: getattr(self, name) for name in (part, whole)}
        given = {name: number for name, number in pair.items() if number is not None}
        if not given:
            return False
        for name in pair:
            if name not in given:
                raise NotUnderstood(
                    "promiterra.half", rule="PR-4.2", part=name, legal=("0..",), given=[*given]
                )
        return below_a_third(given[part], given[whole])


def ask_tests(inputs: TestsInput, _: Options) -> dict[str, Any]:
    """PR-4.2: which tests a troop owes."""
    owed = {
        "outvalued": inputs.below_a_third("army_value", "enemy_value"),
        "decimated": inputs.below_a_third("units", "start"),
        "leaderless": not inputs.commander,
        "fear": inputs.fear,
        "unwell": inputs.unwell,
    }
    found = [cause for cause, holds in owed.items() if holds]
    return {"tests": len(found), "causes": found}


class MergerInput(Inputs, frozen=True):
    """Two troops that merge."""

    a: StatsInput
    b: StatsInput
    units_a: Count
    units_b: Count


def ask_merger(inputs: MergerInput, _: Options) -> dict[str, Any]:
    """PR-7.8: the statistics of the merged troop, and whose name and type it has."""
    bigger: Literal["a", "b", "choice"] = "a" if inputs.units_a > inputs.units_b else "b"
    if inputs.units_a == inputs.units_b:
        bigger = "choice"
    weakest = inputs.a.weakest(inputs.b)
    return {
        "units": inputs.units_a + inputs.units_b,
        "named": bigger,
        **{name: getattr(weakest, name) for name in STATS},
    }


class StartInput(Inputs, frozen=True):
    """A troop that is divided: its starting units, its units, and those of the new troop."""

    start: Count
    units: Count
    part: Count


def ask_start(inputs: StartInput, _: Options) -> dict[str, int]:
    """PR-7.9: the starting units of both troops after a division."""
    if not 0 < inputs.part < inputs.units:
        legal = (f"1-{inputs.units - 1}",) if inputs.units > 1 else ()
        raise NotUnderstood(
            "promiterra.part", rule="PR-7.9", part=inputs.part, legal=legal, count=inputs.part
        )
    new = starting_share(inputs.start, inputs.part, inputs.units)
    return {"new": new, "old": inputs.start - new}


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
    Question("PR-1.5", ArmyInput, ask_share, example=_TROOPS),
    Question("PR-1.6", ChangesInput, ask_stats, example={"base": _BASE, "changes": _CHANGES}),
    Question("PR-1.7", ArmyInput, ask_value, example=_TROOPS),
    Question("PR-2.1", WayInput, ask_way, example={"terrains": ("road", "hill"), "movement": 3}),
    Question(
        "PR-2.4",
        AlliancesInput,
        ask_order,
        example={"alliances": ("A", "B")},
        dice="order",
        parts=order_parts,
    ),
    Question("PR-4.2", TestsInput, ask_tests, example={"units": 6, "start": 20}),
    Question("PR-7.8", MergerInput, ask_merger, example=_MERGER),
    Question("PR-7.9", StartInput, ask_start, example={"start": 40, "units": 30, "part": 10}),
)
"""Every rule about armies that computes a figure."""
