"""The game record: everything that was answered, in order, and nothing that follows from it.

The stand-alone form is a JSON document with one entry per line: the first line says which game it
is, the last one how many entries there are and the head of their chain, so that a file cut or
changed anywhere is known as such.  A record that is still being written has no last line: it can be
resumed, and is never taken for whole.  No clock, path or program version enters a record.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from copy import copy
from io import FileIO
from pathlib import Path
from sys import intern
from typing import Any, BinaryIO, Final, Literal

import msgspec
from msgspec.structs import force_setattr

from polemarque.kernel.errors import NotUnderstood, OutOfDate
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.position import encode, plain
from polemarque.kernel.records.entries import (
    LOOKS,
    MOVES,
    ONLY,
    VERSION,
    VERSIONS,
    Act,
    Adjust,
    Adopt,
    Anchored,
    Answer,
    Cover,
    Entry,
    Leave,
    Looked,
    Moved,
    Replace,
    Shown,
    Undo,
    Withdraw,
    Word,
    read_entry,
    read_lines,
    with_commas,
    write_entry,
    write_lines,
)

__all__ = [
    "COMMITTED", "FREE", "LOOKS", "MOVES", "ONLY", "SEEDED", "TYPED", "VERSION", "Act", "Adjust",
    "Adopt", "Anchored", "Answer", "Chain", "Cover", "Dice", "Entry", "Header", "Journal", "Leave",
    "Looked", "Moved", "Record", "Replace", "Shown", "Undo", "Withdraw", "Word", "body", "changed",
    "cover", "digest", "read_entry", "read_record", "unended", "write_entry", "write_record",
]  # fmt: skip


Dice = Literal["free", "seeded", "typed", "committed"]
"""Where the dice of a game come from."""

FREE: Final = "free"
"""Any source; the faces are in the record."""
SEEDED: Final = "seeded"
"""The seed in the header."""
TYPED: Final = "typed"
"""Real dice, which people throw and type."""
COMMITTED: Final = "committed"
"""Seeds to which the game is committed by anchors, and which are shown as it goes on."""


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which game a record is of.

    setup, options: as given when the game began, every option written out.
    dice:   where they come from.
    seed:   only if it was given for this purpose.
    anchor: of committed dice in the open;   anchors: by seat, of those that it alone may see.
    campaign: the name under which faces and receipts are made.
    umpire: the seat that the umpire plays, if any.
    editions: by resolver, the edition of the system that its battles are fought by.
    version: of the form in which the record is written.
    """

    system: str
    edition: str
    seats: tuple[str, ...]
    setup: dict[str, Any] = {}
    options: dict[str, Any] = {}
    dice: Dice = FREE
    seed: str = ""
    anchor: str = ""
    campaign: str = ""
    editions: dict[str, str] = {}
    anchors: dict[str, str] = {}
    umpire: str = ""
    version: int = 1

    def __post_init__(self) -> None:
        # Free dice are left out of the first line, whatever process this header comes from.
        force_setattr(self, "dice", intern(self.dice))

    @property
    def freed(self) -> Header:
        """The same game with faces that are taken as they stand: to play it again quickly."""
        return msgspec.structs.replace(self, dice=FREE, anchor="", anchors={})


def _first_line(header: Header) -> bytes:
    return b'{"polemarque":%d,"game":%s,"entries":[' % (header.version, encode(header))


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
        self._add(map(body, lines))

    def add_all(self, lines: bytes) -> None:
        """Add the next entries, each with its line end: many at a time."""
        written = lines.splitlines()
        self._add(map(body, written) if any(act in lines for act in _ACTS) else written)

    def _add(self, bodies: Iterable[bytes]) -> None:
        digest_of, link = hashlib.sha256, self._link
        for linked in bodies:
            link = digest_of(link + digest_of(linked).digest()).digest()
        self._link = link

    def add_digest(self, digest: bytes) -> None:
        """Add the next entry, of whose body no more is known than its digest."""
        self._link = hashlib.sha256(self._link + digest).digest()

    @property
    def head(self) -> str:
        """The head of the chain, in hexadecimal: the digest of the game so far."""
        return self._link.hex()


class Head:
    """The head of a record that grows; each entry is linked once, when the head is asked for."""

    def __init__(self, header: Header) -> None:
        self._version = header.version
        self._linked = (0, Chain(header))

    def of(self, entries: Sequence[Entry]) -> str:
        """The head of the chain of these entries: those it had before, and new ones after them."""
        count, chain = self._linked
        if count < len(entries):
            new, chain = entries[count:], copy(chain)
            chain.add_all(write_lines(new, self._version))
            self._linked = (count + len(new), chain)  # at once: others may be reading
        return chain.head


