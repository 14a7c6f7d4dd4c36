"""The exact law of a procedure, by enumeration of the very generator that plays it.

Chance is answered with every *value* of a roll's reading, weighted by the reading's exact law:
faces are never listed.  A procedure that is called is answered from its own law, computed once for
each arguments.  `again(arguments)` leads from situation to situation: rounds, and ties that are
re-rolled, become linear equations.  Tallies come out as exact conditional means.

    law("AT-9.5", (13, ground)).outcomes[0].p
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from types import GeneratorType
from typing import Any

import msgspec

from polemarque.kernel.agenda import ANY_RULES, Again, Call, Registered, Rules, rule_of
from polemarque.kernel.dice import Roll
from polemarque.kernel.errors import KernelFault
from polemarque.kernel.interpreter import to_question
from polemarque.kernel.request import Ask
from polemarque.odds.markov import Vector, add, order_of, solve
from polemarque.odds.outcomes import (
    Cell,
    Mean,
    Outcome,
    Spread,
    Transitions,
    frozen,
    parted,
    ranked,
)
from polemarque.odds.rolls import HOPELESS, OUTCOMES, RUNS, Branches, TooLarge, rolled
from polemarque.odds.run_once import Choices, Met


class Law(msgspec.Struct, frozen=True):
    """All outcomes, most probable first, and the choices met on the way that were not given."""

    outcomes: tuple[Outcome, ...]
    choices: tuple[Met, ...] = ()

    def p(self, holds: Callable[[Any], object]) -> Fraction:
        """The probability that the final value is such."""
        return sum((o.p for o in self.outcomes if holds(o.value)), Fraction(0))

    def mean(self, tally: str) -> Fraction:
        """The mean of a tally over all outcomes."""
        return sum((o.p * o.means.get(tally, 0) for o in self.outcomes), Fraction(0))


def law(
    rule: str,
    args: Sequence[Any] = (),
    *,
    rules: Rules = ANY_RULES,
    choices: Mapping[str, Any] | None = None,
) -> Law:
    """The exact law of a registered procedure for these arguments.

    choices: answers to what it asks, by subject or rule id; else the absent player's are taken.
    Raises TooLarge if it cannot be computed in reasonable time.
    """
    enumeration = _Enumeration(rules, choices or {})
    return enumeration.law(enumeration.of_rule(rule, tuple(args)))


def law_of(
    begin: Callable[[], Any],
    *,
    tallies: Sequence[str] = (),
    rule: str = "",
    rules: Rules = ANY_RULES,
    choices: Mapping[str, Any] | None = None,
) -> Law:
    """The exact law of what `begin` begins: a generator whose value is a Struct or a mapping.

    tallies: keys of that value that are tallies: they are left out of the values, and given as
    means.  Values come as dicts.   rule: whose question it is.
    """
    enumeration = _Enumeration(rules, choices or {})
    return enumeration.law(enumeration.of_question(rule, begin, tuple(tallies)))


def one_round(
    rule: str, args: Sequence[Any], tally: str, *, rules: Rules = ANY_RULES
) -> list[tuple[Any, int, float]]:
    """What one run of a procedure leads to: its value or `Again`, a tally of that run, and p.

    A tally is a whole number here, where `law` gives its mean; rounds are not followed.
    """
    enumeration = _OneRound(rules, tally)
    enumeration.explored(rule, lambda: rules[rule].run(*args))
    return [(*end, p) for end, p in enumeration.found.values()]


def _closed(registered: Registered, args: tuple[Any, ...]) -> Spread | None:
    """The law that a procedure states in closed form, if it does.  Raises TooLarge."""
    assert registered.law is not None
    try:
        stated = registered.law(*args)
    except OverflowError as much:
        raise TooLarge("odds.too_large", rule=registered.rule, part=much) from None
    if stated is None:
        return None
    ends, scale = stated
    return Spread([Outcome(value, Fraction(n, scale), dict(means)) for value, n, means in ends])


def _counted(outcomes: int) -> None:
    if outcomes > OUTCOMES:
        raise TooLarge("odds.too_many", part=outcomes)


class _Enumeration:
    """One reckoning: the laws found so far, by rule and arguments."""

    def __init__(self, rules: Rules, choices: Mapping[str, Any]) -> None:
        self.rules = rules
        self.choices = Choices(choices)
        self._known: dict[Hashable, Spread] = {}
        self._busy: set[Hashable] = set()
        self._runs = 0

    def law(self, spread: Spread) -> Law:
        """As the caller gets it: most probable first, then in the order of the values' JSON."""
        _counted(len(spread.outcomes))
        return Law(ranked(spread.outcomes), self.choices.by_default)

    # Rules -------------------------------------------------------------------------------------

    def of_rule(self, rule: str, args: tuple[Any, ...]) -> Spread:
        """The law of a rule for these arguments."""
        registered = self.rules[rule]
        if registered.odds is not None:
            args = registered.odds(*args)
        start = (rule, frozen(args))
        found = self._known.get(start)
        if found is not None:
            return found
        if start in self._busy:
            raise KernelFault(f"{rule} calls itself with the same arguments: return again(...)")
        if registered.law is not None and (closed := _closed(registered, args)):
            self._known[start] = closed
            return closed
        self._busy.add(start)
        rows: dict[Hashable, Transitions] = {}
        run = registered.run
        waiting: dict[Hashable, tuple[Any, ...]] = {start: args}
        while waiting:
            key, these = waiting.popitem()
            rows[key] = row = self._row(rule, key, run, these)
            for then, cell in row.onward.items():
                if then not in rows:
                    waiting[then] = cell.what
            if len(rows) > OUTCOMES:
                raise TooLarge("odds.too_many", rule=rule, part=len(rows))
        self._solve(rows, start)
        self._busy.discard(start)
        return self._known[start]

    def _row(self, rule: str, key: Hashable, run: Any, args: tuple[Any, ...]) -> Transitions:
        known = self._known.get(key)
        if known is None:
            return self.explored(rule, lambda: run(*args))
        row = Transitions()
        for outcome in known.outcomes:
            cell = row.ends[frozen(outcome.value)] = Cell(outcome.value)
            n, scale = outcome.p.numerator, outcome.p.denominator
            cell.add(n, scale, {name: Mean(mean) for name, mean in outcome.means.items()})
        return row

    def _solve(self, rows: Mapping[Hashable, Transitions], start: Hashable) -> None:
        """The laws of all these situations, from what each leads to."""
        values = {key: cell.what for row in rows.values() for key, cell in row.ends.items()}
        edges = {s: {t: cell.p for t, cell in row.onward.items()} for s, row in rows.items()}
        order = order_of(edges, start)
        ends: dict[Hashable, Vector] = {
            s: {key: cell.p for key, cell in rows[s].ends.items()} for s in order
        }
        chances = solve(order, edges, ends)
        gains: dict[Hashable, Vector] = {}
        for s in order:
            gain = gains[s] = {}
            for key, cell in rows[s].ends.items():
                gain.update({(name, key): n for name, n in cell.tallies.items()})
            for then, cell in rows[s].onward.items():
                for name, n in cell.tallies.items():
                    add(gain, {(name, key): p for key, p in chances[then].items()}, n)
        tallied = solve(order, edges, gains) if any(gains.values()) else gains
        for s in order:
            means: dict[Hashable, dict[str, Fraction]] = {}
            for (name, key), n in tallied[s].items():  # type: ignore[misc]
                means.setdefault(key, {})[name] = n / chances[s][key]
            self._known[s] = Spread(
                [Outcome(values[key], p, means.get(key, {})) for key, p in chances[s].items()]
            )

    # Questions ---------------------------------------------------------------------------------

    def of_question(self, rule: str, begin: Callable[[], Any], tallies: tuple[str, ...]) -> Spread:
        """The law of a question's results, its tallies taken out of them."""
        row = self.explored(rule, begin, tallies)
        values: dict[Hashable, Any] = {}
        chances: Vector = {}
        gains: dict[Hashable, Vector] = {}

        def gain(key: Hashable, p: Fraction, sums: Mapping[str, Any]) -> None:
            chances[key] = chances.get(key, 0) + p
            add(gains.setdefault(key, {}), sums)

        for key, cell in row.ends.items():
            values[key] = cell.what
            gain(key, cell.p, cell.tallies)
        onward: dict[Any, Cell] = dict(row.onward)
        for (then, _), cell in onward.items():
            for outcome in self.of_rule(then, cell.what).outcomes:
                value, sums = parted(outcome.value, outcome.means, tallies)
                values[key := frozen(value)] = value
                weight = cell.p * outcome.p
                gain(key, weight, {name: _number(n) * weight for name, n in sums.items()})
                add(gains[key], cell.tallies, outcome.p)
        return Spread(
            [
                Outcome(values[key], p, {str(name): n / p for name, n in gains[key].items()})
                for key, p in chances.items()
            ]
        )

    # Enumeration -------------------------------------------------------------------------------

    def explored(
        self, rule: str, begin: Callable[[], Any], tallies: tuple[str, ...] | None = None
    ) -> Transitions:
        """Run a generator through every way it can go; each run repeats the answers before it."""
        row = Transitions()
        pending: list[tuple[tuple[Any, ...], int, int]] = [((), 1, 1)]
        while pending:
            answers, weight, scale = pending.pop()
            self._runs += 1
            if self._runs > RUNS:
                raise TooLarge("odds.too_wide", rule=rule, part=self._runs, legal=(RUNS,))
            run = begin()
            sums: dict[str, Any] = {}
            if type(run) is not GeneratorType:
                self._end(row, rule, run, None, (weight, scale), sums, tallies)
                continue
            width, values = 1, (None, *answers)
            try:
                while True:
                    said = to_question(rule, run, values, None, sums)
                    (value, w), rest, scaled = self._answers(said, rule)
                    if rest:
                        width *= len(rest) + 1
                        if width > HOPELESS:
                            raise TooLarge("odds.too_wide", rule=rule, part=width, legal=(RUNS,))
                        under = scale * scaled
                        pending += [((*answers, v), weight * x, under) for v, x in rest]
                    answers, values = (*answers, value), (value,)
                    weight *= w
                    scale *= scaled
            except StopIteration as end:
                self._end(row, rule, end.value, run, (weight, scale), sums, tallies)
        return row

    def _answers(self, said: Any, rule: str) -> Branches:
        """Everything that may be answered, with weights."""
        if type(said) is Roll:
            return rolled(said.read, said.count, said.sides)
        if type(said) is Call:
            return self.of_rule(said.rule, said.args).branches
        if type(said) is Ask:
            return (self.choices.answer(said, rule), 1), [], 1
        raise KernelFault(f"{rule}: a procedure cannot say {said!r}")

    def _end(
        self, row: Transitions, rule: str, value: Any, run: Any, weight: tuple[int, int],
        sums: dict[str, Any], tallies: tuple[str, ...] | None,
    ) -> None:  # fmt: skip
        """Take what one run came to."""
        if type(value) is Again:
            begun = rule if tallies is None else rule_of(run)
            key: Hashable = (begun, frozen(value.args))
            cells, what = row.onward, value.args
        else:
            if tallies is not None:
                value, sums = parted(value, sums, tallies)
            key, cells, what = frozen(value), row.ends, value
        cell = cells.get(key)
        if cell is None:
            cell = cells[key] = Cell(what)
            if len(cells) > RUNS:
                raise TooLarge("odds.too_many", rule=rule, part=len(cells))
        cell.add(*weight, sums)


class _OneRound(_Enumeration):
    """One situation, whose runs are told apart by a tally too."""

    def __init__(self, rules: Rules, tally: str) -> None:
        super().__init__(rules, {})
        self.tally = tally
        self.found: dict[Hashable, tuple[tuple[Any, int], float]] = {}

    def _end(
        self, row: Transitions, rule: str, value: Any, run: Any, weight: tuple[int, int],
        sums: dict[str, Any], tallies: tuple[str, ...] | None,
    ) -> None:  # fmt: skip
        end = value, sums.get(self.tally, 0)
        key = frozen(end)
        before = self.found[key][1] if key in self.found else 0.0
        self.found[key] = end, before + weight[0] / weight[1]


def _number(n: Any) -> Fraction:
    return n.exact if type(n) is Mean else Fraction(n)
