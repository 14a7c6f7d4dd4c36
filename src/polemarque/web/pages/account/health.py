"""Whether the server answers, can read its file and write it, for anyone who watches over it."""

from __future__ import annotations

from typing import cast

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse

from polemarque.club.server.backup import clock_behind, reason_for, unkept
from polemarque.kernel.files.plugins import broken
from polemarque.web.access import anyone, page

OFTEN = 2.0
"""Seconds for which an answer holds: the disk is not tried more often, no matter who asks."""


@page(anyone)
def health(request: HttpRequest) -> HttpResponse:
    """200 where answers can be kept, 503 where they cannot; nothing of what the club holds.

    ``faults`` names what is wrong; a clock that ran back is told, and hinders nothing.
    ``plugins`` counts those that are installed and cannot be used; the club is served without them.
    """
    status, faults = cast(tuple[int, list[str]], cache.get_or_set("health", _looked, OFTEN))
    told = {"sound": not faults, "faults": faults, "plugins": len(broken())}
    return JsonResponse(told, status=status)


def _looked() -> tuple[int, list[str]]:
    """The status, and the faults in words of ours: those of `reason_for`, or "clock"."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM club_campaign LIMIT 1")
        behind = clock_behind()
    except DatabaseError as fault:
        return 503, [reason_for(fault)["reason"]]
    why = unkept()
    return 503 if why else 200, [*([why] if why else []), *(["clock"] if behind else [])]
