"""Sheets answered for somebody who is absent."""

from __future__ import annotations

from typing import Any

from polemarque.kernel.request import Amount, OneOf, Path, Sheet


def quietly(sheet: Sheet) -> dict[str, Any]:
    """The quietest way through a sheet: stay, the first word, the least amount."""
    filled: dict[str, Any] = {}
    filling = sheet.fill()
    try:
        part, options = next(filling)
        while True:
            answer: Any = ()
            if isinstance(options, OneOf):
                answer = options.words[0]
            elif isinstance(options, Amount):
                answer = options.least
            elif not isinstance(options, Path):
                raise TypeError(f"{part}: nobody can answer {options!r} for an absent player")
            filled[part] = answer
            part, options = filling.send(answer)
    except StopIteration:
        return filled
