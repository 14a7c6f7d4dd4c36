"""Chances of Promiterra for other programs: one exchange, and a fight to the end, in floats.

    exchange({"units": 50, "attack": 3, "defence": 2}, {"units": 20, "attack": 3, "defence": 3})

Troops are mappings as `consult` takes them for PR-5.3: units from 0, attack 0 to 6, defence 0 to 5,
fort 0 to 4 (0 by default).  Probabilities are right to 1e-12; impossible outcomes are left out.
Exact fractions, with the means of hits, are `consult_odds("PR-5.3", …)`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from operator import mul
from typing import Any

import msgspec

from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.decoding import convert
from polemarque.odds.consult import Asked
from polemarque.odds.rolls import TooLarge
from polemarque.odds.sampling import Played, by_total, sample_shares
from polemarque.systems.promiterra.chapters.dice_cutting import CUTTING, Cut, cut, left_after
from polemarque.systems.promiterra.chapters.strikes import FACES, Fighter, counting_fort, strain
from polemarque.systems.promiterra.consult import FighterInput, Toll
from polemarque.systems.promiterra.setup.options import DiceRule

Losses = dict[int, float]
"""Units lost -> probability."""

POSITIONS = 50_000
"""A fight between troops with more pairs of strengths than this is not worked out."""

TINY = 1e-250
"""A chance below this is no beginning for others: it may be 0 as a float."""


def exchange(
    attacker: Mapping[str, Any],
    defender: Mapping[str, Any],
    riposte: bool = True,
    dice: DiceRule = "cut",
) -> dict[str, Losses]:
    """The losses of both in one attack and its riposte (PR-5.3), which are independent.

    riposte: whether the defender answers, with all its units.   dice: "cut" by the table of PR-6,
    or "all" for one die a unit.
    Gives {"defender_losses": {n: p}, "attacker_losses": {n: p}}.  Raises NotUnderstood.
    """
    a, d = _fighters(attacker, defender, dice)
    back = _losses(d, a, dice) if riposte else {0: 1.0}
    return {"defender_losses": _losses(a, d, dice), "attacker_losses": back}


def fight(
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    dice: DiceRule = "all",
    *,
    sample: int | None = None,
    seed: int | str | None = None,
) -> dict[str, float]:
    """How a fight to the end comes out: two troops attack in turn, `a` first, with full riposte.

    sample: play it so many times instead, from `seed` if one is given; armies may be larger then.
    Gives the probability that a or b is left alone ("a", "b"), that both perish in one exchange
    ("none"), or that neither can ever hurt the other ("stalemate").  Raises NotUnderstood, and
    TooLarge for armies of more than `POSITIONS` pairs of strengths.

    Attack and riposte strike alike, so it does not matter to the chances whose turn it is.
    """
    first, second = _fighters(a, b, dice)
    if first.units and second.units and not first.attack and not second.attack:
        return {"a": 0.0, "b": 0.0, "none": 0.0, "stalemate": 1.0}
    if sample is not None:
        played = Played("fights", _given(first, second, dice), ("a", "b", "none").__getitem__)
        return {"a": 0.0, "b": 0.0, "none": 0.0, "stalemate": 0.0} | sample_shares(
            played, sample, seed
        )
    if (first.units + 1) * (second.units + 1) > POSITIONS:
        raise TooLarge("odds.too_large", rule="PR-5.3", part=f"{first.units}v{second.units}")
    rolled = _all_dice if dice == "all" else _cut_dice
    fought = first.units and second.units
    ends = rolled(first, second) if fought else _ended(first.units, second.units)
    return {"a": ends.real, "b": max(1 - ends.real - ends.imag, 0.0), "none": ends.imag,
            "stalemate": 0.0}  # fmt: skip


def _fighters(
    attacker: Mapping[str, Any], defender: Mapping[str, Any], dice: str
) -> tuple[Fighter, Fighter]:
    try:
        one, other = convert(attacker, FighterInput), convert(defender, FighterInput)
    except msgspec.ValidationError:
        Asked("PR-5.3", {"attacker": attacker, "defender": defender})  # says which field, and why
        raise NotUnderstood("consult.object", rule="PR-5.3", part="inputs") from None
    if dice not in ("cut", "all"):
        Asked("PR-5.3", {"attacker": attacker, "defender": defender}, {"dice": dice})
    return one.fighter, other.fighter


# One strike --------------------------------------------------------------------------------------


def binomial(n: int, p: float, most: int) -> list[float]:
    """The chances of 0, 1, 2… successes in n tries; the last is that of `most` or more."""
    if p >= 1 or not n:
        return [*[0.0] * min(n, most), 1.0]
    chance, odds = (1 - p) ** n, p / (1 - p)
    if chance < TINY:
        return _outwards(n, p, most)
    found = [chance]
    for k in range(min(n, most)):
        chance *= (n - k) / (k + 1) * odds
        found.append(chance)
    if n > most:
        found[most] = 0.0
        found[most] = max(1 - sum(found), 0.0)
    return found


def _outwards(n: int, p: float, most: int) -> list[float]:
    """The same from the likeliest number, where the chance of no success is too small a float."""
    likeliest, odds = int((n + 1) * p), p / (1 - p)
    up, down = [1.0], [1.0]
    for k in range(likeliest, n):
        up.append(up[-1] * (n - k) / (k + 1) * odds)
    for k in range(likeliest, 0, -1):
        down.append(down[-1] * k / ((n - k + 1) * odds))
    whole = down[:0:-1] + up
    total = sum(whole)
    return [*[each / total for each in whole[:most]], sum(whole[most:]) / total][: n + 1]


def _losses(attacker: Fighter, target: Fighter, dice: DiceRule) -> Losses:
    """What a strike costs its target, capped by what it has (PR-5.3, PR-6.4)."""
    if dice == "all":
        known = strain(attacker, target)
        chances = binomial(known.units, known.takes / known.of, target.units)
        found = dict(enumerate(chances))
        return found if all(chances) else {lost: p for lost, p in found.items() if p}
    fort = counting_fort(target.fort, attacker.fort)
    return _capped(_left(attacker.units, attacker.attack, target.defence, fort), target.units)


def _capped(left: Losses, most: int) -> Losses:
    """Hits that are left as losses of a troop of `most` units, without the impossible."""
    found: Losses = {}
    for lost in sorted(left):
        due = min(lost, most)
        found[due] = found.get(due, 0.0) + left[lost]
    return {lost: p for lost, p in found.items() if p}


@lru_cache(maxsize=4096)
def _left(units: int, attack: int, defence: int, fort: int) -> Losses:
    """Hits that are left of a strike whose dice are cut (PR-5.1, PR-5.2, PR-7.2)."""
    thrown = cut(units, "cut")
    hits = binomial(thrown.dice, attack / FACES, thrown.dice)
    left = {struck * thrown.multiplier: p for struck, p in enumerate(hits)}
    for level in (defence, fort) if fort else (defence,):
        past: Losses = {}
        for due, p in left.items():
            thrown = cut(due, "cut")
            for saved, chance in enumerate(binomial(thrown.dice, level / FACES, thrown.dice)):
                rest = left_after(due, saved, thrown)
                past[rest] = past.get(rest, 0.0) + p * chance
        left = past
    return left


# A fight to the end ------------------------------------------------------------------------------
#
# A position is (units of a, units of b).  What is sought for each is one complex number: its real
# part is the chance that a is left alone, its imaginary part that nobody is.


def _all_dice(a: Fighter, b: Fighter) -> complex:
    """Losses are binomial, so what b's dice leave of a is known from one die fewer."""
    to_b, to_a = strain(a, b), strain(b, a)
    pa, pb = to_b.takes / to_b.of, to_a.takes / to_a.of
    strikes = [binomial(i, pa, i) for i in range(a.units + 1)]
    backward = [chances[::-1] for chances in strikes]
    # after[i][k]: what awaits i units of a when b, now k strong, has yet to riposte with j dice
    after: list[list[complex]] = [[_ended(i, 0)] for i in range(a.units + 1)]
    for j in range(1, b.units + 1):
        riposte = binomial(j, pb, j)
        answered = riposte[::-1]
        before = after
        after = [before[0]] + [
            [(1 - pb) * stays + pb * falls for stays, falls in zip(here, below, strict=True)]
            for below, here in pairwise(before)
        ]
        column: list[complex] = [0j]  # by units of a, b being j strong
        after[0].append(0j)
        for i in range(1, a.units + 1):
            strike, waiting = strikes[i], after[i]
            few = min(i, j - 1)
            struck = sum(map(mul, backward[i][i - few : i], waiting[j - few : j]))
            struck += sum(strike[j:]) * waiting[0]
            lost = min(j, i - 1)
            unhurt = sum(map(mul, answered[j - lost : j], column[i - lost : i]))
            here = (struck + strike[0] * unhurt) / (1 - strike[0] * riposte[0])
            column.append(here)
            waiting.append(unhurt + riposte[0] * here)
    return column[a.units]


