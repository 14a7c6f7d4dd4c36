"""The file of the club: copied while it is in use, put back, and looked over."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryFile

import msgspec
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from polemarque.club.append_only import guarded
from polemarque.club.clock.models import box_fault
from polemarque.club.models import MUSTER, Campaign, Entry
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.position import plain
from polemarque.kernel.records.record import Chain, Header

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
    errno.EFBIG: "full", errno.EPERM: "denied", errno.ENOENT: "missing", errno.ENOTDIR: "missing",
    errno.EISDIR: "folder",
}  # fmt: skip
"""What is wrong, in a word of ours, by the codes of the database and of the operating system."""

ROOM = 1 << 16
"""Bytes that must find room on the disk: more than an answer takes."""

LATEST = 100
"""So many entries, the newest, are looked at for their time."""

SLACK = timedelta(minutes=1)
"""By so much may a clock be set back that is set right."""

HELD = "serve.lock"
"""What the server of a folder holds, and nobody else meanwhile."""

TOLD = ("damaged", "other")
"""Of which the original helps a closer look."""


def reason_for(fault: OSError | sqlite3.Error | DatabaseError) -> dict[str, str]:
    """Why a file cannot be read or written, as refusals tell it.

    reason: a word of ours (texts ``backup.why``), "other" where we have none.   original: in the
    words of the one who noticed, "" where ours say as much.
    """
    if isinstance(fault, DatabaseError) and isinstance(fault.__cause__, sqlite3.Error):
        fault = fault.__cause__  # as Django was told
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
        with suppress(OSError):
            scratch.unlink()
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
        part = connection.settings_dict["NAME"]
        raise NotUnderstood("backup.none", part=part, **reason_for(fault)) from None


def unkept() -> str:
    """Why nothing can be kept now, as `reason_for` has it; "" where it can: it is tried."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE club_pulse SET kind = kind WHERE 0")  # in the place of a writer
        database = Path(connection.settings_dict["NAME"])
        if database.exists():  # a test's stands in memory
            with TemporaryFile(dir=database.parent) as file:
                file.write(bytes(ROOM))
                file.flush()
                os.fsync(file.fileno())
    except (DatabaseError, OSError) as fault:
        return reason_for(fault)["reason"]
    return ""


def clock_behind(campaign: Campaign | None = None) -> bool:
    """Whether the machine's clock is behind what was entered last, in a campaign or in any."""
    entries = Entry.objects.all() if campaign is None else campaign.entries.all()
    latest = entries.order_by("-pk").values_list("at", flat=True)[:LATEST]
    return max(latest, default=timezone.now()) > timezone.now() + SLACK


def hold(data: Path) -> sqlite3.Connection:
    """Hold the folder of a club, as its only server, until the process ends, however it does.

    Raises NotAllowed if another server holds it, or it cannot be written.
    """
    try:
        held = sqlite3.connect(data / HELD, isolation_level=None, timeout=0)
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as fault:
        why = reason_for(fault)
        if why["reason"] == "locked":
            raise NotAllowed("serve.held", part=data) from None
        raise NotAllowed("backup.failed", part=data, **why) from None
    return held


def outdated() -> bool:
    """Whether the open database holds tables, and of an older program than this one."""
    executor = MigrationExecutor(connection)
    return bool(executor.loader.applied_migrations) and _behind(executor)


def _behind(executor: MigrationExecutor) -> bool:
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _looked_over() -> Health:
    faults: list[tuple[str, str]] = []
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous")
            if cursor.fetchone()[0] < FULL:
                faults.append(("synchronous", ""))
    if _behind(MigrationExecutor(connection)):
        return Health(0, 0, (*faults, ("migrations", "")))
    if not guarded(connection):
        faults.append(("append_only", ""))
    if reason := unkept():
        faults.append(("unkept", reason))
    if clock_behind():
        faults.append(("clock", ""))
    if reason := box_fault():
        faults.append(("mail_box", reason))
    campaigns = Campaign.objects.exclude(stage=MUSTER)
    entries = 0
    for campaign in campaigns:
        lines = [bytes(body) for body in campaign.entries.values_list("body", flat=True)]
        entries += len(lines)
        assert campaign.header is not None
        chain = Chain(convert(plain(msgspec.json.decode(campaign.header)), Header))
        chain.add(*lines)
        if (chain.head, len(lines)) != (campaign.head, campaign.count):
            faults.append(("chain", campaign.title))
    return Health(campaigns.count(), entries, tuple(faults))
