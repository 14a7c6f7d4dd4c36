"""What an act of the umpire changes; a preview does it in a copy of the game."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from polemarque.kernel.differences import Difference, changed_views
from polemarque.kernel.editions import changes
from polemarque.kernel.game import Game
from polemarque.kernel.record import Adjust, Adopt, Answer, Replace
from polemarque.kernel.request import DICE, Key

UmpireAct = Replace | Adjust | Adopt
"""What an umpire does to a game."""


class Effect(msgspec.Struct, frozen=True):
    """What an act changes.

    changes: by seat, what it sees otherwise.
    left:    answers that it has left over.   asked: what it asks of seats.
    rolls:   throws for which it waits.   over: the game has ended.
    rules:   those that an edition changes.
    """

    changes: dict[str, list[Difference]] = {}
    left: Sequence[Key] = ()
    asked: Sequence[Key] = ()
    rolls: Sequence[Key] = ()
    over: bool = False
    rules: Sequence[str] = ()


def enact(game: Game, act: UmpireAct, seats: Sequence[str] | None = None) -> Effect:
    """Do an act, and say what it has changed.  Raises Refusal, changing nothing.

    seats: those whose views are told; None for all.
    """
    eyes = game.header.seats if seats is None else seats
    rules = changes(game.runner, act) if isinstance(act, Adopt) else ()
    before = {seat: game.views(seat) for seat in eyes}
    were_open, were_left = set(game.runner.open_keys()), list(game.left_over)
    game.enter(act)
    new = [key for key in game.runner.open_keys() if key not in were_open]
    return Effect(
        {seat: changed_views(was, game.views(seat)) for seat, was in before.items()},
        [e.key for e in game.left_over if isinstance(e, Answer) and e not in were_left],
        [key for key in new if key.seat != DICE],
        [key for key in new if key.seat == DICE], game.over, rules,
    )  # fmt: skip
