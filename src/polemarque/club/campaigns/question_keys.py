"""A question's key as forms and rows carry it."""

from __future__ import annotations

import msgspec

from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.position import encode, plain
from polemarque.kernel.request import Key

LONGEST_KEY = 300
"""Characters of the longest key of a question."""


def key_text(key: Key) -> str:
    """A question's key as a form carries it."""
    return encode(key).decode()


def read_key(text: str) -> Key:
    """The key that a form carries.  Raises NotUnderstood."""
    try:
        if len(text) > LONGEST_KEY:
            raise ValueError
        return convert(plain(msgspec.json.decode(text)), Key)
    except (msgspec.DecodeError, RecursionError, TypeError, ValueError):
        raise NotUnderstood("page.key", part=text[:40]) from None
