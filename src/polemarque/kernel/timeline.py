"""The course of a game: what of its record is in force, and the position that it leads to.

Answers and umpire's acts take effect here, in order.  Undo and corrections never change a course:
they run a new one, from the answers that stay, and the old one is thrown away only when the new
one stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from polemarque.kernel.acts import path_of, prepared
from polemarque.kernel.errors import NotAllowed, NotUnderstood, NotYourTurn, Refusal
from polemarque.kernel.events import EventFeed
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.position import Position
from polemarque.kernel.records.record import COMMITTED, ONLY, SEEDED, Act, Answer, Header
from polemarque.kernel.request import DICE, Key, Request, forced
from polemarque.kernel.run import Runner
from polemarque.kernel.system import System

Done = Answer | Act
"""What takes effect."""


class Course:
    """What is in force.

    effective: answers and acts of the umpire in the order in which they took effect.
    pool:      answers of a corrected game that wait for their question to come up again.
    acts:      umpire's acts of a corrected game that wait for theirs.
    dropped:   what a correction found illegal, or what the dice of other decisions said.
    salts:     by path, those of the last sealed request completed there, by seat.
    telling:   what it tells, or None where nobody listens.
    """

    def __init__(
        self, header: Header, system: System, start: Position, telling: EventFeed | None = None
    ) -> None:
        self.header = header
        self.system = system
        self.start = start
        self.telling = telling
        self.runner = Runner(start, telling.tell if telling is not None else None)
        self.effective: list[Done] = []
        self.pool: dict[Key, Answer] = {}
        self.acts: list[Act] = []
        self.dropped: list[Done] = []
        self.salts: dict[str, dict[str, str]] = {}
        self.barrier = 0
        """How much of `effective` no undo may touch: up to the last die or reveal."""
        self._decisions: dict[Key, Any] = {}
        self._before: dict[Key, Any] = {}
        """Decisions that the waiting dice of the course before depended on."""
        self._sealed: dict[str, dict[str, str]] = {}

    # Reading -----------------------------------------------------------------------------------

    def requests(self) -> list[Request]:
        """Every open question to seats."""
        return [pending for _, pending in self.runner.open() if isinstance(pending, Request)]

    def asked(self, key: Key) -> tuple[Runner, Request | RollRequest]:
        """The open question of that key, and the runner that asks it.

        Raises NotYourTurn if its seat is asked nothing, OutOfDate if it is asked something else.
        """
        found = self.runner.found(key)
        if found is not None:
            return found
        if key.seat != DICE and not any(key.seat in r.seats for r in self.requests()):
            raise NotYourTurn("answer.not_asked", rule=key.rule, part=key.seat)
        return self.runner.find(key)  # which says what is out of date

    def checked(self, entry: Answer, pending: Request | RollRequest) -> Answer:
        """The answer as its options take it; raises their refusal."""
        key, given = entry.key, entry.value
        if type(pending) is Request:
            try:
                value = pending.options(key.seat).take(given)
            except Refusal as refusal:
                refusal.rule = refusal.rule or key.rule
                raise
            if entry.by == ONLY and not forced(pending.options(key.seat)):
                raise NotAllowed("answer.not_only", rule=key.rule, part=key.seat)
        else:
            assert type(pending) is RollRequest
            value = pending.roll.check(given)
        return entry if value is given else Answer(key, value, entry.by, entry.salt)

    def prepared(self, act: Act) -> Callable[[], None]:
        """What an act of the umpire will do, ready to be done.

        Raises OutOfDate if this is not the moment, NotAllowed or NotUnderstood if the system of
        the game, or of the battle it is addressed to, does not allow it.
        """
        return prepared(self.runner, act)

    def placed(self, act: Act) -> Act:
        """The act with the question that is open where it is done."""
        runner = self.runner.at(path_of(act))
        if act.at is not None or runner is None:
            return act
        return msgspec.structs.replace(act, at=next(runner.open_keys(), None))

    @property
    def left_over(self) -> list[Done]:
        """After a correction: what was found illegal, or was not asked again."""
        runner = self.runner
        late = [a for a in self.pool.values()
                if runner.over or a.key.outer_period < runner.period]  # fmt: skip
        acts = [a for a in self.acts
                if runner.over or a.at is None or a.at.outer_period < runner.period]  # fmt: skip
        return [*self.dropped, *late, *acts]

    # Taking effect -----------------------------------------------------------------------------

    def apply(self, entry: Answer, runner: Runner, pending: Request | RollRequest) -> None:
        """Let a checked answer take effect, and then whatever was waiting for that."""
        self._take_effect(entry, runner, pending)
        if self.pool or self.acts:
            self._drain()

    def _take_effect(self, entry: Answer, runner: Runner, pending: Request | RollRequest) -> None:
        key, effective = entry.key, self.effective
        if type(pending) is Request:
            if key.seat in pending.answered:  # a sealed answer replaced
                effective[:] = [e for e in effective if type(e) is not Answer or e.key != key]
            effective.append(entry)
            if len(pending.ask.seats) > 1:
                last = pending.missing == (key.seat,)
                if last:  # it reveals all
                    self.barrier = len(effective)
                if entry.salt or self.salts or self._sealed:
                    self._keep_salt(entry, first=not pending.answered, last=last)
            runner.say(key.seat, entry.value)
        else:
            assert type(pending) is RollRequest
            effective.append(entry)
            self.barrier = len(effective)
            self._decisions[key] = pending.decision
            runner.fall(entry.value)
        if self.runner.branches:
            self.runner.settle_battles()

    def _keep_salt(self, entry: Answer, *, first: bool, last: bool) -> None:
        """Keep the salt of a sealed answer, the first or the last one to its request."""
        path, seat = entry.key.path, entry.key.seat
        salts = {} if first else self._sealed.get(path, {})
        salts.pop(seat, None)
        if entry.salt:
            salts[seat] = entry.salt
        self._sealed[path] = salts
        if last:
            self.salts[path] = self._sealed.pop(path)

    def act(self, act: Act, done: Callable[[], None]) -> None:
        """Let a prepared act take effect, and then whatever was waiting for that."""
        self._act(act, done)
        if self.pool or self.acts:
            self._drain()

    def _act(self, act: Act, done: Callable[[], None]) -> None:
        self.effective.append(act)
        done()
        if self.runner.branches:
            self.runner.settle_battles()

    def _drain(self) -> None:
        """Give what waits to the questions that are open again."""
        while self._drained():
            pass

    def _drained(self) -> bool:
        """Let one thing that waits take effect, or drop it; False if nothing waits any more."""
        for key in list(self.runner.open_keys()):
            act = next((act for act in self.acts if act.at == key), None)
            runner = self.runner.at(key.path)
            if act is not None and runner is not None and runner.fresh:
                self.acts.remove(act)
                self._try_act(act)
                return True
            if key in self.pool:
                self._try_answer(self.pool.pop(key))
                return True
        return False

    def _try_act(self, act: Act) -> None:
        try:
            done = self.prepared(act)
        except (NotAllowed, NotUnderstood):
            self.dropped.append(act)
        else:
            self._act(act, done)

    def _try_answer(self, entry: Answer) -> None:
        """A roll is kept if it depended on the same decision, an answer if it is still legal."""
        runner, pending = self.runner.find(entry.key)
        if isinstance(pending, RollRequest) and self._before.get(entry.key) != pending.decision:
            self.dropped.append(entry)
            return
        try:
            entry = self.checked(entry, pending)
        except (NotAllowed, NotUnderstood):
            self.dropped.append(entry)
            return
        self._take_effect(entry, runner, pending)

    # Undo and corrections ------------------------------------------------------------------------

    def undone(self, seat: str) -> Course:
        """The course without the last answer of `seat`.  Raises NotAllowed if it must stay."""
        last = self.last_own(seat)
        at = self.find(last.key)
        course = self._rerun([*self.effective[:at], *self.effective[at + 1 :]])
        if at == len(self.effective) - 1 and self._tells_a_secret(course, last):
            raise NotAllowed("undo.reveal", part=seat)
        return course

    def has_own(self, seat: str) -> bool:
        """Whether `seat` has an answer to take back (`undone` may yet refuse: it told secrets)."""
        try:
            self.last_own(seat)
        except NotAllowed:
            return False
        return True

    def _tells_a_secret(self, course: Course, last: Answer) -> bool:
        """Whether that answer led to an event that revealed something: it cannot be unseen."""
        heard = EventFeed()
        probe = self._rerun(course.effective, telling=heard)
        before = len(heard.told)
        runner, pending = probe.asked(last.key)
        probe.apply(last, runner, pending)
        return any(event.reveals for event in heard.told[before:])

    def last_own(self, seat: str) -> Answer:
        """The answer that `seat` may take back; raises NotAllowed if there is none."""
        for request in self.requests():
            if seat in request.answered:  # sealed, still waiting for others
                sealed = self.effective[self.find(request.keys[seat])]
                assert isinstance(sealed, Answer)
                return sealed
        last = self.effective[-1] if self.effective else None
        if not isinstance(last, Answer):
            raise NotAllowed("undo.nothing", part=seat)
        if last.key.seat == DICE:
            raise NotAllowed("undo.die", part=seat, rule=last.key.rule)
        if last.key.seat != seat or last.by == "umpire":
            raise NotAllowed("undo.other", part=seat, rule=last.key.rule)
        if len(self.effective) <= self.barrier:
            raise NotAllowed("undo.reveal", part=seat, rule=last.key.rule)
        return last

    def find(self, key: Key) -> int:
        """Index of the answer of that key in force; raises NotUnderstood."""
        for index, entry in enumerate(self.effective):
            if isinstance(entry, Answer) and entry.key == key:
                return index
        raise NotUnderstood("act.no_such_answer", part=key)

    def replaced(self, key: Key, value: Any, *, annul: bool) -> Course:
        """The course with another answer at `key`, or with that question asked again.

        Everything later is kept if its question comes up again, it is legal, and, for dice, what
        they depended on is unchanged.  Raises NotAllowed for dice that a seed made, and the
        refusal of the new answer's own options.
        """
        at = self.find(key)
        if key.seat == DICE and self.header.dice in (SEEDED, COMMITTED):
            raise NotAllowed("act.seeded_die", rule=key.rule, part=key)
        first, then = self.effective[:at], self.effective[at + 1 :]
        if not annul:
            first = [*first, Answer(key, value, "umpire")]
        return self._rerun(first, then)

    def _rerun(
        self, first: Sequence[Done], then: Sequence[Done] = (), telling: EventFeed | None = None
    ) -> Course:
        """A new course: `first` in order, then whatever of `then` and of the pool still fits."""
        if telling is None and self.telling is not None:
            telling = EventFeed()
        course = Course(self.header, self.system, self.start, telling)
        course._before = {**self._before, **self._decisions}
        for entry in first:
            if isinstance(entry, Answer):
                runner, pending = course.asked(entry.key)
                course.apply(course.checked(entry, pending), runner, pending)
            else:
                course.act(entry, course.prepared(entry))
        later = [*then, *self.pool.values(), *self.acts]
        course.pool = {e.key: e for e in later if isinstance(e, Answer)}
        course.acts = [entry for entry in later if not isinstance(entry, Answer)]
        course.dropped = list(self.dropped)
        course._drain()
        return course

    def replace(self, before: Course) -> None:
        """Stand in the place of the course so far: its listeners hear what has become different."""
        if self.telling is not None and before.telling is not None:
            self.telling.replace(before.telling)
