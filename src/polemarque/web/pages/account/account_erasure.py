"""What the club keeps of a person, as a file; and how an account is closed."""

from __future__ import annotations

from allauth.core.ratelimit import consume, respond_429
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpResponse
from django.shortcuts import render

from polemarque.club.models import OVER
from polemarque.club.people.account_erasure import (
    check_may_close,
    close_account,
    kept_of,
    left_alone,
    left_free,
)
from polemarque.kernel.errors import Refusal
from polemarque.kernel.position import encode
from polemarque.web.access import PersonRequest, page, person, see_other
from polemarque.web.downloads import as_file
from polemarque.web.i18n import refusal_text, say

FILE = "polemarque.json"


@page(person)
def kept(request: PersonRequest) -> HttpResponse:
    """All that the club keeps of the reader, as a file."""
    return as_file(encode(kept_of(request.user)), FILE)


@page(person, post=True)
def leaving(request: PersonRequest) -> HttpResponse:
    """What goes and what stays, and a form that wants the password once more."""
    lang = request.lang
    if request.method != "POST":
        return _shown(request)
    try:
        check_may_close(request.user)
        # Counted with those of the page that changes a password: both try the same one.
        if not consume(request, action="change_password", user=request.user):
            refused: HttpResponse = respond_429(request)
            return refused
        has_one, typed = request.user.has_usable_password(), request.POST.get("password", "")
        if has_one and not request.user.check_password(typed):
            return _shown(request, say(lang, "leaving.wrong"))
        close_account(request.user)
    except Refusal as refusal:
        return _shown(request, refusal_text(lang, refusal))
    logout(request)
    messages.success(request, say(lang, "leaving.gone"))
    return see_other("home")


def _shown(request: PersonRequest, error: str = "") -> HttpResponse:
    """The page.   error: why the account was not closed."""
    seats = [f"{seat.campaign.title} ({seat.code})" for seat in left_free(request.user)]
    alone = [one.title for one in left_alone(request.user) if one.stage != OVER]
    context = {"seats": seats, "campaigns": alone, "error": error}
    return render(request, "home/leaving.html", context, status=422 if error else 200)
