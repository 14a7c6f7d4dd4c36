"""A rule asked alone: a procedure run to its end without a game, and the choices it meets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import GeneratorType
from typing import Any

import msgspec

from polemarque.kernel.agenda import (
    ANY_RULES,
    Again,
    Call,
    Explain,
    Rules,
    Tell,
    rule_of,
)
from polemarque.kernel.dice import Roll, Source
from polemarque.kernel.errors import KernelFault
from polemarque.kernel.events import Modifier, Thrown
from polemarque.kernel.interpreter import tallied, to_question
from polemarque.kernel.request import DICE, Ask, Key


class Met(msgspec.Struct, frozen=True):
    """A choice that was met and not given: the absent player's answer was taken."""

    rule: str
    subject: str
    answer: Any


class Choices:
    """Answers given in advance, by the subject of the question, or else by the rule that asks.

    strict: refuse an answer that is not legal where it is asked for; else the absent player's is
    taken there (of the odds' many ways, a given answer may fit one and not another).
    """

    def __init__(self, given: Mapping[str, Any], *, strict: bool = False) -> None:
        self._given = given
        self._strict = strict
        self._met: dict[tuple[str, str, str], Met] = {}

    @property
    def by_default(self) -> tuple[Met, ...]:
        """Choices that were met and not given."""
        return tuple(self._met.values())

    def answer(self, asked: Ask, rule: str) -> Any:
        """The answer to a question, as its options take it; of several seats, seat -> answer."""
        if asked.single:
            return self._one(asked, rule, asked.seats[0])
        return {seat: self._one(asked, rule, seat) for seat in asked.seats}

    def _one(self, asked: Ask, rule: str, seat: str) -> Any:
        from polemarque.kernel.errors import NotAllowed, NotUnderstood
        from polemarque.kernel.position import plain

        name = asked.subject if asked.subject in self._given else rule
        if name in self._given:
            try:
                return asked.options_of(seat).take(plain(self._given[name]))
            except (NotAllowed, NotUnderstood) as refusal:
                if self._strict:
                    refusal.rule = refusal.rule or rule
                    raise
        default = asked.absent_of(seat)
        met = Met(rule, asked.subject, default)
        self._met[rule, asked.subject, repr(default)] = met
        return default


# A run -------------------------------------------------------------------------------------------


class Ran(msgspec.Struct, frozen=True):
    """What a procedure came to.

    sums: tallies of a generator that is no registered procedure, or of one run directly.
    """

    value: Any
    sums: dict[str, Any]
    dice: tuple[Thrown, ...]
    modifiers: tuple[Modifier, ...]
    choices: tuple[Met, ...]


def run_procedure(
    begin: Callable[[], Any],
    source: Source,
    *,
    rule: str = "",
    rules: Rules = ANY_RULES,
    choices: Mapping[str, Any] | None = None,
) -> Ran:
    """Run what `begin` begins: a generator as procedures are, or a value that is ready at once.

    source: says how dice fall.   choices: answers to what is asked, by subject or rule id; else
    the absent player's are taken.  Raises Refusal as the source and the options do.
    """
    running = Running(source, rules, Choices(choices or {}, strict=True))
    value, sums = running.through(rule, begin())
    return Ran(
        value, sums, tuple(running.dice), tuple(running.modifiers), running.choices.by_default
    )


class Running:
    """One procedure, with those it calls."""

    def __init__(self, source: Source, rules: Rules, choices: Choices) -> None:
        self.source = source
        self.rules = rules
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
                    value = self._answer(rule, to_question(rule, run, value, self._note, sums))
            except StopIteration as end:
                value = end.value
            if type(value) is not Again:
                run = value
                break
            rule = rule_of(run)
            run = self.rules[rule].run(*value.args)
        return (self._answer(rule, run) if type(run) is Call else run), sums

    def _note(self, said: Tell | Explain) -> None:
        if type(said) is Explain:
            self.modifiers.extend(said.sum.parts)

    def _answer(self, rule: str, said: Any) -> Any:
        kind = type(said)
        if kind is Roll:
            return self._rolled(rule, said)
        if kind is Call:
            return tallied(*self.through(said.rule, self.rules[said.rule].run(*said.args)))
        if kind is Ask:
            return self.choices.answer(said, rule)
        raise KernelFault(f"{rule}: a procedure cannot say {said!r}")

    def _rolled(self, rule: str, said: Roll) -> Any:
        number = self._numbers.get((rule, said.why), 0) + 1
        self._numbers[rule, said.why] = number
        fell = self.source.throw(said, Key(0, "", rule, DICE, said.why, number), ())
        self.dice.append(said.thrown(fell))
        return said.read.of(fell)
