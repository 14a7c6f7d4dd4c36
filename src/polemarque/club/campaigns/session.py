"""A campaign at its table: the game in memory, and its record in the database.

What is in memory follows from the record and is made again from it at need.  Every change goes
through `write_lock`: what was entered is on the disk before the block is left, or nothing of it is.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from operator import is_not
from threading import Lock, RLock
from typing import Any, TypeVar

import msgspec
from django.db import transaction
from django.utils import timezone

from polemarque.club.clock.response_times import note_replies
from polemarque.club.models import OVER, Campaign, Entry, Pulse, Seeds
from polemarque.club.transfer.models import check_here
from polemarque.kernel.errors import Refusal
from polemarque.kernel.events import EventLog
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.game import Game
from polemarque.kernel.position import encode, plain
from polemarque.kernel.records.commitment import Chains
from polemarque.kernel.records.record import (
    TYPED,
    Anchored,
    Answer,
    Chain,
    Header,
    Replace,
    read_entry,
    write_entry,
)
from polemarque.kernel.records.record import Entry as Line
from polemarque.kernel.request import Key

Made = TypeVar("Made")

BY_POST = "post"
"""By whom an answer is that came by post or mail."""
BY_ITSELF = {"", BY_POST}
"""By whom an answer is that a seat gave itself."""

COURSE, SEALED, UNHEARD = "course", "ready", ""
"""Kinds of pulses: something took effect; a seat has sealed; nobody is to hear of it."""


class Turns:
    """How each turn of a game left it, noted as it is played: nobody waits for a second playing.

    After a correction, which plays the game again, it is worked out again when it is asked for.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._period = game.runner.period
        self._ends: dict[int, Any] | None = {}

    def follow(self, entry: Line | None = None) -> None:
        """Note where the game stands.   entry: the one that takes effect about now."""
        if isinstance(entry, Replace):
            self._ends = None
        if self._ends is None:
            return
        period, state = self._game.runner.period, self._game.state
        if period > self._period:
            self._ends[self._period] = state  # at the first question of a turn: as the last left it
        elif period < self._period:  # taken back
            self._ends = {turn: end for turn, end in self._ends.items() if turn < period}
        self._period = period

    def ends(self) -> dict[int, Any]:
        """Turn -> the state in which it left the game; the running turn is not among them."""
        game = self._game
        if self._ends is None:
            self._ends = played_again(game)
            self._period = game.runner.period
        found = {turn: end for turn, end in self._ends.items() if turn > 0}
        return {**found, game.runner.period: game.state} if game.over else found


def played_again(game: Game) -> dict[int, Any]:
    """Period -> the state in which it left the game, found by playing a game again."""
    twin = Game(game.header.freed)
    found: dict[int, Any] = {}
    period = twin.runner.period
    for entry in game.effective:
        twin.enter(entry)
        if twin.runner.period != period:
            found[period] = twin.state
            period = twin.runner.period
    return found


