"""Whole numbers out of addresses and forms, where anything at all may stand."""

from __future__ import annotations

LONGEST = 16
"""Digits of the longest number that is read: all those that a browser reckons with."""


def whole(typed: str) -> int | None:
    """A whole number from 0, as it was typed or linked; None for anything else.

    Its length is looked at first: Python reads no number of thousands of digits, were they all 0.
    """
    short = len(typed) <= LONGEST and typed.isascii() and typed.isdecimal()
    return int(typed) if short else None
