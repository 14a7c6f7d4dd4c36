"""Edition 2026-11: nobody opens a window himself; one is stopped at losses only, or everywhere."""

from __future__ import annotations

from polemarque.api import Step, script, then
from polemarque.systems.thucidide.chapters.activation import activations_named
from polemarque.systems.thucidide.chapters.attack import attack_ordered
from polemarque.systems.thucidide.chapters.combat import (
    late_units_fight,
    leader_fights,
    next_combat,
    while_both_stand,
)
from polemarque.systems.thucidide.chapters.defence import defence_ordered
from polemarque.systems.thucidide.chapters.moves import one_moves
from polemarque.systems.thucidide.state import Battle


@script("TH-2.2")
def activations(battle: Battle) -> Step[Battle]:
    """The player names the leaders who activate, in order, and each one's units."""
    return (yield from activations_named(battle, (), ("losses", "all")))


@script("TH-F8")
def moves(battle: Battle, leader: str) -> Step[Battle]:
    """One unit of a leader's moves, or a leader alone, until the player is done."""
    return (yield from one_moves(battle, leader, ()))


@script("TH-F5")
def combats(battle: Battle, leader: str) -> Step[Battle]:
    """The units of one leader fight, in the order their player likes (TH-2.3)."""
    return (yield from next_combat(battle, leader, then(leader_fights, leader), ()))


@script("TH-F5/late")
def late_combats(battle: Battle) -> Step[Battle]:
    """Units that were activated when their leader had fought already (TH-2.5)."""
    return (yield from next_combat(battle, "", then(late_units_fight), ()))


@script("TH-6/order")
@while_both_stand
def attack_orders(battle: Battle) -> Step[Battle]:
    """After the declaration: at most one attack order that is legal and can be paid."""
    return (yield from attack_ordered(battle, ()))


@script("TH-7/order")
@while_both_stand
def defence_orders(battle: Battle) -> Step[Battle]:
    """After the attack order, before the dice: at most one defence order that can be paid."""
    return (yield from defence_ordered(battle, ()))
