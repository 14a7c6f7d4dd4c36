"""The rules that can be asked alone, answered by the procedures that play them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    Amount,
    Call,
    Count,
    Filling,
    Inputs,
    NotAllowed,
    NotUnderstood,
    OneOf,
    Part,
    Question,
    Rule,
    any_order,
    ask,
    call,
    explain,
    sheet_parts,
)
from polemarque.systems.promiterra.chapters.deployment import roll_off
from polemarque.systems.promiterra.chapters.dice_cutting import Cut, cut, left_after
from polemarque.systems.promiterra.chapters.fighting import even_split
from polemarque.systems.promiterra.chapters.loyalty import below_a_third
from polemarque.systems.promiterra.chapters.other_actions import starting_share
from polemarque.systems.promiterra.chapters.strikes import (
    Fighter,
    clash,
    counting_fort,
    hits_left,
    hits_left_by_fort,
    hits_rolled,
    strike,
    strike_part,
    strikes_part,
)
from polemarque.systems.promiterra.chapters.trials import (
    THROWS,
    Situation,
    conditions,
    duel,
    invasion,
    leaders_fate,
    loyalty_test,
    pursuit,
)
from polemarque.systems.promiterra.ground import COSTS
from polemarque.systems.promiterra.setup.catalogue import TroopType
from polemarque.systems.promiterra.setup.set_up_rules import SHARE
from polemarque.systems.promiterra.stats import STATS, Change, Source, StatName, Stats, reasons

Options = Mapping[str, Any]

Name = Annotated[str, msgspec.Meta(min_length=1)]
"""A name, whatever it is: only not none at all."""

Attack = Annotated[int, msgspec.Meta(ge=0, le=6)]
Defence = Annotated[int, msgspec.Meta(ge=0, le=5)]
"""Statistics within their limits (PR-1.6)."""

Fort = Annotated[int, msgspec.Meta(ge=0, le=4)]
"""A level of fortification, 0 for none (PR-2.3)."""


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
        "PR-2.4", ask_order, example={"alliances": ("A", "B")}, dice="order", parts=order_parts
    ),
    Question("PR-4.2", ask_tests, example={"units": 6, "start": 20}),
    Question("PR-7.8", ask_merger, example=_MERGER),
    Question("PR-7.9", ask_start, example={"start": 40, "units": 30, "part": 10}),
)
"""Every rule about armies that computes a figure."""


# Dice --------------------------------------------------------------------------------------------


def ask_cut(count: Count, options: Options) -> Cut:
    """PR-6.1: the row of the table; by `dice=all` one die each."""
    return cut(count, options["dice"])


def ask_left(hits: Count, saved: Count, options: Options) -> dict[str, int]:
    """PR-6.3: hits left; none if every die succeeded.

    `saved` counts dice, not the hits that they stop: of more than were rolled nothing can be said.
    """
    thrown = cut(hits, options["dice"])
    if saved > thrown.dice:
        raise NotAllowed(
            "promiterra.saved", rule="PR-6.3", part=saved, legal=(f"0-{thrown.dice}",),
            saved=saved, hits=hits, rolled=thrown.dice,
        )  # fmt: skip
    return {"left": left_after(hits, saved, thrown)}


def ask_cap(left: Count, units: Count) -> dict[str, int]:
    """PR-6.4: the units lost."""
    return {"losses": min(left, units)}


# Attacks -----------------------------------------------------------------------------------------


def ask_hits(units: Count, attack: Attack, options: Options) -> Rule[dict[str, int]]:
    """PR-5.1: hits."""
    hits = yield from call(hits_rolled, units, attack, options["dice"], "attack")
    return {"hits": hits}


def ask_saves(hits: Count, defence: Defence, options: Options) -> Rule[dict[str, int]]:
    """PR-5.2: hits left."""
    left = yield from call(hits_left, hits, defence, options["dice"], "attack")
    return {"left": left}


def ask_fort(hits: Count, defence: Defence, level: Fort, options: Options) -> Rule[dict[str, int]]:
    """PR-7.2: its own saves, then those of the fortification against what remains."""
    dice = options["dice"]
    left = yield from call(hits_left, hits, defence, dice, "attack")
    if level:
        left = yield from call(hits_left_by_fort, left, level, dice, "attack")
    return {"left": left}


def ask_levels(attacker: Fort, defender: Fort) -> dict[str, int]:
    """PR-7.3: the levels that count for each of them."""
    a, d = attacker, defender
    return {"attacker": counting_fort(a, d), "defender": counting_fort(d, a)}


class FighterInput(Inputs, frozen=True):
    """A troop that fights."""

    units: Count
    attack: Attack
    defence: Defence
    fort: Fort = 0

    @property
    def fighter(self) -> Fighter:
        """The same for the procedure."""
        return Fighter(self.units, self.attack, self.defence, self.fort)


class Toll(msgspec.Struct, frozen=True):
    """What a clash cost both; hits are before saves, and not capped."""

    hits: int
    defender_losses: int
    riposte_hits: int
    attacker_losses: int


def ask_clash(
    attacker: FighterInput, defender: FighterInput, riposte: bool = True, *, options: Options
) -> Rule[Toll]:
    """PR-5.3: an attack and its riposte."""
    fought = yield from call(clash, attacker.fighter, defender.fighter, riposte, options["dice"])
    return Toll(fought.hits, fought.defender_losses, fought.riposte_hits, fought.attacker_losses)


def clash_parts(
    attacker: FighterInput, defender: FighterInput, riposte: bool = True, *, options: Options
) -> tuple[Part, ...]:
    """PR-5.3: losses of both, which do not depend on each other."""
    a, d, dice = attacker.fighter, defender.fighter, options["dice"]
    back = d if riposte else replace(d, units=0)
    return (
        strike_part("defender_losses", "hits", a, d, dice),
        strike_part("attacker_losses", "riposte_hits", back, a, dice),
    )


class AttackerInput(FighterInput, frozen=True):
    """One of several attackers.

    riposte: how many of the target's units answer it; none if others are given and it is not.
    """

    riposte: Count | None = None


def ask_together(
    attackers: Annotated[tuple[AttackerInput, ...], msgspec.Meta(min_length=1)],
    defender: FighterInput,
    options: Options,
) -> Rule[dict[str, Any]]:
    """PR-5.7: each attack with its saves, then each part of the riposte.

    Where no part of it is given, the riposte is a choice, as in play.
    """
    target, dice, shares = (
        defender.fighter,
        options["dice"],
        given_shares(attackers, defender.units),
    )
    due, back = [], []
    for one in attackers:
        fort = counting_fort(target.fort, one.fort)
        blow = yield from call(strike, one.units, one.attack, target, fort, dice, "attack")
        due.append(blow.losses)
    if not shares:
        shares = yield from chosen_shares(len(attackers), target.units)
    for one, share in zip(attackers, shares, strict=True):
        cover = counting_fort(one.fort, target.fort)
        blow = yield from call(strike, share, target.attack, one.fighter, cover, dice, "riposte")
        back.append(blow.losses)
    return {"defender_losses": min(sum(due), target.units), "attacker_losses": back}


def together_parts(
    attackers: tuple[AttackerInput, ...], defender: FighterInput, options: Options
) -> Rule[tuple[Part, ...]]:
    """PR-5.7: what the target loses to all, and what each attacker loses, all independent."""
    target, dice = defender.fighter, options["dice"]
    shares = given_shares(attackers, target.units)
    if not shares:
        shares = yield from chosen_shares(len(attackers), target.units)
    troops = [one.fighter for one in attackers]
    back = [
        strike_part(f"attacker_losses[{place}]", "", replace(target, units=share), one, dice)
        for place, (one, share) in enumerate(zip(troops, shares, strict=True))
    ]
    return (strikes_part("defender_losses", troops, target, dice), *back)


def given_shares(attackers: tuple[AttackerInput, ...], units: int) -> list[int]:
    """The target's units that answer each attacker, as they were given; [] if none were.

    Raises NotAllowed: no more of them riposte than there are.
    """
    given = [one.riposte for one in attackers]
    if all(share is None for share in given):
        return []
    shares = [share or 0 for share in given]
    if sum(shares) > units:
        raise NotAllowed(
            "promiterra.riposte", rule="PR-5.7", part=sum(shares), legal=(f"0-{units}",)
        )
    return shares


def chosen_shares(many: int, units: int) -> Rule[list[int]]:
    """The same as the target's player chooses, who lets all its units riposte: evenly by default,
    the last attacker facing those that are left.
    """
    if many == 1 or not units:
        return [units] * many
    names = [f"attackers[{place}]" for place in range(many)]
    split = even_split(names, units)
    split[f"riposte.{names[-1]}"] = units - sum(split.values())
    answer = yield from ask("defender", whole_split(tuple(split), units), absent=split)
    return list(answer.values())


@sheet_parts
def whole_split(parts: tuple[str, ...], units: int) -> Filling:
    """The riposte's parts, the last one too, so that an answer names every one of them."""
    left = units
    for part in parts:
        left -= yield part, Amount(left if part == parts[-1] else 0, left, unit="units")


