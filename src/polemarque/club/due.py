"""By when a question ought to be answered: the campaign's pace, or the date of a battle.

The sheet of a battle for which both sides have agreed on a date is due `SHEET` after it, whatever
the pace; other questions so many hours after they were put, those left out in which whoever
commands the seat is away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from polemarque.club.absence import absences_of, stretched
from polemarque.club.models import LONGEST_PACE, RUNNING, Campaign
from polemarque.club.timing import Absence, Meeting
from polemarque.kernel.request import Key

SHEET = timedelta(hours=24)
"""Within which a battle is fought and its sheet returned, from the hour that was agreed on."""


def asked_since(campaign: Campaign, keys: Iterable[Key]) -> datetime:
    """Since when the oldest of some open questions has been open; of all, if none is named."""
    return min([campaign.open_since(key) for key in keys], default=campaign.asked)


def deadline(campaign: Campaign, keys: Iterable[Key]) -> datetime | None:
    """By when the first of some open questions ought to be answered, of all if none is named; None
    where there is no limit."""
    asked = list(keys)
    if not asked and campaign.stage == RUNNING:
        return _paced(campaign, campaign.asked, ())
    limits = deadlines(campaign, asked).values()
    return min([limit for limit in limits if limit is not None], default=None)


def deadlines(campaign: Campaign, keys: Iterable[Key]) -> dict[Key, datetime | None]:
    """By when each of some open questions ought to be answered; None where there is no limit.

    The database is asked once for all of them.
    """
    asked = list(keys)
    if campaign.stage != RUNNING:
        return dict.fromkeys(asked)
    dates = meeting_dates(campaign, asked)
    absences = absences_of(campaign, {key.seat for key in asked}) if campaign.pace else {}
    return {key: _due(campaign, key, dates, absences.get(key.seat, ())) for key in asked}


def late(campaign: Campaign, keys: Iterable[Key]) -> set[Key]:
    """Those of some open questions that have been open for longer than they ought to be."""
    now = timezone.now()
    limits = deadlines(campaign, keys)
    return {key for key, limit in limits.items() if limit is not None and now > limit}


def _due(
    campaign: Campaign, key: Key, dates: Mapping[str, datetime], absences: Sequence[Absence]
) -> datetime | None:
    """dates: as `meeting_dates` has them.   absences: of whoever commands the seat."""
    opened = campaign.open_since(key)
    if key.path in dates and dates[key.path] > opened:  # else it was agreed on for what was before
        return dates[key.path] + SHEET
    return _paced(campaign, opened, absences)


def _paced(campaign: Campaign, opened: datetime, absences: Sequence[Absence]) -> datetime | None:
    if not campaign.pace:
        return None
    return stretched(opened, timedelta(hours=min(campaign.pace, LONGEST_PACE)), absences)


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
