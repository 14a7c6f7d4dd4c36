"""Rules in motion: what they say is read here, for games, their restart, consult and odds.

A rule asks (`QUESTIONS`) and waits for the answer; what else it says needs none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import repeat
from typing import Any, Protocol, TypeAlias

import msgspec

from polemarque.kernel.agenda import Battles, Call, Explain, Rules, Tally, Tell
from polemarque.kernel.dice import Faces, Roll
from polemarque.kernel.errors import KernelFault
from polemarque.kernel.position import (
    BattleReports,
    Evidence,
    Given,
    OneAnswer,
    Returned,
    RolledFaces,
)
from polemarque.kernel.request import Ask, Key, Request


class RollRequest(msgspec.Struct, eq=False):
    """A roll that chance is asked for, under its key.

    decision: the structured answers that the rolling rule has received, which faces depend on.
    """

    roll: Roll
    key: Key
    decision: tuple[Any, ...]


class Watcher(Protocol):
    """Who follows what the rules do inside: procedures, what is asked in them, and dice.

    path:    of the live battle in which it happens, "" for the game itself.
    rules:   those by which that is played.
    """

    def begins(self, path: str, call: Call, rules: Rules) -> None:
        """A procedure begins."""
        ...

    def fell(self, path: str, throw: RollRequest, faces: Faces, rules: Rules) -> None:
        """Dice have fallen."""
        ...

    def answered(self, path: str, request: Request) -> None:
        """A question was answered by all whom it was put to."""
        ...

    def ends(self, path: str, value: Any) -> None:
        """The procedure that began last at this path came to `value`, tallies not filled in."""
        ...


NO_EVIDENCE = Evidence()
NO_TALLIES: dict[str, Any] = {}
"""What nearly every frame has of them; never changed in place."""


class Live(msgspec.Struct, eq=False):
    """A frame in motion.

    tallies, before: tallies and evidence of earlier rounds.
    sums:  tallies with those of this round; None of a script, which has none.
    marks: where dice, reasons and events stood when this procedure was called.
    """

    rule: str
    args: tuple[Any, ...]
    run: Any
    given: list[Given] = []
    tallies: dict[str, Any] = NO_TALLIES
    sums: dict[str, Any] | None = None
    before: Evidence = NO_EVIDENCE
    marks: tuple[int, int, int] = (0, 0, 0)


def keys_of(pending: Request | RollRequest | None) -> tuple[Key, ...]:
    """The keys of an open question, in the order of the seats."""
    if isinstance(pending, RollRequest):
        return (pending.key,)
    return () if pending is None else tuple(pending.keys.values())


def answers(given: Given, said: Any) -> bool:
    """Whether what a script was given is an answer to what it asks."""
    if type(given) is Returned:
        return type(said) is Call and said.rule == given.rule
    if type(given) is RolledFaces:
        return type(said) is Roll
    if type(given) is BattleReports:
        return type(said) is Battles
    return type(said) is Ask and said.single == (type(given) is OneAnswer)


# What a rule says --------------------------------------------------------------------------------

Question: TypeAlias = Ask | Roll | Call | Battles
"""What a rule waits for."""

QUESTIONS = frozenset((Ask, Roll, Call, Battles))

RUNAWAY = 20_000
"""A game that does this many steps without asking anything is a fault of its scripts."""


def to_question(
    rule: str,
    run: Any,
    value: Any,
    note: Callable[[Tell | Explain], None] | None = None,
    sums: dict[str, Any] | None = None,
    steps: Iterator[object] | None = None,
) -> Any:
    """Send an answer to a running rule, and go on to the `Question` after it.

    note:  takes what the rule tells and explains on the way.
    sums:  its tallies are added to them; None for a script, which has none.
    steps: how many things it may still say; None for as many as it likes.
    Raises StopIteration with what the rule returns at its end, KernelFault at what is no statement.
    """
    send = run.send
    said = send(value)
    if type(said) in QUESTIONS:
        return said
    for _ in repeat(None) if steps is None else steps:
        kind = type(said)
        if kind is Tell or kind is Explain:
            if note is not None:
                note(said)
        elif kind is Tally and sums is not None:
            for name, n in said.sums.items():
                sums[name] = sums[name] + n if name in sums else n
        else:
            raise KernelFault(f"{rule} yielded {said!r}, which the kernel does not know")
        said = send(None)
        if type(said) in QUESTIONS:
            return said
    raise KernelFault(f"{rule}: {RUNAWAY} steps without a question")


def tallied(value: Any, sums: Mapping[str, Any]) -> Any:
    """A procedure's value, its tallies filled into the fields of their names."""
    return msgspec.structs.replace(value, **sums) if sums else value
