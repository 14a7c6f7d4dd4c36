"""Chances of Batailles classiques for other programs: a battle fought on to its end, in floats.

    battle({"pm": 80, "morale": 6, "command": 3, "players": 1},
           {"pm": 70, "morale": 5, "command": 4, "players": 1})

One phase in exact fractions, with the means of scores, is `consult_odds("BC-2.1", …)`'s.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any

from polemarque.api import D6, Modifier, call, convert, total
from polemarque.kernel.dice import Scripted
from polemarque.odds.consult import Asked
from polemarque.odds.enumeration import law
from polemarque.odds.rolls import TooLarge, rolled
from polemarque.odds.run_once import run_procedure
from polemarque.odds.sampling import MOST, Played, by_total, sample_shares
from polemarque.systems.batailles.consult import TALLIES
from polemarque.systems.batailles.options import Options
from polemarque.systems.batailles.outcome import (
    FEAT,
    GAP,
    consequences,
    fixed_part,
    fought,
    morale_change,
    power_dice,
    still_counts,
    verdict_of,
    winner_loss,
)
from polemarque.systems.batailles.phase import may_fight
from polemarque.systems.batailles.phase_values import (
    Engagement,
    Force,
    GapRow,
    SideCode,
    Verdict,
    loss,
    other,
    out_of_action,
)

Power = tuple[int, int]
"""PM of a and of b."""

Mood = tuple[int, str]
"""By how much a's morale and command exceed b's, and whose win counts towards a pair (BC-3.2)."""

Ending = tuple[GapRow, SideCode | None]
"""A row of the table of gaps, and who wins the phase."""

OPTIONS = Options()

POWERS = 20_000
"""A battle with more pairs of PM than this is not worked out."""


def battle(
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    *,
    sample: int | None = None,
    seed: int | str | None = None,
) -> dict[str, float]:
    """Who holds the field of a battle in which both sides go on to BC-3.3 or BC-3.6.

    a, b: sides as consult takes them for BC-2.1 (pm, morale, command, players); options are the
    default ones.   sample: fight it so many times instead, from `seed` if one is given; armies may
    be larger then.  Gives {"a": p, "b": p, "none": p}, right to 1e-12.  Raises NotUnderstood,
    NotAllowed on a side that is out of action before it begins, and TooLarge for more than
    `POWERS` pairs of PM.
    """
    given: Any = Asked("BC-2.1", {"a": a, "b": b}).inputs
    ours, theirs = given.a.force, given.b.force
    may_fight(ours, "a")
    may_fight(theirs, "b")
    ahead = fixed_part(ours).total - fixed_part(theirs).total
    found = {"a": 0.0, "b": 0.0, "none": 0.0}
    if sample is not None:
        return found | sample_shares(_battles(ours, theirs, ahead), sample, seed)
    if ours.pm * theirs.pm > POWERS:
        raise TooLarge("odds.too_large", rule="BC-2.1", part=f"{ours.pm}v{theirs.pm}")
    # Every phase but the last costs PM: who has the most in all is looked at first.
    waiting: list[dict[Power, dict[Mood, float]]] = [{} for _ in range(ours.pm + theirs.pm + 1)]
    waiting[-1][ours.pm, theirs.pm] = {(ahead, "none"): 1.0}
    while waiting:
        for power, moods in waiting.pop().items():
            dice = [power_dice(pm, OPTIONS.pm_dice) for pm in power]
            for then, winner, chance in _phase(power, moods, dice[0] + ours.players,
                                               dice[1] + theirs.players):  # fmt: skip
                if isinstance(then, str):
                    found[then] += sum(chance.values())
                else:
                    onward = waiting[sum(then)].setdefault(then, defaultdict(float))
                    for mood, p in chance.items():
                        onward[_mood_after(mood, winner)] += p
    return found


def _phase(
    power: Power, moods: Mapping[Mood, float], dice_a: int, dice_b: int
) -> Iterator[tuple[Power | str, SideCode | None, dict[Mood, float]]]:
    """What a phase leads to, who wins it, and with what chance after each mood before it."""
    verdicts: dict[Ending, dict[Mood, float]] = defaultdict(dict)
    for mood, p in moods.items():
        for verdict, chance in _verdicts(dice_a, dice_b, mood[0]):
            verdicts[verdict][mood] = p * chance
    for (row, winner), chances in verdicts.items():
        for then, share in _costs(power, row, winner).items():
            yield then, winner, {mood: p * share for mood, p in chances.items()}


@lru_cache(maxsize=1 << 14)
def _verdicts(dice_a: int, dice_b: int, ahead: int) -> tuple[tuple[Ending, float], ...]:
    """All dice together, less 7 for each of b's, fall as a's do less those of b."""
    first, others, scale = rolled(total, dice_a + dice_b, D6)
    found: dict[Ending, int] = defaultdict(int)
    for shown, weight in [first, *others]:
        verdict = verdict_of(ahead + shown - (D6 + 1) * dice_b)
        found[verdict.row, verdict.winner] += weight
    return tuple([(pair, weight / scale) for pair, weight in found.items()])


def _costs(power: Power, row: GapRow, winner: SideCode | None) -> dict[Power | str, float]:
    """PM after a phase (BC-2.3, BC-2.7), or who holds the field once it is over."""
    if winner is None:
        return {_after(power, {"a": row.loser, "b": row.loser}, None): 1.0}
    found: dict[Power | str, float] = defaultdict(float)
    args = (row.winner_least, row.winner_most, OPTIONS.winner_losses, None)
    for paid, p in _winner_losses(args):
        found[_after(power, {winner: paid, other(winner): row.loser}, winner)] += p
    return found


@lru_cache
def _winner_losses(args: tuple[Any, ...]) -> list[tuple[int, float]]:
    return [(end.value, float(end.p)) for end in law(winner_loss.rule, args).outcomes]


def _after(power: Power, due: Mapping[SideCode, int], winner: SideCode | None) -> Power | str:
    """Losses with their caps (BC-2.8, BC-2.9), who is out (BC-3.3), the last phase (BC-3.6)."""
    a, b = [Force(pm, pm, 0, 0) for pm in power]
    lost_a = loss(Modifier(due["a"], "", ""), a, b, won=winner == "a", options=OPTIONS).total
    lost_b = loss(Modifier(due["b"], "", ""), b, a, won=winner == "b", options=OPTIONS).total
    left = power[0] - lost_a, power[1] - lost_b
    beaten_a, beaten_b = (out_of_action(pm) for pm in left)
    if not lost_a and not lost_b:
        beaten_a, beaten_b = winner != "a", winner != "b"
    if beaten_a or beaten_b:
        return "none" if beaten_a and beaten_b else "b" if beaten_a else "a"
    return left


@lru_cache(maxsize=1 << 14)
def _mood_after(mood: Mood, winner: SideCode | None) -> Mood:
    """Morale won and lost with a phase (BC-3.1, BC-3.2)."""
    ahead, previous = mood
    gained = morale_change("a", winner, previous, OPTIONS).total
    lost = morale_change("b", winner, previous, OPTIONS).total
    return ahead + gained - lost, still_counts(winner, previous, OPTIONS)


# Samples -----------------------------------------------------------------------------------------

SIDES: tuple[SideCode | None, ...] = (None, "a", "b")
"""Winners as kernels number them; nobody is "none" where a win counts."""


def _battles(a: Force, b: Force, ahead: int) -> Played:
    """A whole battle as a kernel plays it: all that it looks up is what the rules say."""
    table = [band.row for band in GAP.bands]
    worst = Modifier(max([max(row.loser, row.winner_most) for row in table]), "", "")
    host = Force(MOST, MOST, 0, 0)

    def capped(side: Force, foe: Force, *, won: bool = False) -> int:
        return loss(worst, side, foe, won=won, options=OPTIONS).total

    by_pm: list[int] = []
    for pm in range(max(a.pm, b.pm) + 1 if max(a.pm, b.pm) <= MOST else 0):
        few = Force(pm, pm, 0, 0)
        costs = capped(few, host), capped(host, few), capped(host, few, won=True)
        by_pm += (power_dice(pm, OPTIONS.pm_dice), *costs, out_of_action(pm))
    moods: list[int] = []
    for winner, previous in product(SIDES, SIDES):
        more, counts = _mood_after((0, previous or "none"), winner)
        moods += (more, SIDES.index(None if counts == "none" else counts))
    due = [n for row in table for n in (row.loser, row.winner_least, int(row.ranged))]
    figures = [a.pm, a.players, b.pm, b.players, ahead]
    return Played(
        "battles", [figures, by_total(GAP), due, by_pm, moods], ("a", "b", "none").__getitem__
    )


def _phases(asked: Asked) -> Played | None:
    """BC-2.1, unless the umpire is asked."""
    given: Any = asked.inputs
    a, b, options = given.a.force, given.b.force, convert(asked.options, Options)
    may_fight(a, "a")
    may_fight(b, "b")
    dice = [(power_dice(side.pm, options.pm_dice), side.players) for side in (a, b)]
    fixed = [fixed_part(side).total for side in (a, b)]
    if options.winner_losses == "umpire" and given.winner_loss is None:
        return None

    def fought_out(number: int) -> Engagement:
        verdict, die = divmod(number, 7)
        row, winner = GAP.bands[verdict // 3].row, SIDES[verdict % 3]
        ran = run_procedure(
            lambda: call(
                consequences, a, b, row, winner, options, given.previous_winner, given.winner_loss
            ),
            Scripted([die] if die else []),
            rules=asked.rules,
        )
        return fought(Verdict(row, winner), ran.value)

    ranged = [int(band.row.ranged and options.winner_losses == "dice") for band in GAP.bands]
    figures = [*dice[0], fixed[0], *dice[1], fixed[1], FEAT]
    return Played("phases", [figures, by_total(GAP), ranged], fought_out, TALLIES)


KERNELS = {"BC-2.1": _phases}
"""Rules that a kernel plays, and how; None where it does not."""
