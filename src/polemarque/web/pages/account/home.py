"""The first page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from django.db import DatabaseError
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse

from polemarque.club.campaigns.lobby import empty_seats, plan_of, system_title
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import (
    LATE,
    WAITING,
    period_shown,
    public_names,
    readiness,
    umpire_awaited,
)
from polemarque.club.campaigns.visibility import seat_names as played_names
from polemarque.club.clock.battle_dates import booked
from polemarque.club.clock.deadlines import asked_since, overdue
from polemarque.club.messages.messages import unread
from polemarque.club.models import MUSTER, OVER, RUNNING, Campaign, Guest, Person
from polemarque.club.people.guests import battle_of
from polemarque.club.people.roles import Visit, visit_of
from polemarque.club.people.umpire_vote import silent_since
from polemarque.report.labels import Book
from polemarque.web.access import ClubRequest, anyone, page
from polemarque.web.i18n import elapsed, say
from polemarque.web.pages.campaign.campaign import when
from polemarque.web.pages.lobby.new_campaign import seat_names
from polemarque.web.todo import decisions_on, pressing_on, waiting_on

log = logging.getLogger(__name__)

WATCHED = 20
"""How many public campaigns of others are listed, newest first."""

MOST_BATTLES = 10
"""How many battles in which the reader is a guest are listed, the newest."""


@page(anyone)
def icon(request: ClubRequest) -> HttpResponse:
    """Where browsers look for an icon that no page named: papers and files have none."""
    return redirect(static("img/favicon.svg"))


@page(anyone)
def home(request: ClubRequest) -> HttpResponse:
    """What this is; or the reader's campaigns, and what is asked of them."""
    shows = Campaign.objects.filter(show=True)
    if not isinstance(request.user, Person):
        return render(request, "home/welcome.html", {"shows": shows})
    lang = request.lang
    mine = Campaign.objects.filter(seats__holders__person=request.user)
    umpired = Campaign.objects.filter(umpires__person=request.user)
    involved = Q(seats__holders__person=request.user) | Q(umpires__person=request.user)
    open_to_me = Q(public=True) | Q(watchers__person=request.user)
    watched = Campaign.objects.filter(open_to_me, show=False).exclude(
        pk__in=Campaign.objects.filter(involved).values("pk")
    )
    played = _entries(mine, request.user, lang)
    only_umpired = _entries(umpired.exclude(pk__in=mine.values("pk")), request.user, lang)
    context = {
        "mine": played,
        "umpired": only_umpired,
        "decisions": sum([line.decides for line in (*played, *only_umpired)]),
        "guest": guest_lines(request.user, lang),
        "watched": _entries(watched, request.user, lang, WATCHED),
        "shows": _entries(shows.exclude(pk__in=mine.values("pk")), request.user, lang),
    }
    return render(request, "home/campaigns.html", context)


# Campaigns as a table of contents ----------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A campaign in the contents (see parts/contents.html), or a battle inside it.

    stage: orders them: what is played first, then what musters, then what is over.
    decides: how many questions of the rules wait for the reader as umpire.
    battle: the path of the one in which the reader commands a side as a guest, "" for none.
    """

    stage: str
    campaign: Campaign
    page: str
    below: tuple[str, ...]
    due: str = ""
    decides: int = 0
    battle: str = ""

    @property
    def words(self) -> str:
        """The campaign's title."""
        return self.campaign.title

    @property
    def url(self) -> str:
        """Where it is: for an umpire whom its rules wait for, the desk."""
        if self.battle:
            return reverse("guest", kwargs={"code": self.campaign.code, "path": self.battle})
        name = "desk" if self.decides else "campaign"
        return reverse(name, kwargs={"code": self.campaign.code})


def _entries(
    found: QuerySet[Campaign], reader: Person, lang: str, most: int | None = None
) -> list[Line]:
    newest = found.distinct().order_by("-made")[:most]
    lines = [
        _or_fault(campaign, partial(_line, visit_of(campaign, reader), lang), lang)
        for campaign in newest
    ]
    order = (RUNNING, MUSTER, OVER)
    return sorted(lines, key=lambda line: (not line.decides, not line.due, order.index(line.stage)))


