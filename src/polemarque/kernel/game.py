"""A game being played: the record, the position it leads to, and the door for every answer.

State and events are functions of the record.  Playing live and replaying a file go through the
same `enter`: check the entry against the open question, write it down, let it take effect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from polemarque.kernel.dice import Source
from polemarque.kernel.errors import (
    KernelFault,
    NotAllowed,
    NotUnderstood,
    NotYourTurn,
    OutOfDate,
    Refusal,
)
from polemarque.kernel.events import Event, EventFeed
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.new_game import OnTheTable, new_header, opening, source_of
from polemarque.kernel.position import Position
from polemarque.kernel.records.commitment import (
    Chains,
    Commitment,
    Committed,
    committed_header,
    is_salt,
    new_salt,
)
from polemarque.kernel.records.keyed_dice import Receipt, receipt_digest
from polemarque.kernel.records.record import (
    COMMITTED,
    LOOKS,
    MOVES,
    ONLY,
    Adjust,
    Adopt,
    Anchored,
    Answer,
    Entry,
    Head,
    Header,
    Leave,
    Looked,
    Moved,
    Replace,
    Shown,
    Undo,
    Withdraw,
    Word,
    unended,
    write_record,
)
from polemarque.kernel.request import Ask, Key, Request, SeveralOf
from polemarque.kernel.run import Runner
from polemarque.kernel.standing_orders import WISH, asked_again, left_answer, wished_answer, without
from polemarque.kernel.system import System, Wishes, find_system
from polemarque.kernel.timeline import Course, Done

__all__ = ["Game", "committed_game", "new_header", "opening", "replay"]


Secret = TypeVar("Secret", Answer, Leave, Withdraw, Leave | Withdraw, Replace, Adjust | Adopt)
"""Entries that may have a salt."""


class Game:
    """A game being played.

    source:  says how dice fall when `settle` rolls them.
    publish:  called with each event.
    withdraw: called with the number of events that still hold, when an undo or a correction makes
              others of those told; what takes their place is published after it (see `EventLog`).
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
        self._head = Head(header)
        self.standing_orders: list[Leave] = []
        self.committed = header.dice == COMMITTED
        self.commitment = Commitment(header)
        self.chains: Chains | None = None
        self._new_salt: Callable[[], str] | None = None
        self.journal = journal
        telling = None if publish is None else EventFeed(publish, withdraw)
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
        return self._head.of(self.entries)

    @property
    def record(self) -> bytes:
        """Its file: the stand-alone form of the record, whose last line says that it is over."""
        whole = write_record(self.header, self.entries, self.digest)
        return whole if self.over else unended(whole)

    def requests(self, seat: str | None = None) -> list[Request]:
        """Open questions to seats (to `seat`), those it has already answered left out."""
        return [
            request
            for request in self.course.requests()
            if (request.missing if seat is None else seat in request.missing)
        ]

    def wishes(self, seat: str) -> Mapping[str, Wishes]:
        """What a seat can wish for as the game stands, by the rule that will read it."""
        find = self.system.wishes
        runner = self.runner
        return {} if find is None or self.over else find(runner.state, seat, runner.edition)

    def wish(self, seat: str, rule: str, word: str) -> None:
        """Leave a wish of a seat until it is taken back; nobody else learns of it.

        Raises NotAllowed if that cannot be wished for now.
        """
        found = self.wishes(seat).get(rule, Wishes(()))
        if word not in found.words:
            raise NotAllowed("leave.no_wish", rule=rule, part=seat)
        for left in self._wished(seat) if found.single else ():
            if left.rule == rule:
                self.enter(Withdraw(seat, rule, left.subject))
        self.enter(Leave(seat, rule, WISH, word))

    def wish_request(self, seat: str, proposed: Sequence[str] | None = None) -> Request | None:
        """All that a seat can wish for as one question, for an order form; None if that is nothing.

        proposed: what the form proposes; None for what the seat has wished for, which it alone may
        see.  Nobody is awaited for it: `wish_for` takes the answer.
        """
        words = tuple([word for each in self.wishes(seat).values() for word in each.words])
        if not words:
            return None
        stand = {x.subject for x in self._wished(seat)} if proposed is None else {*proposed}
        ask = Ask((seat,), SeveralOf(words, label="wish"), tuple([w for w in words if w in stand]))
        return Request(ask, WISH, "", {seat: Key(self.runner.period, "", WISH, seat)}, (seat,))

    def wish_for(self, seat: str, words: Sequence[str]) -> None:
        """Leave these wishes of a seat, and take back all others.

        Raises NotAllowed, before anything is changed, if one cannot be wished for now, or if two
        of a rule that takes one are wished for.
        """
        offered = self.wishes(seat)
        rule_of = {word: rule for rule, each in offered.items() for word in each.words}
        rules = Counter(rule_of.get(word, "") for word in words)
        for rule, count in rules.items():
            if not rule:
                raise NotAllowed("leave.no_wish", part=seat)
            if offered[rule].single and count > 1:
                raise NotAllowed("leave.one_wish", rule=rule, part=seat)
        stand = {left.subject: left.rule for left in self._wished(seat)}
        for word, rule in stand.items():
            if word not in words:
                self.enter(Withdraw(seat, rule, word))
        for word in words:
            if word not in stand:
                self.enter(Leave(seat, rule_of[word], WISH, word))

    def _wished(self, seat: str) -> list[Leave]:
        return [x for x in self.standing_orders if x.seat == seat and x.value == WISH]

    def throws(self) -> list[RollRequest]:
        """Open questions to chance."""
        return [pending for _, pending in self.runner.open() if isinstance(pending, RollRequest)]

    def view(self, seat: str) -> Any:
        """What `seat` may see, built from nothing else."""
        return self.system.view(self.runner.state, seat)

    def views(self, seat: str) -> dict[str, Any]:
        """What `seat` may see of the game ("") and of the battles open inside it, by path."""
        return {
            runner.path: runner.system.view(runner.state, seat)
            for runner in self.runner.within()
            if runner.seen_by(seat)
        }

    def conditions(self, key: Key) -> Mapping[str, Any]:
        """What a condition of an answer to that open question may look at (`System.conditions`)."""
        runner = self.runner.at(key.path) or self.runner
        find = runner.system.conditions
        if find is None:
            return {}
        return find(runner.system.view(runner.state, key.seat), key.seat, key.subject)

    def stands(self, left: Leave) -> bool:
        """Whether an answer left in advance can still be used: its last period is not past, nor its
        battle over."""
        runner = self.runner.at(left.path)
        return runner is not None and (not left.until or left.until >= runner.period)

    def system_at(self, path: str) -> System:
        """Whose questions stand there: of a battle inside the game its system, else the game's."""
        return (self.runner.at(path) or self.runner).system

    @property
    def left_over(self) -> list[Done]:
        """After a correction: what was found illegal, or was not asked again."""
        return self.course.left_over

    # Playing -----------------------------------------------------------------------------------

    def answer(
        self, seat: str, value: Any, key: Key | None = None, by: str = "", *, salt: str = ""
    ) -> None:
        """Answer the open question of `seat` (the one of `key`, where several are open).

        salt: 64 hexadecimal digits that the seat drew itself, or "".
        Raises NotYourTurn if it is not asked, OutOfDate if that question is not open, NotUnderstood
        or NotAllowed by its options; then nothing has changed.
        """
        key = key or self._only_key(seat)
        if salt and not is_salt(salt):
            raise NotUnderstood("answer.salt", rule=key.rule, part=salt[:80])
        runner, pending = self.course.asked(key)
        self._take(Answer(key, value, by, salt), runner, pending)

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
        if seat not in request.missing:
            raise NotYourTurn("answer.not_asked", rule=key.rule, part=seat, legal=request.missing)
        self.enter(Answer(key, request.absent(seat), "absent"))

    def spare(self, seats: Collection[str]) -> bool:
        """Seal for these seats what leaves them nothing to decide; whether there was anything."""
        spared = [(each, seat) for each in self.requests() for seat in each.spared(seats)]
        for request, seat in spared:
            self.seal_only(request, seat)
        return bool(spared)

    def seal_only(self, request: Request, seat: str) -> None:
        """Seal for a seat the only answer that there is."""
        self.enter(Answer(request.keys[seat], request.options(seat).quiet(), ONLY))

    def undo(self, seat: str) -> None:
        """Take back the seat's own last answer; never past a die, a reveal, or another's answer."""
        self.enter(Undo(seat))

    def hold(self, chains: Chains) -> None:
        """Hold the committed seeds: roll with them, show them in time, and `salt_secrets`.

        Raises NotAllowed if they are not those that the header is committed to.
        """
        known = self.commitment.anchors
        if chains.anchors[: len(known)] != known:
            raise NotAllowed("seed.other_chains", part=self.header.campaign)
        self.chains = chains
        self.source = Committed(self.commitment, chains)
        self.salt_secrets()

    def salt_secrets(self, new_salt: Callable[[], str] = new_salt) -> None:
        """Salt from now on whatever somebody may not see, so that an export can keep it from them.

        That is every answer of a seat, rolls that not everybody may see, what is left in advance,
        and umpire's acts.  An entry that brings a salt keeps it.
        """
        self._new_salt = new_salt

    def settle(self) -> None:
        """Let chance, and answers left in advance, answer until only seats are asked.

        Dice that people throw are waited for: their rolls stay open.  So are the words of committed
        dice: nothing is answered before all are given.
        """
        if self.committed and self.commitment.words_awaited:
            return
        rolls = not isinstance(self.source, OnTheTable)
        while True:
            if self.chains is not None:
                self._show_due(self.chains)
            runner = self.course.runner
            if rolls and not runner.branches:
                pending = runner.pending
                if type(pending) is RollRequest:
                    self._take(self.rolled(pending), runner, pending)
                    continue
            elif rolls and (throws := self.throws()):
                for throw in throws:
                    self.enter(self.rolled(throw))
                continue
            if self.heed_wishes():
                continue
            orders = self.standing_orders
            left = orders and left_answer(
                orders, self.course.requests(), self.effective, self.conditions
            )
            if not left:
                return
            self.enter(left)

    def heed_wishes(self) -> bool:
        """Answer what wishes alone answer; whether there was such a question."""
        heeded = False
        while type(pending := self.runner.pending) is Request and pending.ask.wish:
            self.enter(wished_answer(self.standing_orders, pending))
            heeded = True
        return heeded

    def rolled(self, throw: RollRequest) -> Answer:
        """What the game's source says to an open question to chance; it is not entered."""
        kept, given = self.course.salts.get(throw.key.path), self.commitment.words
        salts = tuple(sorted(kept.items())) if kept else ()
        words = tuple(sorted(given.items())) if given else ()
        fell = self.source.throw(throw.roll, throw.key, (throw.decision, words, salts))
        return Answer(throw.key, fell, self._later_seed(throw.key))

    def _later_seed(self, key: Key) -> str:
        """The period whose seed a committed roll uses, if it is a later one than its own."""
        if not self.committed:
            return ""
        period = self.commitment.period_of(key)
        return "" if period == max(key.outer_period, 1) else str(period)

    def _show_due(self, chains: Chains) -> None:
        for owner, period in self.commitment.due(self.runner.period, over=self.over):
            self.enter(chains.shown(owner, period))
        if not self.over and (number := self.commitment.further_due(self.runner.period)):
            self.enter(chains.further(number))

    # The one door ------------------------------------------------------------------------------

    def enter(self, entry: Entry) -> None:
        """Check an entry, write it down, let it take effect.  Raises Refusal, changing nothing."""
        if not isinstance(entry, Answer):
            self._act(entry)
            return
        runner, pending = self.course.asked(entry.key)
        self._take(entry, runner, pending)

    def _take(self, entry: Answer, runner: Runner, pending: Request | RollRequest) -> None:
        """Take the answer to an open question."""
        course = self.course
        if self.committed:
            self.commitment.check_answer(course.runner.period)
        entry = course.checked(entry, pending)
        if type(pending) is Request:
            if len(pending.ask.seats) > 1:
                self._check_final(entry, pending)
            entry = self._salted(entry)
        elif type(pending) is RollRequest and (pending.roll.owner or runner.audience is not None):
            entry = self._salted(entry)
        self._keep(entry)
        if self.committed and type(pending) is RollRequest:
            self.commitment.rolled(entry.key)
        try:
            course.apply(entry, runner, pending)
        except Refusal as refusal:  # too late: the answer was taken and is written down
            raise KernelFault(f"{entry.key}: a script refuses what its options took") from refusal

    def _check_final(self, entry: Answer, request: Request) -> None:
        """Raises NotAllowed if a playing umpire takes their sealed answer back."""
        seat = entry.key.seat
        if seat == self.header.umpire and seat in request.answered:
            raise NotAllowed("answer.final", rule=entry.key.rule, part=seat)

    def _salted(self, entry: Secret) -> Secret:
        """The entry with a salt, where this game salts and it has none."""
        if self._new_salt is None or entry.salt:
            return entry
        return msgspec.structs.replace(entry, salt=self._new_salt())

    def receipt(self, answer: Answer) -> Receipt:
        """What a seat keeps of the answer that it has just given."""
        made = receipt_digest(self.header.campaign, answer.key, answer.salt, answer.value)
        return Receipt(
            answer.key, answer.salt, answer.value, made, self.header.campaign, self.digest
        )  # fmt: skip

    def _keep(self, entry: Entry) -> None:
        if self.journal is not None:
            self.journal(entry)
        self.entries.append(entry)

    def _act(self, entry: Entry) -> None:
        """Everything that is not an answer."""
        if isinstance(entry, Undo):
            sealed = any(entry.seat in request.answered for request in self.course.requests())
            if sealed and entry.seat == self.header.umpire:
                raise NotAllowed("answer.final", part=entry.seat)
            last = self.course.last_own(entry.seat).key
            self._corrected(entry, self.course.undone(entry.seat))
            self.standing_orders = asked_again(self.standing_orders, last)
        elif isinstance(entry, Replace):
            course = self.course.replaced(entry.key, entry.value, annul=entry.annul)
            self._corrected(self._salted(entry), course)
            if entry.annul:
                self.standing_orders = asked_again(self.standing_orders, entry.key)
        elif isinstance(entry, (Adjust, Adopt)):
            entry = self._salted(self.course.placed(entry))
            done = self.course.prepared(entry)  # refused here, if at all
            self._keep(entry)
            try:
                self.course.act(entry, done)
            except Refusal as refusal:  # too late: it is written down
                raise KernelFault(f"{entry}: what follows from it is refused") from refusal
        elif isinstance(entry, (Leave, Withdraw)):
            self._leave(entry)
        elif isinstance(entry, Word):
            self._give_word(entry)
        elif isinstance(entry, Shown):
            self._show(entry)
        elif isinstance(entry, Anchored):
            self._anchor(entry)
        elif isinstance(entry, (Looked, Moved)):
            self._note(entry)

    def _corrected(self, entry: Undo | Replace, course: Course) -> None:
        """Put a course that stands in the place of the one so far."""
        self._keep(entry)
        before, self.course = self.course, course
        course.barrier = max(course.barrier, self._shown_up_to(course))
        course.replace(before)

    def _shown_up_to(self, course: Course) -> int:
        """How much of what is in force belongs to periods whose seed has been shown."""
        shown = self.commitment.last
        numbered = reversed([*enumerate(course.effective, 1)])
        return next(
            (n for n, e in numbered
             if isinstance(e, Answer) and max(e.key.outer_period, 1) <= shown), 0
        )  # fmt: skip

    def _leave(self, entry: Leave | Withdraw) -> None:
        """Keep an answer left in advance, in place of one for the same question, or revoke it."""
        if entry.seat not in self.header.seats:
            raise NotUnderstood("seat.unknown", part=entry.seat, legal=self.header.seats)
        kept = without(self.standing_orders, entry)
        entry = self._salted(entry)
        self._keep(entry)
        self.standing_orders = [*kept, entry] if isinstance(entry, Leave) else kept

    def _give_word(self, entry: Word) -> None:
        """Take a seat's word: never once something was answered in the period that runs."""
        period = max(self.runner.period, 1)
        opened = any(
            isinstance(e, Answer) and max(e.key.outer_period, 1) == period for e in self.effective
        )
        self.commitment.check_word(entry, opened=opened)
        self._keep(entry)
        self.commitment.words[entry.seat] = entry.word

    def _show(self, entry: Shown) -> None:
        """Take the committed seed of a period that has ended; no undo goes behind it."""
        self.commitment.check_shown(entry, self.runner.period, over=self.over)
        self._keep(entry)
        self.commitment.show(entry)
        self.course.barrier = len(self.effective)

    def _anchor(self, entry: Anchored) -> None:
        """Take the anchors of a further chain of committed seeds."""
        self.commitment.check_further(entry, self.runner.period)
        self._keep(entry)
        self.commitment.anchor(entry)

    def _note(self, entry: Looked | Moved) -> None:
        """Take down that an umpire has read something, or that the game was taken elsewhere or came
        back; nothing follows from it."""
        if isinstance(entry, Moved):
            if entry.what not in MOVES:
                raise NotUnderstood("moved.what", part=entry.what, legal=MOVES)
            self._keep(entry)
            return
        if entry.what not in LOOKS:
            raise NotUnderstood("looked.what", part=entry.what, legal=LOOKS)
        if entry.period != self.runner.period:
            raise OutOfDate("looked.period", part=entry.period, legal=(self.runner.period,))
        self._keep(entry)


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


def committed_game(header: Header, chains: Chains, **more: Any) -> Game:
    """A new game whose dice come from committed seeds, held here."""
    game = Game(committed_header(header, chains), **more)
    game.hold(chains)
    return game
