"""What people are to be told by mail: written with what has happened, and sent once.

A notice is a row of the very transaction in which something happened, so that there is none of what
was rolled back, and what was acknowledged is told.  Its key says what it is of: the same
thing is told nobody twice, however often a form is sent.  Who sends takes the row first.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from polemarque.club.models import Campaign, Person
from polemarque.club.timing import Notice

STALE = timedelta(days=1)
"""After which what could not be sent is not news any more."""


def put_out(campaign: Campaign, people: Iterable[Person], text: str, key: str, **data: Any) -> None:
    """Have some people told of something, each once.

    text: family of the mail's subject and body.   data: what they are told with, plain values.
    key:  says what it is of.   To be called within the transaction of what has happened.
    """
    Notice.objects.bulk_create(
        [
            Notice(campaign=campaign, person=person, text=text, key=key, data=data)
            for person in people
        ],
        ignore_conflicts=True,
    )


def waiting(campaign: Campaign) -> list[Notice]:
    """The notices of a campaign that nobody has sent yet, the oldest first."""
    fresh = Notice.objects.filter(sent=None, at__gt=timezone.now() - STALE)
    return list(fresh.filter(campaign=campaign).select_related("person").order_by("pk"))


def take_out(notice: Notice) -> bool:
    """Take a notice to send it; False if somebody else has."""
    return bool(Notice.objects.filter(pk=notice.pk, sent=None).update(sent=timezone.now()))


def forget(notice: Notice) -> None:
    """Keep of a notice that was sent only that it was: not what it said."""
    Notice.objects.filter(pk=notice.pk).update(data={})


def put_back(notice: Notice) -> None:
    """Leave a notice that could not be sent for the next who sends any."""
    Notice.objects.filter(pk=notice.pk).update(sent=None)
