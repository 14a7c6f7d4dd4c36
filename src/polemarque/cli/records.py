"""Game records as files, the seeds and receipts beside them, and what is said of a game."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import rich_click as click

from polemarque.cli.common import reason_of, say
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.events import Event, EventLog
from polemarque.kernel.files.decoding import from_json
from polemarque.kernel.game import Game
from polemarque.kernel.records.commitment import Chains, committed_header, new_chains, new_word
from polemarque.kernel.records.export import FIRST as EXPORT
from polemarque.kernel.records.export import (
    Everybody,
    Hidden,
    OneSeat,
    Operator,
    Reader,
    read_export,
    reader_of,
)
from polemarque.kernel.records.record import (
    COMMITTED,
    FREE,
    SEEDED,
    Answer,
    Cover,
    Entry,
    Header,
    Journal,
    Record,
    TakenOver,
    Word,
    read_record,
)
from polemarque.kernel.request import UMPIRE, Key

if TYPE_CHECKING:
    from polemarque.report.game_words import Words

FIRST = b'{"polemarque":'
"""How every record begins."""

BY_PROGRAM = (FREE, SEEDED)
"""Dice that the program can go on rolling by itself."""

Step = Callable[[int, int], None]
"""Called with (entries done, entries in all)."""


def read_bytes(path: Path) -> bytes:
    """What a file holds.  Raises NotUnderstood if it cannot be opened."""
    try:
        return path.read_bytes()
    except OSError as fault:
        raise NotUnderstood("file.unreadable", part=path, reason=reason_of(fault)) from None


def load(path: Path, *, interrupted: bool = False) -> Record:
    """A record from its file; `interrupted`: also one that was left in the middle.

    Raises NotUnderstood or OutOfDate: see `read_record`.
    """
    return read_record(read_bytes(path), interrupted=interrupted)


def load_as_is(path: Path) -> Record:
    """A record to be told of, as far as it goes; where it has no end, that is said beside.

    An export does as well if nothing is hidden in it, as when the game is over.
    Raises NotUnderstood or OutOfDate (see `read_record`), NotAllowed on an export that hides
    something: what it hides would be missing from the story, and what follows from it.
    """
    raw = read_bytes(path)
    record = (
        _whole_export(path, raw) if raw.startswith(EXPORT) else read_record(raw, interrupted=True)
    )
    if not record.complete:
        print(say("cli.no_end", file=path.name, n=len(record.entries)), file=sys.stderr)
    return record


def _whole_export(path: Path, raw: bytes) -> Record:
    """The record that an export is where nothing is hidden in it."""
    read = read_export(raw)
    if read.hidden:
        raise NotAllowed("export.untold", part=path.name, hidden=read.hidden)
    shown = [part for part in read.parts if not isinstance(part, (Hidden, Cover))]
    return Record(read.header, tuple(shown), True, read.head)


def replayed(
    record: Record, *, most: int | None = None, on_step: Step | None = None
) -> tuple[Game, EventLog]:
    """Play a record again (its first `most` entries); the game and every event of it.

    Events are those of the game as it stands: what an undone or corrected answer told is left out.
    If the game goes on, it keeps them.
    """
    wanted = record.entries if most is None else record.entries[:most]
    told = EventLog()
    game = Game(record.header, publish=told.append, withdraw=told.withdraw)
    for done, entry in enumerate(wanted, 1):
        game.enter(entry)
        if on_step is not None:
            on_step(done, len(wanted))
    return game, told


def summary(game: Game, events: Sequence[Event]) -> dict[str, Any]:
    """What `run --json` and `replay --json` print, keys in this order.

    turns:  the last period reached.   winner: a seat, or None where there is none or several.
    """
    standing = game.system.standing(game.state)
    return {
        "system": game.header.system,
        "digest": game.digest,
        "turns": game.runner.period,
        "entries": len(game.entries),
        "events": len(events),
        "winner": standing.winners[0] if len(standing.winners) == 1 else None,
        "ranking": list(standing.ranking),
    }


def last_answer(game: Game) -> Answer | None:
    """The last answer that stands, chance's included."""
    last = game.effective[-1] if game.effective else None
    return last if isinstance(last, Answer) else None


def new_journal(
    path: Path, game: Game, entries: Sequence[Entry] = (), *, sync: bool, replacing: bool
) -> Journal:
    """Begin to write a game to `path`, and have it written on with every entry.

    replacing: an older record may be there and gives way.  Raises NotAllowed if anything else is.
    """
    if path.exists() and not (replacing and begins(path)):
        raise NotAllowed("file.exists", part=path)
    make_folder(path.parent)
    try:
        journal = Journal(path, game.header, entries, sync=sync)
    except OSError as fault:
        raise _unwritable(path, fault) from None

    game.journal = lambda entry: _told(path, lambda: journal.add(entry))
    return journal


