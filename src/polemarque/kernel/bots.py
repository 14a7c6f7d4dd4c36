"""What a bot is: what it is given, and what it owes.

A bot is asked exactly what a person is asked: it gets what its seat may see, the options of the
question, and which question it is.  It keeps nothing between two questions, and all its chance
comes from the chooser it is handed, so that the same game gives the same answers again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import msgspec

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.position import Position
from polemarque.kernel.request import Chooser, Key, Options, Sheet


def _unknown() -> None:
    """No moment is known."""


class Asked(msgspec.Struct, frozen=True):
    """A question as a bot knows it: not the request itself, which holds what others have sealed.

    key:    period, path, rule, seat, subject and number.
    absent: gives what the rules answer for an absent player.
    moment: gives where the rules stand, for a bot that plays on in its head: a position without its
            state and without what others have sealed.  None where the system's rules keep secrets
            in what runs (see `System.public_course`).
    """

    key: Key
    absent: Callable[[], Any]
    moment: Callable[[], Position | None] = _unknown

    @property
    def seat(self) -> str:
        """Who is asked."""
        return self.key.seat

    @property
    def rule(self) -> str:
        """The rule that asks."""
        return self.key.rule


class Bot(Protocol):
    """A player that is a program."""

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """An answer that `options` take."""
        ...


@runtime_checkable
class Tunable(Protocol):
    """A bot that can be told how much effort to spend."""

    def tuned(self, effort: str) -> Bot:
        """The bot that spends so much.  Raises NotUnderstood."""
        ...


def fill(sheet: Sheet, answer: Callable[[str, Options], Any]) -> dict[str, Any]:
    """A sheet filled part by part with what `answer(part, options)` gives."""
    return sheet.filled(answer)


def usual(options: Options, asked: Asked, chooser: Chooser) -> Any:
    """What the rules answer for an absent player, where it can be answered; else anything."""
    try:
        return options.take(asked.absent())
    except (NotAllowed, NotUnderstood):
        return options.sample(chooser)
