"""Pages that do something: a form is sent to them, and they lead back to where it stood."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpResponse

from polemarque.club.people.roles import Visit
from polemarque.kernel.errors import Refusal
from polemarque.web.access import ClubRequest, Rule, View, page, see_other
from polemarque.web.i18n import refusal_text

Action = Callable[..., "HttpResponse | str | None"]
"""It does something and gives what is said of that, if anything, or an answer of its own."""


def action(rule: Rule, back: str | Callable[[Visit], str]) -> Callable[[Action], View]:
    """Put an action under a rule.   back: the page of the campaign, or of the seat, it leads to.

    There it is said what was done, or why it was refused.
    """

    def under(do: Action) -> View:
        @page(rule, get=False, post=True)
        @wraps(do)
        def done(request: ClubRequest, visit: Visit, **parts: Any) -> HttpResponse:
            said: HttpResponse | str | None = None
            try:
                said = do(request, visit, **parts)
            except Refusal as refusal:
                messages.error(request, refusal_text(request.lang, refusal))
            if isinstance(said, HttpResponse):
                return said
            if said:
                messages.success(request, said)
            to = back if isinstance(back, str) else back(visit)
            seat = {"seat": parts["seat"]} if to == "seat" else {}
            return see_other(to, code=visit.campaign.code, **seat)

        return done

    return under
