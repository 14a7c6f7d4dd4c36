"""Dice: what is rolled, how it is read, and the sources that say what came up.

A rule says `yield from roll(2, D6, read=total, why="defence")`: how many dice, which die, how the
faces are read, and why.  A *source* makes the faces: from a list in a test, or from seeds, open or
committed (see `trust`); what people throw on their table comes as answers do.  Exact odds never
list faces: they ask the reading for its law.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from math import comb
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from polemarque.kernel.errors import DiceRefused
from polemarque.kernel.events import Thrown

T = TypeVar("T")

D3, D4, D5, D6, D8, D10, D100 = 3, 4, 5, 6, 8, 10, 100
"""Dice by their number of faces, numbered from 1; the 10 of a D10 counts as 10."""

LONG = 60
"""Rolls of more dice than this are kept as a count of each face."""

MOST_DICE = 1_000_000
"""No roll of a game has more dice: far beyond what an army on a table can throw."""


class Counts(msgspec.Struct, frozen=True):
    """A long roll, kept as how often each face came up (index 0 is face 1)."""

    of: tuple[int, ...]


Faces = tuple[int, ...] | Counts
"""How dice fell: one face a die, in order, or the counts of a long roll."""


def counted(fell: Iterable[int], sides: int) -> Counts:
    """Faces as the counts of a long roll."""
    tally = [0] * sides
    for face in fell:
        tally[face - 1] += 1
    return Counts(tuple(tally))


class Reading(Generic[T]):
    """How a roll is read: a value for each face, added up from `zero`.

    Because every reading is a sum over dice, its exact law for n dice is an n-fold convolution.
    """

    def __init__(
        self, name: str, zero: T, face: Callable[[int], T], add: Callable[[T, T], T]
    ) -> None:
        self.name = name
        self.zero = zero
        self.face = face
        self.add = add

    def of(self, faces: Faces) -> T:
        """Read dice that fell."""
        value, add, face = self.zero, self.add, self.face
        if isinstance(faces, Counts):
            for shown, times in enumerate(faces.of, 1):
                value = add(value, self._repeated(face(shown), times))
            return value
        for shown in faces:
            value = add(value, face(shown))
        return value

    def _repeated(self, value: T, times: int) -> T:
        """A value added to itself so many times, by doubling."""
        found = self.zero
        while times:
            if times % 2:
                found = self.add(found, value)
            value, times = self.add(value, value), times // 2
        return found

    def law(self, count: int, sides: int) -> dict[T, int]:
        """Exact weights of every value of `count` dice; they add up to sides ** count."""
        return _law(self, count, sides)

    def values(self, count: int, sides: int) -> int:
        """How many values that law has, where it is known before it is worked out; else 0."""
        return 0


class _Total(Reading[int]):
    def of(self, faces: Faces) -> int:
        if isinstance(faces, Counts):
            return sum(shown * times for shown, times in enumerate(faces.of, 1))
        return sum(faces)

    def law(self, count: int, sides: int) -> dict[int, int]:
        return _total_law(count, sides)


class _AtMost(Reading[int]):
    def __init__(self, limit: int) -> None:
        super().__init__(f"at_most({limit})", 0, lambda f: int(f <= limit), lambda a, b: a + b)
        self.limit = limit

    def of(self, faces: Faces) -> int:
        if isinstance(faces, Counts):
            return sum(faces.of[: max(self.limit, 0)])
        limit = self.limit
        return sum([1 for face in faces if face <= limit])

    def law(self, count: int, sides: int) -> dict[int, int]:
        hit = min(max(self.limit, 0), sides)
        miss = sides - hit
        if not hit or not miss:
            return {count if hit else 0: sides**count}
        weight = miss**count
        weights = {0: weight}
        for k in range(count):
            weight = weight * ((count - k) * hit) // ((k + 1) * miss)
            weights[k + 1] = weight
        return weights


class _Faces(Reading[tuple[int, ...]]):
    def of(self, faces: Faces) -> tuple[int, ...]:
        if isinstance(faces, Counts):
            return tuple(f for f, times in enumerate(faces.of, 1) for _ in range(times))
        return faces


total: Reading[int] = _Total("total", 0, lambda face: face, lambda a, b: a + b)
"""The sum of the faces."""

faces: Reading[tuple[int, ...]] = _Faces("faces", (), lambda face: (face,), lambda a, b: a + b)
"""The faces themselves, in order: for few dice only, its law lists them all."""


@lru_cache
def at_most(limit: int) -> Reading[int]:
    """How many dice show `limit` or less."""
    return _AtMost(limit)


def _pairwise(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([x + y for x, y in zip(a, b, strict=True)])


@lru_cache
def total_and(shown: int) -> Reading[tuple[int, ...]]:
    """(sum of the faces, how many dice show exactly `shown`)."""
    return Reading(
        f"total_and({shown})", (0, 0), lambda face: (face, int(face == shown)), _pairwise
    )


class _Tallied(Reading[tuple[int, ...]]):
    def __init__(self, sides: int) -> None:
        zero = (0,) * sides
        super().__init__(
            f"counts({sides})", zero, lambda f: (*zero[: f - 1], 1, *zero[f:]), _pairwise
        )

    def of(self, faces: Faces) -> tuple[int, ...]:
        return faces.of if isinstance(faces, Counts) else counted(faces, len(self.zero)).of

    def law(self, count: int, sides: int) -> dict[tuple[int, ...], int]:
        # Multinomial weights, face by face: so many of the dice that are left show this one.
        others = self.zero[sides:]
        law: dict[tuple[int, ...], int] = {(): 1}
        for _ in range(sides - 1):
            law = {
                (*shown, times): weight * comb(left, times)
                for shown, weight in law.items()
                for left in (count - sum(shown),)
                for times in range(left + 1)
            }
        return {(*shown, count - sum(shown), *others): weight for shown, weight in law.items()}

    def values(self, count: int, sides: int) -> int:
        return comb(count + sides - 1, count)


@lru_cache
def counts(sides: int) -> Reading[tuple[int, ...]]:
    """How often each face came up, face 1 first."""
    return _Tallied(sides)


@lru_cache(maxsize=512)
def _law(reading: Reading[Any], count: int, sides: int) -> dict[Any, int]:
    """n-fold convolution by halves."""
    if count == 0:
        return {reading.zero: 1}
    if count == 1:
        law: dict[Any, int] = {}
        for face in range(1, sides + 1):
            value = reading.face(face)
            law[value] = law.get(value, 0) + 1
        return law
    left, right = _law(reading, count // 2, sides), _law(reading, count - count // 2, sides)
    law = {}
    for a, p in left.items():
        for b, q in right.items():
            value = reading.add(a, b)
            law[value] = law.get(value, 0) + p * q
    return law


@lru_cache(maxsize=512)
def _total_law(count: int, sides: int) -> dict[int, int]:
    """Weights of the sums of dice: coefficients of p = ((1 - x^sides) / (1 - x))^count.

    (1 - x)(1 - x^sides) p' = count (1 - x^sides - sides x^(sides-1) (1 - x)) p gives each of them
    from three before it.  The second half is the first one backwards.
    """
    n, s = count, sides
    ways = [0] * s + [1]  # nothing below the lowest sum
    last = n * (s - 1)
    for k in range(last // 2):
        at = s + k
        ways.append(
            (
                (k + n) * ways[at]
                + (k + 1 - s - n * s) * ways[at + 1 - s]
                + (s - k - n + n * s) * ways[at - s]
            )
            // (k + 1)
        )
    half = ways[s:]
    return dict(enumerate(half + half[::-1][1 - last % 2 :], n))


class Roll(msgspec.Struct, frozen=True, gc=False):
    """A question to chance.

    count, sides: how many dice of how many faces.
    read:  how they are read; the rule sees only the reading's value.
    why:   what for, a word of the text catalogues.
    whom:  names of those the dice belong to, one a die, or none.
    owner: seat that alone may see the roll, or "" for a roll in the open.
    """

    count: int
    sides: int
    read: Reading[Any]
    why: str
    whom: tuple[str, ...] = ()
    owner: str = ""

    def check(self, fell: Faces) -> Faces:
        """Check faces at the door.  Raises DiceRefused naming the die that is wrong."""
        if type(fell) is tuple and self._fits(fell):
            return fell
        named: dict[str, Any] = {"die": f"D{self.sides}", "why": self.why, "count": self.count}
        if isinstance(fell, Counts):
            whole = all(type(n) is int and n >= 0 for n in fell.of)
            if not whole or len(fell.of) != self.sides or sum(fell.of) != self.count:
                raise DiceRefused("dice.counts", part=fell.of, **named)
            return fell
        if not isinstance(fell, (tuple, list)):
            raise DiceRefused("dice.face", part=fell, **named)
        if len(fell) != self.count:
            code = "dice.too_few" if len(fell) < self.count else "dice.too_many"
            raise DiceRefused(code, part=len(fell), **named)
        for face in fell:
            if type(face) is not int or not 1 <= face <= self.sides:
                raise DiceRefused("dice.face", part=face, **named)
        return tuple(fell)

    def _fits(self, fell: tuple[Any, ...]) -> bool:
        sides = self.sides
        for face in fell:
            if type(face) is not int or not 1 <= face <= sides:
                return False
        return len(fell) == self.count

    def thrown(self, fell: Faces) -> Thrown:
        """The record of this roll for an event."""
        if isinstance(fell, Counts):
            return Thrown(self.sides, fell.of, self.why, self.whom, True, self.owner)
        return Thrown(self.sides, fell, self.why, self.whom, owner=self.owner)


class Source(Protocol):
    """Says how dice fall.

    `where` and `decision` are what faces are derived from (docs/record.md).
    """

    def throw(self, roll: Roll, where: Any, decision: Any) -> Faces:
        """Faces for `roll`, already checked; none where the source does not know them yet."""
        ...


class Scripted:
    """Faces given in advance, in the order in which rolls will ask for them."""

    def __init__(self, given: Iterable[int]) -> None:
        self._left: list[int] = list(given)
        self._thrown = 0

    def throw(self, roll: Roll, where: Any = None, decision: Any = None) -> Faces:
        """The next faces of the list.  Raises DiceRefused if the list is too short, saying how many
        it has and how many have been needed up to this roll.
        """
        fell, self._left = tuple(self._left[: roll.count]), self._left[roll.count :]
        self._thrown += roll.count
        if len(fell) < roll.count:
            given = self._thrown - roll.count + len(fell)
            raise DiceRefused(
                "dice.too_few", part=given, given=given, needed=self._thrown,
                die=f"D{roll.sides}", why=roll.why, count=roll.count,
            )  # fmt: skip
        return roll.check(fell)

    def finish(self) -> None:
        """Raises DiceRefused if faces were given that no rule asked for."""
        if self._left:
            raise DiceRefused("dice.left_over", part=" ".join(map(str, self._left)))
