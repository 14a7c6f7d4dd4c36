"""Refusals: the four kinds of "no" that the kernel knows, and nothing else.

A refusal changes nothing.  It carries a *code* (a key of the text catalogues), the rule id, the
offending part of what was sent, and what would have been legal, so that a page, a terminal and a
batch can each say it in the reader's language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from os import PathLike
from typing import Any, ClassVar, Self

import msgspec

LONGEST_PART = 80
"""Characters of what was sent that a refusal repeats."""

LONGEST_REASON = 240
"""The same of what is not typed word by word: a file's path, what a reader of data says."""

OBEYED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Signs in a text that a terminal obeys, besides those that end a line or move on in it."""

_ACTS = re.compile(rf"{OBEYED.pattern}|\r(?!\n)|[\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    """A text, perhaps a stranger's, with the signs that a terminal obeys, or that turn the order
    of others round, told by their codes."""
    return _ACTS.sub(lambda sign: ascii(sign[0])[1:-1], text)


def shortened(value: object, longest: int = LONGEST_PART) -> str:
    """A value as a short text: of a long one its beginning and its end, as a path's name is.

    What is no text and no number is written as JSON, which is how it was typed.  A number too
    long for Python to write down is given by its size.
    """
    try:
        text = _as_json(value) if isinstance(value, _JSON) else str(value)
    except RecursionError:
        text = "…"
    except ValueError:
        text = f"±2^{value.bit_length()}" if isinstance(value, int) else "…"
    if len(text) <= longest:
        return text
    head = longest // 2
    return f"{text[:head]}…{text[head + 1 - longest :]}"


_JSON = (bool, type(None), list, tuple, dict)
"""What Python writes down otherwise than a player types it."""


def _as_json(value: object) -> str:
    """A value as JSON, or as Python writes it where JSON has no words for a part of it."""
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, OverflowError, UnicodeError):
        return str(value)


class Refusal(ValueError):
    """What was asked is refused, and nothing has changed.

    code:  key of the message, looked up as ``error.<code>`` in the text catalogues.
    rule:  id of the rule that refuses, or "".
    part:  the offending part of the input, `shortened`.
    legal: what would be legal here, as short texts (possibly empty).
    data:  further figures for the message.
    """

    kind: ClassVar[str] = "refused"

    def __init__(
        self,
        code: str,
        *,
        rule: str = "",
        part: object = "",
        legal: Iterable[object] = (),
        **data: Any,
    ) -> None:
        self.code = code
        self.rule = rule
        self.data = data
        self.about(part, legal)
        super().__init__(code)

    def about(self, part: object, legal: Iterable[object]) -> Self:
        """This refusal, with what was sent and what would be legal in its place."""
        told = isinstance(part, (Exception, PathLike))
        self.part = shortened(part, LONGEST_REASON if told else LONGEST_PART)
        self.legal = tuple(str(value) for value in legal)
        return self

    def __str__(self) -> str:
        said = f"{self.rule + ': ' if self.rule else ''}{self.code}"
        said += f" ({self.part})" if self.part else ""
        return said + (f"; legal: {', '.join(self.legal)}" if self.legal else "")


class NotUnderstood(Refusal):
    """The input cannot be read: a wrong type, an unknown word, a missing part."""

    kind = "not_understood"


class NotAllowed(Refusal):
    """The input is understood, and the rules forbid it."""

    kind = "not_allowed"


class NotYourTurn(Refusal):
    """The seat that answers has not been asked."""

    kind = "not_your_turn"


class OutOfDate(Refusal):
    """The answer is to a question that is no longer open, or the record is of another time."""

    kind = "out_of_date"


class DiceRefused(NotUnderstood):
    """Typed dice that cannot be: too few, too many, or a face the die does not have."""

    kind = "dice"


class KernelFault(RuntimeError):
    """A rule script broke a promise to the kernel: a programmer's error, never a player's."""
