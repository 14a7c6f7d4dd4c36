"""The movement orders of the steady governor of Mare Nostrum: who marches where, and why.

Its armies besiege on, relieve what is besieged, keep the capital, and then take whatever promises
most; one that has nothing to do goes back to its base, where it costs nothing.
"""

from __future__ import annotations

from typing import Any

from polemarque.api import OneOf, Options, SeveralOf
from polemarque.bots.mare_nostrum.evaluation import Outlook
from polemarque.systems.mare_nostrum.pieces import STAY, Army, Fleet
from polemarque.systems.mare_nostrum.reach import army_ways, fleet_ways
from polemarque.systems.mare_nostrum.tables import WAR_GOD, maintenance

FAR = 4
"""Steps that an army goes through its own provinces to a target."""

WORTHWHILE = 15.0
"""PO that a landing has to promise at least."""


class MarchPlan:
    """The orders of one turn; `answer` fills the sheet with them."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.campaign = outlook.campaign
        self.dues = outlook.dues
        """PO that all armies and fleets cost where they are ordered to."""
        self.moves: dict[str, str] = {}
        self.taken: dict[str, int] = {}
        """Places that armies are sent to, and how many."""
        self.ways = {army.id: army_ways(self.campaign, army) for army in outlook.armies}
        self.free = {army.id: army for army in outlook.armies if self.ways[army.id]}
        self._besiege_on()
        self._relieve()
        self._keep_home()
        self._strike()
        self._sail()
        self._approach_or_return()

    # Orders ------------------------------------------------------------------------------------

    def _send(self, army: Army, place: str) -> None:
        self.free.pop(army.id)
        if place != army.place:
            self.moves[army.id] = place
            self.dues += self._more(army, place)
        self.taken[place] = self.taken.get(place, 0) + 1

    def _more(self, army: Army, place: str) -> int:
        """PO that an army costs more in a place, or aboard a fleet, than where it is (MN-F4)."""
        there = self.campaign.fleets[place].place if place in self.campaign.fleets else place
        here = self.campaign.whereabouts(army)
        costs = [
            maintenance(self.outlook.atlas.distance(army.base, at) or 0, siege=False).total
            for at in (here, there)
        ]
        return costs[1] - costs[0]

    def _able(self, army: Army, place: str) -> bool:
        return self.dues + self._more(army, place) <= self.outlook.holder.treasury

    def _besiege_on(self) -> None:
        """A besieger stays, as long as it can be paid."""
        for army in list(self.free.values()):
            if self.campaign.besieging(army) and self.dues <= self.outlook.holder.treasury:
                self._send(army, army.place)

    def _relieve(self) -> None:
        """Besieged provinces of its own are relieved by armies beside them, if they are enough."""
        for place in self.outlook.lands:
            if self.campaign.lands[place].siege is None:
                continue
            near = [army for army in self.free.values() if place in self.ways[army.id]]
            if near and len(near) >= self.outlook.foes_at(place):
                for army in near:
                    self._send(army, place)

    def _keep_home(self) -> None:
        """As many armies in the capital as could come, if there are so many."""
        home, outlook = self.outlook.holder.home, self.outlook
        if not home:
            return
        wanted = outlook.threat(home)
        there = [army for army in self.free.values() if army.place == home]
        # The one with an engineer or a priest is the last that stays.
        there.sort(key=lambda army: len(self.campaign.companions(army.id)))
        for army in there[:wanted]:
            self._send(army, home)
        if not there and wanted:
            near = [army for army in self.free.values() if home in self.ways[army.id]]
            for army in near[:1]:
                self._send(army, home)

    def _strike(self) -> None:
        """Again and again the best that one army, or several beside it, can do."""
        outlook = self.outlook
        while True:
            best: tuple[float, str, list[Army]] = (0.0, "", [])
            beside: dict[str, list[Army]] = {}
            for army in self.free.values():
                for place in self.ways[army.id]:
                    if place in self.campaign.lands and place not in self.taken:
                        beside.setdefault(place, []).append(army)
            for place, armies in beside.items():
                if place in outlook.lands:
                    continue
                led = max(armies, key=lambda army: len(self.campaign.companions(army.id)))
                group = [led, *[army for army in armies if army is not led]]
                group = group[: max(1, outlook.foes_at(place) + 1)]
                if not all([self._able(army, place) for army in group]):
                    continue
                promise = outlook.prize(led, place, len(group)) / len(group)
                if promise > best[0]:
                    best = (promise, place, group)
            if not best[1]:
                return
            for army in best[2]:
                self._send(army, best[1])

    # The sea -----------------------------------------------------------------------------------

    def _sail(self) -> None:
        """Armies aboard land where it is worth it, or sail on; others embark for such a landing."""
        for fleet in self.outlook.fleets:
            cargo = self.campaign.cargo(fleet.id)
            if cargo is None:
                self._embark(fleet)
            elif cargo.id not in self.moves:
                self._sail_on(fleet, cargo)

    def _best_zone(self, fleet: Fleet) -> tuple[float, str]:
        """Where beside it, or here, a fleet's army would land best."""
        best = (WORTHWHILE, "")
        for zone in (fleet.place, *fleet_ways(self.campaign, fleet)):
            for place, promise in self.outlook.overseas(zone).items():
                if place not in self.taken and promise > best[0]:
                    best = (promise, zone)
        return best

    def _embark(self, fleet: Fleet) -> None:
        zone = self._best_zone(fleet)[1]
        boarding = [army for army in self.free.values() if fleet.id in self.ways[army.id]]
        boarding = [army for army in boarding if self._able(army, zone or fleet.place)]
        if zone and boarding:
            self._send(boarding[0], fleet.id)
            if zone != fleet.place:
                self.moves[fleet.id] = zone
        elif fleet.place != fleet.base:
            self._steer(fleet, fleet.base)

    def _sail_on(self, fleet: Fleet, cargo: Army) -> None:
        zone = self._best_zone(fleet)[1]
        if zone and zone != fleet.place and self._able(cargo, zone):
            self.moves[fleet.id] = zone
            self.free.pop(cargo.id, None)
            return
        if not zone and cargo.id in self.free:
            ashore = [place for place in self.ways[cargo.id] if place in self.outlook.lands]
            if ashore:
                self._send(cargo, ashore[0])
                return
        if not zone and fleet.place != fleet.base:
            self._steer(fleet, fleet.base)

    def _steer(self, fleet: Fleet, goal: str) -> None:
        """One zone nearer to a goal."""
        atlas = self.outlook.atlas
        ways = fleet_ways(self.campaign, fleet)
        if ways:
            self.moves[fleet.id] = min(ways, key=lambda zone: atlas.sea_distance(zone, goal) or 0)

    # The others ---------------------------------------------------------------------------

    def _approach_or_return(self) -> None:
        """Toward the nearest target that nobody is sent to; else back to where it costs nothing."""
        outlook = self.outlook
        for army in list(self.free.values()):
            if army.place not in self.campaign.lands:
                continue
            ahead = outlook.way(army.place, self._targets(army).__contains__, FAR)
            if ahead and ahead[0] in outlook.lands and self._able(army, ahead[0]):
                self._go(army, ahead[0])
                continue
            if army.place != army.base:
                back = outlook.way(army.place, lambda place, base=army.base: place == base, FAR * 4)  # type: ignore[misc]
                if back and back[0] in outlook.lands:
                    self._go(army, back[0])
                elif army.place not in outlook.lands:
                    homeward = [way for way in self.ways[army.id] if way in outlook.lands]
                    if homeward:
                        self._go(army, homeward[0])

    def _targets(self, army: Army) -> list[str]:
        """What an army may march toward: with an engineer, fortresses too."""
        targets = [place for place in self.outlook.targets if place not in self.taken]
        if self.campaign.has(army.id, "engineer") is not None:
            targets += [p for p in self.outlook.fortresses if self.outlook.prize(army, p) > 0]
        return targets

    def _go(self, army: Army, place: str) -> None:
        if place in self.ways[army.id]:
            self._send(army, place)

    # The sheet ---------------------------------------------------------------------------------

    def answer(self, part: str, options: Options) -> Any:
        """One part of the sheet of orders."""
        kind, _, piece = part.partition(".")
        if isinstance(options, SeveralOf):
            return tuple([seat for seat in options.words if self._fights(seat, piece)])
        assert isinstance(options, OneOf)
        words: tuple[str, ...] = options.words
        wish = words[0]
        if kind == "join":
            wish = self._company(piece, words)
        elif kind == "move":
            wish = self.moves.get(piece, STAY)
        elif kind == "garrison":
            wish = self._duty(piece, words)
        elif kind == "blockade":
            wish = self._port(words)
        elif kind == "chase":
            wish = "yes"
        return wish if wish in words else words[0]

    def _fights(self, seat: str, place: str) -> bool:
        """Those it is at war with, and those who stand in the way of its armies.

        place: where, if its sealed orders say so (MN-7.5); "" for everywhere.
        """
        if self.campaign.at_war(self.outlook.seat, seat):
            return True
        stay = [army for army in self.outlook.armies if army.id not in self.moves]
        return any(
            [
                other.owner == seat
                for army in stay
                if army.place in self.campaign.lands and army.place not in self.outlook.lands
                if place in ("", army.place)
                for other in self.outlook.garrisons[army.place]
            ]
        )

    def _company(self, specialist: str, words: tuple[str, ...]) -> str:
        """Priests of war go with the army that sets out; engineers where a fortress is the aim."""
        one = self.campaign.specialists[specialist]
        armies = [word for word in words if word in self.campaign.armies]
        if one.joins or not armies or (one.kind == "priest" and one.god != WAR_GOD):
            return STAY
        if one.kind == "engineer" and not self.outlook.fortresses:
            return STAY
        leaving = [army for army in armies if army in self.moves]
        return (leaving or armies)[0]

    def _duty(self, army: str, words: tuple[str, ...]) -> str:
        """It attacks if it can; it plunders whom it is at war with."""
        owner = self.campaign.owner(self.campaign.armies[army].place)
        at_war = owner is not None and self.campaign.at_war(self.outlook.seat, owner)
        if "attack" in words:
            return "attack"
        return "both" if at_war else "hold"

    def _port(self, words: tuple[str, ...]) -> str:
        """The port of somebody it is at war with."""
        for port in words[1:]:
            owner = self.campaign.owner(port)
            if owner is not None and self.campaign.at_war(self.outlook.seat, owner):
                return port
        return words[0]


class Meeting:
    """Whom it fights of those whom it meets; `answer` fills the sheet."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook

    def answer(self, part: str, options: Options) -> Any:
        """One place: those who are no more there than its own, in a war or over a prize."""
        assert isinstance(options, SeveralOf)
        kind, _, where = part.partition(".")
        return tuple([foe for foe in options.words if self._fights(foe, kind, where)])

    def _fights(self, foe: str, kind: str, where: str) -> bool:
        outlook, campaign = self.outlook, self.outlook.campaign
        at_war = campaign.at_war(outlook.seat, foe)
        if kind == "border":
            return at_war
        theirs = len([army for army in outlook.garrisons.get(where, ()) if army.owner == foe])
        prize = where in campaign.lands and campaign.owner(where) not in (outlook.seat, foe)
        return (at_war or prize) and theirs <= outlook.guards(where)
