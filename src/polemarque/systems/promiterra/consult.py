"""The rules that can be asked alone, answered by the procedures that play them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from polemarque.kernel.agenda import Rule, ask, call
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.request import Amount, Filling, OneOf, Sheet
from polemarque.kernel.system import Part, Question
from polemarque.systems.promiterra.consult_armies import ARMY_QUESTIONS
from polemarque.systems.promiterra.cutting import Cut, cut, left_after
from polemarque.systems.promiterra.inputs import Attack, Count, Defence, Fort, Inputs, Options
from polemarque.systems.promiterra.laws import strike_part
from polemarque.systems.promiterra.strikes import (
    Fighter,
    clash,
    counting_fort,
    hits_left,
    hits_left_by_fort,
    hits_rolled,
    strike,
)
from polemarque.systems.promiterra.together import even_split
from polemarque.systems.promiterra.trials import (
    THROWS,
    Conditions,
    Fate,
    Situation,
    conditions,
    duel,
    invasion,
    leaders_fate,
    loyalty_test,
    pursuit,
)

# Dice --------------------------------------------------------------------------------------------


class CountInput(Inputs, frozen=True):
    """Units that attack, or hits to be saved from."""

    count: Count


def ask_cut(inputs: CountInput, options: Options) -> Cut:
    """PR-6.1: the row of the table; by `dice=all` one die each."""
    return cut(inputs.count, options["dice"])


class SavedInput(Inputs, frozen=True):
    """Hits, and how many of the dice rolled against them succeeded."""

    hits: Count
    saved: Count


def ask_left(inputs: SavedInput, options: Options) -> dict[str, int]:
    """PR-6.3: hits left; none if every die succeeded.

    `saved` counts dice, not the hits that they stop: of more than were rolled nothing can be said.
    """
    thrown = cut(inputs.hits, options["dice"])
    if inputs.saved > thrown.dice:
        raise NotAllowed(
            "promiterra.saved", rule="PR-6.3", part=inputs.saved, legal=(f"0-{thrown.dice}",),
            saved=inputs.saved, hits=inputs.hits, rolled=thrown.dice,
        )  # fmt: skip
    return {"left": left_after(inputs.hits, inputs.saved, thrown)}


class CapInput(Inputs, frozen=True):
    """Hits left after all saves, and the target's units."""

    left: Count
    units: Count


def ask_cap(inputs: CapInput, _: Options) -> dict[str, int]:
    """PR-6.4: the units lost."""
    return {"losses": min(inputs.left, inputs.units)}


# Attacks -----------------------------------------------------------------------------------------


class HitsInput(Inputs, frozen=True):
    """A troop that attacks."""

    units: Count
    attack: Attack


def ask_hits(inputs: HitsInput, options: Options) -> Rule[dict[str, int]]:
    """PR-5.1: hits."""
    hits = yield from call(hits_rolled, inputs.units, inputs.attack, options["dice"], "attack")
    return {"hits": hits}


class SavesInput(Inputs, frozen=True):
    """Hits on a troop."""

    hits: Count
    defence: Defence


def ask_saves(inputs: SavesInput, options: Options) -> Rule[dict[str, int]]:
    """PR-5.2: hits left."""
    left = yield from call(hits_left, inputs.hits, inputs.defence, options["dice"], "attack")
    return {"left": left}


class FortInput(SavesInput, frozen=True):
    """Hits on a troop that a fortification defends as well."""

    level: Fort


def ask_fort(inputs: FortInput, options: Options) -> Rule[dict[str, int]]:
    """PR-7.2: its own saves, then those of the fortification against what remains."""
    dice = options["dice"]
    left = yield from call(hits_left, inputs.hits, inputs.defence, dice, "attack")
    if inputs.level:
        left = yield from call(hits_left_by_fort, left, inputs.level, dice, "attack")
    return {"left": left}


class LevelsInput(Inputs, frozen=True):
    """The levels of fortification on which two troops stand."""

    attacker: Fort
    defender: Fort


def ask_levels(inputs: LevelsInput, _: Options) -> dict[str, int]:
    """PR-7.3: the levels that count for each of them."""
    a, d = inputs.attacker, inputs.defender
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


