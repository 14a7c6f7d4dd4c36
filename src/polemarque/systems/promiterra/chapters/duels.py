"""Duels of leaders (PR-7.6): a challenge, its answer, and who flees."""

from __future__ import annotations

from collections.abc import Callable

from polemarque.api import OneOf, Rule, Step, ask, ask_each, ask_umpire, call, script, tell, then
from polemarque.systems.promiterra.chapters.declared_chances import duel_told
from polemarque.systems.promiterra.chapters.other_actions import lost
from polemarque.systems.promiterra.chapters.trials import duel
from polemarque.systems.promiterra.state import Order, Troop, War, while_fighting


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
