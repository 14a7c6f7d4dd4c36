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

from polemarque.kernel.agenda import Again, Battles, Call, Explain, Item, Tell, rules_of
from polemarque.kernel.battle_brief import Brief, Report, fitted, resolver
from polemarque.kernel.dice import MOST_DICE, Faces, Roll
from polemarque.kernel.errors import KernelFault, OutOfDate, shortened
from polemarque.kernel.events import EVERYBODY, Audience, Event, Modifier, Thrown, both, may_see
from polemarque.kernel.interpreter import (
    RUNAWAY,
    Live,
    RollRequest,
    Watcher,
    answers,
    keys_of,
    tallied,
    to_question,
)
from polemarque.kernel.position import (
    Answers,
    BattleReports,
    Branch,
    Evidence,
    Frame,
    Given,
    OneAnswer,
    Position,
    Returned,
    RolledFaces,
)
from polemarque.kernel.request import DICE, Ask, Key, Request
from polemarque.kernel.system import find_system


class Runner:
    """A game in motion: it can be saved, answered, and changed between two items.

    pending:  the open `Request` or `RollRequest`, or None (battles are open, or the game is over).
    publish:  called with each event as it happens; events already published are not told again.
    audience: of a live battle, who may see it: nothing that happens in it is told to others.
    branches: live battles, each with its brief; the running script waits until all are over.
    watcher:  who follows the procedures and rolls, or None.
    """

    def __init__(
        self,
        position: Position,
        publish: Callable[[Event], None] | None = None,
        path: str = "",
        audience: Audience = EVERYBODY,
        watcher: Watcher | None = None,
    ) -> None:
        self.system = system = find_system(position.system)
        self.edition = position.edition
        self.rules = rules_of(system.package, position.edition)
        self.publish, self.path, self.audience, self.watcher = publish, path, audience, watcher
        self.pending: Request | RollRequest | None = None
        self.branches: list[tuple[Brief, Runner]] = []
        self.events = 0
        """How many events have been published."""
        self.judges = position.judges
        """Seats that settle what is put to the umpire; none where the umpire is neutral."""
        self.absent = position.absent
        """Seats whose questions the rules answer."""
        self.state = position.state
        self.editions = position.editions
        """By resolver, the edition of the battles that are opened from here."""
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
            judges=self.judges,
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

    def open(self) -> list[tuple[Runner, Request | RollRequest]]:
        """Everything that is open here and in the live battles: (runner to answer, question)."""
        found = [] if self.pending is None else [(self, self.pending)]
        for _, runner in self.branches:
            found += runner.open()
        return found

    def open_keys(self) -> Iterator[Key]:
        """The keys of everything that is open here and in the live battles."""
        for _, pending in self.open():
            if isinstance(pending, RollRequest):
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

    @property
    def asking(self) -> tuple[str, tuple[Any, ...]]:
        """The script that is under way and what it was begun with; ("", ()) if none."""
        return (self._stack[0].rule, self._stack[0].args) if self._stack else ("", ())

    def seen_by(self, seat: str) -> bool:
        """Whether `seat` may see anything of what happens here."""
        return may_see(self.audience, seat)

    def find(self, key: Key) -> tuple[Runner, Request | RollRequest]:
        """The open question of that key.  Raises OutOfDate if it is not open (any more)."""
        found = self.found(key)
        if found is None:
            raise OutOfDate("answer.not_open", rule=key.rule, part=key)
        return found

    def found(self, key: Key) -> tuple[Runner, Request | RollRequest] | None:
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
        assert isinstance(throw, RollRequest)
        self.pending = None
        self._stack[-1].given.append(RolledFaces(fell))
        self._dice.append(throw.roll.thrown(fell))
        if self.watcher is not None:
            self.watcher.fell(self.path, throw, fell, self.rules)
        self._go(throw.roll.read.of(fell))

    def change(self, state: Any) -> None:
        """Replace the state between two items: the running script begins again on it.

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
        """Go on by another edition of the rules: the running script begins again under it.

        resolver: whose later battles alone are fought by it; those that are open stay as they are.
        """
        if resolver:
            self.editions = {**self.editions, resolver: edition}
        else:
            self.edition, self.rules = edition, rules_of(self.system.package, edition)
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
        self._stack[-1].given.append(BattleReports(reports))
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
                opened,
                edition=edition or opened.edition,
                editions=self.editions,
                judges=tuple([side.seat for side in brief.sides]) if self.judges else (),
            )
            self._enclose(brief, opened, self._branch_path(brief))

    def _enclose(self, brief: Brief, position: Position, path: str) -> None:
        """Set a battle in motion inside this game, before the eyes of anyone who may see it."""
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

    # From question to question -----------------------------------------------------------------

    def _go(self, value: Any = None) -> None:
        """Send `value` into the running script, and run on, item by item, to the next question."""
        stack, agenda, steps = self._stack, self.agenda, iter(range(RUNAWAY))
        for _ in steps:
            if not stack:
                if not agenda:
                    return
                self._begin(agenda.pop())
                value = None
                continue
            live = stack[-1]
            try:
                said = to_question(live.rule, live.run, value, self._note, live.sums, steps)
            except StopIteration as end:
                value = self._ended(live, end.value)
                continue
            kind = type(said)
            if kind is Ask:
                self.pending = request = self._request(live, said.put_to(self.judges))
                if not self.absent or self._awaited(request):
                    return
                value = self._answered(request)
            elif kind is Roll:
                self.pending = self._throw(live, said)
                return
            elif kind is Call:
                self._push(said)
                value = None
            else:
                self._open_battles(said)
                if not all(runner.over for _, runner in self.branches):
                    return
                value = self._joined()
        where = stack[-1].rule if stack else agenda[-1][0]
        raise KernelFault(f"{where}: {RUNAWAY} steps without a question")

    def _answered(self, request: Request) -> Any:
        """Hand a complete request's answers to the running script; gives what it is sent."""
        self.pending = None
        worded = request.worded
        given: Given
        if request.ask.single:
            ((seat, value),) = request.answered.items()
            given = OneAnswer(value, worded[seat] if worded else True)
        else:
            values = {s: request.answered[s] for s in request.ask.seats}
            given = Answers(values, {**values, **worded} if worded else True)
        self._stack[-1].given.append(given)
        if self.watcher is not None:
            self.watcher.answered(self.path, request)
        return request.ask.outcome(given.value, given.decides)

    def _awaited(self, request: Request) -> bool:
        """Let the rules answer for the absent; whether anybody else is awaited."""
        for seat in request.seats:
            if seat in self.absent:
                request.put(seat, request.options(seat).take(request.absent(seat)))
        return bool(request.missing)

    def _begin(self, item: Item, told: int = 0) -> None:
        """Start an agenda item; `told` events of it have been published already."""
        self._told, self._seen = told, 0
        if self._dice:
            self._dice = []
        if self._reasons:
            self._reasons = []
        rule, args, state = item[0], item[1:], self.state
        period = self.system.period(state)
        if period != self._period:
            if period < self._period:
                raise KernelFault(f"{rule}: period {period} comes after {self._period}")
            self._period, self._numbers = period, {}
        run = self.rules[rule].run(state, *args)
        if type(run) is GeneratorType:
            self._stack.append(Live(rule, args, run))
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

    def _note(self, said: Tell | Explain) -> None:
        """Keep reasons for the next event; publish an event, unless a restart tells it again."""
        if isinstance(said, Explain):
            self._reasons.extend(said.sum.parts)
            return
        self._seen = seen = self._seen + 1
        if seen > self._told:
            self._told = seen
            self.events += 1
            if self.publish is not None:
                shown = tuple([d for d in self._dice if not d.owner or said.audience == (d.owner,)])
                self.publish(
                    Event(
                        said.rule, said.kind, said.data, tuple(self._reasons), shown,
                        both(self.audience, said.audience), self._period, self.path, said.reveals,
                        self.system.phase(self.state),
                    )
                )  # fmt: skip
        if self._dice:
            self._dice = []
        if self._reasons:
            self._reasons = []

    def _push(self, said: Call) -> None:
        """Begin a procedure."""
        run = self.rules[said.rule].run(*said.args)
        live = Live(said.rule, said.args, run, sums={})
        live.marks = (len(self._dice), len(self._reasons), self._seen)
        self._stack.append(live)
        if self.watcher is not None:
            self.watcher.begins(self.path, said, self.rules)

    def _ended(self, live: Live, value: Any) -> Any:
        """A rule has ended, or a procedure goes on; gives what the rule below is sent, if any."""
        if live.sums is None:
            self._stack.pop()
            self._enter(live.rule, value)
            return None
        since = self._evidence_since(live)
        if type(value) is Again:
            live.args, live.given = value.args, []
            live.tallies, live.before = dict(live.sums), since
            live.run = self.rules[live.rule].run(*value.args)
            return None
        self._stack.pop()
        if self.watcher is not None:
            self.watcher.ends(self.path, value)
        value = tallied(value, live.sums)
        self._stack[-1].given.append(Returned(live.rule, value, since))
        return value

    def _evidence_since(self, live: Live) -> Evidence:
        """What a procedure rolled, worked out and told since it was called."""
        dice, reasons, seen = live.marks
        if self._seen != seen:  # an event has shown what came before it
            dice, reasons = 0, 0
        return Evidence(tuple(self._dice[dice:]), tuple(self._reasons[reasons:]), self._seen - seen)

    # Keys --------------------------------------------------------------------------------------

    def _key(self, rule: str, seat: str, subject: str) -> Key:
        name = (rule, seat, subject)
        number = self._numbers.get(name, 0) + 1
        self._numbers[name] = number
        return Key(self._period, self.path, rule, seat, subject, number)

    def _request(self, live: Live, said: Ask) -> Request:
        rule, subject, key = live.rule, said.subject, self._key
        keys = {seat: key(rule, seat, subject) for seat in said.seats}
        return Request(said, rule, self.path, keys, said.seats)

    def _throw(self, live: Live, said: Roll) -> RollRequest:
        if said.count > MOST_DICE:
            raise KernelFault(f"{live.rule}: {shortened(said.count)} dice at once")
        decision = tuple(
            [
                given.value if given.decides is True else given.decides
                for frame in self._stack
                for given in frame.given
                if type(given) is OneAnswer or type(given) is Answers
            ]
        )
        whom = ",".join(dict.fromkeys(said.whom)) if said.whom else ""
        subject = f"{said.why}:{whom}" if whom else said.why
        return RollRequest(said, self._key(live.rule, DICE, subject), decision)

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

    # Restarting --------------------------------------------------------------------------------

    def _restart(self, position: Position) -> None:
        """Rebuild the generators: each frame from its arguments and what it was given."""
        for depth, frame in enumerate(position.frames):
            entry = self.rules[frame.rule]
            args = frame.args if entry.procedure else (self.state, *frame.args)
            live = Live(frame.rule, frame.args, entry.run(*args))
            live.marks = (len(self._dice), len(self._reasons), self._seen)
            live.tallies, live.before = frame.tallies, frame.evidence
            if entry.procedure:
                live.sums = dict(frame.tallies)
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
            if isinstance(given, RolledFaces):
                self._dice.append(said.thrown(given.value))
                value = said.read.of(given.value)
            else:
                if isinstance(given, Returned):
                    self._recall(given.evidence)
                value = given.value
                if isinstance(given, (OneAnswer, Answers)):
                    value = said.outcome(value, given.decides)

    def _next_question(self, live: Live, value: Any) -> Any:
        """Run a frame to what it asks next, telling again what it told."""
        try:
            said = to_question(live.rule, live.run, value, self._note, live.sums)
        except StopIteration:
            raise OutOfDate("position.answers_left", rule=live.rule) from None
        return said.put_to(self.judges) if type(said) is Ask else said

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
