"""The steady governor of Mare Nostrum: it trades, takes what is weak, and breaks no word.

It sees what its seat may see and what it is asked, nothing else.  Caravans go where a route is
likely and pays; armies take free provinces by the book's own odds, and players' where they are
stronger; money left builds what pleases the people.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from polemarque.api import Amount, OneOf, Options, Sheet
from polemarque.api.bots import Asked, Bot, Chooser, fill, usual
from polemarque.bots.mare_nostrum.economy import Levy, Reveller, Steward, Trader
from polemarque.bots.mare_nostrum.evaluation import Outlook
from polemarque.bots.mare_nostrum.orders import MarchPlan, Meeting
from polemarque.systems.mare_nostrum.chapters.administrative import PRICES
from polemarque.systems.mare_nostrum.chapters.diplomacy import AGREE, DECLINE, MISSION
from polemarque.systems.mare_nostrum.chapters.invasion import NOBODY
from polemarque.systems.mare_nostrum.pieces import Mission
from polemarque.systems.mare_nostrum.views import View

PLENTY = 4
"""It sends an envoy when its treasury is so many times the price of the mission."""


class Chancellor:
    """The sheets of the diplomatic phase, part by part.  It denounces nothing, harms no envoy."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.campaign = outlook.campaign

    def answer(self, part: str, options: Options) -> Any:
        """Missions, answers to envoys, ransoms."""
        kind, _, other = part.partition(".")
        if isinstance(options, Amount):
            return min(options.most, int(kind == "missions" and bool(self.errand[0])))
        if not isinstance(options, OneOf):
            return self._friends(options) if kind == "convoys" else ()
        words: tuple[str, ...] = options.words
        wish = words[0]
        if kind == "host":
            wish = "seat"
        elif kind == "seat":
            wish = self.errand[0]
        elif kind == "request":
            wish = self.errand[1]
        elif kind == "envoy":
            wish = AGREE if self._welcome(self._mission(other)) else DECLINE
        elif kind == "captive":
            held = next(m for m in self.campaign.missions if m.to == other and self._mine(m))
            wish = "pay" if held.ransom <= PRICES["diplomat"] else "abandon"
        return wish if wish in words else words[0]

    def _friends(self, options: Any) -> tuple[str, ...]:
        return tuple([s for s in options.words if not self.campaign.at_war(self.outlook.seat, s)])

    def _mine(self, mission: Mission) -> bool:
        return mission.owner == self.outlook.seat

    def _mission(self, sender: str) -> Mission:
        return next(
            m for m in self.campaign.missions if m.owner == sender and m.to == self.outlook.seat
        )

    # What it wants -----------------------------------------------------------------------------

    @cached_property
    def errand(self) -> tuple[str, str]:
        """To whom it sends an envoy, and for what; two empty words if to nobody.

        Peace with a stronger seat in a war; else goods to trade, if it can well afford it.
        """
        outlook, campaign = self.outlook, self.campaign
        treasury = outlook.holder.treasury
        others = campaign.others(outlook.seat)
        foes = [other for other in others if campaign.at_war(outlook.seat, other)]
        strong = [foe for foe in foes if outlook.power[foe] > outlook.power[outlook.seat]]
        if strong and treasury >= MISSION.price:
            return max(strong, key=lambda foe: outlook.power[foe]), "non_aggression"
        if treasury < PLENTY * MISSION.price or not outlook.left:
            return "", ""
        partners = [
            other
            for other in others
            if other not in foes and not campaign.treaty("commercial", outlook.seat, other)
        ]
        if not partners:
            return "", ""
        return max(partners, key=lambda other: len(campaign.lands_of(other))), "commercial"

    # What it grants ----------------------------------------------------------------------------

    def _welcome(self, mission: Mission) -> bool:
        """Whether it agrees: to trade in peace, and to peace where war promises it nothing."""
        other, outlook = mission.owner, self.outlook
        at_war = self.campaign.at_war(outlook.seat, other)
        if mission.aim == "commercial":
            return not at_war
        if mission.aim == "non_aggression":
            stronger = outlook.power[other] >= outlook.power[outlook.seat]
            return stronger or not self._borders(other)
        return mission.aim == "alliance" and not at_war and not self._borders(other)

    def _borders(self, other: str) -> bool:
        """Whether its lands touch another's."""
        return any(
            [
                self.campaign.owner(near) == other
                for place in self.outlook.lands
                for near in self.outlook.atlas.neighbours_of(place)
            ]
        )


