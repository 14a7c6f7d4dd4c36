"""Running a position: from question to question.

A `Runner` holds one game in motion.  It keeps the generators of the scripts that are running as a
cache: `Runner(position)` rebuilds them by restarting each from its arguments and feeding it what
it was given, and `runner.position` is the whole truth at any moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import GeneratorType
from typing import Any

import msgspec

from polemarque.kernel.agenda import (
    Again,
    Battles,
    Call,
    Explain,
    Item,
    Tally,
    Tell,
    registered,
)
from polemarque.kernel.battle import Brief, Report, resolver
from polemarque.kernel.dice import Faces, Roll
from polemarque.kernel.errors import KernelFault, OutOfDate
from polemarque.kernel.events import Event, Modifier, Thrown
from polemarque.kernel.live import Live, Throw, answers, keys_of
from polemarque.kernel.position import (
    Branch,
    Called,
    Evidence,
    Fell,
    Frame,
    Given,
    Position,
    Reported,
    Said,
    SaidEach,
)
from polemarque.kernel.request import DICE, Ask, Key, Request
from polemarque.kernel.system import find_system

RUNAWAY = 20_000
"""A game that does this many steps without asking anything is a fault of its scripts."""


class Runner:
    """A game in motion.

    pending: the open `Request` or `Throw`, or None (battles are open, or the game is over).
    publish: called with each event as it happens; events already published are not told again.
    """

    def __init__(
        self,
        position: Position,
        publish: Callable[[Event], None] | None = None,
        path: str = "",
    ) -> None:
        self.system = find_system(position.system)
        self.edition = position.edition
        self.path = path
        self.publish = publish
        self.pending: Request | Throw | None = None
        self.branches: list[tuple[Brief, Runner]] = []
        self.events = 0
        """How many events this runner has published."""
        self.state: Any = position.state
        self.agenda: list[Item] = list(reversed(position.agenda))
        self._stack: list[Live] = []
        self._period = position.period
        self._numbers = {(r, s, x): n for r, s, x, n in position.numbers}
        self._told = position.told
        self._seen = 0
        self._dice: list[Thrown] = []
        self._reasons: list[Modifier] = []
        if position.frames:
            self._restart(position)
        elif self.agenda:
            self._period = self.system.period(self.state)
            self._go()

    # The game as data ------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """This moment, as plain data."""
        pending = self.pending
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
            numbers=tuple([(*name, n) for name, n in self._before_pending().items()]),
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

    def open(self) -> Iterator[tuple[Runner, Request | Throw]]:
        """Everything that is open here and in the live battles: (runner to answer, question)."""
        if self.pending is not None:
            yield self, self.pending
        for _, runner in self.branches:
            yield from runner.open()

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
        self.pending = None
        values, decided = request.answered, request.decided
        given: Given
        if request.ask.single:
            worded = decided[seat] is not value
            given = Said(value, decided[seat] if worded else True)
        else:
            values = {s: values[s] for s in request.seats}
            free = [s for s in values if decided[s] is not values[s]]
            given = SaidEach(values, {s: decided[s] for s in values} if free else True)
        self._stack[-1].given.append(given)
        self._go(given.value)

    def fall(self, fell: Faces) -> None:
        """Give the faces of the open throw; they have been checked."""
        throw = self.pending
        assert isinstance(throw, Throw)
        self.pending = None
        self._stack[-1].given.append(Fell(fell))
        self._dice.append(throw.roll.thrown(fell))
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
        report = resolver(brief.resolver).report(runner.state)
        return msgspec.structs.replace(report, brief=brief.id, log=runner.path)

    # The engine --------------------------------------------------------------------------------

    def _go(self, value: Any = None) -> None:
        """Send `value` into the running script, and run on, item by item, to the next question."""
        stack, agenda, tell = self._stack, self.agenda, self._tell
        for _ in range(RUNAWAY):
            if not stack:
                if not agenda:
                    return
                self._begin(agenda.pop())
                value = None
                continue
            live = stack[-1]
            try:
                said = live.run.send(value)
            except StopIteration as end:
                if live.procedure:
                    value = self._procedure_ended(live, end.value)
                else:
                    stack.pop()
                    self._enter(live.rule, end.value)
                    value = None
                continue
            kind = type(said)
            if kind is Tell:
                tell(said)
                value = None
                continue
            if kind is Ask:
                self.pending = self._request(live, said)
                return
            if kind is Roll:
                self.pending = self._throw(live, said)
                return
            if kind is Call:
                self._push(said)
            elif kind is Battles:
                self._open_battles(said)
                if not all(runner.over for _, runner in self.branches):
                    return
                value = self._joined()
                continue
            else:
                self._note(live, said)
            value = None
        where = stack[-1].rule if stack else agenda[-1][0]
        raise KernelFault(f"{where}: {RUNAWAY} steps without a question")

    def _begin(self, item: Item, told: int = 0) -> None:
        """Start an agenda item; `told` events of it have been published already."""
        self._told, self._seen = told, 0
        if self._dice:
            self._dice = []
        if self._reasons:
            self._reasons = []
        rule, args = item[0], item[1:]
        period = self.system.period(self.state)
        if period != self._period:
            if period < self._period:
                raise KernelFault(f"{rule}: period {period} comes after {self._period}")
            self._period, self._numbers = period, {}
        run = registered(rule, self.edition).run(self.state, *args)
        if type(run) is GeneratorType:
            self._stack.append(Live(rule, args, run, False))
        else:
            self._enter(rule, run)

    def _enter(self, rule: str, ended: Any) -> None:
        """Take over what a script returned."""
        try:
            self.state, items = ended
        except (TypeError, ValueError):
            raise KernelFault(f"{rule} must return (state, items), not {ended!r}") from None
        if items:
            self.agenda.extend(reversed(items))

    def _note(self, live: Live, said: Any) -> None:
        """Take what needs no answer: an event, an explanation, a tally."""
        kind = type(said)
        if kind is Tell:
            self._tell(said)
        elif kind is Explain:
            self._reasons.extend(said.sum.parts)
        elif kind is Tally and live.procedure:
            live.sums = sums = dict(live.sums)
            for name, n in said.sums.items():
                sums[name] = sums.get(name, 0) + n
        else:
            raise KernelFault(f"{live.rule} yielded {said!r}, which the kernel does not know")

    def _tell(self, said: Tell) -> None:
        """Publish an event, unless a restart tells it again."""
        self._seen = seen = self._seen + 1
        if seen > self._told:
            self._told = seen
            self.events += 1
            if self.publish is not None:
                shown = tuple([d for d in self._dice if not d.owner or said.audience == (d.owner,)])
                self.publish(
                    Event(
                        said.rule, said.kind, said.data, tuple(self._reasons), shown,
                        said.audience, self._period, self.path, said.reveals,
                    )
                )  # fmt: skip
        if self._dice:
            self._dice = []
        if self._reasons:
            self._reasons = []

    def _push(self, said: Call) -> None:
        """Begin a procedure."""
        entry = registered(said.rule, self.edition)
        live = Live(said.rule, said.args, entry.run(*said.args), True)
        live.marks = (len(self._dice), len(self._reasons), self._seen)
        self._stack.append(live)

    def _procedure_ended(self, live: Live, value: Any) -> Any:
        """A procedure has ended, or goes into its next round."""
        since = self._evidence_since(live)
        if type(value) is Again:
            entry = registered(live.rule, self.edition)
            live.args, live.given = value.args, []
            live.tallies, live.before = dict(live.sums), since
            live.run = entry.run(*value.args)
            return None
        self._stack.pop()
        if live.sums:
            value = msgspec.structs.replace(value, **live.sums)
        self._stack[-1].given.append(Called(live.rule, value, since))
        return value

    def _evidence_since(self, live: Live) -> Evidence:
        """What a procedure rolled, reckoned and told since it was called."""
        dice, reasons, seen = live.marks
        if self._seen != seen:  # an event has shown what came before it
            dice, reasons = 0, 0
        return Evidence(tuple(self._dice[dice:]), tuple(self._reasons[reasons:]), self._seen - seen)

    def _open_battles(self, said: Battles) -> None:
        """Open each battle as a position of its own inside this one."""
        for brief in said.briefs:
            opened = resolver(brief.resolver).open(brief)
            runner = Runner(opened, self.publish, self._branch_path(brief))
            self.branches.append((brief, runner))

    def _branch_path(self, brief: Brief) -> str:
        """The path of a live battle: its own for the whole game, by the period that opened it."""
        name = ("", "", brief.id)
        number = self._numbers[name] = self._numbers.get(name, 0) + 1
        prefix = f"{self.path}." if self.path else ""
        again = f"~{number}" if number > 1 else ""
        return f"{prefix}{self._period}-{brief.id}{again}"

    def _key(self, rule: str, seat: str, subject: str) -> Key:
        name = (rule, seat, subject)
        number = self._numbers.get(name, 0) + 1
        self._numbers[name] = number
        return Key(self._period, self.path, rule, seat, subject, number)

    def _request(self, live: Live, said: Ask) -> Request:
        rule, subject = live.rule, said.subject
        keys = {seat: self._key(rule, seat, subject) for seat in said.seats}
        return Request(said, rule, self.path, keys)

    def _throw(self, live: Live, said: Roll) -> Throw:
        decision = tuple(
            [
                given.value if given.decides is True else given.decides
                for frame in self._stack
                for given in frame.given
                if type(given) is Said or type(given) is SaidEach
            ]
        )
        whom = ",".join(dict.fromkeys(said.whom)) if said.whom else ""
        subject = f"{said.why}:{whom}" if whom else said.why
        return Throw(said, self._key(live.rule, DICE, subject), decision)

    # Restarting --------------------------------------------------------------------------------

    def _before_pending(self) -> dict[tuple[str, str, str], int]:
        """The request numbers without those of the open question, which a restart asks again."""
        numbers = dict(self._numbers)
        for key in keys_of(self.pending):
            name = (key.rule, key.seat, key.subject)
            if key.number == 1:
                del numbers[name]
            else:
                numbers[name] = key.number - 1
        return numbers

    def _restart(self, position: Position) -> None:
        """Rebuild the generators: each frame from its arguments and what it was given."""
        for depth, frame in enumerate(position.frames):
            entry = registered(frame.rule, self.edition)
            args = frame.args if entry.procedure else (self.state, *frame.args)
            live = Live(frame.rule, frame.args, entry.run(*args), entry.procedure)
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
                runner = Runner(branch.position, self.publish, branch.path)
                self.branches.append((branch.brief, runner))
        else:
            raise OutOfDate("position.other_rules", rule=live.rule)
