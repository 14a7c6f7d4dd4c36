"""What a club says of itself by environment variables, read into what Django wants to know."""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_network
from pathlib import Path
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit
from zoneinfo import ZoneInfo

from polemarque.kernel.errors import NotUnderstood

OWN = ["localhost", "127.0.0.1", "[::1]"]
"""Names by which a machine calls itself."""

NAME = re.compile(r"(?!-)[a-z0-9-]+(?<!-)(\.(?!-)[a-z0-9-]+(?<!-))*")
"""A machine's name, as browsers send it."""

CLOCK = Path("/etc/localtime")
"""What a machine links to the rules of its own zone."""

SCHEMES = {"http": 80, "https": 443}
PORTS = {"smtp": 587, "smtps": 465}
BOX_PORTS = {"imap": 143, "imaps": 993}
"""Schemes, each with the port that need not be said."""

ADDRESSES = (
    "https://club.example.org", "http://192.168.1.20:8000", "http://[2001:db8::1]:8000",
)  # fmt: skip
PROXIES = ("127.0.0.1", "10.0.0.0/8", "::1")
ZONES = ("Europe/Paris", "America/Montreal", "UTC")
MAILS = ("smtp://name:password@host:587", "smtps://name:password@host", "console")
PIPE = "pipe"
"""The box of a club to which a mail server hands each mail (`polemarque mail -`)."""

BOXES = (
    "imaps://name:password@host", "imap://name:password@host:143", "maildir:/var/mail/club", PIPE,
)  # fmt: skip
"""What may be said, for anyone who has said something else."""


def bracketed(host: str) -> str:
    """A host as an address holds it: one of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def address_in(said: Mapping[str, str]) -> str:
    """Where the club is, as scheme and host, as browsers say it: "https://club.example.org", or "".

    Raises NotUnderstood on what is no such address.
    """
    told = said.get("POLEMARQUE_ADDRESS", "").strip()
    if not told:
        return ""
    try:
        return _address(urlsplit(told if "://" in told else f"http://{told}"))
    except ValueError:
        part = re.sub(".*@", "…@", told)  # before it there may be a password
        raise NotUnderstood("serve.address", part=part, legal=ADDRESSES) from None


def _address(parts: SplitResult) -> str:
    """Scheme and host, and the port if it is not the usual one.  Raises ValueError."""
    further = parts.path not in {"", "/"} or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in SCHEMES or further or parts.port == 0:
        raise ValueError
    usual = parts.port in {None, SCHEMES[parts.scheme]}
    return f"{parts.scheme}://{_host(parts.hostname or '')}" + ("" if usual else f":{parts.port}")


def _host(name: str) -> str:
    """A host as browsers say it.  Raises ValueError on what can be none."""
    if ":" in name and "%" not in name:  # what comes after "%" is known to one machine alone
        return bracketed(str(IPv6Address(name)))
    if name.rpartition(".")[2].isdecimal():
        return str(IPv4Address(name))
    if not NAME.fullmatch(name):
        raise ValueError
    return name


def hosts_of(address: str) -> list[str]:
    """The names to which a club at that address answers."""
    return [bracketed(str(urlsplit(address).hostname)), *OWN] if address else ["*"]


def proxies_in(said: Mapping[str, str]) -> list[str]:
    """The addresses and networks of proxies that are believed about who asks.

    Raises NotUnderstood on what is no address.
    """
    told = [one.strip() for one in said.get("POLEMARQUE_PROXIES", "").split(",") if one.strip()]
    for one in told:
        try:
            ip_network(one)
        except ValueError:
            raise NotUnderstood("serve.proxies", part=one[:80], legal=PROXIES) from None
    return told


def zone_in(said: Mapping[str, str], machine: Path = CLOCK) -> str:
    """The zone by whose clock hours are told: the one that is named, else the machine's own, else
    UTC.

    machine: what links to the rules of its zone.   Raises NotUnderstood on a zone that is unknown.
    """
    told = said.get("POLEMARQUE_ZONE", "").strip()
    if told and not _is_zone(told):
        raise NotUnderstood("serve.zone", part=told[:80], legal=ZONES)
    own = str(machine.resolve()).partition("/zoneinfo/")[2]
    return told or (own if _is_zone(own) else "UTC")


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ValueError, KeyError, OSError):  # no name, no such zone, or a region of several
        return False
    return True


class Mail(NamedTuple):
    """How mail is sent.

    backend: Django's.   starts_tls: the connection begins plainly.   tls: it does not.
    """

    backend: str
    host: str = "localhost"
    port: int = 25
    user: str = ""
    password: str = ""
    starts_tls: bool = False
    tls: bool = False

    @property
    def sent(self) -> bool:
        """Whether any is sent."""
        return self.backend != "dummy"


def mail_in(said: Mapping[str, str]) -> Mail:
    """How mail is sent.

    Raises NotUnderstood on what cannot be understood, of which it repeats nothing: it may hold a
    password.
    """
    told = said.get("POLEMARQUE_MAIL", "").strip()
    if told in {"", "console"}:
        return Mail(told or "dummy")
    try:
        return _mail(urlsplit(told))
    except ValueError:
        raise NotUnderstood("serve.mail", legal=MAILS) from None


class Box(NamedTuple):
    """Where mails with orders arrive.   folder: of a Maildir or `PIPE`, or host and the rest of a
    server."""

    folder: str = ""
    host: str = ""
    port: int = 993
    user: str = ""
    password: str = ""
    starts_tls: bool = False

    @property
    def read(self) -> bool:
        """Whether there is one."""
        return bool(self.folder or self.host)


def box_in(said: Mapping[str, str]) -> Box:
    """Where mails with orders arrive.

    Raises NotUnderstood on what cannot be understood, of which it repeats nothing: it may hold a
    password.
    """
    told = said.get("POLEMARQUE_BOX", "").strip()
    if told in {"", PIPE}:
        return Box(told)
    try:
        return _box(urlsplit(told))
    except ValueError:
        raise NotUnderstood("serve.box", legal=BOXES) from None


def _box(parts: SplitResult) -> Box:
    """The box at that address.  Raises ValueError."""
    if parts.scheme == "maildir" and parts.path.startswith("/") and not parts.netloc:
        return Box(folder=unquote(parts.path))
    if parts.scheme not in BOX_PORTS or not parts.hostname or not parts.username:
        raise ValueError
    if parts.path not in {"", "/"} or parts.query or parts.fragment:  # the rest of a password?
        raise ValueError
    return Box(
        "", parts.hostname, parts.port or BOX_PORTS[parts.scheme],
        unquote(parts.username), unquote(parts.password or ""), parts.scheme == "imap",
    )  # fmt: skip


def mail_is_lost(said: Mapping[str, str]) -> bool:
    """Whether mail is asked for and none is sent, because the club has no address for its links."""
    return bool(said.get("POLEMARQUE_MAIL", "").strip()) and not address_in(said)


def _mail(parts: SplitResult) -> Mail:
    """How mail is sent by the server of that address.  Raises ValueError."""
    if parts.scheme not in PORTS or not parts.hostname:
        raise ValueError
    if parts.path not in {"", "/"} or parts.query or parts.fragment:  # the rest of a password?
        raise ValueError
    return Mail(
        "smtp", parts.hostname, parts.port or PORTS[parts.scheme],
        unquote(parts.username or ""), unquote(parts.password or ""),
        starts_tls=parts.scheme == "smtp" and bool(parts.username), tls=parts.scheme == "smtps",
    )  # fmt: skip
