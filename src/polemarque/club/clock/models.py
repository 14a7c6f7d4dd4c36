"""What the club keeps of time: when battles are fought, who is away, how soon answers come; and
what is told of it by mail.

Nothing of it is part of a record, and all of it goes with the account that it is of.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from polemarque.club.models import Campaign, Person

LONGEST_WHERE = 120
"""Characters of what is said of where a battle is fought."""


class Meeting(models.Model):
    """When and where two sides meet to fight a battle on the table; it goes with anyone who
    proposed.

    path:   of the battle.   at: the hour.   where: in the proposer's words, or "".
    words:  the seats that have agreed, and "umpire" where the umpire's word is needed.
    agreed: when the last of those agreed whose word is needed; None while one is awaited.
    """

    campaign = models.ForeignKey("club.Campaign", models.CASCADE, related_name="meetings")
    path = models.CharField(max_length=200)
    at = models.DateTimeField()
    where = models.CharField(max_length=LONGEST_WHERE, blank=True)
    by = models.ForeignKey("club.Person", models.CASCADE, related_name="meetings")
    words = models.JSONField(default=list)
    made = models.DateTimeField(default=timezone.now)
    agreed = models.DateTimeField(null=True)

    class Meta:
        """One that is agreed on, and one that is proposed, for each battle."""

        constraints = (
            models.UniqueConstraint(
                fields=["campaign", "path"], condition=models.Q(agreed=None), name="one_proposed"
            ),
            models.UniqueConstraint(
                fields=["campaign", "path"], condition=~models.Q(agreed=None), name="one_agreed"
            ),
        )


class Absence(models.Model):
    """Somebody is away, from one day to another, both included.   made: when they said so."""

    person = models.ForeignKey("club.Person", models.CASCADE, related_name="absences")
    since = models.DateField()
    until = models.DateField()
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        """The next first."""

        ordering = ("since",)

    @property
    def begun(self) -> bool:
        """Whether they are away by now."""
        return self.since <= timezone.localdate()


UMPIRE_PAUSES, SEATS_PAUSE, DOWN = "umpire", "seats", "down"
"""Why time stands still: an umpire has said so, the seats have, the club was not running."""


class Pause(models.Model):
    """A time during which no time of a campaign runs.   by: one of the three above."""

    campaign = models.ForeignKey("club.Campaign", models.CASCADE, related_name="pauses")
    at = models.DateTimeField(default=timezone.now)
    ended = models.DateTimeField(null=True)
    by = models.CharField(max_length=6)

    class Meta:
        """One at a time."""

        constraints = (
            models.UniqueConstraint(
                fields=["campaign"], condition=models.Q(ended=None), name="one_pause"
            ),
        )


class Vote(models.Model):
    """That a seat, by its commander, wants something done.   what: "pause", "resume" or "end"."""

    campaign = models.ForeignKey("club.Campaign", models.CASCADE, related_name="votes")
    seat = models.CharField(max_length=40)
    by = models.ForeignKey("club.Person", models.CASCADE, related_name="votes")
    what = models.CharField(max_length=6)

    class Meta:
        """One a seat and thing."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "seat", "what"], name="one_vote"),
        )


class Beat(models.Model):
    """When the clockwork last went; one row."""

    at = models.DateTimeField()


class Reply(models.Model):
    """That a question was answered, and how soon: what is read of a person's reliability.

    person: who commanded the seat, or was its guest in that battle (see `response_times`).
    asked, at, due: when it was put, answered, and to be answered (None without a limit).
    absent: the rules answered, as for an absent player.
    """

    campaign = models.ForeignKey("club.Campaign", models.CASCADE, related_name="replies")
    seat = models.CharField(max_length=40)
    person = models.ForeignKey("club.Person", models.CASCADE, related_name="replies")
    key = models.CharField(max_length=300)
    asked = models.DateTimeField()
    at = models.DateTimeField(default=timezone.now)
    due = models.DateTimeField(null=True)
    absent = models.BooleanField(default=False)

    class Meta:
        """The first answer to a question counts, whatever becomes of it."""

        constraints = (models.UniqueConstraint(fields=["campaign", "key"], name="one_reply"),)

    @property
    def late(self) -> bool:
        """Whether it came too late."""
        return self.due is not None and self.at > self.due


