"""What browsers are told with every answer: what they may keep, and how they ask the next time."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.urls import reverse
from django.utils.cache import patch_cache_control

from polemarque.club.models import Person
from polemarque.web.accounts import YEAR, know_browser

Answered = Callable[[HttpRequest], HttpResponse]


def encrypted(get_response: Answered) -> Any:
    """Middleware: a club at an https address is asked by https alone, for a year."""

    def answered(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        if settings.ADDRESS.startswith("https://"):
            answer.headers["Strict-Transport-Security"] = f"max-age={YEAR}"
        return answer

    return answered


def compressed(get_response: Answered) -> Any:
    """Middleware: what holds no secret is sent compressed: the files of the pages, and the rules.

    Of a page that holds a secret beside somebody else's words, the length once it is compressed
    tells how alike they are, to anyone who watches the line.  So pages of campaigns are sent as
    they are.
    """
    gzip = GZipMiddleware(get_response)
    plain = (settings.STATIC_URL, reverse("rules"))

    def answered(request: HttpRequest) -> HttpResponseBase:
        answer = get_response(request)
        if request.path.startswith(plain) and answer.status_code == HTTPStatus.OK:
            return gzip.process_response(request, answer)
        return answer

    return answered


def kept_nowhere(get_response: Answered) -> Any:
    """Middleware: a browser keeps nothing of what it shows somebody who is signed in.

    It forgets what it holds when they sign out: the next person at that machine may go back.  That
    they have signed in there it keeps.
    """

    def answered(request: HttpRequest) -> HttpResponse:
        came = isinstance(request.user, Person)
        answer = get_response(request)
        stays = isinstance(request.user, Person)
        if isinstance(request.user, Person):
            know_browser(request, answer, request.user)
        if came or stays:
            patch_cache_control(answer, private=True, no_store=True)
        if came and not stays:
            answer.headers["Clear-Site-Data"] = '"cache", "storage"'
        return answer

    return answered
