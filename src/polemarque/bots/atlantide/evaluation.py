"""How the steady bot of Atlantide judges the island: odds, defences, worth of land, where to march.

Everything is counted in loot, from what a seat may see: the public map, and its own army.  Odds
come from the book's own tables and are worked out once, by force beyond the defence.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from polemarque.systems.atlantide.chapters.conquest import (
    CONQUEST,
    DICE,
    PASSAGE,
    UNDECIDED,
    ConquestRow,
)
from polemarque.systems.atlantide.chapters.simulation import LOSSES
from polemarque.systems.atlantide.strength import force_total
from polemarque.systems.atlantide.supply import capital
from polemarque.systems.atlantide.views import Camp, View

TWO_DICE = {n: 6 - abs(7 - n) for n in range(2, 13)}
"""How often of 36 two dice show each sum."""

HOPELESS, CERTAIN = -2, 16
"""At these advantages and beyond, an assault fails, or succeeds, whatever is rolled."""

SWEEPS = 60
"""Rounds after which hardly any assault is still undecided."""


class Assault(NamedTuple):
    """An assault before its first die.

    win:    the chance that the territory is taken.
    loot:   loot expected of it.
    losses: figures expected to be lost, won or not.
    """

    win: float
    loot: float
    losses: float


def assault(advantage: int) -> Assault:
    """What to expect of an attack so much stronger than the defence, its dice apart (AT-9.5)."""
    return _assaults()[min(max(advantage, HOPELESS), CERTAIN)]


@cache
def _assaults() -> dict[int, Assault]:
    """Every advantage, by going through the rounds until what is undecided hardly counts."""
    rows = {gap: CONQUEST.row(gap) for gap in range(HOPELESS - 12, CERTAIN)}
    known = {advantage: Assault(0.0, 0.0, 0.0) for advantage in range(HOPELESS, CERTAIN + 1)}
    for _ in range(SWEEPS):
        known = {advantage: _round(advantage, rows, known) for advantage in known}
    return known


def _round(advantage: int, rows: dict[int, ConquestRow], later: dict[int, Assault]) -> Assault:
    """One round of the defence's dice, and what follows where it decides nothing."""
    win = loot = losses = 0.0
    for dice, times in TWO_DICE.items():
        row, chance = rows[advantage - dice], times / 36
        count, sides = DICE[row.losses]
        losses += chance * count * (sides + 1) / 2
        loot += chance * row.loot
        if row.outcome == UNDECIDED:
            then = later[min(max(advantage + row.modifier, HOPELESS), CERTAIN)]
            win, loot = win + chance * then.win, loot + chance * then.loot
            losses += chance * then.losses
        else:
            win += chance * (row.outcome == "taken")
    return Assault(win, loot, losses)


@cache
def passage(modifier: int) -> float:
    """The chance of a passage with that modifier to the die (AT-9.2)."""
    return sum([PASSAGE.row(die + modifier).passage for die in range(1, 7)]) / 6


class Battle(NamedTuple):
    """A battle on the book's table before its dice: chance to win, army points lost by each."""

    win: float
    mine: float
    theirs: float


@cache
def battle(advantage: int) -> Battle:
    """What to expect of a battle with so much more combat force than the enemy (AT-8.11)."""
    won = mine = theirs = decided = 0.0
    for attack, often in TWO_DICE.items():
        for defence, times in TWO_DICE.items():
            gap, chance = advantage + attack - defence, often * times / 1296
            if gap == 0:
                continue
            row = LOSSES.row(abs(gap))
            decided += chance
            won += chance * (gap > 0)
            mine += chance * (row.winner if gap > 0 else row.loser)
            theirs += chance * (row.loser if gap > 0 else row.winner)
    return Battle(won / decided, mine / decided, theirs / decided)


# How the war stands ------------------------------------------------------------------------------

BASE = 6
ROUGH: Mapping[str, int] = {"plains": 0, "river_plains": 0, "forest": 1, "mountains": 2}
"""What the main terrain adds to a defence (AT-9.4)."""

TAX: Mapping[str, int] = {"plains": 10, "river_plains": 15, "forest": 5, "mountains": 5}
CITY_TAX: Mapping[str, int] = {"royal": 25, "atlantis": 35}

TERRITORY = 250
"""What a territory is worth by itself: it wins the campaign."""

LONG = 6
"""Turns counted on where nobody has fixed the last one."""

SEAT_OF_POWER = 250
"""More for an enemy's own royal city, without which the enemy's army starves."""

HOME = 150
"""More for one's own, a turn."""

QUARREL = 400
"""What it costs to take another player's land: it will be wanted back."""

FIGURE = 7
"""What a lost figure costs."""

