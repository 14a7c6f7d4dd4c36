"""What is typed for a rule asked alone: values and faces, read as the command line and pages do."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from polemarque.kernel.errors import DiceRefused, NotUnderstood

LONGEST = 18
"""Digits of the longest whole number that is read as one."""

MOST_FACES = 100_000
"""More faces than this are not typed at once."""

_WHOLE = re.compile(r"[-+−]?[0-9]+", re.ASCII)
_FACES = re.compile(r"(?:(?P<times>[0-9]+)x)?(?P<face>-?[0-9]+)", re.ASCII)


def is_whole(typed: str) -> bool:
    """Whether a whole number is typed, of a length that can be meant."""
    return bool(_WHOLE.fullmatch(typed)) and len(typed) <= LONGEST + 1


def whole(typed: str) -> int:
    """A whole number that `is_whole`."""
    return int(typed.replace("−", "-"))


def read_value(name: str, typed: str) -> Any:
    """A whole number, true or false, a JSON list, object, text or null, or else a word.

    name: what it is typed for.  Raises NotUnderstood on JSON that cannot be read.
    """
    if is_whole(typed) and typed[0] not in "+−":
        return int(typed)
    if typed in {"true", "false"}:
        return typed == "true"
    if typed[:1] in {"[", "{", '"'} or typed == "null":
        try:
            return msgspec.json.decode(typed)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise NotUnderstood("consult.json", part=name) from None
    return typed


def faces_typed(typed: str) -> list[int]:
    """Faces in order: ``4 2 6``, ``[4, 2, 6]``; ``10x1`` is ten ones.  Raises DiceRefused."""
    inside = typed.strip().removeprefix("[").removesuffix("]")
    faces: list[int] = []
    for word in inside.replace(",", " ").split():
        read = _FACES.fullmatch(word)
        if read is None or len(word) > LONGEST:
            raise DiceRefused("consult.face", part=word[:40])
        times = int(read["times"] or 1)
        if times + len(faces) > MOST_FACES:
            raise DiceRefused("consult.most_dice", part=times, legal=(f"0-{MOST_FACES}",))
        faces += [int(read["face"])] * times
    return faces


def faces_to_type(faces: list[int] | tuple[int, ...]) -> str:
    """Faces as `faces_typed` reads them, equal ones in a row put together."""
    words: list[str] = []
    at = 0
    while at < len(faces):
        end = at
        while end < len(faces) and faces[end] == faces[at]:
            end += 1
        times = end - at
        words += [f"{times}x{faces[at]}"] if times > 2 else [str(faces[at])] * times
        at = end
    return " ".join(words)
