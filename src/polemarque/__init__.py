"""Polémarque: a digital umpire for ancient warfare.

Campaigns and battles, each faithful to its rule book, on one small kernel.  What a notebook needs
can be imported from here::

    from polemarque import Game, chronicle, consult_odds, new_header, play_game, write

    game = Game(new_header("atlantide", options={"turn_limit": 2}, seed=1))
    play_game(game, dict.fromkeys(game.header.seats, "steady"))

``system_names`` lists the systems; ``consult`` asks one rule and ``consult_odds`` its exact odds;
``new_header``, ``Game`` and ``play_game`` make a game and have bots play it; ``read_record``,
``replay`` and ``prove`` read, play again and check a record; ``chronicle`` tells a game and
``write`` puts that into a format.

Importing the package loads nothing heavy: each name is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polemarque.bots.play import play_game
    from polemarque.kernel.game import Game, new_header, replay
    from polemarque.kernel.records.proof import prove
    from polemarque.kernel.records.record import read_record
    from polemarque.kernel.system import system_names
    from polemarque.odds.consult import consult, consult_odds
    from polemarque.report.chronicle import chronicle
    from polemarque.report.documents.writers import write

__version__ = "0.1.0"

__all__ = [
    "Game",
    "chronicle",
    "consult",
    "consult_odds",
    "new_header",
    "play_game",
    "prove",
    "read_record",
    "replay",
    "system_names",
    "write",
]

_WHERE = {
    "Game": "kernel.game",
    "chronicle": "report.chronicle",
    "consult": "odds.consult",
    "consult_odds": "odds.consult",
    "new_header": "kernel.game",
    "play_game": "bots.play",
    "prove": "kernel.records.proof",
    "read_record": "kernel.records.record",
    "replay": "kernel.game",
    "system_names": "kernel.system",
    "write": "report.documents.writers",
}
"""The module that holds each name."""


def __getattr__(name: str) -> Any:
    """Load a name when it is first asked for."""
    if name not in _WHERE:
        raise AttributeError(f"module 'polemarque' has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(f"polemarque.{_WHERE[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
