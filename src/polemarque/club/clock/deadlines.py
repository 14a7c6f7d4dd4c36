"""By when a question ought to be answered, and who is away: no clock runs against their seats.

The sheet of a battle for which both sides have agreed on a date is due `SHEET` after it, whatever
the pace; other questions as the campaign's `Clock` says, what time the seat's commander is away
left out.  No time runs while the campaign itself is away, or pauses.  Who comes into a seat is
given the whole time for what is open to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time, timedelta

import msgspec
from django.db import transaction
from django.utils import timezone

from polemarque.club.clock.models import Absence, Meeting, Pause
from polemarque.club.clock.timetable import LEAST, Clock, Span, clock_of, due, stretched
from polemarque.club.models import COMMANDER, RUNNING, Campaign, Holder, Person
from polemarque.club.people.roles import Visit
from polemarque.club.transfer.models import outing_of, pauses
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.request import Key

# Absences ----------------------------------------------------------------------------------------

# Nobody says why they are away.  It holds in all their campaigns; their people and umpires read
# until when, those who only watch do not.

LONGEST_AWAY = 30
"""Days of an absence at most."""

FARTHEST_AWAY = 365
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
    if not today <= since <= until <= today + timedelta(days=FARTHEST_AWAY):
        raise NotUnderstood("away.days", legal=(FARTHEST_AWAY,))
    day = timedelta(days=1)
    touched = person.absences.filter(since__lte=until + day, until__gte=since - day)
    first = min([since, *[each.since for each in touched]])
    last = max([until, *[each.until for each in touched]])
    if (last - first).days >= LONGEST_AWAY:
        raise NotUnderstood("away.long", legal=(LONGEST_AWAY,))
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
    """All absences, past and to come, of the commanders of some seats."""
    held = Holder.objects.filter(
        seat__campaign=campaign,
        seat__code__in=seats,
        role=COMMANDER,
        person__absences__isnull=False,
    )
    people = dict(held.values_list("seat__code", "person"))
    rows = Absence.objects.filter(person__in=people.values()) if people else ()
    return {seat: [row for row in rows if row.person_id == who] for seat, who in people.items()}


def away(visit: Visit) -> dict[str, Absence]:
    """The seats whose commander is away, or is to be so soon: their next absence.

    A reader who only watches is told of nobody.
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


def span(absence: Absence) -> Span:
    """The hours of an absence: from when it was announced, if it had begun by then."""
    return max(_midnight(absence.since), absence.made), _midnight(absence.until, 1)


def _midnight(day: date, later: int = 0) -> datetime:
    """At which a day begins, or another so many days later."""
    return timezone.make_aware(datetime.combine(day + timedelta(days=later), time()))


# Deadlines ---------------------------------------------------------------------------------------

SHEET = timedelta(hours=24)
"""Within which a battle is fought and its sheet returned, from the hour that was agreed on."""

MISSES = 3
"""So many answers in a row that the rules gave in a seat's absence, and it is waited for no longer
than `LEAST`, without grace, until it answers itself."""


class Limit(msgspec.Struct, frozen=True):
    """By when a question is due, and when the rules answer it; None for never."""

    due: datetime | None = None
    last: datetime | None = None


def asked_since(campaign: Campaign, keys: Iterable[Key]) -> datetime:
    """Since when the oldest of some open questions has been open; of all, if none is named."""
    return min([campaign.open_since(key) for key in keys], default=campaign.asked)


def deadline(campaign: Campaign, keys: Iterable[Key]) -> datetime | None:
    """By when the first of some open questions ought to be answered; None where there is no limit,
    in a pause, and while the campaign is away."""
    found = deadlines(campaign, keys).values()
    return min([limit for limit in found if limit is not None], default=None)


def deadlines(campaign: Campaign, keys: Iterable[Key]) -> dict[Key, datetime | None]:
    """By when each of some open questions ought to be answered; None as for `deadline`."""
    return {key: limit.due for key, limit in limits(campaign, keys).items()}


def limits(campaign: Campaign, keys: Iterable[Key]) -> dict[Key, Limit]:
    """The limits of some open questions.  The database is asked once for all of them, and for its
    pauses only where there is a limit."""
    asked = list(keys)
    met = meeting_dates(campaign, asked)
    limited = bool(asked) and (met or campaign.pace or clock_of(campaign).days)
    runs = limited and campaign.stage == RUNNING and outing_of(campaign) is None
    if not runs or paused(campaign) is not None:
        return dict.fromkeys(asked, Limit())
    timing = _timing(campaign, {key.seat for key in asked})
    return {key: timing.limit(key, met.get(key.path)) for key in asked}


