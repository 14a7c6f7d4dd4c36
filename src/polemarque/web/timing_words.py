"""How a campaign's time runs, in words."""

from __future__ import annotations

from django.utils.formats import date_format

from polemarque.club.clock.deadlines import MISSES
from polemarque.club.clock.timetable import LEAST, clock_of
from polemarque.club.models import Campaign
from polemarque.web.i18n import say


def timing_words(campaign: Campaign, lang: str) -> list[str]:
    """By when answers are due, what does not count, and what comes afterwards."""
    clock, least = clock_of(campaign), int(LEAST.total_seconds()) // 3600
    if clock.days:
        days = [say(lang, f"clock.day.d{day}") for day in clock.days]
        found = [
            say(lang, "clock.on_dates", days=days, hour=clock.hour, zone=str(clock.where)),
            say(lang, "clock.least", n=least),
        ]
    elif campaign.pace:
        found = [say(lang, "clock.in_hours", n=campaign.pace, turn=clock.turn)]
    else:
        return [say(lang, "clock.no_limit")]
    if clock.turn:
        found.append(say(lang, "clock.for_turn", n=least))
    if clock.weekends:
        found.append(say(lang, "clock.no_weekends"))
    if clock.off:
        dates = [date_format(day, "DATE_FORMAT") for day in clock.off]
        found.append(say(lang, "clock.without", dates=dates))
    if clock.remind:
        found.append(say(lang, "clock.reminds", n=clock.remind))
    if not clock.law:
        return [*found, say(lang, "clock.waits")]
    return [
        *found,
        say(lang, "clock.law_after", n=clock.grace),
        say(lang, "clock.misses", misses=MISSES, n=least),
    ]
