"""Values of what an umpire adjusts, read for the systems; light, for whoever loads a system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polemarque.kernel.errors import NotUnderstood, Refusal


def number(
    value: Any,
    least: int | None = None,
    most: int | None = None,
    *,
    name: str = "",
    beyond: type[Refusal] = NotUnderstood,
) -> int:
    """A whole number from `least` to `most`.

    name: what is adjusted, for the message.   beyond: what is raised at a number out of bounds;
    NotUnderstood at what is no whole number.
    """
    low, high = ("" if bound is None else str(bound) for bound in (least, most))
    legal = (f"{low}-{high}",) if low or high else ()
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotUnderstood("act.number", part=value, legal=legal, name=name)
    if (least is not None and value < least) or (most is not None and value > most):
        raise beyond("act.number", part=value, legal=legal, name=name)
    return value


def word(
    value: Any,
    words: Sequence[Any],
    *,
    name: str = "",
    rule: str = "",
    beyond: type[Refusal] = NotUnderstood,
) -> Any:
    """One of some words; else `beyond` is raised (see `number`)."""
    if value not in words:
        raise beyond("act.word", rule=rule, part=value, legal=words, name=name)
    return value


def truth(value: Any, *, name: str = "") -> bool:
    """True or false.  Raises NotUnderstood."""
    if not isinstance(value, bool):
        raise NotUnderstood("act.truth", part=value, legal=("true", "false"), name=name)
    return value
