"""Exports: a record as one reader may have it.

What they may not see stands in it as the digest that the chain links, so every export of a game has
the same chain and the same head, and `proof` can hold it against the record later.  Until the game
is over this is who sees what:

================================  ==============  ====================  ==========================
entry                             public          a seat                operator
================================  ==============  ====================  ==========================
roll in the open                  yes             yes                   yes
roll of one seat, or in a battle  digest          if it may see it      yes
that not everybody may see
answer of a seat                  digest          if it is its own      yes; a sealed one that
                                                                        was not revealed: digest
leave, withdraw                   digest          if it is its own      digest: it may answer what
                                                                        is sealed later
replace                           cover           of its own answer     yes; of a sealed answer
                                                                        not revealed: cover
adjust, adopt                     cover           cover                 yes
undo, word, seed shown, further   yes             yes                   yes
anchors, umpire has read
================================  ==============  ====================  ==========================

A *cover* says that the umpire acted, when and why, not what was changed.  Not even its key is shown
of a hidden answer, for it may name a secret unit; that there was an entry, and where it stands
among the others, cannot be hidden.  When the game is over everybody may have everything.

A digest hides nothing that can be guessed, and neither does a link that follows from one.  So an
export that hides something without a salt (see `Game.salt_secrets`), or the seed of all dice to
come, has no digests and no links: it is *unlinked*, and proves nothing before the game is over.

A playing umpire who is asked for a sealed answer may not know who has sealed before them.  Until
they have, all exports but those of other seats end before the first of these answers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec

from polemarque.kernel.errors import NotUnderstood, OutOfDate, Refusal
from polemarque.kernel.events import EVERYBODY, Audience, both
from polemarque.kernel.files.decoding import convert, decoder, from_json
from polemarque.kernel.game import Game
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.position import encode, plain
from polemarque.kernel.records.commitment import is_salt
from polemarque.kernel.records.record import (
    COMMITTED,
    SEEDED,
    Adjust,
    Adopt,
    Answer,
    Chain,
    Cover,
    Entry,
    Header,
    Leave,
    Replace,
    Withdraw,
    body,
    changed,
    cover,
    read_entry,
    write_entry,
)
from polemarque.kernel.request import DICE, UMPIRE, Key

FORM = 1
"""Version of the line form."""

UNLINKED = 2
"""Version of that of an export without chain, seed and digests."""

FIRST = b'{"polemarque_export":'
"""How every export begins."""


# Readers -----------------------------------------------------------------------------------------


class Everybody(msgspec.Struct, frozen=True):
    """Anyone who asks."""

    @property
    def name(self) -> str:
        """As the first line of an export says it."""
        return "public"


class OneSeat(msgspec.Struct, frozen=True):
    """Anyone who plays a seat."""

    seat: str

    @property
    def name(self) -> str:
        """As the first line of an export says it."""
        return f"seat:{self.seat}"


class Operator(msgspec.Struct, frozen=True):
    """Anyone who runs the game."""

    @property
    def name(self) -> str:
        """As the first line of an export says it."""
        return "full"


Reader = Everybody | OneSeat | Operator


def reader_of(name: str, header: Header) -> Reader:
    """The reader of that name ("public", "seat:A", "full").  Raises NotUnderstood."""
    seats = [OneSeat(seat) for seat in (*header.seats, UMPIRE)]
    readers: list[Reader] = [Everybody(), *seats, Operator()]
    for reader in readers:
        if name == reader.name:
            return reader
    legal = [reader.name for reader in readers]
    raise NotUnderstood("export.reader", part=name[:80], legal=legal)


# What a reader may see ---------------------------------------------------------------------------


class Hidden(msgspec.Struct, frozen=True):
    """An entry of which no more is shown than its digest, in hexadecimal.

    It is "" where the digest would let the entry be guessed.
    """

    digest: str


Part: TypeAlias = Entry | Hidden | Cover
"""An entry as one reader may see it."""

_Act = Replace | Adjust | Adopt


def _whose(entry: Entry, rolled: Audience) -> Audience:
    """The seats whose secret an entry is (nobody's: the umpire's), or None where it is none.

    rolled: of a roll, who may see it.
    """
    if isinstance(entry, Answer):
        return rolled if entry.key.seat == DICE else (entry.key.seat,)
    if isinstance(entry, (Leave, Withdraw)):
        return (entry.seat,)
    if isinstance(entry, Replace):
        return (entry.key.seat,)
    return () if isinstance(entry, (Adjust, Adopt)) else EVERYBODY


def _sees(reader: Reader, entry: Entry, rolled: Audience, *, revealed: bool) -> bool:
    """Whether a reader may see an entry while the game goes on; the table above.

    revealed: False of a sealed answer that was not in force when all were revealed.
    """
    whose = _whose(entry, rolled)
    if whose is EVERYBODY:
        return True
    if isinstance(reader, OneSeat):
        return reader.seat in whose
    if isinstance(reader, Everybody) or isinstance(entry, (Leave, Withdraw)):
        return False
    return revealed


class _Course:
    """A record played once more, to know what of it is secret.

    rolled:     of each entry that is a roll, who may see it; None of any other.
    unrevealed: numbers, from 0, of sealed answers that nobody has been shown.
    """

    def __init__(self, header: Header, entries: Sequence[Entry]) -> None:
        self.game = Game(header)
        self.rolled: list[Audience] = []
        self.unrevealed: set[int] = set()
        self._last: dict[Key, int] = {}
        """The entry that answers a sealed question."""
        self._since: dict[frozenset[Key], int] = {}
        """Sealed questions that a playing umpire has not answered, and since which entry."""
        self._watch()
        for number, entry in enumerate(entries):
            self._look_at(number, entry)
            self.game.enter(entry)
            self._watch()

    def _look_at(self, number: int, entry: Entry) -> None:
        """Note what an entry is before it takes effect."""
        rolled: Audience = EVERYBODY
        if isinstance(entry, Answer):
            runner, asked = self.game.runner.find(entry.key)
            if isinstance(asked, RollRequest):
                owner = asked.roll.owner
                rolled = both(runner.audience, (owner,) if owner else EVERYBODY)
            elif asked.sealed:
                self._seal(number, entry.key)
                if asked.missing == (entry.key.seat,):
                    self.unrevealed -= {self._last.get(key, -1) for key in asked.keys.values()}
        elif isinstance(entry, Replace) and self._last.get(entry.key) in self.unrevealed:
            self._seal(number, entry.key)
        self.rolled.append(rolled)

    def _seal(self, number: int, key: Key) -> None:
        self.unrevealed.add(number)
        self._last[key] = number

    def _watch(self) -> None:
        """Note for which sealed answers a playing umpire is awaited."""
        umpire = self.game.header.umpire
        if umpire:
            so_far = len(self.rolled)
            waits = [
                frozenset(request.keys.values())
                for request in self.game.course.requests()
                if request.sealed and umpire in request.missing
            ]
            self._since = {keys: self._since.get(keys, so_far) for keys in waits}

    def known_to_umpire(self, entries: Sequence[Entry]) -> int:
        """How many entries a playing umpire may know of."""
        return min(
            (
                number
                for keys, since in self._since.items()
                for number, entry in enumerate(entries[since:], since)
                if isinstance(entry, Answer) and entry.key in keys
            ),
            default=len(entries),
        )


def parts_for(header: Header, entries: Sequence[Entry], reader: Reader) -> tuple[Part, ...]:
    """A record's entries as a reader may see them.

    Raises NotUnderstood if there is no such seat, and what replaying the record raises.
    """
    return _parts(_Course(header, entries), entries, reader)


def _parts(course: _Course, entries: Sequence[Entry], reader: Reader) -> tuple[Part, ...]:
    header = course.game.header
    reader_of(reader.name, header)
    if course.game.over:
        return tuple(entries)
    if not isinstance(reader, OneSeat) or reader.seat in (header.umpire, UMPIRE):
        entries = entries[: course.known_to_umpire(entries)]
    return tuple([
        entry
        if _sees(reader, entry, course.rolled[number], revealed=number not in course.unrevealed)
        else _hidden(entry, header.version)
        for number, entry in enumerate(entries)
    ])  # fmt: skip


def _hidden(entry: Entry, version: int) -> Hidden | Cover:
    """What is shown of an entry that may not be seen; without any digest if it has no salt."""
    salted = is_salt(getattr(entry, "salt", ""))
    if isinstance(entry, _Act):
        shown = cover(entry)
        return shown if salted else msgspec.structs.replace(shown, line="")
    return Hidden(hashlib.sha256(write_entry(entry, version)).hexdigest() if salted else "")


def _blank(part: Part) -> Part:
    """A part without the digest of what it hides."""
    if isinstance(part, Hidden):
        return Hidden("")
    return msgspec.structs.replace(part, line="") if isinstance(part, Cover) else part


def _guessable(part: Part) -> bool:
    return part == _blank(part) and isinstance(part, (Hidden, Cover))


# The line form -----------------------------------------------------------------------------------


class Export(msgspec.Struct, frozen=True):
    """An export that was read.

    links: of the chain, the header's first; the last one is the head.  None of an unlinked export.
    """

    header: Header
    reader: Reader
    parts: tuple[Part, ...]
    links: tuple[str, ...]

    @property
    def head(self) -> str:
        """The head of the record's chain; "" of an unlinked export."""
        return self.links[-1] if self.links else ""

    @property
    def hidden(self) -> int:
        """How many entries are not shown, or only by their cover."""
        return sum([isinstance(part, (Hidden, Cover)) for part in self.parts])


