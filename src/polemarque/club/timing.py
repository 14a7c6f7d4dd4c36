"""What the club keeps of time: when battles are fought, who is away, how soon answers come; and
what is told of it by mail.

Nothing of it is part of a record, and all of it goes with the account that it is of.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

LONGEST_WHERE = 120
"""Characters of what is said of where a battle is fought."""


class Meeting(models.Model):
    """When and where two sides meet to fight a battle on the table; it goes with whoever proposed.

    path:   of the battle.   at: the hour.   where: in his words, or "".
    words:  the seats that have agreed, and "umpire" where his word is needed.
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
    """Somebody is away, from one day to another, both included.   made: when he said so."""

    person = models.ForeignKey("club.Person", models.CASCADE, related_name="absences")
    since = models.DateField()
    until = models.DateField()
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        """The next first."""

        ordering = ("since",)

    @property
    def begun(self) -> bool:
        """Whether he is away by now."""
        return self.since <= timezone.localdate()


class Reply(models.Model):
    """That a question was answered, and how soon: what is read of somebody's reliability.

    person: who commanded the seat, or was its guest in that battle (see `replies`).
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
    """That somebody is to be told of something by mail, and whether he has been (see `outbox`).

    key: says what it is of.   text: family of the mail's subject and body.   data: of that text.
    sent: when it was taken to be sent; None before.
    """

    campaign = models.ForeignKey("club.Campaign", models.CASCADE, related_name="notices")
    person = models.ForeignKey("club.Person", models.CASCADE, related_name="notices")
    key = models.CharField(max_length=80)
    text = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)
    sent = models.DateTimeField(null=True)

    class Meta:
        """The same is told nobody twice."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "person", "key"], name="one_notice"),
        )
