"""Results that are independent of each other: their laws apart, in whole numbers, and their joint.

A list of all combinations is made where it is asked for, and nowhere else: of six attackers of
forty units it would have millions of lines, while each of them has a law of ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any, NamedTuple

from polemarque.kernel.agenda import Call, Rules
from polemarque.kernel.position import encode
from polemarque.kernel.system import Chances, Part
from polemarque.odds.enumeration import law as law_of_rule
from polemarque.odds.rolls import OUTCOMES, RUNS, TooLarge


class Row(NamedTuple):
    """One outcome: a result, its weight, and the means of its tallies."""

    result: dict[str, Any]
    weight: int
    means: dict[str, Fraction]


class Listed(NamedTuple):
    """Outcomes, most probable first, and what their weights add up to."""

    rows: Sequence[Row]
    scale: int


def joint(parts: Sequence[Part], rules: Rules) -> Listed:
    """All combinations of independent results.  Raises TooLarge before it lists too many."""
    laws = _laws(parts, rules)
    outcomes = prod([len(law.weights) for law in laws])
    if outcomes > OUTCOMES:
        raise TooLarge("odds.joint", part=outcomes, legal=(OUTCOMES,))
    return _combined(parts, laws)


def apart(parts: Sequence[Part], rules: Rules) -> list[Listed]:
    """Each of them alone, under its own key.  Raises TooLarge before it lists too many."""
    found = []
    for part, law in zip(parts, _laws(parts, rules), strict=True):
        rows = [
            Row({part.result: value}, n, {part.tally: law.means[value]} if part.tally else {})
            for value, n in law.weights.items()
        ]
        found.append(Listed(ranked(rows), law.scale))
    return found


def _combined(parts: Sequence[Part], laws: Sequence[Chances]) -> Listed:
    """Every value of each with every value of the others."""
    ends: list[tuple[tuple[Any, ...], int]] = [((), 1)]
    for law in laws:
        weights = law.weights.items()
        ends = [((*before, value), weight * n) for before, weight in ends for value, n in weights]
    tallied = [
        (at, part.tally, law.means)
        for at, (part, law) in enumerate(zip(parts, laws, strict=True))
        if part.tally
    ]
    rows = [
        Row(_result(parts, ended), n, {tally: means[ended[at]] for at, tally, means in tallied})
        for ended, n in ends
    ]
    return Listed(ranked(rows), prod([law.scale for law in laws]))


def _result(parts: Sequence[Part], values: Sequence[Any]) -> dict[str, Any]:
    """The results by name; those of ``losses[0]``, ``losses[1]``… are a list."""
    found: dict[str, Any] = {}
    for part, value in zip(parts, values, strict=True):
        name, listed, _ = part.result.partition("[")
        if listed:
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    return found


def ranked(rows: Iterable[Row]) -> list[Row]:
    """Most probable first, equal ones in the order of their results' JSON."""
    alike: dict[int, list[Row]] = {}
    for row in rows:
        alike.setdefault(row.weight, []).append(row)
    listed: list[Row] = []
    for weight in sorted(alike, reverse=True):
        same = alike[weight]
        listed += sorted(same, key=lambda row: encode(row.result)) if len(same) > 1 else same
    return listed


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
