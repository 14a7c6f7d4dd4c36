"""After a success (TH-6.4, TH-F7): Percée, follow-up into the emptied hex, and pursuit."""

from __future__ import annotations

import msgspec

from polemarque.api import Filling, OneOf, Sheet, Step, ask, script, tell, then
from polemarque.systems.thucidide.chain import affordable
from polemarque.systems.thucidide.chapters.attack import combat_order_paid
from polemarque.systems.thucidide.chapters.combat import (
    combat_is_declared,
    defender_ripostes,
    fight_of,
    fighting,
)
from polemarque.systems.thucidide.chapters.retreat import displaced
from polemarque.systems.thucidide.combat_data import COMBAT
from polemarque.systems.thucidide.movement import enterable
from polemarque.systems.thucidide.order_menu import NONE, offered_to
from polemarque.systems.thucidide.state import Battle
from polemarque.systems.thucidide.targets import melee_targets

BREAKTHROUGH = "percee"
BERSERKS = "berserks"
"""The order under which the winner has to follow up (TH-6.2)."""


class Success:
    """What the winner of a melee may do next: the parts of one sheet, each only if it is open."""

    def __init__(self, battle: Battle) -> None:
        fight = fight_of(battle)
        self.unit = unit = battle.units[fight.attacker]
        held = battle.by_cell()
        self.follows = (
            not fight.shooting
            and unit.stands
            and bool(fight.emptied)
            and enterable(battle, unit, fight.emptied, held)
        )
        prey = melee_targets(battle, unit, held, fight.emptied) if self.follows else []
        self.prey = tuple([other.code for other in prey]) if unit.figures.assault else ()
        self.forced = BERSERKS in fight.orders
        self.pursues = BREAKTHROUGH in fight.orders or (
            COMBAT.arms[unit.figures.arm].pursues and not fight.pursuit
        )
        self.breaks = (
            bool(self.prey)
            and not self.pursues
            and not fight.ordered
            and affordable(battle, BREAKTHROUGH, unit)
        )

    @property
    def choice(self) -> bool:
        """Whether anything is left to choose."""
        pursuit = bool(self.prey) and self.pursues
        return self.follows and (not self.forced or pursuit or self.breaks)

    def sheet(self) -> Filling:
        """Percée, if it can be paid and opens a pursuit; follow up, or stay; whom to pursue."""
        ordered, follows = NONE, "follow"
        if self.breaks:
            ordered = yield "order", OneOf((NONE, BREAKTHROUGH), offered_to(self.unit.code))
        if not self.forced and ordered == NONE:
            follows = yield "follow", OneOf(("stay", "follow"), "follow")
        if follows == "follow" and self.prey and (self.pursues or ordered != NONE):
            yield "pursuit", OneOf((NONE, *self.prey), "mover")


class Advance(msgspec.Struct, frozen=True):
    """What a winner does: Percée, follow up or stay, whom it pursues."""

    order: str = NONE
    follow: str = "follow"
    pursuit: str = NONE


@script("TH-F7")
def winner_advances(battle: Battle) -> Step[Battle]:
    """Follow-up is free for a unit that won hand to hand; mounted units may then pursue, once."""
    fight = fight_of(battle)
    riposte = then(defender_ripostes, fight)
    success = Success(battle)
    unit = success.unit
    if not success.follows:
        return battle, [riposte]
    answer = Advance()
    if success.choice:
        stays = Advance(follow="stay")
        answer = yield from ask(unit.seat, Sheet(success.sheet), absent=stays, subject=unit.code)
    if answer.order != NONE:
        battle = yield from combat_order_paid(battle, BREAKTHROUGH, unit)
        battle = fighting(battle, ordered=True, orders=(*fight.orders, BREAKTHROUGH))
    elif answer.follow == "stay":
        return battle, [riposte]
    orders = fight_of(battle).orders
    rule = "TH-6.4" if BREAKTHROUGH in orders else "TH-6.2" if BERSERKS in orders else "TH-F7"
    yield from tell(rule, "follows", seat=unit.seat, unit=unit.code, at=fight.emptied)
    battle = displaced(battle, unit.code, fight.emptied)
    if answer.pursuit == NONE:
        return battle, [riposte]
    return battle, [then(combat_is_declared, unit.code, answer.pursuit, True), riposte]