def export(header: Header, entries: Sequence[Entry], reader: Reader) -> bytes:
    """A record as a reader may have it; raises as `parts_for` does."""
    course = _Course(header, entries)
    parts = _parts(course, entries, reader)
    to_come = header.dice == SEEDED and not (course.game.over or isinstance(reader, Operator))
    if to_come or any(map(_guessable, parts)):
        return _unlinked(header, parts, reader)
    chain = Chain(header)
    lines = [_first_line(header, reader, chain.head)]
    for part in parts:
        chain.add_digest(digest_of(part, header.version))
        lines.append(_line(part, chain.head, header.version))
    return _closed(lines, chain.head)


def digest_of(part: Part, version: int) -> bytes:
    """The digest that the chain of a record in this version of its form links."""
    if isinstance(part, Hidden):
        return bytes.fromhex(part.digest)
    linked = encode(part) if isinstance(part, Cover) else body(write_entry(part, version))
    return hashlib.sha256(linked).digest()


def _unlinked(header: Header, parts: Sequence[Part], reader: Reader) -> bytes:
    """An export from which neither the seed nor what is hidden can be guessed, and no link made."""
    blank = msgspec.structs.replace(header, seed="")
    lines = [_first_line(blank, reader, "")]
    return _closed([*lines, *[_line(_blank(part), "", header.version) for part in parts]], "")


