"""Committed dice in a game: what is public about them, and what their holder keeps.

The header holds the anchor of a chain of seeds for rolls in the open, and one anchor a seat for
rolls that this seat alone may see.  Period k uses the chain's s(k), which is shown when the period
ends; what is played before period 1, setting up, belongs to it.  Before a chain ends, after 1,000
periods, an entry publishes the anchors of the next one.  Before the first answer each seat gives a
word, which is mixed into the faces; no period opens before the last one's seed is shown.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from polemarque.kernel.dice import Faces, Roll
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.records.keyed_dice import (
    CHAIN_LENGTH,
    before_chain,
    chain_of,
    derive,
    leads_back,
    seed_chain,
    walked_back,
)
from polemarque.kernel.records.record import COMMITTED, Anchored, Header, Shown, Word
from polemarque.kernel.request import UMPIRE, Key, Text

OPEN = ""
"""Whose chain it is that rolls in the open use."""

WORD = Text(100)
"""What a seat's word may be."""

AHEAD = 10
"""How many periods before a chain ends the anchors of the next one are published."""


class Commitment:
    """What is public, and the refusal of whatever comes too early or too late.

    words:   seat -> the word it gave last.
    anchors: of each chain in turn, by owner.   shown: period -> seed, of rolls in the open.
    own:     seat -> period -> seed, of the rolls that it alone could see, once the game is over.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self.words: dict[str, str] = {}
        self.shown: dict[int, str] = {}
        self.own: dict[str, dict[int, str]] = {}
        self.anchors: list[dict[str, str]] = [{OPEN: header.anchor, **header.anchors}]
        self._used = 1
        """The last period whose seed a roll has used."""

    @property
    def last(self) -> int:
        """The last period whose seed is shown, or 0."""
        return max(self.shown, default=0)

    def period_of(self, key: Key) -> int:
        """The period whose seed a roll uses: its own, or the running one if that is shown already.

        So nobody knows in advance how a roll that a correction has made necessary will fall.
        """
        return max(key.outer_period, self.last + 1)

    def rolled(self, key: Key) -> None:
        """A roll was taken: the seed that it used is to be shown."""
        self._used = max(self._used, self.period_of(key))

    @property
    def words_awaited(self) -> list[str]:
        """The seats whose words are still to come: nothing is answered before."""
        return [seat for seat in self.header.seats if seat not in self.words]

    def check_answer(self, running: int) -> None:
        """Whether period `running` may be played.  Raises OutOfDate while something is missing."""
        missing = self.words_awaited
        if missing:
            raise OutOfDate("word.awaited", part=missing[0], legal=missing)
        if self.last < running - 1:
            raise OutOfDate("seed.awaited", part=running - 1)
        if chain_of(running) > len(self.anchors):
            raise OutOfDate("anchor.awaited", part=running)

    # Words -------------------------------------------------------------------------------------

    def check_word(self, given: Word, *, opened: bool) -> None:
        """Whether a seat may give this word; `opened`: something was answered in this period.

        A playing umpire gives theirs first, and for good.  Raises NotUnderstood on what is no word,
        NotAllowed where dice are not committed: nothing would follow from it.
        """
        seats, umpire = self.header.seats, self.header.umpire
        if self.header.dice != COMMITTED:
            raise NotAllowed("word.none", part=given.seat)
        if given.seat not in seats:
            raise NotUnderstood("seat.unknown", part=given.seat, legal=seats)
        WORD.take(given.word)
        if opened:
            raise OutOfDate("word.too_late", part=given.seat)
        if umpire and given.seat == umpire and umpire in self.words:
            raise NotAllowed("word.final", part=umpire)
        if umpire and given.seat != umpire and umpire not in self.words:
            raise NotAllowed("word.umpire_first", part=given.seat, legal=(umpire,))

    # Seeds -------------------------------------------------------------------------------------

    def due(self, running: int, *, over: bool) -> list[tuple[str, int]]:
        """Whose seed of which period is to be shown now: (seat or "", period).

        Of each chain one is enough: those before it follow from it.
        """
        ended = max(running, self._used) if over else running - 1
        due = [(OPEN, period) for period in _ends(self.last, ended)]
        if over:
            for seat in self.header.anchors:
                known = max(self.own.get(seat, ()), default=0)
                due += [(seat, period) for period in _ends(known, ended)]
        return due

    def check_shown(self, shown: Shown, running: int, *, over: bool) -> None:
        """Whether a seed may be shown now, and is the true one.  Raises OutOfDate, NotAllowed."""
        if not over and (shown.seat or shown.period >= running):
            raise OutOfDate("seed.too_early", part=shown.period)
        anchor, known = self._known(shown)
        if shown.period < 1 or not leads_back(shown.seed, shown.period - known, anchor):
            raise NotAllowed("seed.false", part=shown.period)

    def _known(self, shown: Shown) -> tuple[str, int]:
        """The nearest seed before this one of its chain, or that chain's anchor; its period."""
        chain = chain_of(shown.period)
        begin = before_chain(chain)
        if not shown.seat:
            period = max((p for p in self.shown if begin < p < shown.period), default=0)
            if period:
                return self.shown[period], period
        anchors = self.anchors[chain - 1] if chain <= len(self.anchors) else {}
        return anchors.get(shown.seat, ""), begin

    def show(self, shown: Shown) -> None:
        """Take a seed that was checked."""
        if shown.seat:
            self.own.setdefault(shown.seat, {})[shown.period] = shown.seed
        else:
            self.shown[shown.period] = shown.seed

    # Further chains ----------------------------------------------------------------------------

    def further_due(self, running: int) -> int:
        """The number of the chain whose anchors are to be published now, or 0."""
        chains = len(self.anchors)
        return chains + 1 if running > before_chain(chains + 1) - AHEAD else 0

    def check_further(self, given: Anchored, running: int) -> None:
        """Whether the anchors of a further chain may be published now.

        Raises NotAllowed if it is not the next one, OutOfDate once the last chain has ended,
        NotUnderstood on what are no anchors, or not of the same owners as the first ones.
        """
        chain = len(self.anchors) + 1
        if self.header.dice != COMMITTED or given.chain != chain:
            raise NotAllowed("anchor.other", part=given.chain)
        if chain_of(running) >= chain:
            raise OutOfDate("anchor.late", part=given.chain)
        owners = given.anchors.keys() == self.header.anchors.keys()
        if not owners or not all(map(is_salt, (given.anchor, *given.anchors.values()))):
            raise NotUnderstood("anchor.unreadable", part=given.chain)

    def anchor(self, given: Anchored) -> None:
        """Take anchors that were checked."""
        self.anchors.append({OPEN: given.anchor, **given.anchors})


