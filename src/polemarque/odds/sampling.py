"""Odds by sampling, for procedures whose exact law would take too long: they are played n times."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from polemarque.kernel.agenda import ANY_RULES, Rules
from polemarque.kernel.dice import LONG, Counts, Faces, Roll
from polemarque.kernel.records.keyed_dice import drawn
from polemarque.odds.enumeration import Law
from polemarque.odds.outcomes import Outcome, frozen, parted, ranked
from polemarque.odds.run_once import Met, run_procedure

BLOCK = 1 << 16


class Stream:
    """Dice from one stream of bytes: quick, and of no use to anybody who wants to check a die."""

    def __init__(self, seed: int | str | None = None) -> None:
        self._seed = os.urandom(16) if seed is None else str(seed).encode()
        self._bytes = self._flowing()

    def _flowing(self) -> Iterator[int]:
        block = 0
        while True:
            message = b"polemarque/stream/1\0" + block.to_bytes(8, "big") + self._seed
            yield from hashlib.shake_128(message).digest(BLOCK)
            block += 1

    def _numbers(self, width: int) -> Iterator[int]:
        """Whole numbers of so many bytes."""
        while True:
            yield int.from_bytes(islice(self._bytes, width), "big")

    def throw(self, roll: Roll, where: Any = None, decision: Any = None) -> Faces:
        """Faces for `roll`; where and why do not matter."""
        sides, count = roll.sides, roll.count
        width, limit = drawn(sides)
        fell = [0] * sides if count > LONG else []
        left = count
        for number in self._bytes if width == 1 else self._numbers(width):
            if number >= limit:
                continue
            if count > LONG:
                fell[number % sides] += 1
            else:
                fell.append(number % sides + 1)
            left -= 1
            if not left:
                break
        return Counts(tuple(fell)) if count > LONG else tuple(fell)


def sample(
    rule: str,
    args: Sequence[Any],
    n: int,
    seed: int | str | None = None,
    *,
    rules: Rules = ANY_RULES,
    choices: Mapping[str, Any] | None = None,
) -> Law:
    """An estimate of a procedure's law from `n` plays: p counts them, means are averages."""
    run = rules[rule].run
    return sample_of(lambda: run(*args), n, seed, rule=rule, rules=rules, choices=choices)


def sample_of(
    begin: Callable[[], Any],
    n: int,
    seed: int | str | None = None,
    *,
    tallies: Sequence[str] | None = None,
    rule: str = "",
    rules: Rules = ANY_RULES,
    choices: Mapping[str, Any] | None = None,
) -> Law:
    """The same of what `begin` begins; `tallies` as in `law_of`."""
    source = Stream(seed)
    seen: dict[Hashable, tuple[Any, dict[str, int]]] = {}
    times: dict[Hashable, int] = {}
    met: tuple[Met, ...] = ()
    for _ in range(n):
        ran = run_procedure(begin, source, rule=rule, rules=rules, choices=choices)
        value, sums = ran.value, ran.sums
        if tallies is not None:
            value, sums = parted(value, sums, tallies)
        key = frozen(value)
        times[key] = times.get(key, 0) + 1
        added = seen.setdefault(key, (value, {}))[1]
        for name, amount in sums.items():
            added[name] = added.get(name, 0) + amount
        met += tuple([choice for choice in ran.choices if choice not in met])
    outcomes = []
    for key, (value, sums) in seen.items():
        means = {name: Fraction(amount, times[key]) for name, amount in sums.items()}
        outcomes.append(Outcome(value, Fraction(times[key], n), means))
    return Law(ranked(outcomes), met)
