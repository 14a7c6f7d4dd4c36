"""A game being played: the record, the position it leads to, and the door for every answer.

State and events are functions of the record.  Playing live and replaying a file go through the
same `enter`: check the entry against the open question, write it down, let it take effect.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from polemarque.kernel.course import Course, Done
from polemarque.kernel.dice import LONG, Faces, Roll, Source, counted
from polemarque.kernel.differences import Difference, differences
from polemarque.kernel.editions import check_editions, pinned
from polemarque.kernel.errors import (
    KernelFault,
    NotAllowed,
    NotUnderstood,
    NotYourTurn,
    OutOfDate,
    Refusal,
)
from polemarque.kernel.events import Event, Telling
from polemarque.kernel.live import Throw
from polemarque.kernel.position import Position
from polemarque.kernel.record import (
    Adjust,
    Adopt,
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
from polemarque.kernel.run import Runner
from polemarque.kernel.system import System, find_system
from polemarque.kernel.trust import Committed, Seeded, seed_holds


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
        editions=pinned(rules),
        dice=dice or ("free" if seed is None else "seeded"),
        seed="" if seed is None else str(seed),
        anchor=anchor,
    )


def opening(header: Header) -> Position:
    """The position in which a game begins.  Raises Refusal on a bad set-up or another edition."""
    rules = find_system(header.system)
    check_editions(header)
    if not rules.least <= len(header.seats) or header.seats != rules.seats[: len(header.seats)]:
        legal = (f"{rules.least}-{len(rules.seats)}",)
        raise NotAllowed("seats.count", part=len(header.seats), legal=legal)
    try:
        setup = msgspec.convert(header.setup, rules.setup)
    except msgspec.ValidationError as fault:
        raise NotUnderstood("setup.unreadable", part=fault) from None
    options = rules.options_from(header.options)
    state, agenda = rules.begin(setup, header.seats, options)
    return Position(header.system, header.edition, state, tuple(agenda), editions=header.editions)


class NoSource:
    """Dice that somebody else has to say: a person, or who holds the committed seeds."""

    def throw(self, roll: Roll, where: Any, decision: Any) -> Faces:
        """Raises OutOfDate: the faces come from elsewhere, as an entry."""
        raise OutOfDate("dice.needs_source", part=where)


def source_of(header: Header) -> Source:
    """The dice source that a header names; typed and committed dice need more than a header."""
    if header.dice == "seeded":
        return Seeded(header.seed, header.campaign)
    return Unseeded() if header.dice == "free" else NoSource()


class Game:
    """A game being played.

    source:  says how dice fall when `settle` rolls them.
    publish:  called with each event.
    withdraw: called with the number of events that still hold, when an undo or a correction makes
              others of those told; what takes their place is published after it (see `Told`).
    journal:  called with each entry before it takes effect.
    """

    def __init__(
        self,
        header: Header,
        source: Source | None = None,
        *,
        publish: Callable[[Event], None] | None = None,
        withdraw: Callable[[int], None] | None = None,
        journal: Callable[[Entry], None] | None = None,
    ) -> None:
        self.header = header
        self.system: System = find_system(header.system)
        self.source: Source = source or source_of(header)
        self.entries: list[Entry] = []
        self.standing_orders: list[Leave] = []
        self.words: dict[str, str] = {}
        self.shown: dict[int, str] = {}
        self.journal = journal
        telling = None if publish is None else Telling(publish, withdraw)
        self.course = Course(header, self.system, opening(header), telling)

    # Reading -----------------------------------------------------------------------------------

    @property
    def runner(self) -> Runner:
        """The position in motion."""
        return self.course.runner

    @runner.setter
    def runner(self, runner: Runner) -> None:
        self.course.runner = runner

    @property
    def effective(self) -> list[Done]:
        """What is in force, in the order in which it took effect."""
        return self.course.effective

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.course.runner.over

    @property
    def state(self) -> Any:
        """The state as it stands."""
        return self.course.runner.state

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
            request
            for request in self.course.requests()
            if (request.missing if seat is None else seat in request.missing)
        ]

    def throws(self) -> list[Throw]:
        """Open questions to chance."""
        return [pending for _, pending in self.runner.open() if isinstance(pending, Throw)]

    def view(self, seat: str) -> Any:
        """What `seat` may see, built from nothing else."""
        return self.system.view(self.runner.state, seat)

    def views(self, seat: str) -> dict[str, Any]:
        """What `seat` may see of the game ("") and of every battle open inside it, by path."""
        return {
            runner.path: runner.system.view(runner.state, seat) for runner in self.runner.within()
        }

    @property
    def left_over(self) -> list[Done]:
        """After a correction: what was found illegal, or was not asked again."""
        return self.course.left_over

    # Playing -----------------------------------------------------------------------------------

    def answer(self, seat: str, value: Any, key: Key | None = None, by: str = "") -> None:
        """Answer the open question of `seat` (the one of `key`, where several are open).

        Raises NotYourTurn if it is not asked, OutOfDate if that question is not open, NotUnderstood
        or NotAllowed by its options; then nothing has changed.
        """
        key = key or self._only_key(seat)
        runner, pending = self.course.asked(key)
        self._take(Answer(key, value, by), runner, pending)

    def _only_key(self, seat: str) -> Key:
        asked = [r for r in self.course.requests() if seat in r.seats]
        if not asked:
            waiting = sorted({s for r in self.course.requests() for s in r.missing})
            raise NotYourTurn("answer.not_asked", part=seat, legal=waiting)
        missing = [request for request in asked if seat in request.missing]
        return (missing or asked)[0].keys[seat]

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
            runner = self.course.runner
            if not runner.branches:
                pending = runner.pending
                if isinstance(pending, Throw):
                    self._take(self.rolled(pending), runner, pending)
                    continue
            elif throws := self.throws():
                for throw in throws:
                    self.enter(self.rolled(throw))
                continue
            left = self._left_answer()
            if left is None:
                return
            self.enter(left)

    def rolled(self, throw: Throw) -> Answer:
        """What the game's source says to an open question to chance; it is not entered."""
        kept = self.course.salts.get(throw.key.path)
        salts = tuple(sorted(kept.items())) if kept else ()
        words = tuple(sorted(self.words.items())) if self.words else ()
        fell = self.source.throw(throw.roll, throw.key, (throw.decision, words, salts))
        return Answer(throw.key, fell)

    def _left_answer(self) -> Answer | None:
        """The first answer left in advance that fits an open question and is still legal."""
        for leave in self.standing_orders:
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
        twin.enter(entry)
        return {seat: _changed(self.views(seat), twin.views(seat)) for seat in self.header.seats}

    # The one door ------------------------------------------------------------------------------

    def enter(self, entry: Entry) -> None:
        """Check an entry, write it down, let it take effect.  Raises Refusal, changing nothing."""
        if not isinstance(entry, Answer):
            self._act(entry)
            return
        runner, pending = self.course.asked(entry.key)
        self._take(entry, runner, pending)

    def _take(self, entry: Answer, runner: Runner, pending: Request | Throw) -> None:
        """Take the answer to an open question."""
        course = self.course
        entry = course.checked(entry, pending)
        self._keep(entry)
        try:
            course.apply(entry, runner, pending)
        except Refusal as refusal:  # too late: the answer was taken and is written down
            raise KernelFault(f"{entry.key}: a script refuses what its options took") from refusal

    def _keep(self, entry: Entry) -> None:
        """Write an entry down, before it takes effect."""
        if self.journal is not None:
            self.journal(entry)
        self.entries.append(entry)

    def _act(self, entry: Entry) -> None:
        """Everything that is not an answer."""
        if isinstance(entry, Undo):
            self._corrected(entry, self.course.undone(entry.seat))
        elif isinstance(entry, Replace):
            course = self.course.replaced(entry.key, entry.value, annul=entry.annul)
            self._corrected(entry, course)
        elif isinstance(entry, (Adjust, Adopt)):
            entry = self.course.placed(entry)
            done = self.course.prepared(entry)  # refused here, if at all
            self._keep(entry)
            self.course.act(entry, done)
        elif isinstance(entry, (Leave, Withdraw)):
            self._leave(entry)
        elif isinstance(entry, Word):
            self._give_word(entry)
        elif isinstance(entry, Shown):
            self._show(entry)

    def _corrected(self, entry: Undo | Replace, course: Course) -> None:
        """Put a course that stands in the place of the one so far."""
        self._keep(entry)
        before, self.course = self.course, course
        course.replace(before)

    def _leave(self, entry: Leave | Withdraw) -> None:
        """Keep an answer left in advance, in place of one for the same question, or revoke it."""
        self._check_seat(entry.seat)
        kept = [
            left
            for left in self.standing_orders
            if (left.seat, left.rule, left.subject) != (entry.seat, entry.rule, entry.subject)
        ]
        if isinstance(entry, Withdraw) and len(kept) == len(self.standing_orders):
            raise NotUnderstood("leave.nothing", rule=entry.rule, part=entry.seat)
        self._keep(entry)
        self.standing_orders = [*kept, entry] if isinstance(entry, Leave) else kept

    def _give_word(self, entry: Word) -> None:
        """Take a seat's word: never once dice of the period have fallen, or wait to fall."""
        self._check_seat(entry.seat)
        period = self.runner.period
        fallen = any(
            isinstance(e, Answer) and e.key.seat == DICE and e.key.outer_period == period
            for e in self.effective
        )
        if fallen or self.throws():
            raise OutOfDate("word.too_late", part=entry.seat)
        self._keep(entry)
        self.words[entry.seat] = entry.word

    def _show(self, entry: Shown) -> None:
        """Take the committed seed of a period that has ended; no undo goes behind it."""
        if not self.over and entry.period >= self.runner.period:
            raise OutOfDate("seed.too_early", part=entry.period)
        if not seed_holds(self.header.anchor, entry.period, entry.seed):
            raise NotAllowed("seed.false", part=entry.period)
        self._keep(entry)
        self.shown[entry.period] = entry.seed
        self.course.barrier = len(self.effective)

    def _check_seat(self, seat: str) -> None:
        if seat not in self.header.seats:
            raise NotUnderstood("seat.unknown", part=seat, legal=self.header.seats)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Difference]:
    """What differs between the views of a seat; a battle in one of them only is all different."""
    return [
        each
        for path in dict.fromkeys((*before, *after))
        for each in differences(before.get(path), after.get(path), path)
    ]


def _fits(leave: Leave, key: Key, request: Request) -> bool:
    """Whether an answer left in advance is meant for this question."""
    return (
        leave.rule == key.rule
        and leave.subject in ("*", key.subject)
        and (not leave.until or key.outer_period <= leave.until)
        and not set(leave.unless) & set(request.ask.tags)
    )


def replay(
    header: Header,
    entries: Iterable[Entry],
    *,
    publish: Callable[[Event], None] | None = None,
    withdraw: Callable[[int], None] | None = None,
) -> Game:
    """Play a record again: every entry is checked against the question it answers."""
    game = Game(header, publish=publish, withdraw=withdraw)
    for entry in entries:
        game.enter(entry)
    return game


def committed_game(header: Header, chain: Sequence[bytes], **more: Any) -> Game:
    """A game whose dice come from a committed chain of seeds (its anchor stands in the header)."""
    source = Committed(chain, header.campaign)
    return Game(
        msgspec.structs.replace(header, dice="committed", anchor=source.anchor), source, **more
    )
