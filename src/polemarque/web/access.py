"""Who may open which page: every page names its rule here, and none is without one.

What somebody may not open is not there for them: a guessed address and a campaign of others give
the same answer as an address that never was.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers

from polemarque.club.models import MUSTER, Campaign, Person, Pulse
from polemarque.club.people.roles import Visit, visit_of
from polemarque.club.people.umpire_vote import sign_of_life


class ClubRequest(HttpRequest):
    """A request as every page is given it.   lang: the reader's language (see `says.language`)."""

    lang: str


class PersonRequest(ClubRequest):
    """A request as a page is given it that is for people with an account."""

    user: Person


View = Callable[..., HttpResponse]
Rule = Callable[[HttpRequest, dict[str, Any]], "HttpResponse | None"]
"""(request, the address's parts, to be filled in for the page) -> a redirection, or None."""


def anyone(request: HttpRequest, parts: dict[str, Any]) -> HttpResponse | None:
    """Anyone."""
    return None


def person(request: HttpRequest, parts: dict[str, Any]) -> HttpResponse | None:
    """Anyone who has an account; others are asked who they are."""
    if isinstance(request.user, Person):
        return None
    return redirect_to_login(request.get_full_path())


def _of_campaign(may: Callable[[Visit, str], bool], *, begun: bool = False) -> Rule:
    """The rule of a page that is given the `Visit`.   may: whether, of the seat in the address.

    begun: not before the campaign has.
    """

    def rule(request: HttpRequest, parts: dict[str, Any]) -> HttpResponse | None:
        seat = parts.get("seat", "")
        return _visiting(
            request, parts,
            lambda visit: may(visit, seat) and not (begun and visit.campaign.stage == MUSTER),
        )  # fmt: skip

    return rule


inside = _of_campaign(lambda visit, _: visit.inside)
"""Anyone who has any part in the campaign, if only to watch."""

inside_begun = _of_campaign(lambda visit, _: visit.inside, begun=True)
"""The same, once the campaign has begun."""

in_seat = _of_campaign(lambda visit, seat: seat in visit.seats, begun=True)
"""The people of the seat that the address names; the campaign has begun."""

in_command = _of_campaign(lambda visit, seat: visit.commands(seat))
"""Who seals for the seat that the address names, whether the campaign has begun or not."""

commander = _of_campaign(lambda visit, seat: visit.commands(seat), begun=True)
"""The same, once the campaign has begun."""

umpire = _of_campaign(lambda visit, _: visit.umpire)
"""The campaign's umpires, playing ones too."""

umpire_begun = _of_campaign(lambda visit, _: visit.umpire, begun=True)
"""The same, once the campaign has begun."""

inviter = _of_campaign(lambda visit, _: visit.umpire or bool(visit.plays))
"""Anyone who may let anybody into the campaign: its umpires, and who commands a seat."""

in_play = _of_campaign(lambda visit, _: visit.umpire or bool(visit.plays), begun=True)
"""The same of a campaign that has begun: who has a say in how it is played."""

correspondent = _of_campaign(lambda visit, _: visit.umpire or bool(visit.seats), begun=True)
"""The people of seats and the umpires, once it has begun: who writes and is written to."""


def guest(request: HttpRequest, parts: dict[str, Any]) -> HttpResponse | None:
    """The guest of the battle whose path the address names: the page is given the `Visit` there."""
    path = parts.get("path", "")
    sent = _visiting(request, parts, lambda visit: path in visit.guest)
    if sent is None:
        del parts["path"]
        parts["visit"] = parts["visit"].as_guest(path)
    return sent


def _visiting(
    request: HttpRequest, parts: dict[str, Any], may: Callable[[Visit], bool]
) -> HttpResponse | None:
    if not isinstance(request.user, Person):
        return redirect_to_login(_back(request, parts))
    code = parts.pop("code", "")
    # Before all that is read: what comes meanwhile, an open page hears.
    newest = Pulse.objects.filter(campaign__code=code).order_by("-pk").first()
    pulse = newest.pk if newest is not None else 0
    campaign = Campaign.objects.filter(code=code).first()
    visit = visit_of(campaign, request.user, pulse) if campaign is not None else None
    if visit is None or not may(visit):
        raise Http404
    unasked = "X-Live" in request.headers and request.method != "POST"  # by a page that is open
    if visit.umpire and not unasked:
        with suppress(DatabaseError):  # who can still read reads, where nothing can be kept
            sign_of_life(visit)
    parts["visit"] = visit
    return None


def _back(request: HttpRequest, parts: dict[str, Any]) -> str:
    """Where somebody goes on who had to sign in: what they sent is not sent again."""
    if request.method in {"GET", "HEAD"}:
        return request.get_full_path()
    if "path" in parts:
        return reverse("guest", kwargs={"code": parts["code"], "path": parts["path"]})
    return reverse("campaign", kwargs={"code": parts["code"]})


def see_other(to: str, **parts: Any) -> HttpResponse:
    """After a form was taken: on to the page of that name, or address, to be asked for by GET."""
    sent: HttpResponse = redirect(to, **parts)
    sent.status_code = 303
    return sent


def page(rule: Rule, *, post: bool = False, get: bool = True) -> Callable[[View], View]:
    """Put a page under a rule.  `get`, `post`: how it may be asked for.

    A page of a campaign is given a `Visit` in the place of the campaign's code.
    """
    methods = [*(["GET", "HEAD"] if get else []), *(["POST"] if post else [])]

    def under(view: View) -> View:
        @wraps(view)
        def opened(request: HttpRequest, **parts: Any) -> HttpResponse:
            if request.method not in methods:
                return HttpResponseNotAllowed(methods)
            sent = rule(request, parts)
            answer = sent if sent is not None else view(request, **parts)
            if rule is not anyone:  # what one may see is kept nowhere for somebody else
                patch_cache_control(answer, private=True, no_store=True)
                patch_vary_headers(answer, ["X-Live"])  # an open page is sent a part alone
            return answer

        opened.rule = rule  # type: ignore[attr-defined]
        return opened

    return under
