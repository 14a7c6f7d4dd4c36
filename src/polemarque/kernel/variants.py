"""Options that the umpire changes while a game runs: ordered now, in force when a turn begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from polemarque.kernel.agenda import Rule, tell
from polemarque.kernel.conversion import convert
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.system import Choice

Options = TypeVar("Options", bound=msgspec.Struct)


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
