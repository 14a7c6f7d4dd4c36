"""What a club says of itself by environment variables, read into what Django wants to know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

OWN = ["localhost", "127.0.0.1", "[::1]"]
"""Names by which a machine calls itself."""

PORTS = {"smtp": 587, "smtps": 465}


def address_in(said: Mapping[str, str]) -> str:
    """Where the club is, as scheme and host: "https://club.example.org", or "".

    Raises ValueError on what is no such address.
    """
    told = said.get("POLEMARQUE_ADDRESS", "").strip()
    if not told:
        return ""
    parts = urlsplit(told if "://" in told else f"http://{told}")
    further = parts.path.removeprefix("/") or parts.query or parts.fragment or parts.username
    if parts.scheme not in {"http", "https"} or not parts.hostname or further:
        raise ValueError(f"POLEMARQUE_ADDRESS: {told!r}; https://club.example.org")
    return f"{parts.scheme}://{parts.netloc}"


def hosts_of(address: str) -> list[str]:
    """The names to which a club at that address answers."""
    return [str(urlsplit(address).hostname), *OWN] if address else ["*"]


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
    """How mail is sent.  Raises ValueError on what cannot be understood, without its password."""
    told = said.get("POLEMARQUE_MAIL", "").strip()
    if told in {"", "console"}:
        return Mail(told or "dummy")
    parts = urlsplit(told)
    if parts.scheme not in PORTS or not parts.hostname:
        raise ValueError("POLEMARQUE_MAIL: smtp://name:password@host:587, smtps://… or console")
    return Mail(
        "smtp", parts.hostname, parts.port or PORTS[parts.scheme],
        unquote(parts.username or ""), unquote(parts.password or ""),
        starts_tls=parts.scheme == "smtp" and bool(parts.username), tls=parts.scheme == "smtps",
    )  # fmt: skip
