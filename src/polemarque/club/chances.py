"""What dice decided in a campaign, with its exact odds, as far as a reader may know it.

Odds follow from the figures that a rule was given.  Where those may be secret, they are told to
nobody who plays before the game is over; an umpire who plays no seat may read them.
"""

from __future__ import annotations

from polemarque.club.apart import apart
from polemarque.club.reading import Eye
from polemarque.club.roles import Visit
from polemarque.club.tables import Table, reading
from polemarque.report.chances import Chances, Weighed, weighed_of


def tells_odds(table: Table, eye: Eye) -> bool:
    """Whether a reader may know the odds of what dice decided."""
    return eye is None or table.game.over or table.game.system.public_course


def chances_told(visit: Visit) -> Chances | None:
    """What dice decided, with its odds; None where the reader may not know them yet.

    Raises NotAllowed if it would take too long, or while other work is done in such a way.
    """
    with reading(visit.campaign) as table:
        if not tells_odds(table, visit.eye):
            return None
        at = table.moment  # which no sealed answer moves: how long this takes tells of none
        found: tuple[Weighed, ...] | None = table.memory.get("odds", {}).get(at)
        raw = table.game.record if found is None else b""
        events, over = tuple(table.told), table.game.over
    if found is None:
        # Away from the table, for which others may wait.
        found = apart("chances", weighed_of, raw)
        with table.lock:
            table.memory["odds"] = {at: found}
    whole = Chances(found, events)
    return whole if visit.eye is None or over else whole.seen_by(visit.eye)