def _ends(after: int, ended: int) -> Iterator[int]:
    """The last period of each chain among those after one up to another."""
    while after < ended:
        after = min(ended, before_chain(chain_of(after + 1) + 1))
        yield after


# Who knows the seeds -----------------------------------------------------------------------------


class Seeds(Protocol):
    """Some of the seeds."""

    def seed(self, owner: str, period: int) -> bytes | None:
        """The seed of a period, or None where it is not known (yet)."""
        ...


class Chains:
    """All the seeds: anyone who holds them can compute every coming die, and shows them in time.

    last:    the last seed of each chain in use first, by owner, from which all others follow; the
             same of each further chain.  They are to be kept secret.
    journal: called with all last seeds before a further chain is anchored, to keep them.
    """

    def __init__(
        self,
        last: Mapping[str, bytes],
        length: int = CHAIN_LENGTH,
        further: Sequence[Mapping[str, bytes]] = (),
    ) -> None:
        self.last = [dict(each) for each in (last, *further)]
        self.journal: Callable[[Chains], None] | None = None
        self._length = length
        self._chains = [self._made(each) for each in self.last]

    def _made(self, last: Mapping[str, bytes]) -> dict[str, list[bytes]]:
        return {owner: seed_chain(seed, self._length) for owner, seed in last.items()}

    @property
    def anchors(self) -> list[dict[str, str]]:
        """What is published before each chain is used, in hexadecimal, by owner."""
        return [{owner: seeds[0].hex() for owner, seeds in each.items()} for each in self._chains]

    def seed(self, owner: str, period: int) -> bytes:
        """The seed of a period.  Raises OutOfDate past the end of the last chain."""
        number = chain_of(period)
        place = period - before_chain(number)
        if period < 1 or number > len(self._chains) or place > self._length:
            raise OutOfDate("dice.chain_ended", part=period)
        return self._chains[number - 1][owner][place]

    def shown(self, owner: str, period: int) -> Shown:
        """The entry that shows a seed."""
        return Shown(period, self.seed(owner, period).hex(), owner)

    def further(self, number: int) -> Anchored:
        """The entry that anchors a further chain, the next one, made if it is not there yet."""
        if number > len(self._chains):
            self.last.append({owner: secrets.token_bytes(32) for owner in self.last[0]})
            self._chains.append(self._made(self.last[-1]))
            if self.journal is not None:
                self.journal(self)
        anchors = self.anchors[number - 1]
        return Anchored(number, anchors.pop(OPEN), anchors)