REPULSE = 60
"""What a lost assault costs besides: the next turn's march."""

ROUT = 200
"""What a lost battle costs besides army points: a retreat, and land left open."""

HUNGER = 110
"""What it costs to march out of supply; more if reinforcements wait for it."""

HOMEWARD = 40
"""What each territory between an army and its lost city costs a turn: nothing reaches it there."""

LEASH = 20
"""The same while the city is only threatened, by an army two marches off; twice it, by one."""

CLEARLY = 2
"""How much stronger an army must think itself to seek a battle."""

SOON, LATER = 0.5, 0.6
"""Worth next turn of a target, and each turn after, against one of this turn."""

HEADLESS = 120
"""What it is worth to an army without general to stand where it can take a new one."""

FAR = 4
"""Farther is not worse."""

START_FORCE, POINTS_A_FORCE = 14, 70
"""An army to begin with; and how many army points make it stronger by one."""


def turns_left(view: View) -> int:
    """Turns still to come after this one."""
    limit = view.options.turn_limit
    return min(limit - view.turn, LONG) if limit else LONG


def own_force(view: View) -> int:
    """The combat force of one's own army; that of a list if it has not been placed yet."""
    own = view.own
    return force_total(own.army) if own is not None and own.army is not None else START_FORCE


def supposed_force(view: View, seat: str) -> int:
    """What another player's army may be worth by what all can see: their land, its history.

    What they spend is supposed to go into it; a beaten one has lost some of it.
    """
    camp = view.rivals[seat].camp
    held = sum([1 for land in view.lands.values() if land.owner == seat])
    taken = max(0, held - 3)
    spent = 200 * (view.turn > 1) + 110 * taken + 10 * held * max(0, view.turn - 2)
    force = START_FORCE + spent // POINTS_A_FORCE
    if camp is not None:
        force -= 2 * (camp.duty != "") + camp.unsupplied
    return force


