"""A mail server, a box on another, and the people who answer the mails of a club."""

from __future__ import annotations

import email
import re
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage
from html import escape
from pathlib import Path
from random import Random
from typing import Any

from aiosmtpd.controller import Controller
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.web.served import free_port

FORM = re.compile(r"^=== Polémarque (\S+) .*?^=== \1 PLM-\S+ ===$", re.MULTILINE | re.DOTALL)
BLANK, REST = "____", "the rest as proposed"


class Inbox:
    """A server that takes mails.   stop: called with each step, "RCPT" or "DATA", once it is taken
    and before it is acknowledged."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.stop: Any = lambda _: None

    async def handle_RCPT(self, _: Any, __: Any, envelope: Any, to: str, ___: Any) -> str:
        envelope.rcpt_tos.append(to)
        self.stop("RCPT")
        return "250 known"

    async def handle_DATA(self, _: Any, __: Any, envelope: Any) -> str:
        made = email.message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(made, EmailMessage)
        self.mails.append(made)
        self.stop("DATA")
        return "250 kept"

    def to(self, who: str) -> list[EmailMessage]:
        return [one for one in self.mails if one["To"] == who]


@contextmanager
def mail_server() -> Iterator[tuple[Inbox, int]]:
    """A mail server, and its port."""
    inbox, port = Inbox(), free_port()
    server = Controller(inbox, hostname="127.0.0.1", port=port)
    server.start()
    try:
        yield inbox, port
    finally:
        server.stop()


# What people reply -------------------------------------------------------------------------------


def words_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def forms_in(mail: EmailMessage) -> list[str]:
    """The order forms of a mail, each from its first line to the one that holds its mark."""
    return [found[0] for found in FORM.finditer(words_of(mail))]


def filled(form: str, rng: Random | None = None) -> str:
    """A form filled in by somebody who knows no more than what stands in it: all as proposed, or
    here and there what chance picks of the numbers."""
    lines = form.split("\n")
    rest = any(line.startswith(REST) for line in lines)
    for at, line in enumerate(lines):
        if not line.endswith(BLANK):
            continue
        said = "yes" if line.startswith(REST) else ""
        told = _below(lines, at)
        numbers = re.findall(r"\b(\d+) = ", told)
        if not said and rng is not None and numbers and "(if " not in line and rng.random() < 0.5:
            said = rng.choice(numbers)
        elif not said and not rest:
            said = _proposed(f"{line} {told}")
        lines[at] = line.replace(BLANK, said or BLANK)
    return "\n".join(lines)


def _below(lines: list[str], at: int) -> str:
    """What is told below a blank."""
    end = next(n for n in range(at + 1, len(lines)) if not lines[n].startswith("·"))
    return " ".join(line.removeprefix("·") for line in lines[at + 1 : end])


def _proposed(told: str) -> str:
    """What stands behind an asterisk, else the first choice."""
    found = (
        re.search(r"\*(\S+) =|\*(\d+|-)|\*([^·,;]+)", told)
        or re.search(r"(\d+) = ", told)
        or re.search(r"(?:from|to) (\d+)", told)
        or re.search(r": ____ +([^·]+)", told)
    )
    return next(filter(None, found.groups())).strip() if found else ""


def reply(mail: EmailMessage, body: str, name: str, *, html: bool = False) -> bytes:
    """A reply to a mail as programs write it.   name: its own.   html: without a plain text."""
    made = EmailMessage()
    made["From"], made["To"] = f"Somebody <{mail['To']}>", mail["From"]
    made["Subject"], made["Message-ID"] = f"Re: {mail['Subject']}", f"<{name}@example.org>"
    if html:
        lines = "".join([f"<div>{escape(line) or '<br>'}</div>" for line in body.split("\n")])
        made.set_content(
            f"<html><head><style>div {{}}</style></head><body>{lines}</body></html>",
            subtype="html", cte="base64",
        )  # fmt: skip
    else:
        made.set_content(body)
    return bytes(made)


def quoted(body: str) -> str:
    """A text between chatter, all of it quoted, and a signature with a number in it."""
    lines = "\n".join([f"> {line}" for line in body.split("\n")])
    return f"Hello,\n\n1. I hope you are well.\n\nOn Sunday the club wrote:\n{lines}\n\n-- \nB, 4th"


# A box on a server -------------------------------------------------------------------------------


class Box(socketserver.ThreadingTCPServer):
    """A server that speaks IMAP over TLS, as far as it is scripted: anything else is BAD.

    mails: number -> what it holds.   seen: those that were marked as read.
    breaks: how many times it ends the connection in the middle of a mail.
    """

    allow_reuse_address = daemon_threads = True

    def __init__(self, context: ssl.SSLContext) -> None:
        self.mails: dict[int, bytes] = {}
        self.seen: set[int] = set()
        self.breaks = 0
        self._context = context
        super().__init__(("127.0.0.1", 0), _Line)

    def get_request(self) -> Any:
        line, address = super().get_request()
        return self._context.wrap_socket(line, server_side=True), address


class _Line(socketserver.StreamRequestHandler):
    server: Box

    def handle(self) -> None:
        self._say("* OK a box")
        for line in self.rfile:
            tag, command, *more = line.decode().strip().split(" ", 2)
            told = more[0] if more else ""
            if command == "LOGIN":
                said = "OK" if told == 'club "secret"' else "NO"
            else:
                said = self._asked(f"{command} {told}".strip())
            if not said:
                return
            self._say(f"{tag} {said} done")
            if command == "LOGOUT":
                return

    def _say(self, line: str) -> None:
        self.wfile.write(line.encode() + b"\r\n")

    def _asked(self, command: str) -> str:
        """OK or BAD, "" where the connection ends."""
        box = self.server
        if command == "CAPABILITY":
            self._say("* CAPABILITY IMAP4rev1")
        elif command == "SELECT INBOX":
            self._say(f"* {len(box.mails)} EXISTS")
        elif command == "UID SEARCH UNSEEN":
            self._say(" ".join(["* SEARCH", *[str(n) for n in box.mails if n not in box.seen]]))
        elif command == "LOGOUT":
            self._say("* BYE")
        elif found := re.fullmatch(r"UID FETCH (\d+) \((RFC822\.SIZE|BODY\.PEEK\[\])\)", command):
            return self._fetched(int(found[1]), found[2])
        elif found := re.fullmatch(r"UID STORE (\d+) \+FLAGS\.SILENT \(\\Seen\)", command):
            box.seen.add(int(found[1]))
        else:
            return "BAD"
        return "OK"

    def _fetched(self, number: int, what: str) -> str:
        mail = self.server.mails[number]
        if what == "RFC822.SIZE":
            self._say(f"* 1 FETCH (UID {number} RFC822.SIZE {len(mail)})")
            return "OK"
        self._say(f"* 1 FETCH (UID {number} BODY[] {{{len(mail)}}}")
        if self.server.breaks:
            self.server.breaks -= 1
            self.wfile.write(mail[: len(mail) // 2])
            return ""
        self.wfile.write(mail)
        self._say(")")
        return "OK"


@contextmanager
def imap_box(folder: Path) -> Iterator[tuple[Box, int, Path]]:
    """A box, its port, and what is to be trusted for it."""
    trusted = _certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(trusted)
    with Box(context) as box:
        threading.Thread(target=box.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield box, box.server_address[1], trusted
        finally:
            box.shutdown()


def _certificate(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    path = folder / "trusted.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ) + made.public_bytes(serialization.Encoding.PEM)
    )  # fmt: skip
    return path
