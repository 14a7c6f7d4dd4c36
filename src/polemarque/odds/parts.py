"""Results that are independent of each other: their laws apart, in whole numbers, and their joint.

A list of all combinations is made where it is asked for, and nowhere else: of six attackers of
forty units it would have millions of lines, while each of them has a law of ten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from math import comb, prod
from operator import add, index, mul
from sys import maxsize
from typing import Any

import msgspec
from msgspec import UNSET

from polemarque.kernel.agenda import Call, Rules
from polemarque.kernel.dice import Counts, Reading, Roll, Scripted, at_most
from polemarque.kernel.errors import Refusal
from polemarque.kernel.position import encode
from polemarque.kernel.system import Chances, Part
from polemarque.odds.consult import FAULTS, Asked, Chance, fraction, listed
from polemarque.odds.enumeration import weights as weights_of_rule
from polemarque.odds.outcomes import LookedAt, Mean, as_dict
from polemarque.odds.rolls import DICE, OUTCOMES, RUNS, TooLarge, rolled
from polemarque.odds.run_once import Choices, Met, Running

LINES = OUTCOMES
"""Results that are told apart have no more lines in all."""

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
    found, ends = _combined(rows, others, scale, first)
    if not plain:
        found = [Chance(_listed(one.result), one.p, one.means) for one in found]
    if not in_order:
        for begin, end in pairwise([0, *ends]):
            found[begin:end] = sorted(found[begin:end], key=lambda one: encode(one.result))
    return tuple(found)


def _combined(
    rows: list[Row], others: list[Row], scale: int, first: bool
) -> tuple[list[Chance], list[int]]:
    """Outcomes of both, most probable first, and where those of each weight end.

    Of equal weight all those of one result come before those of the next.
    first: whether these are the results of `others`, as JSON puts their name before those of rows.
    """
    without, within = (others, rows) if first else (rows, others)
    outer_weights, weights = Counter([m for *_, m in without]), Counter([n for *_, n in within])
    sizes: dict[int, int] = Counter()
    for m, often in outer_weights.items():
        for n, times in weights.items():
            sizes[n * m] += often * times
    order = sorted(sizes, reverse=True)
    chances = [fraction(weight, scale) for weight in order]
    ends = [0, *accumulate([sizes[weight] for weight in order])]
    """Of each weight, where its next outcome goes."""
    ranks = {weight: rank for rank, weight in enumerate(order)}
    places = {m: [ranks[n * m] for n in weights] for m in outer_weights}
    numbers = {n: number for number, n in enumerate(weights)}
    numbered = [(result, means, numbers[n]) for result, means, n in within]
    found: list[Any] = [None] * ends.pop()
    for outer, said, m in without:
        place = places[m]
        for inner, more, number in numbered:
            rank = place[number]
            at = ends[rank]
            ends[rank] = at + 1
            if first:
                result, means = {**inner, **outer}, {**more, **said}
            else:
                result, means = {**outer, **inner}, {**said, **more}
            found[at] = Chance(result, chances[rank], means or UNSET)
    return found, ends


def in_places(parts: Sequence[Part]) -> Sequence[Part]:
    """The same; of lists of which there are too many to be listed, each place for itself."""
    found: list[Part] = []
    for part in parts:
        found += part.places() if part.places and part.size > OUTCOMES else [part]
    return found


def apart(parts: Sequence[Part], rules: Rules) -> list[tuple[Chance, ...]]:
    """Each of them alone, under its own key.  Raises TooLarge before it lists too many."""
    laws = _laws(parts, rules)
    if (lines := sum([len(law.weights) for law in laws])) > LINES:
        raise TooLarge("odds.too_many", part=lines)
    alone = zip(parts, laws, strict=True)
    return [listed(_rows(part, law, b"}"), law.scale, True) for part, law in alone]


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
            code = "odds.joint" if part.places else "odds.too_many"
            raise TooLarge(code, part=part.size, legal=(OUTCOMES,))
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


# Sums of dice ------------------------------------------------------------------------------------


class Added(Mean):
    """A number that dice add up to: `n`, and how many times it has each number of each roll.

    It can be added up and multiplied by whole numbers, and nothing else.
    """

    __slots__ = ("times",)

    def __init__(self, n: int, times: Mapping[tuple[int, int], int]) -> None:
        super().__init__(n, 1)
        self.times = times

    def __add__(self, other: Any) -> Added:
        if not isinstance(other, Added):
            return Added(self.n + index(other), self.times)
        times = dict(self.times)
        for at, often in other.times.items():
            times[at] = times.get(at, 0) + often
        return Added(self.n + other.n, times)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Added:
        often = index(other)
        return Added(self.n * often, {at: times * often for at, times in self.times.items()})

    __rmul__ = __mul__

    def __neg__(self) -> Added:
        return self * -1

    __truediv__ = Mean.__floordiv__


class _Unthrown(Running):
    """A procedure whose dice are added up, and never looked at."""

    def __init__(self, rules: Rules, choices: Choices) -> None:
        super().__init__(Scripted(()), rules, choices)
        self.rolls: list[tuple[int, list[tuple[int, ...]]]] = []
        """How many dice, and the numbers of each face."""

    def _rolled(self, rule: str, said: Roll) -> Any:
        if said.count * said.sides > DICE:
            raise TooLarge("odds.too_large", rule=rule, part=f"{said.count}D{said.sides}")
        shown = numbers_of(said)
        found = [Added(0, {(len(self.rolls), place): 1}) for place in range(len(shown[0]))]
        self.rolls.append((said.count, shown))
        return tuple(found) if type(said.read.zero) is tuple else found[0]

    @property
    def most(self) -> int:
        """There are no more results together than this."""
        kinds = [(count, len(set(shown))) for count, shown in self.rolls]
        return prod([comb(count + kind - 1, count) for count, kind in kinds])

    def law(self, value: Added) -> Chances:
        """The law of a sum of dice.  Raises TooLarge."""
        laws = [Chances({value.n: 1}, 1, {})]
        for at, (count, shown) in enumerate(self.rolls):
            often = [value.times.get((at, place), 0) for place in range(len(shown[0]))]
            faces = tuple([sum(map(mul, often, numbers)) for numbers in shown])
            if any(faces):
                first, others, scale = rolled(_added_up(faces), count, len(faces))
                laws.append(Chances(dict([first, *others]), scale, {}))
        return _sum(laws, maxsize)


def numbers_of(said: Roll) -> list[tuple[int, ...]]:
    """The numbers of each face, all of which a roll adds up.  Raises LookedAt if it does not."""
    read, count, none = said.read, said.count, (0,) * (said.sides - 1)
    shown = [_whole(read.face(face)) for face in range(1, said.sides + 1)]
    for face, numbers in enumerate(shown):
        alike = _whole(read.of(Counts((*none[:face], count, *none[face:]))))
        if alike != tuple([count * n for n in numbers]):
            raise LookedAt(None)
    return shown


def _whole(value: Any) -> tuple[Any, ...]:
    return value if type(value) is tuple else (value,)


@lru_cache
def _added_up(faces: tuple[int, ...]) -> Reading[int]:
    """A reading that adds up these numbers of the faces."""
    if set(faces) <= {0, 1}:
        return at_most(sum(faces))
    return Reading(str(faces), 0, lambda face: faces[face - 1], add)


def sums_of_dice(asked: Asked) -> tuple[Sequence[Part], tuple[Met, ...]]:
    """Each result of a rule alone, where they are sums of dice and together too many.

    They depend on each other.  None where a rule looks at its dice, or one result alone is a sum.
    """
    running = _Unthrown(asked.rules, Choices(asked.choices))
    try:
        value, _ = running.through(asked.rule, asked.begin())
        named = as_dict(value)
    except (Refusal, *FAULTS):
        return (), ()
    tallies = asked.question.tallies
    added = [name for name, n in named.items() if isinstance(n, Added) and name not in tallies]
    if len(added) < 2 or running.most <= OUTCOMES:
        return (), ()
    parts = [Part(name, "", partial(running.law, named[name])) for name in added]
    return parts, running.choices.by_default
