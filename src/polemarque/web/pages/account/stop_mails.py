"""Mails stopped by the link that each of them carries, without signing in."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt

from polemarque.club.models import Person
from polemarque.web.access import ClubRequest, anyone, page
from polemarque.web.mails import NEVER
from polemarque.web.notices import stop_mails


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
