"""What is shown when a page cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def missing(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """There is no such page, or not for this reader: he is not told which."""
    return render(request, "faults/404.html", status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """The program is at fault; nothing that was acknowledged is lost."""
    return render(request, "faults/500.html", status=500)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that was not made here, or whose session has ended."""
    return render(request, "faults/403.html", status=403)


def not_for_you(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """Refused; the same page as a forged form gets."""
    return forged(request)


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
