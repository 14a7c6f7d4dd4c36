"""The steady general of Thucidide in combat: whom to attack, orders, flags, pursuit, sacrifices."""

from __future__ import annotations

from typing import Any

from polemarque.api import PASS, Amount, OneOf, Options, Path, SeveralOf, Sheet
from polemarque.api.bots import fill
from polemarque.bots.thucidide.evaluation import PUSH, Field
from polemarque.bots.thucidide.threats import ADVANTAGE, PLAIN, harm
from polemarque.systems.thucidide.chapters.combat import DONE, losses
from polemarque.systems.thucidide.chapters.retreat import FallingBack
from polemarque.systems.thucidide.combat_dice import COMBAT, dice_of, factor_in, hexes_owed
from polemarque.systems.thucidide.orders import CALL, NONE, cost, influencing
from polemarque.systems.thucidide.state import Fight, Unit
from polemarque.systems.thucidide.targets import is_supported

THRIFT = 0.16
"""What a token is worth to a side without any, twice; the more it has, the less (see `price`)."""

BOLD = -0.04
"""An attack that promises less is left alone, as long as there is no hurry."""

SEIZED = {"general": 0.9, "sub_general": 0.4, "officer": 0.3}
"""What capturing a leader is worth, and what giving one up costs, by rank."""

LASTS = 1.4
"""What support for the whole phase is worth beside that for one combat."""

MANY = 99
"""More flags than there are dice."""


def price(field: Field, code: str, unit: Unit, count: int = 1) -> float:
    """What an order's tokens are worth to its side."""
    tokens = field.battle.sides[unit.seat].tokens
    return THRIFT / (2 + tokens) * cost(field.battle, code, unit, count).total


def _fight(field: Field) -> Fight:
    fight = field.battle.fight
    assert fight is not None
    return fight


# Whom to attack (TH-F5) --------------------------------------------------------------------------


def attack(field: Field, options: Options) -> Any:
    """The attack that promises most; none that promises too little."""
    assert isinstance(options, Sheet)
    offers: list[tuple[float, str, str]] = []

    def answer(part: str, each: Options) -> Any:
        assert isinstance(each, OneOf)
        if part == "unit":
            for code in each.words:
                if code in field.battle.units:
                    offers.extend(_promised(field, field.battle.units[code]))
            offers.sort(reverse=True)
            worth_it = offers and offers[0][0] > BOLD * field.hurry and offers[0][1] in each.words
            return offers[0][1] if worth_it else DONE
        return offers[0][2] if offers[0][2] in each.words else each.words[0]

    return fill(options, answer)


def _promised(field: Field, unit: Unit) -> list[tuple[float, str, str]]:
    """What each attack of a unit promises, captures of lone leaders too (TH-F11)."""
    found = [
        (field.strike(unit, unit.cell, target, factor), unit.code, target.code)
        for target, factor in field.attacks(unit, unit.cell)
    ]
    for one in field.battle.leaders_of(field.enemy):
        alone = one.cell not in field.held and field.grid.adjacent(one.cell, unit.cell)
        found += [(SEIZED[one.rank], unit.code, one.code)] if alone else []
    return found


# Orders (TH-6, TH-7) -----------------------------------------------------------------------------


def attack_order(field: Field, options: Options) -> Any:
    """The attack order that adds most beyond its price; none if none does."""
    assert isinstance(options, OneOf)
    fight = _fight(field)
    unit, target = field.battle.units[fight.attacker], field.battle.units[fight.target]
    factor, held = factor_in(fight), is_supported(field.battle, unit)
    dice = COMBAT.dice

    def promised(code: str) -> float:
        if code == NONE:
            return field.strike(unit, unit.cell, target, factor, supported=held)
        more = {"allant": dice.allant, "berserks": dice.berserks}.get(code, 0)
        gain = field.strike(
            unit, unit.cell, target, factor, more=more, supported=held or code == "charge",
            berserk=code == "berserks",
        )  # fmt: skip
        return gain - price(field, code, unit)

    return max([code for code in options.words if code != CALL], key=promised)


def defence_order(field: Field, options: Options) -> Any:
    """The defence order that spares most beyond its price; none if none does."""
    assert isinstance(options, OneOf)
    fight = _fight(field)
    unit, foe = field.battle.units[fight.target], field.battle.units[fight.attacker]
    answers = Answers(field, fight, unit, foe)

    def spared(code: str) -> float:
        if code == NONE:
            return 0.0
        return answers.outcome(code) - answers.outcome(NONE) - price(field, code, unit)

    return max([code for code in options.words if code != CALL], key=spared)


