"""What a law is made of: outcomes, means, and where the runs of one situation end, with weights."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, NoReturn, TypeAlias

import msgspec

from polemarque.kernel.errors import KernelFault
from polemarque.kernel.position import encode
from polemarque.odds.markov import NOTHING, Vector
from polemarque.odds.rolls import Branches, branches

Ratio: TypeAlias = tuple[int, int]
"""A number as two whole ones, in any terms: what is worked out with it takes no common divisors."""

End: TypeAlias = tuple[Any, int, Mapping[str, Ratio]]
"""A value, its weight, and the means of its tallies."""


class Mean:
    """An exact mean that can be added up and multiplied by numbers, and nothing else.

    Odds know only the mean of a tally, so a rule that compares, counts by or looks up with one
    would get wrong odds: it is stopped instead.
    """

    __slots__ = ("n", "of")

    def __init__(self, n: int, of: int) -> None:
        self.n = n
        self.of = of

    @property
    def exact(self) -> Fraction:
        """The mean."""
        return Fraction(self.n, self.of)

    def __add__(self, other: Any) -> Mean:
        n, of = _ratio(other)
        return Mean(self.n * of + n * self.of, self.of * of)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Mean:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Mean:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Mean:
        if isinstance(other, Mean):
            _refuse()
        n, of = _ratio(other)
        return Mean(self.n * n, self.of * of)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Mean:
        if isinstance(other, Mean):
            _refuse()
        return self * (1 / Fraction(other))

    def __neg__(self) -> Mean:
        return Mean(-self.n, self.of)

    def _looked_at(self, *_: Any) -> NoReturn:
        _refuse(self)

    __bool__ = __int__ = __index__ = __float__ = __abs__ = __round__ = _looked_at
    __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _looked_at
    __eq__ = __ne__ = _looked_at
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rtruediv__ = _looked_at

    __str__ = __format__ = _looked_at

    def __repr__(self) -> str:
        return f"Mean({self.n}, {self.of})"


class Unread(Mean):
    """What stands for all values of a roll until a rule looks at it.

    name:   the rule that rolls, and what for.   values: what it may come to.
    """

    __slots__ = ("name", "values")

    def __init__(self, mean: Ratio, name: tuple[str, str], values: Branches) -> None:
        self.n, self.of = mean
        self.name = name
        self.values = values

    __repr__ = Mean._looked_at


def _ratio(number: Any) -> Ratio:
    return (number.n, number.of) if isinstance(number, Mean) else number.as_integer_ratio()


class LookedAt(KernelFault):
    """A rule looks at a mean: `mean`, where it is known which."""

    def __init__(self, mean: Mean | None) -> None:
        super().__init__(
            "a rule looks at a tally: tallies are sums that nothing reads; make it a plain value"
        )
        self.mean = mean


def _refuse(mean: Mean | None = None) -> NoReturn:
    raise LookedAt(mean)


class Outcome(msgspec.Struct, frozen=True):
    """One final value, its probability, and the mean of each tally when it happens."""

    value: Any
    p: Fraction
    means: dict[str, Fraction] = {}


def ranked(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Most probable first, equal ones in the order of their values' JSON."""
    listed = list(outcomes)
    scale = lcm(*[o.p.denominator for o in listed])
    by_weight: dict[int, list[Outcome]] = {}
    for o in listed:
        by_weight.setdefault(o.p.numerator * (scale // o.p.denominator), []).append(o)
    found: list[Outcome] = []
    for weight in sorted(by_weight, reverse=True):
        alike = by_weight[weight]
        if len(alike) > 1:
            alike.sort(key=lambda o: encode(o.value))
        found += alike
    return tuple(found)


class Spread:
    """The law of one situation, worked out where it is looked at.

    ends: gives each value with its weight and the means of its tallies, and what weights add up to.
    """

    __slots__ = ("_make", "_ends", "_branches")

    def __init__(self, ends: Callable[[], tuple[list[End], int]]) -> None:
        self._make = ends
        self._ends: tuple[list[End], int] | None = None
        self._branches: Branches | None = None

    @property
    def ends(self) -> tuple[list[End], int]:
        """Each value with its weight and the means of its tallies; what weights add up to."""
        if self._ends is None:
            self._ends = self._make()
        return self._ends

    @property
    def outcomes(self) -> list[Outcome]:
        """The same with probabilities."""
        ends, scale = self.ends
        return [
            Outcome(value, Fraction(n, scale), {name: Fraction(*m) for name, m in means.items()})
            for value, n, means in ends
        ]

    def without(self, tallies: Sequence[str]) -> Spread:
        """The law of results as dicts, tallies taken out of them."""
        ends, scale = self.ends
        found = []
        for value, n, means in ends:
            named = as_dict(value)
            for tally in tallies:
                named.pop(tally, None)
            found.append((named, n, means))
        return Spread(lambda: (found, scale))

    @property
    def branches(self) -> Branches:
        """As answers to a caller: values with their tallies filled in, and whole weights."""
        if self._branches is None:
            ends, scale = self.ends
            filled = [(_filled(value, means), n) for value, n, means in ends]
            self._branches = branches(filled, scale)
        return self._branches


def spread(values: Mapping[Hashable, Any], chances: Vector, gains: Vector) -> Spread:
    """The law of values by key; gains: tallies by name and key, counted where a value comes up."""

    def ends() -> tuple[list[End], int]:
        weights, scale = chances
        sums, under = gains
        means: dict[Hashable, dict[str, Ratio]] = {}
        for (name, key), n in sums.items():
            means.setdefault(key, {})[name] = n * scale, under * weights[key]
        return [(values[key], n, means.get(key, {})) for key, n in weights.items()], scale

    return Spread(ends)


def _filled(value: Any, means: Mapping[str, Ratio]) -> Any:
    if not means:
        return value
    return msgspec.structs.replace(value, **{name: Mean(*mean) for name, mean in means.items()})


class Cell:
    """One end of a situation's runs (a final value, or further arguments), with its weights."""

    __slots__ = ("what", "weights", "sums")

    def __init__(self, what: Any) -> None:
        self.what = what
        self.weights: dict[int, int] = {}
        """By the scale of the weights."""
        self.sums: dict[tuple[str, int], int] = {}
        """Weighted tallies by name and scale."""

    def add(self, weight: int, scale: int, sums: Mapping[str, Any]) -> None:
        """One more run that ends here."""
        self.weights[scale] = self.weights.get(scale, 0) + weight
        for name, n in sums.items():
            if isinstance(n, Mean):
                common = gcd(weight, n.of)
                self.sum(name, weight // common * n.n, scale * (n.of // common))
            else:
                self.sum(name, weight * n, scale)

    def sum(self, name: str, n: int, scale: int) -> None:
        """More of a tally, already weighted."""
        self.sums[name, scale] = self.sums.get((name, scale), 0) + n

    def weight(self, scale: int) -> int:
        """How many parts of `scale` end here."""
        return sum([n * (scale // under) for under, n in self.weights.items()])

    @property
    def tallies(self) -> Vector:
        """Each tally by name, counted where the runs end here."""
        if not self.sums:
            return NOTHING
        scale = lcm(*{under for _, under in self.sums})
        found: dict[str, int] = {}
        for (name, under), n in self.sums.items():
            found[name] = found.get(name, 0) + n * (scale // under)
        return found, scale


class Transitions:
    """What one situation leads to: final values and further situations."""

    __slots__ = ("ends", "onward")

    def __init__(self) -> None:
        self.ends: dict[Hashable, Cell] = {}
        self.onward: dict[Hashable, Cell] = {}

    @property
    def scale(self) -> int:
        """What all weights are parts of."""
        cells = (*self.ends.values(), *self.onward.values())
        return lcm(*{scale for cell in cells for scale in cell.weights})

    @property
    def gains(self) -> Vector:
        """Tallies by name and the key of the value that comes up."""
        parts = {key: cell.tallies for key, cell in self.ends.items() if cell.sums}
        scale = lcm(*{under for _, under in parts.values()})
        found: dict[Any, int] = {}
        for key, (sums, under) in parts.items():
            for name, n in sums.items():
                found[name, key] = n * (scale // under)
        return found, scale

    def spread(self) -> Spread:
        """Its law, where nothing leads further."""
        scale = self.scale
        weights = {key: cell.weight(scale) for key, cell in self.ends.items()}
        values = {key: cell.what for key, cell in self.ends.items()}
        return spread(values, (weights, scale), self.gains)


def parted(
    value: Any, sums: Mapping[str, Any], tallies: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A result as a dict without its tallies, and the tallies."""
    named = as_dict(value)
    apart = {name: named.pop(name, 0) for name in tallies}
    return named, {name: sums.get(name, n) for name, n in apart.items()}


def as_dict(value: Any) -> dict[str, Any]:
    """A result, a Struct or a mapping, as a dict of its own."""
    return msgspec.structs.asdict(value) if isinstance(value, msgspec.Struct) else dict(value)


def frozen(value: Any) -> Hashable:
    """A value or arguments as a key."""
    try:
        hash(value)
    except TypeError:
        return tuple(_flat(value))
    return value  # type: ignore[no-any-return]


def _flat(value: Any) -> Iterator[Hashable]:
    """Lists and mappings, opened."""
    if isinstance(value, Mapping):
        yield "{}"
        for name, part in value.items():
            yield name
            yield frozen(part)
    elif isinstance(value, (list, tuple)):
        yield "[]"
        for part in value:
            yield frozen(part)
    elif isinstance(value, msgspec.Struct):
        yield type(value).__name__
        for name in value.__struct_fields__:
            yield frozen(getattr(value, name))
    else:
        raise KernelFault(f"odds cannot tell such values apart: {value!r}")
