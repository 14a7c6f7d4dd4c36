"""The steady marshal of Promiterra: closes up, strikes together, keeps its commander covered.

Troop after troop it looks for the cell and the deed that promise most gold (PR-1.7): what an attack
costs the enemy, its riposte, what the enemy's next turn may cost there, fear, and ground gained.
It sees what its seat may see and what it is asked, nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec

from polemarque.api import Amount, OneOf, Options, Path, Sheet
from polemarque.api.boards import Cell
from polemarque.api.bots import Asked, Bot, Chooser, fill, usual
from polemarque.bots.promiterra.evaluation import AttackPlan, Outlook, blow, duel_won
from polemarque.systems.promiterra.chapters.strikes import counting_fort
from polemarque.systems.promiterra.stats import Change
from polemarque.systems.promiterra.views import TroopView

GROUND = 0.03
"""What a cell nearer the enemy is worth, in parts of a troop's value."""

COMPANY = 0.02
"""What a friend beside a troop is worth, in the same; two count at most."""

WALL = 0.02
"""What a level of fortification is worth there."""

TIMID = 0.5
"""What danger counts beside what happens this turn, as long as there is no hurry."""

COMMANDER = 2.0
"""So much more the commander minds it."""

FIGHTING, THREATENED, MARCHING, AIMING = 0.11, 0.08, 0.04, 0.05
"""What a point of attack, defence, movement, range is worth where it serves, in parts of value."""

FAR = 3
"""Cells beyond a troop's reach at which an enemy still draws it on."""


class Deed(msgspec.Struct, frozen=True):
    """What a troop may do from a cell, and what that promises in gold."""

    promise: float
    path: tuple[Cell, ...] = ()
    act: str = "none"
    target: str = ""


class Steady:
    """See the module."""

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """See Bot."""
        if asked.rule == "PR-8.1/decide":
            return "pursue"
        answer = ANSWERS.get(asked.rule)
        if answer is None:
            return usual(options, asked, chooser)
        return answer(Outlook(view, asked.key.subject), options)


# Before the war (PR-2.4) -------------------------------------------------------------------------


