"""The steady general of Thucidide: activates those who can fight, keeps its units supported.

Of every unit it asks what it promises to activate it: the best it can reach, attack included,
against its standing as it is.  Tokens are spent where they bring more than they will later; leaders
give themselves for nothing less than a unit.  It sees what its seat may see and what it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from polemarque.api import Amount, OneOf, Options, Path, SeveralOf, Sheet
from polemarque.api.bots import Asked, Bot, Chooser, fill, usual
from polemarque.bots.thucidide.combat import (
    THRIFT,
    advance,
    attack,
    attack_order,
    defence_order,
    evade,
    fall_back,
    give,
    price,
    sacrifice,
)
from polemarque.bots.thucidide.evaluation import Field, Option, battle_of
from polemarque.systems.thucidide.chapters.activation import candidates, may_activate, sizes
from polemarque.systems.thucidide.chapters.command import command_price
from polemarque.systems.thucidide.chapters.manoeuvre_orders import rally_most
from polemarque.systems.thucidide.chapters.moves import DONE
from polemarque.systems.thucidide.orders import NONE
from polemarque.systems.thucidide.state import Battle, Leader, Unit

IDLE = 0.005
"""An activation or a move that promises less is not worth the trouble."""

MESSAGE = 0.1
"""What a unit must promise for a messenger to be sent to it, beyond the price."""


class Steady:
    """See the module."""

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """See Bot."""
        answer = ANSWERS.get(asked.rule)
        if answer is None:
            return usual(options, asked, chooser)
        battle = battle_of(view, second=asked.key.subject == "second")
        return answer(Field(battle, asked.seat, asked.key.subject), options)


# Command (TH-2, TH-4) ----------------------------------------------------------------------------


def command(field: Field, options: Options) -> Any:
    """One more leader where there is fighting, a messenger, or tokens for later."""
    assert isinstance(options, Sheet)
    wanted, far = NONE, ""

    def answer(part: str, each: Options) -> Any:
        nonlocal wanted, far
        assert isinstance(each, OneOf)
        if part == "order":
            wanted, far = _command(field, each.words)
            return wanted
        return far if far in each.words else each.words[0]

    return fill(options, answer)


def _command(field: Field, words: tuple[str, ...]) -> tuple[str, str]:
    """The command order that promises most beyond its price, and to whom."""
    battle, side = field.battle, field.battle.sides[field.seat]
    token = THRIFT / (2 + side.tokens)
    plan = activations(field, sizes(battle))
    usual, taken = _sum(field, plan), {code for _, units in plan for code in units}
    left = {code: gain for code, gain in field.promises.items() if code not in taken}
    offers: list[tuple[float, str, str]] = [(0.0, NONE, "")]
    if "reconnaissance" in words:
        gain = token * (side.level - 1) + max(field.promises.values(), default=0) - usual
        offers.append((gain, "reconnaissance", ""))
    if "messager" in words and left:
        code = max(left, key=lambda each: left[each])
        offers.append((left[code] - MESSAGE - token * _price(battle, "messager"), "messager", code))
    if "assaut" in words:
        more = activations(field, (*sizes(battle), side.activations[-1]))
        gain = _sum(field, more) - usual - token * _price(battle, "assaut")
        offers.append((gain, "assaut", ""))
    _, wanted, far = max(offers)
    return wanted, far


def _price(battle: Battle, code: str) -> int:
    return command_price(battle, code).total


Activation = tuple[str, tuple[str, ...]]
"""A leader, and whom it activates."""


def activations(field: Field, wanted: Iterable[int]) -> list[Activation]:
    """The leaders who activate and their units, the most promising first."""
    battle, plan, taken = field.battle, list[Activation](), set[str]()
    able = [one for one in battle.leaders_of(field.seat) if may_activate(battle, one)]
    reached = {one.code: _units(field, one) for one in able}
    for size in wanted:
        best: Activation = ("", ())
        for code, units in reached.items():
            free = [each for each in units if each not in taken][:size]
            if _sum(field, [(code, tuple(free))]) > _sum(field, [best]) + IDLE:
                best = (code, tuple(free))
        if not best[0]:
            break
        plan.append(best)
        taken.update(best[1])
        del reached[best[0]]
    return plan


def _units(field: Field, leader: Leader) -> list[str]:
    """The units that a leader can usefully activate, the most promising first."""
    promise = field.promises
    units = [code for code in candidates(field.battle, leader) if promise.get(code, 0) > IDLE]
    return sorted(units, key=lambda code: -promise[code])


def _sum(field: Field, plan: Iterable[Activation]) -> float:
    return sum([field.promises[code] for _, units in plan for code in units])


def activate(field: Field, options: Options) -> Any:
    """Leader after leader, each with the units that promise most."""
    assert isinstance(options, Sheet)
    plan = activations(field, sizes(field.battle))

    def answer(part: str, each: Options) -> Any:
        name, _, number = part.partition(".")
        if name == "leader":
            assert isinstance(each, OneOf)
            at = int(number) - 1
            return plan[at][0] if at < len(plan) and plan[at][0] in each.words else NONE
        if isinstance(each, SeveralOf):
            return plan[int(number) - 1][1]
        assert isinstance(each, OneOf)
        return each.words[0]

    return fill(options, answer)


# Movement (TH-F8, TH-5) --------------------------------------------------------------------------


def move(field: Field, options: Options) -> Any:
    """Unit after unit, the one that gains most first; who gains nothing stays."""
    assert isinstance(options, Sheet)
    who, chosen = DONE, Option(0)

    def answer(part: str, each: Options) -> Any:
        nonlocal who, chosen
        if part == "who":
            assert isinstance(each, OneOf)
            who, chosen = _next_mover(field, each.words)
            return who
        if isinstance(each, Path):
            if not chosen.path and not each.stay:
                return next(iter(each.ways.values()))
            return chosen.path
        if isinstance(each, SeveralOf):
            return each.words
        assert isinstance(each, OneOf)
        if part == "order":
            unit = field.battle.units[who]
            chosen = _hurried(field, unit, chosen, each.words)
            return chosen.order or NONE
        return "yes" if part == "leaves" else each.words[0]

    return fill(options, answer)


def _next_mover(field: Field, words: tuple[str, ...]) -> tuple[str, Option]:
    """The unit that gains most by going, and its way."""
    best, who, way = IDLE, DONE, Option(0)
    for code in words:
        if code in field.battle.units:
            unit = field.battle.units[code]
            option = field.best(unit)
            stays = field.standing(unit, unit.cell) + max(field.best_attack(unit, unit.cell), 0.0)
            leaves = not option.path and unit.cell in _exits(field)
            if option.promise - stays > best or leaves:
                best, who, way = option.promise - stays, code, option
    return who, way


def _exits(field: Field) -> frozenset[str]:
    """Where the side has to leave the board (TH-F10)."""
    cells = [cell for goal in field.goals if goal.kind == "exit" for cell in goal.cells]
    return frozenset(cells)


def _hurried(field: Field, unit: Unit, usual: Option, words: tuple[str, ...]) -> Option:
    """A forced march, where it brings more than it costs."""
    if "marche_forcee" not in words:
        return usual
    dear = price(field, "marche_forcee", unit)
    best = max(field.forced(unit), key=lambda option: option.promise, default=usual)
    return best if best.promise - dear > usual.promise else usual


def last_order(field: Field, options: Options) -> Any:
    """A rally, where the tokens are not worth more than the elements (TH-5.6)."""
    assert isinstance(options, Sheet)
    wanted = ""

    def answer(part: str, each: Options) -> Any:
        nonlocal wanted
        if part == "order":
            assert isinstance(each, OneOf)
            return "ralliement" if "ralliement" in each.words and _pays(field) else NONE
        if isinstance(each, OneOf):
            offers = [field.battle.units[code] for code in each.words]
            wanted = max(offers, key=lambda unit: _rallied(field, unit)).code
            return wanted
        assert isinstance(each, Amount)
        return each.most

    return fill(options, answer)


def _pays(field: Field) -> bool:
    """Whether a rally of any unit is worth its tokens."""
    hurt = [unit for unit in field.mine if unit.elements < unit.start]
    return any(_rallied(field, unit) > 0 for unit in hurt)


def _rallied(field: Field, unit: Unit) -> float:
    """What a rally of a unit brings beyond its price."""
    most = rally_most(field.battle, unit)
    return field.cost(unit, most, 0) - price(field, "ralliement", unit, most) if most else 0.0


ANSWERS: dict[str, Callable[[Field, Options], Any]] = {
    "TH-3.5": command,
    "TH-2.2": activate,
    "TH-F8": move,
    "TH-5.6": last_order,
    "TH-F5": attack,
    "TH-F5/late": attack,
    "TH-6/order": attack_order,
    "TH-7/order": defence_order,
    "TH-7.1": evade,
    "TH-F6": fall_back,
    "TH-7.5": fall_back,
    "TH-F7": advance,
    "TH-8.3": sacrifice,
    "TH-8.2": give,
}
"""What it answers to each question; to others, what the rules answer for an absent player."""

BOTS: dict[str, Bot] = {"steady": Steady()}
"""The bots of this system."""
