"""Results that are independent of each other: their laws apart, in whole numbers, and their joint.

A list of all combinations is made where it is asked for, and nowhere else: of six attackers of
forty units it would have millions of lines, while each of them has a law of ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, prod
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from polemarque.kernel.agenda import Call, Rules
from polemarque.kernel.position import encode
from polemarque.kernel.system import Chances, Part
from polemarque.odds.consult import Chance, fraction
from polemarque.odds.enumeration import weights as weights_of_rule
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


ALONE = Group(1, (1, 1), [(0, {}, {})])
"""No result yet."""


def joint(parts: Sequence[Part], rules: Rules) -> tuple[Chance, ...]:
    """All combinations of independent results.  Raises TooLarge before it lists too many."""
    laws = _laws(parts, rules)
    outcomes = prod([len(law.weights) for law in laws])
    if outcomes > OUTCOMES:
        raise TooLarge("odds.joint", part=outcomes, legal=(OUTCOMES,))
    names = [part.result for part in parts]
    in_order = not any("[" in name for name in names)
    groups, first = [ALONE], False
    found: tuple[Chance, ...] = ()
    for number, (part, law) in enumerate(zip(parts, laws, strict=True)):
        others = _groups(part, law, b"}" if part.result == max(names) else b",")
        first = part.result < min(names[:number], default="")
        in_order &= first or part.result >= max(names[: number + 1])
        if number == len(parts) - 1:
            found = _listed(groups, others, first, in_order)
        else:
            groups = _both(groups, others, first)
    return found


def apart(parts: Sequence[Part], rules: Rules) -> list[tuple[Chance, ...]]:
    """Each of them alone, under its own key.  Raises TooLarge before it lists too many."""
    laws = zip(parts, _laws(parts, rules), strict=True)
    return [_listed([ALONE], _groups(part, law, b"}")) for part, law in laws]


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


def _both(groups: list[Group], others: list[Group], first: bool) -> list[Group]:
    """Both results: whatever one is, the other is independent of it.   first: as of `_listed`."""
    ours, theirs = _places(groups, others, first)
    shares = _Shares()
    return [
        Group(
            one.weight * other.weight,
            shares.of(one, other),
            [
                (at * ours + place * theirs, {**result, **more}, {**means, **said})
                for at, result, means in one.each
                for place, more, said in other.each
            ],
        )
        for one in groups
        for other in others
    ]


def _places(groups: list[Group], others: list[Group], first: bool) -> tuple[int, int]:
    """By what a place of each is multiplied, for the place of both."""
    if first:
        return 1, sum([len(group.each) for group in groups])
    return sum([len(group.each) for group in others]), 1


class _Shares:
    """Chances of two results that are independent, in lowest terms."""

    def __init__(self) -> None:
        self._common: dict[tuple[int, int], int] = {}

    def of(self, one: Group, other: Group) -> tuple[int, int]:
        """The chance of both."""
        (n, scale), (m, under) = one.share, other.share
        left, right = self._divisor(n, under), self._divisor(m, scale)
        return (n // left) * (m // right), (scale // right) * (under // left)

    def _divisor(self, n: int, scale: int) -> int:
        found = self._common.get((n, scale))
        if found is None:
            found = self._common[n, scale] = gcd(n, scale)
        return found


def _listed(
    groups: list[Group], others: list[Group], first: bool = False, in_order: bool = True
) -> tuple[Chance, ...]:
    """Both results as they are written: most probable first, equal ones in the order of their JSON.

    first:    whether the others' name comes before those of the groups, as JSON puts it in order.
    in_order: whether places are known; else the results are those of a list.
    """
    by_weight: dict[int, list[tuple[Group, Group]]] = {}
    for one in groups:
        for other in others:
            by_weight.setdefault(one.weight * other.weight, []).append((one, other))
    shares, scales = _Shares(), {1: "1"}
    places = _places(groups, others, first)
    found: list[Chance] = []
    for weight in sorted(by_weight, reverse=True):
        pairs = by_weight[weight]
        n, scale = shares.of(*pairs[0])
        if scale not in scales:
            scales[scale] = fraction(Fraction(1, scale))[2:]
        p = f"{n}/{scales[scale]}"
        if not in_order:
            each = _combined(pairs, p)
            each = [Chance(_results(one.result), p, one.means) for one in each]
            found += sorted(each, key=lambda one: encode(one.result))
        elif len(pairs) > 1 or (first and len(pairs[0][0].each) > 1):
            found += _in_order(pairs, p, places)
        else:
            found += _combined(pairs, p)
    return tuple(found)


def _in_order(pairs: list[tuple[Group, Group]], p: str, places: tuple[int, int]) -> list[Chance]:
    """Results of one weight, in their places."""
    ours, theirs = places
    order = sorted(
        [
            (at * ours + place * theirs, result, more, means, said)
            for one, other in pairs
            for at, result, means in one.each
            for place, more, said in other.each
        ],
        key=itemgetter(0),
    )
    return [
        Chance({**result, **more}, p, {**means, **said} or msgspec.UNSET)
        for _, result, more, means, said in order
    ]


def _combined(pairs: list[tuple[Group, Group]], p: str) -> list[Chance]:
    """Results of one weight, as they come."""
    return [
        Chance({**result, **more}, p, {**means, **said} or msgspec.UNSET)
        for one, other in pairs
        for _, result, means in one.each
        for _, more, said in other.each
    ]


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
