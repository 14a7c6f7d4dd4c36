"""The engine: it sends values into the running script, item by item, to the next question.

It keeps the generators of the scripts that are running, and the dice and reasons that no event has
shown yet; `run.Runner` makes a game of it that can be saved, answered and joined by battles.
"""

from __future__ import annotations

from collections.abc import Callable
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
    rules_of,
)
from polemarque.kernel.battle import Brief, Report
from polemarque.kernel.dice import MOST_DICE, Roll
from polemarque.kernel.errors import KernelFault, shortened
from polemarque.kernel.events import Audience, Event, Modifier, Thrown, both
from polemarque.kernel.live import Live, Throw, Watcher, keys_of
from polemarque.kernel.position import Called, Evidence, Given, Said, SaidEach
from polemarque.kernel.request import DICE, Ask, Key, Request
from polemarque.kernel.system import System

RUNAWAY = 20_000
"""A game that does this many steps without asking anything is a fault of its scripts."""


class Engine:
    """Scripts in motion.

    pending:  the open `Request` or `Throw`, or None (battles are open, or the game is over).
    publish:  called with each event as it happens; events already published are not told again.
    audience: of a live battle, who may see it: nothing that happens in it is told to others.
    branches: live battles, each with its brief; the running script waits until all are over.
    watcher:  who follows the procedures and rolls, or None.
    """

    def __init__(
        self,
        system: System,
        edition: str,
        publish: Callable[[Event], None] | None,
        path: str,
        audience: Audience,
        watcher: Watcher | None = None,
    ) -> None:
        self.watcher = watcher
        self.system = system
        self.edition = edition
        self.rules = rules_of(edition)
        self.path = path
        self.audience = audience
        self.publish = publish
        self.pending: Request | Throw | None = None
        self.branches: list[tuple[Brief, Any]] = []
        self.events = 0
        """How many events have been published."""
        self.absent: tuple[str, ...] = ()
        """Seats whose questions the rules answer."""
        self.state: Any = None
        self.agenda: list[Item] = []
        self._stack: list[Live] = []
        self._period = 0
        self._numbers: dict[tuple[str, str, str], int] = {}
        self._told = 0
        self._seen = 0
        self._dice: list[Thrown] = []
        self._reasons: list[Modifier] = []

    def _open_battles(self, said: Battles) -> None:
        """Open each battle as a position of its own inside this one."""
        raise NotImplementedError

    def _joined(self) -> tuple[Report, ...]:
        """The reports of the live battles, all of them over."""
        raise NotImplementedError

    # From question to question -----------------------------------------------------------------

    def _go(self, value: Any = None) -> None:
        """Send `value` into the running script, and run on, item by item, to the next question."""
        stack, agenda = self._stack, self.agenda
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
                value = self._ended(live, end.value)
                continue
            kind = type(said)
            if kind is Tell:
                self._tell(said)
                value = None
                continue
            if kind is Ask:
                self.pending = request = self._request(live, said)
                if not self.absent or self._awaited(request):
                    return
                value = self._answered(request)
                continue
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

    def _answered(self, request: Request) -> Any:
        """Hand a complete request's answers to the running script; gives what it is sent."""
        self.pending = None
        worded = request.worded
        given: Given
        if request.ask.single:
            ((seat, value),) = request.answered.items()
            given = Said(value, worded[seat] if worded else True)
        else:
            values = {s: request.answered[s] for s in request.ask.seats}
            given = SaidEach(values, {**values, **worded} if worded else True)
        self._stack[-1].given.append(given)
        if self.watcher is not None:
            self.watcher.answered(self.path, request)
        return given.value

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
                        both(self.audience, said.audience), self._period, self.path, said.reveals,
                    )
                )  # fmt: skip
        if self._dice:
            self._dice = []
        if self._reasons:
            self._reasons = []

    def _push(self, said: Call) -> None:
        """Begin a procedure."""
        run = self.rules[said.rule].run(*said.args)
        live = Live(said.rule, said.args, run, procedure=True)
        live.marks = (len(self._dice), len(self._reasons), self._seen)
        self._stack.append(live)
        if self.watcher is not None:
            self.watcher.begins(self.path, said, self.edition)

    def _ended(self, live: Live, value: Any) -> Any:
        """A script or a procedure has ended; gives what the one below is sent, if any."""
        if live.procedure:
            return self._procedure_ended(live, value)
        self._stack.pop()
        self._enter(live.rule, value)
        return None

    def _procedure_ended(self, live: Live, value: Any) -> Any:
        """A procedure has ended, or goes into its next round."""
        since = self._evidence_since(live)
        if type(value) is Again:
            live.args, live.given = value.args, []
            live.tallies, live.before = dict(live.sums), since
            live.run = self.rules[live.rule].run(*value.args)
            return None
        self._stack.pop()
        if self.watcher is not None:
            self.watcher.ends(self.path, value)
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

    def _throw(self, live: Live, said: Roll) -> Throw:
        if said.count > MOST_DICE:
            raise KernelFault(f"{live.rule}: {shortened(said.count)} dice at once")
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
