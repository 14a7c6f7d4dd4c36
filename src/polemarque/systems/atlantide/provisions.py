"""Chapter « Ravitaillement » (AT-6): convoys let through, and what an army without supply does."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from polemarque.kernel.agenda import (
    Item,
    Rule,
    ask_each,
    call,
    explain,
    procedure,
    roll,
    script,
    tell,
)
from polemarque.kernel.dice import D6, total
from polemarque.kernel.events import bonus
from polemarque.kernel.request import Filling, Options, SeveralOf, Sheet
from polemarque.systems.atlantide.agreements import Agreement
from polemarque.systems.atlantide.breaking import (
    breaks,
    may_break,
    nothing_broken,
    present,
    somebody_cut_off,
)
from polemarque.systems.atlantide.spending import bribe
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.supply import supply_chain, want_modifiers
from polemarque.systems.atlantide.tables import TABLES

Effect = Literal["mutiny", "refusal", "anger", "desertion", "none"]


class Row(msgspec.Struct, frozen=True):
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


WANT = TABLES.table("AT-6.3", Row)


@script("AT-6/phase")
def supply_phase(war: War) -> tuple[War, list[Item]]:
    """If an army is cut off, convoys are let through; then every army is looked at.

    Nobody is asked before anybody has made an offer: no agreement can be in force then.
    """
    first: list[Item] = [("AT-6.2",)] if war.talked and somebody_cut_off(war) else []
    return war, [*first, ("AT-6.1",)]


@script("AT-6.2")
def convoys_are_let_through(war: War) -> Rule[tuple[War, list[Item]]]:
    """Agreements are broken, and supply passages declared in public by those who grant them."""
    sheets = yield from ask_each(
        present(war),
        lambda seat: _convoys(war, seat),
        absent=lambda seat: {**nothing_broken(war, seat), **nothing_declared(war, seat)},
    )
    war = yield from breaks(war, sheets)
    return (yield from declares(war, sheets)), []


def declares(war: War, sheets: Mapping[str, Mapping[str, Any]]) -> Rule[War]:
    """Tell everybody of the supply passages that these sheets declare; they hold this turn."""
    declared = {
        agreement.id: agreement
        for seat, sheet in sheets.items()
        for agreement in _undeclared(war, seat)
        if agreement.id in sheet.get("declare", ())
    }
    for agreement in declared.values():
        yield from tell(
            "AT-6.2", "declared", seat=agreement.grantor, other=agreement.beneficiary,
            places=agreement.territories,
        )  # fmt: skip
    if not declared:
        return war
    kept = [replace(a, declared=war.turn) if a.id in declared else a for a in war.agreements]
    return replace(war, agreements=tuple(kept))


def _undeclared(war: War, seat: str) -> tuple[Agreement, ...]:
    """The supply passages that a seat grants and has not declared this turn."""
    return tuple(
        [
            a
            for a in war.agreements
            if a.kind == "supply" and a.grantor == seat and a.declared != war.turn
        ]
    )


def _convoys(war: War, seat: str) -> Sheet:
    def fill() -> Filling:
        broken = yield from may_break(war, seat)
        yield from may_declare(war, seat, broken)

    return Sheet(fill)


def may_declare(
    war: War, seat: str, broken: tuple[int, ...]
) -> Generator[tuple[str, Options], Any, None]:
    """The part of a sheet in which a seat declares supply passages, those just broken apart."""
    grants = tuple([a.id for a in _undeclared(war, seat) if a.id not in broken])
    if grants:
        yield "declare", SeveralOf(grants, label="agreement")


def nothing_declared(war: War, seat: str) -> dict[str, Any]:
    """The answer of an absent player: he declares nothing."""
    return {"declare": ()} if _undeclared(war, seat) else {}


@script("AT-6.1")
def armies_are_supplied(war: War) -> Rule[tuple[War, list[Item]]]:
    """A chain of free territories to the royal city; whoever has none may pay to find food."""
    hungry: list[str] = []
    for code in war.in_play():
        if war.seats[code].army is None:
            continue
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
    spent = yield from ask_each(present(war, hungry), lambda seat: bribe(war, seat), absent=0)
    return war, [("AT-6.3", code, spent.get(code, 0)) for code in hungry]


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


@script("AT-6.3")
def army_goes_hungry(war: War, seat: str, spent: int) -> Rule[tuple[War, list[Item]]]:
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
    return war, [("AT-3.2", seat, want.deserters, "desertion")] if want.deserters else []


def effect_of(want: Want) -> Effect:
    """The effect in a word, for the chronicle and the campaign sheet: that of the table's row."""
    felt = want.ld, want.deserters > 0, want.moves
    rows = [band.row for band in WANT.bands]
    return next(row.effect for row in rows if (row.ld, row.desert > 0, row.moves) == felt)
