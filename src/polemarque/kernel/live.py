"""Scripts and procedures in motion: the pieces of which a runner is made."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from polemarque.kernel.agenda import Battles, Call
from polemarque.kernel.dice import Faces, Roll
from polemarque.kernel.position import Called, Evidence, Fell, Given, Reported, Said
from polemarque.kernel.request import Ask, Key, Request


class Throw(msgspec.Struct, eq=False):
    """A roll that chance is asked for, under its key.

    decision: the structured answers that the rolling rule has received, which faces depend on.
    """

    roll: Roll
    key: Key
    decision: tuple[Any, ...]


class Watcher(Protocol):
    """Who follows what the rules do inside: procedures, what is asked in them, and dice.

    path:    of the live battle in which it happens, "" for the game itself.
    edition: the one by which that is played.
    """

    def begins(self, path: str, call: Call, edition: str) -> None:
        """A procedure begins."""
        ...

    def fell(self, path: str, throw: Throw, faces: Faces, edition: str) -> None:
        """Dice have fallen."""
        ...

    def answered(self, path: str, request: Request) -> None:
        """A question was answered by all whom it was put to."""
        ...

    def ends(self, path: str, value: Any) -> None:
        """The procedure that began last at this path came to `value`, tallies not filled in."""
        ...


NO_EVIDENCE = Evidence()
NO_SUMS: dict[str, Any] = {}
"""What nearly every frame has of them; never changed in place."""


class Live(msgspec.Struct, eq=False):
    """A frame in motion.

    tallies, before: tallies and evidence of earlier rounds.
    sums:  tallies with those of this round.
    marks: where dice, reasons and events stood when this procedure was called.
    """

    rule: str
    args: tuple[Any, ...]
    run: Any
    given: list[Given] = []
    tallies: dict[str, Any] = NO_SUMS
    sums: dict[str, Any] = NO_SUMS
    before: Evidence = NO_EVIDENCE
    marks: tuple[int, int, int] = (0, 0, 0)
    procedure: bool = False


def keys_of(pending: Request | Throw | None) -> tuple[Key, ...]:
    """The keys of an open question, in the order of the seats."""
    if isinstance(pending, Throw):
        return (pending.key,)
    return () if pending is None else tuple(pending.keys.values())


def answers(given: Given, said: Any) -> bool:
    """Whether what a script was given is an answer to what it asks."""
    if type(given) is Called:
        return type(said) is Call and said.rule == given.rule
    if type(given) is Fell:
        return type(said) is Roll
    if type(given) is Reported:
        return type(said) is Battles
    return type(said) is Ask and said.single == (type(given) is Said)
