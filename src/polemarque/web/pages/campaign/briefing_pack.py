"""The hand-over pack of a seat, for its next player."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import period_shown, secrets_of, story_of
from polemarque.club.people.roles import Visit
from polemarque.report.briefing_pack import Known, handover
from polemarque.report.documents.document import Document
from polemarque.web.access import ClubRequest, in_seat, page
from polemarque.web.downloads import formats, taken_away
from polemarque.web.pages.campaign.campaign import frame_of
from polemarque.web.pages.campaign.standing_orders import left_answers
from polemarque.web.questions import questions

TURNS = 3
"""So many turns, the one that runs among them, are told."""


@page(in_seat)
def pack(request: ClubRequest, visit: Visit, seat: str) -> HttpResponse:
    """The pack, on the page or to be taken away."""
    lang = request.lang
    with read_lock(visit.campaign) as table:
        told = _told(visit, table, seat, lang)
        context = frame_of(visit, table, lang, seat) | {"told": told, "formats": formats()}
    file = taken_away(told, request.GET.get("format", ""), f"{visit.campaign.code}-{seat}")
    return file or render(request, "seat/pack.html", context)


def _told(visit: Visit, table: LiveCampaign, seat: str, lang: str) -> Document:
    """The pack of a seat, made of what its own pages show."""
    game, people = table.game, visit.people
    now = game.runner.period
    asked = questions(visit, table, seat, seat, lang, {})
    first = max(now - TURNS + 1, 0)
    turns = [story_of(table, n, seat, lang, people) for n in range(now, first - 1, -1)]
    known = Known(
        asked=[f"{one.rule} {one.title}. {one.said}" for one in asked if not one.given],
        sealed=[f"{one.rule} {one.title}. {one.given}" for one in asked if one.given],
        left=[f"{one.rule} {one.title}. {one.said}"
              for one in left_answers(visit, table, seat, lang)],
        turns=[told for told in turns if told.blocks],
        secret=secrets_of(table, seat, lang, people, first),
    )  # fmt: skip
    return handover(game.header, game.state, seat, lang, people, known, period=period_shown(game))
