"""Chapter « Les camps » (BC-1): who meets whom, and the units that losses are taken from."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.api import (
    Filling,
    OneOf,
    Step,
    ask_each,
    explain,
    item,
    script,
    sheet_parts,
    tell,
    then,
)
from polemarque.systems.batailles.phase_values import SideCode
from polemarque.systems.batailles.state import Battle, Side


@script("BC-1.1")
def sides_meet(battle: Battle) -> Step[Battle]:
    """Two sides take the field, each with its allies."""
    for code, side in battle.sides():
        yield from tell(
            "BC-1.1", "side", side=code, name=side.name, pm=side.pm, units=len(side.units),
            commander=side.commander, command=side.command, players=side.players,
            armies=side.armies,
        )  # fmt: skip
        yield from explain(side.morale)
        yield from tell("BC-1.2", "morale", side=code, name=side.name, morale=side.morale.total)
    return battle, [then(owners_order), item("BC-3.5/next")]


@script("BC-1.3/order")
def owners_order(battle: Battle) -> Step[Battle]:
    """Each owner says in which order his units take losses, unless he did so in advance."""
    asked = {
        side.seat: code for code, side in battle.sides() if len(side.units) > 1 and not side.ordered
    }
    wishes = yield from ask_each(
        asked, lambda seat: order_sheet(battle.side(asked[seat])), absent={"order": "listed"}
    )
    for seat, wish in wishes.items():
        side = battle.side(asked[seat])
        if wish["order"] == "chosen":
            wanted = [name for part, name in wish.items() if part != "order"]
            side = in_order(side, tuple(wanted))
            battle = battle.with_side(asked[seat], side)
        names = tuple([unit.name for unit in side.units])
        yield from tell("BC-1.3", "order", side=asked[seat], name=side.name, units=names)
    return battle, []


@sheet_parts
def order_sheet(side: Side) -> Filling:
    """The order as listed, or one unit after the other; the last follows by itself."""
    kind = yield "order", OneOf(("listed", "chosen"), "order")
    left = [unit.name for unit in side.units]
    while kind == "chosen" and len(left) > 1:
        left.remove((yield str(len(side.units) - len(left) + 1), OneOf(tuple(left), "force")))


def in_order(side: Side, wanted: tuple[str, ...]) -> Side:
    """The side with the units of those names first, in that order."""
    named = {unit.name: unit for unit in side.units}
    first = [named[name] for name in wanted]
    rest = [unit for unit in side.units if unit.name not in wanted]
    return replace(side, units=(*first, *rest))


@script("BC-1.3")
def losses_are_taken(battle: Battle, code: SideCode) -> Step[Battle]:
    """A side's losses of the phase, from its units in their order."""
    fate, before = battle.last, battle.side(code)
    assert fate is not None
    after = before.losing(fate.loss_a if code == "a" else fate.loss_b)
    for old, new in zip(before.units, after.units, strict=True):
        if old.pm and not new.pm and len(before.units) > 1:
            yield from tell(
                "BC-1.3", "unit_lost", side=code, name=before.name, unit=old.name, bonus=old.bonus
            )
    return battle.with_side(code, after), []


def without_lost_units(side: Side) -> Side:
    """The side without its units at 0 PM: their bonus goes from this phase on (BC-1.3)."""
    return replace(side, units=tuple([unit for unit in side.units if unit.pm]))


@script("BC-1.3/rout")
def rout(battle: Battle, leaving: dict[str, str]) -> Step[Battle]:
    """By the variant `zero`, a side without morale after a phase must withdraw."""
    for code, side in battle.sides():
        morale = side.morale
        if battle.options.rout == "zero" and morale.total <= 0:
            leaving = {code: "BC-1.3", **leaving}
            yield from explain(morale)
            yield from tell("BC-1.3", "rout", side=code, name=side.name, morale=morale.total)
    return battle, [item("BC-3.4/field", leaving)] if leaving else [item("BC-3.4")]