def _closed(lines: Sequence[bytes], head: str) -> bytes:
    whole = b"\n".join(lines) + b"\n"
    return whole + _last_line(len(lines) - 1, head, whole)


def _first_line(header: Header, reader: Reader, link: str) -> bytes:
    form = FORM if link else UNLINKED
    known = (form, encode(reader.name), link.encode(), encode(header))
    return FIRST + b'%d,"for":%b,"link":"%b","game":%b,"entries":[' % known


def _line(part: Part, link: str, version: int) -> bytes:
    if isinstance(part, Hidden):
        return b'["%b","%b"],' % (link.encode(), part.digest.encode())
    shown = encode(part) if isinstance(part, Cover) else write_entry(part, version)
    return b'["%b",%b],' % (link.encode(), shown)


def _last_line(count: int, head: str, whole: bytes) -> bytes:
    total = hashlib.sha256(whole).hexdigest()
    return b'{"end":{"entries":%d,"head":"%b","sum":"%b"}}]}\n' % (
        count, head.encode(), total.encode(),
    )  # fmt: skip


# Reading -----------------------------------------------------------------------------------------


class _First(msgspec.Struct):
    """The first line of an export."""

    polemarque_export: int
    reader: str = msgspec.field(name="for")
    link: str
    game: dict[str, Any]
    entries: tuple[()]


