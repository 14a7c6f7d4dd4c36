"""Scripts and procedures in motion: the pieces of which a runner is made."""

from __future__ import annotations

from typing import Any

from polemarque.kernel.agenda import Battles, Call
from polemarque.kernel.dice import Roll
from polemarque.kernel.position import Called, Evidence, Fell, Given, Reported, Said
from polemarque.kernel.request import Ask, Key, Request


class Throw:
    """A roll that chance is asked for, under its key.

    decision: the structured answers that the rolling rule has received, which faces depend on.
    """

    __slots__ = ("roll", "key", "decision")

    def __init__(self, roll: Roll, key: Key, decision: tuple[Any, ...]) -> None:
        self.roll = roll
        self.key = key
        self.decision = decision


NO_EVIDENCE = Evidence()
NO_SUMS: dict[str, Any] = {}
"""What nearly every frame has of them; never changed in place."""


class Live:
    """A frame in motion."""

    __slots__ = ("rule", "args", "run", "given", "tallies", "sums", "before", "marks", "procedure")

    def __init__(self, rule: str, args: tuple[Any, ...], run: Any, procedure: bool) -> None:
        self.rule = rule
        self.args = args
        self.run = run
        self.procedure = procedure
        self.given: list[Given] = []
        self.tallies = NO_SUMS
        """Tallies of earlier rounds."""
        self.sums = NO_SUMS
        """Tallies with those of this round."""
        self.before = NO_EVIDENCE
        """Evidence of earlier rounds."""
        self.marks = (0, 0, 0)
        """Where dice, reasons and events stood when this procedure was called."""


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
