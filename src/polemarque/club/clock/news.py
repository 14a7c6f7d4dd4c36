"""What people are told of their campaigns as time goes by: found in the record, told each once.

Nobody is told of a question that they answer at once, nor that what they have just done themselves
has shown the others' answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import blake2b

from django.conf import settings
from django.utils import timezone

from polemarque.club.campaigns.question_keys import key_text, read_key
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.clock.battle_dates import on_the_table
from polemarque.club.clock.clockwork import QUIET, open_questions
from polemarque.club.clock.deadlines import limits
from polemarque.club.clock.models import STALE, put_out
from polemarque.club.clock.timetable import clock_of
from polemarque.club.models import COMMANDER, OVER, Campaign, Holder, Person, Receipt
from polemarque.club.people.roles import speakers
from polemarque.kernel.request import Key

MAILED = "mailed"
"""The kind of what somebody is told of orders that they have sent by mail."""

PROMPTED = "desk.mail"
"""The kind of what an umpire tells a seat that owes an answer."""

BACK = "back"
"""The kind of what a seat of a duel is told that the other wishes to take back."""

BEGUN, PERIOD, TURN, REVEAL, REMINDER, BATTLE, ENDED = (
    "begun", "period", "turn", "reveal", "reminder", "battle", "over",
)  # fmt: skip
"""Kinds of news: it has begun; a turn begins; a seat is asked something; sealed answers are shown;
a deadline is near; a battle is to be fought on a table; it is over."""

LATELY = timedelta(days=1)
"""So long after it a campaign's beginning and its end are news."""


def tell(campaign: Campaign) -> None:
    """Put out what there is to tell of a campaign, as it stands, where anything can be sent."""
    if not (settings.MAIL or campaign.hook):
        return
    first, last = campaign.entries.first(), campaign.entries.last()
    if first is None or last is None or timezone.now() - last.at > STALE:
        return
    if campaign.stage == OVER:
        if _lately(last.at):
            put_out(campaign, _everybody(campaign), ENDED, ENDED)
        return
    if _lately(first.at):
        put_out(campaign, _everybody(campaign), BEGUN, BEGUN)
    with read_lock(campaign) as table:
        _tell_asked(campaign, table)
        _tell_shown(campaign, table)
        if campaign.hook and campaign.turned and _lately(campaign.turned) and campaign.turn:
            put_out(campaign, [None], PERIOD, f"{PERIOD}.{campaign.turn}")
        for brief, inner in on_the_table(table):
            seats = [side.seat for side in brief.sides]
            people = {*speakers(campaign, seats), *_hook(campaign)}
            told = {"place": brief.place, "sides": seats}
            put_out(campaign, people, BATTLE, _named(BATTLE, inner.path), **told)


def _lately(at: datetime) -> bool:
    return timezone.now() - at < LATELY


def _everybody(campaign: Campaign) -> set[Person | None]:
    plays = Person.objects.filter(holdings__seat__campaign=campaign)
    umpires = Person.objects.filter(umpirings__campaign=campaign)
    return {*plays, *umpires, *_hook(campaign)}


def _hook(campaign: Campaign) -> list[None]:
    return [None] if campaign.hook else []


def _named(kind: str, *of: object) -> str:
    """The key of a notice: short, whatever it is of."""
    return f"{kind}.{blake2b(repr(of).encode(), digest_size=16).hexdigest()}"


def _tell_asked(campaign: Campaign, table: LiveCampaign) -> None:
    """Tell the commander of each seat what it is asked, and once more before the deadline."""
    held = Holder.objects.filter(seat__campaign=campaign, role=COMMANDER).select_related("person")
    people = {holder.seat_id: holder.person for holder in held}
    people_of = {s.code: people[s.pk] for s in campaign.seats.all() if s.pk in people}
    now, remind = timezone.now(), timedelta(hours=clock_of(campaign).remind)
    there = open_questions(campaign, table)
    asked = [key for key in there if key.seat in people_of]
    for key, limit in limits(campaign, asked).items():
        opened, who = campaign.open_since(key), [people_of[key.seat]]
        told = {"asked": key_text(key)}
        of = (key_text(key), opened.isoformat())
        if QUIET <= now - opened < STALE:
            put_out(campaign, who, TURN, _named(TURN, *of), **told)
        if remind and limit.due is not None and limit.due - remind <= now < limit.due:
            put_out(campaign, who, REMINDER, _named(REMINDER, *of), **told)
            public = [] if there[key].ask.spares else _hook(campaign)  # or it tells who decides
            put_out(campaign, public, REMINDER, _named(REMINDER, limit.due.isoformat()))


def _tell_shown(campaign: Campaign, table: LiveCampaign) -> None:
    """Tell who has sealed an answer that all are shown, but for the seat that sealed last."""
    for group in _shown(campaign, table):
        *first, last = sorted(group, key=lambda receipt: receipt.number)
        if first:
            put_out(campaign, _hook(campaign), REVEAL, _named(REVEAL, last.digest))
        for receipt in first:
            put_out(
                campaign, speakers(campaign, [receipt.seat]), REVEAL, _named(REVEAL, receipt.digest)
            )


def _shown(campaign: Campaign, table: LiveCampaign) -> Iterator[list[Receipt]]:
    """The receipts of sealed answers that were shown lately, those of one question together."""
    still = {
        (key.period, key.path, key.rule, key.number)
        for request in table.game.course.requests()
        for key in request.keys.values()
    }
    groups: dict[tuple[object, ...], list[Receipt]] = defaultdict(list)
    lately = timezone.now() - STALE
    # Who has answered what some are spared had something to decide, which nobody else may know.
    told = campaign.receipts.filter(replaced=False, at__gt=lately).exclude(untold=True)
    for receipt in told:
        key: Key = read_key(receipt.key)
        groups[key.period, key.path, key.rule, key.number].append(receipt)
    yield from [group for of, group in groups.items() if of not in still]
