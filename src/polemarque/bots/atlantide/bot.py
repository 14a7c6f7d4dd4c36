"""The steady governor of Atlantide: takes what is weak, feeds its army, seeks no needless quarrel.

It sees what its seat may see and what it is asked, nothing else.  Its army goes where an assault or
a battle promises most by the book's own tables, near enough to be supplied; its loot becomes
reinforcements; it accepts gifts, sells small services to players far away, and breaks no word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from polemarque.api import Amount, OneOf, Options, Path, SeveralOf, Sheet
from polemarque.api.bots import Asked, Bot, Chooser, fill, usual
from polemarque.bots.atlantide.economy import Shopping, best_list, good_lists, spared
from polemarque.bots.atlantide.evaluation import Outlook, assault, passage
from polemarque.systems.atlantide.agreements import PEACEFUL, Agreement, offers_in
from polemarque.systems.atlantide.strength import general_bonus
from polemarque.systems.atlantide.supply import STEP
from polemarque.systems.atlantide.views import View

STRATEGIES = ("frontal",) * 3 + ("defence",) * 3 + ("rapid",) * 2 + ("wait",) + ("flank",)
"""How often each strategy is written: those that keep it from the battle least."""

MOST_BRIBE = 6
"""Most fifties in one bribe."""

DEAR = 1.3
"""What a loot of a bribe is worth in reinforcements, which last."""

FEW = 0.2
"""With a smaller chance than that nobody attacks who need not."""

HUGE, TIMES = 16, 3
"""With so many territories at least, and so many times those of the next, it wants the end."""

REFUSES = 2
"""With that on the die of AT-6.3, or less, an army refuses to move."""

CHARITY = 25
"""Loot for which a service to a player far away is done."""

Answer = Callable[["Steady", View, Options, Asked, Chooser], Any]


class Steady:
    """See the module."""

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """See Bot."""
        answer = ANSWERS.get(asked.rule) if isinstance(view, View) else None
        if answer is not None:
            return answer(self, view, options, asked, chooser)
        return usual(options, asked, chooser)

    # Before the campaign (AT-1) ----------------------------------------------------------------

    def enlist(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """A ready-made list of much force and a good general; its people's best, if it is given."""
        assert isinstance(options, Sheet)
        lists = dict(sorted(good_lists(), key=lambda _: chooser.randrange(0, 1000)))
        given = view.own.catalogue if view.own is not None else ""
        picked: list[str] = [given]

        def answer(part: str, each: Options) -> Any:
            words = _words(each)
            if part == "catalogue":
                known = [people for people in lists if people in words]
                picked[0] = known[0] if known else chooser.choice(words)
                return picked[0]
            if part == "list":
                people = picked[0]
                wish = best_list(people) if given or people not in lists else lists[people]
                return wish if wish in words else words[0]
            return each.sample(chooser)

        return fill(options, answer)

    def kingdom(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """The kingdom whose neighbourhood is weakest, and belongs to nobody; then the next best."""
        outlook = Outlook(view)

        def charm(kingdom: str) -> float:
            own = view.board.kingdoms[kingdom]
            around = {n for place in own for n in view.board.neighbours[place]}.difference(own)
            weak = [outlook.gain(place) for place in around if view.lands[place].owner is None]
            crowd = sum([1 for place in around if view.lands[place].owner is not None])
            return sum(sorted(weak)[-4:]) + sum(map(outlook.worth, own)) - 150 * crowd

        def best(words: tuple[str, ...]) -> str:
            return max([word for word in words if word in view.board.kingdoms], key=charm)

        if isinstance(options, OneOf):
            return best(options.words)
        assert isinstance(options, Sheet)
        return fill(options, lambda _, each: best(_words(each)))

    def place(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """Its army where its first target promises most."""
        assert isinstance(options, OneOf)
        outlook = Outlook(view)
        return max(options.words, key=outlook.prospect)

    def come_back(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """An eliminated player returns at once, to the kingdom that is worth most (AT-1.12)."""
        assert isinstance(options, Sheet)
        outlook = Outlook(view)

        def worth(city: str) -> float:
            kingdom = view.board.kingdoms[view.board.by_id[city].kingdom]
            return sum([outlook.worth(p) for p in kingdom if view.lands[p].owner is None])

        def answer(part: str, each: Options) -> Any:
            words = _words(each)
            if part == "city":
                return max([word for word in words if word != "wait"], key=worth)
            if part == "list":
                wish = best_list("atlanteans")
                return wish if wish in words else words[0]
            return each.sample(chooser)

        return fill(options, answer)

    # Diplomacy (AT-4) --------------------------------------------------------------------------

    def offers(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """It asks nobody for anything; it wishes for the end only when it cannot lose."""
        assert isinstance(options, Sheet)
        end = "yes" if _leads_hugely(view) else "no"
        return fill(options, lambda part, _: end if part == "end" else ())

    def replies(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """Gifts are welcome; small services are done for loot to players far away."""
        assert isinstance(options, Sheet)
        offered = {f"offer.{o.by}": o.points for o in offers_in(view.proposals)}

        def answer(part: str, each: Options) -> Any:
            good = part in offered and _welcome(view, offered[part])
            return "accept" if good and "accept" in _words(each) else "refuse"

        return fill(options, answer)

    def keep_faith(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """It breaks nothing, declares what it has promised, and has its units come to its city.

        Only edition 2026-11 asks; since then it wishes for nothing, which comes to the same.
        """
        if not isinstance(options, Sheet):
            return ()

        def answer(part: str, each: Options) -> Any:
            if part == "place" and isinstance(each, OneOf):
                city = Outlook(view).city
                return city if city in each.words else each.words[0]
            return each.words if part == "declare" and isinstance(each, SeveralOf) else ()

        return fill(options, answer)

    def vote(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """See offers."""
        return "end" if _leads_hugely(view) else "continue"

    # Loot and supply (AT-5, AT-6) --------------------------------------------------------------

    def spend(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """Reinforcements first; see Shopping.  An army that is cut off keeps all of it for food."""
        assert isinstance(options, Sheet)
        assert view.own is not None
        shopping = Shopping(Outlook(view), view.own)
        if shopping.own.army is not None:
            fed = shopping.outlook.supplied(shopping.own.army.place)
            shopping.left -= _held_back(shopping.outlook) if fed else shopping.left
        return fill(options, shopping.answer)

    def forage(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """What lets its army march whatever is rolled; less if there is not so much."""
        assert isinstance(options, Amount)
        camp = view.rivals[view.seat].camp
        assert camp is not None
        return min(options.most, STEP * (REFUSES + camp.unsupplied))

    # March (AT-7) ------------------------------------------------------------------------------

    def march(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """To where fighting promises most, or the best stand for the turn after."""
        assert isinstance(options, Sheet)

        def answer(part: str, each: Options) -> Any:
            if part == "act":
                return "move"
            assert isinstance(each, Path)
            return _way(view, each)

        return fill(options, answer)

    # Battle (AT-8) and conquest (AT-9) ---------------------------------------------------------

    def strategy(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """Mixed, so that nobody can foresee it."""
        assert isinstance(options, OneOf)
        return chooser.choice([word for word in STRATEGIES if word in options.words])

    def conquer(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """Attack with the bribe that pays best; negotiate or stay if nothing pays."""
        assert isinstance(options, Sheet)
        own = view.own
        assert own is not None
        assert own.army is not None
        outlook, place = Outlook(view), own.army.place
        ground = outlook.force - outlook.defence(place)
        fifties, gain = _best_bribe(outlook, place, own.loot)
        worthwhile = gain > 0 and assault(ground + fifties).win >= FEW
        leadership = own.army.leadership
        act = ""

        def answer(part: str, each: Options) -> Any:
            nonlocal act
            if part == "act":
                words = _words(each)
                wanted = "attack" if worthwhile and "attack" in words else words[0]
                act = str(wanted)
                return wanted
            assert isinstance(each, Amount)
            if act == "attack":
                return min(each.most, fifties * STEP)
            # For a passage only where there is none without.
            hopeless = passage(general_bonus(leadership)) <= 0
            return min(each.most, STEP) if hopeless else each.least

        return fill(options, answer)

    def lose(self, view: View, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """Cheapest first, but no unit its last figure."""
        own = view.own
        if own is None or own.army is None or not isinstance(options, Sheet):
            return usual(options, asked, chooser)
        units = own.army.units
        return fill(
            options,
            lambda part, each: (
                spared(units, part, each) if isinstance(each, Amount) else each.sample(chooser)
            ),
        )


# Helpers -----------------------------------------------------------------------------------------


def _words(options: Options) -> tuple[Any, ...]:
    return options.words if isinstance(options, (OneOf, SeveralOf)) else ()


def _leads_hugely(view: View) -> bool:
    count = dict.fromkeys(view.rivals, 0)
    for land in view.lands.values():
        if land.owner in count:
            count[land.owner] += 1
    mine = count.pop(view.seat, 0)
    return mine >= HUGE and mine >= TIMES * max(count.values(), default=0)


def _neighbours(view: View, other: str) -> bool:
    """Whether land of one's own borders on another player's."""
    lands, seat = view.lands, view.seat
    return any(
        lands[place].owner == seat and any(lands[n].owner == other for n in beside)
        for place, beside in view.board.neighbours.items()
    )


def _welcome(view: View, points: Sequence[Agreement]) -> bool:
    """Whether an offer costs no loot and no friend's land, and is worth the services it asks for.

    A point that is out of the question spoils the whole offer.
    """
    worth = 0
    for point in points:
        if point.price and point.payer == view.seat:
            return False
        worth += point.price
        if point.kind in ("loot", "text"):
            continue
        mine = point.beneficiary == view.seat
        near = _neighbours(view, point.grantor if mine else point.beneficiary)
        if near and (
            not mine or point.kind in PEACEFUL
        ):  # no battle then: no good among neighbours
            return False
        if point.kind == "stationing" and not mine:
            return False
        service = CHARITY * (2 if point.kind == "intelligence" else 1)
        worth += service if mine else -service
    return worth >= 0


def _held_back(outlook: Outlook) -> int:
    """Loot kept for the bribe that this turn's assault is likely to want."""
    own = outlook.view.own
    assert own is not None
    assert own.army is not None
    if outlook.last:
        return 0
    targets = outlook.board.neighbours[own.army.place]
    if not targets:
        return 0
    target = max(targets, key=outlook.gain)
    if outlook.gain(target) <= 0 and outlook.defence(target) > outlook.force:
        return 0
    if target in outlook.camps or outlook.lands[target].owner == outlook.seat:
        return 0
    return STEP * _best_bribe(outlook, target, own.loot)[0]


def _best_bribe(outlook: Outlook, place: str, loot: int) -> tuple[int, float]:
    """How many fifties an assault is best helped with, and what it then promises."""
    each = STEP * (0.05 if outlook.last else DEAR)
    offers = range(min(MOST_BRIBE, loot // STEP) + 1)
    promised = [outlook.assaulted(place, more) - each * more for more in offers]
    best = max(offers, key=promised.__getitem__)
    return best, promised[best]


def _way(view: View, path: Path) -> tuple[str, ...]:
    """The way to the place that promises most; of equals the first."""
    own = view.own
    ways: Mapping[str, tuple[str, ...]] = path.ways
    outlook = Outlook(view)
    best: tuple[str, ...] = ()
    promised = float("-inf")
    if path.stay and own is not None and own.army is not None:
        promised = outlook.march(own.army.place)
    for place, way in ways.items():
        value = outlook.march(place)
        if value > promised:
            best, promised = way, value
    return best


ANSWERS: dict[str, Answer] = {
    "AT-1.1": Steady.enlist,
    "AT-1.4/kingdom": Steady.kingdom,
    "AT-1.4/wishes": Steady.kingdom,
    "AT-1.4/place": Steady.place,
    "AT-1.4/places": Steady.place,
    "AT-1.12/return": Steady.come_back,
    "AT-4.1": Steady.offers,
    "AT-4.4": Steady.replies,
    "AT-4.4/counter": Steady.replies,
    "AT-4.3": Steady.keep_faith,
    "AT-4.3/after_move": Steady.keep_faith,
    "AT-6.2": Steady.keep_faith,
    "AT-10.1": Steady.keep_faith,
    "AT-1.10": Steady.vote,
    "AT-5.2": Steady.spend,
    "AT-6.1": Steady.forage,
    "AT-7.2": Steady.march,
    "AT-8.1": Steady.strategy,
    "AT-9.1": Steady.conquer,
    "AT-9.2": Steady.conquer,
    "AT-3.2": Steady.lose,
    "AT-8.7/losses": Steady.lose,
    "AT-9.3": Steady.lose,
}
"""Which question is answered how; every other one by the rules' own answer."""

BOTS: dict[str, Bot] = {"steady": Steady()}
"""The bots of this system."""
