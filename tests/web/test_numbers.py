"""Whole numbers out of addresses and forms."""

from __future__ import annotations

import pytest

from polemarque.web.forms.whole_numbers import whole


@pytest.mark.parametrize(("typed", "number"), [("0", 0), ("007", 7), ("9" * 16, 10**16 - 1)])
def test_a_whole_number_is_read(typed: str, number: int) -> None:
    assert whole(typed) == number


@pytest.mark.parametrize("typed", ["", "-1", "+1", " 1", "1_0", "²", "٣", "1.0", "9" * 17])
def test_anything_else_is_none(typed: str) -> None:
    assert whole(typed) is None


def test_nor_is_what_is_far_too_long_one() -> None:
    assert whole("0" * 5000) is None and whole("9" * 5000) is None
