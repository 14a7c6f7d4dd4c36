"""The rules of the military phase that can be asked alone, with typed dice or rolled ones.

Inputs without a default must be given.  Each question runs the procedure that plays the campaign.
"""

from __future__ import annotations

from typing import Any

from polemarque.api import NotUnderstood, Part, Question, Rule, any_order, call
from polemarque.systems.mare_nostrum.chapters.dice import (
    blockade,
    counted_turns,
    exhausted_reaction,
    interception,
    invasion,
    line_of_battle,
    surrender,
)
from polemarque.systems.mare_nostrum.figures import FIGURES, pillaged
from polemarque.systems.mare_nostrum.questions.inputs import Count, Options


def _surrender(siege_turns: Count, options: Options) -> Rule[Any]:
    """MN-6.4: turns since the siege was laid, 1 at the first test; `siege_count` may count more."""
    turns = counted_turns(siege_turns, options["siege_count"])
    return (yield from call(surrender, turns))


def _pillage(demographic: Count) -> dict[str, int]:
    """MN-6.3: half, rounded up."""
    return {"gold": pillaged(demographic)}


def _plunder(market: Count) -> dict[str, int]:
    """MN-6.10: half, rounded up."""
    return {"gold": pillaged(market)}


def _line(players: tuple[str, ...]) -> Rule[Any]:
    """MN-7.5: the players who meet, each once."""
    return (yield from call(line_of_battle, _once_each(players)))


def _line_law(players: tuple[str, ...]) -> tuple[Part, ...]:
    """MN-7.5: nobody is favoured, so that every order is as likely as any other."""
    return (any_order(_once_each(players)),)


def _once_each(players: tuple[str, ...]) -> tuple[str, ...]:
    """The players; refused if one is named twice."""
    if len(set(players)) != len(players):
        raise NotUnderstood("consult.player_twice", rule="MN-7.5", part=", ".join(players))
    return players


def _price(armies: Count = 0, fleets: Count = 0) -> dict[str, int]:
    """MN-2.6: what is raised."""
    return {"cost": armies * FIGURES.army_price + fleets * FIGURES.fleet_price}


WAR_QUESTIONS = (
    Question("MN-2.6", _price, example={"armies": 2, "fleets": 1}),
    Question(
        "MN-5.1", invasion, dice="1d10",
        example={"demographic": 12, "fortress": True, "engineer": True, "war_priest": False},
    ),
    Question("MN-6.3", _pillage, example={"demographic": 13}),
    Question("MN-6.4", _surrender, example={"siege_turns": 3}, dice="1d10"),
    Question("MN-6.10", _plunder, example={"market": 9}),
    Question("MN-7.2", exhausted_reaction, example={"home": True}, dice="1d6"),
    Question(
        "MN-7.5", _line, example={"players": ["A", "B", "C"]}, dice="1d6_each",
        parts=_line_law,
    ),
    Question("MN-8.3", blockade, dice="1d6"),
    Question("MN-9.1", interception, example={"controlled": True}, dice="1d6"),
)  # fmt: skip
"""Every rule of the military phase that can be asked alone, in the book's order."""