class ClashInput(Inputs, frozen=True):
    """An attack.  riposte: whether the defender may answer it."""

    attacker: FighterInput
    defender: FighterInput
    riposte: bool = True


class Toll(msgspec.Struct, frozen=True):
    """What a clash cost both; hits are before saves, and not capped."""

    hits: int
    defender_losses: int
    riposte_hits: int
    attacker_losses: int


def ask_clash(inputs: ClashInput, options: Options) -> Rule[Toll]:
    """PR-5.3: an attack and its riposte."""
    fought = yield from call(
        clash, inputs.attacker.fighter, inputs.defender.fighter, inputs.riposte, options["dice"]
    )
    return Toll(fought.hits, fought.defender_losses, fought.riposte_hits, fought.attacker_losses)


def clash_parts(inputs: ClashInput, options: Options) -> tuple[Part, ...]:
    """PR-5.3: losses of both, which do not depend on each other."""
    a, d, dice = inputs.attacker.fighter, inputs.defender.fighter, options["dice"]
    back = d if inputs.riposte else replace(d, units=0)
    return (
        strike_part("defender_losses", "hits", a, d, dice),
        strike_part("attacker_losses", "riposte_hits", back, a, dice),
    )


class AttackerInput(FighterInput, frozen=True):
    """One of several attackers.

    riposte: how many of the target's units answer it; none if others are given and it is not.
    """

    riposte: Count | None = None


class TogetherInput(Inputs, frozen=True):
    """Several attack one target."""

    attackers: Annotated[tuple[AttackerInput, ...], msgspec.Meta(min_length=1)]
    defender: FighterInput


def ask_together(inputs: TogetherInput, options: Options) -> Rule[dict[str, Any]]:
    """PR-5.7: each attack with its saves, then each part of the riposte.

    Where no part of it is given, the riposte is a choice, as in play.
    """
    target, dice, shares = inputs.defender.fighter, options["dice"], given_shares(inputs)
    due, back = [], []
    for one in inputs.attackers:
        fort = counting_fort(target.fort, one.fort)
        blow = yield from call(strike, one.units, one.attack, target, fort, dice, "attack")
        due.append(blow.losses)
    if not shares:
        shares = yield from chosen_shares(len(inputs.attackers), target.units)
    for one, share in zip(inputs.attackers, shares, strict=True):
        cover = counting_fort(one.fort, target.fort)
        blow = yield from call(strike, share, target.attack, one.fighter, cover, dice, "riposte")
        back.append(blow.losses)
    return {"defender_losses": min(sum(due), target.units), "attacker_losses": back}


def given_shares(inputs: TogetherInput) -> list[int]:
    """The target's units that answer each attacker, as they were given; [] if none were.

    Raises NotAllowed: no more of them riposte than there are.
    """
    units, given = inputs.defender.units, [one.riposte for one in inputs.attackers]
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


def whole_split(parts: tuple[str, ...], units: int) -> Sheet:
    """The riposte's parts, the last one too, so that an answer names every one of them."""

    def fill() -> Filling:
        left = units
        for part in parts:
            left -= yield part, Amount(left if part == parts[-1] else 0, left, unit="units")

    return Sheet(fill)


# Loyalty, invasion, duel -------------------------------------------------------------------------


class LoyaltyInput(Inputs, frozen=True):
    """A troop's loyalty, after all changes."""

    loyalty: int


def ask_loyalty(inputs: LoyaltyInput, _: Options) -> Rule[dict[str, bool]]:
    """PR-4.1: whether it holds."""
    return {"holds": (yield from call(loyalty_test, inputs.loyalty))}


class InvasionInput(Inputs, frozen=True):
    """The level of an empty fortified cell."""

    level: Fort


def ask_invasion(inputs: InvasionInput, _: Options) -> Rule[dict[str, bool]]:
    """PR-7.4: whether the troop enters."""
    return {"enters": (yield from call(invasion, inputs.level))}


class DuelInput(Inputs, frozen=True):
    """What each leader adds to his die."""

    challenger: int = 0
    challenged: int = 0


def ask_duel(inputs: DuelInput, options: Options) -> Rule[dict[str, str]]:
    """PR-7.6: who wins, by dice and skill or, by the variant `entered`, as the players say."""
    if options["duel"] == "entered":
        choice = OneOf(("challenged", "challenger"), "clash_side")
        return {"winner": (yield from ask("players", choice, absent="challenged"))}
    return {"winner": (yield from call(duel, inputs.challenger, inputs.challenged))}


