"""Victory (MN-F8): who wins before the end, and what counts at the end.  Figures only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from polemarque.kernel.events import Sum, bonus
from polemarque.systems.mare_nostrum.wares import FRAME

VICTORY = FRAME.victory


class Score(msgspec.Struct, frozen=True):
    """What counts for a player at the end: numbers of things, and his treasury in PO."""

    provinces: int
    armies: int
    improvements: int
    treasury: int


def points(score: Score, others: Sequence[int]) -> Sum:
    """A player's points; `others` are the treasuries of all other players.

    Treasuries tied first have the first's points each and nobody the second's; treasuries tied
    second have the second's each.
    """
    reasons = bonus("MN-F8", score.provinces * VICTORY.province, "provinces")
    reasons += bonus("MN-F8", score.armies * VICTORY.army, "armies")
    reasons += bonus("MN-F8", score.improvements * VICTORY.improvement, "improvements")
    richer = [treasury for treasury in others if treasury > score.treasury]
    if not richer:
        return reasons + bonus("MN-F8", VICTORY.richest, "richest")
    # Two who are richer share the first place: then nobody is second.
    return reasons + bonus("MN-F8", VICTORY.second if len(richer) == 1 else 0, "second")


def sudden_winner(treasuries: Mapping[str, int]) -> str:
    """The player whose treasury is at least that of all others together; "" if none or several."""
    whole = sum(treasuries.values())
    rich = [seat for seat, treasury in treasuries.items() if 2 * treasury >= whole]
    return rich[0] if len(rich) == 1 else ""


def ranking(scores: Mapping[str, Score]) -> tuple[tuple[str, ...], ...]:
    """Players from the first to the last; those of one group share their place.

    More points, then more provinces, then the greater treasury.
    """
    groups: dict[tuple[int, int, int], list[str]] = {}
    for seat, score in scores.items():
        others = [other.treasury for code, other in scores.items() if code != seat]
        merit = (points(score, others).total, score.provinces, score.treasury)
        groups.setdefault(merit, []).append(seat)
    return tuple([tuple(groups[merit]) for merit in sorted(groups, reverse=True)])