class Notice(models.Model):
    """That a person, or the campaign's webhook where there is none, is to be told something, and
    whether they have been (see `put_out`).

    key: says what it is of.   text: what kind of news it is.   data: what it is told with.
    sent: when there was no more to be done about it.   after: when it may be tried next.
    tries: how often it has been.   why: what was in the way the last time, "" for nothing.
    """

    campaign = models.ForeignKey("club.Campaign", models.CASCADE, related_name="notices")
    person = models.ForeignKey("club.Person", models.CASCADE, null=True, related_name="notices")
    key = models.CharField(max_length=80)
    text = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)
    sent = models.DateTimeField(null=True)
    after = models.DateTimeField(default=timezone.now)
    tries = models.PositiveIntegerField(default=0)
    why = models.CharField(max_length=120, blank=True)

    class Meta:
        """The same is told nobody twice."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "person", "key"], name="one_notice"),
            models.UniqueConstraint(
                fields=["campaign", "key"], condition=models.Q(person=None), name="one_posting"
            ),
        )


class ReadMail(models.Model):
    """A mail with orders that was read, so that it is never taken twice.

    name:  digest of what the mail is known by.   person: whose orders they are.
    meant: digest of orders that were sent back with a warning; sent again they are taken.
    """

    name = models.CharField(max_length=64, unique=True)
    person = models.ForeignKey("club.Person", models.CASCADE, related_name="mails_read")
    meant = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(default=timezone.now)


class MailBox(models.Model):
    """Whether the box of the club could be read the last time; one row.   why: not, or ""."""

    why = models.CharField(max_length=120, blank=True)
    at = models.DateTimeField(default=timezone.now)


def box_fault() -> str:
    """Why the box with orders cannot be read, "" if it can, or if there is none."""
    if not settings.BOX.read:
        return ""
    return MailBox.objects.values_list("why", flat=True).first() or ""


# What waits to be sent ---------------------------------------------------------------------------

# A notice is a row of the very transaction in which something happened: what is rolled back is told
# nobody, what is acknowledged is told.  Who sends takes the row first, for a while; a process that
# is killed in the middle leaves it to the next.  Each mail has one name however often it is tried,
# so that what was sent just before the end is known again by those who get it twice.

STALE = timedelta(days=7)
"""After which what could not be sent is not news any more."""

TAKEN = timedelta(minutes=2)
"""For so long a notice is in the hands of who has taken it."""

LONGEST_WAIT = timedelta(hours=6)
"""Between two tries, at most; the first time it is a minute, then twice as long each time."""


def put_out(
    campaign: Campaign, people: Iterable[Person | None], text: str, key: str, **data: Any
) -> None:  # fmt: skip
    """Have some people, or the webhook (None), told of something, each once.

    text: what kind of news it is.   data: what it is told with, plain values.
    key:  says what it is of.   To be called within the transaction of what has happened.
    """
    Notice.objects.bulk_create(
        [
            Notice(campaign=campaign, person=person, text=text, key=key, data=data)
            for person in people
        ],
        ignore_conflicts=True,
    )


def waiting(campaign: Campaign | None = None) -> list[Notice]:
    """The notices, of one campaign or of all, that can be sent now, the oldest first."""
    now = timezone.now()
    fresh = Notice.objects.filter(sent=None, after__lte=now, at__gt=now - STALE)
    if campaign is not None:
        fresh = fresh.filter(campaign=campaign)
    return list(fresh.select_related("person", "campaign").order_by("pk"))


def take_out(notice: Notice) -> bool:
    """Take a notice to send it; False if somebody else has."""
    now = timezone.now()
    free = Notice.objects.filter(pk=notice.pk, sent=None, after__lte=now)
    return bool(free.update(after=now + TAKEN, tries=models.F("tries") + 1))


def forget(notice: Notice) -> None:
    """Keep of a notice that was sent only that it was: not what it said."""
    Notice.objects.filter(pk=notice.pk).update(sent=timezone.now(), data={}, why="")


def put_back(notice: Notice, why: str = "") -> None:
    """Leave a notice that could not be sent for later, and later each time."""
    wait = min(LONGEST_WAIT, timedelta(minutes=2 ** min(notice.tries, 10)))
    Notice.objects.filter(pk=notice.pk).update(after=timezone.now() + wait, why=why[:120])


def stuck(campaign: Campaign) -> Notice | None:
    """A notice of a campaign that has been tried in vain and waits, or None."""
    rows = Notice.objects.filter(campaign=campaign, sent=None, at__gt=timezone.now() - STALE)
    return rows.exclude(why="").order_by("after").first()
