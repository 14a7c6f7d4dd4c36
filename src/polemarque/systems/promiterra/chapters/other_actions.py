"""Chapter « Autres actions » (PR-7): for a troop that did not attack this turn."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from polemarque.api import (
    QUIET,
    Item,
    Modifier,
    Next,
    OneOf,
    Rule,
    Step,
    Sum,
    ask,
    ask_each,
    ask_umpire,
    call,
    explain,
    item,
    script,
    tell,
    then,
)
from polemarque.api.boards import Cell
from polemarque.systems.promiterra.chapters.declaring import Declaration, duel_told, order_of
from polemarque.systems.promiterra.chapters.trials import duel, invasion
from polemarque.systems.promiterra.ground import (
    Field,
    division_cells,
    founders,
    invadable,
    new_troop_id,
)
from polemarque.systems.promiterra.state import Order, Troop, War, while_fighting
from polemarque.systems.promiterra.stats import NO_CHANGE, current
from polemarque.systems.promiterra.views import troop_of


@script("PR-7")
@while_fighting
def other_actions(war: War) -> Next[War]:
    """What was declared, in marching order; troops that lost their attack may do something else."""
    items: list[Item] = []
    for order in war.orders:
        if order.troop in war.attacked or order.act == "none":
            continue
        items.append(
            then(something_else, order.troop) if order.act == "attack" else then(one_action, order)
        )
    return war, items


@script("PR-7/instead")
@while_fighting
def something_else(war: War, troop: str) -> Step[War]:
    """A troop whose attack was lost has not attacked: it may do one other action (PR-3.3)."""
    was = war.present_troop(troop)
    if was is None:
        return war, []
    plan = Declaration(war, war.playing)
    filled = yield from ask(war.playing, plan.other_sheet(was), absent=QUIET, subject=troop)
    order = order_of(troop, filled)
    return war, [then(one_action, order)] if order.act != "none" else []


SCRIPTS = {
    "barricade": "PR-7.1",
    "invasion": "PR-7.4/enter",
    "flight": "PR-7.5",
    "duel": "PR-7.6/challenge",
    "division": "PR-7.7",
    "merger": "PR-7.8",
}
"""The script of each other action."""


@script("PR-7/act")
@while_fighting
def one_action(war: War, order: Order) -> Next[War]:
    """One declared action, if its troop is still there."""
    if war.present_troop(order.troop) is None:
        return war, []
    return war, [item(SCRIPTS[order.act], order)]


def lost(war: War, order: Order) -> Step[War]:
    """A declared action that cannot be done any more."""
    yield from tell("PR-3.3", "lost_act", troop=order.troop, act=order.act)
    return war, []


@script("PR-7.1")
def barricade(war: War, order: Order) -> Step[War]:
    """Immune to missile attacks until its next turn."""
    troop = war.troops[order.troop]
    if not war.fort(troop.cell):
        return (yield from lost(war, order))
    yield from tell("PR-7.1", "barricaded", troop=troop.id, place=troop.cell)
    return war.changed(troop.id, barricaded=True), []


@script("PR-7.4/enter")
def invade(war: War, order: Order) -> Step[War]:
    """D6 above the level: the troop moves into an empty fortified cell."""
    troop = war.troops[order.troop]
    if order.cell not in invadable(Field(war, troop.army), troop.cell):
        return (yield from lost(war, order))
    level = war.fort(order.cell)
    enters = yield from call(invasion, level)
    kind = "enters" if enters else "repelled"
    yield from tell("PR-7.4", kind, troop=troop.id, place=order.cell, level=level)
    return (war.placed(troop.id, order.cell) if enters else replace(war, stirred=True)), []


@script("PR-7.5")
def flee(war: War, order: Order) -> Step[War]:
    """The troop leaves the field and does not come back."""
    yield from tell("PR-7.5", "flees", troop=order.troop)
    return war.left_by(order.troop, "fled"), []


@script("PR-7.7")
def divide(war: War, order: Order) -> Step[War]:
    """A new troop of the same units, under another leader, in an adjacent free cell."""
    troop = war.troops[order.troop]
    field = Field(war, troop.army)
    if (
        order.leader not in founders(war, troop)
        or order.cell not in division_cells(field, troop.cell)
        or not 0 < order.units < troop.units
    ):
        return (yield from lost(war, order))
    war, new = divided(war, troop, order)
    yield from explain(
        starting_units(new_troop=war.troops[new].start, old_troop=war.troops[troop.id].start)
    )
    yield from tell(
        "PR-7.7", "divides", troop=troop.id, new=new, units=order.units, place=order.cell,
        left=troop.units - order.units, start=war.troops[new].start,
        kept=war.troops[troop.id].start,
    )  # fmt: skip
    return war, []


def divided(war: War, troop: Troop, order: Order) -> tuple[War, str]:
    """The war after a division, and the new troop's id (PR-7.7, PR-7.9)."""
    leader = war.persons[order.leader]
    new = new_troop_id(war, leader)
    start = starting_share(troop.start, order.units, troop.units)
    child = replace(
        troop, id=new, names=troop_of(leader.name), units=order.units, start=start,
        leader=leader.id, lost=0, barricaded=False, cell="", origins=origins_of(troop),
    )  # fmt: skip
    rest = replace(troop, units=troop.units - order.units, start=troop.start - start)
    doubled = [replace(e, troop=new) for e in war.effects if e.troop == troop.id]
    war = replace(
        war.with_troops(rest, child).with_persons([replace(leader, troop=new, led=True)]),
        effects=(*war.effects, *doubled),
    )
    return war.placed(new, order.cell), new


