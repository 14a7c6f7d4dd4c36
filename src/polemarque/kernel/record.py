"""The game record: everything that was answered, in order, and nothing that follows from it.

The stand-alone form is a JSON document with one entry a line: the first line says which game it
is, the last one how many entries there are and the head of their chain, so that a file cut or
changed anywhere is known as such.  A record that is still being written has no last line: it can be
resumed, and is never taken for whole.  No clock, path or program version enters a record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from polemarque.kernel.errors import NotUnderstood, OutOfDate
from polemarque.kernel.position import (
    Plain,
    encode,
    encode_lines,
    plain,
    read_faces,
    write_faces,
)
from polemarque.kernel.request import DICE, Key

VERSION = 1
"""Version of the stand-alone form."""


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which game a record is of.

    setup, options: as given when the game began, every option written out.
    dice:   "free" (any source; faces are in the record), "seeded", "typed" or "committed".
    seed:   only if it was given for this purpose.
    anchor: of committed dice in the open;   anchors: by seat, of those that it alone may see.
    campaign: the name under which faces and receipts are made.
    umpire: the seat that the umpire plays himself, if he does.
    editions: by resolver, the edition of the system that its battles are fought by.
    """

    system: str
    edition: str
    seats: tuple[str, ...]
    setup: dict[str, Any] = {}
    options: dict[str, Any] = {}
    dice: str = "free"
    seed: str = ""
    anchor: str = ""
    campaign: str = ""
    editions: dict[str, str] = {}
    anchors: dict[str, str] = {}
    umpire: str = ""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """One answer: a seat's, or chance's (the value is then how the dice fell).

    by:   "" for the seat itself, or "absent", "standing", "umpire"; of committed dice, the period
          whose seed was used where it is a later one than the key's.
    salt: random, so that nobody can guess from the digest of its line what he may not see; of a
          seat's answer and of a roll that one seat alone may see.
    """

    key: Key
    value: Any
    by: str = ""
    salt: str = ""


class Undo(msgspec.Struct, frozen=True, tag="undo", omit_defaults=True):
    """A seat takes back its own last answer."""

    seat: str


class Leave(msgspec.Struct, frozen=True, tag="leave", omit_defaults=True):
    """An answer left in advance: used whenever a request of `rule` (and `subject`) comes to `seat`.

    subject: "*" for any.   until: last period, or 0 for no end.
    unless:  what must not be at stake (tags of the request): "pass until".   salt: as of an answer.
    """

    seat: str
    rule: str
    value: Any
    subject: str = "*"
    until: int = 0
    unless: tuple[str, ...] = ()
    salt: str = ""


class Withdraw(msgspec.Struct, frozen=True, tag="withdraw", omit_defaults=True):
    """A seat revokes what it left in advance for a rule."""

    seat: str
    rule: str
    subject: str = "*"
    salt: str = ""


class Replace(msgspec.Struct, frozen=True, tag="replace", omit_defaults=True):
    """The umpire replaces an answer given earlier (or annuls it: it is asked again).

    salt: as of an answer; the record's chain then holds no more of the act than its `Cover`.
    """

    key: Key
    reason: str
    date: str = ""
    value: Any = None
    annul: bool = False
    salt: str = ""


class Adjust(msgspec.Struct, frozen=True, tag="adjust", omit_defaults=True):
    """The umpire adjusts the state, declares a result, or changes an option: name and value.

    path: the open battle that it is done in, or "" for the game itself.
    at:   the question that was open there: a later correction does it there again.
    salt: as in `Replace`.
    """

    name: str
    value: Any
    reason: str
    date: str = ""
    at: Key | None = None
    path: str = ""
    salt: str = ""


class Adopt(msgspec.Struct, frozen=True, tag="adopt", omit_defaults=True):
    """The umpire moves the game to a newer edition of its rules, from where it stands on.

    resolver: "" for the game's own rules; else that of the battles that are opened from now on.
    at, salt: as in `Adjust`.
    """

    edition: str
    reason: str
    date: str = ""
    resolver: str = ""
    at: Key | None = None
    salt: str = ""


Act = Adjust | Adopt
"""What the umpire does between two items."""


class Cover(msgspec.Struct, frozen=True, tag="cover", omit_defaults=True):
    """What everybody may read of an umpire's act, whatever it changes: that, when and why he acted.

    of:   "replace", "adjust" or "adopt" (to which edition, and of which resolver).
    line: SHA-256 of the act's own line, in hexadecimal.
    """

    of: str
    line: str
    reason: str
    date: str = ""
    edition: str = ""
    resolver: str = ""


class Word(msgspec.Struct, frozen=True, tag="word", omit_defaults=True):
    """A seat's word, mixed into committed dice."""

    seat: str
    word: str


