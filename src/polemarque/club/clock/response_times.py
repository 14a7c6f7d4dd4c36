"""How soon questions are answered: what each reply took, and what may be said of it.

Counted is what a question that somebody had to answer took until its first answer, from the time
this was first kept; not what was answered in advance, or by a program.  It is told of the one who
commands a seat now, not of those who had it before.

A battle in which a guest has the seat's side is the guest's: what the guest answers there, in time
or late, and what the rules answer in the guest's absence, are no credit and no fault of the lender.
Two things stay the lender's: their own answers, and a question that was late before the guest came,
no matter who answers it then; else a side could be lent, to a second account, to be rid of a
miss.  Once the side is taken back its questions are the lender's again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from statistics import median

import msgspec
from django.utils import timezone

from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.clock.deadlines import deadline
from polemarque.club.clock.models import Reply
from polemarque.club.models import COMMANDER, Campaign, Given, Guest, Holder
from polemarque.kernel.records.record import Answer, Entry
from polemarque.kernel.request import Key

ABSENT = "absent"
"""By whom an answer is that the rules gave for an absent player."""

FEWEST = 3
"""Replies from which on it is said how long somebody usually takes."""

SLOW = 0.75
"""The part of the time given from which on a person who usually takes it takes long."""


class Record(msgspec.Struct, frozen=True):
    """The replies of the one who commands a seat, counted.

    in_time, late, free: answered before and after it was due, and without a limit.
    absent: answered by the rules in their absence.   since: when the first of them came.
    usual:  how long they take in the middle of all cases, None where that cannot be said yet.
    slow:   whether they usually take most of the time that they are given.
    """

    in_time: int = 0
    late: int = 0
    free: int = 0
    absent: int = 0
    since: datetime | None = None
    usual: timedelta | None = None
    slow: bool = False


def note_replies(
    campaign: Campaign, before: int, entries: Sequence[Entry], asked: Collection[Key]
) -> None:
    """Note those of some entries by which people answered; asked: the questions that were open.

    before: how many entries there were.   To be called within the transaction of the entries, once
    it is put down who gave them, and before questions are dated again.
    """
    given = [(n, e) for n, e in enumerate(entries, before + 1) if isinstance(e, Answer)]
    given = [(n, e) for n, e in given if e.key in asked and e.by in {"", ABSENT}]
    if not given:
        return
    held = Holder.objects.filter(seat__campaign=campaign, role=COMMANDER)
    people = dict(held.values_list("seat__code", "person"))
    guests = {(guest.seat, guest.path): guest for guest in campaign.guests.all()}
    rows = []
    for number, each in given:
        if each.key.seat not in people:
            continue
        row = Reply(
            campaign=campaign, seat=each.key.seat, person_id=people[each.key.seat],
            key=key_text(each.key), asked=campaign.open_since(each.key), at=timezone.now(),
            due=deadline(campaign, [each.key]), absent=each.by == ABSENT,
        )  # fmt: skip
        guest = guests.get((each.key.seat, each.key.path))
        if guest is not None and _is_of(guest, row, number):
            row.person_id = guest.person_id
        rows.append(row)
    Reply.objects.bulk_create(rows, ignore_conflicts=True)


def _is_of(guest: Guest, row: Reply, number: int) -> bool:
    """Whether a reply in a guest's battle, the entry of that number, is the guest's own."""
    if row.due is not None and guest.came > row.due:
        return False
    gave = Given.objects.filter(campaign=row.campaign_id, entry__number=number)
    return row.absent or gave.filter(person=guest.person_id).exists()


def reliability(campaign: Campaign) -> dict[str, Record]:
    """By seat, what has been kept of the replies of the one who commands it."""
    held = Holder.objects.filter(seat__campaign=campaign, role=COMMANDER)
    rows = list(campaign.replies.all())
    return {
        seat: _counted([row for row in rows if (row.seat, row.person_id) == (seat, who)])
        for seat, who in held.values_list("seat__code", "person")
    }


def everywhere(people: Collection[int]) -> dict[int, Record]:
    """By person's number, what has been kept of their replies in all campaigns of the club; nobody
    of whom nothing has."""
    rows: dict[int, list[Reply]] = defaultdict(list)
    for row in Reply.objects.filter(person__in=people):
        rows[row.person_id].append(row)
    return {person: _counted(found) for person, found in rows.items()}


def _counted(rows: Sequence[Reply]) -> Record:
    own = [row for row in rows if not row.absent]
    limited = [row for row in own if row.due]
    late = sum([row.late for row in own])
    took = [(row.at - row.asked).total_seconds() for row in own]
    parts = [(row.at - row.asked) / (row.due - row.asked) for row in limited if row.due]
    return Record(
        in_time=len(limited) - late, late=late, free=len(own) - len(limited),
        absent=len(rows) - len(own), since=min([row.at for row in rows], default=None),
        usual=timedelta(seconds=median(took)) if len(own) >= FEWEST else None,
        slow=len(limited) >= FEWEST and median(parts) >= SLOW,
    )  # fmt: skip
