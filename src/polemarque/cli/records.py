"""Game records as files: reading one whole, and what is said of a game at its end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from polemarque.cli.common import reason_of, say
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.events import Event, Told
from polemarque.kernel.game import Game
from polemarque.kernel.record import (
    FREE,
    SEEDED,
    Answer,
    Entry,
    Journal,
    Record,
    TakenOver,
    read_record,
)

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

    Raises NotUnderstood or OutOfDate: see `read_record`.
    """
    record = load(path, interrupted=True)
    if not record.complete:
        print(say("cli.no_end", file=path.name, n=len(record.entries)), file=sys.stderr)
    return record


def replayed(
    record: Record, *, most: int | None = None, on_step: Step | None = None
) -> tuple[Game, Told]:
    """Play a record again (its first `most` entries); the game and every event of it.

    Events are those of the game as it stands: what an undone or corrected answer told is left out.
    If the game goes on, it keeps them.
    """
    wanted = record.entries if most is None else record.entries[:most]
    told = Told()
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
        """Read it, whole or left in the middle.  Raises as `load`."""
        self.path = path
        try:
            with path.open("rb") as file:
                self._read = file.read()
                self._file = os.dup(file.fileno())
        except OSError as fault:
            raise NotUnderstood("file.unreadable", part=path, reason=reason_of(fault)) from None
        self.record = read_record(self._read, interrupted=True)

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


def put(path: Path, paper: str | bytes, *, mode: int = 0o666) -> None:
    """Write a paper whole or not at all, on the disk before anything is said of it.

    mode: who may read and write it, less what the shell's mask takes away: from its first byte on.
    Raises NotAllowed if it cannot be written.
    """
    scratch = path.with_name(path.name + ".new")
    try:
        scratch.unlink(missing_ok=True)  # one that was left in the middle keeps its own mode
        with open(scratch, "xb", opener=lambda name, how: os.open(name, how, mode)) as file:
            file.write(paper.encode() if isinstance(paper, str) else paper)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
    except OSError as fault:
        raise _unwritable(path, fault) from None
