"""What the club keeps of what seats write to each other.

Nothing of it is part of a record.  A letter is its seats': anyone who sits there later reads it
too.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

LONGEST_LETTER = 4000
"""Characters of a letter at most."""


class Letter(models.Model):
    """A letter of one voice of a campaign to others: seats, and "umpire" for its umpires.

    voice:  who wrote it.   among: all who read it, its writer too (see `messages.among_of`).
    person: who wrote it; None once their account is gone, and the text with it.
    once:   names the filled form: sent again it makes no second one.
    struck: when an umpire struck it; nobody reads its text any more.
    """

    campaign = models.ForeignKey("club.Campaign", models.CASCADE, related_name="letters")
    voice = models.CharField(max_length=40)
    among = models.CharField(max_length=500)
    person = models.ForeignKey("club.Person", models.SET_NULL, null=True, related_name="letters")
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)
    once = models.CharField(max_length=64)
    struck = models.DateTimeField(null=True)

    class Meta:
        """In the order in which they were written; a form counts once a campaign."""

        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=["campaign", "once"], name="one_letter"),)


class LetterRead(models.Model):
    """Up to which letter of an exchange somebody has read.   upto: its number."""

    campaign = models.ForeignKey("club.Campaign", models.CASCADE, related_name="letters_read")
    person = models.ForeignKey("club.Person", models.CASCADE, related_name="letters_read")
    among = models.CharField(max_length=500)
    upto = models.PositiveBigIntegerField()

    class Meta:
        """One a person and exchange."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "person", "among"], name="one_read"),
        )


class DoorShut(models.Model):
    """A seat takes no letters from another, but those to everybody."""

    campaign = models.ForeignKey("club.Campaign", models.CASCADE, related_name="doors_shut")
    seat = models.CharField(max_length=40)
    against = models.CharField(max_length=40)

    class Meta:
        """Shut once."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "seat", "against"], name="one_shut"),
        )


class Complaint(models.Model):
    """A letter that a seat has shown to the umpires.   settled: when they had done with it."""

    letter = models.ForeignKey(Letter, models.CASCADE, related_name="complaints")
    seat = models.CharField(max_length=40)
    at = models.DateTimeField(default=timezone.now)
    settled = models.DateTimeField(null=True)

    class Meta:
        """A seat shows a letter once."""

        constraints = (models.UniqueConstraint(fields=["letter", "seat"], name="one_complaint"),)
