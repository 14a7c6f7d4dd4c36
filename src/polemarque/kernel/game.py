"""A game being played: the record, the position it leads to, and the door for every answer.

State and events are functions of the record.  Playing live and replaying a file go through the
same `enter`: check the entry against the open question, write it down, let it take effect.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from polemarque.kernel.dice import LONG, Faces, Roll, Source, counted
from polemarque.kernel.differences import Difference, differences
from polemarque.kernel.errors import (
    KernelFault,
    NotAllowed,
    NotUnderstood,
    NotYourTurn,
    OutOfDate,
    Refusal,
)
from polemarque.kernel.events import Event
from polemarque.kernel.position import Position
from polemarque.kernel.record import (
    Adjust,
    Answer,
    Entry,
    Header,
    Leave,
    Replace,
    Shown,
    Undo,
    Withdraw,
    Word,
    digest,
)
from polemarque.kernel.request import DICE, Key, Request
from polemarque.kernel.run import Runner, Throw
from polemarque.kernel.system import System, find_system
from polemarque.kernel.trust import Committed, Seeded


class Unseeded:
    """Dice from the machine's own random source; only the record says how they fell."""

    def throw(self, roll: Roll, where: Any, decision: Any) -> Faces:
        """Faces for `roll`; a long roll comes as counts."""
        fell = tuple([secrets.randbelow(roll.sides) + 1 for _ in range(roll.count)])
        return fell if roll.count <= LONG else counted(fell, roll.sides)


def new_header(
    system: str,
    *,
    seats: int | None = None,
    setup: Mapping[str, Any] | None = None,
    scenario: str = "",
    options: Mapping[str, Any] | None = None,
    seed: int | str | None = None,
    dice: str = "",
    anchor: str = "",
) -> Header:
    """The header of a new game; raises Refusal on anything the system does not know.

    scenario: name of a shipped set-up, the system's first one by default; `setup` goes over it.
    """
    rules = find_system(system)
    if scenario and scenario not in rules.scenarios:
        raise NotUnderstood("scenario.unknown", part=scenario, legal=rules.scenarios)
    name = scenario or next(iter(rules.scenarios), "")
    given = {**rules.scenarios.get(name, {}), **(setup or {})}
    count = seats if seats is not None else given.pop("seats", rules.least)
    given.pop("seats", None)
    if not rules.least <= count <= len(rules.seats):
        raise NotAllowed(
            "seats.count", part=count, legal=(f"{rules.least}-{len(rules.seats)}",)
        )  # fmt: skip
    return Header(
        system=system,
        edition=rules.edition,
        seats=rules.seats[:count],
        setup=given,
        options=rules.options_from(options or {}),
        dice=dice or ("free" if seed is None else "seeded"),
        seed="" if seed is None else str(seed),
        anchor=anchor,
    )


def opening(header: Header) -> Position:
    """The position in which a game begins.  Raises Refusal on a bad set-up or another edition."""
    rules = find_system(header.system)
    if header.edition not in (rules.edition, *rules.past):
        raise OutOfDate("record.edition", part=header.edition, legal=(rules.edition, *rules.past))
    try:
        setup = msgspec.convert(header.setup, rules.setup)
    except msgspec.ValidationError as fault:
        raise NotUnderstood("setup.unreadable", part=fault) from None
    options = rules.options_from(header.options)
    state, agenda = rules.begin(setup, header.seats, options)
    return Position(header.system, header.edition, state, tuple(agenda))


def source_of(header: Header) -> Source:
    """The dice source that a header names (not typed and committed ones, which need more)."""
    return Seeded(header.seed, header.campaign) if header.seed else Unseeded()


