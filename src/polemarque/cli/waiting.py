"""What a game waits for, and answers it has left over, as those who play it call them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from polemarque.kernel.game import Game
from polemarque.kernel.request import Key

if TYPE_CHECKING:
    from polemarque.report.words import Words


def said_keys(
    words: Words, game: Game, keys: Iterable[Key], names: Mapping[str, str] | None = None
) -> list[str]:
    """Seat, moment and rule of each question, in words; those that read alike once.

    names: of seats, over the game's own.
    """
    return list(dict.fromkeys(_said(words, game, key, names or {}) for key in keys))


def _said(words: Words, game: Game, key: Key, names: Mapping[str, str]) -> str:
    who = names.get(key.seat) or words.label("seat", key.seat)
    if game.runner.found(key) is None:
        return words.head(who, key, key.outer_period)
    words.turn_to(game, key)
    opening = not key.path and game.system.opening(game.state)
    return words.head(who, key, 0 if opening else key.period)
