"""Edition 2026-11: even an umpire who plays answers alone what the rules ask the umpire."""

from __future__ import annotations

from polemarque.api import UMPIRE, OneOf, Rule, Step, ask, script
from polemarque.systems.promiterra.chapters.other_actions import fought
from polemarque.systems.promiterra.state import Troop, War


@script("PR-7.6/fight")
def leaders_fight(war: War, troop: str, target: str) -> Step[War]:
    """They fight; the loser's troop flees."""
    return (yield from fought(war, troop, target, judged))


def judged(ours: Troop, theirs: Troop) -> Rule[str]:
    """The umpire alone says who has won."""
    word: str = yield from ask(UMPIRE, OneOf((theirs.id, ours.id), "troop"), absent=theirs.id)
    return word