# Loyalty, invasion, duel -------------------------------------------------------------------------


def ask_loyalty(loyalty: int) -> Rule[dict[str, bool]]:
    """PR-4.1: whether it holds."""
    return {"holds": (yield from call(loyalty_test, loyalty))}


def ask_invasion(level: Fort) -> Rule[dict[str, bool]]:
    """PR-7.4: whether the troop enters."""
    return {"enters": (yield from call(invasion, level))}


def ask_duel(challenger: int = 0, challenged: int = 0, *, options: Options) -> Rule[dict[str, str]]:
    """PR-7.6: who wins, by dice and skill or, by the variant `entered`, as the players say."""
    if options["duel"] == "entered":
        choice = OneOf(("challenged", "challenger"), "clash_side")
        return {"winner": (yield from ask("players", choice, absent="challenged"))}
    return {"winner": (yield from call(duel, challenger, challenged))}


# The end of the war ------------------------------------------------------------------------------


def ask_pursuit(units: Count) -> Rule[dict[str, int]]:
    """PR-8.1: the units that pursuit takes."""
    return {"losses": (yield from call(pursuit, units))}


def ask_situation(situation: Situation) -> dict[str, int]:
    """PR-8.2: his dice, and the scores they can come to."""
    throw = THROWS[situation]
    return {
        "dice": throw.count,
        "sides": throw.sides,
        "plus": throw.plus,
        "least": throw.count + throw.plus,
        "most": throw.count * throw.sides + throw.plus,
    }


