"""How a campaign's time is given: hours or dates of a calendar, days off, a reminder, grace, and
what comes after it.

An hour of the clock that daylight saving leaves out is the first moment after the gap; one that
comes twice is the first of the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

import msgspec
from django.conf import settings

from polemarque.club.models import LONGEST_PACE, Campaign
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.decoding import always, convert

Span = tuple[datetime, datetime]
"""From when to when somebody, or all the campaign, is away."""

LEAST = timedelta(hours=12)
"""A question is put at least so long before the date, or the end of the turn, by which it is due;
and a seat that keeps missing has no longer than that."""

MOST_OFF, LONGEST_GRACE = 60, 24 * 14
"""Dates that can be left out, hours of grace or before which a reminder is sent, at most."""

WEEKEND = (5, 6)
DAY = timedelta(days=1)


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """How questions are timed, beside the hours that each is given (`Campaign.pace`).

    days:     weekdays on which answers are due, 0 for Monday; none: the hours count.
    hour, zone: when on such a day, "21:00", and by whose clock, "Europe/Paris"; "" for the club's.
    off:      days on which nothing is due and no hour runs.   weekends: whether so on weekends.
    turn:     whether one date holds for all that is asked in a turn.
    remind:   hours before, 0 for no reminder.   grace: hours afterwards.
    law:      whether the rules then answer for the absent; else the campaign waits.
    """

    days: tuple[int, ...] = ()
    hour: str = always("21:00")
    zone: str = ""
    off: tuple[date, ...] = ()
    weekends: bool = False
    turn: bool = False
    remind: int = 0
    grace: int = 0
    law: bool = False

    @property
    def where(self) -> ZoneInfo:
        """Whose clock it is."""
        return ZoneInfo(self.zone or settings.TIME_ZONE)

    def is_off(self, day: date) -> bool:
        """Whether a day is left out."""
        return day in self.off or (self.weekends and day.weekday() in WEEKEND)


def clock_of(campaign: Campaign) -> Clock:
    """How a campaign's questions are timed."""
    return convert(campaign.clock, Clock)


def checked(clock: Clock) -> Clock:
    """The same, put in order.  Raises NotUnderstood on what no clock or calendar has."""
    if clock.zone and clock.zone not in available_timezones():
        raise NotUnderstood("clock.zone", part=clock.zone[:40])
    try:
        hour = time.fromisoformat(clock.hour)
    except ValueError:
        raise NotUnderstood("clock.hour", part=clock.hour[:20]) from None
    if not set(clock.days) <= set(range(7)):
        raise NotUnderstood("clock.days")
    if clock.weekends and clock.days and set(clock.days) <= set(WEEKEND):
        raise NotUnderstood("clock.never")
    if len(clock.off) > MOST_OFF:
        raise NotUnderstood("clock.off", legal=(MOST_OFF,))
    if not (0 <= clock.grace <= LONGEST_GRACE and 0 <= clock.remind <= LONGEST_GRACE):
        raise NotUnderstood("clock.hours", legal=(LONGEST_GRACE,))
    return msgspec.structs.replace(
        clock, days=tuple(sorted(set(clock.days))), off=tuple(sorted(set(clock.off))),
        hour=f"{hour:%H:%M}",
    )  # fmt: skip


def gives_no_less(before: Clock, after: Clock) -> bool:
    """Whether nobody has less time by another clock, beside the hours, nor is answered for sooner.

    To be waited for longer is never less; which dates are, only where none is added.
    """
    same = (before.hour, before.where) == (after.hour, after.where) or not before.days
    return (
        same
        and before.turn == after.turn
        and set(after.days) <= set(before.days)
        and bool(after.days) == bool(before.days)
        and set(before.off) <= set(after.off)
        and before.weekends <= after.weekends
        and before.grace <= after.grace
        and before.law >= after.law
    )


# When --------------------------------------------------------------------------------------------


def moment(day: date, hour: time, zone: ZoneInfo) -> datetime:
    """When a clock on the wall shows an hour: the first moment after a gap that has swallowed it,
    and the first of two."""
    shown = datetime.combine(day, hour, zone)
    before, after = shown.replace(fold=1).astimezone(UTC), shown.astimezone(UTC)
    offset = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):  # in a gap alone: look where it lies
        middle = before + timedelta(seconds=(after - before) // timedelta(seconds=2))
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after


def dates(clock: Clock, since: datetime) -> Iterator[datetime]:
    """The dates of a calendar from some moment on."""
    hour, zone = time.fromisoformat(clock.hour), clock.where
    day = since.astimezone(zone).date()
    while True:
        if day.weekday() in clock.days and not clock.is_off(day):
            at = moment(day, hour, zone)
            if at >= since:
                yield at
        day += DAY


def due(clock: Clock, hours: int, opened: datetime, away: Sequence[Span]) -> datetime | None:
    """By when something that was opened at some moment is due; None without a limit.

    hours: given where there are no dates.   away: when no time runs.
    """
    if clock.days:
        first = stretched(opened, LEAST, away)
        free = (at for at in dates(clock, first) if not any(a <= at < b for a, b in away))
        return next(free)
    if not hours:
        return None
    return _without_days_off(clock, opened, timedelta(hours=min(hours, LONGEST_PACE)), away)


def _without_days_off(
    clock: Clock, opened: datetime, given: timedelta, away: Sequence[Span]
) -> datetime:
    found, zone, spans = stretched(opened, given, away), clock.where, [*away]
    if not (clock.weekends or clock.off):
        return found
    day = opened.astimezone(zone).date()
    while (begins := moment(day, time(), zone)) < found:
        if clock.is_off(day):
            spans.append((begins, moment(day + DAY, time(), zone)))
            found = stretched(opened, given, spans)
        day += DAY
    return found


def stretched(opened: datetime, given: timedelta, away: Iterable[Span]) -> datetime:
    """By when a question ought to be answered that was put at some hour, with so much time for it,
    none of which runs while somebody is away; what two absences share counts once."""
    limit, known = opened + given, opened
    for begins, ends in sorted(away):
        begins = max(begins, known)
        if begins < limit and ends > begins:
            limit += ends - begins
            known = ends
    return limit
