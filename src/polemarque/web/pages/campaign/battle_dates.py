"""The battles on the table: who fights where, whom that holds up, and the date to be agreed on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from polemarque.club.campaigns.session import read_lock
from polemarque.club.clock.battle_dates import FARTHEST, agree, propose_date, refuse, strike
from polemarque.club.clock.models import LONGEST_WHERE
from polemarque.club.people.roles import Visit
from polemarque.kernel.errors import NotUnderstood, OutOfDate, Refusal
from polemarque.web.access import ClubRequest, in_play, inside_begun, page, see_other
from polemarque.web.battle_dates import meetings
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import refusal_text, say
from polemarque.web.mails import send_waiting
from polemarque.web.pages.campaign.campaign import frame_of

ACTS: Mapping[str, Callable[[Visit, str, int], object]] = {
    "agree": agree, "refuse": refuse, "strike": strike,
}  # fmt: skip
"""What is done about a date that is there."""


@page(inside_begun)
def battles(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The battles on the table, and a form for anyone who has a say in when they are fought."""
    return _shown(request, visit, {})


def _shown(
    request: ClubRequest, visit: Visit, typed: Mapping[str, str], status: int = 200
) -> HttpResponse:
    """The page.   typed: the form that was not taken, with `error`, why."""
    lang = request.lang
    with read_lock(visit.campaign) as table:
        context = frame_of(visit, table, lang) | meetings(visit, table, lang)
    context |= {
        "typed": typed,
        "longest": LONGEST_WHERE,
        "zone": timezone.get_current_timezone_name(),
    }
    return render(request, "battles/battles.html", context, status=status)


@page(in_play, get=False, post=True)
def book(request: ClubRequest, visit: Visit) -> HttpResponse:
    """Propose a date for a battle, agree to it, refuse it; an umpire strikes it."""
    lang, posted = request.lang, request.POST
    does, path = posted.get("do", ""), posted.get("path", "")
    try:
        if does in ACTS:
            ACTS[does](visit, path, whole(posted.get("number", "")) or 0)
            messages.success(request, say(lang, "battles.done", done=does))
        else:
            where = " ".join(posted.get("where", "").split())
            met = propose_date(visit, path, _hour(posted.get("at", "")), where)
            said = "battles.agreed_now" if met.agreed else "battles.proposed_now"
            messages.success(request, say(lang, said))
        send_waiting(request, visit, lang)
    except NotUnderstood as refusal:
        error = refusal_text(lang, refusal)
        return _shown(request, visit, {**posted.dict(), "error": error}, 422)
    except Refusal as refusal:
        messages.error(request, refusal_text(lang, refusal))
        if does not in ACTS and not isinstance(refusal, OutOfDate):
            return _shown(request, visit, posted.dict(), 422)
    return see_other("battles", code=visit.campaign.code)


def _hour(typed: str) -> datetime:
    """An hour as browsers send it, or as it is typed where they know no such field.

    Raises NotUnderstood.
    """
    try:
        found = datetime.fromisoformat(" ".join(typed.split()))
        return found if timezone.is_aware(found) else timezone.make_aware(found)
    except (OverflowError, ValueError):
        raise NotUnderstood("meeting.when", part=typed[:20], legal=(FARTHEST.days,)) from None
