"""Retraite (TH-7.5): before the attack the defender falls back by its own movement."""

from __future__ import annotations

import msgspec

from polemarque.api import Filling, Path, Rule, SeveralOf, Sheet, Step, ask, script, tell, then
from polemarque.api.boards import Cell, StepCost, path_cost, reachable
from polemarque.systems.thucidide.chapters.combat import (
    combat_over,
    dice_are_thrown,
    fight_of,
    while_both_stand,
)
from polemarque.systems.thucidide.fight import Fight
from polemarque.systems.thucidide.movement import road_cost, step_cost, stride
from polemarque.systems.thucidide.state import Battle, Unit


def withdrawals(battle: Battle, unit: Unit) -> dict[Cell, tuple[Cell, ...]]:
    """Where a unit can fall back to by the rules of movement, each hex nearer its own edge."""
    held, limits, grid = battle.by_cell(), stride(unit), battle.board.grid
    if not limits.most:
        return {}
    back = _nearer(battle, unit, step_cost(battle, unit, held))
    along = _nearer(battle, unit, road_cost(battle, unit, held))

    def free(cell: Cell) -> bool:
        return cell not in held

    ways = reachable(grid, unit.cell, limits.road_most, along, free)
    ways |= reachable(grid, unit.cell, limits.most, back, free, minimum_step=True)
    return {cell: way.path for cell, way in ways.items()}


def may_withdraw(battle: Battle, unit: Unit, way: tuple[Cell, ...]) -> bool:
    """Whether a unit may fall back by that way."""
    held, limits, grid = battle.by_cell(), stride(unit), battle.board.grid
    if not way or not limits.most or way[-1] in held:
        return False
    along = path_cost(grid, unit.cell, way, _nearer(battle, unit, road_cost(battle, unit, held)))
    if along is not None and along <= limits.road_most:
        return True
    spent = path_cost(grid, unit.cell, way, _nearer(battle, unit, step_cost(battle, unit, held)))
    return spent is not None and (spent <= limits.most or len(way) == 1)


def _nearer(battle: Battle, unit: Unit, cost: StepCost) -> StepCost:
    """What a step costs, if it is nearer the unit's own edge."""
    grid, edge = battle.board.grid, battle.sides[unit.seat].edge
    return lambda here, there: cost(here, there) if there in grid.toward(here, edge) else None


class Withdrawal(msgspec.Struct, frozen=True):
    """Where a unit withdraws to, and which leaders go with it."""

    way: tuple[Cell, ...]
    leaders: tuple[str, ...] = ()


@script("TH-7.5")
@while_both_stand
def defender_withdraws(battle: Battle) -> Step[Battle]:
    """It goes 1 hex or more, its leaders with it if they like; the attack finds nobody.

    The attacker neither moves nor attacks any more this turn.
    """
    fight = fight_of(battle)
    unit = battle.units[fight.target]
    ways = withdrawals(battle, unit)
    if not ways:  # the umpire has closed the way
        return battle, [then(dice_are_thrown)]
    leaders = tuple([o.code for o in battle.leaders_at(unit.cell) if o.seat == unit.seat])
    quiet = Withdrawal(next(iter(ways.values())), leaders)

    def fill() -> Filling:
        yield "way", Path(ways, stay=False, legal=lambda way: may_withdraw(battle, unit, way))
        if leaders:
            yield "leaders", SeveralOf(leaders, label="mover")

    answer = yield from ask(unit.seat, Sheet(fill), absent=quiet, subject=unit.code)
    way, going = answer.way, answer.leaders
    yield from tell(
        "TH-7.5", "withdraws", seat=unit.seat, unit=unit.code, attacker=fight.attacker,
        at=way[-1], via=way[:-1], hexes=len(way), leaders=going,
    )  # fmt: skip
    after = battle.unit(unit.code, cell=way[-1])
    for code in going:
        after = after.leader(code, cell=way[-1])
    after = after.marked(fight.attacker, fights=False, fought=True, moved=True)
    return combat_over((yield from order_called_off(after, fight))), []


def order_called_off(battle: Battle, fight: Fight) -> Rule[Battle]:
    """Variant `returned`: the attack order that found nobody costs nothing, and is off."""
    if battle.options.withdrawn == "spent" or not fight.paid:
        return battle
    unit = battle.units[fight.attacker]
    left = battle.sides[unit.seat].tokens + fight.paid
    yield from tell(
        "TH-7.5", "returned", seat=unit.seat, unit=unit.code, gained=fight.paid, tokens=left
    )
    return battle.paying(unit.seat, -fight.paid)
