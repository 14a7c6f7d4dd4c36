"""Edition 2026-11: even an umpire who plays answers alone what the rules ask the umpire."""

from __future__ import annotations

from polemarque.api import UMPIRE, Amount, Rule, Step, ask, procedure, script, tell
from polemarque.systems.batailles.after import strategy_sheet
from polemarque.systems.batailles.outcome import settled
from polemarque.systems.batailles.phase_values import SideCode
from polemarque.systems.batailles.state import Battle


@procedure("BC-2.7")
def winner_loss(least: int, most: int, how: str, stated: int | None) -> Rule[int]:
    """What the winner loses before caps."""
    return (yield from settled(least, most, how, stated, judged))


def judged(allowed: Amount) -> Rule[int]:
    """The umpire's figure, and nobody else's."""
    answer: int = yield from ask(UMPIRE, allowed, absent=allowed.least, subject="winner_loss")
    return answer


@script("BC-3.4/strategy")
def strategy(battle: Battle, code: SideCode, words: str) -> Step[Battle]:
    """The umpire says what a change of strategy adds to the next score, if anything."""
    side = battle.side(code)
    judged = yield from ask(UMPIRE, strategy_sheet(), absent={"modifier": 0}, subject=side.seat)
    modifier = judged["modifier"]
    if modifier:
        yield from tell(
            "BC-3.4", "modifier", side=code, name=side.name, modifier=modifier,
            reason=judged.get("reason", ""), words=words,
        )  # fmt: skip
    return battle.changed(code, strategy=modifier), []
