"""The first page, and what a person can choose for himself."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.conf import settings as conf
from django.contrib import messages
from django.db import DatabaseError
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from polemarque.club.campaigns.lobby import empty_seats, plan_of, system_title
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import (
    LATE,
    WAITING,
    period_shown,
    readiness,
    umpire_awaited,
)
from polemarque.club.campaigns.visibility import seat_names as played_names
from polemarque.club.clock.battle_dates import booked
from polemarque.club.clock.deadlines import (
    FARTHEST_AWAY,
    LONGEST_AWAY,
    announce,
    announced,
    asked_since,
    come_back,
    overdue,
)
from polemarque.club.messages.messages import unread
from polemarque.club.models import MUSTER, OVER, RUNNING, Campaign, Person
from polemarque.club.people.roles import Visit, visit_of
from polemarque.club.people.umpire_vote import silent_since
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.web.access import ClubRequest, PersonRequest, anyone, page, person, see_other
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.guest_lines import guest_lines
from polemarque.web.i18n import COOKIE, elapsed, refusal_text, say
from polemarque.web.links import absolute
from polemarque.web.mail_orders.replies import send_forms, writes_orders
from polemarque.web.mails import DAILY, NEVER
from polemarque.web.pages.campaign.campaign import when
from polemarque.web.pages.lobby.invitations import CALLED
from polemarque.web.pages.lobby.new_campaign import seat_names
from polemarque.web.todo import decisions_on, pressing_on, waiting_on

log = logging.getLogger(__name__)

THEMES = ("", "light", "dark")
MAILS = ("", DAILY, NEVER)
YEAR = 60 * 60 * 24 * 365
WATCHED = 20
"""How many public campaigns of others are listed, newest first."""


@page(anyone)
def icon(request: ClubRequest) -> HttpResponse:
    """Where browsers look for an icon that no page named: papers and files have none."""
    return redirect(static("img/favicon.svg"))


@page(anyone)
def home(request: ClubRequest) -> HttpResponse:
    """What this is; or the reader's campaigns, and what is asked of him."""
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
    """A campaign in the contents (see parts/contents.html).

    stage: orders them: what is played first, then what musters, then what is over.
    decides: how many questions of the rules wait for the reader as umpire.
    """

    stage: str
    campaign: Campaign
    page: str
    below: tuple[str, ...]
    due: str = ""
    decides: int = 0

    @property
    def words(self) -> str:
        """Its title."""
        return self.campaign.title

    @property
    def url(self) -> str:
        """Where it is: for an umpire whom its rules wait for, the desk."""
        name = "desk" if self.decides else "campaign"
        return reverse(name, kwargs={"code": self.campaign.code})


def _entries(
    found: QuerySet[Campaign], reader: Person, lang: str, most: int | None = None
) -> list[Line]:
    newest = found.distinct().order_by("-made")[:most]
    lines = [_line_of(visit_of(campaign, reader), lang) for campaign in newest]
    order = (RUNNING, MUSTER, OVER)
    return sorted(lines, key=lambda line: (not line.decides, not line.due, order.index(line.stage)))


def _line_of(visit: Visit, lang: str) -> Line:
    """A campaign that cannot be opened, for want of its rules perhaps, hides no other."""
    try:
        return _line(visit, lang)
    except DatabaseError:
        raise
    except Exception:
        campaign = visit.campaign
        log.exception("campaign %s cannot be told", campaign.code)
        return Line(campaign.stage, campaign, "", (say(lang, "home.unreadable"),))


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
    """How many people an umpire waits for, as far as he may know."""
    people = [each for each in readiness(visit, table, lang) if not each.bot]
    seats = [each.seat for each in people if each.state in {WAITING, LATE}]
    if not seats:
        return []
    keys = [request.keys[seat] for seat in seats for request in table.game.requests(seat)]
    text = "home.late_seats" if overdue(visit.campaign, keys) else "home.waited"
    since = elapsed(asked_since(visit.campaign, keys))
    return [say(lang, text, n=len(seats), since=since)]


# A person's own choices --------------------------------------------------------------------------


