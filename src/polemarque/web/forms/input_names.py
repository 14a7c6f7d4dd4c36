"""Words of options as values of inputs, and names of parts as names of inputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import msgspec

STAY = "-"
"""The value of staying where one is; no word has it."""

OTHER = ":way"
"""What the name of a way's input ends in where it is typed in full."""

_PLAIN = re.compile(r"(?!(?:true|false|null)\Z)[A-Za-z_][\w.-]*", re.ASCII)


def code(word: Any) -> str:
    """A word as the value of an input: a plain name as it is, anything else as canonical JSON.

    So each word has a value of its own, whatever its type: ``1`` and ``"1"`` stay apart.
    """
    if isinstance(word, str) and _PLAIN.fullmatch(word):
        return word
    return msgspec.json.encode(word, order="deterministic").decode()


def coded(words: Iterable[Any]) -> dict[str, Any]:
    """Words by their value, in their order."""
    return {code(word): word for word in words}


def part_name(sheet: str, part: str) -> str:
    """The name of a part's input, below that of its sheet."""
    return f"{sheet}/{quote(part, safe='.')}"


Posted = Mapping[str, str | Sequence[str]]
"""What was typed: the name of an input -> its value, or the values of several inputs."""


def normal(posted: Posted, named: str) -> dict[str, tuple[str, ...]]:
    """What was typed into one form, each value in a tuple."""
    mine = (named, named + OTHER)
    return {
        name: (value,) if isinstance(value, str) else tuple(value)
        for name, value in posted.items()
        if name in mine or name.startswith(f"{named}/")
    }
