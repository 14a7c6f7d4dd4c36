"""What every part of a set-up has in common: how it is read, and refused if it cannot be."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from polemarque.kernel.errors import NotUnderstood


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a set-up: nothing unknown is accepted."""


def named(ids: Iterable[str], form: str, example: str) -> None:
    """Refuse ids that are not of a form, a regular expression: later ones count on from them."""
    for one in ids:
        if re.fullmatch(form, one) is None:
            raise NotUnderstood("setup.id", part=one, legal=(example,))


def one_of(word: str, legal: Iterable[str], code: str, rule: str) -> str:
    """The word, if it is one of the legal ones.  Raises NotUnderstood under that code."""
    if word not in legal:
        raise NotUnderstood(code, rule=rule, part=word, legal=legal)
    return word


def within(value: int, least: int, most: int, part: str) -> int:
    """The number, if it is from `least` to `most`.  Raises NotUnderstood."""
    if not least <= value <= most:
        raise NotUnderstood("setup.number", part=part, legal=(f"{least}-{most}",))
    return value
