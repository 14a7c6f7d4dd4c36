"""Choices that a rule puts to somebody while it is asked alone, or its odds are reckoned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from polemarque.kernel.request import Ask


class Met(msgspec.Struct, frozen=True):
    """A choice that was met and not given: the absent player's answer was taken."""

    rule: str
    subject: str
    answer: Any


class Choices:
    """Answers given beforehand, by the subject of the question, or else by the rule that asks.

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