def deploy(outlook: Outlook, options: Options) -> Any:
    """A close line in the middle of the zone: shooters and the commander in its second rank."""
    assert isinstance(options, Sheet)
    grid, view = outlook.grid, outlook.view
    middle = grid.cell((grid.columns + 1) // 2, (grid.rows + 1) // 2)
    stand = [enemy.troop.cell for enemy in outlook.enemies] or [middle]
    column = sum([grid.column(cell) for cell in stand]) / len(stand)
    column = (column + grid.column(middle)) / 2
    commander = view.persons[view.armies[view.you].commander].troop

    def answer(part: str, each: Options) -> Any:
        assert isinstance(each, OneOf)
        troop = view.troops[part.removeprefix("place.")]
        behind = troop.stats.range > 1 or troop.troop.id == commander

        def charm(cell: Cell) -> tuple[float, ...]:
            away = min([grid.distance(cell, enemy) for enemy in stand])
            aside = abs(grid.column(cell) - column)
            return (outlook.fort(cell), -aside + (away if behind else -away))

        return max(each.words, key=charm)

    return fill(options, answer)


# War actions (PR-3.2) ----------------------------------------------------------------------------


def act(outlook: Outlook, options: Options) -> Any:
    """Each where it serves most: loyalty for those who must test, attack for those who can
    strike."""
    assert isinstance(options, Sheet)
    known = outlook.view.actions
    done: set[tuple[str, str]] = set()

    def best(action: str, troops: tuple[str, ...] = ()) -> tuple[float, str]:
        offers = [
            (served(outlook, each, known[action].change), each.troop.id)
            for each in outlook.mine
            if (action, each.troop.id) not in done and (not troops or each.troop.id in troops)
        ]
        return max(offers, default=(0.0, ""))

    chosen = ""

    def answer(part: str, each: Options) -> Any:
        nonlocal chosen
        assert isinstance(each, OneOf)
        if "_on." in part:
            troop = best(chosen, each.words)[1]
            done.add((chosen, troop))
            return troop if troop in each.words else each.words[0]
        offers = [(best(action)[0], action) for action in each.words if action != "none"]
        promise, chosen = max(offers, default=(0.0, "none"))
        return chosen if promise > 0 else "none"

    return fill(options, answer)


def served(outlook: Outlook, each: TroopView, change: Change) -> float:
    """What changes of its statistics are worth to a troop this turn, in gold."""
    here, stats, value = each.troop.cell, each.stats, each.stats.value * each.troop.units
    far = min([outlook.grid.distance(here, e.troop.cell) for e in outlook.enemies], default=99)
    shoots = any(outlook.shoots(each, e.troop.cell) for e in outlook.enemies)
    fights = shoots or far <= stats.movement + 1
    threatened = any(outlook.reaches(e, here) or outlook.shoots(e, here) for e in outlook.enemies)
    near = stats.movement + 1 < far <= stats.movement + 1 + FAR
    promise = FIGHTING * change.attack * fights + THREATENED * change.defence * threatened
    promise += MARCHING * change.movement * (near and not shoots)
    promise += AIMING * change.range * (stats.range > 1 and far == stats.range + 1)
    tests = outlook.tests(each)
    if change.loyalty and tests:
        promise += 0.1 * min(change.loyalty, 11 - stats.loyalty) * tests
    return promise * value


# Declarations (PR-3.3) ---------------------------------------------------------------------------


def declare(outlook: Outlook, options: Options) -> Any:
    """Who shoots stays; then those in front, so that those behind find room beside them."""
    assert isinstance(options, Sheet)
    order = _marching(outlook)
    orders = Orders(outlook)

    def answer(part: str, each: Options) -> Any:
        name, _, troop = part.partition(".")
        if not troop:
            if isinstance(each, OneOf) and part in FIXED:
                return FIXED[part] if FIXED[part] in each.words else each.words[0]
            assert isinstance(each, OneOf)
            return next(code for code in order if code in each.words)
        return orders.answer(name, outlook.view.troops[troop], each)

    return fill(options, answer)


FIXED = {"end": "fight_on", "order": "chosen", "plan": "confirm"}
"""What it always says of the whole army."""


def _marching(outlook: Outlook) -> list[str]:
    """The order in which troops move."""

    def turn(each: TroopView) -> tuple[bool, int, str]:
        stands = [enemy.troop.cell for enemy in outlook.enemies]
        shoots = any(outlook.shoots(each, cell) for cell in stands)
        far = min([outlook.grid.distance(each.troop.cell, cell) for cell in stands], default=0)
        return not shoots, far, each.troop.id

    return [each.troop.id for each in sorted(outlook.mine, key=turn)]


class Orders:
    """One army's declaration as it is written, troop after troop."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.plan = AttackPlan()
        self.at = {each.troop.id: each.troop.cell for each in outlook.mine}
        self.deeds: dict[str, Deed] = {}

    def answer(self, name: str, each: TroopView, options: Options) -> Any:
        """One part that concerns one troop."""
        code = each.troop.id
        if isinstance(options, Path):
            return self.decided(each, options.ways).path
        assert isinstance(options, OneOf)
        if name == "act":
            deed = self.decided(each, {})
            if deed.act in options.words and deed.act != "none":
                return deed.act
            self.deeds[code] = self.instead(each, options.words)
            return self.deeds[code].act
        target = self.decided(each, {}).target
        return target if target in options.words else options.words[0]

    def decided(self, each: TroopView, ways: Mapping[Cell, tuple[Cell, ...]]) -> Deed:
        """What a troop does: found when it is first asked."""
        code = each.troop.id
        if code not in self.deeds:
            here = each.troop.cell
            deeds = [self.best(each, here, ())]
            deeds += [self.best(each, cell, path) for cell, path in ways.items()]
            deed = self.deeds[code] = max(deeds, key=lambda deed: deed.promise)
            cell = self.at[code] = deed.path[-1] if deed.path else here
            if deed.target:
                target = self.outlook.view.troops[deed.target]
                melee = self.outlook.grid.adjacent(cell, target.troop.cell)
                self.plan.add(deed.target, self.outlook.lost_by(each, cell, target), melee=melee)
        return self.deeds[code]

    def best(self, each: TroopView, cell: Cell, path: tuple[Cell, ...]) -> Deed:
        """The best that a troop can do from a cell."""
        outlook = self.outlook
        stand = self.standing(each, cell)
        best = Deed(stand, path)
        reach = 1 if path else each.stats.range
        for enemy in outlook.enemies:
            away = outlook.grid.distance(cell, enemy.troop.cell)
            if away == 1 or (away <= reach and not enemy.troop.barricaded):
                promise = stand + outlook.attack(each, cell, enemy, self.plan)
                if promise > best.promise:
                    best = Deed(promise, path, "attack", enemy.troop.id)
        return best

    def standing(self, each: TroopView, cell: Cell) -> float:
        """What it is worth to a troop to stand in a cell when the turn is over."""
        outlook, grid = self.outlook, self.outlook.grid
        value = each.stats.value * each.troop.units
        minds = COMMANDER if each.troop.id in outlook.heads else 1.0
        cost = minds * TIMID * outlook.caution * outlook.danger(each, cell, self.plan)
        cost += outlook.dread(each, cell, self.plan)
        near = [grid.distance(cell, enemy.troop.cell) for enemy in outlook.enemies]
        away = min(near, default=0)
        wish = each.stats.range if each.stats.range > 1 else 1
        friends = [code for code, at in self.at.items() if code != each.troop.id
                   and grid.adjacent(cell, at)]  # fmt: skip
        gain = COMPANY * min(len(friends), 2) - GROUND * abs(away - wish)
        return value * (gain + WALL * outlook.fort(cell)) - cost

    def instead(self, each: TroopView, words: tuple[str, ...]) -> Deed:
        """What a troop does that does not attack."""
        outlook, path = self.outlook, self.deeds[each.troop.id].path
        if outlook.lost_cause and "flight" in words:
            return Deed(0, path, "flight")
        if "invasion" in words:
            return Deed(0, path, "invasion")
        cell = self.at[each.troop.id]
        if "barricade" in words and any(outlook.shoots(enemy, cell) for enemy in outlook.enemies):
            return Deed(0, path, "barricade")
        met = {deed.target for deed in self.deeds.values() if deed.act == "duel"}
        rival = best_duel(outlook, each, met) if "duel" in words else ""
        return Deed(0, path, "duel", rival) if rival else Deed(0, path)


def do_instead(outlook: Outlook, options: Options) -> Any:
    """Another deed for a troop whose attack was lost (PR-3.3)."""
    assert isinstance(options, Sheet)
    each = outlook.view.troops[outlook.subject]
    orders = Orders(outlook)
    orders.deeds[each.troop.id] = Deed(0)
    return fill(
        options,
        lambda part, part_options: orders.answer(part.partition(".")[0], each, part_options),
    )


# Duels (PR-7.6) ----------------------------------------------------------------------------------


def prospect(outlook: Outlook, each: TroopView, other: TroopView) -> float:
    """What a duel with the leader of a hostile troop promises, in gold."""
    people = outlook.view.persons
    lead = people[each.troop.leader].skill - people[other.troop.leader].skill
    won = duel_won(lead)
    stake = [
        side.stats.value * side.troop.units + outlook.heads.get(side.troop.id, 0.0)
        for side in (each, other)
    ]
    return won * stake[1] - (1 - won) * stake[0]


def best_duel(outlook: Outlook, each: TroopView, met: Collection[str]) -> str:
    """Whose leader to challenge, "" for nobody: it must promise something, if only a refusal.

    met: whom its army challenges already.  A second refusal costs nothing.
    """
    if each.troop.id in outlook.heads:
        return ""
    rivals = [
        enemy for enemy in outlook.foes if not enemy.troop.refused and enemy.troop.id not in met
    ]
    best = max(rivals, key=lambda enemy: prospect(outlook, each, enemy), default=None)
    return best.troop.id if best and prospect(outlook, each, best) > 0 else ""


def challenged(outlook: Outlook, options: Options) -> Any:
    """It accepts what promises more than a little loyalty lost.

    The challenger is not named in the question: the boldest of those who could be is assumed.
    """
    each = outlook.view.troops[outlook.subject]
    rivals = [enemy for enemy in outlook.foes if enemy.troop.army == outlook.view.playing]
    worst = min([prospect(outlook, each, enemy) for enemy in rivals], default=0.0)
    return options.take("accept" if worst > 0 else "refuse")


# Ripostes (PR-5.7) -------------------------------------------------------------------------------


def split(outlook: Outlook, options: Options) -> Any:
    """First upon whom each riposting unit costs most, no more than is needed to destroy it."""
    assert isinstance(options, Sheet)
    mine = outlook.view.troops[outlook.subject]

    def harm(code: str) -> float:
        """Units of that attacker lost to one unit of ours."""
        other = outlook.view.troops[code]
        cover = counting_fort(other.fort, mine.fort)
        return blow(1, mine.stats.attack, other.stats.defence, cover)

    against = {
        order.troop: harm(order.troop) * outlook.view.troops[order.troop].stats.value
        for order in outlook.view.orders
        if order.target == outlook.subject
    }
    left = mine.troop.units
    shares: dict[str, int] = {}
    for code in sorted(against, key=lambda code: -against[code]):
        one = harm(code)
        enough = round(outlook.view.troops[code].troop.units / one) + 1 if one else 0
        shares[code] = min(left, enough)
        left -= shares[code]

    def answer(part: str, each: Options) -> Any:
        assert isinstance(each, Amount)
        return min(shares.get(part.removeprefix("riposte."), 0), each.most)

    return fill(options, answer)


ANSWERS: dict[str, Callable[[Outlook, Options], Any]] = {
    "PR-2.4/deploy": deploy,
    "PR-3.2": act,
    "PR-3.3": declare,
    "PR-7/instead": do_instead,
    "PR-7.6/challenge": challenged,
    "PR-5.7/split": split,
}
"""What it answers to each question; to others, what the rules answer for an absent player."""

BOTS: dict[str, Bot] = {"steady": Steady()}
"""The bots of this system."""