class Held:
    """A record as it was read, to be written on in its place.

    Between the two a game is played again, which takes its time: what another command has written
    to the file meanwhile is not overwritten.
    """

    def __init__(self, path: Path) -> None:
        """Read it, whole or left in the middle, and warn where the game went into a club.

        Raises as `load`.
        """
        self.path = path
        try:
            with path.open("rb") as file:
                self._read = file.read()
                self._file = os.dup(file.fileno())
        except OSError as fault:
            raise NotUnderstood("file.unreadable", part=path, reason=reason_of(fault)) from None
        self.record = read_record(self._read, interrupted=True)
        from polemarque.cli.seating import kept_seating

        if (seating := kept_seating(path)) and seating.club:
            print(say("file.in_club", file=str(path), code=seating.club), file=sys.stderr)

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            os.close(self._file)

    def journal(self, game: Game, *, sync: bool = True) -> Journal:
        """Begin to write the game that became of it in its place.   sync: as `new_journal`.

        Raises NotAllowed as `new_journal`, and where another command has written to the file: it is
        then as that one left it.
        """
        if not self._stands():
            raise NotAllowed("file.changed", part=self.path)
        journal = new_journal(self.path, game, game.entries, sync=sync, replacing=True)
        if os.fstat(self._file).st_size != len(self._read):  # it was written to as it gave way
            journal.abandon()
            with os.fdopen(os.dup(self._file), "rb") as theirs:
                theirs.seek(0)
                put(self.path, theirs.read())
            raise NotAllowed("file.changed", part=self.path)
        return journal

    def _stands(self) -> bool:
        """Whether the path still leads to the file that was read, and nothing was added to it."""
        try:
            same = os.path.samestat(os.fstat(self._file), self.path.stat())
        except OSError:
            return False
        return same and os.fstat(self._file).st_size == len(self._read)


def finish(journal: Journal, path: Path) -> None:
    """Write the last line of a game that is over.  Raises NotAllowed as every entry does."""
    _told(path, journal.close)


def _told(path: Path, write: Callable[[], None]) -> None:
    """Write to a game's file.  Raises NotAllowed, which says why that could not be done."""
    try:
        write()
    except TakenOver:
        raise NotAllowed("file.taken_over", part=path) from None
    except OSError as fault:
        raise _unwritable(path, fault) from None


def _unwritable(path: Path, fault: OSError) -> NotAllowed:
    return NotAllowed("file.unwritable", part=path, reason=reason_of(fault))


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it.  Raises NotAllowed if it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise _unwritable(folder, fault) from None


def begins(path: Path, first: bytes = FIRST) -> bool:
    """Whether a file begins as a record does, or with these bytes."""
    try:
        with path.open("rb") as file:
            return file.read(len(first)) == first
    except OSError:
        return False


BESIDE = (".seeds.json", ".seats.json")
"""How the names of those files end that a game needs beside it."""


def check_place(path: Path) -> None:
    """Raises NotAllowed where a paper would have the name of a folder, or take the place of what a
    game needs."""
    if path.is_dir():
        raise _unwritable(path, IsADirectoryError(errno.EISDIR, ""))
    if path.name.endswith(BESIDE) and path.exists():
        raise NotAllowed("backup.exists", part=path)


def put(path: Path, paper: str | bytes, *, public: bool = False) -> None:
    """Write a paper, as `put_whole`; none takes the place of a game's record or what it needs.

    Raises NotAllowed where it would, or cannot be written.
    """
    raw = paper.encode() if isinstance(paper, str) else paper
    check_place(path)
    if begins(path) and not raw.startswith(FIRST):
        raise NotAllowed("file.exists", part=path)
    put_whole(path, raw, public=public)


def put_whole(path: Path, raw: bytes, *, public: bool = False) -> None:
    """Write a file whole or not at all, on the disk before anything is said of it.

    public: nothing in it is a secret, and others at this machine may read it as far as the shell's
            mask lets them.  Anything else is for its owner alone, from its first byte on.
    Raises NotAllowed if it cannot be written.
    """
    mode = 0o666 if public else 0o600
    scratch = path.with_name(path.name + ".new")
    try:
        scratch.unlink(missing_ok=True)  # one that was left in the middle keeps its own mode
        with open(scratch, "xb", opener=lambda name, how: os.open(name, how, mode)) as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
    except OSError as fault:
        raise _unwritable(path, fault) from None


# For whom ----------------------------------------------------------------------------------------

# What a command writes is copied and posted, so nobody's secrets stand in it by default.

PUBLIC = "public"
"""The edition for everybody, as `--for` names it."""

SHAPE = f"{PUBLIC}|SEAT|{UMPIRE}"


