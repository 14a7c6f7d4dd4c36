"""Probabilities and means as people read them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from polemarque.report.numerals import decimal, mean, percent


@pytest.mark.parametrize(
    ("p", "french", "english"),
    [
        (Fraction(1, 3), "33,33 %", "33.33%"),
        (Fraction(1, 10**6), "< 0,01 %", "< 0.01%"),
        (1 - Fraction(1, 10**6), "> 99,99 %", "> 99.99%"),
        (0, "0,00 %", "0.00%"),
        (1, "100,00 %", "100.00%"),
        (Fraction(1, 10**400), "< 0,01 %", "< 0.01%"),
    ],
)
def test_a_chance_is_never_said_to_be_none_or_certain_when_it_is_not(
    p: Fraction, french: str, english: str
) -> None:
    assert (percent(p, "fr"), percent(p, "en")) == (french, english)


def test_means_have_two_places_and_a_sign_that_is_a_minus() -> None:
    assert (mean(Fraction(-7, 2), "fr"), mean(3, "en")) == ("−3,50", "3.00")
    assert (decimal(3, "fr"), decimal(3, "en"), decimal(2.5, "en")) == ("3", "3", "2.50")
