"""Odds by sampling, for procedures whose exact law would take too long: they are played n times."""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from polemarque.kernel.agenda import ANY_RULES, Rules
from polemarque.kernel.dice import LONG, Counts, Faces, Roll, faces
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.plugins import companion, load
from polemarque.kernel.files.tables import Table
from polemarque.kernel.records.keyed_dice import Seeded, drawn
from polemarque.kernel.request import DICE, Key
from polemarque.odds.enumeration import Law
from polemarque.odds.outcomes import Outcome, frozen, parted, ranked
from polemarque.odds.run_once import Met, run_procedure

if TYPE_CHECKING:
    from polemarque.odds.consult import Asked

MOST_PLAYS = 10_000_000
"""More plays than this are not sampled."""

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
    """A law by `n` plays of what `begin` begins: p is how often, means are averages.

    tallies: as in `enumeration.results`.
    """
    source, found = Stream(seed), _Found(tallies)
    met: tuple[Met, ...] = ()
    for _ in range(n):
        ran = run_procedure(begin, source, rule=rule, rules=rules, choices=choices)
        found.add(ran.value, 1, ran.sums)
        met += tuple([choice for choice in ran.choices if choice not in met])
    return Law(found.outcomes(n), met)


class _Found:
    """Results with how often they came, and the sums of their tallies."""

    def __init__(self, tallies: Sequence[str] | None) -> None:
        self._tallies = tallies
        self._values: dict[Hashable, Any] = {}
        self._times: Counter[Hashable] = Counter()
        self._sums: dict[Hashable, Counter[str]] = {}

    def add(self, value: Any, times: int, sums: Mapping[str, int]) -> None:
        """A result that came so many times."""
        if self._tallies is not None:
            value, sums = parted(value, sums, self._tallies)
        key = frozen(value)
        self._values.setdefault(key, value)
        self._times[key] += times
        self._sums.setdefault(key, Counter()).update(sums)

    def outcomes(self, n: int) -> tuple[Outcome, ...]:
        """All of them, of `n` plays."""
        found = [(value, self._times[key], self._sums[key]) for key, value in self._values.items()]
        return ranked(
            Outcome(
                value, Fraction(times, n), {name: Fraction(m, times) for name, m in sums.items()}
            )
            for value, times, sums in found
        )


# Rules with a kernel -----------------------------------------------------------------------------

CHUNK = 1 << 14
"""At most so many plays are one call of a kernel, which nothing interrupts."""

MOST = 100_000
"""A figure greater than this makes such a call too long: the rule itself is played."""


class Played(NamedTuple):
    """A rule as one of the kernels plays it.

    kernel:  of `odds.kernels`, or "module:function".   given: figures of the case, its tables.
    value:   the rule's result that a number stands for.
    tallies: names of the sums it keeps, in order.
    """

    kernel: str
    given: Sequence[Sequence[int]]
    value: Callable[[int], Any]
    tallies: tuple[str, ...] = ()


def as_played(asked: Asked) -> Played | None:
    """How a kernel plays a rule; None where none does, with such inputs and options."""
    if asked.choices or not asked.system.kernels:
        return None
    kernels = getattr(companion(asked.system.kernels), "KERNELS", {})
    played: Played | None = kernels[asked.rule](asked) if asked.rule in kernels else None
    return None if played is None or max(map(abs, played.given[0])) > MOST else played


def by_total(table: Table[Any]) -> list[int]:
    """A table as `kernels.row_at` reads it: the first total, and from it on the number of each row.

    Its last row must be open: the tables of rules with kernels are.
    """
    ends = [end for band in table.bands for end in (band.low, band.high) if end is not None]
    numbers = [ends[0]]
    for number, band in enumerate(table.bands):
        low = ends[0] if band.low is None else band.low
        numbers += [number] * (1 if band.high is None else band.high - low + 1)
    return numbers


def generator_state(seed: int | str | None) -> list[int]:
    """Four words of 32 bits with which the kernels' generator begins, derived as dice are."""
    source = Seeded(os.urandom(16).hex() if seed is None else seed)
    words = source.throw(Roll(4, 1 << 32, faces, ""), Key(0, "", "", DICE, "sample", 1), ())
    return [word - 1 for word in faces.of(words)]


def sample_played(
    played: Played,
    n: int,
    seed: int | str | None = None,
    *,
    tallies: Sequence[str] | None = None,
    on_compiled: Callable[[float], object] | None = None,
) -> Law:
    """The same by `n` plays of a kernel.

    on_compiled: is told how many seconds it took, if the kernel had to be compiled first.
    """
    from polemarque.odds import kernels

    name = played.kernel
    play = load(name if ":" in name else f"{kernels.__name__}:{name}")
    state = kernels.ints(generator_state(seed))
    given = [kernels.ints(numbers) for numbers in played.given]
    each, found = len(played.tallies), _Found(tallies)
    book, start = kernels.new_book(each), time.perf_counter()
    if on_compiled and kernels.COMPILED and not play.signatures:
        play(0, state, *given, book)
        if not play.stats.cache_hits:
            on_compiled(time.perf_counter() - start)
    for left in range(n, 0, -CHUNK):
        play(min(left, CHUNK), state, *given, book)
        many = int(book[0][-1])
        if left > CHUNK and many <= kernels.ROWS - CHUNK:
            continue
        for row in range(many):
            sums = [int(amount) for amount in book[3][row * each : (row + 1) * each]]
            named = dict(zip(played.tallies, sums, strict=True))
            found.add(played.value(int(book[1][row])), int(book[2][row]), named)
        book = kernels.new_book(each)
    return Law(found.outcomes(n), ())


def sample_shares(played: Played, n: int, seed: int | str | None) -> dict[str, float]:
    """The share of each result that is a word, in `n` plays of a kernel.  Raises NotUnderstood."""
    if (figure := max(map(abs, played.given[0]))) > MOST:
        raise NotUnderstood("odds.sample_figure", part=figure, legal=(MOST,))
    if not 0 < n <= MOST_PLAYS:
        raise NotUnderstood("odds.sample", part=n, legal=(MOST_PLAYS,))
    return {end.value: float(end.p) for end in sample_played(played, n, seed).outcomes}
