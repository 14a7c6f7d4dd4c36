"""How the steady governor of Mare Nostrum sees the map: what lands are worth, who threatens them.

All stands open on this table but sealed sheets, so its seat's view makes a campaign again, and the
rules' own helpers answer it.  Worth is counted in PO over the turns that are left.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cache, cached_property

from polemarque.systems.mare_nostrum.caravans import routes_of, threshold, welcome
from polemarque.systems.mare_nostrum.chapters.commercial import market_closed, route_pays
from polemarque.systems.mare_nostrum.chapters.dice import resistance
from polemarque.systems.mare_nostrum.pieces import Army, Caravan
from polemarque.systems.mare_nostrum.reach import dues, entry_refusal, total_of
from polemarque.systems.mare_nostrum.state import TURNS_A_YEAR, Campaign
from polemarque.systems.mare_nostrum.tables import FIGURES, RESOURCES, WAR_GOD, local_market
from polemarque.systems.mare_nostrum.views import View

HORIZON = 12
"""Turns ahead that it counts on."""

TRUST = 0.7
"""The part of what is far away that it counts."""

STANDING, BUILT, CITY = 4, 2, 10
"""PO a turn that a province is worth beside its market; each improvement; a seat of government."""

LEVY, MOST_LEVY = 100, 5
"""How many PO of a treasury are feared like one army, and the most armies feared so."""

CAUTION = 2
"""A treasury so many times smaller than all others together is still watched."""

QUARREL = 0.6
"""What a prize is worth that costs a new war."""

SIEGE = 0.6
"""The chance that a siege once laid ends well."""

SURPRISE = 0.85
"""The chance that nobody comes to the help of an empty province."""


def campaign_of(view: View) -> Campaign:
    """The campaign as a seat knows it."""
    return Campaign(
        own_atlas=view.atlas, options=view.options, seats=view.seats, lands=view.lands,
        armies=view.armies, fleets=view.fleets, specialists=view.specialists,
        caravans=view.caravans, routes=view.routes, bands=view.bands, treaties=view.treaties,
        missions=view.missions, wars=view.wars, turn=view.turn, phase=view.phase,
        orders=view.orders, over=view.over, winners=view.winners, own_lists=view.lists,
    )  # fmt: skip


@cache
def duels(mine: int, theirs: int) -> float:
    """The chance that so many armies, one after the other, outlast so many (MN-7.4)."""
    if not mine or not theirs:
        return float(mine > 0)
    return (duels(mine - 1, theirs) + duels(mine, theirs - 1)) / 2


class Outlook:
    """The campaign as one seat looks at it, at one question."""

    def __init__(self, view: View) -> None:
        self.campaign = campaign_of(view)
        self.seat = view.seat
        self.holder = view.seats[view.seat]
        self.atlas = self.campaign.atlas
        self.lands = self.campaign.lands_of(self.seat)
        self.armies = self.campaign.armies_of(self.seat)
        self.fleets = self.campaign.fleets_of(self.seat)
        self.left = self.campaign.options.years * TURNS_A_YEAR - self.campaign.turn
        self._chances: dict[tuple[str, str], float] = {}

    # Money -------------------------------------------------------------------------------------

    @cached_property
    def income(self) -> int:
        """PO that markets and routes bring in a turn as it stands."""
        campaign = self.campaign
        markets = [
            local_market(self.atlas, place)
            for place in self.lands
            if not market_closed(campaign.lands[place])
        ]
        routes = [
            RESOURCES[route.resource].value
            for route in routes_of(campaign, self.seat)
            if route_pays(campaign, route)
        ]
        return sum(markets) + sum(routes)

    @cached_property
    def dues(self) -> int:
        """PO that armies and fleets cost this turn where they stand (MN-F4)."""
        return total_of(dues(self.campaign, self.seat))

    @cached_property
    def treasuries(self) -> dict[str, int]:
        """What the others have."""
        campaign = self.campaign
        return {other: campaign.seats[other].treasury for other in campaign.others(self.seat)}

    def _counts(self, turns: int) -> bool:
        """Whether a treasury can win within so many turns (MN-F8)."""
        campaign = self.campaign
        early = campaign.year < 2 and campaign.options.sudden_win == "year_2"
        return not early and -campaign.turn % TURNS_A_YEAR < turns

    @property
    def near_victory(self) -> bool:
        """Whether its treasury could win at this year's end if it keeps it."""
        return self._counts(1) and self.holder.treasury - self.dues >= sum(self.treasuries.values())

    @property
    def near_defeat(self) -> bool:
        """Whether somebody else's could, soon, unless all others keep theirs."""
        richest = max(self.treasuries.values(), default=0)
        rest = sum(self.treasuries.values()) - richest + self.holder.treasury
        return self._counts(2) and richest * CAUTION >= rest

    def route_chance(self, resource: str, place: str) -> float:
        """The chance that one of its caravans opens a route there when it arrives (MN-F3)."""
        key = (resource, place)
        if key not in self._chances:
            caravan = Caravan("?", self.seat, resource, "", place, place)
            needed = threshold(RESOURCES[resource].threshold, welcome(self.campaign, caravan))
            self._chances[key] = min(100, max(0, needed.total)) / 100
        return self._chances[key]

    # Lands -------------------------------------------------------------------------------------

    @cached_property
    def horizon(self) -> float:
        """Turns of income for which a conquest counts."""
        return TRUST * min(HORIZON, self.left + 1)

    def worth(self, place: str) -> float:
        """What it is worth to hold a province to the horizon, in PO."""
        yearly = local_market(self.atlas, place) + STANDING
        yearly += BUILT * len(self.campaign.lands[place].improvements)
        if place == self.holder.origin or place in self.homes:
            yearly += CITY
        return yearly * self.horizon

    @cached_property
    def homes(self) -> frozenset[str]:
        """Everybody's seats of government."""
        return frozenset([seat.home for seat in self.campaign.seats.values() if seat.home])

    def hostile(self, seat: str) -> bool:
        """Whether another seat's pieces are to be feared."""
        return seat != self.seat and self.campaign.enemies(self.seat, seat)

    @cached_property
    def garrisons(self) -> dict[str, list[Army]]:
        """Armies by where they stand: a province, or a fleet."""
        found: dict[str, list[Army]] = {}
        for army in self.campaign.armies.values():
            found.setdefault(army.place, []).append(army)
        return found

    def guards(self, place: str) -> int:
        """Its own armies in a province."""
        return len([army for army in self.garrisons.get(place, ()) if army.owner == self.seat])

    def foes_at(self, place: str) -> int:
        """Hostile armies in a province."""
        return len([army for army in self.garrisons.get(place, ()) if self.hostile(army.owner)])

    def threat(self, place: str) -> int:
        """Hostile armies that could enter a province next turn, by land or from aboard."""
        near = self.atlas.neighbours_of(place)
        number = sum([self.foes_at(beside) for beside in near])
        for fleet in self.campaign.fleets.values():
            if fleet.place in self.atlas.zones_of(place):
                number += self.foes_at(fleet.id)
        return number

    @cached_property
    def power(self) -> dict[str, int]:
        """By seat: its armies, and those it could soon raise."""
        return {
            seat: len(self.campaign.armies_of(seat))
            + min(MOST_LEVY, self.campaign.seats[seat].treasury // LEVY)
            for seat in self.campaign.in_play()
        }

    # Conquests ---------------------------------------------------------------------------------

    def prize(self, army: Army | None, place: str, number: int = 1) -> float:
        """What it promises to enter a province with so many armies, the first of them named, in PO.

        Negative where it is not worth an army; None stands for one without companions.
        """
        campaign = self.campaign
        owner = campaign.owner(place)
        if owner == self.seat or entry_refusal(campaign, self.seat, place):
            return -1.0
        if owner is None:
            return self._independent(army, place)
        return self._taken_from(owner, army, place, number)

    def success(self, army: Army | None, place: str) -> float:
        """The chance that an independent province yields (MN-5.1)."""
        needed = resistance(
            self.campaign.demographic(place),
            fortress=self.campaign.lands[place].fortress,
            engineer=army is not None and self.campaign.has(army.id, "engineer") is not None,
            war_priest=army is not None
            and self.campaign.has(army.id, "priest", WAR_GOD) is not None,
        )
        return min(10, max(0, 11 - needed.total)) / 10

    def _independent(self, army: Army | None, place: str) -> float:
        chance = self.success(army, place)
        if self.foes_at(place):
            chance /= 2
        refuge = any([near in self.lands for near in self.atlas.neighbours_of(place)])
        failure = FIGURES.army_price / 5 if refuge else FIGURES.army_price
        return chance * self.worth(place) - (1 - chance) * failure - 15 * (chance < 0.4)

    def _taken_from(self, owner: str, army: Army | None, place: str, number: int) -> float:
        campaign = self.campaign
        land, foes = campaign.lands[place], self.foes_at(place)
        chance = duels(number, foes) if foes else SURPRISE
        gain = self.worth(place)
        if land.fortress:
            if army is None or campaign.has(army.id, "engineer") is None:
                return -1.0
            gain *= SIEGE
        if foes and chance < 0.5:
            return -1.0
        if not campaign.at_war(self.seat, owner):
            if self.power[owner] > self.power[self.seat]:
                return -1.0
            gain *= QUARREL
        price = FIGURES.army_price
        return chance * (gain + price * foes) - (1 - chance) * price * number

    @cached_property
    def targets(self) -> dict[str, float]:
        """Provinces beside its own that an army could well be sent to, and what they promise."""
        beside = {near for place in self.lands for near in self.atlas.neighbours_of(place)}
        found = {}
        for place in self.atlas.by_id:
            if place in beside and place not in self.lands:
                promise = self.prize(None, place, self.foes_at(place) + 1)
                if promise > 0:
                    found[place] = promise
        return found

    @cached_property
    def fortresses(self) -> tuple[str, ...]:
        """Fortresses beside its provinces that an engineer could help to take."""
        lands = self.campaign.lands
        beside = {near for place in self.lands for near in self.atlas.neighbours_of(place)}
        return tuple(
            [
                place
                for place in self.atlas.by_id
                if place in beside
                and lands[place].fortress
                and lands[place].owner != self.seat
                and not entry_refusal(self.campaign, self.seat, place)
            ]
        )

    def overseas(self, zone: str) -> dict[str, float]:
        """Provinces on the coasts of a sea zone that promise something to one army that lands."""
        found = {}
        for place in self.atlas.provinces_of(zone):
            if self.foes_at(place) == 0:
                promise = self.prize(None, place)
                if promise > 0:
                    found[place] = promise
        return found

    # Ways --------------------------------------------------------------------------------------

    def way(self, start: str, wanted: Callable[[str], bool], most: int) -> tuple[str, int] | None:
        """The first step, through its own provinces, toward the nearest place that is wanted.

        Gives the step and the distance; None if there is none within `most` steps.
        """
        queue = deque([(near, near, 1) for near in self.atlas.neighbours_of(start)])
        seen = {start}
        while queue:
            place, step, far = queue.popleft()
            if place in seen or far > most:
                continue
            seen.add(place)
            if wanted(place):
                return step, far
            if place in self.lands:
                queue.extend([(near, step, far + 1) for near in self.atlas.neighbours_of(place)])
        return None
