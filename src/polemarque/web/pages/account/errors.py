"""What is shown when a page cannot be."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from polemarque.club.server.backup import reason_for, unkept

UNKEPT = {"full": 507, "read_only": 503, "denied": 503, "locked": 503}
"""Why nothing can be kept, the program apart, as `reason_for` has it: each with its status."""


def missing(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """There is no such page, or not for this reader: they are not told which."""
    return render(request, "faults/404.html", status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """The program is at fault, or the disk; nothing that was acknowledged is lost."""
    fault = sys.exc_info()[1]
    if isinstance(fault, DatabaseError | OSError):
        reason = reason_for(fault)["reason"]
        # The database does not always know why: what is tried is told by the machine.
        reason = reason if reason in UNKEPT else unkept()
        if reason in UNKEPT:
            context = {"reason": reason}
            return render(request, "faults/unkept.html", context, status=UNKEPT[reason])
    return render(request, "faults/500.html", status=500)


def refused(request: HttpRequest, exception: Any = None, reason: str = "") -> HttpResponse:
    """Refused: a form that was not made here or whose session has ended, and all else."""
    return render(request, "faults/403.html", status=403)


def too_often(request: HttpRequest) -> HttpResponse:
    """Too many wrong passwords, or too much asked for within a short time."""
    return render(request, "faults/429.html", status=429)


def unreadable(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """What was sent is no form that a browser sends: too many fields, or none that can be read."""
    return render(request, "faults/400.html", status=400)


def bounded(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Middleware: what is longer than any form of ours is not read at all."""

    def answered(request: HttpRequest) -> HttpResponse:
        length = request.headers.get("Content-Length", "")
        if length.isdecimal() and int(length[:19]) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return render(request, "faults/413.html", status=413)
        return get_response(request)

    return answered
