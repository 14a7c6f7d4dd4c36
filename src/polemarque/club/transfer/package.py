"""The file in which a campaign travels between two clubs, sealed.

It holds all secrets of the campaign: the seeds of coming dice, and what is sealed.  So nothing of
it can be read, and nothing changed, without its code.  The cover says which campaign and outing
it is of, and which way it goes; it is bound to what is sealed.
"""

from __future__ import annotations

import hashlib
import secrets
import zlib
from base64 import b64decode, b64encode
from datetime import datetime
from typing import Annotated, Any, Final, Literal

import msgspec

from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.decoding import from_json

OUT: Final = "out"
BACK: Final = "back"
"""Which way a file goes: to the hall, and home again."""

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""What codes are written with: none of them is taken for another."""

MISTAKEN = str.maketrans("OIL", "011", " -\t\r\n")

LONG = 24
"""Letters of a code, 120 bits: nobody guesses it."""

LARGEST = 64 * 2**20
"""Bytes of what a file holds, at most."""

TAG = "polemarque/hall/1"

NONCE = 12
"""Bytes that make each seal another, before what is sealed."""


Moment = Annotated[datetime, msgspec.Meta(tz=True)]
"""A time that says by which clock."""


class KeptReceipt(msgspec.Struct, frozen=True):
    """A receipt as a club keeps it (see `models.Receipt`)."""

    seat: str
    key: str
    digest: str
    body: str
    number: int
    at: Moment
    replaced: bool


class Cargo(msgspec.Struct, frozen=True):
    """What travels of a campaign: no name of anybody, and no account.

    header:  of its record, in canonical JSON.   lines, at: each entry's line and its time.
    seats:   code -> the program that plays it, or "".
    seeds, further: as `models.Seeds` has them; None where nobody is committed to dice.
    """

    name: str
    plan: dict[str, Any]
    header: str
    lines: Annotated[list[str], msgspec.Meta(min_length=1)]
    at: list[Moment]
    seats: dict[str, str]
    seeds: dict[str, str] | None
    further: list[dict[str, str]]
    receipts: list[KeptReceipt]


class Parcel(msgspec.Struct, frozen=True):
    """A file as it travels: its cover, and what is sealed.

    campaign: its code in addresses.   mark: of the outing.   entries: how many it holds.
    """

    polemarque_hall: Literal[1]
    way: Literal["out", "back"]
    campaign: str
    mark: str
    entries: int
    sealed: str

    @property
    def cover(self) -> bytes:
        """What is bound to the seal."""
        return msgspec.json.encode([TAG, self.way, self.campaign, self.mark, self.entries])


def new_code() -> str:
    """A code, in groups that can be read out and typed."""
    letters = [LETTERS[byte % 32] for byte in secrets.token_bytes(LONG)]
    return "-".join("".join(letters[at : at + 4]) for at in range(0, LONG, 4))


def bare(code: str) -> str:
    """A code without what people put between its letters, each letter as it is meant."""
    return code.upper().translate(MISTAKEN)


def packed(cargo: Cargo, way: Literal["out", "back"], campaign: str, mark: str, code: str) -> bytes:
    """The file of a cargo."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    cover = Parcel(1, way, campaign, mark, len(cargo.lines), "")
    plain = zlib.compress(msgspec.json.encode(cargo), 6)
    nonce = secrets.token_bytes(NONCE)
    sealed = b64encode(nonce + AESGCM(_key(code)).encrypt(nonce, plain, cover.cover)).decode()
    return msgspec.json.encode(msgspec.structs.replace(cover, sealed=sealed)) + b"\n"


def read_parcel(raw: bytes) -> Parcel:
    """A file that was brought, still sealed.  Raises NotUnderstood on what is none, or cut."""
    try:
        return from_json(raw, Parcel)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotUnderstood("hall.no_file") from None


def opened(parcel: Parcel, code: str) -> Cargo:
    """What a file holds.

    Raises NotUnderstood if the code is another one, or anything was changed or cut.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        whole = b64decode(parcel.sealed, validate=True)
        plain = AESGCM(_key(code)).decrypt(whole[:NONCE], whole[NONCE:], parcel.cover)
    except (ValueError, InvalidTag):
        raise NotUnderstood("hall.seal") from None
    try:
        return from_json(zlib.decompressobj().decompress(plain, LARGEST), Cargo)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotUnderstood("hall.no_file") from None


def _key(code: str) -> bytes:
    """The key of a code, which is as long as keys need be: nothing has to stretch it."""
    return hashlib.sha256(f"{TAG}/{bare(code)}".encode()).digest()