class Shown(msgspec.Struct, frozen=True, tag="shown", omit_defaults=True):
    """The committed seed of a period that has ended; of a seat's own rolls, at the game's end."""

    period: int
    seed: str
    seat: str = ""


Entry = Answer | Undo | Leave | Withdraw | Replace | Adjust | Adopt | Word | Shown
_Other = Undo | Leave | Withdraw | Replace | Adjust | Adopt | Word | Shown


def write_entry(entry: Entry) -> bytes:
    """An entry as one line of canonical JSON, without its line end."""
    return encode(_row(entry))


def _row(entry: Entry) -> Any:
    """An entry as its line holds it: of an answer, key, value, and by whom, where that is said."""
    if type(entry) is not Answer:
        return entry
    key = entry.key
    value = write_faces(entry.value) if key.seat == DICE else entry.value
    row = (key.period, key.path, key.rule, key.seat, key.subject, key.number, value)
    if entry.salt:
        return (*row, entry.by, entry.salt)
    return (*row, entry.by) if entry.by else row


class _Line(msgspec.Struct, array_like=True, forbid_unknown_fields=True, gc=False):
    """An answer as its line is read."""

    period: int
    path: str
    rule: str
    seat: str
    subject: str
    number: int
    value: Plain
    by: str = ""
    salt: str = ""


_one = msgspec.json.Decoder(_Line | dict[str, Any])
_all = msgspec.json.Decoder(list[_Line | dict[str, Any]])
_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def read_entry(line: bytes) -> Entry:
    """An entry from its line; raises NotUnderstood."""
    try:
        return _entry(_one.decode(line))
    except _FAULTS as fault:
        raise NotUnderstood("record.entry", part=line[:80].decode("utf-8", "replace"),
                            reason=str(fault)) from None  # fmt: skip


def _entry(read: _Line | dict[str, Any]) -> Entry:
    """The entry that a line holds."""
    if type(read) is _Line:
        key = Key(read.period, read.path, read.rule, read.seat, read.subject, read.number)
        value = read_faces(read.value) if read.seat == DICE else read.value
        return Answer(key, value, read.by, read.salt)
    entry: Entry = msgspec.convert(read, _Other)
    if isinstance(entry, (Leave, Replace, Adjust)):
        return msgspec.structs.replace(entry, value=plain(entry.value))
    return entry


def _first_line(header: Header) -> bytes:
    return b'{"polemarque":%d,"game":%s,"entries":[' % (VERSION, encode(header))


def _last_line(count: int, head: str) -> bytes:
    return b'{"end":{"entries":%d,"head":"%s"}}]}' % (count, head.encode())


_ACTS = (b'{"type":"replace"', b'{"type":"adjust"', b'{"type":"adopt"')
"""How the lines of umpire's acts begin."""


def cover(act: Replace | Act) -> Cover:
    """The cover of an umpire's act."""
    of = type(act).__name__.lower()
    line = hashlib.sha256(write_entry(act)).hexdigest()
    if isinstance(act, Adopt):
        return Cover(of, line, act.reason, act.date, act.edition, act.resolver)
    return Cover(of, line, act.reason, act.date)


def body(line: bytes) -> bytes:
    """What the chain links of an entry: its line, but the cover of an umpire's act with a salt."""
    if line.startswith(_ACTS):
        act = read_entry(line)
        if isinstance(act, Replace | Adjust | Adopt) and act.salt:
            return encode(cover(act))
    return line


class Chain:
    """The chain of a record: each link is SHA-256(previous link, digest of the entry's body)."""

    def __init__(self, header: Header) -> None:
        self._link = hashlib.sha256(_first_line(header)).digest()

    def add(self, *lines: bytes) -> None:
        """Add the next entries."""
        digest_of, link = hashlib.sha256, self._link
        for line in lines:
            link = digest_of(link + digest_of(body(line)).digest()).digest()
        self._link = link

    def add_digest(self, digest: bytes) -> None:
        """Add the next entry, of whose body no more is known than its digest."""
        self._link = hashlib.sha256(self._link + digest).digest()

    @property
    def head(self) -> str:
        """The head of the chain, in hexadecimal: the digest of the game so far."""
        return self._link.hex()


def digest(header: Header, entries: Iterable[Entry]) -> str:
    """The digest of a game: the head of its chain."""
    return _head(header, _lines(entries))


def _lines(entries: Iterable[Entry]) -> bytes:
    """The lines of entries, each with its line end, all at once."""
    return encode_lines([_row(entry) for entry in entries])


def _head(header: Header, lines: bytes) -> str:
    """The head of the chain of these entries."""
    chain = Chain(header)
    chain.add(*lines.splitlines())
    return chain.head


def write_record(header: Header, entries: Sequence[Entry]) -> bytes:
    """The stand-alone form of a whole record."""
    lines = _lines(entries)
    last = _last_line(len(entries), _head(header, lines))
    return b"%b\n%b%b\n" % (_first_line(header), _with_commas(lines), last)