class Game:
    """A game being played.

    source:  says how dice fall when `settle` rolls them.
    publish: called with each event.     journal: called with each entry before it takes effect.
    """

    def __init__(
        self,
        header: Header,
        source: Source | None = None,
        *,
        publish: Callable[[Event], None] | None = None,
        journal: Callable[[Entry], None] | None = None,
    ) -> None:
        self.header = header
        self.system: System = find_system(header.system)
        self.source: Source = source or source_of(header)
        self.entries: list[Entry] = []
        self.standing: list[Leave] = []
        self.words: dict[str, str] = {}
        self.shown: dict[int, str] = {}
        self.journal = journal
        self._publish = publish
        self._start()

    def _start(self) -> None:
        self.effective: list[Answer | Adjust] = []
        """What has taken effect, in order: answers and adjustments, without those taken back."""
        self.pool: dict[Key, Answer] = {}
        """Answers of a corrected game that wait for their question to come up again."""
        self._salts: dict[str, dict[str, str]] = {}
        self._barrier = 0
        """How much of `effective` no undo may touch: up to the last die or reveal."""
        self.runner = Runner(opening(self.header), self._publish)

    # Reading -----------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.runner.over

    @property
    def state(self) -> Any:
        """The state as it stands."""
        return self.runner.state

    @property
    def position(self) -> Position:
        """The position as it stands."""
        return self.runner.position

    @property
    def digest(self) -> str:
        """The head of the record's chain."""
        return digest(self.header, self.entries)

    def requests(self, seat: str | None = None) -> list[Request]:
        """Open questions to seats (to `seat`), those it has already answered left out."""
        return [
            pending
            for _, pending in self.runner.open()
            if isinstance(pending, Request)
            and (pending.missing if seat is None else seat in pending.missing)
        ]

    def throws(self) -> list[Throw]:
        """Open questions to chance."""
        return [pending for _, pending in self.runner.open() if isinstance(pending, Throw)]

    def view(self, seat: str) -> Any:
        """What `seat` may see, built from nothing else."""
        return self.system.view(self.runner.state, seat)

    @property
    def left_over(self) -> list[Answer]:
        """After a correction: answers whose question did not come up again."""
        return [a for a in self.pool.values() if self.over or a.key.period < self.runner.period]

    # Playing -----------------------------------------------------------------------------------

    def answer(self, seat: str, value: Any, key: Key | None = None, by: str = "") -> None:
        """Answer the open question of `seat` (the one of `key`, where several are open).

        Raises NotYourTurn if it is not asked, OutOfDate if that question is not open, NotUnderstood
        or NotAllowed by its options; then nothing has changed.
        """
        self.enter(Answer(key or self._only_key(seat), value, by))

    def _only_key(self, seat: str) -> Key:
        asked = [r for r in self._all_requests() if seat in r.seats]
        if not asked:
            waiting = sorted({s for r in self._all_requests() for s in r.missing})
            raise NotYourTurn("answer.not_asked", part=seat, legal=waiting)
        missing = [request for request in asked if seat in request.missing]
        return (missing or asked)[0].keys[seat]

    def _all_requests(self) -> list[Request]:
        return [pending for _, pending in self.runner.open() if isinstance(pending, Request)]

    def absent(self, seat: str) -> None:
        """Answer the open question of `seat` as the rules do for an absent player."""
        key = self._only_key(seat)
        _, request = self.runner.find(key)
        assert isinstance(request, Request)
        self.enter(Answer(key, request.absent(seat), "absent"))

    def undo(self, seat: str) -> None:
        """Take back the seat's own last answer; never past a die, a reveal, or another's answer."""
        self.enter(Undo(seat))

    def settle(self) -> None:
        """Let chance, and answers left in advance, answer until only seats are asked."""
        while True:
            throws = self.throws()
            if throws:
                for throw in throws:
                    self.enter(self.rolled(throw))
                continue
            left = self._left_answer()
            if left is None:
                return
            self.enter(left)

    def rolled(self, throw: Throw) -> Answer:
        """What the game's source says to an open question to chance; it is not entered."""
        salts = tuple(sorted(self._salts.get(throw.key.path, {}).items()))
        words = tuple(sorted(self.words.items()))
        fell = self.source.throw(throw.roll, throw.key, (throw.decision, words, salts))
        return Answer(throw.key, fell)

    def _left_answer(self) -> Answer | None:
        """The first answer left in advance that fits an open question and is still legal."""
        for leave in self.standing:
            for request in self.requests(leave.seat):
                key = request.keys[leave.seat]
                if _fits(leave, key, request):
                    try:
                        value = request.options(leave.seat).take(leave.value)
                    except (NotAllowed, NotUnderstood):
                        continue  # no longer legal: the seat is asked
                    return Answer(key, value, "standing")
        return None

    def preview(self, entry: Entry) -> dict[str, list[Difference]]:
        """What an umpire's act would change in what each seat sees; nothing happens here."""
        twin = replay(self.header, self.entries)
        before = {seat: self.view(seat) for seat in self.header.seats}
        twin.enter(entry)
        return {seat: differences(was, twin.view(seat)) for seat, was in before.items()}

    # The one door ------------------------------------------------------------------------------

    def enter(self, entry: Entry) -> None:
        """Check an entry, write it down, let it take effect.  Raises Refusal, changing nothing."""
        if not isinstance(entry, Answer):
            self._check_other(entry)
            self._keep(entry)
            self._apply_other(entry)
            return
        runner, pending = self._asked(entry.key)
        entry = self._checked(entry, pending)
        self._keep(entry)
        try:
            self._apply(entry, runner, pending)
        except Refusal as refusal:  # too late: the answer was taken and is written down
            raise KernelFault(f"{entry.key}: a script refuses what its options took") from refusal
        if self.pool:
            self._drain()

    def _keep(self, entry: Entry) -> None:
        """Write an entry down, before it takes effect."""
        if self.journal is not None:
            self.journal(entry)
        self.entries.append(entry)

    def _asked(self, key: Key) -> tuple[Runner, Request | Throw]:
        """The open question of that key, and the runner that asks it."""
        try:
            return self.runner.find(key)
        except OutOfDate:
            if key.seat != DICE and not any(key.seat in r.seats for r in self._all_requests()):
                raise NotYourTurn("answer.not_asked", rule=key.rule, part=key.seat) from None
            raise

    def _checked(self, entry: Answer, pending: Request | Throw) -> Answer:
        """The answer as its options take it."""
        key = entry.key
        if isinstance(pending, Throw):
            value = pending.roll.check(entry.value)
        else:
            try:
                value = pending.options(key.seat).take(entry.value)
            except (NotAllowed, NotUnderstood) as refusal:
                refusal.rule = refusal.rule or key.rule
                raise
        if value is entry.value:
            return entry
        return Answer(key, value, entry.by, entry.salt)

    def _apply(self, entry: Answer, runner: Runner, pending: Request | Throw) -> None:
        self.effective.append(entry)
        if isinstance(pending, Throw):
            self._barrier = len(self.effective)
            runner.fall(entry.value)
        else:
            if pending.sealed:
                if entry.salt:
                    self._salts.setdefault(entry.key.path, {})[entry.key.seat] = entry.salt
                if pending.missing == (entry.key.seat,):
                    self._barrier = len(self.effective)
            runner.say(entry.key.seat, entry.value)
        if self.runner.branches:
            self.runner.settle_battles()

    def _drain(self) -> None:
        """Give waiting answers to the questions that are open again, if they are still legal."""
        found = True
        while found and self.pool:
            found = False
            for key in self._open_keys():
                waiting = self.pool.pop(key, None)
                if waiting is None:
                    continue
                runner, pending = self.runner.find(key)
                try:
                    waiting = self._checked(waiting, pending)
                except (NotAllowed, NotUnderstood):
                    continue  # no longer legal: it is asked anew
                self._apply(waiting, runner, pending)
                found = True
                break

    def _open_keys(self) -> Iterable[Key]:
        for _, pending in self.runner.open():
            if isinstance(pending, Throw):
                yield pending.key
            else:
                yield from (pending.keys[seat] for seat in pending.missing)

    # Everything that is not an answer ------------------------------------------------------------

    def _check_other(self, entry: Entry) -> None:
        if isinstance(entry, Undo):
            self._last_own(entry.seat)
        elif isinstance(entry, Replace):
            self._replaced_at(entry.key)
        elif isinstance(entry, Adjust):
            self._adjusted(entry)
        elif isinstance(entry, (Leave, Withdraw, Word)) and entry.seat not in self.header.seats:
            raise NotUnderstood("seat.unknown", part=entry.seat, legal=self.header.seats)

    def _apply_other(self, entry: Entry) -> None:
        if isinstance(entry, Undo):
            self._rerun(self._without(self._last_own(entry.seat)))
        elif isinstance(entry, Replace):
            at = self._replaced_at(entry.key)
            instead = [] if entry.annul else [Answer(entry.key, entry.value, "umpire")]
            before, after = self.effective[:at], self.effective[at + 1 :]
            self._rerun([*before, *instead], after)
        elif isinstance(entry, Adjust):
            self.effective.append(entry)
            self.runner.change(self._adjusted(entry))
        elif isinstance(entry, Leave):
            self._withdraw(entry.seat, entry.rule, entry.subject)
            self.standing.append(entry)
        elif isinstance(entry, Withdraw):
            self._withdraw(entry.seat, entry.rule, entry.subject)
        elif isinstance(entry, Word):
            self.words[entry.seat] = entry.word
        elif isinstance(entry, Shown):
            self.shown[entry.period] = entry.seed

    def _withdraw(self, seat: str, rule: str, subject: str) -> None:
        self.standing = [
            left
            for left in self.standing
            if (left.seat, left.rule, left.subject) != (seat, rule, subject)
        ]

    def _adjusted(self, entry: Adjust) -> Any:
        """The state an adjustment leads to; refused if it is not sound."""
        if self.system.adjust is None:
            raise NotAllowed("act.nothing_adjustable", part=entry.name)
        if not self.runner.fresh:
            raise OutOfDate("act.not_between_items", part=entry.name)
        state = self.system.adjust(self.runner.state, entry.name, entry.value)
        faults = self.system.faults(state)
        if faults:
            raise NotAllowed("act.unsound", part=entry.name, legal=faults)
        return state

    def _last_own(self, seat: str) -> int:
        """Index of the answer that `seat` may take back; raises NotAllowed if there is none."""
        for request in self._all_requests():
            if seat in request.answered:  # sealed, still waiting for others
                key = request.keys[seat]
                return max(
                    i
                    for i, e in enumerate(self.effective)
                    if isinstance(e, Answer) and e.key == key
                )
        last = self.effective[-1] if self.effective else None
        if not isinstance(last, Answer):
            raise NotAllowed("undo.nothing", part=seat)
        if last.key.seat == DICE:
            raise NotAllowed("undo.die", part=seat, rule=last.key.rule)
        if last.key.seat != seat:
            raise NotAllowed("undo.other", part=seat, rule=last.key.rule)
        if len(self.effective) <= self._barrier:
            raise NotAllowed("undo.reveal", part=seat, rule=last.key.rule)
        return len(self.effective) - 1

    def _without(self, index: int) -> list[Answer | Adjust]:
        return self.effective[:index] + self.effective[index + 1 :]

    def _replaced_at(self, key: Key) -> int:
        for index, entry in enumerate(self.effective):
            if isinstance(entry, Answer) and entry.key == key:
                return index
        raise NotUnderstood("act.no_such_answer", part=key)

    def _rerun(
        self, first: Sequence[Answer | Adjust], then: Sequence[Answer | Adjust] = ()
    ) -> None:
        """Run the game anew: `first` in order, then whatever of `then` is asked again and legal."""
        publish, self._publish = self._publish, None  # what was published stays published
        words = self.words
        self._start()
        self._publish, self.words = publish, words
        for entry in first:
            self._again(entry)
        self.pool = {entry.key: entry for entry in then if isinstance(entry, Answer)}
        self._drain()
        for entry in then:
            if isinstance(entry, Adjust) and self.runner.fresh:
                self._again(entry)
                self._drain()
        _publish_from_now(self.runner, publish)

    def _again(self, entry: Answer | Adjust) -> None:
        if isinstance(entry, Answer):
            runner, pending = self._asked(entry.key)
            self._apply(self._checked(entry, pending), runner, pending)
        else:
            state = self._adjusted(entry)
            self.effective.append(entry)
            self.runner.change(state)


def _fits(leave: Leave, key: Key, request: Request) -> bool:
    """Whether an answer left in advance is meant for this question."""
    return (
        leave.rule == key.rule
        and leave.subject in ("*", key.subject)
        and (not leave.until or key.period <= leave.until)
        and not set(leave.unless) & set(request.ask.tags)
    )


def _publish_from_now(runner: Runner, publish: Callable[[Event], None] | None) -> None:
    runner.publish = publish
    for _, branch in runner.branches:
        _publish_from_now(branch, publish)


def replay(
    header: Header, entries: Iterable[Entry], *, publish: Callable[[Event], None] | None = None
) -> Game:
    """Play a record again: every entry is checked against the question it answers."""
    game = Game(header, publish=publish)
    for entry in entries:
        game.enter(entry)
    return game


def committed_game(header: Header, chain: Sequence[bytes], **more: Any) -> Game:
    """A game whose dice come from a committed chain of seeds (its anchor stands in the header)."""
    source = Committed(chain, header.campaign)
    return Game(
        msgspec.structs.replace(header, dice="committed", anchor=source.anchor), source, **more
    )