def _or_fault(campaign: Campaign, line: Callable[[], Line], lang: str, battle: str = "") -> Line:
    """A campaign that cannot be opened, for want of its rules perhaps, hides no other."""
    try:
        return line()
    except DatabaseError:
        raise
    except Exception:
        log.exception("campaign %s cannot be told", campaign.code)
        stage = OVER if battle else campaign.stage
        return Line(stage, campaign, "", (say(lang, "home.unreadable"),), battle=battle)


def _line(visit: Visit, lang: str) -> Line:
    campaign = visit.campaign
    plan = plan_of(campaign)
    below = [system_title(plan, lang)]
    if campaign.stage != RUNNING:
        below += _my_seats(visit, seat_names(plan, lang), lang)
    if campaign.stage == OVER:  # its record need not be played again for that
        return Line(OVER, campaign, say(lang, "home.over"), tuple(below))
    if campaign.stage == MUSTER:
        below.append(say(lang, "home.free", n=len(empty_seats(campaign))))
        return Line(MUSTER, campaign, say(lang, "home.muster"), tuple(below))
    with read_lock(campaign) as table:
        below += _my_seats(visit, played_names(table.game, lang), lang)
        if any(battle.may_agree for battle in booked(visit, table)):
            below.append(say(lang, "battles.yours"))
        if new := unread(visit):
            below.append(say(lang, "letters.home", n=new))
        due = pressing_on(visit, table, lang)
        decides = len(umpire_awaited(visit, table)) if visit.umpire else 0
        decisions = decisions_on(visit, table, lang)
        due = " ".join([said for said in (decisions, due) if said])
        if visit.umpire and silent_since(campaign) is not None:
            due = say(lang, "naming.home")
        waits = waiting_on(visit, table, lang) if visit.seats and not due else ""
        if waits:
            below.append(waits)
        elif visit.umpire and not due:
            below += _awaited(visit, table, lang)
        stands = when(table.game.header.system, period_shown(table.game), lang)
        return Line(RUNNING, campaign, stands, tuple(below), due, decides=decides)


def _my_seats(visit: Visit, names: Mapping[str, str], lang: str) -> list[str]:
    called = [names.get(code, code) for code in visit.seats]
    return [say(lang, "home.my_seats", seats=called)] if called else []


def _awaited(visit: Visit, table: LiveCampaign, lang: str) -> list[str]:
    """How many people an umpire waits for, as far as they may know."""
    people = [each for each in readiness(visit, table, lang) if not each.bot]
    seats = [each.seat for each in people if each.state in {WAITING, LATE}]
    if not seats:
        return []
    keys = [request.keys[seat] for seat in seats for request in table.game.requests(seat)]
    text = "home.late_seats" if overdue(visit.campaign, keys) else "home.waited"
    since = elapsed(asked_since(visit.campaign, keys))
    return [say(lang, text, n=len(seats), since=since)]


# Battles in which the reader is a guest ----------------------------------------------------------


def guest_lines(reader: Person, lang: str) -> list[Line]:
    """They, newest first, those that are over last."""
    rows = Guest.objects.filter(person=reader, campaign__stage=RUNNING).order_by("-pk")
    lines = [
        _or_fault(row.campaign, partial(_guest_line, row, lang), lang, row.path)
        for row in rows.select_related("campaign")[:MOST_BATTLES]
    ]
    return sorted(lines, key=lambda line: line.stage == OVER)


def _guest_line(row: Guest, lang: str) -> Line:
    visit = visit_of(row.campaign, row.person)
    with read_lock(row.campaign) as table:
        names = public_names(table, lang, visit.people)
        place = say(lang, "guest.title", place=Book(table.game.system, lang, names).name(row.place))
        if battle_of(table.game, row) is None:
            over = say(lang, "home.over")
            return Line(OVER, row.campaign, over, (place,), battle=row.path)
        due = pressing_on(visit.as_guest(row.path), table, lang)
        return Line(RUNNING, row.campaign, "", (place,), due, battle=row.path)