_line_of = decoder(tuple[str, msgspec.Raw])
_cover = decoder(Cover)
_digest = decoder(str)
_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError, Refusal)


def read_export(raw: bytes) -> Export:
    """Read an export, and check its chain link by link.

    Raises NotUnderstood (not an export, a line that cannot be read) or OutOfDate (another version,
    cut, changed); `data["line"]` is then the first line at fault, where one is.
    """
    first, *lines = raw.split(b"\n")
    header, reader, link = _read_first(first)
    chain = Chain(header) if link else None
    if (chain and link != chain.head) or _first_line(header, reader, link) != first:
        raise changed(1, at="header")
    if len(lines) < 2 or lines[-1] or not lines[-2].startswith(b'{"end":'):
        cut = next((n for n, line in enumerate(lines, 2) if not line.endswith(b",")), 1)
        raise OutOfDate("record.cut", part=cut)
    parts: list[Part] = []
    links = [link] if link else []
    for number, line in enumerate(lines[:-2], 2):
        part = _read_line(number, line, header.version)
        if isinstance(part, (Hidden, Cover)) and _guessable(part) is not (chain is None):
            raise changed(number)
        if chain is not None:
            chain.add_digest(digest_of(part, header.version))
            links.append(chain.head)
        if _line(part, links[-1] if links else "", header.version) != line:
            raise changed(number)
        parts.append(part)
    whole = raw[: -len(lines[-2]) - 1]
    if lines[-2] + b"\n" != _last_line(len(parts), links[-1] if links else "", whole):
        raise changed(len(lines), at="end")
    found = Export(header, reader, tuple(parts), tuple(links))
    if chain is None and _puts_off(found):
        raise changed(1, at="header")
    return found


def _puts_off(export: Export) -> bool:
    """Whether an export lacks its chain for nothing, so that no check of it could be made yet.

    A game salts all its secrets or none: with committed dice it does, and where what is shown is
    salted.  Then a chain gives nothing away, but the seed of dice to come.
    """
    dice = export.header.dice
    if dice == SEEDED and not isinstance(export.reader, Operator):
        return False
    salted = dice == COMMITTED or any(getattr(part, "salt", "") for part in export.parts)
    return salted or not export.hidden


def _read_first(line: bytes) -> tuple[Header, Reader, str]:
    try:
        read = from_json(line + b"]}", _First)
        header = convert(plain(read.game), Header)
    except _FAULTS:
        raise NotUnderstood("export.not_one", part=line[:60].decode("utf-8", "replace")) from None
    forms = (FORM, UNLINKED)
    if read.polemarque_export not in forms:
        raise OutOfDate("record.version", part=read.polemarque_export, legal=forms)
    return header, reader_of(read.reader, header), read.link


def _read_line(number: int, line: bytes, version: int) -> Part:
    """What a line shows.  Raises NotUnderstood, naming the line."""
    try:
        _, shown = _line_of.decode(line.removesuffix(b","))
        said = bytes(shown)
        if said.startswith(b'"'):
            digest = _digest.decode(said)
            return Hidden(bytes.fromhex(digest).hex())
        if said.startswith(b'{"type":"cover"'):
            return _cover.decode(said)
        return read_entry(said, version)
    except _FAULTS as fault:
        raise NotUnderstood("record.entry", part=line[:80].decode("utf-8", "replace"),
                            reason=str(fault), line=number, entry=number - 1) from None  # fmt: skip