def _with_commas(lines: bytes) -> bytes:
    """The lines of entries as they stand in a record."""
    return lines.replace(b"\n", b",\n")


class Record(msgspec.Struct, frozen=True):
    """A record that was read: complete, or interrupted while it was being written."""

    header: Header
    entries: tuple[Entry, ...]
    complete: bool
    head: str


def read_record(raw: bytes, *, interrupted: bool = False) -> Record:
    """Read a record.

    interrupted: also accept one without its last line, as a game to resume; a half-written last
    entry was never acknowledged and is dropped.
    Raises NotUnderstood (not a record, an unreadable line) or OutOfDate (another version, cut,
    changed), naming the line.
    """
    first, _, rest = raw.partition(b"\n")
    header = _read_first(first)
    body = rest[: rest.rfind(b"\n") + 1]
    last = body[body.rfind(b"\n", 0, -1) + 1 :]
    complete = raw.endswith(b"\n") and last.startswith(b'{"end":')
    if not complete and not interrupted:
        raise OutOfDate("record.cut", part=raw.count(b"\n") + 1)
    entries, lines = _read_entries(body.removesuffix(last) if complete else body)
    head = _head(header, lines)
    if complete and last != _last_line(len(entries), head) + b"\n":
        raise OutOfDate("record.changed", part=len(entries) + 2, line=len(entries) + 2)
    return Record(header, entries, complete, head)


def _read_entries(body: bytes) -> tuple[tuple[Entry, ...], bytes]:
    """Entries and their lines, all at once; one by one only to find the line that is at fault."""
    try:
        read = _all.decode(b"[%b]" % body.removesuffix(b",\n"))
        entries = tuple([_entry(line) for line in read])
        lines = _lines(entries)
        if _with_commas(lines) == body:
            return entries, lines
    except (*_FAULTS, NotUnderstood):
        pass
    written = enumerate(body.split(b"\n")[:-1], 2)
    entries = tuple([_read_line(number, line) for number, line in written])
    return entries, _lines(entries)


def _read_line(number: int, line: bytes) -> Entry:
    """The entry of one line of a record; raises what is wrong with it, naming the line."""
    if not line.endswith(b","):
        raise OutOfDate("record.changed", part=number, line=number)
    try:
        entry = read_entry(line[:-1])
    except NotUnderstood as refusal:
        refusal.data["line"] = number
        raise
    if write_entry(entry) != line[:-1]:  # written otherwise than we write it
        raise OutOfDate("record.changed", part=number, line=number)
    return entry


def _read_first(line: bytes) -> Header:
    closed = line + b"]}"
    try:
        raw = msgspec.json.decode(closed)
        version = raw["polemarque"]
        if version != VERSION:
            raise OutOfDate("record.version", part=version, legal=(VERSION,))
        header = msgspec.convert(plain(raw["game"]), Header)
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError):
        raise NotUnderstood("record.not_one", part=line[:60].decode("utf-8", "replace")) from None
    if _first_line(header) != line:
        raise OutOfDate("record.changed", part=1, line=1)
    return header


class Journal:
    """A record being written to a file, entry by entry.

    sync: force each entry to the disk before `add` returns (an answer is then acknowledged).
    """

    def __init__(
        self, path: Path, header: Header, entries: Sequence[Entry] = (), *, sync: bool
    ) -> None:
        self._sync = sync
        self._chain = Chain(header)
        self._count = 0
        lines = [_first_line(header) + b"\n"]
        for entry in entries:
            line = write_entry(entry)
            self._take(line)
            lines.append(line + b",\n")
        scratch = path.with_name(path.name + ".new")
        with scratch.open("wb") as file:
            self._size = file.write(b"".join(lines))
            file.flush()
            self._force(file)
        scratch.replace(path)  # an older file is never left half overwritten
        self._file = path.open("ab", buffering=0)

    def _take(self, line: bytes) -> None:
        self._chain.add(line)
        self._count += 1

    def _force(self, file: BinaryIO | FileIO) -> None:
        if self._sync:
            import os

            os.fsync(file.fileno())

    def add(self, entry: Entry) -> None:
        """Write one more entry.  Raises OSError, and the file is then as it was before."""
        line = write_entry(entry)
        self._write(line + b",\n")
        self._take(line)

    def _write(self, more: bytes) -> None:
        done = 0
        try:
            while done < len(more):
                done += self._file.write(more[done:])
            self._force(self._file)
        except OSError:
            self._file.truncate(self._size)
            raise
        self._size += len(more)

    def close(self) -> None:
        """Write the last line: the record is whole."""
        if not self._file.closed:
            self._write(_last_line(self._count, self._chain.head) + b"\n")
            self._file.close()

    def abandon(self) -> None:
        """Close the file as it is: the record can be resumed."""
        self._file.close()
