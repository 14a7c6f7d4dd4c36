"""What the steady general of Thucidide sees on the field: worth, attacks, danger, good ground.

Everything is public in this game, so that its view is a battle; it asks of it what the rules' own
plain functions know, and estimates the rest by means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec

from polemarque.api.boards import Cell
from polemarque.bots.thucidide.threats import (
    ADVANTAGE,
    PLAIN,
    Body,
    Foe,
    Harm,
    Outlook,
    Peril,
    Stake,
    harm,
    outlook_on,
)
from polemarque.systems.thucidide.chapters.manoeuvre_orders import forced_marches
from polemarque.systems.thucidide.chapters.turn import needed
from polemarque.systems.thucidide.combat_dice import (
    COMBAT,
    LEAST,
    Factor,
    against,
    factor_of,
    standing_in,
)
from polemarque.systems.thucidide.movement import Move, allowance, possible_moves
from polemarque.systems.thucidide.state import Battle, Unit
from polemarque.systems.thucidide.tables import (
    FORMATIONS,
    LOOSE,
    TERRAINS,
    TOWN,
    Formation,
    Terrain,
)
from polemarque.systems.thucidide.targets import sees

LIFE = 0.5
"""What of a unit's worth is lost with its last element; the rest goes element by element."""

DECISIVE = 0.4
"""What a unit more is worth beside itself, divided by those still to destroy."""

PUSH = 0.05
"""What a flag kept costs a unit that has room behind it."""

LETTER = 0.004
"""What a die brings in order letters."""

GROUND = 0.03
"""What a hex nearer the enemy is worth."""

SUPPORT = 0.05
"""What a friend beside a unit is worth; two count (TH-F4)."""

SHELTER = 0.03
"""What a die less for attackers is worth where a unit stands."""

DANGER = 0.35
"""What the enemy's next turn counts beside this one, as long as there is no hurry."""

STRIKERS = 2
"""At most this many enemies are expected to fall upon one unit in one turn."""

ORDERED, SUPPORTING = 0.5, 2
"""The chance that a unit without support is given the order for it, and what that takes."""

PATIENCE = 0.4
"""In this part of the battle's turns nobody minds danger any more."""

HASTE = 1.0
"""So much more ground counts then, and so much bolder attacks are."""

CROWN = 0.4
"""What a general is worth to its unit beside its own."""

AIM = 0.04
"""What a hex nearer to a place that has to be reached is worth."""

HOLDING = 0.12
"""What it is worth to stand in one that has to be held."""


class Option(msgspec.Struct, frozen=True):
    """A way that a unit can go, and what that promises.

    order: the order it takes, "" for none.
    """

    promise: float
    path: tuple[Cell, ...] = ()
    order: str = ""


def battle_of(view: Mapping[str, Any], *, second: bool = False) -> Battle:
    """The battle that a view shows."""
    named = ("board", "sides", "units", "leaders", "options", "turn", "active", "phase", "acting")
    return Battle(**{name: view[name] for name in named}, second=second,
                  fight=view["fight"], limit=view["limit"])  # fmt: skip


