"""Whole numbers out of addresses and forms, where anything at all may stand."""

from __future__ import annotations

from polemarque.report.order_forms import typed_answers

LONGEST = 16
"""Digits of the longest number that is read: all those that a browser counts with."""


def whole(typed: str) -> int | None:
    """A whole number from 0, as it was typed or linked; None for anything else."""
    return typed_answers.whole(typed, LONGEST)
