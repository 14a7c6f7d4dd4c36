"""Absences that people announce: no clock runs against a seat while its commander is away.

Nothing is said of why.  It holds in all campaigns of whoever is away; their people and umpires read
until when, those who only watch do not.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.utils import timezone

from polemarque.club.models import COMMANDER, Campaign, Holder, Person
from polemarque.club.roles import Visit
from polemarque.club.timing import Absence
from polemarque.kernel.errors import NotUnderstood

LONGEST = 30
"""Days of an absence at most."""

FARTHEST = 365
"""Days ahead that its last day may lie, at most."""

TOLD = timedelta(days=14)
"""So long before it begins an absence is told."""


@transaction.atomic
def announce(person: Person, since: date, until: date) -> Absence:
    """Announce an absence from one day to another, both included; those that it touches become
    one with it.

    Raises NotUnderstood on days in no order or that have passed, on one that ends too far away, or
    on too many days together.
    """
    today = timezone.localdate()
    if not today <= since <= until <= today + timedelta(days=FARTHEST):
        raise NotUnderstood("away.days", legal=(FARTHEST,))
    day = timedelta(days=1)
    touched = person.absences.filter(since__lte=until + day, until__gte=since - day)
    first = min([since, *[each.since for each in touched]])
    last = max([until, *[each.until for each in touched]])
    if (last - first).days >= LONGEST:
        raise NotUnderstood("away.long", legal=(LONGEST,))
    made = min([timezone.now(), *[each.made for each in touched]])
    touched.delete()
    return Absence.objects.create(person=person, since=first, until=last, made=made)


@transaction.atomic
def come_back(person: Person, number: int) -> None:
    """Take an absence back; of one that has begun the days that are past stand."""
    today = timezone.localdate()
    begun = person.absences.filter(pk=number, since__lt=today, until__gte=today)
    if not begun.update(until=today - timedelta(days=1)):
        person.absences.filter(pk=number, until__gte=today).delete()


def announced(person: Person) -> list[Absence]:
    """The absences of a person that are not over."""
    return list(person.absences.filter(until__gte=timezone.localdate()))


def absences_of(campaign: Campaign, seats: Iterable[str]) -> dict[str, list[Absence]]:
    """All absences, past and to come, of whoever commands each of some seats."""
    held = Holder.objects.filter(
        seat__campaign=campaign, seat__code__in=[*seats], role=COMMANDER,
        person__absences__isnull=False,
    )  # fmt: skip
    people = dict(held.values_list("seat__code", "person"))
    rows = Absence.objects.filter(person__in=people.values()) if people else ()
    return {seat: [row for row in rows if row.person_id == who] for seat, who in people.items()}


def away(visit: Visit) -> dict[str, Absence]:
    """The seats whose commander is away, or is to be so soon: his next absence.

    Nobody, for whoever only watches.
    """
    if not (visit.seats or visit.umpire):
        return {}
    today = timezone.localdate()
    seats = visit.campaign.seats.values_list("code", flat=True)
    found = {}
    for seat, rows in absences_of(visit.campaign, seats).items():
        near = [row for row in rows if row.until >= today and row.since <= today + TOLD]
        if near:
            found[seat] = min(near, key=lambda row: row.since)
    return found


Span = tuple[datetime, datetime]
"""From when to when somebody, or all the campaign, is away."""


def span(absence: Absence) -> Span:
    """The hours of an absence: from when it was announced, if it had begun by then."""
    return max(_midnight(absence.since), absence.made), _midnight(absence.until, 1)


def stretched(opened: datetime, given: timedelta, away: Iterable[Span]) -> datetime:
    """By when a question ought to be answered that was put at some hour, with so much time for it,
    none of which runs while somebody is away; what two absences share counts once."""
    due, known = opened + given, opened
    for begins, ends in sorted(away):
        begins = max(begins, known)
        if begins < due and ends > begins:
            due += ends - begins
            known = ends
    return due


def _midnight(day: date, later: int = 0) -> datetime:
    """At which a day begins, or another so many days later."""
    return timezone.make_aware(datetime.combine(day + timedelta(days=later), time()))
