"""What a search has to know of Thucidide: what a battle is worth."""

from __future__ import annotations

from polemarque.bots.search.playout import SearchModel
from polemarque.bots.search.tree import Search
from polemarque.systems.thucidide.chapters.turn import needed
from polemarque.systems.thucidide.state import Battle

LEADERS = 0.15
"""What leaders are worth beside a whole army of units."""

TOKENS = 0.01
"""What an order token is worth in the same."""

TRIFLE = 0.015
"""Where results are spread no wider, hardly anything is at stake: an element or two."""


def worth(battle: Battle, seat: str) -> float:
    """How much nearer a side is to breaking the enemy than the enemy to breaking it."""
    enemy = battle.enemy_of(seat)
    if battle.ending is not None:
        winner = battle.ending.winner
        return 0.5 if winner is None else float(winner == seat)
    lead = hurt(battle, enemy) - hurt(battle, seat)
    lead += TOKENS * (battle.sides[seat].tokens - battle.sides[enemy].tokens)
    return min(max(0.5 + 0.4 * lead, 0.05), 0.95)


def hurt(battle: Battle, seat: str) -> float:
    """How near a side is to defeat: 1 when so many of its units are destroyed as break it."""
    side = battle.sides[seat]
    goals = battle.sides[battle.enemy_of(seat)].goals
    breaks = min(
        [needed(goal, side.start) for goal in goals if goal.kind == "destroyed"],
        default=side.start,
    )
    lost = wounds = 0.0
    for unit in battle.units.values():
        if unit.seat != seat:
            continue
        if unit.fate == "destroyed":
            lost += 1
        elif not unit.fate:
            gone = 1 - unit.elements / unit.start
            wounds += gone * gone
    led = [one for one in battle.leaders.values() if one.seat == seat]
    missing = len([one for one in led if one.fate in ("captured", "committed")])
    heads = LEADERS * missing / max(len(led), 1)
    return (lost + 0.7 * wounds) / breaks + heads


def horizon(battle: Battle) -> int:
    """The enemy's next turn is still played in the head."""
    return battle.turn + 1


GROUNDS = SearchModel(
    "thucidide", worth, horizon,
    searched=frozenset(("TH-2.2", "TH-F8", "TH-F5")),
    dull=frozenset(("TH-3.5",)),
    kept=frozenset(("stops", "with")),
    trifle=TRIFLE,
)  # fmt: skip

BOTS = {"mcts": Search(GROUNDS)}
"""The bots of this system that search."""
