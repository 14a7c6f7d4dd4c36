"""The rules of the campaign that can be asked alone, with typed dice or rolled ones.

Inputs without a default must be given.  Each question runs the procedure that plays the campaign.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from polemarque.api import (
    Call,
    Count,
    NotUnderstood,
    Part,
    Question,
    Rule,
    any_order,
    bonus,
    call,
    explain,
)
from polemarque.systems.mare_nostrum.caravans import TRADE, Welcome, ambush, market, trade_route
from polemarque.systems.mare_nostrum.chapters.acclamation import acclamation
from polemarque.systems.mare_nostrum.chapters.dice import (
    FIXED,
    Audience,
    Effect,
    Happening,
    Mission,
    audience,
    blockade,
    counted_turns,
    exhausted_reaction,
    fortune,
    interception,
    invasion,
    line_of_battle,
    surrender,
)
from polemarque.systems.mare_nostrum.chapters.turn import Score, points
from polemarque.systems.mare_nostrum.tables import FIGURES, FRAME, RESOURCES, maintenance, pillaged

Options = Mapping[str, Any]
"""The campaign's options, by name."""


def _surrender(siege_turns: Count, options: Options) -> Call:
    """MN-6.4: turns since the siege was laid, 1 at the first test; `siege_count` may count more."""
    turns = counted_turns(siege_turns, options["siege_count"])
    return Call(surrender.rule, (turns,))


def _pillage(demographic: Count) -> dict[str, int]:
    return {"gold": pillaged(demographic)}


def _plunder(market: Count) -> dict[str, int]:
    return {"gold": pillaged(market)}


def _line(players: tuple[str, ...]) -> Call:
    return Call(line_of_battle.rule, (_once_each(players),))


def _line_law(players: tuple[str, ...]) -> tuple[Part, ...]:
    """MN-7.5: nobody is favoured, so that every order is as likely as any other."""
    return (any_order(_once_each(players)),)


def _once_each(players: tuple[str, ...]) -> tuple[str, ...]:
    """The players; refused if one is named twice."""
    if len(set(players)) != len(players):
        raise NotUnderstood("consult.player_twice", rule="MN-7.5", part=", ".join(players))
    return players


def _price(armies: Count = 0, fleets: Count = 0) -> dict[str, int]:
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

Factor = Annotated[int, msgspec.Meta(ge=-TRADE.racial, le=TRADE.racial)]


def _market(resources: tuple[str, ...]) -> Rule[dict[str, int]]:
    """MN-F2: what a province produces, each good as often as it is named."""
    for good in resources:
        if good not in RESOURCES:
            raise NotUnderstood("consult.resource", rule="MN-F2", part=good, legal=RESOURCES)
    reasons = market(resources)
    yield from explain(reasons)
    return {"market": reasons.total}


def _route(
    base: int,
    already: bool = False,
    war_with_ally: bool = False,
    at_war: bool = False,
    own: bool = False,
    treaty: bool = False,
    republic: bool = False,
    commerce_priest: bool = False,
    racial: Factor = 0,
) -> Call:
    """MN-F3: the base threshold of a good, and how its caravan stands with the destination."""
    welcome = Welcome(
        already, war_with_ally, at_war, own, treaty, republic,
        commerce_priest, racial,
    )  # fmt: skip
    return Call(trade_route.rule, (base, welcome))


def _upkeep(distance: Count, siege: bool = False) -> Rule[dict[str, int]]:
    reasons = maintenance(distance, siege)
    yield from explain(reasons)
    return {"cost": reasons.total}


Fate = Literal["sinks", "holds"]


class Foretold(msgspec.Struct, frozen=True):
    """An event of the table, and what its die makes of a fleet in a storm; None in fair weather."""

    event: Happening
    effect: Effect
    amount: int
    fleet: Fate | None


def _event() -> Rule[Foretold]:
    """MN-F5.  In play nobody sees the figure that its row adds to the dice: here it is a reason."""
    sent = yield from call(fortune)
    yield from explain(bonus("MN-F5", FIXED[sent.event], "event_figure"))
    fleet: Fate | None = None
    if sent.effect == "storm":
        fleet = "sinks" if sent.amount <= FRAME.storm.sinks else "holds"
    return Foretold(sent.event, sent.effect, sent.amount, fleet)


def _mission(mission: Mission) -> Rule[Audience]:
    heard = yield from call(audience, mission)
    yield from explain(bonus("MN-F6", heard.threshold, "mission_threshold"))
    return heard


def _score(
    provinces: Count,
    others: tuple[Count, ...],
    armies: Count = 0,
    improvements: Count = 0,
    treasury: Count = 0,
) -> Rule[dict[str, int]]:
    """MN-F8; whose treasury is the greatest cannot be said without those of all others."""
    score = Score(provinces, armies, improvements, treasury)
    reasons = points(score, others)
    yield from explain(reasons)
    return {"points": reasons.total}


def _ambush(bands: Annotated[int, msgspec.Meta(ge=1)] = 1) -> Call:
    return Call(ambush.rule, (bands,))


FRAME_QUESTIONS = (
    Question("MN-9.2", _ambush, dice="d6_each_band"),
    Question("MN-F2", _market, example={"resources": ["wheat", "wine"]}),
    Question("MN-F3", _route, example={"base": 60, "treaty": True}, dice="1d100"),
    Question("MN-F4", _upkeep, example={"distance": 3, "siege": True}),
    Question("MN-F5", _event, dice="mn_event"),
    Question("MN-F6", _mission, example={"mission": "passage"}, dice="1d100"),
    Question("MN-F7", acclamation, example={"index": 60}, dice="mood"),
    Question("MN-F8", _score, example={"provinces": 4, "others": [30]}),
)  # fmt: skip
"""The questions of the frame, for `consult`."""


QUESTIONS = (*WAR_QUESTIONS, *FRAME_QUESTIONS)
