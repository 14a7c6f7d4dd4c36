"""Questions that leave a seat nothing to decide: their answer is sealed for it, and nobody hears.

A rule that asks all who might have a choice says so (`Ask.spares`).  A seat that has none is not
awaited.  Their answers are sealed just before the last one of those who have; where nobody has, at
a moment within the hour that nobody can foresee (within a minute where the campaign has no limits
of time, for its players may sit together).  It follows from the club's key and the question:
nothing of it is kept, so a restart changes nothing.  Until then readers are not told who has
answered such a question (`campaigns.visibility`), as only those with a choice can have.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.crypto import salted_hmac

from polemarque.club.campaigns.session import LiveCampaign, write_lock
from polemarque.club.clock.timetable import clock_of
from polemarque.club.models import EPOCH, Campaign
from polemarque.kernel.request import Key, Request

WITHIN, UNTIMED = 3600, 60
"""Seconds within which empty answers are sealed where nobody has anything to decide: with limits of
time, and without."""


def played_by_people(campaign: Campaign) -> set[str]:
    """The seats that no program plays."""
    return set(campaign.seats.filter(bot="").values_list("code", flat=True))


def spared_seats(campaign: Campaign) -> set[str]:
    """Those of them that want no question which leaves them nothing to decide."""
    return set(campaign.seats.filter(bot="", spared=True).values_list("code", flat=True))


def awaited(campaign: Campaign, table: LiveCampaign, seat: str) -> list[Request]:
    """The questions that a seat has to answer: none in which it has nothing to decide."""
    requests = table.game.requests(seat)
    if not any(each.ask.spares for each in requests):
        return requests
    seats = spared_seats(campaign) & {seat}
    return [each for each in requests if not each.spared(seats)]


def spare(campaign: Campaign, table: LiveCampaign, last: Key | None = None) -> bool:
    """Seal what leaves nothing to decide and is due; whether there was anything.

    last: the question that is about to be answered: what waits for that answer alone comes before
          it in the record, as if it had been there already.
    """
    due = [each for each in _moments(campaign, table, last) if each[2] <= timezone.now()]
    for request, seats, _ in due:
        for seat in seats:
            table.game.seal_only(request, seat)
    return bool(due)


def next_moment(campaign: Campaign, table: LiveCampaign) -> datetime | None:
    """When something is sealed by itself next, None where that waits for people."""
    return min([moment for *_, moment in _moments(campaign, table)], default=None)


def _moments(
    campaign: Campaign, table: LiveCampaign, last: Key | None = None
) -> list[tuple[Request, list[str], datetime]]:
    """The questions in which nobody who has to decide is awaited, who else is, and when the answers
    of those are sealed."""
    open_ = [each for each in table.game.requests() if each.ask.spares]
    if not open_:
        return []
    people, seats = played_by_people(campaign), spared_seats(campaign)
    found = []
    for request in open_:
        here = {key.seat for key in request.keys.values() if key == last}
        spared = [seat for seat in request.spared(seats) if seat not in here]
        if spared and not set(request.missing) & people - {*spared} - here:
            decided = (request.answered.keys() | here) & people
            at_once = decided or len(people) == 1  # from whom nothing need be hidden
            moment = EPOCH if at_once else _drawn(campaign, request)
            found.append((request, spared, moment))
    return found


def _drawn(campaign: Campaign, request: Request) -> datetime:
    """The moment that is drawn for a question."""
    key = min(request.keys.values())
    drawn = salted_hmac("polemarque.spared", f"{campaign.code} {key}", algorithm="sha256").digest()
    within = WITHIN if campaign.pace or clock_of(campaign).days else UNTIMED
    return campaign.open_since(key) + timedelta(seconds=int.from_bytes(drawn[:8]) % within)


def readiness_untold(campaign: Campaign, table: LiveCampaign, seats: Collection[str]) -> bool:
    """Whether something is open of which nobody may be told who has answered, but for those in
    these seats alone."""
    open_ = [each for each in table.game.requests() if each.ask.spares]
    if not open_:
        return False
    return len(played_by_people(campaign)) > 1 and any({*each.seats} - {*seats} for each in open_)


def choose(campaign: Campaign, seat: str, *, spared: bool) -> None:
    """Whether a seat is spared from now on."""
    with write_lock(campaign):
        campaign.seats.filter(code=seat).update(spared=spared)
