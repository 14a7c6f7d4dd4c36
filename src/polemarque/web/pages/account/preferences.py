"""What a person chooses for themselves: name, language, light, mails, and when they are away."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.conf import settings as conf
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt

from polemarque.club.clock.deadlines import (
    FARTHEST_AWAY,
    LONGEST_AWAY,
    announce,
    announced,
    come_back,
)
from polemarque.club.models import Person
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.web.access import ClubRequest, PersonRequest, anyone, page, person, see_other
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import COOKIE, refusal_text, say
from polemarque.web.links import absolute
from polemarque.web.mail_orders.replies import send_forms, writes_orders
from polemarque.web.mails import DAILY, NEVER
from polemarque.web.notices import stop_mails
from polemarque.web.pages.lobby.invitations import CALLED

THEMES = ("", "light", "dark")
MAILS = ("", DAILY, NEVER)
YEAR = 60 * 60 * 24 * 365


@page(person, post=True)
def settings(request: PersonRequest) -> HttpResponse:
    """The name that others read, the language, the light; and when they are away."""
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
    secret = request.user.calendar
    way = reverse("calendar", kwargs={"token": secret}) if secret else ""
    context = {
        "fields": {"since": "", "until": "", **fields},
        "errors": errors,
        "longest": CALLED,
        "absences": announced(request.user),
        "longest_away": LONGEST_AWAY,
        "calendar": absolute(request, way) if way else "",
        "mails": MAILS if conf.MAIL else (),
        "by_mail": conf.MAIL and conf.BOX.read,
    }
    return render(request, "home/settings.html", context, status=422 if errors else 200)


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


# Mails stopped by the link that each carries, without signing in ---------------------------------


@csrf_exempt  # a mail program sends the form by itself; nobody gains by forging it
@page(anyone, post=True)
def stop(request: ClubRequest, token: str) -> HttpResponse:
    """Ask whether to stop the mails; sent, they stop.  A link that is only looked at stops none."""
    found = stop_mails(token)
    if found is None:
        raise Http404
    if request.method == "POST":
        Person.objects.filter(pk=found.pk).update(mails=NEVER)
    return render(request, "home/stop_mails.html", {"stopped": request.method == "POST"})
