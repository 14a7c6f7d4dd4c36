"""Duels of leaders (PR-7.6): a challenge, its answer, and who flees."""

from __future__ import annotations

from polemarque.kernel.agenda import Item, Rule, ask, ask_each, call, script, tell
from polemarque.kernel.request import UMPIRE, OneOf
from polemarque.systems.promiterra.actions import lost
from polemarque.systems.promiterra.state import Order, Troop, War, while_fighting
from polemarque.systems.promiterra.trials import duel


@script("PR-7.6/challenge")
@while_fighting
def challenge(war: War, order: Order) -> Rule[tuple[War, list[Item]]]:
    """The leader of a hostile troop accepts, or refuses and shakes his own men's loyalty."""
    troop, other = war.troops[order.troop], war.present_troop(order.target)
    if other is None:
        return (yield from lost(war, order))
    yield from tell(
        "PR-7.6", "challenge", troop=troop.id, target=other.id, leader=troop.leader,
        other=other.leader,
    )  # fmt: skip
    answer = yield from ask(
        other.army, OneOf(("refuse", "accept"), "duel"), absent="refuse", subject=other.id
    )
    if answer == "accept":
        return war, [("PR-7.6/fight", troop.id, other.id)]
    kind = "refused_again" if other.refused else "refused"
    yield from tell("PR-7.6", kind, troop=other.id, leader=other.leader)
    return war.changed(other.id, refused=True), []


@script("PR-7.6/fight")
def leaders_fight(war: War, troop: str, target: str) -> Rule[tuple[War, list[Item]]]:
    """They fight; the loser's troop flees."""
    ours, theirs = war.troops[troop], war.troops[target]
    if war.options.duel == "opposed":
        won = yield from rolled(war, ours, theirs)
    else:
        won = yield from entered(ours, theirs)
    winner, loser = (ours, theirs) if won else (theirs, ours)
    yield from tell("PR-7.6", "won", leader=winner.leader, other=loser.leader, troop=loser.id)
    return war.left_by(loser.id, "fled"), []


def rolled(war: War, ours: Troop, theirs: Troop) -> Rule[bool]:
    """Variant `opposed`: D6 and skill.  Gives whether the challenger wins."""
    skills = [war.persons[each.leader].skill for each in (ours, theirs)]
    winner = yield from call(duel, *skills)
    return winner == "challenger"


def entered(ours: Troop, theirs: Troop) -> Rule[bool]:
    """Variant `entered`: both players say who has won; the umpire, where they do not agree."""
    choice = OneOf((theirs.id, ours.id), "troop")
    said = yield from ask_each((ours.army, theirs.army), choice, absent=theirs.id)
    if len(set(said.values())) == 1:
        return bool(said[ours.army] == ours.id)
    judged = yield from ask(UMPIRE, choice, absent=theirs.id)
    return bool(judged == ours.id)
