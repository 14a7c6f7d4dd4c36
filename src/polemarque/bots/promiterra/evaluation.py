"""What the steady marshal of Promiterra judges by: blows, tests of loyalty, danger, worth.

All is counted in gold (PR-1.7), by means: a die of a troop hits or saves with its chance.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property

from polemarque.api.boards import Cell
from polemarque.systems.promiterra.chapters.loyalty import below_a_third
from polemarque.systems.promiterra.chapters.strikes import counting_fort
from polemarque.systems.promiterra.chapters.trials import HOPELESS, SURE
from polemarque.systems.promiterra.current_stats import riposte_denied
from polemarque.systems.promiterra.state import FORTS
from polemarque.systems.promiterra.views import TroopView, View

FACES = 6

SHAKEN = 0.6
"""What a test of loyalty still to come counts beside a loss that has happened."""

HEADSHIP = 0.35
"""What a commander's troop is worth to its army beside itself, in parts of the army's value."""

HOTTEST = 3
"""At most this many enemies are expected to fall upon one troop in one turn."""

PATIENCE = 12
"""Rounds after which nobody minds danger any more: a war has to end."""

ANSWERED = 0.7
"""What a riposte still to come counts beside the blow that brings it."""


def blow(units: float, attack: int, defence: int, fort: int) -> float:
    """Units that an attack costs on average, not capped (PR-5.1, PR-5.2, PR-7.2)."""
    return units * attack / FACES * (1 - defence / FACES) * (1 - fort / FACES)


@cache
def failing(loyalty: int) -> float:
    """The chance that a troop disperses in one test (PR-4.1)."""
    rolls = [a + b for a in range(1, FACES + 1) for b in range(1, FACES + 1)]
    return len([r for r in rolls if r != SURE and (r == HOPELESS or r > loyalty)]) / len(rolls)


@cache
def duel_won(lead: int) -> float:
    """The chance to win a duel with so much more skill, ties rolled again (PR-7.6)."""
    rolls = [a - b + lead for a in range(1, FACES + 1) for b in range(1, FACES + 1)]
    won, lost = len([r for r in rolls if r > 0]), len([r for r in rolls if r < 0])
    return won / (won + lost)


class AttackPlan:
    """What this turn's attacks are to bring so far: losses of targets, and who attacks them."""

    def __init__(self) -> None:
        self.losses: dict[str, float] = {}
        self.melees: dict[str, int] = {}

    def add(self, target: str, losses: float, *, melee: bool) -> None:
        """One more attack."""
        self.losses[target] = self.losses.get(target, 0.0) + losses
        self.melees[target] = self.melees.get(target, 0) + melee


