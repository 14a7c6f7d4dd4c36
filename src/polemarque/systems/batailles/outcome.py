"""What the gap of two scores costs (BC-2.3 to BC-2.7), its caps and the morale of both sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from polemarque.api import (
    D6,
    Amount,
    Modifier,
    NotAllowed,
    Rule,
    Sum,
    ask_umpire,
    bonus,
    call,
    explain,
    procedure,
    roll,
    tell,
    total,
)
from polemarque.systems.batailles.options import Options
from polemarque.systems.batailles.phase_values import (
    SIDES,
    Consequences,
    Engagement,
    Force,
    GapRow,
    SideCode,
    Verdict,
    loss,
    other,
    out_of_action,
)
from polemarque.systems.batailles.tables import TABLES

GAP = TABLES.table("BC-2.3", GapRow)

DEFEAT, STREAK = -2, 2
"""Morale lost with a phase (BC-3.1), and won with the second of two in a row (BC-3.2)."""


def compared(score_a: int, score_b: int, a: Force, b: Force) -> Rule[Verdict]:
    """The outcome that the gap of two scores gives (BC-2.4, BC-2.5, BC-2.6), and its winner.

    No tallies yet.
    """
    verdict = verdict_of(score_a - score_b)
    row, winner = verdict.row, verdict.winner
    names = {"a": a.name, "b": b.name}
    yield from tell(
        row.paragraph, row.outcome, gap=abs(score_a - score_b), winner=winner,
        name=names.get(winner or "", ""), loser_pm=row.loser, least=row.winner_least,
        most=row.winner_most,
    )  # fmt: skip
    return verdict


def verdict_of(ahead: int) -> Verdict:
    """The row that a score of a, less that of b, leads to.  No tallies."""
    return Verdict(GAP.row(abs(ahead)), None if not ahead else "a" if ahead > 0 else "b")


def most_lost(side: Force, foe: Force, options: Options) -> int:
    """The most PM that one phase can cost a side: the worst defeat, by its caps (BC-2.8)."""
    worst = max([band.row for band in GAP.bands], key=lambda row: row.loser)
    due = Modifier(worst.loser, worst.outcome, worst.paragraph)
    return loss(due, side, foe, won=False, options=options).total


def fought(verdict: Verdict, costs: Consequences) -> Engagement:
    """A whole phase, its tallies left to the caller."""
    return Engagement(
        outcome=verdict.row.outcome, winner=verdict.winner,
        loss_a=costs.loss_a, loss_b=costs.loss_b,
        morale_a=costs.morale_a, morale_b=costs.morale_b,
        out_a=costs.out_a, out_b=costs.out_b,
    )  # fmt: skip


@procedure("BC-2.3")
def consequences(
    a: Force, b: Force, row: GapRow, winner: SideCode | None, options: Options, previous: str,
    stated: int | None,
) -> Rule[Consequences]:  # fmt: skip
    """What an outcome costs: losses with their caps, morale, and who is out of action."""
    forces = {"a": a, "b": b}
    due = dict.fromkeys(SIDES, row.loser)
    if winner:
        due[winner] = yield from call(
            winner_loss, row.winner_least, row.winner_most, options.winner_losses, stated
        )
        if row.ranged:
            yield from tell("BC-2.7", options.winner_losses, side=winner, loss=due[winner])
    lost, change, out = {}, {}, {}
    for side in SIDES:
        costs = Modifier(due[side], row.outcome, row.paragraph)
        lost[side] = loss(
            costs, forces[side], forces[other(side)], won=side == winner, options=options
        )
        yield from tell_losses(side, forces[side], lost[side])
    for side in SIDES:
        change[side] = morale_change(side, winner, previous, options)
        yield from tell_morale(side, forces[side], change[side])
    for side in SIDES:
        left = forces[side].pm - lost[side].total
        out[side] = out_of_action(left)
        if out[side]:
            yield from tell("BC-3.3", "out", side=side, name=forces[side].name, left=left)
    return Consequences(
        lost["a"].total, lost["b"].total, change["a"].total, change["b"].total, out["a"], out["b"]
    )


def tell_losses(side: SideCode, force: Force, lost: Sum) -> Rule[None]:
    """A side's losses, before and after the caps (BC-3.5)."""
    due = lost.parts[0].amount
    yield from explain(lost)
    yield from tell(
        "BC-3.5", "losses", side=side, name=force.name, due=due, loss=lost.total,
        capped=lost.total < due, left=force.pm - lost.total,
    )  # fmt: skip


def tell_morale(side: SideCode, force: Force, change: Sum) -> Rule[None]:
    """What a phase did to a side's morale, if anything."""
    if change.parts:
        yield from explain(change)
        yield from tell(
            change.parts[0].rule, "morale", side=side, name=force.name, change=change.total,
            points=abs(change.total), morale=force.morale + change.total,
        )  # fmt: skip


@procedure("BC-2.7", edition="2026-11.2")
def winner_loss(least: int, most: int, how: str, stated: int | None) -> Rule[int]:
    """What the winner loses before caps; where the umpire plays, both sides settle it."""
    return (yield from settled(least, most, how, stated, judged))


def settled(
    least: int, most: int, how: str, stated: int | None, judge: Callable[[Amount], Rule[int]]
) -> Rule[int]:
    """What the winner loses before caps: fixed, or settled within a range as the variant says."""
    if least == most:
        return least
    if how == "dice":
        die = yield from roll(1, D6, read=total, why="winner_loss")
        return least + die - 1
    if how == "umpire":
        allowed = Amount(least, most, unit="pm")
        return (yield from judge(allowed)) if stated is None else within(allowed, stated)
    return least if how == "least" else most


def judged(allowed: Amount) -> Rule[int]:
    """The umpire's figure."""
    answer: int = yield from ask_umpire(allowed, absent=allowed.least, subject="winner_loss")
    return answer


def within(allowed: Amount, stated: int) -> int:
    """What somebody has stated, if it is allowed.  Raises NotAllowed."""
    try:
        return allowed.take(stated)
    except NotAllowed as refusal:
        refusal.rule = "BC-2.7"
        raise


def morale_change(side: SideCode, winner: SideCode | None, previous: str, options: Options) -> Sum:
    """How a phase changes a side's morale (BC-2.3, BC-3.1, BC-3.2)."""
    if winner is None:
        return bonus("BC-2.3", -options.tie_morale, "tie")
    if winner != side:
        return bonus("BC-3.1", DEFEAT, "defeat")
    return bonus("BC-3.2", STREAK, "streak") if previous == side else Sum()


def still_counts(
    winner: SideCode | None, previous: str, options: Options
) -> Literal["a", "b", "none"]:
    """Whose win counts towards a pair in the next phase (BC-3.2): a pair that was paid is spent."""
    if winner is None or (options.streak == "pairs" and winner == previous):
        return "none"
    return winner
