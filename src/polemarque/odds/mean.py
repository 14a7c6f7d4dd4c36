"""The mean of a tally, as odds put it into a procedure's value in the place of a number."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NoReturn

from polemarque.kernel.errors import KernelFault


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
