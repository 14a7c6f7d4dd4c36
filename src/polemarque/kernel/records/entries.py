"""Entries of a record, and how each stands in a line.

An entry is an answer, a seat's or chance's, or one of the few other things that can be done to a
game.  An answer's line is a JSON array whose last parts are left out where they say nothing; any
other entry's is an object that names its parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.decoding import convert, decoder
from polemarque.kernel.position import Plain, encode_lines, faces_of_record, plain, record_of_faces
from polemarque.kernel.request import DICE, Key

VERSION = 2
"""Version of the form in which new records are written; a record keeps the one it began in."""


ONLY = "only"
"""By whom an answer is that was sealed for a seat because there was no other."""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """One answer: a seat's, or chance's (the value is then how the dice fell).

    by:   "" for the seat itself, or "absent", "standing", "only" (there was no other answer),
          "umpire", "post" (given by post or mail, entered by an umpire); of committed dice, the
          period whose seed was used where it is a later one than the key's.
    salt: random, so that nobody can guess from the digest of its line what they may not see; of a
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
    path:    the battle inside the game in which alone it is used; `until` is then a period of it.
    unless:  what must not be at stake (tags of the request): "pass until".   salt: as of an answer.
    number:  of the question among those of that name, 0 for any.
    when:    what must be so: conditions of the system (`System.conditions`), with their values.
    otherwise: "absent" where the rules are to answer as for an absent player if that is not so, or
             if the answer is not legal; "" where the seat is asked.
    """

    seat: str
    rule: str
    value: Any
    subject: str = "*"
    until: int = 0
    unless: tuple[str, ...] = ()
    salt: str = ""
    number: int = 0
    when: dict[str, Any] = {}
    otherwise: Literal["", "absent"] = ""
    path: str = ""


class Withdraw(msgspec.Struct, frozen=True, tag="withdraw", omit_defaults=True):
    """A seat revokes what it left in advance for a rule.

    number: as the answer was left with it; None for all of that subject.
    path:   of the battle in which alone it was used, "" for wherever.
    """

    seat: str
    rule: str
    subject: str = "*"
    salt: str = ""
    number: int | None = None
    path: str = ""


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
    """What everybody may read of an umpire's act, whatever it changes: that, when and why.

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


class Anchored(msgspec.Struct, frozen=True, tag="anchor"):
    """A further chain of committed seeds, published before the one that is used ends.

    chain: its number, 2 for the first further one.   anchor: of rolls in the open.
    anchors: seat -> that of rolls which it alone may see.
    """

    chain: int
    anchor: str
    anchors: dict[str, str]


LOOKS = ("story", "battles", "answers", "changes", "record", "account")
"""What an umpire may have read: events told to few, fields and papers of battles, what seats have
answered, what an act would change for them, the whole record, all that a player's account opens."""


class Looked(msgspec.Struct, frozen=True, tag="looked", omit_defaults=True):
    """An umpire has read what others may not: that they have, never what it said.

    what: one of `LOOKS`.   period: the one that was running.
    """

    what: str
    period: int
    date: str = ""


MOVES = ("taken", "brought", "recalled")
"""How a game changes its place: taken to another club's machine to be played on there, brought back
from it, or called back without what was played there."""


class Moved(msgspec.Struct, frozen=True, tag="moved", omit_defaults=True):
    """The game was taken elsewhere, or came back: until then nothing is entered where it was.

    what: one of `MOVES`.
    """

    what: str
    date: str = ""


_Other = (
    Undo | Leave | Withdraw | Replace | Adjust | Adopt | Word | Shown | Anchored | Looked | Moved
)
Entry = Answer | _Other


# Lines -------------------------------------------------------------------------------------------


class _Line(msgspec.Struct, array_like=True, forbid_unknown_fields=True, gc=False):
    """An answer's line: the parts from `subject` on are left out as long as they say nothing."""

    period: int
    rule: str
    seat: str
    value: Plain
    subject: str = ""
    number: int = 1
    path: str = ""
    by: str = ""
    salt: str = ""


class _FirstLine(msgspec.Struct, array_like=True, forbid_unknown_fields=True, gc=False):
    """An answer's line in version 1: only `by` and `salt` are left out."""

    period: int
    path: str
    rule: str
    seat: str
    subject: str
    number: int
    value: Plain
    by: str = ""
    salt: str = ""


