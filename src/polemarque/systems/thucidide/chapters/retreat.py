"""Flags and retreat (TH-F4, TH-8.1, TH-F6), hex by hex, and advances (TH-6.4, TH-F7)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from polemarque.api import (
    Amount,
    Filling,
    Item,
    OneOf,
    Path,
    Sheet,
    Step,
    ask,
    explain,
    script,
    tell,
    then,
)
from polemarque.api.boards import Cell
from polemarque.systems.thucidide.chapters.attack import combat_order_paid
from polemarque.systems.thucidide.chapters.combat import (
    combat_is_declared,
    defender_ripostes,
    elements_lost,
    fight_of,
    fighting,
    losses,
    throw_is_over,
    while_both_stand,
)
from polemarque.systems.thucidide.combat_dice import COMBAT, hexes_owed, ignoring, may_ignore
from polemarque.systems.thucidide.movement import Held, enterable, lone_enemies, may_pass
from polemarque.systems.thucidide.orders import NONE, affordable, offered_to
from polemarque.systems.thucidide.state import Battle, Unit
from polemarque.systems.thucidide.tables import ground
from polemarque.systems.thucidide.targets import is_influenced, melee_targets, support_of

SACRIFICE = "sacrifice"
"""The order by which flags become losses at will (TH-7.2)."""


class FallingBack:
    """The ways back of one unit: each step nearer its own edge, as far as it can (TH-F6)."""

    def __init__(self, battle: Battle, unit: Unit, hexes: int) -> None:
        self.battle, self.unit, self.hexes = battle, unit, hexes
        self._held: Held = battle.by_cell()
        self._edge = battle.sides[unit.seat].edge
        self._known: dict[Cell, dict[Cell, tuple[Cell, ...]]] = {}
        self._blocked = lone_enemies(battle, unit.seat, self._held)

    def ways(self) -> dict[Cell, tuple[Cell, ...]]:
        """Where it can end, with one way to each; none if it cannot make a single step."""
        found = self._from(self.unit.cell, self.hexes)
        return {end: way for end, way in found.items() if way}

    def legal(self, way: tuple[Cell, ...]) -> bool:
        """Whether it may fall back by that way: no step less than it can make."""
        here = self.unit.cell
        for cell in way:
            if cell not in self._nearer(here) or not self._passes(cell):
                return False
            here = cell
        left = self.hexes - len(way)
        return left >= 0 and self._is_free(here) and not any(self._from(here, left).values())

    def _nearer(self, cell: Cell) -> tuple[Cell, ...]:
        return self.battle.board.grid.toward(cell, self._edge)

    def _is_free(self, cell: Cell) -> bool:
        return cell not in self._held and self._passes(cell)

    def _passes(self, cell: Cell) -> bool:
        """Whether it can enter a hex, be it only to pass a friend there (TH-F8)."""
        figures, other = self.unit.figures, self._held.get(cell)
        if cell in self._blocked or not ground(self.battle.board, cell).admits(figures):
            return False
        if other is None:
            return True
        return other.seat == self.unit.seat and may_pass(figures, other.figures)

    def _from(self, here: Cell, steps: int) -> dict[Cell, tuple[Cell, ...]]:
        """Ends of all ways from a hex that go as far as they can; here alone if none goes on.

        Each step is a row nearer, so that a hex is always come to with the same steps left.
        """
        known = self._known.get(here)
        if known is not None:
            return known
        found: dict[Cell, tuple[Cell, ...]] = {}
        for cell in self._nearer(here) if steps else ():
            if self._passes(cell):
                for end, way in self._from(cell, steps - 1).items():
                    found.setdefault(end, (cell, *way))
        if not found and (here == self.unit.cell or self._is_free(here)):
            found = {here: ()}
        self._known[here] = found
        return found


class Flags(msgspec.Struct, frozen=True):
    """What a unit's owner makes of its flags: so many ignored, so many losses, and the way."""

    ignored: int = 0
    losses: int = 0
    way: tuple[Cell, ...] = ()


