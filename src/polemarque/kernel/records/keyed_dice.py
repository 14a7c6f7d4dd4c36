"""Dice that can be checked: one keyed derivation for seeded and committed dice (docs/record.md).

The faces of a roll are rejection-sampled from
``HMAC-SHA256(period seed, canonical(tag, campaign, key, decision, words, salts, block))``.
Entry numbers, order of arrival, replaced answers and other rolls do not enter, so they neither
shift a die nor buy one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from polemarque.kernel.dice import LONG, MOST_DICE, Faces, Roll, counted
from polemarque.kernel.errors import KernelFault, shortened
from polemarque.kernel.position import Plain, encode
from polemarque.kernel.request import Key

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

FACES = "polemarque/faces/1"
CHAIN = "polemarque/seeds/1"
SEED = "polemarque/seed/1"
CHAIN_LENGTH = 1000
"""How many periods have their seeds from one chain."""


@lru_cache(maxsize=64)
def _keyed(secret: bytes) -> tuple[Hash, Hash]:
    """The inner and the outer hash of HMAC-SHA256 (RFC 2104) under a key of at most 64 bytes.

    They are kept and copied: keying them again costs more than all else.
    """
    inner, outer = (bytes([byte ^ pad for byte in secret.ljust(64, b"\0")]) for pad in (0x36, 0x5C))
    return hashlib.sha256(inner), hashlib.sha256(outer)


def _keyed_digest(secret: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 of a message."""
    inner, outer = _keyed(secret)
    inner, outer = inner.copy(), outer.copy()
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


@lru_cache(maxsize=64)
def drawn(sides: int) -> tuple[int, int]:
    """For one die, how many bytes are drawn, and the number from which on they are drawn again."""
    width = 1
    while 256**width < sides:
        width += 1
    reach = 256**width
    return width, reach - reach % sides


@lru_cache(maxsize=64)
def _by_byte(sides: int) -> tuple[bytes, bytes]:
    """Of a die of less than 256 faces: the face that each byte shows, and bytes drawn again."""
    _, limit = drawn(sides)
    return bytes([number % sides + 1 for number in range(256)]), bytes(range(limit, 256))


def _shown(digest: bytes, sides: int) -> Iterable[int]:
    """The faces that a digest shows, its rest left out."""
    if sides < 256:
        return digest.translate(*_by_byte(sides))
    width, limit = drawn(sides)
    starts = range(0, len(digest) - width + 1, width)
    numbers = [int.from_bytes(digest[at : at + width], "big") for at in starts]
    return [number % sides + 1 for number in numbers if number < limit]


def derive(secret: bytes, campaign: str, key: Key, decision: Any, roll: Roll) -> Faces:
    """The faces of a roll; `decision` holds the answers, the words and the salts, in that order.

    A byte makes a die of up to 256 faces, two bytes one of up to 65,536, and so on.
    Raises KernelFault on a die without faces, and on more than `MOST_DICE`.
    """
    sides, count = roll.sides, roll.count
    if sides < 1 or not 1 <= count <= MOST_DICE:
        raise KernelFault(f"{shortened(count)}D{sides} cannot be rolled")
    base = encode((FACES, campaign, key, decision))
    fell: list[int] = []
    block = 0
    while len(fell) < count:
        fell += _shown(_keyed_digest(secret, base + block.to_bytes(4, "big")), sides)
        block += 1
    del fell[count:]
    return tuple(fell) if count <= LONG else counted(fell, sides)


class Seeded:
    """Dice from one number that is written in the record: the same game again, for anybody."""

    def __init__(self, seed: int | str, campaign: str = "") -> None:
        self._secret = hashlib.sha256(encode((SEED, str(seed)))).digest()
        self._campaign = campaign

    def throw(self, roll: Roll, where: Any, decision: Any) -> Faces:
        """Faces of this very roll; see `derive`."""
        return derive(self._secret, self._campaign, where, decision, roll)


def seed_chain(last: bytes, length: int = CHAIN_LENGTH) -> list[bytes]:
    """A chain of seeds s(0) … s(length), with s(k-1) = SHA-256(tag, s(k)); s(0) is the anchor."""
    chain = [last]
    for _ in range(length):
        chain.append(previous_seed(chain[-1]))
    return chain[::-1]


def previous_seed(seed: bytes) -> bytes:
    """The seed before this one in its chain."""
    return hashlib.sha256(CHAIN.encode() + seed).digest()


def walked_back(seed: bytes, steps: int) -> bytes:
    """The seed that stands so many steps before this one in its chain."""
    for _ in range(steps):
        seed = previous_seed(seed)
    return seed


def leads_back(seed: str, steps: int, known: str) -> bool:
    """Whether a seed stands so many steps behind another one of its chain, 0 to CHAIN_LENGTH."""
    if not 0 <= steps <= CHAIN_LENGTH:
        return False
    try:
        return walked_back(bytes.fromhex(seed), steps) == bytes.fromhex(known)
    except ValueError:
        return False


def chain_of(period: int) -> int:
    """Which chain a period takes its seed from, the first one being 1; setting up belongs to it."""
    return (max(period, 1) - 1) // CHAIN_LENGTH + 1


def before_chain(number: int) -> int:
    """The last period before that chain's own: the place of its anchor."""
    return (number - 1) * CHAIN_LENGTH


class Receipt(msgspec.Struct, frozen=True):
    """What a seat keeps of its sealed answer.

    head: the head of the record's chain when it was given.
    """

    key: Key
    salt: str
    answer: Plain
    digest: str
    campaign: str = ""
    head: str = ""


def receipt_digest(campaign: str, key: Key, salt: str, answer: Any) -> str:
    """The digest of a sealed answer, as its receipt shows it."""
    body = encode(("polemarque/sealed/1", campaign, key, salt, answer))
    return hashlib.sha256(body).hexdigest()