def _rows(entries: Sequence[Entry]) -> list[Any]:
    """Entries as their lines hold them."""
    rows: list[Any] = []
    for entry in entries:
        if type(entry) is not Answer:
            rows.append(entry)
            continue
        key = entry.key
        value = record_of_faces(entry.value) if key.seat == DICE else entry.value
        if entry.salt or entry.by or key.path:
            rest = (key.subject, key.number, key.path, entry.by, entry.salt)
            said = 5 if entry.salt else 4 if entry.by else 3
            rows.append((key.period, key.rule, key.seat, value, *rest[:said]))
        elif key.number != 1:
            rows.append((key.period, key.rule, key.seat, value, key.subject, key.number))
        elif key.subject:
            rows.append((key.period, key.rule, key.seat, value, key.subject))
        else:
            rows.append((key.period, key.rule, key.seat, value))
    return rows


def _first_rows(entries: Sequence[Entry]) -> list[Any]:
    """Entries as the lines of version 1 hold them."""
    rows: list[Any] = []
    for entry in entries:
        if type(entry) is not Answer:
            rows.append(entry)
            continue
        key = entry.key
        value = record_of_faces(entry.value) if key.seat == DICE else entry.value
        row: tuple[Any, ...] = (
            key.period, key.path, key.rule, key.seat, key.subject, key.number, value
        )  # fmt: skip
        if entry.salt:
            row += (entry.by, entry.salt)
        elif entry.by:
            row += (entry.by,)
        rows.append(row)
    return rows


_LISTED = {1: list[_FirstLine | dict[str, Any]], 2: list[_Line | dict[str, Any]]}
_ROWS = {1: _first_rows, 2: _rows}
"""By version, what lines are read as, and how they are written."""

VERSIONS = tuple(_ROWS)
"""Versions of the form that can be read and written on."""


@cache
def _decoder(version: int) -> msgspec.json.Decoder[list[Any]]:
    """Reads a list of lines.  Made when it is first needed: that takes longer than this module."""
    return decoder(_LISTED[version])


_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, NotUnderstood)


def write_entry(entry: Entry, version: int = VERSION) -> bytes:
    """An entry as one line of canonical JSON, without its line end."""
    return write_lines((entry,), version)[:-1]


def write_lines(entries: Sequence[Entry], version: int = VERSION) -> bytes:
    """The lines of entries, each with its line end, all at once."""
    return encode_lines(_ROWS[version](entries))


def read_entry(line: bytes, version: int = VERSION) -> Entry:
    """An entry from its line; raises NotUnderstood."""
    try:
        (entry,) = _entries(b"[%b]" % line, version)
    except (*_FAULTS, ValueError) as fault:
        raise NotUnderstood("record.entry", part=line[:80].decode("utf-8", "replace"),
                            reason=str(fault)) from None  # fmt: skip
    return entry


def read_lines(body: bytes, version: int) -> tuple[tuple[Entry, ...], bytes] | None:
    """The entries of a record, and their lines, of which `body` holds each with a comma.

    None where a line cannot be read, or is not written as we write it.
    """
    try:
        entries = _entries(b"[%b]" % body.removesuffix(b",\n"), version)
    except _FAULTS:
        return None
    lines = write_lines(entries, version)
    return (entries, lines) if with_commas(lines) == body else None


def with_commas(lines: bytes) -> bytes:
    """The lines of entries as they stand in a record."""
    return lines.replace(b"\n", b",\n")


def _entries(listed: bytes, version: int) -> tuple[Entry, ...]:
    """The entries of a JSON list of lines; raises one of `_FAULTS`."""
    entries: list[Entry] = []
    for line in _decoder(version).decode(listed):
        if type(line) is dict:
            entries.append(_other(line))
            continue
        seat = line.seat
        key = Key(line.period, line.path, line.rule, seat, line.subject, line.number)
        value = faces_of_record(line.value) if seat == DICE else line.value
        entries.append(Answer(key, value, line.by, line.salt))
    return tuple(entries)


def _other(read: dict[str, Any]) -> Entry:
    """The entry of a line that is an object."""
    entry: Entry = convert(read, _Other)
    if isinstance(entry, Replace) and entry.key.seat == DICE and not entry.annul:
        return msgspec.structs.replace(entry, value=faces_of_record(entry.value))
    if isinstance(entry, Leave):
        return msgspec.structs.replace(entry, value=plain(entry.value), when=plain(entry.when))
    if isinstance(entry, (Replace, Adjust)):
        return msgspec.structs.replace(entry, value=plain(entry.value))
    return entry
