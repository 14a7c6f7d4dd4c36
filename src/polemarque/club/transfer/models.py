"""Campaigns that are played elsewhere for a while: the rows, and what is shut meanwhile.

The club that a campaign left keeps an `Outing`, the club on the laptop in the hall a `Stay`.  Of
the two copies one at most can be played: the record cannot go on in two ways.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import models
from django.utils import timezone

from polemarque.club.models import Campaign
from polemarque.kernel.errors import NotAllowed


class Away(NotAllowed):
    """Nothing is entered here: the campaign is played elsewhere."""


class Outing(models.Model):
    """That a campaign has left its club: nothing is entered here until it ends.

    mark:   by which the file is known again.   code: what it is sealed with.
    number, head: of the record when it left.   by: who took it, None for the club's operator.
    ended:  when it came back, or was called back.   returned: number of entries with which it came
    back; None while it is away, and if it was called back.
    looked: what umpires have read here meanwhile, as [person's number, kind]: entered at its end.
    """

    campaign = models.ForeignKey("club.Campaign", models.CASCADE, related_name="outings")
    mark = models.CharField(max_length=32, unique=True)
    code = models.CharField(max_length=40)
    number = models.PositiveIntegerField()
    head = models.CharField(max_length=64)
    by = models.ForeignKey("club.Person", models.SET_NULL, null=True, related_name="outings")
    at = models.DateTimeField(default=timezone.now)
    ended = models.DateTimeField(null=True)
    ended_by = models.ForeignKey("club.Person", models.SET_NULL, null=True, related_name="+")
    returned = models.PositiveIntegerField(null=True)
    looked = models.JSONField(default=list)

    class Meta:
        """It is away once at a time."""

        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=["campaign"], condition=models.Q(ended=None), name="one_outing"
            ),
        )

    @property
    def who(self) -> str:
        """Who took it; "" for the club's own operator, and once their account is gone."""
        return str(self.by or "")


class Stay(models.Model):
    """That a campaign of another club is played here for a while.

    mark, code: as its `Outing` has them.   number: of entries with which it came.
    sent: when it was sent home; nothing is entered here from then on.
    """

    campaign = models.ForeignKey("club.Campaign", models.CASCADE, related_name="stays")
    mark = models.CharField(max_length=32, unique=True)
    code = models.CharField(max_length=40)
    number = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now)
    sent = models.DateTimeField(null=True)
    sent_by = models.ForeignKey("club.Person", models.SET_NULL, null=True, related_name="+")

    class Meta:
        """The last one counts."""

        ordering = ("pk",)

    @property
    def who(self) -> str:
        """Who sent it home; "" for the club's own operator, and once their account is gone."""
        return str(self.sent_by or "")


def outing_of(campaign: Campaign) -> Outing | None:
    """The outing that a campaign is on, or None."""
    return Outing.objects.filter(campaign=campaign, ended=None).select_related("by").first()


def stay_of(campaign: Campaign) -> Stay | None:
    """The last stay here of a campaign that is at home elsewhere, or None."""
    return Stay.objects.filter(campaign=campaign).select_related("sent_by").last()


class Shut(NamedTuple):
    """Why nothing is entered here.   why: "out" or "sent".   who, at: as its row has them."""

    why: str
    who: str
    at: datetime


def shut_of(campaign: Campaign) -> Shut | None:
    """Why nothing of a campaign is entered here at present, or None where it is played here."""
    outing = outing_of(campaign)
    if outing is not None:
        return Shut("out", outing.who, outing.at)
    stay = stay_of(campaign)
    if stay is not None and stay.sent is not None:
        return Shut("sent", stay.who, stay.sent)
    return None


def check_here(campaign: Campaign) -> None:
    """Raises Away, saying since when and who took it, where a campaign is not played here.

    To be called within the transaction in which something of it is written.
    """
    shut = shut_of(campaign)
    if shut is not None:
        raise Away(f"hall.{shut.why}", part=shut.who, at=hour(shut.at))


def is_here(campaign: Campaign) -> bool:
    """Whether a campaign is played here."""
    return shut_of(campaign) is None


def hour(at: datetime) -> str:
    """A moment by the club's clock, to the minute, as every reader can read it."""
    return timezone.localtime(at).strftime("%Y-%m-%d %H:%M")


def pauses(campaign: Campaign) -> list[tuple[datetime, datetime]]:
    """The times during which a campaign was away: no deadline ran."""
    ended = Outing.objects.filter(campaign=campaign, ended__isnull=False)
    return [(at, until) for at, until in ended.values_list("at", "ended") if until is not None]
