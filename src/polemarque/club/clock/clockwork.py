"""What time brings about by itself: the rules answer for the absent, what leaves nobody anything to
decide is sealed, and votes to end are heeded.

Nothing depends on what an earlier round knew: after a restart, or with the clock set back, the next
finds the same.  What has been done is seen in the record: what is answered is not answered again.
While the clock is behind the record nothing is done.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import uuid4

from django.db import DatabaseError
from django.utils import timezone

from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.session import SEALED, LiveCampaign, read_lock, write_lock
from polemarque.club.clock.battle_dates import ON_TABLE
from polemarque.club.clock.deadlines import Limit, limits
from polemarque.club.clock.pauses import beat, end_by_vote
from polemarque.club.clock.response_times import ABSENT
from polemarque.club.clock.timetable import clock_of
from polemarque.club.models import OVER, RUNNING, Campaign, Given
from polemarque.club.orders.forced_answers import awaited, next_moment, spare
from polemarque.club.orders.standing_orders import settle
from polemarque.club.server.backup import clock_behind
from polemarque.club.transfer.models import is_here
from polemarque.kernel.records.record import Answer
from polemarque.kernel.request import Key, Request

log = logging.getLogger(__name__)

AGAIN = timedelta(hours=1)
"""A campaign in which nothing has happened is looked at again after that, at the latest."""

QUIET = timedelta(minutes=10)
"""Who answers within this time was there, and is told nothing."""


class Clockwork:
    """Rounds through the campaigns that are played.   told: what else is done in each of them."""

    def __init__(self, told: Callable[[Campaign], None] | None = None) -> None:
        self._told = told
        self._next: dict[int, tuple[object, datetime]] = {}

    def round(self) -> None:
        """Look at each campaign in which something was entered, or whose hour has come.

        What breaks off in one is logged, and stops no other.
        """
        beat()
        now = timezone.now()
        for campaign in Campaign.objects.filter(stage__in=[RUNNING, OVER], show=False):
            stood, at = self._next.get(campaign.pk, (None, now))
            if stood == _stands(campaign) and (campaign.stage == OVER or now < at <= now + AGAIN):
                continue
            try:
                self._look(campaign, now)
            except DatabaseError:
                raise
            except Exception:
                log.exception("campaign %s: the clockwork broke off", campaign.code)
                self._next[campaign.pk] = (_stands(campaign), now + AGAIN)

    def _look(self, campaign: Campaign, now: datetime) -> None:
        if not is_here(campaign) or clock_behind(campaign):
            self._next[campaign.pk] = (_stands(campaign), now + AGAIN)
            return
        if campaign.stage == RUNNING:
            answer_for_absent(campaign)
            let_play(campaign)  # and what is sealed by itself
            end_by_vote(campaign)
            campaign.refresh_from_db()
        if self._told is not None:
            self._told(campaign)
        hours = [
            at
            for key, limit in open_limits(campaign).items()
            for at in (
                limit.due, limit.last, _reminder(campaign, limit), campaign.open_since(key) + QUIET
            )
            if at is not None and at > now
        ]  # fmt: skip
        with read_lock(campaign) as table:
            hours += [at for at in [next_moment(campaign, table)] if at is not None]
        self._next[campaign.pk] = (_stands(campaign), min([now + AGAIN, *hours]))


def _stands(campaign: Campaign) -> object:
    return (campaign.count, campaign.pace, repr(campaign.clock))


def _reminder(campaign: Campaign, limit: Limit) -> datetime | None:
    before = clock_of(campaign).remind
    return limit.due - timedelta(hours=before) if before and limit.due is not None else None


def open_questions(campaign: Campaign, table: LiveCampaign) -> dict[Key, Request]:
    """The questions that wait for people, or for a seat that nobody holds; not those that leave
    nothing to decide."""
    seats = set(campaign.seats.filter(bot="").values_list("code", flat=True))
    return {
        request.keys[seat]: request for seat in seats for request in awaited(campaign, table, seat)
    }


def open_limits(campaign: Campaign) -> dict[Key, Limit]:
    """The limits of the questions that wait for people."""
    if campaign.stage != RUNNING:
        return {}
    with read_lock(campaign) as table:
        return limits(campaign, open_questions(campaign, table))


# The absent --------------------------------------------------------------------------------------


def answer_for_absent(campaign: Campaign) -> int:
    """Answer as the rules do for the absent what has waited long enough, where the campaign has
    chosen so; how many questions that was.

    What came of a battle on a table, dice, and what an umpire is asked wait for people.
    """
    if not clock_of(campaign).law:
        return 0
    with read_lock(campaign) as table:
        if table.game.over or not _lapsed(campaign, table):
            return 0
    with write_lock(campaign) as table:
        lapsed = _lapsed(campaign, table)
        if lapsed and all(request.sealed for request in lapsed.values()):
            table.kind = SEALED
        for key, request in lapsed.items():
            if table.game.runner.found(key) is None:
                continue  # another's answer has done away with it
            spare(campaign, table, key)
            table.game.enter(Answer(key, request.absent(key.seat), ABSENT))
            row = table.put(campaign)[-1]
            Given.objects.create(campaign=campaign, entry=row, once=uuid4().hex)
        settle(campaign, table)
    let_play(campaign)
    return len(lapsed)


def _lapsed(campaign: Campaign, table: LiveCampaign) -> dict[Key, Request]:
    """The questions for which the rules answer now."""
    asked, now = open_questions(campaign, table), timezone.now()
    for key in list(asked):
        runner, _ = table.game.runner.find(key)
        if runner.system.name == ON_TABLE:
            del asked[key]
    found = limits(campaign, asked)
    return {key: asked[key] for key, limit in found.items() if limit.last and limit.last <= now}
