"""Boxes in which mails with orders arrive: on a server that speaks IMAP, or a Maildir."""

from __future__ import annotations

import imaplib
import mailbox
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from polemarque.web.environment import PIPE, Box

MOST = 50
"""Mails that are read in one round: the others wait for the next."""

LARGEST = 2**20
"""Bytes of a mail that is read: a larger one is marked as read, and left alone."""

PATIENCE = 15
"""Seconds for which a server is waited for."""


def letters(box: Box) -> Iterator[bytes]:
    """The mails of a box that are not read yet, at most `MOST`, the oldest first.

    One is marked as read when the next is asked for: its taker has kept it by then.
    Raises OSError where the box cannot be read.
    """
    if box.folder == PIPE:
        return  # each is handed in as it comes
    yield from _in_folder(Path(box.folder)) if box.folder else _on_server(box)


def _in_folder(folder: Path) -> Iterator[bytes]:
    if not (folder / "new").is_dir():
        raise OSError("Maildir")
    there = mailbox.Maildir(folder, create=False)
    files = sorted((folder / "new").iterdir(), key=lambda each: (each.stat().st_mtime, each.name))
    for file in files[:MOST]:
        if file.stat().st_size <= LARGEST:
            yield file.read_bytes()
        name = file.name.partition(there.colon)[0]
        file.rename(folder / "cur" / f"{name}{there.colon}2,S")


def _on_server(box: Box) -> Iterator[bytes]:
    with _server(box) as line:
        _, found = _sure(line.uid("SEARCH", "UNSEEN"))
        for number in (found[0] or b"").split()[:MOST]:
            uid = number.decode()
            _, size = _sure(line.uid("FETCH", uid, "(RFC822.SIZE)"))
            if _size(size) <= LARGEST:
                _, parts = _sure(line.uid("FETCH", uid, "(BODY.PEEK[])"))
                for part in parts:
                    if isinstance(part, tuple):
                        yield part[1]
            _sure(line.uid("STORE", uid, "+FLAGS.SILENT", r"(\Seen)"))


def _size(answer: list[Any]) -> int:
    found = re.search(
        rb"RFC822\.SIZE (\d+)", b" ".join([p for p in answer if isinstance(p, bytes)])
    )
    return int(found.group(1)) if found else LARGEST + 1


@contextmanager
def _server(box: Box) -> Iterator[imaplib.IMAP4]:
    """Raises OSError for whatever is in the way; of a server's words none is repeated."""
    try:
        trust = ssl.create_default_context()
        line: imaplib.IMAP4
        if box.starts_tls:
            line = imaplib.IMAP4(box.host, box.port, PATIENCE)
            line.starttls(trust)
        else:
            line = imaplib.IMAP4_SSL(box.host, box.port, ssl_context=trust, timeout=PATIENCE)
        with line:
            line.login(box.user, box.password)
            _sure(line.select("INBOX"))
            yield line
    except (imaplib.IMAP4.error, UnicodeError):  # imaplib sends no accent in a password
        raise OSError("IMAP") from None


def _sure(answer: tuple[str, list[Any]]) -> tuple[str, list[Any]]:
    if answer[0] != "OK":
        raise imaplib.IMAP4.error(answer[0])
    return answer
