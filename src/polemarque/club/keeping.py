"""The file of the club: copied while it is in use, put back, and looked over."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from polemarque.club.append_only import guarded
from polemarque.club.models import MUSTER, Campaign
from polemarque.kernel.conversion import convert
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.position import plain
from polemarque.kernel.record import Chain, Header

FULL = 2
"""SQLite's ``synchronous`` at which what is committed is on the disk."""


OF_DATABASE = {
    sqlite3.SQLITE_NOTADB: "no_database", sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_FULL: "full", sqlite3.SQLITE_BUSY: "locked", sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "read_only", sqlite3.SQLITE_PERM: "denied",
    sqlite3.SQLITE_CANTOPEN: "denied",
}  # fmt: skip
OF_SYSTEM = {
    errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EROFS: "read_only", errno.EACCES: "denied",
    errno.EPERM: "denied", errno.ENOENT: "missing", errno.ENOTDIR: "missing",
    errno.EISDIR: "folder",
}  # fmt: skip
"""What is wrong, in a word of ours, by the codes of the database and of the operating system."""

TOLD = ("damaged", "other")
"""Of which the original helps whoever looks closer."""


def reason_for(fault: OSError | sqlite3.Error) -> dict[str, str]:
    """Why a file cannot be read or written, as refusals tell it.

    reason: a word of ours (texts ``backup.why``), "other" where we have none.   original: in the
    words of whoever noticed, "" where ours say as much.
    """
    if isinstance(fault, OSError):
        reason = OF_SYSTEM.get(fault.errno or 0, "other")
    else:
        # The lowest byte is the kind; what is above it says more than anybody asks.
        reason = OF_DATABASE.get(getattr(fault, "sqlite_errorcode", 0) & 0xFF, "other")
    if "no such table" in str(fault):
        reason = "foreign"
    return {"reason": reason, "original": str(fault) if reason in TOLD else ""}


class Health(msgspec.Struct, frozen=True):
    """How the club's file is.

    campaigns, entries: how many there are.   faults: what is wrong, as (code, part).
    """

    campaigns: int
    entries: int
    faults: tuple[tuple[str, str], ...]


def copy_of(database: Path, target: Path) -> None:
    """Copy a database that may be in use, whole or not at all.

    Raises NotAllowed if there is something at `target` already or it cannot be written,
    NotUnderstood if there is no database.
    """
    if not database.exists():
        raise NotUnderstood("backup.none", part=database, reason="missing", original="")
    if target.exists():
        raise NotAllowed("backup.exists", part=target)
    scratch = target.with_name(target.name + ".new")
    try:
        scratch.unlink(missing_ok=True)
        scratch.touch(mode=0o600)  # it will hold seeds that are not shown yet
        with closing(sqlite3.connect(database)) as here, closing(sqlite3.connect(scratch)) as there:
            here.backup(there)
            there.execute("PRAGMA journal_mode=DELETE")
        scratch.replace(target)
    except (OSError, sqlite3.Error) as fault:
        raise NotAllowed("backup.failed", part=target, **reason_for(fault)) from None


def put_file(target: Path, made: Callable[[], bytes]) -> None:
    """Write a file for its owner alone, whole or not at all; it is made once it can be written.

    Raises NotAllowed if there is something already or it cannot be written, and what `made` raises.
    """
    if target.exists():
        raise NotAllowed("backup.exists", part=target)
    scratch = target.with_name(target.name + ".new")
    try:
        scratch.unlink(missing_ok=True)
        scratch.touch(mode=0o600)
        with scratch.open("wb") as file:
            file.write(made())
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(target)
    except OSError as fault:
        raise NotAllowed("file.unwritable", part=target, reason=str(fault)) from None
    finally:
        scratch.unlink(missing_ok=True)


def put_back(backup: Path, database: Path) -> None:
    """Put a copy where the club's database is to be.

    Raises NotUnderstood on a file that is no sound copy, NotAllowed if a database is there already,
    or what one has left behind.
    """
    for beside in ("", "-wal", "-shm", "-journal"):
        # What a database left behind that was killed would be written into the copy.
        there = database.with_name(database.name + beside)
        if there.exists():
            raise NotAllowed("backup.exists", part=there)
    check_copy(backup)
    copy_of(backup, database)


def check_copy(backup: Path) -> None:
    """Look a copy over.  Raises NotUnderstood if it is none of ours, or damaged."""
    if not backup.exists():
        raise NotUnderstood("backup.none", part=backup, reason="missing", original="")
    try:
        with closing(sqlite3.connect(f"{backup.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            (sound,) = copy.execute("PRAGMA integrity_check").fetchone()
            copy.execute("SELECT count(*) FROM club_entry").fetchone()
    except sqlite3.Error as fault:
        raise NotUnderstood("backup.none", part=backup, **reason_for(fault)) from None
    if sound != "ok":
        raise NotUnderstood("backup.none", part=backup, reason="damaged", original=sound)


def health() -> Health:
    """Look the open database over: its settings, its tables, and the chain of every record.

    Raises NotUnderstood where it cannot be read at all.
    """
    try:
        return _looked_over()
    except DatabaseError as fault:
        told = fault.__cause__ if isinstance(fault.__cause__, sqlite3.Error) else None
        why = reason_for(told) if told else {"reason": "other", "original": str(fault)}
        part = connection.settings_dict["NAME"]
        raise NotUnderstood("backup.none", part=part, **why) from None


def _looked_over() -> Health:
    faults: list[tuple[str, str]] = []
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous")
            if cursor.fetchone()[0] < FULL:
                faults.append(("synchronous", ""))
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return Health(0, 0, (*faults, ("migrations", "")))
    if not guarded(connection):
        faults.append(("append_only", ""))
    campaigns = Campaign.objects.exclude(stage=MUSTER)
    entries = 0
    for campaign in campaigns:
        lines = [bytes(body) for body in campaign.entries.values_list("body", flat=True)]
        entries += len(lines)
        if not _chained(campaign, lines):
            faults.append(("chain", campaign.title))
    return Health(campaigns.count(), entries, tuple(faults))


def _chained(campaign: Campaign, lines: list[bytes]) -> bool:
    assert campaign.header is not None
    chain = Chain(convert(plain(msgspec.json.decode(campaign.header)), Header))
    chain.add(*lines)
    return chain.head == campaign.head and len(lines) == campaign.count