class Outlook:
    """The island as one seat sees it at one moment."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.seat = view.seat
        self.board, self.lands = view.board, view.lands
        self.force = own_force(view)
        self.last = 0 < view.options.turn_limit <= view.turn
        self.left = turns_left(view)
        self.camps: dict[str, list[str]] = {}
        """Other players' armies by territory; those on the run hinder nobody."""
        self.standing: dict[str, Camp] = {}
        for code, rival in view.rivals.items():
            if code != self.seat and rival.camp is not None and rival.camp.duty != "beaten":
                self.camps.setdefault(rival.camp.place, []).append(code)
                self.standing[code] = rival.camp
        own = view.own
        self.expecting = own is not None and bool(own.waiting)
        """Whether reinforcements wait for the army to be supplied."""
        self.leaderless = own is not None and own.army is not None and own.army.general is None
        kingdom = view.rivals[self.seat].kingdom
        self.city = self.board.capitals.get(kingdom, "")
        self.linked = self._linked()
        self.far = self.board.distances(self.city) if self.city else {}
        self.tether = self.left * self._pull()
        """What each territory away from the royal city costs."""
        self._supposed: dict[str, int] = {}
        self._gains: dict[str, float] = {}

    def _linked(self) -> frozenset[str]:
        """Own land from which a convoy comes through from the royal city (AT-6.1)."""
        way, lands = self.view.options.supply_city, self.lands
        cities = [self.city] if way == "own" else self.board.capitals.values()
        sources = [city for city in cities if city and lands[city].owner == self.seat]
        if not sources and way == "capital":
            sources = list(capital(lands, self._own()))
        found = {place for place in sources if self._open(place)}
        ring = list(found)
        while ring:
            place = ring.pop()
            for there in self.board.neighbours[place]:
                if there not in found and self._open(there):
                    found.add(there)
                    ring.append(there)
        return frozenset(found)

    def _own(self) -> list[str]:
        return [place for place, land in self.lands.items() if land.owner == self.seat]

    def _pull(self) -> int:
        """How strongly the royal city, lost or threatened, calls the army back."""
        if not self.city or self.view.options.supply_city != "own":
            return 0
        if self.lands[self.city].owner != self.seat or self.city in self.camps:
            return HOMEWARD
        return LEASH * max([0, *[3 - self.far[place] for place in self.camps if place in self.far]])

    def _open(self, place: str) -> bool:
        return self.lands[place].owner == self.seat and place not in self.camps

    def supplied(self, place: str) -> bool:
        """Whether an army there has its chain to the city."""
        return place in self.linked or any(
            there in self.linked for there in self.board.neighbours[place]
        )

    def defence(self, place: str) -> int:
        """What defends a territory, its dice apart (AT-9.4)."""
        land, board = self.lands[place], self.board
        where = board.by_id[place]
        capital = board.capitals.get(where.kingdom, "")
        holder = self.lands[capital].owner if capital else None
        if land.owner is None:
            kept = holder is None
        elif self.view.options.capital_bonus == "attacker":
            kept = holder != self.seat
        else:
            kept = holder == land.owner
        strength = BASE + kept + (place == capital) + ROUGH[land.terrain]
        strength += 2 * (where.kingdom == board.heart)
        return strength + (land.fortresses if land.owner is not None else 0)

    def worth(self, place: str) -> float:
        """What it is worth to hold a territory at the end, and until then."""
        land, where = self.lands[place], self.board.by_id[place]
        tax = CITY_TAX.get(where.city, TAX[land.terrain])
        worth = TERRITORY + tax * self.left
        if where.city == "none":
            return worth
        if place == self.city:
            worth += HOME * self.left
        others = [p for p in self.board.kingdoms[where.kingdom] if self.lands[p].owner is None]
        return worth + 15 * len(others)

    def prize(self, place: str) -> float:
        """What it is worth to take a territory: more if somebody else loses it by that; less while
        there is time to take it back, so that land of nobody comes first.
        """
        owner = self.lands[place].owner
        prize = self.worth(place)
        if owner is None or owner == self.seat:
            return prize
        rivals = max(1, len(self.view.rivals) - 1)
        prize += TERRITORY / rivals
        if self.last:  # nobody comes for it any more
            return prize
        theirs = self.board.capitals.get(self.view.rivals[owner].kingdom, "")
        return prize - QUARREL + (SEAT_OF_POWER / rivals if place == theirs else 0)

    def stronger(self, seat: str) -> int:
        """How much more one's own army is worth than a rival's is supposed to be."""
        if seat not in self._supposed:
            self._supposed[seat] = supposed_force(self.view, seat)
        return self.force - self._supposed[seat]

    def gain(self, place: str) -> float:
        """What marching there and fighting for it promises; below 0 better left alone."""
        if place not in self._gains:
            enemies = self.camps.get(place)
            self._gains[place] = (
                self._in_battle(place, enemies[0]) if enemies else self._in_assault(place)
            )
        return self._gains[place]

    def _in_assault(self, place: str) -> float:
        if self.lands[place].owner == self.seat:
            return 0.0
        return self.assaulted(place, 0)

    def assaulted(self, place: str, more: int) -> float:
        """What an assault promises with so much more force, less what it may cost (AT-9.5)."""
        odds = assault(self.force + more - self.defence(place))
        cost = FIGURE * odds.losses + REPULSE * (1 - odds.win)
        loot = odds.loot if not self.last else 0.0
        return odds.win * self.prize(place) + loot - cost

    def _in_battle(self, place: str, enemy: str) -> float:
        """What a battle promises (AT-8.7): the enemy's land, or only that the enemy goes."""
        ahead = self.stronger(enemy)
        odds = battle(max(-10, min(10, ahead)))
        owner = self.lands[place].owner
        gained = 100.0
        if owner == enemy and self.view.options.contested == "gained":
            gained += self.prize(place)
        elif owner == self.seat:
            gained += 0.4 * self.worth(place)
        elif owner != self.seat:
            gained += max(0.0, self._in_assault(place))
        expected = odds.win * gained - (1 - odds.win) * ROUT + 0.5 * (odds.theirs - odds.mine)
        return expected if ahead >= CLEARLY else min(expected, -50.0 + 10 * ahead)

    # Where an army would stand -----------------------------------------------------------------

    def prospect(self, place: str) -> float:
        """What the best target beside a territory promises for the next turn."""
        return max([0.0, *[self.gain(there) for there in self.board.neighbours[place]]])

    def position(self, place: str) -> float:
        """What it is worth to stand somewhere when the turn ends."""
        if self.last:
            return 0.0
        near = self.prospect(place)
        if near < TERRITORY / 2:  # nothing to take here: look further, through one's own land
            for there in self.board.neighbours[place]:
                if self.lands[there].owner == self.seat:
                    near = max(near, LATER * self.prospect(there))
        value = SOON * near
        if not self.supplied(place):
            value -= HUNGER * (2 if self.expecting else 1)
        value -= self.tether * min(FAR, self.far.get(place, 0))
        for code, camp in self.standing.items():
            if camp.place in self.board.neighbours[place] and self.stronger(code) <= -CLEARLY:
                value -= 40
        if self.leaderless and self.board.is_city(place) and self.lands[place].owner == self.seat:
            value += HEADLESS
        return value

    def march(self, place: str) -> float:
        """What it promises to be there when this turn's fighting begins."""
        return self.gain(place) + self.position(place)
