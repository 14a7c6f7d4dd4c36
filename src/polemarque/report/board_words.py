"""The words of boards: terrains, arms, works, in the reader's language."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from polemarque.kernel.texts import KERNEL_TEXTS, LANGUAGES, Catalogue
from polemarque.maps.boards import Board

_TEXTS = Path(__file__).parent / "data"


@cache
def _catalogue() -> Catalogue:
    return Catalogue.load(KERNEL_TEXTS, _TEXTS)


def said(lang: str, key: str, **data: object) -> str:
    """A text of the report's own.  Raises ValueError on a language that we do not speak."""
    if lang not in LANGUAGES:
        raise ValueError(f"no words in the language {lang!r}")
    return _catalogue().say(lang, key, **data)


def terrain_words(board: Board, lang: str) -> dict[str, str]:
    """What readers call the board's terrains and marks; the bare word where we have no text."""
    words = dict.fromkeys((*board.terrain.values(), *board.marks))
    return {
        word: said(lang, f"board.terrain.{word}")
        if _catalogue().has(lang, f"board.terrain.{word}")
        else word.replace("_", " ")
        for word in words
    }
