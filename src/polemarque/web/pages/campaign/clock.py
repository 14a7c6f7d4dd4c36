"""How the time of a campaign runs: read by everybody in it, set by its umpires, voted on by its
seats."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse, QueryDict
from django.shortcuts import render

from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import seat_names
from polemarque.club.clock.deadlines import paused
from polemarque.club.clock.pauses import umpire_pauses, votable, vote, votes_for, wanted
from polemarque.club.clock.timetable import LONGEST_GRACE, Clock, clock_of
from polemarque.club.models import FIRST_PACE, LONGEST_HOOK, LONGEST_PACE, MUSTER, RUNNING, Campaign
from polemarque.club.people.roles import Visit
from polemarque.club.people.umpire_vote import seats_of_people
from polemarque.club.umpire.dashboard import set_clock
from polemarque.kernel.errors import NotUnderstood, Refusal
from polemarque.web.access import ClubRequest, commander, inside, page, umpire, umpire_begun
from polemarque.web.actions import action
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import refusal_text, say
from polemarque.web.pages.campaign.campaign import frame_of
from polemarque.web.timing_words import timing_words
from polemarque.web.webhooks import checked_hook

NONE, HOURS, DATES = "none", "hours", "dates"
"""How much time there is: no limit, so many hours, until a date of the calendar."""

DAYS = range(7)


@page(inside)
def clock(request: ClubRequest, visit: Visit) -> HttpResponse:
    """How time runs; the umpire's form, and the votes of the seats."""
    return _shown(request, visit, {})


def _shown(
    request: ClubRequest, visit: Visit, errors: Mapping[str, str], status: int = 200
) -> HttpResponse:
    """The page.   errors: why what was sent is not taken."""
    lang, campaign = request.lang, visit.campaign
    context: dict[str, Any] = {"visit": visit, "campaign": campaign, "when": "", "votes": []}
    if campaign.stage != MUSTER:
        with read_lock(campaign) as table:
            context |= frame_of(visit, table, lang)
            names = seat_names(table.game, lang)
        if campaign.stage == RUNNING and not campaign.show:
            context["votes"] = _votes(visit, names)
    fields = _typed(request.POST) if errors else _as_it_is(visit)
    context |= {
        "timing": timing_words(campaign, lang),
        "pause": paused(campaign),
        "fields": fields,
        "errors": errors,
        "days": [(day, say(lang, f"clock.day.d{day}"), str(day) in fields["days"]) for day in DAYS],
        "longest_pace": LONGEST_PACE,
        "first_pace": FIRST_PACE,
        "longest": LONGEST_GRACE,
        "longest_hook": LONGEST_HOOK,
        "hook": urlsplit(campaign.hook).hostname if visit.umpire else "",
    }
    return render(request, "clock/clock.html", context, status=status)


def _as_it_is(visit: Visit) -> dict[str, Any]:
    """The form as the clock stands."""
    now, hours = clock_of(visit.campaign), visit.campaign.pace
    return {
        "limit": DATES if now.days else HOURS if hours else NONE,
        "pace": hours or 72, "days": [str(day) for day in now.days], "hour": now.hour,
        "zone": now.zone or settings.TIME_ZONE, "turn": now.turn, "weekends": now.weekends,
        "off": ", ".join([day.isoformat() for day in now.off]),
        "remind": now.remind, "grace": now.grace, "law": now.law,
    }  # fmt: skip


def _typed(posted: QueryDict) -> dict[str, Any]:
    """The form as it was sent."""
    fields: dict[str, Any] = {
        name: posted.get(name, "").strip()
        for name in ("limit", "pace", "hour", "zone", "off", "remind", "grace")
    }
    chosen = {name: bool(posted.get(name)) for name in ("turn", "weekends", "law")}
    return {**fields, **chosen, "days": posted.getlist("day")}


def _clock_in(fields: Mapping[str, Any]) -> Clock:
    """Raises NotUnderstood."""
    hours = [whole(fields[name] or "0") for name in ("remind", "grace")]
    if None in hours:
        raise NotUnderstood("clock.hours", legal=(LONGEST_GRACE,))
    days = tuple([whole(day) or 0 for day in fields["days"]])
    if fields["limit"] == DATES and not days:
        raise NotUnderstood("clock.days")
    return Clock(
        days if fields["limit"] == DATES else (), fields["hour"] or "21:00", fields["zone"],
        tuple([_day(each) for each in fields["off"].replace(",", " ").replace(";", " ").split()]),
        fields["weekends"], fields["turn"], hours[0] or 0, hours[1] or 0, fields["law"],
    )  # fmt: skip


def _day(typed: str) -> date:
    """A day as it is typed in either language.  Raises NotUnderstood."""
    for form in ("%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y"):
        try:
            return datetime.strptime(typed, form).replace(tzinfo=UTC).date()
        except ValueError:
            continue
    raise NotUnderstood("clock.off_day", part=typed[:20])


@action(umpire, "clock")
def clock_set(request: ClubRequest, visit: Visit) -> HttpResponse | str:
    """Take the form."""
    lang, fields = request.lang, _typed(request.POST)
    try:
        hours = whole(fields["pace"]) if fields["limit"] == HOURS else 0
        if hours is None or fields["limit"] not in {NONE, HOURS, DATES}:
            raise NotUnderstood("desk.bad_pace", legal=(f"0-{LONGEST_PACE}",))
        if fields["limit"] == DATES:
            hours = visit.campaign.pace
        set_clock(visit, hours, _clock_in(fields))
    except Refusal as refusal:
        return _shown(request, visit, {"form": refusal_text(lang, refusal)}, 422)
    return say(lang, "clock.is_set")


@action(umpire, "clock")
def announce(request: ClubRequest, visit: Visit) -> HttpResponse | str:
    """Say where public news go: a webhook, a feed; without a new address the old one stays."""
    lang, posted = request.lang, request.POST
    found = Campaign.objects.filter(pk=visit.campaign.pk)
    try:
        address = checked_hook(posted.get("hook", "").strip())
    except Refusal as refusal:
        return _shown(request, visit, {"form": refusal_text(lang, refusal)}, 422)
    if address or posted.get("no_hook"):
        found.update(hook=address)
    found.update(feed=bool(posted.get("feed")))
    return say(lang, "hook.is_set")


# Pauses and votes --------------------------------------------------------------------------------


@action(umpire_begun, "clock")
def pause(request: ClubRequest, visit: Visit) -> str:
    """Have time stand still, or run again."""
    stop = request.POST.get("do") == "pause"
    umpire_pauses(visit, stop)
    return say(request.lang, "clock.paused_now", stop=stop)


@action(commander, "clock")
def vote_for(request: ClubRequest, visit: Visit, seat: str) -> str:
    """Give a seat's vote, or take it back."""
    done = vote(visit, seat, request.POST.get("what", ""))
    return say(request.lang, "clock.voted", done=done)


def _votes(visit: Visit, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """What can be voted for, who has, and the reader's own seats, each with whether it has."""
    campaign = visit.campaign
    mine = [seat for seat in seats_of_people(campaign) if visit.commands(seat)]
    found = []
    for what in votable(campaign):
        given = votes_for(campaign, what)
        found.append({
            "what": what,
            "given": [names.get(seat, seat) for seat in given],
            "wanted": wanted(campaign, what),
            "mine": [(seat, names.get(seat, seat), seat in given) for seat in mine],
        })  # fmt: skip
    return found