class Answers:
    """What becomes of an attack by each defence order."""

    def __init__(self, field: Field, fight: Fight, unit: Unit, foe: Unit) -> None:
        self.field, self.fight, self.unit, self.foe = field, fight, unit, foe
        self.dice = dice_of(field.battle, fight).total
        self.held = is_supported(field.battle, unit)
        bold = is_supported(field.battle, foe) and not fight.shooting
        self.hits = ADVANTAGE if bold else PLAIN
        self.steady = "tenir" in unit.marks.orders

    def outcome(self, code: str) -> float:
        """What the combat comes to for the defender, in units; orders it knows no use for: less."""
        if code == "retraite":
            return -PUSH
        if code == "embuscade":
            return self.ambush()
        if code == "pieges":
            caltrops = COMBAT.arms[self.foe.figures.arm].caltrops
            return self.attacked(dice=max(self.dice - caltrops, 1))
        if code == "tenir":
            return self.attacked(steady=True)
        if code == "defense":
            return self.attacked(held=True)
        if code == "grande_defense":
            usual = self.attacked()
            return usual + LASTS * (self.attacked(held=True) - usual)
        return self.attacked() if code == NONE else -MANY

    def attacked(
        self, *, dice: int | None = None, held: bool = False, steady: bool = False
    ) -> float:
        """The attack, and the riposte of a supported unit that holds its ground."""
        field, unit = self.field, self.unit
        held = held or self.held
        ignored = field.ignores(unit, supported=held)
        if steady or self.steady:
            ignored = MANY
        done = harm(self.dice if dice is None else dice, self.hits, unit.elements, ignored)
        comes = -field.harmed(unit, done)
        if held and not self.fight.shooting:
            comes += (1 - done.killed - done.pushed) * self.answer()
        return comes

    def answer(self) -> float:
        """What the defender's own dice are worth."""
        berserk = "berserks" in self.fight.orders
        return self.field.riposte(
            self.foe, self.foe.cell, self.unit, held=self.field.supported(self.foe),
            berserk=berserk,
        )  # fmt: skip

    def ambush(self) -> float:
        """The riposte first; it may end the attack (TH-7.6)."""
        field, foe = self.field, self.foe
        dice = field.dice(self.unit, self.unit.cell, foe, "melee")
        first = harm(dice, PLAIN, foe.elements, field.ignores(foe))
        goes_on = 1 - first.killed - first.pushed
        then = harm(self.dice, self.hits, self.unit.elements, field.ignores(self.unit))
        return field.harmed(foe, first) - goes_on * field.harmed(self.unit, then)


def evade(field: Field, options: Options) -> Any:
    """A hit becomes two flags (TH-7.1) where that saves more than it costs."""
    assert isinstance(options, OneOf)
    fight = _fight(field)
    unit = field.battle.units[fight.target]
    flags = COMBAT.flags.evasion
    if "tenir" in unit.marks.orders and field.battle.options.steady == "all":
        flags = 0  # it ignores them
    owed = hexes_owed(fight.sure + flags, unit.figures.arm, mounted=unit.mounted)
    ways = FallingBack(field.battle, unit, owed).ways()
    blocked = owed - max([len(way) for way in ways.values()], default=0)

    def lost(elements: int) -> float:
        return field.cost(unit, min(elements, unit.elements), elements >= unit.elements)

    saved = lost(fight.hits) - lost(fight.hits - 1 + blocked) - flags * PUSH
    wanted = saved > price(field, "evasion", unit)
    return "evasion" if wanted else NONE


# Flags, advance, flight (TH-F6, TH-F7, TH-7.5) ---------------------------------------------------


def fall_back(field: Field, options: Options) -> Any:
    """Flags are ignored; a unit goes back to where it stands best, and takes leaders along."""
    assert isinstance(options, Sheet)
    unit = field.battle.units[field.subject]

    def answer(part: str, each: Options) -> Any:
        if isinstance(each, Path):
            return each.ways[max(each.ways, key=lambda cell: field.standing(unit, cell))]
        if isinstance(each, SeveralOf):
            return each.words
        assert isinstance(each, Amount)
        return each.most if part == "ignored" else each.least

    return fill(options, answer)


def advance(field: Field, options: Options) -> Any:
    """Pursue whom it pays to pursue; follow where one stands better."""
    assert isinstance(options, Sheet)
    fight = _fight(field)
    unit, cell = field.battle.units[fight.attacker], fight.emptied
    prey = [foe for near in field.grid.neighbours(cell)
            if (foe := field.held.get(near)) and foe.seat != unit.seat]  # fmt: skip
    offers = {foe.code: field.strike(unit, cell, foe, "assault") for foe in prey}
    best = max(offers, key=lambda code: offers[code], default="")
    gain = offers.get(best, 0.0)
    follows = gain > 0 or field.standing(unit, cell) >= field.standing(unit, unit.cell)

    def answer(part: str, each: Options) -> Any:
        assert isinstance(each, OneOf)
        if part == "order":
            breaks = gain > price(field, "percee", unit)
            return "percee" if breaks and "percee" in each.words else NONE
        if part == "follow":
            return "follow" if follows else "stay"
        return best if gain > 0 and best in each.words else NONE

    return fill(options, answer)


# Leaders who give themselves (TH-8.2, TH-8.3) ----------------------------------------------------


def sacrifice(field: Field, options: Options) -> Any:
    """An officer dies only for a unit that would be destroyed otherwise."""
    assert isinstance(options, OneOf)
    fight = field.battle.fight
    there = field.battle.leaders_of(field.seat)
    if fight is None or len(there) < 2:
        return PASS
    unit = field.battle.units[fight.struck]
    reading = field.battle.options.spared
    lost, _ = losses(fight.hits, unit.elements, fight.spared, reading)
    with_him, _ = losses(fight.hits, unit.elements, fight.spared + 1, reading)
    if unit.seat != field.seat or lost < unit.elements or with_him == lost:
        return PASS
    near = {one.code: SEIZED[one.rank] for one in influencing(field.battle, unit)}
    able = [code for code in options.words if code in near]
    cheapest = min(able, key=lambda code: near[code], default=PASS)
    return cheapest if near.get(cheapest, MANY) < field.cost(unit, 1, 1) else PASS


def give(field: Field, options: Options) -> Any:
    """An officer takes upon itself a loss of the unit that is struck."""
    assert isinstance(options, Sheet)
    struck = _fight(field).struck if field.battle.fight else ""

    def answer(part: str, each: Options) -> Any:
        assert isinstance(each, OneOf)
        wish = struck if part == "unit" else "spare"
        return wish if wish in each.words else each.words[0]

    return fill(options, answer)
