"""What an umpire adjusts, read for the systems: names, values, and options changed in mid-game.

It is light, for everything that loads a system imports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from polemarque.kernel.agenda import Rule, tell
from polemarque.kernel.errors import NotUnderstood, Refusal
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.system import Choice

Options = TypeVar("Options", bound=msgspec.Struct)


def stands_for(step: str) -> bool:
    """Whether a step of a pattern is to be replaced: SEAT in ``loot.SEAT``."""
    return len(step) > 1 and step.isupper()


def fits(name: str, pattern: str) -> bool:
    """Whether a name is of a pattern's form, or goes on from where the pattern ends.

    A side's letter in a pattern stands for any: ``A.tokens`` is that of side B as well.
    """
    steps, wanted = name.split("."), pattern.split(".")
    return len(steps) >= len(wanted) and all(
        [step and (len(of) == 1 or stands_for(of) or step == of)
         for step, of in zip(steps, wanted, strict=False)]
    )  # fmt: skip


def pattern_of(name: str, patterns: Sequence[str]) -> str:
    """The first pattern whose form a name has, or ""."""
    return next((each for each in patterns if fits(name, each)), "")


def heads_of(patterns: Sequence[str]) -> frozenset[str]:
    """The first words of patterns: names that are begun, not whole."""
    return frozenset([each.partition(".")[0] for each in patterns])


def formed(name: str, patterns: Sequence[str], rule: str = "") -> str:
    """A name that says whose it is, where its pattern asks for that: ``loot`` alone does not.

    Raises NotUnderstood, which says the form.
    """
    form = next((each for each in patterns if each.startswith(f"{name}.")), "")
    if form:
        raise NotUnderstood("act.form", rule=rule, part=name, legal=(form,))
    return name


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


# Options that are ordered now and in force when a turn begins ------------------------------------


def ordered(
    waiting: Mapping[str, Any], choices: Iterable[Choice], name: str, value: Any
) -> dict[str, Any]:
    """The options that wait for the next turn, with one more of these choices.

    Raises NotUnderstood on an unknown name, and on a value that the choice does not take.
    """
    known = {choice.name: choice for choice in choices}
    if name not in known:
        raise NotUnderstood("option.unknown", part=name, legal=known)
    return {**waiting, name: known[name].take(value)}


def in_force(rule: str, options: Options, waiting: Mapping[str, Any]) -> Rule[Options]:
    """The options once those that waited are in force; `rule` tells of each (kind "option")."""
    for name, value in waiting.items():
        yield from tell(rule, "option", name=name, value=str(value))
    if not waiting:
        return options
    return convert({**msgspec.to_builtins(options), **waiting}, type(options))