def new_chains(seats: Iterable[str]) -> Chains:
    """Chains from the machine's random source: one in the open, one for each seat."""
    return Chains({o: secrets.token_bytes(32) for o in (OPEN, *seats, UMPIRE)})


class ShownSeeds:
    """Those seeds that a record shows; earlier ones follow from later ones."""

    def __init__(self, shown: Iterable[Shown]) -> None:
        self._shown: dict[str, dict[int, bytes]] = {}
        for each in shown:
            self._shown.setdefault(each.seat, {})[each.period] = bytes.fromhex(each.seed)

    def seed(self, owner: str, period: int) -> bytes | None:
        """The seed of a period, or None if neither it nor a later one of its chain is shown."""
        known = self._shown.get(owner, {})
        if period in known:
            return known[period]
        later = min((p for p in known if p > period), default=None)
        if later is None or chain_of(later) != chain_of(period):
            return None
        known[period] = walked_back(known[later], later - period)
        return known[period]


class Committed:
    """Dice from committed seeds, as far as `seeds` knows them; no faces where it does not."""

    def __init__(self, commitment: Commitment, seeds: Seeds) -> None:
        self._commitment = commitment
        self._seeds = seeds

    def throw(self, roll: Roll, where: Any, decision: Any) -> Faces:
        """Faces of this very roll; none where its seed is not known, which a `Trial` relies on.

        Raises OutOfDate past the end of the chain.
        """
        header = self._commitment.header
        owner = roll.owner if roll.owner in header.anchors else OPEN
        seed = self._seeds.seed(owner, self._commitment.period_of(where))
        return () if seed is None else derive(seed, header.campaign, where, decision, roll)


def committed_header(header: Header, chains: Chains) -> Header:
    """The header of a game with committed dice: it publishes the anchors and has its own name."""
    anchors = chains.anchors[0]
    return msgspec.structs.replace(
        header,
        dice=COMMITTED,
        seed="",
        anchor=anchors.pop(OPEN),
        anchors=anchors,
        campaign=header.campaign or secrets.token_hex(8),
    )


def new_word() -> str:
    """A word for a seat that types none."""
    return secrets.token_hex(8)


def new_salt() -> str:
    """A salt for what somebody may not see: 32 random bytes, in hexadecimal."""
    return secrets.token_hex(32)


def is_salt(salt: str) -> bool:
    """Whether this is a salt as `new_salt` makes them, lower-case."""
    return len(salt) == 64 and set(salt) <= set("0123456789abcdef")
