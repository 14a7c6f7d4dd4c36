"""What the steady governor of Mare Nostrum buys: caravans, armies, specialists, buildings, feasts.

Trade comes first, since a route pays for itself within a few turns; then armies, as many as its
lands want; then what pleases the people and counts at the end.  It always keeps a reserve.
"""

from __future__ import annotations

from typing import Any

from polemarque.api import Amount, OneOf, Options, SeveralOf
from polemarque.bots.mare_nostrum.evaluation import Outlook
from polemarque.systems.mare_nostrum.caravans import (
    caravans_of,
    destinations,
    goods_of,
    sources,
    start_of,
)
from polemarque.systems.mare_nostrum.chapters.acclamation import HAPPINESS, happiness_of
from polemarque.systems.mare_nostrum.chapters.administrative import PRICES, buildable
from polemarque.systems.mare_nostrum.chapters.commercial import STAY
from polemarque.systems.mare_nostrum.chapters.purchases import shipyards
from polemarque.systems.mare_nostrum.chapters.turn import final_scores
from polemarque.systems.mare_nostrum.pieces import Caravan
from polemarque.systems.mare_nostrum.tables import (
    COMMERCE_GOD,
    FIGURES,
    IMPROVEMENTS,
    RESOURCES,
    WAR_GOD,
    temple_of,
)

MOST_CARAVANS = 4
"""Its caravans on the way at once."""

RETURN = 1.5
"""A caravan has to promise so many times its price."""

NEAR = 10
"""At most this many of the nearest places are looked at for a route."""

FORLORN = 0.15
"""A smaller chance of a route is none."""

RESERVE = 30
"""PO kept beside the maintenance of the turn to come."""

EARLY_ROUTES = 4
"""With fewer routes, money goes into trade before it goes into armies."""

LANDS_AN_ARMY = 2
"""It wishes for an army more for every so many provinces."""

PO_AN_ARMY = 150
"""And for one more for so many PO in its treasury."""

MOST_ARMIES = 14
"""It never wishes for more."""

MOST_FLEETS = 2
"""Nor more fleets than this."""

MOST_WORKS = 6
"""At most this many improvements in a province."""

MOST_ENGINEERS = 2
"""At most this many engineers."""

RICH = 150
"""PO with which it thinks of envoys, fleets and fortresses."""

TWO_YEARS = 8
"""Turns that a fleet, an envoy or a priest of commerce should have left to be of use."""

LEAD = 1.3
"""This many times the next treasury is enough for the points of the richest."""


# Trade (MN-F3) -----------------------------------------------------------------------------------


class Market:
    """Where caravans do best; what is promised to one is not promised to another."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.planned = {
            (one.resource, one.destination)
            for one in caravans_of(outlook.campaign, outlook.seat)
            if one.destination
        }

    def promise(self, resource: str, start: str, place: str, origin: str) -> float:
        """PO that a caravan brings until the end if it seeks its route there."""
        if place == origin or (resource, place) in self.planned:
            return 0.0
        chance = self.outlook.route_chance(resource, place)
        if chance < FORLORN:
            return 0.0
        far = self.outlook.atlas.distance(start, place)
        if far is None:
            return 0.0
        delay = far + 1 / chance
        safe = 1.0 if place in self.outlook.lands else 0.95
        return safe * RESOURCES[resource].value * max(0.0, self.outlook.left - delay)

    def best(self, caravan: Caravan) -> tuple[float, str]:
        """The best destination of a caravan, and what it promises; "" if there is none."""
        self.planned.discard((caravan.resource, caravan.destination))
        best = (0.0, "")
        for place in destinations(self.outlook.campaign, caravan)[:NEAR]:
            promise = self.promise(caravan.resource, caravan.place, place, caravan.origin)
            if promise > best[0]:
                best = (promise, place)
        if best[1]:
            self.planned.add((caravan.resource, best[1]))
        return best

    def cargoes(self, number: int) -> list[tuple[str, str]]:
        """Origin and good of so many new caravans at most, those that pay best."""
        outlook = self.outlook
        offers = [
            (origin, good)
            for origin in sources(outlook.campaign, outlook.seat)
            for good in goods_of(outlook.campaign, origin)
        ]
        offers.sort(key=lambda offer: -RESOURCES[offer[1]].value)
        rated = []
        for origin, good in offers[:NEAR]:
            start = start_of(outlook.campaign, outlook.seat, origin)
            near = [p for p in outlook.atlas.distances(start) if p in outlook.campaign.lands]
            rated += [
                (self.promise(good, start, to, origin), origin, good, to) for to in near[:NEAR]
            ]
        rated.sort(key=lambda offer: -offer[0])
        found: list[tuple[str, str]] = []
        for promise, origin, good, place in rated:
            if len(found) == number or promise < RETURN * PRICES["caravan"]:
                break
            if (good, place) not in self.planned:
                self.planned.add((good, place))
                found.append((origin, good))
        return found


class Trader:
    """The sheet of trade, part by part."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.market = Market(outlook)

    def answer(self, part: str, options: Options) -> Any:
        """Where each caravan goes, with whom, and whether it hires."""
        assert isinstance(options, OneOf)
        kind, _, number = part.partition(".")
        if kind == "to":
            goal = self.market.best(self.outlook.campaign.caravans[number])[1]
            return goal or STAY
        return "yes" if kind == "priest" else options.words[0]