def ask_fate(situation: Situation, lost_units: Count | bool, *, options: Options) -> Call:
    """PR-8.3: what becomes of him."""
    return Call(leaders_fate.rule, (situation, lost_units, options["captured"]))


TALLIES = ("hits", "riposte_hits")

_LIGHT: Mapping[str, int] = {"units": 10, "attack": 2, "defence": 2}
_HEAVY: Mapping[str, int] = {"units": 5, "attack": 3, "defence": 3}
_CLASH = {"attacker": _LIGHT, "defender": _HEAVY}
_TOGETHER = {"attackers": ({**_LIGHT, "riposte": 3}, {**_LIGHT, "riposte": 2}), "defender": _HEAVY}
_FATE = {"situation": "loser_fled", "lost_units": 4}

QUESTIONS = (
    *ARMY_QUESTIONS,
    Question("PR-4.1", ask_loyalty, example={"loyalty": 8}, dice="loyalty"),
    Question("PR-5.1", ask_hits, example={"units": 50, "attack": 2}, dice="hits"),
    Question("PR-5.2", ask_saves, example={"hits": 20, "defence": 3}, dice="saves"),
    Question("PR-5.3", ask_clash, TALLIES, example=_CLASH, dice="clash", parts=clash_parts),
    Question(
        "PR-5.7",
        ask_together,
        example=_TOGETHER,
        dice="together",
        parts=together_parts,
        choices=("PR-5.7",),
    ),
    Question("PR-6.1", ask_cut, example={"count": 50}),
    Question("PR-6.3", ask_left, example={"hits": 20, "saved": 7}),
    Question("PR-6.4", ask_cap, example={"left": 8, "units": 5}),
    Question("PR-7.2", ask_fort, example={"hits": 6, "defence": 2, "level": 2}, dice="fort"),
    Question("PR-7.3", ask_levels, example={"attacker": 1, "defender": 3}),
    Question("PR-7.4", ask_invasion, example={"level": 2}, dice="one"),
    Question(
        "PR-7.6",
        ask_duel,
        example={"challenger": 2, "challenged": 1},
        dice="duel",
        choices=("PR-7.6",),
    ),
    Question("PR-8.1", ask_pursuit, example={"units": 37}, dice="one"),
    Question("PR-8.2", ask_situation, example={"situation": "loser_fled"}),
    Question("PR-8.3", ask_fate, example=_FATE, dice="fate"),
    Question("PR-8.4", conditions, example={"lost": 12}, dice="conditions"),
)
"""Every rule of the ledger that rolls, reads a table or computes a figure."""