class Beaten:
    """What flags leave a unit to choose: how many it ignores, turns into losses, and its way."""

    def __init__(self, battle: Battle) -> None:
        fight = fight_of(battle)
        self.battle = battle
        self.unit = unit = battle.units[fight.struck]
        self.flags = fight.flags + fight.sure
        self.reasons = may_ignore(
            fight.flags, fight.sure, support=support_of(battle, unit),
            influenced=is_influenced(battle, unit), orders=unit.marks.orders,
            steady=battle.options.steady,
        )  # fmt: skip
        self.most = self.reasons.total
        self.sacrifices = SACRIFICE in unit.marks.orders

    def back(self, kept: int) -> FallingBack:
        """The ways it has for so many flags kept."""
        unit = self.unit
        hexes = hexes_owed(kept, unit.figures.arm, mounted=unit.mounted)
        return FallingBack(self.battle, unit, hexes)

    def survives(self, sacrificed: int) -> bool:
        """Whether it is left after so many losses at will, those that leaders make good counted."""
        unit = self.unit
        spared, reading = fight_of(self.battle).spared, self.battle.options.spared
        lost, _ = losses(sacrificed, unit.elements, spared, reading)
        return lost < unit.elements

    def sheet(self) -> Filling:
        """What its owner may answer: only what leaves him a choice is asked."""
        ignored, sacrificed = 0, 0
        if self.most:
            ignored = yield "ignored", Amount(0, self.most, unit="flags")
        kept = self.flags - ignored
        if self.sacrifices and kept:
            sacrificed = yield "losses", Amount(0, min(kept, self.unit.elements), unit="flags")
        if self.survives(sacrificed):
            back = self.back(kept - sacrificed)
            ways = back.ways()
            if len(ways) > 1:
                yield "way", Path(ways, stay=False, legal=back.legal)

    def quiet(self) -> Flags:
        """The absent player ignores what can be, loses nothing at will, and goes farthest."""
        ways = self.back(self.flags - self.most).ways()
        return Flags(self.most, way=max(ways.values(), key=len, default=()))

    @property
    def choice(self) -> bool:
        """Whether anything is left to choose."""
        return bool(self.most or self.sacrifices) or len(self.back(self.flags).ways()) > 1


@script("TH-F6")
@while_both_stand
def unit_is_shaken(battle: Battle) -> Step[Battle]:
    """Flags: those its owner ignores, those he turns into losses; the others push it back."""
    fight = fight_of(battle)
    over: list[Item] = [then(throw_is_over)]
    if not fight.flags + fight.sure:
        return battle, over
    beaten = Beaten(battle)
    unit = beaten.unit
    answer = Flags()
    if beaten.choice:
        answer = yield from ask(
            unit.seat, Sheet(beaten.sheet), absent=beaten.quiet(), subject=unit.code
        )
    ignored, sacrificed = answer.ignored, answer.losses
    if ignored:
        yield from explain(ignoring(ignored, beaten.reasons))
        yield from tell("TH-F4", "ignored", seat=unit.seat, unit=unit.code, flags=ignored)
    if sacrificed:
        yield from tell("TH-7.2", "sacrificed", seat=unit.seat, unit=unit.code, flags=sacrificed)
        battle, gone = yield from elements_lost(battle, unit.code, sacrificed)
        if gone or not battle.units[unit.code].stands:
            return battle, [*gone, *over]
    kept = beaten.flags - ignored - sacrificed
    if not kept:
        return battle, over
    return battle, [then(unit_falls_back, kept, answer.way), *over]


@script("TH-F6/way")
@while_both_stand
def unit_falls_back(battle: Battle, kept: int, way: tuple[Cell, ...]) -> Step[Battle]:
    """Hex by hex nearer its edge; each step that cannot be made is a loss.

    way: the one its owner chose, () where there was only one, or none.
    """
    unit = battle.units[fight_of(battle).struck]
    back = FallingBack(battle, unit, hexes_owed(kept, unit.figures.arm, mounted=unit.mounted))
    taken = way or next(iter(back.ways().values()), ())
    blocked = back.hexes - len(taken)
    yield from tell(
        "TH-F6", "retreats" if taken else "stands", seat=unit.seat, unit=unit.code,
        hexes=len(taken), at=taken[-1] if taken else unit.cell, via=taken[:-1], blocked=blocked,
    )  # fmt: skip
    battle = fighting(battle, pushed=True)
    if taken:
        battle = displaced(battle, unit.code, taken[-1])
    return (yield from elements_lost(battle, unit.code, blocked))


def displaced(battle: Battle, code: str, cell: Cell) -> Battle:
    """The battle with a unit in another hex, and with it the leaders who were there (TH-F11)."""
    unit = battle.units[code]
    with_it: Mapping[str, Cell] = {
        one.code: cell for one in battle.leaders_at(unit.cell) if one.seat == unit.seat
    }
    battle = battle.unit(code, cell=cell)
    for leader, there in with_it.items():
        battle = battle.leader(leader, cell=there)
    return battle


# After a success (TH-6.4, TH-F7) ------------------------------------------------------------------


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
