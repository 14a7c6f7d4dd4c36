"""Battles that a campaign hands over: the brief, the report, and resolvers that fight them.

A campaign writes a `Brief` and says ``reports = yield from battles(brief)``.  A `Resolver`, found
by its name, opens the battle as a `Position` of its own system and reads a `Report` off its end.
"""

from __future__ import annotations

from polemarque.kernel.battle_brief import (
    FATES,
    LAND,
    SEA,
    Brief,
    BriefLeader,
    BriefUnit,
    BriefWords,
    Fate,
    Loss,
    Report,
    Resolver,
    Side,
    anywhere,
    due_winner,
    fitted,
    register_resolver,
    resolver,
    resolvers,
    resolvers_for,
    untold_titles,
)
from polemarque.kernel.position import Position

__all__ = [
    "Brief",
    "Side",
    "BriefUnit",
    "BriefLeader",
    "BriefWords",
    "Report",
    "Loss",
    "Fate",
    "FATES",
    "Resolver",
    "Position",
    "LAND",
    "SEA",
    "anywhere",
    "register_resolver",
    "resolver",
    "resolvers",
    "resolvers_for",
    "untold_titles",
    "due_winner",
    "fitted",
]