class LiveCampaign:
    """One campaign that is played.

    game:  its game.   told: every event of it as it stands.   turns: how each left it.
    lock:  held while the game is read or changed.
    kind:  of the pulse by which open pages hear of what is being entered.
    void:  it was taken out of memory, and may hold what is not on the disk: anyone who waited for
           it
           takes the one in its place.
    """

    def __init__(self, campaign: Campaign) -> None:
        assert campaign.header is not None
        header = convert(plain(msgspec.json.decode(campaign.header)), Header)
        self.lock = RLock()
        self.kind = COURSE
        self.void = False
        self.told = EventLog()
        self.retold = 0
        """How often events were withdrawn: those of one number are others since."""
        self._told_before: dict[Key, int] = {}
        """How many events were told when a question was answered last."""
        self.game = Game(header, publish=self.told.append, withdraw=self._withdraw)
        self._chain = Chain(header)
        self.memory: dict[str, Any] = {}
        """What readers have worked out of the game and may want again."""
        self.turns = Turns(self.game)
        self._moment = 0
        self._stands: tuple[object, ...] = ()
        self._new: list[bytes] = []
        self.count = 0
        """How many entries are both in memory and on the disk."""
        self.catch_up(campaign)
        self._take_seeds(campaign)
        self.game.journal = self._written

    @property
    def head(self) -> str:
        """The head of the record's chain."""
        return self._chain.head

    def catch_up(self, campaign: Campaign) -> None:
        """Enter what stands on the disk and not in memory: another process wrote it."""
        rows = campaign.entries.filter(number__gt=self.count).values_list("body", flat=True)
        journal, self.game.journal = self.game.journal, None
        try:
            for body in rows:
                line = bytes(body)
                entry = read_entry(line, self.game.header.version)
                self._note(entry)
                self.game.enter(entry)
                self._chain.add(line)
                self.turns.follow(entry)
                self.count += 1
                if isinstance(entry, Anchored) and self.game.chains is not None:
                    self._take_seeds(campaign)
        finally:
            self.game.journal = journal

    def _take_seeds(self, campaign: Campaign) -> None:
        kept = Seeds.objects.filter(campaign=campaign).first()
        self.game.salt_secrets()  # so that an export can keep from each what is not for them
        if kept is None:
            return
        chains = kept.chains
        self.game.hold(chains)

        def keep(chains: Chains) -> None:
            """Keep a further chain, in the transaction of the entry that anchors it."""
            kept.further = Seeds.said(chains)[1:]
            kept.save(update_fields=["further"])

        chains.journal = keep

    def _written(self, entry: Line) -> None:
        self.turns.follow(entry)  # which is yet to take effect: this is how those before it left it
        self._note(entry)
        self._new.append(write_entry(entry, self.game.header.version))

    def _note(self, entry: Line) -> None:
        """Note how much was told before an answer that is about to take effect."""
        if isinstance(entry, Answer) and entry.by in BY_ITSELF:
            self._told_before[entry.key] = len(self.told)

    def _withdraw(self, standing: int) -> None:
        self.told.withdraw(standing)
        self.retold += 1
        before = self._told_before
        self._told_before = {key: min(told, standing) for key, told in before.items()}

    def last_answer(self, seat: str) -> tuple[Answer, int] | None:
        """The last answer that a seat gave itself and that is in force, and how many events were
        told before it; None if there is none."""
        for entry in reversed(self.game.effective):
            if isinstance(entry, Answer) and entry.key.seat == seat and entry.by in BY_ITSELF:
                return entry, self._told_before.get(entry.key, len(self.told))
        return None

    @property
    def moment(self) -> int:
        """A number for how the game stands: another once anything has taken effect.

        An answer that is sealed takes effect with the last one: until then nothing is told of it,
        no state has changed, and what was worked out for readers holds.
        """
        runners = [*self.game.runner.within()]
        stands = (*self.told[-1:], *runners, *[runner.state for runner in runners])
        if len(stands) != len(self._stands) or any(map(is_not, stands, self._stands)):
            self._moment, self._stands = self._moment + 1, stands
        return self._moment

    def once(self, kind: str, at: Hashable, make: Callable[[], Made], most: int) -> Made:
        """What `make` makes, made once.

        at: all that it depends on, the eye that reads and `moment` among it.
        most: so many of that kind are kept, those that were asked for last.
        """
        kept: OrderedDict[Hashable, Made] = self.memory.setdefault(kind, OrderedDict())
        if at not in kept:
            kept[at] = make()
            if len(kept) > most:
                kept.popitem(last=False)
        kept.move_to_end(at)
        return kept[at]

    @property
    def dice_awaited(self) -> bool:
        """Whether the game waits for dice that somebody throws on a table."""
        return self.game.header.dice == TYPED and bool(self.game.throws())

    def put(self, campaign: Campaign) -> list[Entry]:
        """Write down what was entered; the rows, which stand once the transaction has ended."""
        lines, self._new = self._new, []
        self.turns.follow()
        rows = [
            Entry(campaign=campaign, number=n, body=b) for n, b in enumerate(lines, self.count + 1)
        ]
        Entry.objects.bulk_create(rows)
        self._chain.add(*lines)
        self.count += len(lines)
        return rows


KEPT = 40
"""At most this many campaigns are kept in memory; the one not looked at for longest makes room."""

_tables: dict[int, LiveCampaign] = {}
"""By campaign, the one that was looked at last at the end."""

_memory = Lock()
"""Held for moments, while what is in memory is looked up or changed."""

_opening: defaultdict[int, RLock] = defaultdict(RLock)
"""By campaign: held while it is made from its record, which others need not wait for."""