class Outlook:
    """A war as one army sees it.   subject: whom the question concerns."""

    def __init__(self, view: View, subject: str = "") -> None:
        self.view = view
        self.subject = subject
        self.grid = view.board.grid
        self.forts = view.board.marks.get(FORTS, {})
        present = [each for each in view.troops.values() if each.troop.fate == "present"]
        side = view.armies[view.you].alliance
        own = [each for each in present if view.armies[each.troop.army].alliance == side]
        self.mine = [each for each in own if each.troop.army == view.you]
        self.allies = [each for each in own if each.troop.army != view.you]
        self.foes = [each for each in present if each not in own]
        self.enemies = [each for each in self.foes if each.troop.cell]
        self.caution = max(0.0, 1 - view.round / PATIENCE)

    # Worth -------------------------------------------------------------------------------------

    @cached_property
    def heads(self) -> dict[str, float]:
        """What the loss of a commander's troop costs the army besides (PR-4.2c)."""
        found = {}
        for seat, army in self.view.armies.items():
            troop = self.view.persons[army.commander].troop
            each = self.view.troops[troop]
            rest = self.view.values[seat] - each.stats.value * each.troop.units
            found[troop] = HEADSHIP * rest
        return found

    def worth(self, each: TroopView, lost: float, left: float) -> float:
        """What it costs an army that a troop with `left` units loses `lost` of them."""
        if left <= 0:
            return 0.0
        lost = min(lost, left)
        stays = left - lost
        cost = each.stats.value * lost
        if stays * 3 < each.troop.start:
            cost += SHAKEN * failing(each.stats.loyalty) * each.stats.value * stays
        return cost + self.heads.get(each.troop.id, 0.0) * (lost / left) ** 2

    def value(self, troops: Iterable[TroopView]) -> float:
        """Of troops together, in gold."""
        return sum([each.stats.value * each.troop.units for each in troops])

    @cached_property
    def lost_cause(self) -> bool:
        """Whether hardly anything is left to fight with."""
        return self.value([*self.mine, *self.allies]) * 12 < self.value(self.foes)

    # Attacks -----------------------------------------------------------------------------------

    def fort(self, cell: Cell) -> int:
        """The level of fortification of a cell."""
        return self.forts.get(cell, 0)

    def attack(self, each: TroopView, cell: Cell, target: TroopView, plan: AttackPlan) -> float:
        """What an attack from a cell promises, its riposte counted; see `lost_by`."""
        left = target.troop.units - plan.losses.get(target.troop.id, 0.0)
        gain = self.worth(target, self.lost_by(each, cell, target), left)
        if not self.answered(each, cell, target):
            return gain
        return gain - self.riposte(each, cell, target) / self.together(each, target, plan)

    def lost_by(self, each: TroopView, cell: Cell, target: TroopView) -> float:
        """Units that a target loses to an attack from a cell, not capped."""
        fort = counting_fort(target.fort, self.fort(cell))
        return blow(each.troop.units, each.stats.attack, target.stats.defence, fort)

    def answered(self, each: TroopView, cell: Cell, target: TroopView) -> bool:
        """Whether an attack suffers a riposte (PR-1.4, PR-5.5)."""
        near = self.grid.adjacent(cell, target.troop.cell)
        return near and not riposte_denied(each.troop, target.troop)

    def riposte(self, each: TroopView, cell: Cell, target: TroopView) -> float:
        """What the whole riposte of a target would cost an attacker."""
        cover = counting_fort(self.fort(cell), target.fort)
        back = blow(target.troop.units, target.stats.attack, each.stats.defence, cover)
        return self.worth(each, back, each.troop.units)

    def together(self, each: TroopView, target: TroopView, plan: AttackPlan) -> float:
        """Among how many a riposte will be split: those who attack, half of those who could."""
        sure = plan.melees.get(target.troop.id, 0)
        could = [
            other
            for other in self.mine
            if other is not each and self.reaches(other, target.troop.cell)
        ]
        return 1 + max(sure, len(could) / 2)

    def reaches(self, each: TroopView, cell: Cell) -> bool:
        """Whether a troop might strike hand to hand at a cell in one turn."""
        return self.grid.distance(each.troop.cell, cell) <= each.stats.movement + 1

    def shoots(self, each: TroopView, cell: Cell) -> bool:
        """Whether a troop can shoot at a cell from where it stands (PR-5.5)."""
        return 1 < self.grid.distance(each.troop.cell, cell) <= each.stats.range

    # Standing ----------------------------------------------------------------------------------

    def danger(self, each: TroopView, cell: Cell, plan: AttackPlan) -> float:
        """What the enemy's next turn may cost a troop in a cell, its ripostes counted."""
        fort, found = self.fort(cell), []
        for enemy in self.enemies:
            left = enemy.troop.units - plan.losses.get(enemy.troop.id, 0.0)
            if left <= 0:
                continue
            struck = self.reaches(enemy, cell)
            if struck or self.shoots(enemy, cell):
                cover = counting_fort(fort, enemy.fort)
                hurt = blow(left, enemy.stats.attack, each.stats.defence, cover)
                cost = self.worth(each, hurt, each.troop.units)
                if struck and not riposte_denied(enemy.troop, each.troop):
                    back = blow(each.troop.units, each.stats.attack, enemy.stats.defence, 0)
                    cost -= ANSWERED * self.worth(enemy, back, left)
                found.append(cost)
        return sum(sorted(found, reverse=True)[:HOTTEST])

    def dread(self, each: TroopView, cell: Cell, plan: AttackPlan) -> float:
        """What fear may cost next turn: sources of it beside a cell, and one's own (PR-4.2d)."""
        cost = 0.0
        for enemy in self.enemies:
            if self.grid.adjacent(cell, enemy.troop.cell):
                left = enemy.troop.units - plan.losses.get(enemy.troop.id, 0.0)
                if enemy.troop.ability.fear and left >= 1:
                    cost = max(cost, self.dispersal(each, each.troop.units))
                if each.troop.ability.fear:
                    cost -= SHAKEN * self.dispersal(enemy, max(left, 0))
        return cost

    def dispersal(self, each: TroopView, units: float) -> float:
        """What one test of loyalty costs an army on average."""
        whole = each.stats.value * units + self.heads.get(each.troop.id, 0.0)
        return failing(each.stats.loyalty) * whole

    def tests(self, each: TroopView) -> int:
        """How many tests of loyalty a troop of one's own owes now (PR-4.2)."""
        seat, troop = self.view.you, each.troop
        rivals = [self.view.values[code] for code in {e.troop.army: 0 for e in self.foes}]
        commander = self.view.persons[self.view.armies[seat].commander]
        headless = self.view.troops[commander.troop].troop.fate != "present"
        beside = [e for e in self.enemies if self.grid.adjacent(troop.cell, e.troop.cell)]
        return (
            below_a_third(self.view.values[seat], sum(rivals))
            + below_a_third(troop.units, troop.start)
            + headless
            + any(enemy.troop.ability.fear for enemy in beside)
            + troop.unwell
        )
