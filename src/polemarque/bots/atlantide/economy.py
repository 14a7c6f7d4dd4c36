"""What the steady bot of Atlantide raises and pays: lists, reinforcements, fortresses, losses.

It judges a unit by the combat force it adds (AT-1.5) for its points.  Profiles it knows from the
shipped catalogue; of a club's own catalogue it knows what already marches in its army.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from polemarque.api import Amount, Options, SeveralOf
from polemarque.bots.atlantide.evaluation import Outlook
from polemarque.systems.atlantide.purchases import FORTRESS_PRICE
from polemarque.systems.atlantide.setup.catalogue import People, Profile, load_catalogue
from polemarque.systems.atlantide.setup.lists import END, enlisted
from polemarque.systems.atlantide.state import Seat
from polemarque.systems.atlantide.strength import BY_PIECE, Troop, combat_force, force_total
from polemarque.systems.atlantide.troops import Army, Unit, unit_worth

STEP = 5
"""Loot is shared out in so small steps."""

MOST_LOOT = 1500
"""More than that is not spent in one turn."""

REACH = 50
"""What is best is worked out for multiples of so many steps, and kept."""

SKIRMISHERS = 0.35
"""Force of a unit of skirmishers: three make one."""

SPEED = 0.008
"""Force that a point of initiative is worth."""

GOOD_LD = 9
"""Leadership of a good general."""

CLOSE = 2
"""A ready-made list is as good as another if its force is at most so much smaller."""

RESERVE = 30
"""Figures an army should be able to lose before it loses a unit."""

# Lists -------------------------------------------------------------------------------------------


@cache
def good_lists() -> tuple[tuple[str, str], ...]:
    """Ready-made lists of a good general and much force: people and list, in the book's order."""
    rated = [(people.key, *each) for people in load_catalogue().people for each in _rated(people)]
    led = [entry for entry in rated if entry[3] >= GOOD_LD]
    best = max([force for _, _, force, _ in led], default=0)
    return tuple([(people, name) for people, name, force, _ in led if force >= best - CLOSE])


@cache
def best_list(people: str) -> str:
    """The best ready-made list of a people; the first of a people that is not known."""
    known = load_catalogue().peoples.get(people)
    if known is None or not known.sample:
        return "sample_1"
    return max(_rated(known), key=lambda entry: (entry[1] + entry[2] / 10, entry[0]))[0]


def _rated(people: People) -> list[tuple[str, int, int]]:
    """The ready-made lists of a people: name, combat force, its general's Leadership."""
    rated = []
    for number, sample in enumerate(people.sample, 1):
        units, characters = enlisted(people.by_key, sample.units, 1)
        army = Army(units, characters, "")
        rated.append((f"sample_{number}", force_total(army), army.leadership or 0))
    return rated


# What a unit is worth ----------------------------------------------------------------------------


@cache
def value(profile: Profile) -> float:
    """The force that a smallest unit of a profile adds, with a little for its speed."""
    if profile.kind == "skirmishers":
        return SKIRMISHERS + 20 * SPEED
    dice = (2,) if profile.warband != "no" and profile.kind != "character" else ()
    count = profile.size[0] if profile.kind in BY_PIECE else 1
    troop = Troop(profile.kind, profile.stats[1], profile.warband, count, dice)
    force = combat_force((troop,), 8).total
    quick = {"light_infantry": 10, "light_cavalry": 20}.get(profile.kind, 0)
    return force + quick * SPEED


@lru_cache(maxsize=256)
def _last_bought(goods: tuple[tuple[int, float, str], ...], steps: int) -> list[tuple[int, str]]:
    """For up to so many steps of loot, cost and key of the last of the units that add most force.

    goods: cost in steps, force and key of each unit.
    """
    best, last = [0.0], [(1, "")]
    for loot in range(1, steps + 1):
        most, bought = best[-1], (1, "")
        for cost, worth, key in goods:
            if cost <= loot and best[loot - cost] + worth > most + 1e-9:
                most, bought = best[loot - cost] + worth, (cost, key)
        best.append(most)
        last.append(bought)
    return last


