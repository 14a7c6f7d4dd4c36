"""A rule asked alone: a procedure run to its end, without a game around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import GeneratorType
from typing import Any

import msgspec

from polemarque.kernel.agenda import (
    Again,
    Call,
    Explain,
    Tally,
    Tell,
    registered,
    registered_rules,
)
from polemarque.kernel.dice import Roll, Source
from polemarque.kernel.errors import KernelFault
from polemarque.kernel.events import Modifier, Thrown
from polemarque.kernel.request import DICE, Ask, Key
from polemarque.odds.choices import Choices, Met


class Ran(msgspec.Struct, frozen=True):
    """What a procedure came to.

    sums: tallies of a generator that is no registered procedure, or of one run directly.
    """

    value: Any
    sums: dict[str, Any]
    dice: tuple[Thrown, ...]
    modifiers: tuple[Modifier, ...]
    choices: tuple[Met, ...]


def rule_of(run: Any) -> str:
    """The rule whose procedure a generator is.  Raises KernelFault if it is none's."""
    for rule in registered_rules():
        if getattr(registered(rule).run, "__code__", None) is run.gi_code:
            return rule
    raise KernelFault(f"{run!r} ends in again(...), and is no registered procedure: call one")


def run_procedure(
    begin: Callable[[], Any],
    source: Source,
    *,
    rule: str = "",
    edition: str = "~",
    choices: Mapping[str, Any] | None = None,
) -> Ran:
    """Run what `begin` begins: a generator as procedures are, or a value that is ready at once.

    source: says how dice fall.   choices: answers to what is asked, by subject or rule id; else
    the absent player's are taken.  Raises Refusal as the source and the options do.
    """
    running = _Running(source, edition, Choices(choices or {}, strict=True))
    value, sums = running.through(rule, begin())
    return Ran(
        value, sums, tuple(running.dice), tuple(running.modifiers), running.choices.by_default
    )


class _Running:
    """One procedure, with those it calls."""

    def __init__(self, source: Source, edition: str, choices: Choices) -> None:
        self.source = source
        self.edition = edition
        self.choices = choices
        self.dice: list[Thrown] = []
        self.modifiers: list[Modifier] = []
        self._numbers: dict[tuple[str, str], int] = {}

    def through(self, rule: str, run: Any) -> tuple[Any, dict[str, Any]]:
        """The value and the tallies of a generator, through all its rounds."""
        sums: dict[str, Any] = {}
        while type(run) is GeneratorType:
            value: Any = None
            try:
                while True:
                    value = self._answer(rule, run.send(value), sums)
            except StopIteration as end:
                value = end.value
            if type(value) is not Again:
                return value, sums
            rule = rule_of(run)
            run = registered(rule, self.edition).run(*value.args)
        return run, sums

    def _answer(self, rule: str, said: Any, sums: dict[str, Any]) -> Any:
        kind = type(said)
        if kind is Roll:
            number = self._numbers.get((rule, said.why), 0) + 1
            self._numbers[rule, said.why] = number
            fell = self.source.throw(said, Key(0, "", rule, DICE, said.why, number), ())
            self.dice.append(said.thrown(fell))
            return said.read.of(fell)
        if kind is Call:
            value, inner = self.through(
                said.rule, registered(said.rule, self.edition).run(*said.args)
            )
            return msgspec.structs.replace(value, **inner) if inner else value
        if kind is Ask:
            return self.choices.answer(said, rule)
        if kind is Tally:
            for name, n in said.sums.items():
                sums[name] = sums.get(name, 0) + n
        elif kind is Explain:
            self.modifiers.extend(said.sum.parts)
        elif kind is not Tell:
            raise KernelFault(f"{rule}: a procedure cannot say {said!r}")
        return None