def live_campaign(campaign: Campaign) -> LiveCampaign:
    """The table of a campaign that has begun, made from its record if it is not in memory."""
    number = campaign.pk
    with _memory:
        opening = _opening[number]
    with opening:
        with _memory:
            table = _tables.pop(number, None)
            if table is not None and not table.void:
                _tables[number] = table
                return table
        table = LiveCampaign(campaign)
        with _memory:
            _tables[number] = table
            _make_room()
        return table


def _make_room() -> None:
    """Take out of memory what is over the number and held by nobody."""
    for number, table in list(_tables.items())[:-1]:
        if len(_tables) <= KEPT:
            return
        if table.lock.acquire(blocking=False):
            table.void = True
            del _tables[number]
            table.lock.release()


def forget(campaign: Campaign) -> None:
    """Take a campaign out of memory; its record stays."""
    with _memory:
        table = _tables.pop(campaign.pk, None)
        if table is not None:
            table.void = True


@contextmanager
def _held(campaign: Campaign) -> Iterator[LiveCampaign]:
    """The table, held; never one that broke off while somebody waited for it."""
    while True:
        table = live_campaign(campaign)
        with table.lock:
            if not table.void:
                yield table
                return


@contextmanager
def read_lock(campaign: Campaign) -> Iterator[LiveCampaign]:
    """The table, as the record stands, kept still while it is read."""
    with _held(campaign) as table:
        if campaign.entries.filter(number=table.count + 1).exists():
            try:
                table.catch_up(campaign)
            except BaseException:
                forget(campaign)
                raise
        yield table


@contextmanager
def write_lock(campaign: Campaign) -> Iterator[LiveCampaign]:
    """The table, to enter something: all that is entered in the block, or nothing, is kept.

    What the block raises goes on up; a refusal of the first entry has changed nothing, and anything
    else makes the table again from the disk.  Raises Away while the campaign is played elsewhere.
    """
    with _entering(campaign, check_here, note_replies) as table:
        yield table


@contextmanager
def reopening(campaign: Campaign) -> Iterator[LiveCampaign]:
    """The same of a campaign that is away, by which it comes back: how soon was answered what comes
    with it, this club has not seen."""
    with _entering(campaign, lambda _: None, lambda *_: None) as table:
        yield table


@contextmanager
def _entering(
    campaign: Campaign,
    admit: Callable[[Campaign], None],
    noted: Callable[[Campaign, int, Sequence[Line], frozenset[Key]], None],
) -> Iterator[LiveCampaign]:
    with _held(campaign) as table:
        before, table.kind = table.count, COURSE
        try:
            with transaction.atomic():
                # Waits for every other writer, of this process and of others.
                row = Campaign.objects.select_for_update().get(pk=campaign.pk)
                admit(row)
                table.catch_up(row)
                before = table.count
                asked = _asked(table)
                yield table
                table.put(row)
                if table.count > row.count:
                    noted(row, before, table.game.entries[before:], asked)
                    now = _asked(table)
                    _date(row, asked, now)
                    if table.kind == SEALED and not asked <= now:
                        table.kind = COURSE  # it was the last answer: what follows concerns all
                    _keep(row, table)
        except Refusal:
            if len(table.game.entries) > before:
                forget(campaign)
            raise
        except BaseException:
            forget(campaign)
            raise
        campaign.refresh_from_db()


def _asked(table: LiveCampaign) -> frozenset[Key]:
    return frozenset([key for each in table.game.requests() for key in each.keys.values()])


def _date(row: Campaign, before: frozenset[Key], after: frozenset[Key]) -> None:
    """Say since when each question is open that is open after an entry; `before`: those before it.

    Battles side by side move each for itself: what is done in one makes nobody less late in
    another.
    """
    now = timezone.now()
    since = {key: row.open_since(key) if key in before else now for key in after}
    if since:
        row.asked = min(since.values())
    row.opened = {
        encode(key).decode(): at.isoformat() for key, at in since.items() if at > row.asked
    }


def _keep(row: Campaign, table: LiveCampaign) -> None:
    """Keep what a campaign's row says of its record."""
    row.count, row.head = table.count, table.head
    if table.game.over:
        row.stage = OVER
    if row.turned is None or row.turn != table.game.runner.period:
        row.turn, row.turned = table.game.runner.period, timezone.now()
    row.save(update_fields=["count", "head", "asked", "opened", "stage", "turn", "turned"])
    if table.kind != UNHEARD:
        Pulse.objects.create(campaign=row, kind=table.kind)