class _Timing(msgspec.Struct, frozen=True):
    """What the limits of a campaign follow from.

    out:     when nothing runs for anybody.   away: by seat, when nothing runs for it.
    came:    by seat, when its commander came into it.
    missing: seats that keep missing.
    """

    campaign: Campaign
    clock: Clock
    out: list[Span]
    away: Mapping[str, list[Span]] = {}
    came: Mapping[str, datetime] = {}
    missing: frozenset[str] = frozenset()

    def limit(self, key: Key, meeting: datetime | None) -> Limit:
        """meeting: when its battle is fought, or None."""
        opened = self.campaign.open_since(key)
        if meeting is not None and meeting > opened:  # else it was agreed on for what was before
            return Limit(stretched(meeting, SHEET, self.out))
        away = self.away.get(key.seat, self.out)
        opened = max([opened, *[at for at in (self.campaign.paced, self.came.get(key.seat)) if at]])
        limit = self._due(opened, away)
        if limit is None:
            return Limit()
        last = stretched(limit, timedelta(hours=self.clock.grace), away)
        if key.seat in self.missing:
            limit = last = min(limit, stretched(opened, LEAST, away))
        return Limit(limit, last if self.clock.law else None)

    def _due(self, opened: datetime, away: list[Span]) -> datetime | None:
        """By when what was opened at some moment is due: by itself, or with its turn."""
        began = self.campaign.turned if self.clock.turn else None
        if began is None or began >= opened:
            return due(self.clock, self.campaign.pace, opened, away)
        limit = due(self.clock, self.campaign.pace, began, away)
        return limit and max(limit, stretched(opened, LEAST, away))


def _timing(campaign: Campaign, seats: set[str]) -> _Timing:
    clock, out = clock_of(campaign), [*pauses(campaign), *breaks(campaign)]
    if not (campaign.pace or clock.days):
        return _Timing(campaign, clock, out)
    held = Holder.objects.filter(seat__campaign=campaign, seat__code__in=seats, role=COMMANDER)
    came = {seat: at for seat, at in held.values_list("seat__code", "since") if at is not None}
    away = {seat: [*out, *map(span, rows)] for seat, rows in absences_of(campaign, seats).items()}
    missing = frozenset(_missing(campaign, seats) if clock.law else ())
    return _Timing(campaign, clock, out, away, came, missing)


def _missing(campaign: Campaign, seats: Iterable[str]) -> Iterator[str]:
    """The seats whose commanders the rules have stood in for, time after time."""
    held = Holder.objects.filter(seat__campaign=campaign, role=COMMANDER)
    people = dict(held.values_list("seat__code", "person"))
    for seat in seats:
        rows = campaign.replies.filter(seat=seat, person=people.get(seat)).order_by("-pk")
        last = list(rows.values_list("absent", flat=True)[:MISSES])
        if len(last) == MISSES and all(last):
            yield seat


def breaks(campaign: Campaign) -> list[Span]:
    """The pauses of a campaign that are over: no time ran."""
    rows = Pause.objects.filter(campaign=campaign, ended__isnull=False)
    return [(at, ended) for at, ended in rows.values_list("at", "ended") if ended is not None]


def paused(campaign: Campaign) -> Pause | None:
    """The pause that a campaign is in, or None."""
    return Pause.objects.filter(campaign=campaign, ended=None).first()


def late(campaign: Campaign, keys: Iterable[Key]) -> set[Key]:
    """Those of some open questions that have been open for longer than they ought to be."""
    now = timezone.now()
    return {
        key for key, limit in deadlines(campaign, keys).items() if limit is not None and now > limit
    }


def overdue(campaign: Campaign, keys: Iterable[Key]) -> bool:
    """Whether one of some open questions has been open for longer than it ought to be."""
    limit = deadline(campaign, keys)
    return limit is not None and timezone.now() > limit


def meeting_dates(campaign: Campaign, keys: Iterable[Key]) -> dict[str, datetime]:
    """By path, when the battles of some questions are fought, as far as that is agreed on."""
    paths = {key.path for key in keys if key.path}
    if not paths:
        return {}
    agreed = Meeting.objects.filter(campaign=campaign, path__in=paths, agreed__isnull=False)
    return dict(agreed.values_list("path", "at"))


def pressing(campaign: Campaign, keys: Iterable[Key]) -> list[Key]:
    """Those of some open questions that may be pressed for: their battle's hour is not to come."""
    asked = list(keys)
    dates, now = meeting_dates(campaign, asked), timezone.now()
    return [key for key in asked if key.path not in dates or dates[key.path] <= now]
