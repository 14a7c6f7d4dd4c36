"""Chapter « Déclarations » (PR-3.3): one sheet on which an army's player declares everything."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from polemarque.api import (
    QUIET,
    Amount,
    Call,
    ChanceOf,
    Fact,
    Filling,
    MeanOf,
    OneOf,
    Options,
    Path,
    Rule,
    Sheet,
    Step,
    ask,
    script,
    tell,
    then,
)
from polemarque.api.boards import Cell
from polemarque.systems.promiterra.chapters.lent_priests import holders
from polemarque.systems.promiterra.chapters.strikes import (
    Blow,
    Fighter,
    Strike,
    counting_fort,
    strike,
    toll,
)
from polemarque.systems.promiterra.chapters.trials import duel, invasion
from polemarque.systems.promiterra.current_stats import fighter, riposte_denied, stats
from polemarque.systems.promiterra.ground import (
    Field,
    division_cells,
    duellists,
    founders,
    invadable,
    mergeable,
    targets,
)
from polemarque.systems.promiterra.setup.options import DiceRule
from polemarque.systems.promiterra.state import (
    NOBODY,
    Act,
    Ending,
    Order,
    Troop,
    War,
    while_fighting,
)

RESTARTS = 9
"""How often a declaration may start again in a turn: a standing answer might do so for ever."""

Answers = Mapping[str, Any]
"""A filled sheet."""


@script("PR-3.3")
@while_fighting
def declarations(war: War, restarts: int = 0) -> Step[War]:
    """All troops declare; then all is confirmed together, or it starts again.

    restarts: how often it has done so this turn.
    """
    seat = war.playing
    plan = Declaration(war, seat, restarts < RESTARTS)
    declared = yield from ask(seat, plan.sheet, absent=QUIET)
    if declared.get("plan") == "again":
        yield from tell("PR-3.3", "again", seat=seat)
        return war, [then(declarations, restarts + 1)]
    orders = plan.read(declared)
    yield from tell("PR-3.3", "confirmed", seat=seat, troops=len(orders))
    war = yield from wish_told(war, seat, declared.get("outcome", ""))
    outcome = agreed_outcome(war)
    if outcome:
        return replace(war, ending=Ending(outcome, "agreed")), []
    return replace(war, orders=orders), []


def wish_told(war: War, seat: str, outcome: str) -> Rule[War]:
    """The war with the outcome that an army would accept, told where it has changed (PR-8.1)."""
    if outcome == war.armies[seat].wish:
        return war
    if outcome:
        yield from tell("PR-8.1", "wish", seat=seat, winner=outcome)
    else:
        yield from tell("PR-8.1", "no_wish", seat=seat)
    return war.with_army(seat, wish=outcome)


class Declaration:
    """What an army may declare as things stand.

    may_restart: whether its player may still begin all over.
    """

    def __init__(self, war: War, seat: str, may_restart: bool = False) -> None:
        self.war = war
        self.seat = seat
        self.may_restart = may_restart
        self.challenged: set[str] = set()
        self.troops = {troop.id: troop for troop in war.troops_of(seat)}
        self.sheet = Sheet(self.fill)

    def fill(self) -> Filling:
        """The outcome one would accept, the order of march, each troop, and the whole plan."""
        stop = yield "end", OneOf(("fight_on", "stop"), "end_war")
        if stop == "stop":
            yield "outcome", OneOf((NOBODY, *self.war.sides_present), "alliance")
        order = yield from self.marching_order()
        field = self.begun()
        for troop in order:
            yield from self.one(field, self.troops[troop])
        if self.may_restart:
            yield "plan", OneOf(("confirm", "again"), "plan")

    def read(self, declared: Answers) -> tuple[Order, ...]:
        """The orders of a filled sheet, in marching order."""
        chosen = [
            declared[part] for part in map(str, range(1, len(self.troops))) if part in declared
        ]
        order = dict.fromkeys((*chosen, *self.troops))
        return tuple([order_of(troop, declared) for troop in order])

    def marching_order(self) -> Generator[tuple[str, Options], Any, tuple[str, ...]]:
        """The order in which troops move: as listed, or one after another."""
        left = list(self.troops)
        if len(left) < 2:
            return tuple(left)
        if (yield "order", OneOf(("listed", "chosen"), "marching_order")) == "listed":
            return tuple(left)
        chosen: list[str] = []
        while len(left) > 1:
            troop = yield str(len(chosen) + 1), OneOf(tuple(left), "troop")
            left.remove(troop)
            chosen.append(troop)
        return (*chosen, *left)

    def one(self, field: Field, troop: Troop) -> Filling:
        """One troop: where it goes, what it does there."""
        code = troop.id
        now = stats(self.war, troop)
        ways = field.ways(code, now.movement)
        path: tuple[Cell, ...] = ()
        if ways:
            path = yield (
                f"move.{code}",
                Path(ways, legal=lambda way: field.legal(code, now.movement, way)),
            )
        if path:
            field.at[code] = path[-1]
        reach = 1 if path else now.range
        aims = targets(self.war, self.seat, field.at[code], reach)
        yield from self.one_act(field, troop, aims)

    def one_act(self, field: Field, troop: Troop, aims: tuple[str, ...]) -> Filling:
        """What a troop does beside its move, and what has to be said about it.

        aims: the troops that it can attack.
        """
        act = yield f"act.{troop.id}", OneOf(self.acts(field, troop, aims), "act")
        if act == "attack":
            told = partial(told_with_others, self.war, troop, field)
            target = yield f"target.{troop.id}", OneOf(aims, "troop", fact=told)
            field.aims.setdefault(target, []).append(troop.id)
        elif act in DETAILS:
            yield from DETAILS[act](self, field, troop)

    def other_sheet(self, troop: Troop) -> Sheet:
        """What a troop may do whose attack was lost."""
        return Sheet(lambda: self.one_act(self.begun(), troop, ()))

    def begun(self) -> Field:
        """The ground as a sheet begins to be filled, and whom the army has challenged by then."""
        self.challenged = {order.target for order in self.war.orders if order.act == "duel"}
        return Field(self.war, self.seat)

    def acts(self, field: Field, troop: Troop, aims: tuple[str, ...]) -> tuple[Act, ...]:
        """What a troop may declare where it will stand (PR-5, PR-7)."""
        war = self.war
        cell = field.at[troop.id]
        offers: dict[Act, object] = {
            "none": True,
            "attack": aims,
            "barricade": war.fort(cell),
            "invasion": invadable(field, cell),
            "flight": True,
            "duel": duellists(war, self.seat, self.challenged),
            "division": troop.units > 1 and founders(war, troop) and division_cells(field, cell),
            "merger": mergeable(field, troop),
        }
        return tuple([act for act, offered in offers.items() if offered])

    def invasion(self, field: Field, troop: Troop) -> Filling:
        """Which cell to invade."""
        cells, told = invadable(field, field.at[troop.id]), partial(invasion_told, self.war)
        yield f"cell.{troop.id}", OneOf(cells, "place", fact=told)

    def duel(self, _: Field, troop: Troop) -> Filling:
        """Whose leader to challenge."""
        others = duellists(self.war, self.seat, self.challenged)
        told = partial(duel_told, self.war, troop.id)
        self.challenged.add((yield f"challenged.{troop.id}", OneOf(others, "troop", fact=told)))

    def division(self, field: Field, troop: Troop) -> Filling:
        """Who leads the new troop, with how many units, where."""
        yield f"leader.{troop.id}", OneOf(founders(self.war, troop), "person")
        yield f"units.{troop.id}", Amount(1, troop.units - 1, unit="units")
        cells = division_cells(field, field.at[troop.id])
        yield f"new_cell.{troop.id}", OneOf(cells, "place")

    def merger(self, field: Field, troop: Troop) -> Filling:
        """With whom, under whom, where; and under which name, if both are equally large."""
        partner = yield f"partner.{troop.id}", OneOf(mergeable(field, troop), "troop")
        other = self.troops[partner]
        yield f"leader.{troop.id}", OneOf((troop.leader, other.leader), "person")
        yield f"new_cell.{troop.id}", OneOf((field.at[troop.id], field.at[partner]), "place")
        if troop.units == other.units:
            yield f"named.{troop.id}", OneOf((troop.id, partner), "troop")


DETAILS: dict[Act, Callable[[Declaration, Field, Troop], Filling]] = {
    "invasion": Declaration.invasion,
    "duel": Declaration.duel,
    "division": Declaration.division,
    "merger": Declaration.merger,
}
"""What has to be said about some acts."""


def order_of(troop: str, declared: Answers) -> Order:
    """What a filled sheet orders a troop to do."""

    def said(*parts: str, default: Any = "") -> Any:
        named = [f"{part}.{troop}" for part in parts]
        return next((declared[name] for name in named if name in declared), default)

    return Order(
        troop=troop,
        path=said("move", default=()),
        act=said("act"),
        target=said("target", "challenged", "partner"),
        cell=said("cell", "new_cell"),
        units=said("units", default=0),
        leader=said("leader"),
        named=said("named"),
    )


def agreed_outcome(war: War) -> str:
    """The outcome with which all armies on the field would end the war, or "" (PR-8.1)."""
    wishes = dict.fromkeys([war.armies[troop.army].wish for troop in war.present])
    return next(iter(wishes)) if len(wishes) == 1 else ""


@script("PR-3.3/move")
@while_fighting
def movement(war: War) -> Step[War]:
    """Troops move in the order that their owner gave.

    One whose way became impossible stops at the last legal cell.
    """
    for order in war.orders:
        troop = war.present_troop(order.troop)
        if not order.path or troop is None:
            continue
        field = Field(war, war.playing)
        path = field.legal_part(troop.id, stats(war, troop).movement, order.path)
        if path:
            war = war.placed(troop.id, path[-1])
            war = replace(war, moved=(*war.moved, troop.id))
        whole = path == order.path
        yield from tell(
            "PR-2.1", "moves" if whole else "stopped", troop=troop.id, start=troop.cell,
            place=path[-1] if path else troop.cell,
        )  # fmt: skip
    return war, []


MOST_ROLLED = 20
"""Where every die is rolled, the law of larger troops takes too long to stand beside a choice."""

MOST_TOGETHER = 60
"""The losses that several cause a larger target take too long to stand beside a choice."""


def attack_told(war: War, troop: Troop, cell: Cell, target: str) -> Fact | None:
    """What a troop's attack costs the target, and its riposte the troop, if it attacks alone.

    cell: from where it attacks.   None where priests could have dice rolled again, or for troops
    that are too large.
    """
    other, dice = war.troops[target], war.options.dice
    large = dice != "cut" and max(troop.units, other.units) > MOST_ROLLED
    if large or holders(war):
        return None
    ours, theirs = fighter(war, war.placed(troop.id, cell).troops[troop.id]), fighter(war, other)
    blow = _strike(ours, theirs, dice, "attack")

    figures = {"losses": MeanOf(blow, _losses), "gone": _gone(blow, theirs)}
    if not _melee(war, cell, other) or riposte_denied(troop, other):
        return Fact("attack", figures)
    back = _strike(theirs, ours, dice, "riposte")
    answered = {"riposte": MeanOf(back, _losses), "lost": _gone(back, ours)}
    return Fact("fought", {**figures, **answered})


def told_with_others(war: War, troop: Troop, field: Field, target: str) -> Fact | None:
    """What a troop's attack costs the target with those of its army that declared one before it.

    They attack together in melee (PR-5.7), and its whole riposte may fall on this one.   None as
    `attack_told`, and for a larger target.
    """
    other, cell = war.troops[target], field.at[troop.id]
    beside = [one for one in field.aims.get(target, ()) if _melee(war, field.at[one], other)]
    alone = attack_told(war, troop, cell, target)
    if alone is None or not beside or not _melee(war, cell, other):
        return alone
    all_told = [attack_told(war, war.troops[one], field.at[one], target) for one in beside]
    if other.units > MOST_TOGETHER or None in all_told:
        return None
    fighters = [
        fighter(war, war.placed(one, field.at[one]).troops[one]) for one in (*beside, troop.id)
    ]
    theirs = fighter(war, other)
    blows = Call(toll.rule, (tuple(fighters), theirs, war.options.dice))
    figures = {"losses": MeanOf(blows, _losses), "gone": _gone(blows, theirs), "troops": beside}
    answered = {name: alone.data[name] for name in ("riposte", "lost") if name in alone.data}
    return Fact("joint_fought" if answered else "joint", {**figures, **answered})


def _melee(war: War, cell: Cell, other: Troop) -> bool:
    return war.board.grid.distance(cell, other.cell) == 1


def _losses(struck: Strike) -> int:
    return struck.losses


def _gone(blow: Call, fighter: Fighter) -> ChanceOf:
    """That a blow costs somebody all his units."""
    return ChanceOf(blow, lambda struck: bool(struck.losses >= fighter.units))


def _strike(striker: Fighter, struck: Fighter, dice: DiceRule, blow: Blow) -> Call:
    fort = counting_fort(struck.fort, striker.fort)
    return Call(strike.rule, (striker.units, striker.attack, struck, fort, dice, blow))


def invasion_told(war: War, cell: Cell) -> Fact:
    """Whether a troop enters an empty fortification (PR-7.4)."""
    entry = Call(invasion.rule, (war.fort(cell),))
    return Fact("invasion", {"enters": ChanceOf(entry, bool)})


def duel_told(war: War, troop: str, target: str, *, challenged: bool = False) -> Fact | None:
    """Whether a leader wins a duel that is fought with dice (PR-7.6).

    challenged: the leader of the target decides, else that of the troop.
    """
    if war.options.duel != "opposed":
        return None
    skills = [war.persons[war.troops[one].leader].skill for one in (troop, target)]
    winner = "challenged" if challenged else "challenger"
    won = ChanceOf(Call(duel.rule, tuple(skills)), lambda fate: bool(fate == winner))
    return Fact("duel" if challenged else "challenge", {"won": won})
