"""What dice decided in a campaign, with its exact odds, as far as a reader may know it.

Odds follow from the figures that a rule was given.  Where those may be secret, they are told to
nobody who plays before the game is over; an umpire who plays no seat may read them.

A long campaign's odds take longer than a page may.  They are worked out away from the pages, one
campaign at a time, and kept until something takes effect; anyone who reads meanwhile is told so, in
the same words however far it is.  It begins for who may read them alone, and tells others
nothing.
"""

from __future__ import annotations

from threading import Event, Lock, Thread

from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import Eye
from polemarque.club.people.roles import Visit
from polemarque.club.server.subprocesses import by_itself
from polemarque.kernel.errors import Refusal
from polemarque.report.dice_odds import Chances, Weighed, weighed_of


def tells_odds(table: LiveCampaign, eye: Eye) -> bool:
    """Whether a reader may know the odds of what dice decided."""
    return eye is None or table.game.over or table.game.system.public_course


class Working:
    """The odds are being worked out."""


def chances_told(visit: Visit) -> Chances | Working | None:
    """What dice decided, with its odds; None where the reader may not know them yet.

    Raises NotAllowed if it would take too long, and what the enumeration itself refuses.
    """
    with read_lock(visit.campaign) as table:
        if not tells_odds(table, visit.eye):
            return None
        at = table.moment  # which no sealed answer moves: how long this takes tells of none
        found = _kept(table, at)
        raw = table.game.record if found is None else b""
        events, over = tuple(table.told), table.game.over
    if found is None:
        _begin(table, at, raw)
        found = _kept(table, at)
    if found is None:
        return Working()
    if isinstance(found, Refusal):
        raise found
    whole = Chances(found, events)
    return whole if visit.eye is None or over else whole.seen_by(visit.eye)


# Away from the pages -----------------------------------------------------------------------------

LIMIT = 900.0
"""Seconds that the odds of a campaign may take."""

AT_ONCE = 2.0
"""Seconds that the first reader waits for them: those of a short campaign come at once."""

_one = Lock()
"""Held while the odds of a campaign are worked out."""


def _kept(table: LiveCampaign, at: int) -> tuple[Weighed, ...] | Refusal | None:
    kept: dict[int, tuple[Weighed, ...] | Refusal] = table.memory.get("odds", {})
    return kept.get(at)


def _begin(table: LiveCampaign, at: int, raw: bytes) -> None:
    """Work the odds of a record out, unless some are being worked out, and wait a moment."""
    if not _one.acquire(blocking=False):
        return
    done = Event()
    Thread(target=_work, args=(table, at, raw, done), daemon=True).start()
    done.wait(AT_ONCE)


def _work(table: LiveCampaign, at: int, raw: bytes, done: Event) -> None:
    try:
        found: tuple[Weighed, ...] | Refusal
        try:
            found = by_itself("chances", weighed_of, raw, limit=LIMIT)
        except Refusal as refusal:
            found = refusal
        with table.lock:
            table.memory["odds"] = {at: found}
    finally:
        _one.release()
        done.set()
