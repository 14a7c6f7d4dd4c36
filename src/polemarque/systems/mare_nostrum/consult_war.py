"""The rules of the military phase that can be asked alone, with typed dice or rolled ones.

Inputs without a default must be given.  Each question runs the procedure that plays the campaign.
"""

from __future__ import annotations

from typing import Any

from polemarque.kernel.agenda import Rule, call
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.system import Part, Question, any_order
from polemarque.systems.mare_nostrum.consult_inputs import Count, Inputs, NoInputs, Options
from polemarque.systems.mare_nostrum.dice import (
    blockade,
    counted_turns,
    exhausted_reaction,
    interception,
    invasion,
    line_of_battle,
    surrender,
)
from polemarque.systems.mare_nostrum.figures import FIGURES, pillaged


class InvasionInputs(Inputs, frozen=True):
    """An independent province, and who comes with the army."""

    demographic: Count
    fortress: bool
    engineer: bool
    war_priest: bool


def _invasion(asked: InvasionInputs, _: Options) -> Rule[Any]:
    """MN-5.1."""
    figures = asked.demographic, asked.fortress, asked.engineer, asked.war_priest
    return (yield from call(invasion, *figures))


class SiegeInputs(Inputs, frozen=True):
    """Turns since the siege was laid: 1 at the first test.  `siege_count` may count one more."""

    siege_turns: Count


def _surrender(asked: SiegeInputs, options: Options) -> Rule[Any]:
    """MN-6.4."""
    turns = counted_turns(asked.siege_turns, options["siege_count"])
    return (yield from call(surrender, turns))


class PillageInputs(Inputs, frozen=True):
    """The demographic factor of the province that is pillaged."""

    demographic: Count


def _pillage(asked: PillageInputs, _: Options) -> dict[str, int]:
    """MN-6.3: half, rounded up."""
    return {"gold": pillaged(asked.demographic)}


class PlunderInputs(Inputs, frozen=True):
    """What the local market that a garrison pillages would have paid (MN-F2)."""

    market: Count


def _plunder(asked: PlunderInputs, _: Options) -> dict[str, int]:
    """MN-6.10: half, rounded up."""
    return {"gold": pillaged(asked.market)}


class ReactionInputs(Inputs, frozen=True):
    """Whether the army stands in its owner's home province."""

    home: bool


def _reaction(asked: ReactionInputs, _: Options) -> Rule[Any]:
    """MN-7.2."""
    return (yield from call(exhausted_reaction, asked.home))


class LineInputs(Inputs, frozen=True):
    """The players who meet, each once."""

    players: tuple[str, ...]


def _line(asked: LineInputs, _: Options) -> Rule[Any]:
    """MN-7.5."""
    return (yield from call(line_of_battle, _once_each(asked.players)))


def _line_law(asked: LineInputs, _: Options) -> tuple[Part, ...]:
    """MN-7.5: nobody is favoured, so that every order is as likely as any other."""
    return (any_order(_once_each(asked.players)),)


def _once_each(players: tuple[str, ...]) -> tuple[str, ...]:
    """The players; refused if one is named twice."""
    if len(set(players)) != len(players):
        raise NotUnderstood("consult.player_twice", rule="MN-7.5", part=", ".join(players))
    return players


def _blockade(_: NoInputs, __: Options) -> Rule[Any]:
    """MN-8.3."""
    return (yield from call(blockade))


class BandInputs(Inputs, frozen=True):
    """Whether the interceptor controls the place; nobody controls a sea zone."""

    controlled: bool


def _interception(asked: BandInputs, _: Options) -> Rule[Any]:
    """MN-9.1."""
    return (yield from call(interception, asked.controlled))


class MusterInputs(Inputs, frozen=True):
    """What is raised."""

    armies: Count = 0
    fleets: Count = 0


def _price(asked: MusterInputs, _: Options) -> dict[str, int]:
    """MN-2.6."""
    return {"cost": asked.armies * FIGURES.army_price + asked.fleets * FIGURES.fleet_price}


WAR_QUESTIONS = (
    Question("MN-2.6", MusterInputs, _price, example={"armies": 2, "fleets": 1}),
    Question(
        "MN-5.1", InvasionInputs, _invasion, dice="1d10",
        example={"demographic": 12, "fortress": True, "engineer": True, "war_priest": False},
    ),
    Question("MN-6.3", PillageInputs, _pillage, example={"demographic": 13}),
    Question("MN-6.4", SiegeInputs, _surrender, example={"siege_turns": 3}, dice="1d10"),
    Question("MN-6.10", PlunderInputs, _plunder, example={"market": 9}),
    Question("MN-7.2", ReactionInputs, _reaction, example={"home": True}, dice="1d6"),
    Question(
        "MN-7.5", LineInputs, _line, example={"players": ["A", "B", "C"]}, dice="1d6_each",
        parts=_line_law,
    ),
    Question("MN-8.3", NoInputs, _blockade, dice="1d6"),
    Question("MN-9.1", BandInputs, _interception, example={"controlled": True}, dice="1d6"),
)  # fmt: skip
"""Every rule of the military phase that can be asked alone, in the book's order."""