# The end of the war ------------------------------------------------------------------------------


class PursuitInput(Inputs, frozen=True):
    """Units of a fled troop."""

    units: Count


def ask_pursuit(inputs: PursuitInput, _: Options) -> Rule[dict[str, int]]:
    """PR-8.1: the units that pursuit takes."""
    return {"losses": (yield from call(pursuit, inputs.units))}


class SituationInput(Inputs, frozen=True):
    """How a leader left the war."""

    situation: Situation


def ask_situation(inputs: SituationInput, _: Options) -> dict[str, int]:
    """PR-8.2: his dice, and the scores they can come to."""
    throw = THROWS[inputs.situation]
    return {
        "dice": throw.count,
        "sides": throw.sides,
        "plus": throw.plus,
        "least": throw.count + throw.plus,
        "most": throw.count * throw.sides + throw.plus,
    }


class FateInput(SituationInput, frozen=True):
    """The same, and how many units his troop has lost, or merely whether it lost any."""

    lost_units: Count | bool


def ask_fate(inputs: FateInput, _: Options) -> Rule[Fate]:
    """PR-8.3: what becomes of him."""
    return (yield from call(leaders_fate, inputs.situation, inputs.lost_units))


class LostInput(Inputs, frozen=True):
    """Units lost in attacks, ripostes and pursuit."""

    lost: Count


def ask_conditions(inputs: LostInput, _: Options) -> Rule[Conditions]:
    """PR-8.4: how many came to each end."""
    return (yield from call(conditions, inputs.lost))


TALLIES = ("hits", "riposte_hits")

_LIGHT: Mapping[str, int] = {"units": 10, "attack": 2, "defence": 2}
_HEAVY: Mapping[str, int] = {"units": 5, "attack": 3, "defence": 3}
_CLASH = {"attacker": _LIGHT, "defender": _HEAVY}
_TOGETHER = {"attackers": ({**_LIGHT, "riposte": 3}, {**_LIGHT, "riposte": 2}), "defender": _HEAVY}
_FATE = {"situation": "loser_fled", "lost_units": 4}

QUESTIONS = (
    *ARMY_QUESTIONS,
    Question("PR-4.1", LoyaltyInput, ask_loyalty, example={"loyalty": 8}, dice="loyalty"),
    Question("PR-5.1", HitsInput, ask_hits, example={"units": 50, "attack": 2}, dice="hits"),
    Question("PR-5.2", SavesInput, ask_saves, example={"hits": 20, "defence": 3}, dice="saves"),
    Question(
        "PR-5.3", ClashInput, ask_clash, TALLIES, example=_CLASH, dice="clash", parts=clash_parts
    ),
    Question(
        "PR-5.7", TogetherInput, ask_together, example=_TOGETHER, dice="together",
        choices=("PR-5.7",),
    ),
    Question("PR-6.1", CountInput, ask_cut, example={"count": 50}),
    Question("PR-6.3", SavedInput, ask_left, example={"hits": 20, "saved": 7}),
    Question("PR-6.4", CapInput, ask_cap, example={"left": 8, "units": 5}),
    Question(
        "PR-7.2", FortInput, ask_fort, example={"hits": 6, "defence": 2, "level": 2}, dice="fort"
    ),
    Question("PR-7.3", LevelsInput, ask_levels, example={"attacker": 1, "defender": 3}),
    Question("PR-7.4", InvasionInput, ask_invasion, example={"level": 2}, dice="one"),
    Question(
        "PR-7.6", DuelInput, ask_duel, example={"challenger": 2, "challenged": 1}, dice="duel",
        choices=("PR-7.6",),
    ),
    Question("PR-8.1", PursuitInput, ask_pursuit, example={"units": 37}, dice="one"),
    Question("PR-8.2", SituationInput, ask_situation, example={"situation": "loser_fled"}),
    Question("PR-8.3", FateInput, ask_fate, example=_FATE, dice="fate"),
    Question("PR-8.4", LostInput, ask_conditions, example={"lost": 12}, dice="conditions"),
)  # fmt: skip
"""Every rule of the ledger that rolls, reads a table or computes a figure."""
