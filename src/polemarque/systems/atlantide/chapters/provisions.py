"""Chapter « Ravitaillement » (AT-6): convoys let through, and what an army without supply does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    Call,
    ChanceOf,
    Fact,
    Item,
    MeanOf,
    Next,
    Rule,
    SeveralOf,
    Step,
    ask_each,
    bonus,
    call,
    explain,
    item,
    procedure,
    roll,
    script,
    tell,
    then,
    total,
    wished,
)
from polemarque.systems.atlantide.agreements import Agreement
from polemarque.systems.atlantide.chapters.broken_agreements import cut_off, present
from polemarque.systems.atlantide.purchases import bribe
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.supply import sources, supply_chain, want_modifiers
from polemarque.systems.atlantide.tables import TABLES

Effect = Literal["mutiny", "refusal", "anger", "desertion", "none"]


class SupplyRow(msgspec.Struct, frozen=True):
    """A row of the table: Leadership, D6 of deserters, whether the army still moves; in a word."""

    effect: Effect
    ld: int = 0
    desert: int = 0
    moves: bool = True


class Want(msgspec.Struct, frozen=True):
    """What the want of supply does to an army this turn."""

    ld: int
    deserters: int
    moves: bool


WANT = TABLES.table("AT-6.3", SupplyRow)


@script("AT-6/phase")
def supply_phase(war: War) -> Next[War]:
    """If an army is cut off, convoys are let through; then every army is looked at.

    Nobody is asked before anybody has made an offer: no agreement can be in force then.
    """
    first: list[Item] = [then(convoys_are_let_through)] if war.talked and cut_off(war) else []
    return war, [*first, then(armies_are_supplied)]


@script("AT-6.2", edition="2026-11.2")
def convoys_are_let_through(war: War) -> Step[War]:
    """Supply passages are declared in public for armies that are cut off, by those who grant them.

    Nobody is asked: an agreement is kept, unless who grants it has wished to hold its convoys back.
    """
    held = yield from wished(present(war), lambda seat: SeveralOf(convoys_to_hold(war, seat)))
    hungry = cut_off(war)
    declared = [
        agreement
        for seat, words in held.items()
        for agreement in undeclared(war, seat)
        if agreement.beneficiary in hungry and f"hold.{agreement.bond}" not in words
    ]
    return (yield from declared_to_all(war, declared)), []


def convoys_to_hold(war: War, seat: str) -> tuple[str, ...]:
    """The supply passages that a seat can wish not to declare: ``hold.<number>``."""
    granted = [a for a in war.agreements if a.kind == "supply" and a.grantor == seat]
    return tuple([f"hold.{agreement.bond}" for agreement in granted])


def declared_to_all(war: War, declared: Sequence[Agreement]) -> Rule[War]:
    """Tell everybody of supply passages; they hold this turn."""
    for agreement in declared:
        yield from tell(
            "AT-6.2", "declared", seat=agreement.grantor, other=agreement.beneficiary,
            places=agreement.territories,
        )  # fmt: skip
    if not declared:
        return war
    kept = [replace(a, declared=war.turn) if a in declared else a for a in war.agreements]
    return replace(war, agreements=tuple(kept))


def undeclared(war: War, seat: str) -> tuple[Agreement, ...]:
    """The supply passages that a seat grants and has not declared this turn."""
    return tuple(
        a
        for a in war.agreements
        if a.kind == "supply" and a.grantor == seat and a.declared != war.turn
    )


@script("AT-6.1")
def armies_are_supplied(war: War) -> Step[War]:
    """A chain of free territories from a royal city, or without one from the richest territory.

    A seat without a chain may pay to find food.
    """
    hungry: list[str] = []
    for code in war.in_play():
        if war.seats[code].army is None:
            continue
        for place in set(sources(war, code)).difference(war.royal_cities(code)):
            yield from tell("AT-6.1", "capital", seat=code, place=place)
        chain = supply_chain(war, code)
        yield from tell(
            "AT-6.1", "unsupplied" if chain is None else "supplied", seat=code, chain=chain or ()
        )
        if chain is None:
            hungry.append(code)
            continue
        war = war.army_changed(code, supplied=True, unsupplied=0).noted(code, supplied=True)
    if not hungry:
        return war, []
    spent = yield from ask_each(
        present(war, hungry),
        lambda seat: bribe(war, seat, partial(want_told, war, seat)),
        absent=0,
        warns=lambda seat, loot: "hungry" if not loot and war.loot(seat) else "",
        spares=True,
    )
    return war, [then(army_goes_hungry, code, spent.get(code, 0)) for code in hungry]


@procedure("AT-6.3/table")
def want_of_supply(earlier_turns: int, loot: int, supply_count: str) -> Rule[Want]:
    """D6, less for each turn without supply, more for loot; low and the army suffers.

    earlier_turns: consecutive turns before this one.   loot: spent now.
    """
    modifiers = want_modifiers(earlier_turns, loot, supply_count)
    yield from explain(modifiers)
    row = WANT.row((yield from roll(1, D6, read=total, why="supply")) + modifiers.total)
    deserters = yield from roll(row.desert, D6, read=total, why="deserters")
    return Want(row.ld, deserters, row.moves)


def want_told(war: War, seat: str, spent: int) -> Fact:
    """What the want of supply may do to his army, if he spends so much."""
    asked = Call(
        want_of_supply.rule, (war.army_of(seat).unsupplied, spent, war.options.supply_count)
    )
    return Fact(
        "want",
        {
            "spared": ChanceOf(asked, lambda want: effect_of(want) == "none"),
            "halted": ChanceOf(asked, lambda want: not want.moves),
            "deserters": MeanOf(asked, lambda want: want.deserters),
        },
    )


@script("AT-6.3")
def army_goes_hungry(war: War, seat: str, spent: int) -> Step[War]:
    """The die says what it costs: Leadership, deserters, a refusal to move.

    spent: what he has set aside against it; less, if the umpire has left him less meanwhile.
    """
    army = war.seats[seat].army
    if army is None:
        return war, []
    spent = min(spent, war.loot(seat))
    war = war.paying(seat, spent)
    want = yield from call(want_of_supply, army.unsupplied, spent, war.options.supply_count)
    effect = effect_of(want)
    yield from tell(
        "AT-6.3", effect, seat=seat, spent=spent, ld=want.ld, deserters=want.deserters,
        moves=want.moves,
    )  # fmt: skip
    if want.ld:
        yield from explain(bonus("AT-6.4", want.ld, "leadership"))
        yield from tell("AT-6.4", "leadership", seat=seat, ld=want.ld)
    war = war.army_changed(
        seat, supplied=False, unsupplied=army.unsupplied + 1, army_ld=army.army_ld + want.ld,
        may_move=army.may_move and want.moves,
    ).noted(seat, supplied=False, supply=effect)  # fmt: skip
    return war, [item("AT-3.2", seat, want.deserters, "desertion")] if want.deserters else []


def effect_of(want: Want) -> Effect:
    """The effect in a word, for the chronicle and the campaign sheet: that of the table's row."""
    felt = want.ld, want.deserters > 0, want.moves
    rows = [band.row for band in WANT.bands]
    return next(row.effect for row in rows if (row.ld, row.desert > 0, row.moves) == felt)
