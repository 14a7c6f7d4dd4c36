"""What the gap of two scores costs (BC-2.3 to BC-2.7), its caps and the morale of both sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

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
    tally,
    tell,
    total,
    total_and,
)
from polemarque.systems.batailles.options import Options
from polemarque.systems.batailles.phase_values import (
    SIDES,
    TEN,
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


FEAT = 6
"""The face of a player's die that is a feat of arms (BC-2.2)."""


class Score(msgspec.Struct, frozen=True):
    """A side's battle score; its feats of arms are a tally."""

    score: int
    feats: int = 0


class Shown(msgspec.Struct, frozen=True):
    """What players add to a score; their feats of arms are a tally."""

    shown: int
    feats: int = 0


def power_dice(engaged: int, pm_dice: str) -> int:
    """How many dice an army rolls: one a full ten of PM, or a started one (BC-2.1)."""
    return -(-engaged // TEN) if pm_dice == "ceil" else engaged // TEN


def fixed_part(force: Force) -> Sum:
    """What a score is made of beside dice."""
    return (
        morale_part(force)
        + bonus("BC-2.1", force.command, "command")
        + bonus("BC-3.4", force.strategy, "strategy")
        + bonus("PA-3", force.blessing, "blessing")
    )


def morale_part(force: Force) -> Sum:
    """Total morale, in its parts where they are known (BC-1.2)."""
    known = force.bonuses or force.change
    base = force.morale - force.bonuses - force.change
    return (
        bonus("BC-1.2", base, "base_morale" if known else "morale")
        + bonus("BC-1.2", force.bonuses, "unit_bonuses")
        + bonus("BC-1.2", force.change, "won_and_lost")
    )


@procedure("BC-2.1/score")
def score(side: SideCode, force: Force, pm_dice: str) -> Rule[Score]:
    """1D6 for each 10 PM, total morale, command, and 1D6 for each player beside the commander."""
    count = power_dice(force.engaged, pm_dice)
    power = yield from roll(count, D6, read=total, why=f"power_{side}")
    if count:
        yield from tell("BC-2.1", "power", side=side, name=force.name, n=count, power=power)
    players = yield from call(players_roll, side, force.players, force.name, force.names)
    yield from tally(feats=players.feats)
    return Score((yield from tell_score(side, force, power, players.shown)))


@procedure("BC-2.2")
def players_roll(side: SideCode, count: int, name: str, names: tuple[str, ...]) -> Rule[Shown]:
    """1D6 for each player beside the commander; a 6 is a feat of arms."""
    shown, feats = yield from roll(
        count, D6, read=total_and(FEAT), why=f"players_{side}", whom=names
    )
    yield from tally(feats=feats)
    yield from tell_players(side, name, count, shown, feats)
    return Shown(shown)


def tell_players(side: SideCode, name: str, count: int, shown: int, feats: int) -> Rule[None]:
    """What the players' dice, just rolled, came to; they show each die by name (BC-2.2)."""
    if count:
        yield from tell(
            "BC-2.2", "players", side=side, name=name, n=count, shown=shown, feats=feats
        )


def tell_score(side: SideCode, force: Force, power: int, shown: int) -> Rule[int]:
    """The whole score of a side, once its dice lie on the table."""
    fixed = fixed_part(force)
    came = power + shown + fixed.total
    yield from explain(fixed)
    yield from tell(
        "BC-2.1", "score", side=side, name=force.name, score=came, power=power, players=shown,
        morale=force.morale, command=force.command, more=force.strategy + force.blessing,
    )  # fmt: skip
    return came