def _cut_dice(a: Fighter, b: Fighter) -> complex:
    """Many strengths roll the same dice (PR-6.1): what these leave of a is worked out once."""
    forts = counting_fort(b.fort, a.fort), counting_fort(a.fort, b.fort)
    ends = [[_ended(i, 0) for i in range(a.units + 1)]]
    """By units of b, then of a."""
    answered: dict[tuple[Cut, int, int], complex] = {}
    """What awaits i units of a, once b, k strong now, has rolled such dice."""
    for j in range(1, b.units + 1):
        thrown, riposte = cut(j, "cut"), _left(j, b.attack, a.defence, forts[1])
        ends.append(column := [0j])
        for i in range(1, a.units + 1):
            strike = _capped(_left(i, a.attack, b.defence, forts[0]), j)
            stays, found = strike.pop(0, 0.0), 0j
            for killed, p in strike.items():
                key = (thrown, i, j - killed)
                if key not in answered:
                    then = ends[j - killed]
                    answered[key] = sum(
                        [q * then[max(i - lost, 0)] for lost, q in riposte.items()], 0j
                    )
                found += p * answered[key]
            unhurt = sum([q * column[max(i - lost, 0)] for lost, q in riposte.items() if lost])
            column.append((found + stays * unhurt) / (1 - stays * riposte.get(0, 0.0)))
    return ends[b.units][a.units]


