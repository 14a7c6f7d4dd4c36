"""Events: what happened, as frozen records; prose is rendered elsewhere, per language.

An event carries its rule id, its figures, every modifier as (amount, reason, rule id), the dice
that led to it, and who may see it.  Modifiers are summed by one type, `Sum`, so that a total and
its explanation cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

EVERYBODY: None = None
"""The audience of a public event."""


Audience = tuple[str, ...] | None
"""Seats that may see something, or None for everybody."""


def both(one: Audience, other: Audience) -> Audience:
    """Who is in the one audience and in the other."""
    if one is None or other is None:
        return other if one is None else one
    return tuple([seat for seat in other if seat in one])


def may_see(audience: Audience, seat: str) -> bool:
    """Whether `seat` is in an audience."""
    return audience is None or seat in audience


class Modifier(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One reasoned part of a sum."""

    amount: int
    reason: str
    rule: str


class Sum(msgspec.Struct, frozen=True, gc=False):
    """A total that remembers its parts; parts of zero are kept only if they were put in."""

    parts: tuple[Modifier, ...] = ()

    @property
    def total(self) -> int:
        """The sum of all parts."""
        total = 0
        for part in self.parts:
            total += part.amount
        return total

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.parts + other.parts)


NOTHING = Sum()
"""A sum of no parts."""


def bonus(rule: str, amount: int, reason: str) -> Sum:
    """A sum of one part, or of none where the amount is 0 (a modifier of nothing is not told)."""
    return Sum((Modifier(amount, reason, rule),)) if amount else NOTHING


class Thrown(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Dice that were rolled: what for, for whom (one name a die, or none), and how they fell.

    faces: one number a die (1 to `sides`), or for a long roll the count of each face, 1 upwards.
    owner: the seat that alone may see them, or "": they stand in no event that others see.
    """

    sides: int
    faces: tuple[int, ...]
    why: str
    whom: tuple[str, ...] = ()
    counted: bool = False
    owner: str = ""


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """What happened.

    rule:     id of the rule that made it happen.
    kind:     which of the rule's outcomes; with the rule id it names the sentence that tells it.
    data:     plain figures and codes for that sentence.
    audience: seats that may see it, or None for everybody.
    reveals:  whether it showed somebody what they did not know.
    phase:    the phase in which it happened (see `System.phase`), or "".
    """

    rule: str
    kind: str
    data: dict[str, Any] = {}
    modifiers: tuple[Modifier, ...] = ()
    dice: tuple[Thrown, ...] = ()
    audience: Audience = EVERYBODY
    period: int = 0
    path: str = ""
    reveals: bool = False
    phase: str = ""

    def seen_by(self, seat: str) -> bool:
        """Whether `seat` may see this event."""
        return may_see(self.audience, seat)

    @property
    def outer_period(self) -> int:
        """The period of the whole game in which it happened, in a battle inside it too."""
        return int(self.path.partition("-")[0]) if self.path else self.period


class EventLog(list[Event]):
    """The events of a game as it stands, as a driver keeps them.

    ``told = Told(); Game(header, publish=told.append, withdraw=told.withdraw)``
    """

    def withdraw(self, standing: int) -> None:
        """Only the first `standing` events still hold."""
        del self[standing:]


class EventFeed:
    """What a game has told, each event once, and what an undo or a correction takes back.

    publish:  called with each event.
    withdraw: called with the number of events that still hold, before others take their place.
    """

    def __init__(
        self,
        publish: Callable[[Event], None] | None = None,
        withdraw: Callable[[int], None] | None = None,
    ) -> None:
        self.told: list[Event] = []
        self._publish = publish
        self._withdraw = withdraw

    def tell(self, event: Event) -> None:
        """Something has happened."""
        self.told.append(event)
        if self._publish is not None:
            self._publish(event)

    def replace(self, before: EventFeed) -> None:
        """Take the place of what was told before: withdraw what does not hold, tell what is new."""
        self._publish, self._withdraw = before._publish, before._withdraw
        standing = 0
        for old, new in zip(before.told, self.told, strict=False):
            if old != new:
                break
            standing += 1
        if self._withdraw is not None and standing < len(before.told):
            self._withdraw(standing)
        if self._publish is not None:
            for event in self.told[standing:]:
                self._publish(event)