# What the purse can spare ------------------------------------------------------------------------


def spare(outlook: Outlook) -> int:
    """PO that may be spent now: not the reserve, nor what decides who wins the year."""
    if outlook.near_victory or outlook.near_defeat:
        return 0
    kept = outlook.dues + RESERVE if outlook.left else 0
    if outlook.campaign.year_ends and outlook.left:
        kept = max(kept, outlook.holder.treasury // 3)
    return max(0, outlook.holder.treasury - kept)


def army_wish(outlook: Outlook) -> int:
    """How many armies it would have: as its lands want, and more the richer it is."""
    wish = 1 + len(outlook.lands) // LANDS_AN_ARMY + outlook.holder.treasury // PO_AN_ARMY
    return min(MOST_ARMIES, wish)


# Armies and fleets (MN-2.6) ----------------------------------------------------------------------


class Levy:
    """The sheet of armies and fleets, part by part."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.spare = spare(outlook)
        self.raised: dict[str, int] = {}

    def answer(self, part: str, options: Options) -> Any:
        """How many of each, and where."""
        if part == "armies":
            assert isinstance(options, Amount)
            number = min(options.most, self._armies())
            self.spare -= number * FIGURES.army_price
            return number
        if part == "fleets":
            assert isinstance(options, Amount)
            return min(options.most, self._fleets())
        if part.startswith("army."):
            assert isinstance(options, OneOf)
            place = max(options.words, key=self._need)
            self.raised[place] = self.raised.get(place, 0) + 1
            return place
        if isinstance(options, SeveralOf):
            return options.words[: options.most]
        if isinstance(options, Amount):
            return min(options.most, max(0, self.spare) // FIGURES.stand_price)
        assert isinstance(options, OneOf)
        if part.startswith("zone."):
            return max(options.words, key=self._coast)
        return max(options.words, key=lambda yard: max(map(self._coast, self._zones(yard))))

    def _armies(self) -> int:
        outlook = self.outlook
        able = self.spare // FIGURES.army_price
        lacking = army_wish(outlook) - len(outlook.armies)
        home = outlook.holder.home
        danger = bool(home) and outlook.threat(home) > outlook.guards(home)
        routes = [r for r in outlook.campaign.routes.values() if r.owner == outlook.seat]
        if outlook.armies and not danger and len(routes) < EARLY_ROUTES:
            return 0
        if not outlook.left:
            return 0
        return max(0, min(able, max(lacking, int(danger)), 2))

    def _need(self, place: str) -> float:
        """How much an army is wanted in a province."""
        outlook = self.outlook
        there = outlook.guards(place) + self.raised.get(place, 0)
        lacking = max(0, outlook.threat(place) - there)
        near = [outlook.targets.get(other, 0.0) for other in outlook.atlas.neighbours_of(place)]
        wish = max(near, default=0.0) / (1 + there)
        return lacking * outlook.worth(place) / 2 + wish

    def _fleets(self) -> int:
        """One, if there is more to win over the sea than by land."""
        outlook = self.outlook
        if self.spare < FIGURES.fleet_price + FIGURES.army_price or outlook.left < TWO_YEARS:
            return 0
        yards = shipyards(outlook.campaign, outlook.seat)
        coasts = [self._coast(zone) for yard in yards for zone in self._zones(yard)]
        wanted = max(coasts, default=0.0) > max(outlook.targets.values(), default=0.0)
        return int(wanted and len(outlook.fleets) < MOST_FLEETS)

    def _zones(self, yard: str) -> tuple[str, ...]:
        return self.outlook.atlas.zones_of(yard)

    def _coast(self, zone: str) -> float:
        """What the best landing from a zone or beside it promises."""
        near = (zone, *self.outlook.atlas.neighbours_of(zone))
        found = [value for at in near for value in self.outlook.overseas(at).values()]
        return max(found, default=0.0)


# The administrative sheet (MN-F4, MN-F5) ---------------------------------------------------------


class Steward:
    """Maintenance, special troops and improvements, part by part."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.spare = spare(outlook)
        self.cargoes: list[tuple[str, str]] = []
        self.works: dict[str, str] = {}

    def answer(self, part: str, options: Options) -> Any:
        """One part of the sheet."""
        kind, _, rest = part.partition(".")
        if isinstance(options, Amount):
            return min(options.most, self._number(kind))
        if kind == "sites":
            assert isinstance(options, SeveralOf)
            return self._sites(options)
        assert isinstance(options, OneOf)
        words: tuple[str, ...] = options.words
        wish = words[0]
        if kind == "origin":
            wish = self.cargoes[int(rest) - 1][0]
        elif kind == "goods":
            wish = self.cargoes[int(rest) - 1][1]
        elif kind == "god":
            wish = self._god()
        elif kind == "build":
            wish = self.works.get(rest, words[0])
        elif kind == "temple":
            wish = self.outlook.holder.god
        elif kind == "government":
            wish = "yes"
        return wish if wish in words else words[0]

    # Special troops ----------------------------------------------------------------------------

    def _number(self, kind: str) -> int:
        if kind == "caravans":
            number = self._caravans()
        else:
            wanted = {
                "engineer": self._engineer,
                "diplomat": self._diplomat,
                "priests": self._priest,
            }
            number = int(wanted[kind]())
        price = PRICES["priest" if kind == "priests" else kind.removesuffix("s")]
        number = min(number, self.spare // price)
        self.spare -= number * price
        return number

    def _caravans(self) -> int:
        outlook = self.outlook
        travelling = len(caravans_of(outlook.campaign, outlook.seat))
        number = min(MOST_CARAVANS - travelling, self.spare // PRICES["caravan"])
        self.cargoes = Market(outlook).cargoes(number) if number > 0 else []
        return len(self.cargoes)

    def _own(self, kind: str) -> int:
        own = self.outlook.campaign.specialists.values()
        return len([one for one in own if one.owner == self.outlook.seat and one.kind == kind])

    def _engineer(self) -> bool:
        """Some, while there are fortresses to take."""
        outlook = self.outlook
        rich = self.spare >= PRICES["engineer"] + FIGURES.army_price
        return rich and bool(outlook.fortresses) and self._own("engineer") < MOST_ENGINEERS

    def _diplomat(self) -> bool:
        rich = self.spare >= RICH
        return rich and not self._own("diplomat") and self.outlook.left > TWO_YEARS

    def _priest(self) -> bool:
        """One of war, if there is land to take; one of commerce, for those who are rich."""
        return bool(self._god()) and self.spare >= PRICES["priest"] + RESERVE

    def _god(self) -> str:
        outlook = self.outlook
        own = [
            one.god
            for one in outlook.campaign.specialists.values()
            if one.owner == outlook.seat and one.kind == "priest"
        ]
        home = outlook.guards(outlook.holder.home) if outlook.holder.home else 0
        if home and outlook.targets and WAR_GOD not in own:
            return WAR_GOD
        if COMMERCE_GOD not in own and outlook.left > TWO_YEARS and self.spare >= RICH:
            return COMMERCE_GOD
        return ""

    # Improvements ------------------------------------------------------------------------------

    def _sites(self, options: SeveralOf) -> tuple[str, ...]:
        """Where it builds; `works` says what."""
        budget = self._building_budget()
        for place in sorted(options.words, key=self._dearest):
            kind = self._work(place, budget)
            if kind and len(self.works) < (options.most or len(options.words)):
                self.works[place] = kind
                budget -= IMPROVEMENTS[kind].price
        return tuple([place for place in options.words if place in self.works])

    def _dearest(self, place: str) -> tuple[bool, float]:
        """The capital first, then what is worth most."""
        return place != self.outlook.holder.home, -self.outlook.worth(place)

    def _building_budget(self) -> int:
        """All it can spare; while armies are wanted, what is left beside one; in the end all but
        what makes it the richest (MN-F8).
        """
        outlook = self.outlook
        if outlook.left:
            lacking = army_wish(outlook) > len(outlook.armies)
            return self.spare - FIGURES.army_price * (1 + lacking)
        scores = final_scores(outlook.campaign)
        next_best = max(
            [s.treasury for seat, s in scores.items() if seat != outlook.seat], default=0
        )
        ahead = self.spare - int(LEAD * next_best)
        return ahead if ahead >= 0 else self.spare

    def _work(self, place: str, budget: int) -> str:
        """What is best built in a province: a temple for the protector, a fortress where an enemy
        stands near, else the cheapest that can be had; "" if nothing.
        """
        outlook = self.outlook
        kinds = buildable(outlook.campaign, place, budget)
        built = outlook.campaign.lands[place].improvements
        if len(built) >= MOST_WORKS:
            return ""
        lacks_temple = temple_of(outlook.holder.god) not in built
        if place == outlook.holder.home and lacks_temple and "temple" in kinds:
            return "temple"
        if "fortress" in kinds and outlook.left and outlook.threat(place):
            return "fortress"
        cheapest = [kind for kind in kinds if kind not in ("arsenal", "fortress")]
        return min(cheapest, key=lambda kind: IMPROVEMENTS[kind].price, default="")


# Acclamation (MN-F7) -----------------------------------------------------------------------------


class Reveller:
    """The sheet of festivities: as many as make the people quiet, or near it."""

    def __init__(self, outlook: Outlook) -> None:
        index = happiness_of(outlook.campaign, outlook.seat).total
        self.lacking = HAPPINESS.quiet_above + 1 - index

    def answer(self, part: str, options: Options) -> Any:
        """Points of festivity first, then the feast if they were not enough."""
        if isinstance(options, Amount):
            bought = min(options.most, max(0, self.lacking))
            self.lacking -= bought
            return bought
        return "yes" if self.lacking > 0 else "no"
