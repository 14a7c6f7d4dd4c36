"""Probabilities and means as people read them, in either language."""

from __future__ import annotations

from fractions import Fraction


def percent(p: float | Fraction, lang: str) -> str:
    """A probability from 0 to 1, to a hundredth of a percent."""
    said = f"{float(100 * p):.2f}"
    if p and said == "0.00":
        said = "< 0.01"
    elif p < 1 and said == "100.00":
        said = "> 99.99"
    return f"{said.replace('.', ',')} %" if lang == "fr" else f"{said}%"


def decimal(n: float | Fraction, lang: str) -> str:
    """A number to two places, without those of a whole number."""
    return mean(n, lang).removesuffix(",00").removesuffix(".00")


def mean(n: float | Fraction, lang: str) -> str:
    """A number to two places."""
    said = f"{float(n):.2f}".replace("-", "−")
    return said.replace(".", ",") if lang == "fr" else said
