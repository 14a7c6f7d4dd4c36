"""The server: its folder made ready, its tables brought up to date, and run until it is ended."""

from __future__ import annotations

import filecmp
import os
import secrets
import socket
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from polemarque.kernel.files.texts import LANGUAGES
from polemarque.web.environment import bracketed

DATABASE, KEY = "polemarque.sqlite3", "secret.key"
WAITING = 2048
"""Connections that may wait to be taken."""
GRACE = 2
"""Seconds that open streams are given when the server ends."""
IDLE = 75
"""Seconds that a connection is kept for the next request: longer than browsers and proxies wait
before they send one on it, for a request that meets the closing is lost."""


def prepare(data: Path) -> None:
    """Make the folder of the club's data what it has to be, and Django ready to use it.

    Nobody but its owner may read it: it holds seeds that are not shown yet.
    Raises OSError if the folder cannot be made or written.
    """
    os.umask(0o077)  # the folder may have been there before, open to all
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = data / KEY
    if not key.exists():
        scratch = key.with_suffix(".new")
        scratch.touch(mode=0o600)
        scratch.write_text(secrets.token_hex(32) + "\n")
        scratch.replace(key)
    os.environ["POLEMARQUE_DATA"] = str(data)
    os.environ["DJANGO_SETTINGS_MODULE"] = "polemarque.web.settings"
    import django

    django.setup()


def address(host: str, port: int) -> str:
    """Where the club is, for people: as it says itself, or the machine's own name and port."""
    from django.conf import settings

    own = "localhost" if host in {"127.0.0.1", "0.0.0.0", "::"} else bracketed(host)
    return str(settings.ADDRESS) or f"http://{own}:{port}"


def migrate() -> None:
    """Bring the tables up to date with the program."""
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)


def kept_before(data: Path) -> Path | None:
    """A copy of the database beside it, dated, if `migrate` is about to change its tables.

    It is an older one where that is the same still, as after a start that failed.  None where there
    is no club yet, or nothing to change.  Raises NotAllowed if the copy cannot be written.
    """
    from polemarque.club.server.backup import copy_of, outdated

    database = data / DATABASE
    if not database.exists() or not outdated():
        return None
    older = sorted(data.glob(f"{database.stem}-*{database.suffix}"))
    copy = database.with_stem(f"{database.stem}-{datetime.now(UTC):%Y-%m-%d-%H%M%S}")
    while copy.exists():  # two starts within one second
        copy = copy.with_stem(f"{copy.stem}b")
    copy_of(database, copy)
    same = next((each for each in older if filecmp.cmp(each, copy, shallow=False)), None)
    if same is None:
        return copy
    copy.unlink()
    return same


def first_token() -> str:
    """The secret part of the first umpire's invitation; "" once anybody has an account."""
    from polemarque.club.campaigns.lobby import invite, token_of
    from polemarque.club.models import Invitation, Person

    if Person.objects.exists():
        return ""
    waiting = Invitation.objects.filter(campaign=None, used=None).first()
    return token_of(waiting) if waiting is not None else invite(None, None)


def listening(host: str, port: int) -> socket.socket:
    """The door of the server, open before it is told of.  Raises OSError where it cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=WAITING)


def unreadable() -> bytes:
    """The answer to what is no request at all, in every language: none was asked for."""
    from polemarque.web.i18n import say

    told = [f"{say(lang, 'fault.400')}. {say(lang, 'fault.400_told')}\n" for lang in LANGUAGES]
    body = "".join(told).encode()
    head = (
        "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body


def run(door: socket.socket) -> None:
    """Serve until the process is told to end."""
    import uvicorn
    from django.conf import settings
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    from polemarque.web.stream import Poller

    class Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        """Refuses what is no request in our words."""

        def send_400_response(self, msg: str) -> None:
            self.transport.write(unreadable())
            self.transport.close()

    class Server(uvicorn.Server):
        """Ends the streams of events first, for they would keep it from ending."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            Poller.the().hang_up()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        "polemarque.web.asgi:application", http=Protocol, log_level="warning", access_log=False,
        use_colors=False, lifespan="on", timeout_graceful_shutdown=GRACE, timeout_keep_alive=IDLE,
        proxy_headers=bool(settings.PROXIES), forwarded_allow_ips=settings.PROXIES,
    )  # fmt: skip
    server = Server(config)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[door])
    if not server.started:
        raise RuntimeError("the server did not start")
