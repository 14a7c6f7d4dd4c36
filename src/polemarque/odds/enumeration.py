"""The exact law of a procedure, by enumeration of the very generator that plays it.

Chance is answered with every *value* of a roll's reading, weighted by the reading's exact law:
faces are never listed.  A roll is first answered with its mean, and with its values only where a
rule looks at them: what goes into a tally and nowhere else takes one run in place of many.  A
procedure that is called is answered from its own law, computed once for each arguments.
`again(arguments)` leads from situation to situation: rounds, and ties that are re-rolled, become
linear equations.  Tallies come out as exact conditional means.

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
from polemarque.odds.markov import Vector, order_of, plus, solve
from polemarque.odds.outcomes import (
    Cell,
    End,
    LookedAt,
    Mean,
    Outcome,
    Spread,
    Transitions,
    Unread,
    frozen,
    parted,
    ranked,
    spread,
)
from polemarque.odds.rolls import HOPELESS, OUTCOMES, RUNS, Branches, TooLarge, mean_of, rolled
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
    known: dict[Hashable, Spread] | None = None,
) -> Law:
    """The exact law of a registered procedure for these arguments.

    choices: answers to what it asks, by subject or rule id; else the absent player's are taken.
    known:   laws by the same rules and choices: those found there serve, those worked out stay.
    Raises TooLarge if it cannot be computed in reasonable time.
    """
    enumeration = _Enumeration(rules, choices or {}, known)
    return enumeration.law(enumeration.of_rule(rule, tuple(args)))


def weights(rule: str, args: Sequence[Any], *, rules: Rules = ANY_RULES) -> tuple[list[End], int]:
    """The same in whole numbers and in no order: see `Spread.ends`."""
    found = _Enumeration(rules, {}).of_rule(rule, tuple(args)).ends
    _counted(len(found[0]))
    return found


def results(
    begin: Callable[[], Any],
    *,
    tallies: Sequence[str],
    rule: str,
    rules: Rules,
    choices: Mapping[str, Any],
) -> tuple[list[End], int, tuple[Met, ...]]:
    """The exact law of what `begin` begins: a generator whose value is a Struct or a mapping.

    It is in whole numbers and in no order (see `Spread.ends`); values come as dicts.
    tallies: keys of that value that are tallies: they are left out of the values, and given as
    means.   rule: whose question it is.   Gives the choices met and not given, too.
    """
    enumeration = _Enumeration(rules, choices)
    ends, scale = enumeration.of_question(rule, begin, tuple(tallies)).ends
    _counted(len(ends))
    return ends, scale, enumeration.choices.by_default


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
    ends, scale = list(stated[0]), stated[1]
    return Spread(lambda: (ends, scale))


def _counted(outcomes: int) -> None:
    if outcomes > OUTCOMES:
        raise TooLarge("odds.too_many", part=outcomes)


OFTEN, NEVER = 3, -1
"""A roll at which every run has looked, so many of them, is no more tried as one that is unread."""


class _Way:
    """One way through a rule, as far as it is known: answers, and its weight among `scale`.

    An answer may be `Unread`, and stand for all values of a roll.
    """

    __slots__ = ("answers", "weight", "scale", "has_unread")

    def __init__(
        self, answers: list[Any], weight: int, scale: int, has_unread: bool = False
    ) -> None:
        self.answers = answers
        self.weight = weight
        self.scale = scale
        self.has_unread = has_unread

    @property
    def unread(self) -> list[Unread]:
        """Its rolls that nobody has looked at."""
        return [each for each in self.answers if type(each) is Unread]

    def others(self, rest: list[tuple[Any, int]], scale: int) -> list[_Way]:
        """The ways that part here, each with its own answer."""
        answers, under = self.answers, self.scale * scale
        return [
            _Way([*answers, value], self.weight * n, under, self.has_unread) for value, n in rest
        ]

    def read_by(self, fault: Exception) -> Unread:
        """The roll that a rule looked at, as a fault tells, else the last that was unread."""
        mean = fault.mean if isinstance(fault, LookedAt) else None
        return next((each for each in self.unread if each is mean), self.unread[-1])

    def opened(self, read: Unread) -> list[_Way]:
        """The same with every value of a roll that was unread; what came after it stays.

        Nothing that was asked after it can depend on it, for nobody had looked at it by then.
        """
        at = next(n for n, each in enumerate(self.answers) if each is read)
        before, after, unread = self.answers[:at], self.answers[at + 1 :], len(self.unread) > 1
        first, rest, scale = self.answers[at].values
        return [
            _Way([*before, value, *after], self.weight * n, self.scale * scale, unread)
            for value, n in (first, *rest)
        ]


class _Enumeration:
    """One enumeration: the laws found so far, by rule and arguments."""

    def __init__(
        self, rules: Rules, choices: Mapping[str, Any], known: dict[Hashable, Spread] | None = None
    ) -> None:
        self.rules = rules
        self.choices = Choices(choices)
        self._known = {} if known is None else known
        self._busy: set[Hashable] = set()
        self._looked_at: dict[tuple[str, str], int] = {}
        """How often a rule looked at a roll, by its name, before a run did not: then `NEVER`."""
        self._runs = 0

    def law(self, found: Spread) -> Law:
        """As the caller gets it: most probable first, then in the order of the values' JSON."""
        _counted(len(found.ends[0]))
        return Law(ranked(found.outcomes), self.choices.by_default)

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
        try:
            self._solve(self._rows(rule, registered.run, start, args), start)
        finally:
            self._busy.discard(start)
        return self._known[start]

    def _rows(
        self, rule: str, run: Any, start: Hashable, args: tuple[Any, ...]
    ) -> dict[Hashable, Transitions]:
        """What each situation leads to, from the first one on."""
        rows: dict[Hashable, Transitions] = {}
        waiting: dict[Hashable, tuple[Any, ...]] = {start: args}
        while waiting:
            key, these = waiting.popitem()
            rows[key] = row = self._row(rule, key, run, these)
            for then, cell in row.onward.items():
                if then not in rows:
                    waiting[then] = cell.what
            if len(rows) > OUTCOMES:
                raise TooLarge("odds.too_many", rule=rule, part=len(rows))
        return rows

    def _row(self, rule: str, key: Hashable, run: Any, args: tuple[Any, ...]) -> Transitions:
        known = self._known.get(key)
        if known is None:
            return self.explored(rule, lambda: run(*args))
        row = Transitions()
        ends, scale = known.ends
        for value, n, means in ends:
            cell = row.ends[frozen(value)] = Cell(value)
            cell.add(n, scale, {name: Mean(*mean) for name, mean in means.items()})
        return row

    def _solve(self, rows: Mapping[Hashable, Transitions], start: Hashable) -> None:
        """The laws of all these situations, from what each leads to."""
        if not rows[start].onward:
            self._known[start] = rows[start].spread()
            return
        values = {key: cell.what for row in rows.values() for key, cell in row.ends.items()}
        edges: dict[Hashable, tuple[dict[Hashable, int], int]] = {}
        ends: dict[Hashable, Vector] = {}
        for s, row in rows.items():
            scale = row.scale
            edges[s] = {then: cell.weight(scale) for then, cell in row.onward.items()}, scale
            ends[s] = {key: cell.weight(scale) for key, cell in row.ends.items()}, scale
        order = order_of(edges, start)
        chances = solve(order, edges, ends)
        gains = {s: self._gains(rows[s], chances) for s in order}
        tallied = solve(order, edges, gains) if any(sums for sums, _ in gains.values()) else gains
        for s in order:
            self._known[s] = spread(values, chances[s], tallied[s])

    def _gains(self, row: Transitions, chances: Mapping[Hashable, Vector]) -> Vector:
        """Tallies of one run from here, by name and the key of the value that comes up at last."""
        gain = row.gains
        for then, cell in row.onward.items():
            ahead, of = chances[then]
            sums, scale = cell.tallies
            more = {(name, key): n * p for name, n in sums.items() for key, p in ahead.items()}
            gain = plus(gain, (more, scale * of))
        return gain

    # Questions ---------------------------------------------------------------------------------

    def of_question(self, rule: str, begin: Callable[[], Any], tallies: tuple[str, ...]) -> Spread:
        """The law of a question's results, its tallies taken out of them."""
        row = self.explored(rule, begin, tallies)
        onward: dict[Any, Cell] = dict(row.onward)
        if len(onward) == 1 and not row.ends:
            (((then, _), begun),) = onward.items()
            called = self.of_rule(then, begun.what)
            if not begun.sums and all(
                [means.keys() == set(tallies) for *_, means in called.ends[0]]
            ):
                return called.without(tallies)
        row.onward = {}
        for (then, _), begun in onward.items():
            before, under = begun.tallies
            ends, scale = self.of_rule(then, begun.what).ends
            for end, n, means in ends:
                value, sums = parted(end, means, tallies)
                key = frozen(value)
                cell = row.ends.get(key) or row.ends.setdefault(key, Cell(value))
                sums = {name: Mean(*n) if type(n) is tuple else n for name, n in sums.items()}
                for whole, weight in begun.weights.items():
                    cell.add(weight * n, whole * scale, sums)
                for name, gained in before.items():
                    cell.sum(name, gained * n, under * scale)
        return row.spread()

    # Enumeration -------------------------------------------------------------------------------

    def explored(
        self, rule: str, begin: Callable[[], Any], tallies: tuple[str, ...] | None = None
    ) -> Transitions:
        """Run a generator through every way it can go; each run repeats the answers before it."""
        row = Transitions()
        pending = [_Way([], 1, 1)]
        while pending:
            self._runs += 1
            if self._runs > RUNS:
                raise TooLarge("odds.too_wide", rule=rule, part=self._runs, legal=(RUNS,))
            way = pending.pop()
            try:
                self._through(row, rule, begin(), way, pending, tallies)
            except TooLarge:
                raise
            except Exception as fault:
                if not way.unread:
                    raise
                read = way.read_by(fault)
                if (fails := self._looked_at.get(read.name, 0)) >= 0:
                    self._looked_at[read.name] = fails + 1
                pending += way.opened(read)
            else:
                for each in way.unread if way.has_unread else ():
                    self._looked_at[each.name] = NEVER
        return row

    def _through(
        self, row: Transitions, rule: str, run: Any, way: _Way, pending: list[_Way],
        tallies: tuple[str, ...] | None,
    ) -> None:  # fmt: skip
        """One run to its end; the other ways that it could have gone wait in `pending`."""
        sums: dict[str, Any] = {}
        if type(run) is not GeneratorType:
            self._end(row, rule, run, None, (way.weight, way.scale), sums, tallies)
            return
        width, values = 1, (None, *way.answers)
        try:
            while True:
                for value in values:
                    said = to_question(rule, run, value, None, sums)
                value = self._unread(said, rule) if type(said) is Roll else None
                if value is not None:
                    way.has_unread = True
                else:
                    (value, weight), rest, scale = self._answers(said, rule)
                    if rest:
                        width *= len(rest) + 1
                        if width > HOPELESS:
                            raise TooLarge("odds.too_wide", rule=rule, part=width, legal=(RUNS,))
                        pending += way.others(rest, scale)
                    way.weight *= weight
                    way.scale *= scale
                way.answers.append(value)
                values = (value,)
        except StopIteration as end:
            self._end(row, rule, end.value, run, (way.weight, way.scale), sums, tallies)

    def _unread(self, asked: Roll, rule: str) -> Unread | None:
        """What stands for all values of a roll of which a rule may want no more than the mean."""
        name = rule, asked.why
        if self._looked_at.get(name, 0) >= OFTEN:
            return None
        figures = asked.read, asked.count, asked.sides
        mean = mean_of(*figures)
        return None if mean is None else Unread(mean, name, rolled(*figures))

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
        key: Hashable
        if type(value) is Again:
            begun = rule if tallies is None else rule_of(run)
            key, cells, what = (begun, frozen(value.args)), row.onward, value.args
        elif type(value) is Call:
            key, cells, what = (value.rule, frozen(value.args)), row.onward, value.args
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