# The bot -----------------------------------------------------------------------------------------

Filler = Callable[[str, Options], Any]
"""Answers a sheet part by part."""


class Steady:
    """See the module."""

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """See Bot."""
        if isinstance(view, View):
            if isinstance(options, Sheet) and asked.rule in SHEETS:
                return fill(options, SHEETS[asked.rule](Outlook(view)))
            if isinstance(options, OneOf) and options.label in WORDS:
                return WORDS[options.label](Outlook(view), options.words, asked.key.subject)
        return usual(options, asked, chooser)


SHEETS: dict[str, Callable[[Outlook], Filler]] = {
    "MN-F3/orders": lambda outlook: Trader(outlook).answer,
    "MN-F6/phase": lambda outlook: Chancellor(outlook).answer,
    "MN-F6/answers": lambda outlook: Chancellor(outlook).answer,
    "MN-F6/ransom": lambda outlook: Chancellor(outlook).answer,
    "MN-2.7": lambda outlook: MarchPlan(outlook).answer,
    "MN-7.5/meeting": lambda outlook: Meeting(outlook).answer,
    "MN-2.6": lambda outlook: Levy(outlook).answer,
    "MN-F5/phase": lambda outlook: Steward(outlook).answer,
    "MN-F7/phase": lambda outlook: Reveller(outlook).answer,
}
"""Who fills in the sheet of a rule."""


def refuge(outlook: Outlook, words: tuple[str, ...], army: str) -> str:
    """Where a beaten army goes: a land of its own, where it is safest, nearest to its base."""
    base = outlook.campaign.armies[army].base

    def safety(word: str) -> tuple[bool, int, int]:
        if word not in outlook.campaign.lands:
            return True, 0, 0
        far = outlook.atlas.distance(base, word) or 0
        return word not in outlook.lands, outlook.threat(word), far

    return min(words, key=safety)


def rescue(outlook: Outlook, _: tuple[str, ...], fleet: str) -> str:
    """Its fleet takes nobody's army aboard but an ally's."""
    zone = outlook.campaign.fleets[fleet].place
    beside = [
        army.owner
        for place in outlook.atlas.provinces_of(zone)
        for army in outlook.garrisons.get(place, ())
    ]
    friends = any([outlook.campaign.allies(outlook.seat, owner) for owner in beside])
    return "yes" if friends else "no"


def contender(outlook: Outlook, words: tuple[str, ...], _: str) -> str:
    """Among partners the smallest realm may have a province; else the bot takes it, or nobody."""
    campaign, seats = outlook.campaign, [word for word in words if word != NOBODY]
    if all([campaign.partners(outlook.seat, other) for other in seats]):
        return min(seats, key=lambda seat: (len(campaign.lands_of(seat)), seat))
    return outlook.seat if outlook.seat in seats else NOBODY


def capital(outlook: Outlook, words: tuple[str, ...], _: str) -> str:
    """Its government moves to where it is best kept, and then to what is worth most."""
    lands = outlook.campaign.lands

    def merit(place: str) -> tuple[bool, int, float]:
        kept = outlook.guards(place) - outlook.threat(place)
        return lands[place].fortress, kept, outlook.worth(place)

    return max(words, key=merit)


WORDS: dict[str, Callable[[Outlook, tuple[str, ...], str], str]] = {
    "refuge": refuge,
    "rescue": rescue,
    "contender": contender,
    "place": capital,
}
"""What it says where it is asked for one word, by its family."""

BOTS: dict[str, Bot] = {"steady": Steady()}
"""The bots of this system."""
