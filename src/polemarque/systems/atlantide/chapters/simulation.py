"""« Simulation des combats » (AT-8.11): the book's own table, for absent players or by choice.

It is a resolver like any other: a battle of one script inside the campaign's position.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    ClosedForm,
    Modifier,
    Rule,
    Standing,
    Step,
    Sum,
    System,
    add_system,
    again,
    bonus,
    call,
    explain,
    procedure,
    roll,
    script,
    tell,
    then,
    total,
)
from polemarque.api.battle import Brief, Position, Report, Resolver, register_resolver
from polemarque.systems.atlantide.tables import DATA, TABLES

EDITION = "2026-11"
INDISPOSED = -5
"""The absent player's general is indisposed."""


class Losses(msgspec.Struct, frozen=True):
    """A row of the table: what each side loses, in army points."""

    winner: int
    loser: int


class Simulated(msgspec.Struct, frozen=True):
    """How it went.  Losses are net: nobody comes back (AT-8.7 does not apply)."""

    winner: str
    difference: int
    winner_loss: int
    loser_loss: int


class Fight(msgspec.Struct, frozen=True):
    """A battle before the table."""

    brief: Brief
    result: Simulated | None = None


LOSSES = TABLES.table("AT-8.11", Losses)

NO_MEANS: dict[str, tuple[int, int]] = {}


def brought(
    attacker_force: int, defender_force: int, defender_absent: bool,
    attacker: str = "attacker", defender: str = "defender",
) -> Sum:  # fmt: skip
    """What both sides bring before the dice, each part marked with its side."""
    forces = Sum(
        (
            Modifier(attacker_force, f"combat_force@{attacker}", "AT-8.11"),
            Modifier(defender_force, f"combat_force@{defender}", "AT-8.11"),
        )
    )
    absence = INDISPOSED if defender_absent else 0
    return forces + bonus("AT-8.11", absence, f"indisposed@{defender}")


def decided(gap: int) -> Simulated:
    """How it goes by the difference of the totals, the defender's taken from the attacker's."""
    row = LOSSES.row(abs(gap))
    return Simulated("attacker" if gap > 0 else "defender", abs(gap), row.winner, row.loser)


def simulate_law(attacker_force: int, defender_force: int, defender_absent: bool) -> ClosedForm:
    """The defender's dice fall as 14 less what they show: all four together are one roll."""
    absence = INDISPOSED if defender_absent else 0
    ahead = attacker_force - (defender_force + absence) - 2 * (D6 + 1)
    ends = [
        (decided(ahead + shown), n, NO_MEANS)
        for shown, n in total.law(4, D6).items()
        if ahead + shown
    ]
    return ends, sum([n for _, n, _ in ends])


@procedure("AT-8.11", law=simulate_law)
def simulate(attacker_force: int, defender_force: int, defender_absent: bool) -> Rule[Simulated]:
    """Each adds 2D6 to his combat force; the higher wins, a tie is rolled again.

    An absent defender's general is indisposed.  The script that asks explains what both bring.
    """
    attack = yield from roll(2, D6, read=total, why="attacker")
    defence = yield from roll(2, D6, read=total, why="defender")
    absence = INDISPOSED if defender_absent else 0
    gap = attacker_force + attack - (defender_force + absence + defence)
    if gap == 0:
        return again(attacker_force, defender_force, defender_absent)  # type: ignore[no-any-return]
    return decided(gap)


@script("AT-8.11/table")
def table_decides(fight: Fight) -> Step[Fight]:
    """The sides' combat forces go to the table; with both players absent nobody is indisposed."""
    attacker, defender = fight.brief.sides
    forces = attacker.rights["force"], defender.rights["force"]
    indisposed = defender.absent and not attacker.absent
    yield from explain(brought(*forces, indisposed, attacker.seat, defender.seat))
    result = yield from call(simulate, *forces, indisposed)
    won = attacker if result.winner == "attacker" else defender
    lost = defender if won is attacker else attacker
    yield from tell(
        "AT-8.11", "decided", place=fight.brief.place, winner=won.seat, loser=lost.seat,
        difference=result.difference, winner_loss=result.winner_loss,
        loser_loss=result.loser_loss,
    )  # fmt: skip
    return replace(fight, result=result), []


def _report(_: Brief, fight: Fight) -> Report:
    result = fight.result
    assert result is not None
    won = 0 if result.winner == "attacker" else 1
    points = (result.winner_loss, result.loser_loss)
    points = points if won == 0 else points[::-1]
    return Report(fight.brief.id, won, facts={"decided": "table", "points": points})


def _no_set_up(*_: Any) -> Any:
    raise NotImplementedError("the table is opened from a brief")


SYSTEM = add_system(
    System(
        name="atlantide_table", edition=EDITION,
        titles={"fr": "Simulation des combats", "en": "Simulated battle"},
        seats=(), least=0, options=(), state=Fight, setup=Fight, begin=_no_set_up,
        period=lambda _: 1, view=lambda fight, _: {"place": fight.brief.place},
        standing=lambda fight: Standing(fight.result is not None), data=DATA, playable=False,
    )
)  # fmt: skip

TABLE = register_resolver(
    Resolver(
        "atlantide_table",
        open=lambda brief: Position(
            "atlantide_table", EDITION, Fight(brief), (then(table_decides),), period=1
        ),
        report=_report,
        system="atlantide_table",
    )
)
