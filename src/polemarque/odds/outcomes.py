"""What a law is made of: outcomes, means, and where the runs of one situation end, with weights."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NoReturn

import msgspec

from polemarque.kernel.errors import KernelFault
from polemarque.kernel.position import encode
from polemarque.odds.rolls import Branches, branches


class Mean:
    """An exact mean that can be added up and multiplied by numbers, and nothing else.

    Odds know only the mean of a tally, so a rule that compares, counts by or looks up with one
    would get wrong odds: it is stopped instead.
    """

    __slots__ = ("exact",)

    def __init__(self, exact: Fraction) -> None:
        self.exact = exact

    def __add__(self, other: Any) -> Mean:
        return Mean(self.exact + _exact(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Mean:
        return Mean(self.exact - _exact(other))

    def __rsub__(self, other: Any) -> Mean:
        return Mean(_exact(other) - self.exact)

    def __mul__(self, other: Any) -> Mean:
        if isinstance(other, Mean):
            _refuse()
        return Mean(self.exact * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Mean:
        if isinstance(other, Mean):
            _refuse()
        return Mean(self.exact / other)

    def __neg__(self) -> Mean:
        return Mean(-self.exact)

    def _looked_at(self, *_: Any) -> NoReturn:
        _refuse()

    __bool__ = __int__ = __index__ = __float__ = __abs__ = __round__ = _looked_at
    __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _looked_at
    __eq__ = __ne__ = _looked_at
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rtruediv__ = _looked_at

    def __repr__(self) -> str:
        return f"Mean({self.exact})"


def _exact(number: Any) -> Fraction:
    return number.exact if isinstance(number, Mean) else Fraction(number)


def _refuse() -> NoReturn:
    raise KernelFault(
        "a rule looks at a tally: tallies are sums that nothing reads; make it a plain value"
    )


class Outcome(msgspec.Struct, frozen=True):
    """One final value, its probability, and the mean of each tally when it happens."""

    value: Any
    p: Fraction
    means: dict[str, Fraction] = {}


def ranked(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Most probable first, equal ones in the order of their values' JSON."""
    listed = list(outcomes)
    scale = lcm(*[o.p.denominator for o in listed])

    def place(outcome: Outcome) -> tuple[int, bytes]:
        return -outcome.p.numerator * (scale // outcome.p.denominator), encode(outcome.value)

    return tuple(sorted(listed, key=place))


class Spread:
    """The law of one situation: value, probability and means of tallies."""

    __slots__ = ("outcomes", "_branches")

    def __init__(self, outcomes: list[Outcome]) -> None:
        self.outcomes = outcomes
        self._branches: Branches | None = None

    @property
    def branches(self) -> Branches:
        """As answers to a caller: values with their tallies filled in, and whole weights."""
        if self._branches is None:
            scale = lcm(*[o.p.denominator for o in self.outcomes])
            self._branches = branches(
                [(_filled(o), o.p.numerator * (scale // o.p.denominator)) for o in self.outcomes],
                scale,
            )
        return self._branches


def _filled(outcome: Outcome) -> Any:
    if not outcome.means:
        return outcome.value
    means = {name: Mean(mean) for name, mean in outcome.means.items()}
    return msgspec.structs.replace(outcome.value, **means)


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
            under = scale
            if type(n) is Mean:
                under, n = scale * n.exact.denominator, n.exact.numerator
            self.sums[name, under] = self.sums.get((name, under), 0) + weight * n

    @property
    def p(self) -> Fraction:
        """The probability to end here."""
        return _over(self.weights.items())

    @property
    def tallies(self) -> dict[str, Fraction]:
        """The mean of each tally, counted where the runs end here."""
        parts: dict[str, list[tuple[int, int]]] = {}
        for (name, scale), n in self.sums.items():
            parts.setdefault(name, []).append((scale, n))
        return {name: _over(of) for name, of in parts.items()}


def _over(parts: Iterable[tuple[int, int]]) -> Fraction:
    """The sum of n / scale."""
    parts = list(parts)
    scale = lcm(*[under for under, _ in parts])
    return Fraction(sum([n * (scale // under) for under, n in parts]), scale)


class Transitions:
    """What one situation leads to: final values and further situations."""

    __slots__ = ("ends", "onward")

    def __init__(self) -> None:
        self.ends: dict[Hashable, Cell] = {}
        self.onward: dict[Hashable, Cell] = {}


def parted(
    value: Any, sums: Mapping[str, Any], tallies: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A result as a dict without its tallies, and the tallies."""
    named = dict(value) if isinstance(value, Mapping) else msgspec.structs.asdict(value)
    apart = {name: named.pop(name, 0) for name in tallies}
    return named, {name: sums.get(name, n) for name, n in apart.items()}


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