@page(person, post=True)
def settings(request: PersonRequest) -> HttpResponse:
    """The name that others read, the language, the light; and when he is away."""
    lang = request.lang
    reader = request.user
    fields = _chosen(reader)
    errors = {}
    if request.method == "POST":
        fields = {name: request.POST.get(name, "").strip() for name in fields}
        if len(fields["called"]) > CALLED or not fields["called"].isprintable():
            errors["called"] = say(lang, "muster.bad_called", most=CALLED)
        if fields["lang"] not in {"", *LANGUAGES} or fields["theme"] not in THEMES:
            errors["form"] = say(lang, "home.bad_choice")
        if fields["mails"] not in MAILS:
            errors["form"] = say(lang, "home.bad_choice")
        if not errors:
            chosen = {**fields, "forms": bool(fields["forms"])}
            Person.objects.filter(pk=reader.pk).update(**chosen)
            messages.success(request, say(fields["lang"] or lang, "home.kept"))
            if chosen["forms"] and not reader.forms:
                _begin_forms(request)
            return see_other("settings")
    return _settings(request, fields, errors)


def _begin_forms(request: PersonRequest) -> None:
    """Send the order forms of what is asked now to who has just asked for them; say how it is."""
    reader = Person.objects.get(pk=request.user.pk)
    lang = reader.lang or request.lang
    if reader.mails == NEVER:
        messages.warning(request, say(lang, "replies.no_mails"))
    elif not writes_orders(reader):
        messages.warning(request, say(lang, "replies.confirm"))
    else:
        messages.success(request, say(lang, send_forms(reader, lang)))


def _chosen(reader: Person) -> dict[str, str]:
    return {"called": reader.called, "lang": reader.lang, "theme": reader.theme,
            "mails": reader.mails, "forms": "on" if reader.forms else ""}  # fmt: skip


def _settings(
    request: PersonRequest, fields: Mapping[str, str], errors: Mapping[str, str]
) -> HttpResponse:
    """The page.   fields: what was typed, or stands.   errors: what was refused, and why."""
    context = {
        "fields": {"since": "", "until": "", **fields},
        "errors": errors,
        "longest": CALLED,
        "absences": announced(request.user),
        "longest_away": LONGEST_AWAY,
        "calendar": calendar_link(request),
        "mails": MAILS if conf.MAIL else (),
        "by_mail": conf.MAIL and conf.BOX.read,
    }
    return render(request, "home/settings.html", context, status=422 if errors else 200)


def calendar_link(request: PersonRequest) -> str:
    """The address of the reader's calendar, "" if it has none."""
    secret = request.user.calendar
    way = reverse("calendar", kwargs={"token": secret}) if secret else ""
    return absolute(request, way) if way else ""


@page(person, get=False, post=True)
def away(request: PersonRequest) -> HttpResponse:
    """Announce an absence, or take one back."""
    lang, posted = request.lang, request.POST
    if posted.get("do") == "back":
        come_back(request.user, whole(posted.get("number", "")) or 0)
        messages.success(request, say(lang, "home.is_back"))
        return see_other("settings")
    try:
        announce(request.user, _day(posted.get("since", "")), _day(posted.get("until", "")))
    except NotUnderstood as refusal:
        typed = {name: posted.get(name, "") for name in ("since", "until")}
        errors = {"since": refusal_text(lang, refusal)}
        return _settings(request, _chosen(request.user) | typed, errors)
    messages.success(request, say(lang, "home.is_away"))
    return see_other("settings")


def _day(typed: str) -> date:
    """A day as browsers send it.  Raises NotUnderstood."""
    try:
        return date.fromisoformat(typed.strip())
    except ValueError:
        raise NotUnderstood("away.days", part=typed[:20], legal=(FARTHEST_AWAY,)) from None


@page(anyone, post=True, get=False)
def preferences(request: ClubRequest) -> HttpResponse:
    """Language or light, chosen on any page; kept with the account, or in this browser."""
    response = see_other(_back(request))
    allowed = {COOKIE: LANGUAGES, "theme": THEMES}
    for name, values in allowed.items():
        value = request.POST.get(name)
        if value is None or value not in values:
            continue
        if isinstance(request.user, Person):
            Person.objects.filter(pk=request.user.pk).update(**{name: value})
        response.set_cookie(name, value, max_age=YEAR, samesite="Lax", httponly=True)
    return response


def _back(request: ClubRequest) -> str:
    way = request.POST.get("next", "")
    own = url_has_allowed_host_and_scheme(way, allowed_hosts=None)
    return way if own and way.startswith("/") else "/"
