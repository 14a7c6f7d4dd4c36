"""The diplomacy of the steady governor of Mare Nostrum: goods for all, peace with the strong."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from polemarque.bots.mare_nostrum_outlook import Outlook
from polemarque.kernel.request import Amount, OneOf, Options
from polemarque.systems.mare_nostrum.missions import AGREE, DECLINE, MISSION
from polemarque.systems.mare_nostrum.pieces import Mission
from polemarque.systems.mare_nostrum.purse import PRICES

PLENTY = 4
"""He sends an envoy when his treasury is so many times the price of the mission."""


class Chancellor:
    """The sheets of the diplomatic phase, part by part.  He denounces nothing, harms no envoy."""

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
        """Whose caravans his fleets let through: everybody's but his enemies' in war."""
        return tuple([s for s in options.words if not self.campaign.at_war(self.outlook.seat, s)])

    def _mine(self, mission: Mission) -> bool:
        return mission.owner == self.outlook.seat

    def _mission(self, sender: str) -> Mission:
        """The mission that another seat has sent to him."""
        return next(
            m for m in self.campaign.missions if m.owner == sender and m.to == self.outlook.seat
        )

    # What he wants -----------------------------------------------------------------------------

    @cached_property
    def errand(self) -> tuple[str, str]:
        """To whom he sends an envoy, and for what; two empty words if to nobody.

        Peace with whoever is stronger in a war; else goods to trade, if he can well afford it.
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

    # What he grants ----------------------------------------------------------------------------

    def _welcome(self, mission: Mission) -> bool:
        """Whether he agrees: to trade in peace, and to peace where war promises him nothing."""
        other, outlook = mission.owner, self.outlook
        at_war = self.campaign.at_war(outlook.seat, other)
        if mission.aim == "commercial":
            return not at_war
        if mission.aim == "non_aggression":
            stronger = outlook.power[other] >= outlook.power[outlook.seat]
            return stronger or not self._borders(other)
        return mission.aim == "alliance" and not at_war and not self._borders(other)

    def _borders(self, other: str) -> bool:
        """Whether lands of his touch another's."""
        return any(
            [
                self.campaign.owner(near) == other
                for place in self.outlook.lands
                for near in self.outlook.atlas.neighbours_of(place)
            ]
        )