def origins_of(troop: Troop) -> tuple[str, ...]:
    """The first troops whose units a troop may hold."""
    return troop.origins or (troop.id,)


def starting_share(start: int, part: int, units: int) -> int:
    """The starting units of a part of a troop, in proportion and rounded down (PR-7.9)."""
    return start * part // units


def starting_units(**shares: int) -> Sum:
    """Starting units in their parts, one for each troop (PR-7.9)."""
    return Sum(tuple([Modifier(share, name, "PR-7.9") for name, share in shares.items()]))


@script("PR-7.8")
def merge(war: War, order: Order) -> Step[War]:
    """Two adjacent troops of one type become one; neither has attacked this turn."""
    troop, other = war.troops[order.troop], war.present_troop(order.target)
    if (
        other is None
        or other.army != troop.army
        or other.type != troop.type
        or other.id in war.attacked
        or not war.board.grid.adjacent(troop.cell, other.cell)
    ):
        return (yield from lost(war, order))
    cell = order.cell if order.cell in {troop.cell, other.cell} else troop.cell
    larger = larger_of(troop, other, order.named)
    smaller = other if larger is troop else troop
    war = merged(war, larger, smaller, order.leader, cell)
    whole = war.troops[larger.id]
    yield from explain(starting_units(kept_troop=larger.start, joining_troop=smaller.start))
    yield from tell(
        "PR-7.8", "merges", troop=larger.id, other=smaller.id, units=whole.units,
        leader=whole.leader, place=whole.cell, start=whole.start,
    )  # fmt: skip
    return war, []


def larger_of(a: Troop, b: Troop, named: str) -> Troop:
    """The troop whose name and type stay: the larger, or the one chosen where both are equal."""
    if a.units != b.units:
        return a if a.units > b.units else b
    return b if named == b.id else a


def with_comparable_statistics(a: Troop, b: Troop) -> tuple[Troop, Troop]:
    """Two troops whose abilities change statistics alike, or not at all any more: what differing
    ones change is made part of the statistics themselves (PR-1.10, PR-7.8).
    """
    if a.ability.change == b.ability.change:
        return a, b
    return with_ability_counted_in(a), with_ability_counted_in(b)


def with_ability_counted_in(troop: Troop) -> Troop:
    """The troop, what its ability changes made part of its statistics, within their limits
    (PR-1.6); other powers stay.
    """
    base = current(troop.base, [("ability", troop.ability.change)], "same")
    return replace(troop, base=base, ability=replace(troop.ability, change=NO_CHANGE))


