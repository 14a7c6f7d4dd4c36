"""Results that are independent of each other: their laws apart, in whole numbers, and their joint.

A list of all combinations is made where it is asked for, and nowhere else: of six attackers of
forty units it would have millions of lines, while each of them has a law of ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm, prod
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from polemarque.kernel.agenda import Call, Rules
from polemarque.kernel.position import encode
from polemarque.kernel.system import Chances, Part
from polemarque.odds.consult import Chance, fraction
from polemarque.odds.enumeration import law as law_of_rule
from polemarque.odds.rolls import OUTCOMES, RUNS, TooLarge


class Group(NamedTuple):
    """Results of the same weight: their chance is worked out and written once for all.

    share: their chance in lowest terms.
    each:  results by the names of their parts, with the means of tallies as they are written;
           before them the place of their JSON among all.
    """

    weight: int
    share: tuple[int, int]
    each: list[tuple[int, dict[str, Any], dict[str, str]]]


def joint(parts: Sequence[Part], rules: Rules) -> tuple[Chance, ...]:
    """All combinations of independent results.  Raises TooLarge before it lists too many."""
    laws = _laws(parts, rules)
    outcomes = prod([len(law.weights) for law in laws])
    if outcomes > OUTCOMES:
        raise TooLarge("odds.joint", part=outcomes, legal=(OUTCOMES,))
    names = [part.result for part in parts]
    groups, before = [Group(1, (1, 1), [(0, {}, {})])], [""]
    in_order = not any("[" in name for name in names)
    for part, law in zip(parts, laws, strict=True):
        name = part.result
        first = name < min(before[1:], default="")
        in_order &= first or name > max(before)
        others = _groups(part, law, b"}" if name == max(names) else b",")
        groups, before = _with(groups, others, first), [*before, name]
    return _listed(groups, in_order)


def apart(parts: Sequence[Part], rules: Rules) -> list[tuple[Chance, ...]]:
    """Each of them alone, under its own key.  Raises TooLarge before it lists too many."""
    laws = zip(parts, _laws(parts, rules), strict=True)
    return [_listed(_groups(part, law, b"}")) for part, law in laws]


def _groups(part: Part, law: Chances, after: bytes) -> list[Group]:
    """The results of one part, equal ones in the order of their JSON.

    after: what stands after it in the JSON of all.
    """
    values = sorted(law.weights, key=lambda value: encode(value) + after)
    alike: dict[int, list[tuple[int, dict[str, Any], dict[str, str]]]] = {}
    for place, value in enumerate(values):
        means = {part.tally: fraction(law.means[value])} if part.tally else {}
        alike.setdefault(law.weights[value], []).append((place, {part.result: value}, means))
    found = []
    for weight, each in alike.items():
        common = gcd(weight, law.scale)
        found.append(Group(weight, (weight // common, law.scale // common), each))
    return found


def _with(groups: list[Group], others: list[Group], first: bool) -> list[Group]:
    """Both results: whatever one is, the other is independent of it.

    first: whether the others' name comes before those of all before, as JSON is put in order.
    """
    scales = {other.share[1] for other in others}
    count, more = (sum([len(group.each) for group in many]) for many in (groups, others))
    ours, theirs = (1, count) if first else (more, 1)
    divided: dict[int, list[tuple[int, int]]] = {}
    """By a scale, what is left of the others' parts and of it without common divisors."""
    found = []
    for weight, (share, scale), each in groups:
        left = {
            of: (share // common, of // common) for of in scales for common in (gcd(share, of),)
        }
        if scale not in divided:
            common = [gcd(other.share[0], scale) for other in others]
            divided[scale] = [
                (other.share[0] // by, scale // by)
                for other, by in zip(others, common, strict=True)
            ]
        for (n, (_, of), several), (part, rest) in zip(others, divided[scale], strict=True):
            mine, under = left[of]
            both = [
                (at * ours + place * theirs, {**result, **other}, {**means, **said})
                for at, result, means in each
                for place, other, said in several
            ]
            found.append(Group(weight * n, (mine * part, rest * under), both))
    return found


def _listed(groups: list[Group], in_order: bool = True) -> tuple[Chance, ...]:
    """Outcomes as they are written: most probable first, equal ones in the order of their JSON.

    in_order: whether places are known; else the results are those of a list.
    """
    found: list[Chance] = []
    scales: dict[int, str] = {}
    by_weight: dict[int, list[Group]] = {}
    for group in groups:
        by_weight.setdefault(group.weight, []).append(group)
    for weight in sorted(by_weight, reverse=True):
        alike = by_weight[weight]
        n, scale = alike[0].share
        if scale not in scales:
            scales[scale] = fraction(Fraction(1, scale))[2:]
        p = f"{n}/{scales[scale]}"
        each = alike[0].each if len(alike) == 1 else [one for group in alike for one in group.each]
        if in_order:
            if len(each) > 1:
                each.sort(key=itemgetter(0))
        else:
            each = [(at, _results(result), means) for at, result, means in each]
            each.sort(key=lambda one: encode(one[1]))
        found += [Chance(result, p, means or msgspec.UNSET) for _, result, means in each]
    return tuple(found)


def _results(named: Mapping[str, Any]) -> dict[str, Any]:
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
