"""The steady governor of Mare Nostrum: he trades, takes what is weak, and breaks no word.

He sees what his seat may see and what he is asked, nothing else.  Caravans go where a route is
likely and pays; armies take free provinces by the book's own odds, and players' where they are
stronger; money left builds what pleases the people.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polemarque.bots.base import Asked, Bot, fill, usual
from polemarque.bots.mare_nostrum_envoys import Chancellor
from polemarque.bots.mare_nostrum_orders import Plan
from polemarque.bots.mare_nostrum_outlook import Outlook
from polemarque.bots.mare_nostrum_purse import Levy, Reveller, Steward, Trader
from polemarque.kernel.request import Chooser, OneOf, Options, Sheet
from polemarque.systems.mare_nostrum.invasion import NOBODY
from polemarque.systems.mare_nostrum.views import View

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
    "MN-2.7": lambda outlook: Plan(outlook).answer,
    "MN-2.6": lambda outlook: Levy(outlook).answer,
    "MN-F5/phase": lambda outlook: Steward(outlook).answer,
    "MN-F7/phase": lambda outlook: Reveller(outlook).answer,
}
"""Who fills in the sheet of a rule."""


def refuge(outlook: Outlook, words: tuple[str, ...], army: str) -> str:
    """Where a beaten army goes: a land of his own, where it is safest, nearest to its base."""
    base = outlook.campaign.armies[army].base

    def safety(word: str) -> tuple[bool, int, int]:
        if word not in outlook.campaign.lands:
            return True, 0, 0
        far = outlook.atlas.distance(base, word) or 0
        return word not in outlook.lands, outlook.threat(word), far

    return min(words, key=safety)


def rescue(outlook: Outlook, _: tuple[str, ...], fleet: str) -> str:
    """His fleet takes nobody's army aboard but an ally's."""
    zone = outlook.campaign.fleets[fleet].place
    beside = [
        army.owner
        for place in outlook.atlas.provinces_of(zone)
        for army in outlook.garrisons.get(place, ())
    ]
    friends = any([outlook.campaign.allies(outlook.seat, owner) for owner in beside])
    return "yes" if friends else "no"


def contender(outlook: Outlook, words: tuple[str, ...], _: str) -> str:
    """Among partners the smallest realm may have a province; else it is his, or nobody's."""
    campaign, seats = outlook.campaign, [word for word in words if word != NOBODY]
    if all([campaign.partners(outlook.seat, other) for other in seats]):
        return min(seats, key=lambda seat: (len(campaign.lands_of(seat)), seat))
    return outlook.seat if outlook.seat in seats else NOBODY


def capital(outlook: Outlook, words: tuple[str, ...], _: str) -> str:
    """His government moves to where it is best kept, and then to what is worth most."""
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
"""What he says where he is asked for one word, by its family."""

BOTS: dict[str, Bot] = {"steady": Steady()}
"""The bots of this system."""
