"""Time that stands still, and what the seats decide about it by their votes.

An umpire pauses a campaign, or more than half of the seats that people hold do.  No time runs, and
answers are taken meanwhile.  What an umpire who plays has not paused they do not take
up.  Two thirds of the seats end a campaign, without a winner, as soon as its rules let it end.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.session import COURSE, write_lock
from polemarque.club.clock.deadlines import paused
from polemarque.club.clock.models import DOWN, SEATS_PAUSE, UMPIRE_PAUSES, Beat, Pause, Vote
from polemarque.club.models import RUNNING, Campaign, Given, Pulse
from polemarque.club.orders.standing_orders import settle
from polemarque.club.people.roles import Visit
from polemarque.club.people.umpire_vote import seats_of_people
from polemarque.club.transfer.models import check_here
from polemarque.club.trust.receipts import void_receipts
from polemarque.club.umpire.acts import can_declare_end, today
from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.records.record import Adjust

PAUSE, RESUME, END = "pause", "resume", "end"

NOBODY = ("nobody", "none")
"""What the rules of different systems call it that nobody has won."""

REASON = "Vote des sièges / The seats’ vote"
"""What the record gives for it, in both languages."""

OFTEN = timedelta(minutes=1)
"""That the clockwork goes is not written down again before that."""

STOPPED = timedelta(hours=6)
"""A club whose clockwork stood still for longer was down: that time is given back."""


@transaction.atomic
def umpire_pauses(visit: Visit, stop: bool) -> None:
    """Have time stand still, or run again.

    Raises NotAllowed where it is so already, or an umpire who plays would end what others stopped.
    """
    campaign = _locked(visit)
    now = paused(campaign)
    if stop == (now is not None):
        raise NotAllowed("clock.so_already")
    if now is not None and not visit.neutral and now.by != UMPIRE_PAUSES:
        raise NotAllowed("clock.seats_paused")
    _turn(campaign, UMPIRE_PAUSES)


def _turn(campaign: Campaign, by: str) -> None:
    """Have time stand still if it runs, run if it stands still; votes about it are over."""
    if not Pause.objects.filter(campaign=campaign, ended=None).update(ended=timezone.now()):
        Pause.objects.create(campaign=campaign, by=by)
    campaign.votes.exclude(what=END).delete()
    Pulse.objects.create(campaign=campaign, kind=COURSE)


def _locked(visit: Visit) -> Campaign:
    campaign = Campaign.objects.select_for_update().get(pk=visit.campaign.pk)
    check_here(campaign)
    if campaign.stage != RUNNING or campaign.show:
        raise NotAllowed("clock.not_played")
    return campaign


# Votes -------------------------------------------------------------------------------------------


def votable(campaign: Campaign) -> tuple[str, ...]:
    """What the seats can vote for as it stands."""
    return (RESUME if paused(campaign) else PAUSE, END)


def wanted(campaign: Campaign, what: str) -> int:
    """How many votes do it: more than half of the seats that people hold; to end, two thirds."""
    seats = len(seats_of_people(campaign))
    return -(-2 * seats // 3) if what == END else seats // 2 + 1


def votes_for(campaign: Campaign, what: str) -> list[str]:
    """The seats whose commanders have voted for something, and command them still."""
    held = seats_of_people(campaign)
    rows = campaign.votes.filter(what=what).order_by("pk")
    return [row.seat for row in rows if held.get(row.seat) == row.by_id]


def vote(visit: Visit, seat: str, what: str) -> bool:
    """Give a seat's vote, or take it back; whether it is done now.

    Raises NotAllowed for who does not command the seat, NotUnderstood on what there is no vote on.
    """
    with transaction.atomic():
        campaign = _locked(visit)
        if not visit.commands(seat):
            raise NotAllowed("naming.not_yours", part=seat)
        if what not in votable(campaign):
            raise NotUnderstood("clock.no_vote", part=what[:20])
        taken = Vote.objects.filter(campaign=campaign, seat=seat, what=what, by=visit.person)
        if not taken.delete()[0]:
            given = {"by": visit.person}
            Vote.objects.update_or_create(campaign=campaign, seat=seat, what=what, defaults=given)
        Pulse.objects.create(campaign=campaign, kind=COURSE)
        enough = _enough(campaign, what)
        if enough and what != END:
            _turn(campaign, SEATS_PAUSE)
    return enough if what != END else enough and end_by_vote(campaign)


def _enough(campaign: Campaign, what: str) -> bool:
    given = len(votes_for(campaign, what))
    return 0 < wanted(campaign, what) <= given


def end_by_vote(campaign: Campaign) -> bool:
    """End a campaign that its seats want to end, without a winner; whether it has ended.

    Where the rules let nothing end at the moment, the votes stand, and the clockwork tries again.
    """
    if not _enough(campaign, END):
        return False
    try:
        with write_lock(campaign) as table:
            can = can_declare_end(table)
            if can is None or table.game.over:
                return False
            value = () if can.several else _nobody(can.values)
            table.game.enter(Adjust("end", value, REASON, today()))
            entry = table.put(campaign)[-1]
            Given.objects.create(campaign=campaign, entry=entry, once=uuid4().hex)
            void_receipts(campaign, table.game)
            settle(campaign, table)
            campaign.votes.all().delete()
    except Refusal:
        return False
    let_play(campaign)
    return True


def _nobody(values: Collection[str]) -> str:
    """Raises NotAllowed where the rules want a winner."""
    for value in NOBODY:
        if value in values:
            return value
    raise NotAllowed("clock.no_winner")


# A club that was down ----------------------------------------------------------------------------


@transaction.atomic
def beat() -> None:
    """Note that the clockwork goes.  Time for which it stood still, as where the club was down, is
    a pause for every campaign; one that a wrong clock has made is dropped once it is right."""
    now = timezone.now()
    last = Beat.objects.first()
    if last is not None and timedelta() <= now - last.at < OFTEN:
        return
    if last is not None and now - last.at > STOPPED:
        running = Campaign.objects.filter(stage=RUNNING)
        Pause.objects.bulk_create(
            [Pause(campaign=each, at=last.at, ended=now, by=DOWN) for each in running]
        )
    Pause.objects.filter(by=DOWN, ended__gt=now).delete()
    Beat.objects.update_or_create(pk=last.pk if last else 1, defaults={"at": now})
