"""The rules of the frame (MN-F) that can be asked alone, with typed dice or rolled ones."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from polemarque.kernel.agenda import Rule, call, explain
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.events import bonus
from polemarque.kernel.system import Question
from polemarque.systems.mare_nostrum.consult_inputs import Count, Inputs, NoInputs, Options
from polemarque.systems.mare_nostrum.fortune import (
    FIXED,
    Audience,
    Effect,
    Happening,
    Mission,
    audience,
    fortune,
)
from polemarque.systems.mare_nostrum.happiness import Mood, acclamation
from polemarque.systems.mare_nostrum.scores import Score, points
from polemarque.systems.mare_nostrum.trade import (
    TRADE,
    Ambush,
    Opening,
    Welcome,
    ambush,
    market,
    trade_route,
)
from polemarque.systems.mare_nostrum.upkeep import maintenance
from polemarque.systems.mare_nostrum.wares import FRAME, RESOURCES

Factor = Annotated[int, msgspec.Meta(ge=-TRADE.racial, le=TRADE.racial)]


class MarketInputs(Inputs, frozen=True):
    """What a province produces, each good as often as it is named."""

    resources: tuple[str, ...]


def _market(asked: MarketInputs, _: Options) -> Rule[dict[str, int]]:
    """MN-F2."""
    for good in asked.resources:
        if good not in RESOURCES:
            raise NotUnderstood("consult.resource", rule="MN-F2", part=good, legal=RESOURCES)
    reasons = market(asked.resources)
    yield from explain(reasons)
    return {"market": reasons.total}


class RouteInputs(Inputs, frozen=True):
    """The base threshold of a good, and how its caravan stands with the destination."""

    base: int
    already: bool = False
    war_with_ally: bool = False
    at_war: bool = False
    own: bool = False
    treaty: bool = False
    republic: bool = False
    commerce_priest: bool = False
    racial: Factor = 0


def _route(asked: RouteInputs, _: Options) -> Rule[Opening]:
    """MN-F3."""
    welcome = Welcome(
        asked.already, asked.war_with_ally, asked.at_war, asked.own, asked.treaty, asked.republic,
        asked.commerce_priest, asked.racial,
    )  # fmt: skip
    return (yield from call(trade_route, asked.base, welcome))


class UpkeepInputs(Inputs, frozen=True):
    """Distance from the base, and whether it besieges."""

    distance: Count
    siege: bool = False


def _upkeep(asked: UpkeepInputs, _: Options) -> Rule[dict[str, int]]:
    """MN-F4."""
    reasons = maintenance(asked.distance, asked.siege)
    yield from explain(reasons)
    return {"cost": reasons.total}


Fate = Literal["sinks", "holds"]


class Foretold(msgspec.Struct, frozen=True):
    """An event of the table, and what its die makes of a fleet in a storm; None in fair weather."""

    event: Happening
    effect: Effect
    amount: int
    fleet: Fate | None


def _event(_: NoInputs, __: Options) -> Rule[Foretold]:
    """MN-F5.  In play nobody sees the figure that its row adds to the dice: here it is a reason."""
    sent = yield from call(fortune)
    yield from explain(bonus("MN-F5", FIXED[sent.event], "event_figure"))
    fleet: Fate | None = None
    if sent.effect == "storm":
        fleet = "sinks" if sent.amount <= FRAME.storm.sinks else "holds"
    return Foretold(sent.event, sent.effect, sent.amount, fleet)


class MissionInputs(Inputs, frozen=True):
    """What a free city is asked for."""

    mission: Mission


def _mission(asked: MissionInputs, _: Options) -> Rule[Audience]:
    """MN-F6."""
    heard = yield from call(audience, asked.mission)
    yield from explain(bonus("MN-F6", heard.threshold, "mission_threshold"))
    return heard


class MoodInputs(Inputs, frozen=True):
    """The index of happiness, festivities included."""

    index: int


def _mood(asked: MoodInputs, _: Options) -> Rule[Mood]:
    """MN-F7."""
    return (yield from call(acclamation, asked.index))


class ScoreInputs(Inputs, frozen=True):
    """What a player has at the end, and the treasuries of all others: whose is the greatest cannot
    be said without them.
    """

    provinces: Count
    others: tuple[Count, ...]
    armies: Count = 0
    improvements: Count = 0
    treasury: Count = 0


def _score(asked: ScoreInputs, _: Options) -> Rule[dict[str, int]]:
    """MN-F8."""
    score = Score(asked.provinces, asked.armies, asked.improvements, asked.treasury)
    reasons = points(score, asked.others)
    yield from explain(reasons)
    return {"points": reasons.total}


class AmbushInputs(Inputs, frozen=True):
    """How many bands stand in the caravan's place."""

    bands: Annotated[int, msgspec.Meta(ge=1)] = 1


def _ambush(asked: AmbushInputs, _: Options) -> Rule[Ambush]:
    """MN-9.2."""
    return (yield from call(ambush, asked.bands))


FRAME_QUESTIONS = (
    Question("MN-9.2", AmbushInputs, _ambush, dice="d6_each_band"),
    Question("MN-F2", MarketInputs, _market, example={"resources": ["wheat", "wine"]}),
    Question("MN-F3", RouteInputs, _route, example={"base": 60, "treaty": True}, dice="1d100"),
    Question("MN-F4", UpkeepInputs, _upkeep, example={"distance": 3, "siege": True}),
    Question("MN-F5", NoInputs, _event, dice="mn_event"),
    Question("MN-F6", MissionInputs, _mission, example={"mission": "passage"}, dice="1d100"),
    Question("MN-F7", MoodInputs, _mood, example={"index": 60}, dice="mood"),
    Question("MN-F8", ScoreInputs, _score, example={"provinces": 4, "others": [30]}),
)  # fmt: skip
"""The questions of the frame, for `consult`."""