def _ended(a: int, b: int) -> complex:
    return 0j if b else (1 + 0j if a else 1j)


# Samples -----------------------------------------------------------------------------------------


def _given(a: Fighter, b: Fighter, dice: str, riposte: bool = True) -> list[list[int]]:
    """Two troops and the table of PR-6.1 as kernels take them."""
    forts = counting_fort(a.fort, b.fort), counting_fort(b.fort, a.fort)
    figures = [
        figure
        for one, fort in zip((a, b), forts, strict=True)
        for figure in (one.units, one.attack, one.defence, fort)
    ]
    return [[*figures, int(riposte)], *(_cutting() if dice == "cut" else ([], []))]


@lru_cache
def _cutting() -> tuple[list[int], list[int]]:
    return by_total(CUTTING), [
        n for band in CUTTING.bands for n in (band.row.dice, band.row.multiplier)
    ]


def _exchanges(asked: Asked) -> Played:
    """PR-5.3."""
    inputs: Any = asked.inputs
    a, d = inputs.attacker.fighter, inputs.defender.fighter
    return Played(
        "exchanges",
        _given(a, d, asked.options["dice"], inputs.riposte),
        lambda key: Toll(0, key // (a.units + 1), 0, key % (a.units + 1)),
        ("hits", "riposte_hits"),
    )


KERNELS = {"PR-5.3": _exchanges}
"""Rules that a kernel plays, and how."""
