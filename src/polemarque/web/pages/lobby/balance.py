"""The balance of a campaign that is planned: how far its study is, then what it found."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render

from polemarque.lab.balance import study
from polemarque.web.access import ClubRequest, page, person
from polemarque.web.downloads import formats, taken_away


@page(person)
def balance(request: ClubRequest, key: str) -> HttpResponse:
    """A study on the page, or its report to be taken away."""
    found = study(key)
    if found is None:
        raise Http404
    told = found.told.get(request.lang)
    file = taken_away(told, request.GET.get("format", ""), f"study-{key}") if told else None
    context = {"study": found, "told": told, "formats": formats()}
    return file or render(request, "muster/balance.html", context)