def merged(war: War, larger: Troop, smaller: Troop, leader: str, cell: Cell) -> War:
    """The war after a merger: the weakest of each statistic, starting units added (PR-7.9).

    The weaker loyalty stands, what a refused duel has cost included (PR-7.6).  One of the two
    leaders keeps command; one that has lost it since the plan was made does not get it back.
    """
    refused = larger.refused or smaller.refused
    larger, smaller = with_comparable_statistics(larger, smaller)
    loyalty = min(t.base.loyalty - t.refused for t in (larger, smaller)) + refused
    base = replace(larger.base.weakest(smaller.base), loyalty=loyalty)
    heads = {larger.leader, smaller.leader}
    whole = replace(
        larger,
        base=base,
        units=larger.units + smaller.units,
        start=larger.start + smaller.start,
        leader=leader if leader in heads else larger.leader,
        unwell=larger.unwell or smaller.unwell,
        lost=larger.lost + smaller.lost,
        bled=larger.bled or smaller.bled,
        origins=tuple(dict.fromkeys((*origins_of(larger), *origins_of(smaller)))),
        refused=refused,
        barricaded=False,
    )
    gone = replace(smaller, fate="merged", cell="", units=0, lost=0, barricaded=False)
    people = [p for p in war.people if p.troop == smaller.id]
    war = war.with_troops(whole, gone)
    war = war.with_persons([replace(person, troop=larger.id) for person in people])
    return war.placed(larger.id, cell)


# Duels (PR-7.6) -----------------------------------------------------------------------------------


@script("PR-7.6/challenge")
@while_fighting
def challenge(war: War, order: Order) -> Step[War]:
    """The leader of a hostile troop accepts, or refuses and shakes his own men's loyalty."""
    troop, other = war.troops[order.troop], war.present_troop(order.target)
    if other is None:
        return (yield from lost(war, order))
    yield from tell(
        "PR-7.6", "challenge", troop=troop.id, target=other.id, leader=troop.leader,
        other=other.leader,
    )  # fmt: skip
    told = {"accept": duel_told(war, troop.id, other.id, challenged=True)}.get
    answer = yield from ask(
        other.army, OneOf(("refuse", "accept"), "duel", fact=told), absent="refuse",
        subject=other.id,
    )  # fmt: skip
    if answer == "accept":
        return war, [then(leaders_fight, troop.id, other.id)]
    kind = "refused_again" if other.refused else "refused"
    yield from tell("PR-7.6", kind, troop=other.id, leader=other.leader)
    return war.changed(other.id, refused=True), []


Judge = Callable[[Troop, Troop], Rule[str]]
"""Who says which troop's leader has won, where the players do not agree: its id, or "opposed"."""


@script("PR-7.6/fight", edition="2026-11.2")
def leaders_fight(war: War, troop: str, target: str) -> Step[War]:
    """The umpire may leave it to the dice; an umpire who plays, to the players' agreement."""
    return (yield from fought(war, troop, target, judged))


def fought(war: War, troop: str, target: str, judge: Judge) -> Step[War]:
    """They fight; the loser's troop flees."""
    ours, theirs = war.troops[troop], war.troops[target]
    if war.options.duel == "opposed":
        won = yield from rolled(war, ours, theirs)
    else:
        won = yield from entered(war, ours, theirs, judge)
    winner, loser = (ours, theirs) if won else (theirs, ours)
    yield from tell("PR-7.6", "won", leader=winner.leader, other=loser.leader, troop=loser.id)
    return war.left_by(loser.id, "fled"), []


def rolled(war: War, ours: Troop, theirs: Troop) -> Rule[bool]:
    """Variant `opposed`: D6 and skill.  Gives whether the challenger wins."""
    skills = [war.persons[each.leader].skill for each in (ours, theirs)]
    winner = yield from call(duel, *skills)
    return winner == "challenger"


def entered(war: War, ours: Troop, theirs: Troop, judge: Judge) -> Rule[bool]:
    """Variant `entered`: both players say who has won; the umpire, where they do not agree."""
    choice = OneOf((theirs.id, ours.id), "troop")
    said = yield from ask_each((ours.army, theirs.army), choice, absent=theirs.id)
    word = said[ours.army]
    if word != said[theirs.army]:
        word = yield from judge(ours, theirs)
    if word == "opposed":
        return (yield from rolled(war, ours, theirs))
    return bool(word == ours.id)


def judged(ours: Troop, theirs: Troop) -> Rule[str]:
    """The umpire's word; where the umpire plays, only agreement keeps it from the dice."""
    word: str = yield from ask_umpire(
        OneOf((theirs.id, ours.id, "opposed"), "troop"),
        absent=theirs.id,
        touches=(ours.army, theirs.army),
        otherwise="opposed",
    )
    return word