def digest(header: Header, entries: Sequence[Entry]) -> str:
    """The digest of a game: the head of its chain."""
    return _head(header, write_lines(entries, header.version))


def _head(header: Header, lines: bytes) -> str:
    chain = Chain(header)
    chain.add_all(lines)
    return chain.head


def write_record(header: Header, entries: Sequence[Entry], head: str = "") -> bytes:
    """The stand-alone form of a whole record.

    head: of the chain of these entries, where it is known.
    """
    lines = write_lines(entries, header.version)
    last = _last_line(len(entries), head or _head(header, lines))
    return b"%b\n%b%b\n" % (_first_line(header), with_commas(lines), last)


def unended(whole: bytes) -> bytes:
    """A whole record without its last line: the file of a game that goes on."""
    return whole[: whole.rfind(b"\n", 0, -1) + 1]


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
    entries, lines = _read_entries(body.removesuffix(last) if complete else body, header.version)
    head = _head(header, lines)
    if complete and last != _last_line(len(entries), head) + b"\n":
        raise changed(len(entries) + 2, at="end")
    return Record(header, entries, complete, head)


def _read_entries(body: bytes, version: int) -> tuple[tuple[Entry, ...], bytes]:
    """Entries and their lines, all at once; one by one only to find the line that is at fault."""
    found = read_lines(body, version)
    if found is not None:
        return found
    written = enumerate(body.split(b"\n")[:-1], 2)
    entries = tuple([_read_line(number, line, version) for number, line in written])
    return entries, write_lines(entries, version)


def _read_line(number: int, line: bytes, version: int) -> Entry:
    """The entry of one line of a record; raises what is wrong with it, naming the line."""
    if not line.endswith(b","):
        raise changed(number)
    try:
        entry = read_entry(line[:-1], version)
    except NotUnderstood as refusal:
        refusal.data |= {"line": number, "entry": number - 1}
        raise
    if write_entry(entry, version) != line[:-1]:  # written otherwise than we write it
        raise changed(number)
    return entry


def _read_first(line: bytes) -> Header:
    closed = line + b"]}"
    try:
        raw = msgspec.json.decode(closed)
        version = raw["polemarque"]
        if version not in VERSIONS:
            raise OutOfDate("record.version", part=version, legal=VERSIONS)
        header = convert(plain(raw["game"]), Header)
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError, RecursionError):
        raise NotUnderstood("record.not_one", part=line[:60].decode("utf-8", "replace")) from None
    if _first_line(header) != line:
        raise changed(1, at="header")
    return header


def changed(line: int, at: str = "") -> OutOfDate:
    """The refusal of a file that is not as it was written.

    line: of the file, from 1.  Readers are told the entry that stands there: the header is the
          first line, and no entry.
    at:   "header" or "end" for the first line or the last.
    """
    entry = 0 if at else line - 1
    return OutOfDate("record.changed", part=entry or at, line=line, entry=entry, at=at)


class TakenOver(OSError):
    """Another command has put its own file in the place of a journal's."""


class Journal:
    """A record being written to a file, entry by entry, for its owner alone: it holds secrets.

    sync: force each entry to the disk before `add` returns (an answer is then acknowledged).
    """

    def __init__(
        self, path: Path, header: Header, entries: Sequence[Entry] = (), *, sync: bool
    ) -> None:
        self._sync = sync
        self._version = header.version
        self._chain = Chain(header)
        self._count = len(entries)
        lines = write_lines(entries, header.version)
        self._chain.add_all(lines)
        scratch = path.with_name(path.name + ".new")
        scratch.unlink(missing_ok=True)  # one that was left in the middle keeps its own mode
        with open(scratch, "xb", opener=lambda name, how: os.open(name, how, 0o600)) as file:
            self._size = file.write(b"%b\n%b" % (_first_line(header), with_commas(lines)))
            file.flush()
            self._force(file)
        scratch.replace(path)  # an older file is never left half overwritten
        self._path = path
        self._file = path.open("ab", buffering=0)

    def _force(self, file: BinaryIO | FileIO) -> None:
        if self._sync:
            os.fsync(file.fileno())

    def _is_there(self) -> bool:
        """Whether the path still leads to this very file."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False

    def add(self, entry: Entry) -> None:
        """Write one more entry.  Raises OSError, and the file is then as it was before.

        It is `TakenOver` where the path leads to another file by now: what is written to the old
        one would be kept by nobody.
        """
        line = write_entry(entry, self._version)
        self._write(line + b",\n")
        self._chain.add(line)
        self._count += 1

    def _write(self, more: bytes) -> None:
        if not self._is_there():
            raise TakenOver
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
