"""A campaign as anybody may follow it without an account, if its umpire has opened it."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import (
    past_board,
    public_names,
    story_of,
    summary_of,
    turns,
)
from polemarque.club.models import MUSTER, Campaign
from polemarque.web.access import ClubRequest, anyone, page
from polemarque.web.pages.campaign.campaign import near_links, phases_of, when

NOBODY: dict[str, dict[str, str]] = {"player": {}}
"""What people are called where their names are not told."""


def opened(code: str) -> Campaign:
    """The campaign of that code, open to anybody and begun.  Raises Http404 on any other."""
    campaign = Campaign.objects.filter(code=code, feed=True).exclude(stage=MUSTER).first()
    if campaign is None:
        raise Http404
    return campaign


@page(anyone)
def public(request: ClubRequest, code: str, number: int | None = None) -> HttpResponse:
    """The map and the story of a turn that is over, the latest without a number, and how everybody
    stood at its end.

    Everybody may know all of it; nobody's name is in it but those of seats.
    """
    campaign, lang = opened(code), request.lang
    with read_lock(campaign) as table:
        past = sorted(turns(table))
        if number is not None and number not in past:
            raise Http404
        system = table.game.header.system
        titles = table.game.system.titles
        context = {"campaign": campaign, "system_title": titles[lang], "when": "", "turns": []}
        if past:
            shown = past[-1] if number is None else number
            names = public_names(table, lang, NOBODY)
            context |= {
                "when": when(system, shown, lang),
                "board": past_board(table, shown, "", lang, names),
                "turns": near_links(past, shown, lambda turn: _address(code, turn)),
                "earlier": next((_address(code, n) for n in reversed(past) if n < shown), ""),
                "later": next((_address(code, n) for n in past if n > shown), ""),
                "summary": summary_of(table, "", lang, NOBODY, shown),
                **phases_of(story_of(table, shown, "", lang, NOBODY)),
            }
    answer = render(request, "table/public.html", context)
    answer["Cache-Control"] = "no-cache"  # asked for again each time: its umpire may close it
    return answer


def _address(code: str, number: int) -> str:
    return reverse("public_turn", kwargs={"code": code, "number": number})
