"""Results that are independent of each other: their laws apart, in whole numbers, and their joint.

A list of all combinations is made where it is asked for, and nowhere else: of six attackers of
forty units it would have millions of lines, while each of them has a law of ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

import msgspec
from msgspec import UNSET

from polemarque.kernel.agenda import Call, Rules
from polemarque.kernel.position import encode
from polemarque.kernel.system import Chances, Part
from polemarque.odds.consult import Chance, fraction, listed
from polemarque.odds.enumeration import weights as weights_of_rule
from polemarque.odds.rolls import OUTCOMES, RUNS, TooLarge

Row = tuple[dict[str, Any], dict[str, str], int]
"""Results by the names of their parts, the means of tallies as they are written, and a weight."""


def joint(parts: Sequence[Part], rules: Rules) -> tuple[Chance, ...]:
    """All combinations of independent results.  Raises TooLarge before it lists too many."""
    laws = _laws(parts, rules)
    outcomes = prod([len(law.weights) for law in laws])
    if outcomes > OUTCOMES:
        raise TooLarge("odds.joint", part=outcomes, legal=(OUTCOMES,))
    names = [part.result for part in parts]
    scale = prod([law.scale for law in laws])
    rows: list[Row] = [({}, {}, 1)]
    plain = in_order = not any("[" in name for name in names)
    for number, (part, law) in enumerate(zip(parts, laws, strict=True)):
        others = _rows(part, law, b"}" if part.result == max(names) else b",")
        first = part.result < min(names[:number], default="")
        in_order &= first or part.result == max(names[: number + 1])
        if number == len(parts) - 1:
            break
        if first:
            rows = [({**a, **b}, x | y, n * m) for b, y, m in others for a, x, n in rows]
        else:
            rows = [({**a, **b}, x | y, n * m) for a, x, n in rows for b, y, m in others]
    by_weight = _combined(rows, others, scale, first)
    found: list[Chance] = []
    for weight in sorted(by_weight, reverse=True):
        alike = by_weight[weight][0]
        if not plain:
            alike = [Chance(_listed(one.result), one.p, one.means) for one in alike]
        if not in_order:
            alike.sort(key=lambda one: encode(one.result))
        found += alike
    return tuple(found)


Alike = tuple[list[Chance], str]
"""Outcomes of the same weight, and how their chance is written."""


def _combined(rows: list[Row], others: list[Row], scale: int, first: bool) -> dict[int, Alike]:
    """Outcomes of both by their weight: all those of one result, then those of the next.

    first: whether these are the results of `others`, as JSON puts their name before those of rows.
    """
    found: dict[int, Alike] = {}
    without, within = (others, rows) if first else (rows, others)
    numbers = {n: number for number, n in enumerate(dict.fromkeys([n for *_, n in within]))}
    numbered = [(result, means, numbers[n]) for result, means, n in within]
    places: dict[int, list[Alike]] = {}
    for outer, said, m in without:
        place = places.get(m)
        if place is None:
            for weight in [n * m for n in numbers]:
                if weight not in found:
                    found[weight] = [], fraction(weight, scale)
            place = places[m] = [found[n * m] for n in numbers]
        for inner, more, number in numbered:
            alike, p = place[number]
            if first:
                alike.append(Chance({**inner, **outer}, p, {**more, **said} or UNSET))
            else:
                alike.append(Chance({**outer, **inner}, p, {**said, **more} or UNSET))
    return found


def apart(parts: Sequence[Part], rules: Rules) -> list[tuple[Chance, ...]]:
    """Each of them alone, under its own key.  Raises TooLarge before it lists too many."""
    laws = zip(parts, _laws(parts, rules), strict=True)
    return [listed(_rows(part, law, b"}"), law.scale, True) for part, law in laws]


def _rows(part: Part, law: Chances, after: bytes) -> list[Row]:
    """The results of one part, in the order of their JSON.

    after: what stands after it in the JSON of all.
    """
    name, tally = part.result, part.tally
    return [
        (
            {name: msgspec.to_builtins(value)},
            {tally: fraction(*law.means[value])} if tally else {},
            law.weights[value],
        )
        for value in sorted(law.weights, key=lambda value: encode(value) + after)
    ]


def _listed(named: Mapping[str, Any]) -> dict[str, Any]:
    """Results by name; those of ``losses[0]``, ``losses[1]``… are a list."""
    found: dict[str, Any] = {}
    for each, value in named.items():
        name, listed, _ = each.partition("[")
        if listed:
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    return found


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
    ends, scale = weights_of_rule(asked.rule, asked.args, rules=rules)
    weights = {getattr(value, result): n for value, n, _ in ends}
    means = {getattr(value, result): mean[tally] for value, _, mean in ends} if tally else {}
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
