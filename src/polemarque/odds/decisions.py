"""What chance decided in a game: every procedure and roll of its scripts, with its exact odds.

A procedure stands for all that it rolls and calls; rounds of it that were thrown again are one
decision.  Its odds are those of the figures it was called with, before any die fell, given what
was answered on the way.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

import msgspec

from polemarque.kernel.acts import prepared
from polemarque.kernel.agenda import Call, Rules, rules_of
from polemarque.kernel.dice import Faces, Roll
from polemarque.kernel.errors import KernelFault
from polemarque.kernel.events import Event, Thrown
from polemarque.kernel.game import Game
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.new_game import opening
from polemarque.kernel.records.record import Answer
from polemarque.kernel.request import DICE, Request
from polemarque.kernel.run import Runner
from polemarque.odds.enumeration import law
from polemarque.odds.outcomes import frozen
from polemarque.odds.rolls import TooLarge, rolled

RARE = Fraction(1, 10)
"""An outcome is rare if it and all that are no likelier have no more chance than this together."""


class Decision(msgspec.Struct, frozen=True):
    """Something that chance decided.

    rule:    whose procedure or roll it was.   path: of the live battle, "" for the game itself.
    what:    the procedure's call with its figures, or the roll.
    value:   what it came to; sums that no later step reads are not filled in.
    dice:    how they fell, in order.
    choices: what was answered on the way, by subject or rule; None where a question was put
             several times or to several seats, so that no one answer stands for it.
    told:    numbers of the events, from 0, that showed its dice; empty if some were never shown.
    outcome: numbers of those that tell what it came to, whether they showed dice or not: what a
             procedure within it told, something later and less deep has summed up.
    """

    rule: str
    path: str
    written: tuple[str, str]
    what: Call | Roll
    value: Any
    dice: tuple[Thrown, ...]
    choices: dict[str, Any] | None = {}
    told: tuple[int, ...] = ()
    outcome: tuple[int, ...] = ()


class Odds(msgspec.Struct, frozen=True):
    """The exact odds of a decision, seen from what happened.

    p:    of just that.   tail: of that, or of anything that is no likelier.
    rare: of an outcome whose tail is at most `RARE`, whichever.
    """

    p: Fraction
    tail: Fraction
    rare: Fraction

    @property
    def is_rare(self) -> bool:
        """Whether what happened was rare."""
        return self.tail <= RARE


# Following a game --------------------------------------------------------------------------------


def decisions(game: Game) -> tuple[Decision, ...]:
    """What chance decided in a game as it stands, in order.

    What a correction or an undo left aside is not there.  Events are numbered as those of the game.
    """
    follower = _Follower()
    runner = Runner(opening(game.header), follower.hear, watcher=follower)
    for done in game.effective:
        if not isinstance(done, Answer):
            prepared(runner, done)()
        else:
            where, _ = runner.find(done.key)
            if done.key.seat == DICE:
                where.fall(done.value)
            else:
                where.say(done.key.seat, done.value)
        if runner.branches:
            runner.settle_battles()
    return tuple([each.done() for each in follower.found if each.dice])


class _Open:
    """What is being decided, or was.   fresh: those of its dice that no event has shown yet."""

    def __init__(self, rule: str, path: str, rules: Rules, what: Call | Roll) -> None:
        self.named = (rule, path, rules.key, what)
        self.value: Any = None
        self.dice: list[Thrown] = []
        self.fresh: list[Thrown] = []
        self.choices: dict[str, Any] | None = {}
        self.told: list[int] = []
        self.outcome: list[tuple[int, int]] = []
        """How many procedures deep an event was told, and its number; what is summed up is gone."""
        self.hidden = False

    def answered(self, request: Request) -> None:
        """Keep an answer that was given on the way."""
        name = request.ask.subject or request.rule
        if self.choices is None or name in self.choices or not request.ask.single:
            self.choices = None
        else:
            (self.choices[name],) = request.answered.values()

    def hear(self, number: int, event: Event, depth: int) -> None:
        """An event is told of it, with what dice it may show, from so many procedures deep."""
        if not all(thrown in event.dice for thrown in self.fresh):
            self.hidden = True
        elif self.fresh:
            self.told.append(number)
        self.fresh = []
        self.outcome = [each for each in self.outcome if each[0] <= depth] + [(depth, number)]

    def done(self) -> Decision:
        """As it was decided."""
        seen = not (self.hidden or self.fresh)
        told = tuple(self.told) if seen else ()
        outcome = tuple([number for _, number in self.outcome]) if seen else ()
        return Decision(*self.named, self.value, tuple(self.dice), self.choices, told, outcome)


class _Follower:
    """Follows a game; see `live.Watcher`.   found: what was decided or is, in order."""

    def __init__(self) -> None:
        self.found: list[_Open] = []
        self._heard = 0
        self._inside: dict[str, int] = {}
        """By path, how many procedures are running inside each other."""
        self._last: dict[str, list[_Open]] = {}
        """By path, those since the last event; the last is still open if anything is running."""

    def begins(self, path: str, call: Call, rules: Rules) -> None:
        """A procedure begins."""
        inside = self._inside[path] = self._inside.get(path, 0) + 1
        if inside == 1:
            self._open(path, call.rule, rules, call)

    def fell(self, path: str, throw: RollRequest, faces: Faces, rules: Rules) -> None:
        """Dice have fallen."""
        if not self._inside.get(path):
            self._open(path, throw.key.rule, rules, throw.roll).value = throw.roll.read.of(faces)
        running = self._last[path][-1]
        running.dice.append(throw.roll.thrown(faces))
        running.fresh.append(running.dice[-1])

    def answered(self, path: str, request: Request) -> None:
        """A question was answered."""
        if self._inside.get(path):
            self._last[path][-1].answered(request)

    def ends(self, path: str, value: Any) -> None:
        """A procedure has ended."""
        self._inside[path] -= 1
        if not self._inside[path]:
            self._last[path][-1].value = value

    def hear(self, event: Event) -> None:
        """An event is told."""
        path, last = event.path, self._last.get(event.path, [])
        depth = self._inside.get(path, 0)
        running = last[-1:] if depth else []
        for each in last:
            if each.fresh or each in running:
                each.hear(self._heard, event, depth)
        self._heard += 1
        self._last[path] = running

    def _open(self, path: str, rule: str, rules: Rules, what: Call | Roll) -> _Open:
        opened = _Open(rule, path, rules, what)
        self.found.append(opened)
        self._last.setdefault(path, []).append(opened)
        return opened


# Odds --------------------------------------------------------------------------------------------


class Reckoner:
    """Finds the odds of decisions, and keeps each law that it has found."""

    def __init__(self) -> None:
        self._laws: dict[Hashable, dict[Hashable, Fraction] | None] = {}

    def odds(self, decision: Decision) -> Odds | None:
        """The odds of a decision; None where its law takes too long, is no one law, or leaves out
        what came about because it hardly ever does.

        Raises KernelFault on what could not have happened.
        """
        law = self._law(decision)
        if law is None:
            return None
        p = law.get(frozen(decision.value))
        if p is None and _leaves_out(decision):
            return None
        if p is None:
            raise KernelFault(f"{decision.rule}: {decision.value!r} is no outcome of its law")
        tails = dict(_tails(law.values()))
        rare = sum([tail for tail in tails.values() if tail <= RARE][-1:], Fraction(0))
        return Odds(p, tails[p], rare)

    def _law(self, decision: Decision) -> dict[Hashable, Fraction] | None:
        """Outcome -> its chance."""
        if decision.choices is None:
            return None
        at = (decision.written, frozen(decision.choices), *_named(decision.what))
        if at not in self._laws:
            try:
                self._laws[at] = dict(_chances(decision))
            except TooLarge:
                self._laws[at] = None
        return self._laws[at]


def _leaves_out(decision: Decision) -> bool:
    """Whether the odds of its procedure are worked out for simpler figures."""
    what = decision.what
    return isinstance(what, Call) and rules_of(*decision.written)[what.rule].odds is not None


def _named(what: Call | Roll) -> tuple[Hashable, ...]:
    if isinstance(what, Call):
        return what.rule, frozen(what.args)
    return what.count, what.sides, what.read


def _chances(decision: Decision) -> Iterator[tuple[Hashable, Fraction]]:
    """Each outcome and its chance.  Raises TooLarge."""
    what = decision.what
    if isinstance(what, Call):
        found = law(
            what.rule, what.args, rules=rules_of(*decision.written), choices=decision.choices
        )
        yield from [(frozen(each.value), each.p) for each in found.outcomes]
        return
    likeliest, others, scale = rolled(what.read, what.count, what.sides)
    for value, weight in (likeliest, *others):
        yield frozen(value), Fraction(weight, scale)


def _tails(chances: Iterable[Fraction]) -> Iterator[tuple[Fraction, Fraction]]:
    """Each chance, least first, and that of all outcomes that are no likelier."""
    tail = Fraction(0)
    for p, alike in groupby(sorted(chances)):
        tail += sum(alike)
        yield p, tail
