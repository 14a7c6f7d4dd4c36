"""Chapter « Ordres de défense » (TH-7): in answer to an attack, one for each combat."""

from __future__ import annotations

import msgspec

from polemarque.api import (
    Filling,
    OneOf,
    Path,
    Rule,
    SeveralOf,
    Sheet,
    Step,
    ask,
    item,
    script,
    tell,
    then,
)
from polemarque.api.boards import Cell, StepCost, path_cost, reachable
from polemarque.systems.thucidide.chapters.attack import combat_order_paid, given, told_with
from polemarque.systems.thucidide.chapters.combat import (
    both_have_ordered,
    combat_over,
    dice_are_thrown,
    fight_of,
    fighting,
    losses_are_taken,
    while_both_stand,
)
from polemarque.systems.thucidide.combat_dice import COMBAT
from polemarque.systems.thucidide.movement import road_cost, step_cost, stride
from polemarque.systems.thucidide.orders import (
    CALL,
    NONE,
    ORDERS,
    affordable,
    calling,
    codes,
    offer,
    offered_to,
    openings,
)
from polemarque.systems.thucidide.state import Battle, Fight, Unit
from polemarque.systems.thucidide.targets import is_supported, support_of

EVASION = "evasion"


@script("TH-7/order", edition="2026-11.2")
@while_both_stand
def defender_answers(battle: Battle) -> Step[Battle]:
    """After the attack order, before the dice: at most one defence order that can be paid."""
    return (yield from defence_ordered(battle, calling(battle, battle.passive)))


def defence_ordered(battle: Battle, called: tuple[str, ...]) -> Step[Battle]:
    """A defence order; or `CALL`, where it is offered, and the question again."""
    unit = battle.units[fight_of(battle).target]
    found = [code for code in defence_orders(battle) if affordable(battle, code, unit)]
    if found:
        offered = offer(battle, "defence", unit, (*found, *called), told_with(battle, unit))
        code = yield from ask(unit.seat, offered, absent=NONE, subject=unit.code)
        if code == CALL:
            return battle, [item("TH-8.3/call", unit.seat, "attack_order"), then(defender_answers)]
        if code != NONE:
            battle = yield from combat_order_paid(battle, code, unit)
            battle = fighting(given(battle, code, unit), answered=True)
    return battle, [*openings(battle, "defence_order"), then(both_have_ordered)]


def defence_orders(battle: Battle) -> list[str]:
    """Defence orders that would have an effect now, before the dice; cost apart."""
    fight = fight_of(battle)
    unit = battle.units[fight.target]
    if "retraite" in fight.answers:
        return []
    return [
        code
        for code in codes("defence")
        if ORDERS[code].suits(unit.figures.arm)
        and code not in (*fight.answers, *unit.marks.orders)
        and _has_effect(battle, code, unit)
    ]


def _has_effect(battle: Battle, code: str, unit: Unit) -> bool:
    """Whether an order that is not yet in force would do anything (TH-3.1)."""
    fight, options = fight_of(battle), battle.options
    if code == EVASION:
        return options.evasion == "before"
    if code == "defense":
        return not is_supported(battle, unit) or _may_lose_support(battle, unit)
    if code == "pieges":
        return not fight.shooting
    if code == "embuscade":
        lies = options.ambush == "any" or is_supported(battle, unit)
        return lies and not fight.shooting and unit.figures.melee > 0
    if code == "retraite":
        return bool(withdrawals(battle, unit))
    return True


def _may_lose_support(battle: Battle, unit: Unit) -> bool:
    """Whether it could be pushed away from the neighbours by whose support it would riposte.

    So by the variant `adjacent` of TH-F5; by the order it is supported wherever it ends (TH-7.3).
    """
    fight = fight_of(battle)
    ripostes = not fight.shooting and "embuscade" not in fight.answers and unit.figures.melee > 0
    by_neighbours = support_of(battle, unit) == "TH-F4"
    return battle.options.riposte == "adjacent" and ripostes and by_neighbours


@script("TH-7.1")
@while_both_stand
def target_evades(battle: Battle) -> Step[Battle]:
    """Once the dice are seen: one hit becomes flags that neither support nor a leader cancels."""
    fight = fight_of(battle)
    unit = battle.units[fight.target]
    prepaid = EVASION in fight.answers
    if can_evade(battle) and (prepaid or _may_pay_evasion(battle, unit)):
        word = yield from ask(
            unit.seat, OneOf((NONE, EVASION), offered_to(unit.code)), absent=NONE, subject=unit.code
        )
        if word != NONE:
            battle = battle if prepaid else (yield from combat_order_paid(battle, EVASION, unit))
            battle = yield from evaded(fighting(battle, answered=True))
    return battle, [*openings(battle, "losses"), then(losses_are_taken)]


def can_evade(battle: Battle) -> bool:
    """Whether the attack has a hit that could be evaded: one and no more, by the variant `one`."""
    fight = fight_of(battle)
    left = battle.options.evaded == "each" or not fight.evaded
    return fight.throw == "attack" and fight.hits > 0 and left


def _may_pay_evasion(battle: Battle, unit: Unit) -> bool:
    """By the variant `after` it is given now, if no defence order was given in this combat."""
    if battle.options.evasion == "before" or fight_of(battle).answered:
        return False
    return affordable(battle, EVASION, unit)


def evaded(battle: Battle) -> Rule[Battle]:
    """The battle with one hit turned into flags."""
    fight = fight_of(battle)
    unit, flags = battle.units[fight.target], COMBAT.flags.evasion
    yield from tell("TH-7.1", "evades", seat=unit.seat, unit=unit.code, flags=flags)
    return fighting(battle, hits=fight.hits - 1, sure=fight.sure + flags, evaded=fight.evaded + 1)


@script("TH-7.6")
@while_both_stand
def ambush_is_sprung(battle: Battle) -> Step[Battle]:
    """The defender's dice come first; there is no assault, follow-up or pursuit from them."""
    fight = fight_of(battle)
    attacker, unit = battle.units[fight.attacker], battle.units[fight.target]
    yield from tell("TH-7.6", "sprung", seat=unit.seat, unit=unit.code, target=attacker.code)
    battle = fighting(battle, throw="ambush", stood=attacker.cell)
    return battle, [*openings(battle, "riposte"), then(dice_are_thrown)]


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