for_option = click.option("--for", "reader", default=PUBLIC, metavar=SHAPE, help="cli.reader")
"""`--for public|SEAT|umpire`, given to the command as `reader`."""


def eye_of(reader: str, header: Header) -> str | None:
    """A seat, "" for everybody, or None for the umpire, who may read everything.

    Raises NotUnderstood on anything else.
    """
    if reader in header.seats:
        return reader
    if reader not in {PUBLIC, UMPIRE}:
        raise NotUnderstood("cli.reader", part=reader, legal=(PUBLIC, *header.seats, UMPIRE))
    return "" if reader == PUBLIC else None


def export_reader(reader: str, header: Header) -> Reader:
    """The reader of an export: as `eye_of`, or as the first line of an export names it."""
    if reader.startswith("seat:") or reader == Operator().name:
        return reader_of(reader, header)
    eye = eye_of(reader, header)
    if eye is None:
        return Operator()
    return OneSeat(eye) if eye else Everybody()


# What is waited for ------------------------------------------------------------------------------


def said_keys(
    words: Words, game: Game, keys: Iterable[Key], names: Mapping[str, str] | None = None
) -> list[str]:
    """Seat, moment and rule of each question, in words; those that read alike once.

    names: of seats, over the game's own.
    """
    return list(dict.fromkeys(_said(words, game, key, names or {}) for key in keys))


def _said(words: Words, game: Game, key: Key, names: Mapping[str, str]) -> str:
    if game.runner.found(key) is None:
        who = names.get(key.seat) or words.who(key.seat)
        return words.head(who, key, key.outer_period)
    words.turn_to(game, key)
    who = names.get(key.seat) or words.who(key.seat)
    opening = not key.path and game.system.opening(game.state)
    return words.head(who, key, 0 if opening else key.period)


# Seeds of committed dice -------------------------------------------------------------------------


# With this file one can compute all dice to come.  It stays after the end: a correction
# may open the game again, and its new rolls come from seeds that were not shown yet.


def seeds_file(record: Path) -> Path:
    """Where the seeds of a record are kept."""
    return record.with_name(record.name.removesuffix(".json") + ".seeds.json")


def commit(header: Header) -> tuple[Header, Chains]:
    """The header of a game with committed dice, and the seeds that it is committed to."""
    chains = new_chains(header.seats)
    return committed_header(header, chains), chains


def keep_seeds(record: Path, chains: Chains) -> None:
    """Write the seeds beside their record, for its owner's eyes only, and those of later chains."""
    path = seeds_file(record)
    make_folder(path.parent)
    secret = [{owner: seed.hex() for owner, seed in each.items()} for each in chains.last]
    put_whole(path, msgspec.json.encode(secret if len(secret) > 1 else secret[0]) + b"\n")
    chains.journal = partial(keep_seeds, record)


def take_up(record: Path, game: Game) -> None:
    """Hold the seeds of a game that is resumed, if its dice are committed and it is not over.

    Raises as `kept_chains`.
    """
    if game.header.dice == COMMITTED and not game.over:
        game.hold(kept_chains(record))


def kept_chains(record: Path) -> Chains:
    """The seeds beside a record; a further chain is written there.

    Raises NotAllowed if they are not beside it, NotUnderstood if they cannot be read.
    """
    path = seeds_file(record)
    try:
        kept = from_json(path.read_bytes(), dict[str, str] | list[dict[str, str]])
        first, *further = [
            {owner: bytes.fromhex(seed) for owner, seed in each.items()}
            for each in (kept if isinstance(kept, list) else [kept])
        ]
        chains = Chains(first, further=further)
    except FileNotFoundError:
        raise NotAllowed("run.no_seeds", part=path) from None
    except (OSError, msgspec.DecodeError, msgspec.ValidationError, ValueError) as fault:
        raise NotUnderstood("file.unreadable", part=path, reason=reason_of(fault)) from None
    chains.journal = partial(keep_seeds, record)
    return chains


def give_words(game: Game, typed: Mapping[str, str] | None = None) -> None:
    """Words of all seats that have given none, a playing umpire's first; random where not typed."""
    words = typed or {}
    seats = sorted(game.header.seats, key=lambda seat: seat != game.header.umpire)
    for seat in seats:
        if seat not in game.commitment.words:
            game.enter(Word(seat, words.get(seat) or new_word()))


def keep_receipt(record: Path, game: Game, answer: Answer) -> Path:
    """Write the receipt of a sealed answer that was just given; where it is."""
    receipt = game.receipt(answer)
    folder = record.with_name(record.name.removesuffix(".json") + ".receipts")
    make_folder(folder)
    path = folder / f"{answer.key.seat}-{receipt.digest[:16]}.json"
    put(path, msgspec.json.format(msgspec.json.encode(receipt), indent=1).decode() + "\n")
    return path
