"""Chapter « Une phase » (BC-2): both sides engage, their scores meet, and one of them pays more."""

from __future__ import annotations

from itertools import groupby

from msgspec.structs import replace

from polemarque.api import (
    D6,
    Amount,
    ClosedForm,
    NotAllowed,
    Rule,
    Step,
    ask_each,
    call,
    procedure,
    script,
    tally,
    tell,
    then,
    total,
)
from polemarque.systems.batailles.after import morale_changes, sides_out_of_action, streak
from polemarque.systems.batailles.lent_priests import engagement_with_priests, holders
from polemarque.systems.batailles.options import Options
from polemarque.systems.batailles.outcome import (
    FEAT,
    compared,
    consequences,
    fixed_part,
    fought,
    power_dice,
    score,
    verdict_of,
)
from polemarque.systems.batailles.phase_values import (
    OUT_OF_ACTION,
    Engagement,
    Force,
    SideCode,
    Verdict,
    out_of_action,
)
from polemarque.systems.batailles.state import Battle
from polemarque.systems.batailles.unit_losses import losses_are_taken

MOST = 5_000
"""With more dice than this, fractions are longer than anybody reads."""

BOTH = D6 + 1
"""A face and the one that lies below."""


def scores_law(a: Force, b: Force, pm_dice: str) -> ClosedForm:
    """Who wins by which row, with the means of scores, gap and feats of arms."""
    ours = power_dice(a.engaged, pm_dice) + a.players
    theirs = power_dice(b.engaged, pm_dice) + b.players
    dice = ours + theirs
    if dice > MOST:
        raise OverflowError(f"{dice}D{D6}")
    fixed_a, fixed_b = fixed_part(a).total, fixed_part(b).total
    law, others = total.law(dice, D6), total.law(dice - 1, D6) if dice else {}
    before = fixed_a - fixed_b - BOTH * theirs
    ends = []
    for verdict, each in groupby(law, lambda shown: verdict_of(before + shown)):
        totals = list(each)
        ways = sum([law[n] for n in totals])
        shown = sum([law[n] * n for n in totals])
        gap = abs(before * ways + shown)
        # The ways in which a certain die is a feat; b's dice count from the other side.
        feats_a = sum([others.get(n - FEAT, 0) for n in totals])
        feats_b = sum([others.get(n - (BOTH - FEAT), 0) for n in totals])
        every = ways * (dice or 1)
        means = {
            "score_a": (fixed_a * every + ours * shown, every),
            "score_b": ((fixed_b + theirs * BOTH) * every - theirs * shown, every),
            "gap": (gap, ways),
            "feats_a": (a.players * feats_a, ways),
            "feats_b": (b.players * feats_b, ways),
        }
        ends.append((verdict, ways, means))
    return ends, D6**dice


AFTER = (
    then(losses_are_taken, "a"),
    then(losses_are_taken, "b"),
    then(morale_changes),
    then(streak),
    then(sides_out_of_action),
)
"""What follows a phase: losses of both sides, morale, and who can go on."""


@procedure("BC-2.1")
def engagement(
    a: Force, b: Force, options: Options, previous: str, stated: int | None
) -> Rule[Engagement]:
    """One phase, from the dice of both sides to what it costs them.

    previous: who won the phase before, if that win still counts ("a", "b" or "none", BC-3.2).
    stated:   the winner's loss, where it is known in advance instead of being asked (BC-2.7).
    Tallies scores, gap and feats of arms.  Raises NotAllowed on a side out of action (BC-3.3).
    """
    may_fight(a, "a")
    may_fight(b, "b")
    verdict = yield from call(scores_meet, a, b, options.pm_dice)
    yield from tally(score_a=verdict.score_a, score_b=verdict.score_b, gap=verdict.gap)
    yield from tally(feats_a=verdict.feats_a, feats_b=verdict.feats_b)
    row, winner = verdict.row, verdict.winner
    costs = yield from call(consequences, a, b, row, winner, options, previous, stated)
    return fought(verdict, costs)


@procedure("BC-2.1/scores", law=scores_law)
def scores_meet(a: Force, b: Force, pm_dice: str) -> Rule[Verdict]:
    """Both sides roll, and their scores are compared."""
    ours = yield from call(score, "a", a, pm_dice)
    theirs = yield from call(score, "b", b, pm_dice)
    yield from tally(score_a=ours.score, score_b=theirs.score, gap=abs(ours.score - theirs.score))
    yield from tally(feats_a=ours.feats, feats_b=theirs.feats)
    return (yield from compared(ours.score, theirs.score, a, b))


def may_fight(force: Force, side: SideCode) -> None:
    """Raises NotAllowed on a side that is out of action: it can start nothing (BC-3.3)."""
    if out_of_action(force.pm):
        raise NotAllowed(
            "batailles.out_of_action", rule="BC-3.3", part=side, legal=(f"> {OUT_OF_ACTION} PM",),
            pm=force.pm, least=OUT_OF_ACTION + 1,
        )  # fmt: skip


@script("BC-2.8/engage")
def sides_engage(battle: Battle) -> Step[Battle]:
    """By the variant `chosen`, each side seals how many of its PM it puts into the phase."""
    power = {side.seat: side.pm for _, side in battle.sides()}
    engaged = yield from ask_each(
        power, lambda seat: Amount(1, power[seat], unit="pm"), absent=lambda seat: power[seat]
    )
    for code, side in battle.sides():
        put_in = engaged[side.seat]
        battle = battle.changed(code, engaged=put_in)
        yield from tell(
            "BC-2.8", "engaged", side=code, name=side.name, engaged=put_in, pm=side.pm,
            held=side.pm - put_in,
        )  # fmt: skip
    return battle, []


@script("BC-2.1/phase")
def phase_is_fought(battle: Battle) -> Step[Battle]:
    """One phase, with whatever each side puts in; its figures serve this phase only."""
    a, b = battle.force("a"), battle.force("b")
    if holders(battle):
        blessed = yield from call(
            engagement_with_priests, a, b, battle.options, battle.previous, holders(battle)
        )
        fate = blessed.fate
        battle = battle.with_side("a", battle.a.spending(rerolls=blessed.spent_a))
        battle = battle.with_side("b", battle.b.spending(rerolls=blessed.spent_b))
    else:
        fate = yield from call(engagement, a, b, battle.options, battle.previous, None)
    spent = {"engaged": None, "strategy": 0, "blessing": 0}
    a_after, b_after = replace(battle.a, **spent), replace(battle.b, **spent)
    return replace(battle, a=a_after, b=b_after, last=fate), list(AFTER)
