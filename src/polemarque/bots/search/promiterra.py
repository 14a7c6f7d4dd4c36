"""What a search has to know of Promiterra: what a war is worth."""

from __future__ import annotations

from polemarque.bots.search.playout import SearchModel
from polemarque.bots.search.tree import Search
from polemarque.systems.promiterra.current_stats import value_of
from polemarque.systems.promiterra.state import War

HEAD = 0.25
"""What a commander in the field is worth beside the army's value, in parts of it."""


AHEAD = 3
"""How many turns of armies after this one are still played in the head."""


def worth(war: War, seat: str) -> float:
    """The share of one's own side in all that is left on the field."""
    side = war.alliance_of(seat)
    if war.ending is not None and war.ending.winner in war.armies:
        return float(war.ending.winner == side)
    own = other = 0.0
    for code in war.armies:
        value = float(value_of(war, (code,)))
        if value:
            chief = war.persons[war.armies[code].commander]
            if war.troops[chief.troop].fate == "present":
                value *= 1 + HEAD
        if war.alliance_of(code) == side:
            own += value
        else:
            other += value
    return own / (own + other) if own + other else 0.5


def horizon(war: War) -> int:
    """The turn in which the game in the head breaks off."""
    return war.turn + AHEAD


GROUNDS = SearchModel(
    "promiterra", worth, horizon,
    searched=frozenset(("PR-3.3",)),
    bending=frozenset(("PR-3.3",)),
    kept=frozenset(("end", "outcome", "order", "plan", "act")),
)  # fmt: skip

BOTS = {"mcts": Search(GROUNDS)}
"""The bots of this system that search."""
