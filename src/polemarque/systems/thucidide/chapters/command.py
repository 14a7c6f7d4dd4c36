"""Chapter « Ordre de commandement » (TH-4): the general's one order before he activates."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    Filling,
    NotAllowed,
    OneOf,
    Reasoned,
    Rule,
    Sheet,
    Step,
    Sum,
    ask,
    explain,
    script,
    tell,
)
from polemarque.systems.thucidide.chapters.activation import MESSENGER, anyone_activated
from polemarque.systems.thucidide.orders import (
    ARMY,
    NONE,
    codes,
    commanding,
    offered_to,
    price,
    refused,
)
from polemarque.systems.thucidide.state import Battle
from polemarque.systems.thucidide.tables import FRAME

LOUDER = FRAME.orders.louder
"""Hexes that Gueulante adds to a command range (TH-4.3)."""

COMMANDS = codes("command")


def legal_commands(battle: Battle) -> tuple[str, ...]:
    """Command orders that the general can give now: he is there, can pay, and it does something."""
    seat = battle.active
    general = battle.general_of(seat)
    tokens = battle.sides[seat].tokens
    if general is None or not tokens:
        return ()
    return tuple(
        code
        for code in COMMANDS
        if command_price(battle, code).total <= tokens and _effective(battle, code)
    )


def command_price(battle: Battle, code: str) -> Sum:
    """What a command order costs: its price, or the general's own (TH-1.4)."""
    general = battle.general_of(battle.active)
    return price(code, special=None if general is None else general.prices.get(code))


def leaders_left(battle: Battle) -> int:
    """How many leaders there are beyond those of the normal activations (TH-4.4, TH-4.5)."""
    seat = battle.active
    return max(len(battle.leaders_of(seat)) - len(battle.sides[seat].activations), 0)


def _waiting(battle: Battle) -> tuple[str, ...]:
    """Units of the active side that are not activated: each is once a turn at most (TH-2.2)."""
    return tuple([unit.code for unit in battle.units_of(battle.active) if not unit.marks.by])


def _effective(battle: Battle, code: str) -> bool:
    """Whether a command order would do anything now, and may be given (TH-3.1, TH-4.1)."""
    if code in ("assaut", "assaut_general"):
        return leaders_left(battle) > 0
    if code == "messager":
        return bool(_waiting(battle))
    if code == "reconnaissance" and anyone_activated(battle):
        return False
    return bool(battle.units_of(battle.active))


class Command(msgspec.Struct, frozen=True):
    """A command order: to which unit a messenger goes, or which leader shouts."""

    order: str = NONE
    unit: str = ""
    voice: str = ""


@script("TH-3.5")
def general_orders(battle: Battle) -> Step[Battle]:
    """One command order a turn, at the start of the command phase; nothing without a general."""
    seat = battle.active
    legal = legal_commands(battle)
    if not legal:
        return battle, []
    given = yield from ask(seat, Sheet(lambda: _command_sheet(battle, legal)), absent=Command())
    if given.order == NONE:
        return battle, []
    due = command_price(battle, given.order)
    battle = battle.paying(seat, due.total)
    yield from explain(due)
    return (yield from EFFECTS[given.order](battle, given)), []


def _command_sheet(battle: Battle, legal: tuple[str, ...]) -> Filling:
    seat = battle.active

    def why(code: str) -> NotAllowed | None:
        if code == "reconnaissance" and anyone_activated(battle):
            return NotAllowed("thucidide.scouted", rule="TH-4.1", order=code)
        special = command_price(battle, code).total if code in COMMANDS else None
        return refused(battle, "command", None, code, special=special)

    code = yield "order", Reasoned((NONE, *legal), offered_to(ARMY), why=why)
    if code == "messager":
        yield "unit", _carried_to(battle)
    elif code == "gueulante":
        yield "voice", OneOf(tuple([one.code for one in battle.leaders_of(seat)]), "leader")


def _carried_to(battle: Battle) -> Reasoned:
    """The units to whom a messenger can be sent; one already activated is refused as such."""

    def why(code: str) -> NotAllowed | None:
        unit = battle.units.get(code)
        if unit is None or unit.seat != battle.active or not unit.marks.by:
            return None
        return NotAllowed("thucidide.activated", rule="TH-2.2", unit=code)

    return Reasoned(_waiting(battle), "unit", why=why)


def reconnaissance(battle: Battle, _: Command) -> Rule[Battle]:
    """TH-4.1: one unit only is activated; as many tokens as the general's command level."""
    side = battle.sides[battle.active]
    battle = battle.with_side(replace(side, scouting=True, tokens=side.tokens + side.level))
    yield from tell(
        "TH-4.1", "reconnaissance", seat=side.seat, gained=side.level,
        tokens=side.tokens + side.level,
    )  # fmt: skip
    return battle


def messager(battle: Battle, given: Command) -> Rule[Battle]:
    """TH-4.2: one more unit, wherever it is; its wording beats range and obedience (TH-3.2)."""
    unit = battle.units[given.unit]
    yield from tell("TH-4.2", "messager", seat=unit.seat, unit=unit.code)
    if not commanding(battle, unit):
        yield from tell("TH-3.2", "beyond", seat=unit.seat, unit=unit.code)
    return battle.marked(unit.code, by=MESSENGER)


def gueulante(battle: Battle, given: Command) -> Rule[Battle]:
    """TH-4.3: one leader commands a hex farther, to the end of the turn."""
    leader = battle.leaders[given.voice]
    battle = battle.with_leaders(replace(leader, louder=LOUDER))
    yield from tell(
        "TH-4.3", "gueulante", seat=leader.seat, leader=leader.code, reach=leader.command + LOUDER
    )
    return battle


def assaut(battle: Battle, _: Command) -> Rule[Battle]:
    """TH-4.4: one more leader activates."""
    yield from tell("TH-4.4", "assaut", seat=battle.active)
    return battle.side(battle.active, further=1)


def assaut_general(battle: Battle, _: Command) -> Rule[Battle]:
    """TH-4.5: as many more leaders as normally activate, or those there are."""
    usual = len(battle.sides[battle.active].activations)
    count = min(usual, leaders_left(battle))
    yield from tell("TH-4.5", "assaut_general", seat=battle.active, leaders=count)
    return battle.side(battle.active, further=count)


EFFECTS = {
    "reconnaissance": reconnaissance,
    "messager": messager,
    "gueulante": gueulante,
    "assaut": assaut,
    "assaut_general": assaut_general,
}
"""What each command order does, by its code."""