@lru_cache(maxsize=2048)
def _basket(people: str, steps: int, words: tuple[str, ...]) -> tuple[str, ...]:
    """The smallest units that together add most force for so many steps of loot.

    words: the profiles that are for sale; none: any of the people's.
    """
    known = load_catalogue().peoples.get(people)
    if known is None:
        return ()
    goods = [
        (-(-unit.cost(unit.size[0]) // STEP), value(unit), unit.key)
        for unit in known.units
        if not unit.is_character and not unit.at_most and (not words or unit.key in words)
    ]
    useful = [one for one in goods if not any(c <= one[0] and w > one[1] for c, w, _ in goods)]
    last = _last_bought(tuple(useful), -(-steps // REACH) * REACH)
    picked = []
    left = steps
    while left > 0:
        cost, key = last[left]
        left -= cost
        if key:
            picked.append(key)
    return tuple(sorted(picked, key=lambda key: (-value(known.by_key[key]), key)))


def basket(people: str, loot: int, words: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What to buy with that loot, strongest first; of the profiles for sale, if they are named."""
    return _basket(people, max(0, min(loot, MOST_LOOT)) // STEP, words)


# Spending a turn's loot --------------------------------------------------------------------------


class Shopping:
    """The loot sheet of one turn, part by part (AT-5)."""

    def __init__(self, outlook: Outlook, own: Seat) -> None:
        self.own = own
        self.outlook = outlook
        self.left = own.loot
        self.people = load_catalogue().peoples.get(own.catalogue)

    def answer(self, part: str, options: Options) -> Any:
        """What goes into a part."""
        name = part.partition(".")[0]
        if name == "reorganise":
            return "yes" if self._needs_a_general() else "no"
        if name == "keep":
            return self._kept(options)
        if name == "new":
            return self._recruit(getattr(options, "words", (END,)))
        if name == "fortresses":
            return self._fortresses(options)
        if name == "refill":
            return self._refill(part, options)
        if name == "buy":
            return self._buy(getattr(options, "words", (END,)))
        return options.least if isinstance(options, Amount) else ()

    # A new general (AT-5.4) --------------------------------------------------------------------

    def _needs_a_general(self) -> bool:
        army = self.own.army
        if army is None or army.general is not None or self.people is None:
            return False
        return self._cheapest_general() * 2 <= sum([unit_worth(unit) for unit in army.units])

    def _cheapest_general(self) -> int:
        assert self.people is not None
        costs = [unit.cost(1) for unit in self.people.units if unit.group == "general"]
        return min(costs, default=10_000)

    def _kept(self, options: Options) -> tuple[Any, ...]:
        """Everybody but those whose points pay for the general: least force for their points."""
        army, words = self.own.army, getattr(options, "words", ())
        assert army is not None
        assert isinstance(options, SeveralOf)
        wanted = self._cheapest_general()
        gone: list[int] = []
        for unit in sorted(army.units, key=lambda unit: _force_of(unit) / float(unit_worth(unit))):
            if wanted <= 0 or len(gone) + 1 >= len(words):
                break
            gone.append(unit.id)
            wanted -= int(unit_worth(unit))
        return tuple([word for word in words if word not in gone])

    def _recruit(self, words: tuple[str, ...]) -> str:
        """The best general that can be had, then the best unit."""
        known = [self.people.by_key[w] for w in words if self.people and w in self.people.by_key]
        generals = [profile for profile in known if profile.group == "general"]
        if generals:
            return max(generals, key=lambda profile: profile.stats[8]).key
        units = [profile for profile in known if not profile.is_character]
        if not units:
            return END if END in words else words[0]
        return max(units, key=lambda unit: value(unit) / unit.cost(unit.size[0])).key

    # Fortresses (AT-5.3) -----------------------------------------------------------------------

    def _fortresses(self, options: Options) -> tuple[str, ...]:
        """Late, on a city at the border; on the last turn wherever an enemy is near."""
        assert isinstance(options, SeveralOf)
        outlook, words = self.outlook, options.words
        most = len(words) if options.most is None else min(options.most, len(words))
        spare = self.left - (3 * FORTRESS_PRICE if outlook.last else FORTRESS_PRICE)
        most = min(most, spare // FORTRESS_PRICE)
        if most <= 0 or not (outlook.last or outlook.left <= 4):
            return ()
        lands, board = outlook.lands, outlook.board
        exposed = [
            place
            for place in words
            if not lands[place].fortresses
            and (outlook.last or board.is_city(place))
            and any(there in outlook.camps for there in board.neighbours[place])
        ]
        exposed.sort(key=lambda place: -outlook.worth(place))
        built = exposed[: most if outlook.last else 1]
        self.left -= FORTRESS_PRICE * len(built)
        return tuple([place for place in words if place in built])

    # Reinforcements (AT-5.2) -------------------------------------------------------------------

    def _refill(self, part: str, options: Options) -> int:
        """A few figures for the cheapest units, if the army could lose a unit before long."""
        army = self.own.army
        assert army is not None
        assert isinstance(options, Amount)
        if self.outlook.last or sum([unit.figures - 1 for unit in army.units]) >= RESERVE:
            return options.least
        number = int(part.partition(".")[2])
        unit = next(unit for unit in army.units if unit.id == number)
        each = -(-unit.points // unit.full)
        bought = min(options.most, max(0, self.left // 3 // max(1, each)))
        self.left -= each * bought
        return max(options.least, bought)

    def _buy(self, words: tuple[str, ...]) -> str:
        """A general for an army to come, then whatever adds most force for the rest."""
        if self.outlook.last:
            return END  # it would arrive when all is over
        if self.people is None:
            return self._more_of_the_same(words)
        by_key = self.people.by_key
        generals = [by_key[w] for w in words if w in by_key and by_key[w].group == "general"]
        affordable = [profile.key for profile in generals if profile.cost(1) <= self.left]
        wanted = sorted(affordable, key=lambda key: -by_key[key].stats[8])
        wanted += basket(self.people.key, self.left, tuple([w for w in words if w != END]))
        if not wanted:
            return END
        profile = by_key[wanted[0]]
        self.left -= profile.cost(profile.size[0])
        return profile.key

    def _more_of_the_same(self, words: tuple[str, ...]) -> str:
        """Of a list that only a club knows: as many units as there may be of what one has."""
        army = self.own.army
        known = {unit.profile: unit for unit in (army.units if army else ())}
        wanted = [key for key in words if key in known]
        wanted.sort(key=lambda key: _force_of(known[key]) / known[key].points)
        return wanted[-1] if wanted else END


@lru_cache(maxsize=4096)
def _force_of(unit: Unit) -> float:
    """What a unit adds to the army's force."""
    if unit.kind == "skirmishers":
        return SKIRMISHERS
    count = unit.figures if unit.kind in BY_PIECE else 1
    dice = (unit.die,) if unit.die else ()
    return float(
        combat_force((Troop(unit.kind, unit.ws, unit.warband or "no", count, dice),), 8).total
    )


# Losses (AT-3.2) ---------------------------------------------------------------------------------


def spared(units: Iterable[Unit], part: str, options: Amount) -> int:
    """How many figures a unit gives: the cheapest pay first, but no unit its last if others can.

    Elephants and guns, which count by the piece, give what they must; so do characters.
    """
    for unit in units:
        if part == f"unit.{unit.id}" and unit.kind not in BY_PIECE:
            return max(options.least, min(options.most, unit.figures - 1))
    return options.least
