"""Results that are independent of each other: their laws apart, in whole numbers, and their joint.

A list of all combinations is made where it is asked for, and nowhere else: of six attackers of
forty units it would have millions of lines, while each of them has a law of ten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby
from math import lcm, prod
from operator import itemgetter
from typing import Any

import msgspec

from polemarque.kernel.agenda import Call, Rules
from polemarque.kernel.position import encode
from polemarque.kernel.system import Chances, Part
from polemarque.odds.consult import Chance, fraction, over
from polemarque.odds.enumeration import law as law_of_rule
from polemarque.odds.rolls import OUTCOMES, RUNS, TooLarge

Ends = list[tuple[tuple[Any, ...], int]]
"""Values of results, in the order of the parts, and their weights."""


def joint(parts: Sequence[Part], rules: Rules) -> tuple[Chance, ...]:
    """All combinations of independent results.  Raises TooLarge before it lists too many."""
    laws = _laws(parts, rules)
    outcomes = prod([len(law.weights) for law in laws])
    if outcomes > OUTCOMES:
        raise TooLarge("odds.joint", part=outcomes, legal=(OUTCOMES,))
    ends: Ends = [((), 1)]
    for law in laws:
        weights = law.weights.items()
        ends = [((*before, value), weight * n) for before, weight in ends for value, n in weights]
    names = [part.result for part in parts]
    if any("[" in name for name in names):
        return _listed(partial(_results, names), ends, parts, laws)
    return _listed(lambda values: dict(zip(names, values, strict=True)), ends, parts, laws)


def apart(parts: Sequence[Part], rules: Rules) -> list[tuple[Chance, ...]]:
    """Each of them alone, under its own key.  Raises TooLarge before it lists too many."""
    found = []
    for part, law in zip(parts, _laws(parts, rules), strict=True):
        ends: Ends = [((value,), n) for value, n in law.weights.items()]
        found.append(_listed(lambda one, key=part.result: {key: one[0]}, ends, [part], [law]))  # type: ignore[misc]
    return found


def _results(names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    """Results by name; those of ``losses[0]``, ``losses[1]``… are a list."""
    found: dict[str, Any] = {}
    for each, value in zip(names, values, strict=True):
        name, listed, _ = each.partition("[")
        if listed:
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    return found


def _listed(
    named: Callable[[tuple[Any, ...]], dict[str, Any]], ends: Ends, parts: Sequence[Part],
    laws: Sequence[Chances],
) -> tuple[Chance, ...]:  # fmt: skip
    """Outcomes as they are written: most probable first, equal ones in the order of their JSON.

    What several share, the mean of a tally, is written once.
    """
    scale = prod([law.scale for law in laws])
    means = [
        (at, part.tally, {value: fraction(law.means[value]) for value in law.weights})
        for at, (part, law) in enumerate(zip(parts, laws, strict=True))
        if part.tally
    ]
    ends.sort(key=itemgetter(1), reverse=True)
    found = []
    for weight, alike in groupby(ends, itemgetter(1)):
        p = over(weight, scale)
        each = [(named(values), values) for values, _ in alike]
        if len(each) > 1:
            each.sort(key=lambda one: encode(one[0]))
        for result, values in each:
            mean = {tally: said[values[at]] for at, tally, said in means} or msgspec.UNSET
            found.append(Chance(result, p, mean))
    return tuple(found)


# One result --------------------------------------------------------------------------------------


def _laws(parts: Sequence[Part], rules: Rules) -> list[Chances]:
    """The laws of parts; what several of them call alike is worked out once.  Raises TooLarge."""
    known: dict[tuple[Call, tuple[str, str]], Chances] = {}
    found = []
    for part in parts:
        if part.size > OUTCOMES:
            raise TooLarge("odds.too_many", part=part.size)
        terms = []
        for term in part.law if isinstance(part.law, tuple) else (part.law,):
            if not isinstance(term, Call):
                terms.append(term())
                continue
            if (term, part.fields) not in known:
                known[term, part.fields] = _called(term, part.fields, rules)
            terms.append(known[term, part.fields])
        found.append(_sum(terms, part.most) if isinstance(part.law, tuple) else terms[0])
    return found


def _called(asked: Call, fields: tuple[str, str], rules: Rules) -> Chances:
    """The law of a field of a procedure's value, with the means of another."""
    result, tally = fields
    outcomes = law_of_rule(asked.rule, asked.args, rules=rules).outcomes
    scale = lcm(*[o.p.denominator for o in outcomes])
    weights: dict[Any, int] = {}
    means: dict[Any, Fraction] = {}
    for o in outcomes:
        value = getattr(o.value, result)
        weights[value] = o.p.numerator * (scale // o.p.denominator)
        if tally:
            means[value] = o.means[tally]
    return Chances(weights, scale, means)


def _sum(terms: Iterable[Chances], most: int) -> Chances:
    """The law of the sum of independent numbers, `most` at most.  Raises TooLarge."""
    weights: Mapping[int, int] = {0: 1}
    scale, left = 1, RUNS
    for term in terms:
        left -= len(weights) * len(term.weights)
        if left < 0:
            raise TooLarge("odds.too_wide", part=RUNS - left, legal=(RUNS,))
        both: dict[int, int] = {}
        for one, weight in weights.items():
            for other, n in term.weights.items():
                value = one + other
                value = value if value < most else most
                both[value] = both.get(value, 0) + weight * n
        weights, scale = both, scale * term.scale
    return Chances(weights, scale, {})