class Field:
    """A battle as one side sees it.   subject: whom the question concerns."""

    def __init__(self, battle: Battle, seat: str, subject: str = "") -> None:
        self.battle = battle
        self.seat = seat
        self.subject = subject
        self.enemy = battle.enemy_of(seat)
        self.grid = battle.board.grid
        self.held = battle.by_cell()
        self.mine = battle.units_of(seat)
        self.foes = battle.units_of(self.enemy)
        self.goals = battle.sides[seat].goals
        gone = (battle.turn + 1) / (2 * battle.limit)
        self.caution = max(0.0, 1 - gone / PATIENCE)
        waits = any(goal.kind == "last" for goal in self.goals)
        self.hurry = 1 + HASTE * (1 - self.caution)
        self.pull = 0.0 if waits else GROUND * self.hurry
        self._beside: dict[Cell, list[Unit]] = {}
        self._bodies: dict[str, Body] = {}
        self._hurt: dict[tuple[str, int, int, int], float] = {}

    # Worth -------------------------------------------------------------------------------------

    @cached_property
    def life(self) -> dict[str, float]:
        """What the destruction of a unit is worth beside its elements, by side."""
        found = {}
        for seat in self.battle.sides:
            enemy = self.battle.enemy_of(seat)
            start, lost = self.battle.sides[seat].start, self.battle.lost(seat)
            left = [needed(goal, start) - lost for goal in self.battle.sides[enemy].goals
                    if goal.kind == "destroyed"]  # fmt: skip
            found[seat] = LIFE + DECISIVE / max(min(left, default=start), 1)
        return found

    @cached_property
    def crowned(self) -> frozenset[Cell]:
        """Where generals stand."""
        leaders = self.battle.leaders.values()
        return frozenset([one.cell for one in leaders if one.cell and one.rank == "general"])

    def body(self, unit: Unit) -> Body:
        """A unit in itself, and what is at stake with it."""
        found = self._bodies.get(unit.code)
        if found is None:
            found = self._bodies[unit.code] = Body(
                unit.figures, unit.elements, unit.start, unit.formation, unit.loose,
                self._stake(unit),
            )  # fmt: skip
        return found

    def _stake(self, unit: Unit) -> Stake:
        """What is at stake with a unit, by its figures, a general with it, the room behind it."""
        figures = unit.figures
        worth = 0.5 + (figures.assault + figures.melee + figures.shooting) / 16
        life = self.life[unit.seat] + (CROWN if unit.cell in self.crowned else 0.0)
        cornered = 0.0 if self.has_room(unit) else worth * ((1 - LIFE) / unit.start)
        push = (cornered + PUSH) * COMBAT.arms[figures.arm].retreat
        return Stake(worth, life, push)

    def cost(self, unit: Unit, lost: float, killed: float) -> float:
        """What it costs to lose elements, and with a chance the whole unit."""
        worth, life, _ = self.body(unit).stake
        return worth * ((1 - LIFE) * lost / unit.start + life * killed)

    def hurt(self, unit: Unit, dice: int, hits: int, ignored: int) -> float:
        """What a throw costs a unit on average; see `harm`."""
        key = (unit.code, dice, hits, ignored)
        found = self._hurt.get(key)
        if found is None:
            done = harm(dice, hits, unit.elements, ignored)
            found = self._hurt[key] = self.harmed(unit, done)
        return found

    def harmed(self, unit: Unit, done: Harm) -> float:
        """What a throw of known law costs a unit on average."""
        return self.cost(unit, done.lost, done.killed) + self.body(unit).stake.push * done.kept

    def has_room(self, unit: Unit) -> bool:
        """Whether a unit can fall back at least one hex (TH-F6)."""
        behind = self.grid.toward(unit.cell, self.battle.sides[unit.seat].edge)
        return any(cell not in self.held for cell in behind)

    # Support, influence, dice ------------------------------------------------------------------

    def beside(self, cell: Cell) -> list[Unit]:
        """The units next to a cell, in the order of the board."""
        found = self._beside.get(cell)
        if found is None:
            held = self.held
            near = [held.get(each) for each in self.grid.neighbours(cell)]
            found = self._beside[cell] = [one for one in near if one is not None]
        return found

    def friends(self, unit: Unit, cell: Cell) -> int:
        """Friendly units beside a unit that stands in a cell."""
        seat, found = unit.seat, 0
        for one in self.beside(cell):
            if one.seat == seat and one is not unit:
                found += 1
        return found

    def supported(self, unit: Unit, cell: Cell = "") -> bool:
        """Whether a unit is supported by its neighbours (TH-F4)."""
        return self.friends(unit, cell or unit.cell) >= COMBAT.flags.neighbours

    @cached_property
    def influenced(self) -> dict[str, frozenset[Cell]]:
        """The hexes that leaders influence, by side (TH-8.1)."""
        found: dict[str, set[Cell]] = {seat: set() for seat in self.battle.sides}
        for one in self.battle.leaders.values():
            if one.cell:
                found[one.seat].update((one.cell, *self.grid.within(one.cell, one.influence)))
        return {seat: frozenset(cells) for seat, cells in found.items()}

    def ignores(self, unit: Unit, cell: Cell = "", *, supported: bool | None = None) -> int:
        """Flags that a unit may ignore."""
        stands = cell or unit.cell
        held = self.supported(unit, stands) if supported is None else supported
        return held + (stands in self.influenced[unit.seat])

    def dice(self, unit: Unit, cell: Cell, target: Unit, factor: Factor, more: int = 0) -> int:
        """The dice of a unit that fights from a cell; `more`: those of orders (TH-F3)."""
        value = factor_of(unit.figures, factor)
        if value <= 0:
            return 0
        arm = unit.figures.arm
        value += standing_in(self.terrain(unit, cell), arm, factor)
        value += against(self.terrain(target, target.cell), arm, factor)
        for ranks in _ranks(unit):
            value += getattr(ranks, factor)
        for ranks in _ranks(target):
            value += ranks.shot_at if factor == "shooting" else ranks.against
        return max(value + more, LEAST)

    def terrain(self, unit: Unit, cell: Cell) -> Terrain:
        """The terrain a unit would fight in: a town behind its side's walls (PA-5)."""
        return TERRAINS[self.ground(unit, cell)]

    def ground(self, unit: Unit, cell: Cell) -> str:
        """Its word."""
        walled = cell in self.battle.sides[unit.seat].walls
        return TOWN if walled else self.battle.board.terrain[cell]

    # Attacks -----------------------------------------------------------------------------------

    def strike(
        self, unit: Unit, cell: Cell, target: Unit, factor: Factor, *,
        more: int = 0, supported: bool | None = None, berserk: bool = False,
    ) -> float:  # fmt: skip
        """What an attack promises: harm done, letters, less the riposte's harm."""
        held = self.supported(unit, cell) if supported is None else supported
        outlook = self.outlook
        key = (
            self.body(unit), target.code, factor, more, held, berserk,
            self.ground(unit, unit.cell), self.ground(unit, cell),
            self.ignores(unit, cell, supported=held),
        )  # fmt: skip
        found = outlook.strikes.get(key)
        if found is None:
            dice = self.dice(unit, cell, target, factor, more)
            found = outlook.strikes[key] = self._struck(
                unit, cell, target, factor, dice, held=held, berserk=berserk
            )
        return found

    def _struck(
        self, unit: Unit, cell: Cell, target: Unit, factor: Factor, dice: int, *,
        held: bool, berserk: bool,
    ) -> float:  # fmt: skip
        if not dice:
            return 0.0
        hits = ADVANTAGE if held and factor != "shooting" else PLAIN
        done = harm(dice, hits, target.elements, self.ignores(target))
        gain = self.harmed(target, done) + LETTER * dice
        answer = 0.0 if factor == "shooting" else self.answers(target)
        if not answer:
            return gain
        stays = answer * (1 - done.killed - done.pushed)
        return gain - stays * self.riposte(unit, cell, target, held=held, berserk=berserk)

    def answers(self, target: Unit) -> float:
        """The chance that a unit which holds its ground ripostes: supported, or by an order."""
        if self.supported(target):
            return 1.0
        return ORDERED if self.battle.sides[target.seat].tokens >= SUPPORTING else 0.0

    def riposte(
        self, unit: Unit, cell: Cell, target: Unit, *, held: bool, berserk: bool = False
    ) -> float:
        """What the target's answer costs an attacker who stands in a cell."""
        dice = self.dice(target, target.cell, unit, "melee")
        hits = ADVANTAGE if berserk else PLAIN
        return self.hurt(unit, dice, hits, self.ignores(unit, cell, supported=held))

    def attacks(self, unit: Unit, cell: Cell) -> Iterator[tuple[Unit, Factor]]:
        """Whom a unit can attack from a cell, and with which of its figures."""
        moved = cell != unit.cell
        start = unit.cell if moved else unit.marks.start
        for other in self.beside(cell):
            if other.seat != unit.seat:
                away = start and not self.grid.adjacent(start, other.cell)
                yield other, "assault" if away else "melee"
        if unit.figures.shooting and allowance(unit.figures).dice_lost * moved == 0:
            for other in self.foes:
                far = self.grid.distance(cell, other.cell)
                if 1 < far <= unit.figures.reach and sees(self.battle, cell, other.cell, self.held):
                    yield other, "shooting"

    def best_attack(self, unit: Unit, cell: Cell) -> float:
        """The best that an attack from a cell promises, 0 if none does."""
        promises = [self.strike(unit, cell, *attack) for attack in self.attacks(unit, cell)]
        return max(promises, default=0.0)

    # Standing ----------------------------------------------------------------------------------

    @cached_property
    def outlook(self) -> Outlook:
        """The enemy as it stands."""
        foes = tuple([self._foe(unit) for unit in self.foes])
        return outlook_on(self.battle.board, foes, self.battle.sides[self.seat].walls)

    def _foe(self, unit: Unit) -> Foe:
        return Foe(
            unit.code, unit.cell, self.body(unit), self.ground(unit, unit.cell),
            self.supported(unit), self.ignores(unit), self.answers(unit),
        )  # fmt: skip

    def danger(self, unit: Unit, cell: Cell, friends: int) -> float:
        """What the enemy's next turn may cost a unit in a cell, its ripostes counted."""
        outlook = self.outlook
        held = friends >= COMBAT.flags.neighbours
        ignored = self.ignores(unit, cell, supported=held)
        key = (self.body(unit), cell, held, ignored)
        found = outlook.dangers.get(key)
        if found is None:
            perils = outlook.perils(cell)
            costs = [self._cost_of(each, unit, ignored, held=held) for each in perils]
            found = outlook.dangers[key] = sum(sorted(costs, reverse=True)[:STRIKERS])
        return found

    def _cost_of(self, peril: Peril, unit: Unit, ignored: int, *, held: bool) -> float:
        """What one enemy may cost a unit."""
        costs = self.hurt(unit, peril.dice, peril.hits, ignored)
        if held and peril.near:
            foe = self.battle.units[peril.code]
            costs -= DANGER * self.hurt(foe, unit.figures.melee, PLAIN, 1)
        return costs

    def standing(self, unit: Unit, cell: Cell) -> float:
        """What it is worth to a unit to stand in a cell when the turn is over."""
        friends = self.friends(unit, cell)
        promise = SUPPORT * min(friends, 2)
        if self.caution:
            promise -= DANGER * self.caution * self.danger(unit, cell, friends)
        wish = unit.figures.reach if unit.figures.shooting else 1
        promise -= self.pull * abs(min(self.outlook.ranges(cell), default=wish) - wish)
        shelter = self.terrain(unit, cell).against.get("infantry", 0)
        return promise - SHELTER * shelter + self.aim(cell)

    def aim(self, cell: Cell) -> float:
        """What the goals of the side make of a cell (TH-F10)."""
        promise = 0.0
        for goal in self.goals:
            if goal.cells:
                near = min([self.grid.distance(cell, each) for each in goal.cells])
                promise -= AIM * near if goal.kind == "exit" else 0.0
                promise += HOLDING if goal.kind == "hold" and not near else 0.0
        return promise

    # Ways --------------------------------------------------------------------------------------

    def options(self, unit: Unit) -> Iterator[Option]:
        """What a unit can do that is activated: stay, or go anywhere it can, and fight there."""
        yield Option(self.standing(unit, unit.cell) + max(self.best_attack(unit, unit.cell), 0.0))
        for cell, move in possible_moves(self.battle, unit, self.held).items():
            yield self.option(unit, cell, move)

    def option(self, unit: Unit, cell: Cell, move: Move, order: str = "") -> Option:
        """What one way promises."""
        promise = self.standing(unit, cell)
        if move.fights and unit.marks.fights:
            promise += max(self.best_attack(unit, cell), 0.0)
        return Option(promise, move.path, order)

    def forced(self, unit: Unit) -> Iterator[Option]:
        """What a forced march would add (TH-5.2)."""
        for cell, move in forced_marches(self.battle, unit, self.held).items():
            yield self.option(unit, cell, move, "marche_forcee")

    def best(self, unit: Unit) -> Option:
        """The best of `options`; of equals the first."""
        return max(self.options(unit), key=lambda option: option.promise)

    @cached_property
    def promises(self) -> dict[str, float]:
        """What the activation of each own unit adds to its standing as it is."""
        found = {}
        for unit in self.mine:
            if not unit.marks.by:
                found[unit.code] = self.best(unit).promise - self.standing(unit, unit.cell)
        return found


def _ranks(unit: Unit) -> list[Formation]:
    """What formation a unit is in, and loosened ranks (TH-5.1)."""
    taken = [unit.formation] if unit.formation else []
    return [FORMATIONS[key] for key in (*taken, *([LOOSE] if unit.loose else []))]
