"""Running a position: from question to question.

A `Runner` holds one game in motion.  It keeps the generators of the scripts that are running as a
cache: `Runner(position)` rebuilds them by restarting each from its arguments and feeding it what
it was given, and `runner.position` is the whole truth at any moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from polemarque.kernel.agenda import Battles, Call, rules_of
from polemarque.kernel.battle import Brief, Report, fitted, resolver
from polemarque.kernel.dice import Faces, Roll
from polemarque.kernel.engine import Engine
from polemarque.kernel.errors import OutOfDate
from polemarque.kernel.events import EVERYBODY, Audience, Event, both, may_see
from polemarque.kernel.live import Live, Throw, Watcher, answers, keys_of
from polemarque.kernel.position import (
    Branch,
    Called,
    Evidence,
    Fell,
    Frame,
    Position,
    Reported,
)
from polemarque.kernel.request import Ask, Key, Request
from polemarque.kernel.system import find_system


class Runner(Engine):
    """A game in motion: it can be saved, answered, and changed between two items."""

    def __init__(
        self,
        position: Position,
        publish: Callable[[Event], None] | None = None,
        path: str = "",
        audience: Audience = EVERYBODY,
        watcher: Watcher | None = None,
    ) -> None:
        system = find_system(position.system)
        super().__init__(system, position.edition, publish, path, audience, watcher)
        self.branches: list[tuple[Brief, Runner]] = []
        self.state = position.state
        self.agenda = list(reversed(position.agenda))
        self.absent = position.absent
        self._period = position.period
        self._numbers = {(r, s, x): n for r, s, x, n in position.numbers}
        self._told = position.told
        self.editions = position.editions
        """By resolver, the edition of the battles that are opened from here."""
        if position.frames:
            self._restart(position)
        elif self.agenda:
            self._period = self.system.period(self.state)
            self._go()

    # The game as data ------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """This moment, as plain data.  Nothing is asked any more in a game that is over."""
        pending = self.pending
        numbers = {} if self.over else self._before_pending()
        return Position(
            system=self.system.name,
            edition=self.edition,
            state=self.state,
            agenda=tuple(reversed(self.agenda)),
            frames=tuple(
                [
                    Frame(live.rule, live.args, tuple(live.given), live.tallies, live.before)
                    for live in self._stack
                ]
            ),
            asked=keys_of(pending),
            waiting=dict(pending.answered) if isinstance(pending, Request) else {},
            branches=tuple([Branch(b, r.path, r.position) for b, r in self.branches]),
            told=self._told,
            period=self._period,
            numbers=tuple([(*name, n) for name, n in numbers.items()]),
            absent=self.absent,
            editions=self.editions,
        )

    @property
    def over(self) -> bool:
        """Whether nothing is left to do."""
        return not self._stack and not self.agenda

    @property
    def period(self) -> int:
        """The period that is running."""
        return self._period

    @property
    def fresh(self) -> bool:
        """Whether the running script has been given nothing yet: the moment of umpire's acts."""
        if self.branches or (isinstance(self.pending, Request) and self.pending.answered):
            return False
        return not self._stack or (len(self._stack) == 1 and not self._stack[0].given)

    def open(self) -> list[tuple[Runner, Request | Throw]]:
        """Everything that is open here and in the live battles: (runner to answer, question)."""
        found = [] if self.pending is None else [(self, self.pending)]
        for _, runner in self.branches:
            found += runner.open()
        return found

    def open_keys(self) -> Iterator[Key]:
        """The keys of everything that is open here and in the live battles."""
        for _, pending in self.open():
            if isinstance(pending, Throw):
                yield pending.key
            else:
                yield from [pending.keys[seat] for seat in pending.missing]

    def at(self, path: str) -> Runner | None:
        """The runner of the open battle at `path` ("" for the game itself), or None."""
        if path == self.path:
            return self
        found = (runner.at(path) for _, runner in self.branches)
        return next((runner for runner in found if runner is not None), None)

    def within(self) -> Iterator[Runner]:
        """This runner, and those of the battles open inside it."""
        yield self
        for _, runner in self.branches:
            yield from runner.within()

    def seen_by(self, seat: str) -> bool:
        """Whether `seat` may see anything of what happens here."""
        return may_see(self.audience, seat)

    def find(self, key: Key) -> tuple[Runner, Request | Throw]:
        """The open question of that key.  Raises OutOfDate if it is not open (any more)."""
        found = self.found(key)
        if found is None:
            raise OutOfDate("answer.not_open", rule=key.rule, part=key)
        return found

    def found(self, key: Key) -> tuple[Runner, Request | Throw] | None:
        """The open question of that key, or None."""
        pending = self.pending
        if pending is not None:
            asked = pending.keys.get(key.seat) if isinstance(pending, Request) else pending.key
            if asked is key or asked == key:
                return self, pending
        for _, runner in self.branches:
            found = runner.found(key)
            if found is not None:
                return found
        return None

    # Answers -----------------------------------------------------------------------------------

    def say(self, seat: str, value: Any) -> None:
        """Give the answer of `seat` to the open request; it has been taken by its options."""
        request = self.pending
        assert isinstance(request, Request)
        request.put(seat, value)
        if request.missing:
            return
        self._go(self._answered(request))

    def fall(self, fell: Faces) -> None:
        """Give the faces of the open throw; they have been checked."""
        throw = self.pending
        assert isinstance(throw, Throw)
        self.pending = None
        self._stack[-1].given.append(Fell(fell))
        self._dice.append(throw.roll.thrown(fell))
        if self.watcher is not None:
            self.watcher.fell(self.path, throw, fell, self.edition)
        self._go(throw.roll.read.of(fell))

    def change(self, state: Any) -> None:
        """Replace the state between two items: the running script begins anew on it.

        A state that says that the game is over ends it: nothing on the agenda is done any more.
        """
        if not self.fresh:
            raise OutOfDate("act.not_between_items", part=self._stack[0].rule)
        self.state = state
        if self._stack:
            live = self._stack.pop()
            self._numbers = self._before_pending()
            self.pending = None
            if self.system.standing(state).over:
                self.agenda.clear()
                return
            self._begin((live.rule, *live.args), told=self._told)
            self._go()

    def adopt(self, edition: str, resolver: str = "") -> None:
        """Go on by another edition of the rules: the running script begins anew under it.

        resolver: whose later battles alone are fought by it; those that are open stay as they are.
        """
        if resolver:
            self.editions = {**self.editions, resolver: edition}
        else:
            self.edition, self.rules = edition, rules_of(edition)
            self.change(self.state)

    def settle_battles(self) -> None:
        """Join the live battles if all are over; the script that opened them goes on."""
        for _, runner in self.branches:
            runner.settle_battles()
        if self.branches and all(runner.over for _, runner in self.branches):
            self._go(self._joined())

    def _joined(self) -> tuple[Report, ...]:
        """The reports of the live battles, all of them over, in the order of their briefs."""
        reports = tuple([self._report(brief, runner) for brief, runner in self.branches])
        self.branches = []
        self._stack[-1].given.append(Reported(reports))
        return reports

    def _report(self, brief: Brief, runner: Runner) -> Report:
        report = resolver(brief.resolver).report(brief, runner.state)
        return fitted(brief, msgspec.structs.replace(report, brief=brief.id, log=runner.path))

    def _open_battles(self, said: Battles) -> None:
        """Open each battle as a position of its own inside this one."""
        for brief in said.briefs:
            edition = self.editions.get(brief.resolver, "")
            if edition:
                brief = msgspec.structs.replace(brief, edition=edition)
            opened = resolver(brief.resolver).open(brief)
            opened = msgspec.structs.replace(
                opened, edition=edition or opened.edition, editions=self.editions
            )
            self._enclose(brief, opened, self._branch_path(brief))

    def _enclose(self, brief: Brief, position: Position, path: str) -> None:
        """Set a battle in motion inside this game, before the eyes of whoever may see it."""
        audience = both(self.audience, brief.audience)
        inner = Runner(position, self.publish, path, audience, self.watcher)
        self.branches.append((brief, inner))

    def _branch_path(self, brief: Brief) -> str:
        """The path of a live battle: its own for the whole game, by the period that opened it."""
        name = ("", "", brief.id)
        number = self._numbers[name] = self._numbers.get(name, 0) + 1
        prefix = f"{self.path}." if self.path else ""
        again = f"~{number}" if number > 1 else ""
        return f"{prefix}{self._period}-{brief.id}{again}"

    # Restarting --------------------------------------------------------------------------------

    def _restart(self, position: Position) -> None:
        """Rebuild the generators: each frame from its arguments and what it was given."""
        for depth, frame in enumerate(position.frames):
            entry = self.rules[frame.rule]
            args = frame.args if entry.procedure else (self.state, *frame.args)
            live = Live(frame.rule, frame.args, entry.run(*args), procedure=entry.procedure)
            live.marks = (len(self._dice), len(self._reasons), self._seen)
            live.tallies, live.sums = frame.tallies, dict(frame.tallies)
            live.before = frame.evidence
            self._recall(frame.evidence)
            last = depth == len(position.frames) - 1
            self._stack.append(live)
            self._feed(live, frame, position if last else None)
        if keys_of(self.pending) != position.asked:
            raise OutOfDate("position.other_rules", rule=self._stack[-1].rule)

    def _recall(self, evidence: Evidence) -> None:
        if evidence.told:
            self._dice, self._reasons = [], []
        self._dice.extend(evidence.dice)
        self._reasons.extend(evidence.reasons)
        self._seen += evidence.told

    def _feed(self, live: Live, frame: Frame, top: Position | None) -> None:
        """Run one frame up to where it stood.  `top` is the position if it is the innermost."""
        value: Any = None
        for given in (*frame.given, None):
            said = self._next_question(live, value)
            if given is None:
                self._stand(live, said, top)
                return
            if not answers(given, said):
                raise OutOfDate("position.other_rules", rule=live.rule)
            live.given.append(given)
            if isinstance(given, Fell):
                self._dice.append(said.thrown(given.value))
                value = said.read.of(given.value)
            else:
                if isinstance(given, Called):
                    self._recall(given.evidence)
                value = given.value

    def _next_question(self, live: Live, value: Any) -> Any:
        """Run a frame to what it asks next, telling again what it told."""
        while True:
            try:
                said = live.run.send(value)
            except StopIteration:
                raise OutOfDate("position.answers_left", rule=live.rule) from None
            if type(said) in (Ask, Roll, Call, Battles):
                return said
            self._note(live, said)
            value = None

    def _stand(self, live: Live, said: Any, top: Position | None) -> None:
        """The restarted frame stands at a question again."""
        if top is None:
            if type(said) is not Call:
                raise OutOfDate("position.other_rules", rule=live.rule)
        elif type(said) is Ask:
            self.pending = request = self._request(live, said)
            for seat, value in top.waiting.items():
                request.put(seat, request.options(seat).take(value))
        elif type(said) is Roll:
            self.pending = self._throw(live, said)
        elif type(said) is Battles:
            for branch in top.branches:
                self._enclose(branch.brief, branch.position, branch.path)
        else:
            raise OutOfDate("position.other_rules", rule=live.rule)
