"""By when a question ought to be answered: the campaign's pace, or the date of a battle.

The sheet of a battle for which both sides have agreed on a date is due `SHEET` after it, whatever
the pace; other questions so many hours after they were put, those left out in which whoever
commands the seat is away.  No hour runs while the campaign itself is away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from polemarque.club.absence import Span, absences_of, span, stretched
from polemarque.club.models import LONGEST_PACE, RUNNING, Campaign
from polemarque.club.outings import outing_of, pauses
from polemarque.club.timing import Meeting
from polemarque.kernel.request import Key

SHEET = timedelta(hours=24)
"""Within which a battle is fought and its sheet returned, from the hour that was agreed on."""


def asked_since(campaign: Campaign, keys: Iterable[Key]) -> datetime:
    """Since when the oldest of some open questions has been open; of all, if none is named."""
    return min([campaign.open_since(key) for key in keys], default=campaign.asked)


def deadline(campaign: Campaign, keys: Iterable[Key]) -> datetime | None:
    """By when the first of some open questions ought to be answered, of all if none is named; None
    where there is no limit, and while the campaign is away."""
    asked = list(keys)
    if not asked:
        return _paced(campaign, campaign.asked, pauses(campaign)) if _runs(campaign) else None
    limits = deadlines(campaign, asked).values()
    return min([limit for limit in limits if limit is not None], default=None)


def deadlines(campaign: Campaign, keys: Iterable[Key]) -> dict[Key, datetime | None]:
    """By when each of some open questions ought to be answered; None as for `deadline`.

    The database is asked once for all of them.
    """
    asked = list(keys)
    if not _runs(campaign):
        return dict.fromkeys(asked)
    dates, out = meeting_dates(campaign, asked), pauses(campaign)
    absences = absences_of(campaign, {key.seat for key in asked}) if campaign.pace else {}
    away = {seat: [*out, *map(span, rows)] for seat, rows in absences.items()}
    return {key: _due(campaign, key, dates, out, away.get(key.seat, out)) for key in asked}


def _runs(campaign: Campaign) -> bool:
    """Whether a campaign is played, and here."""
    return campaign.stage == RUNNING and outing_of(campaign) is None


def late(campaign: Campaign, keys: Iterable[Key]) -> set[Key]:
    """Those of some open questions that have been open for longer than they ought to be."""
    now = timezone.now()
    limits = deadlines(campaign, keys)
    return {key for key, limit in limits.items() if limit is not None and now > limit}


def _due(
    campaign: Campaign, key: Key, dates: Mapping[str, datetime], out: Sequence[Span],
    away: Sequence[Span],
) -> datetime | None:  # fmt: skip
    """dates: as `meeting_dates` has them.   out: when the campaign is away.   away: when it is, or
    whoever commands the seat."""
    opened = campaign.open_since(key)
    if key.path in dates and dates[key.path] > opened:  # else it was agreed on for what was before
        return stretched(dates[key.path], SHEET, out)
    return _paced(campaign, opened, away)


def _paced(campaign: Campaign, opened: datetime, away: Sequence[Span]) -> datetime | None:
    if not campaign.pace:
        return None
    return stretched(opened, timedelta(hours=min(campaign.pace, LONGEST_PACE)), away)


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
