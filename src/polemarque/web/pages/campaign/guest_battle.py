"""The page of a guest: the one battle in which they command a side, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import (
    battle_boards,
    battle_story,
    heard,
    period_shown,
    public_names,
    seat_names,
)
from polemarque.club.clock.deadlines import deadline, overdue
from polemarque.club.people.guests import battle_of, guest_of, may_recall
from polemarque.club.people.roles import Visit
from polemarque.kernel.battle_brief import Brief
from polemarque.kernel.run import Runner
from polemarque.report.labels import Book
from polemarque.web.access import ClubRequest, guest, page, see_other
from polemarque.web.forms import Form
from polemarque.web.pages.campaign.campaign import held_drawings, when
from polemarque.web.pages.campaign.dice import take_dice, throws
from polemarque.web.pages.campaign.seat import receipt_file, with_receipt
from polemarque.web.questions import NotTaken, Taken, after, questions, take


@page(guest)
def battle(request: ClubRequest, visit: Visit) -> HttpResponse:
    """Everything a guest may see and do; once the battle is over, how it went."""
    return _shown(request, visit, {})


def _shown(
    request: ClubRequest, visit: Visit, posted: Mapping[str, Form], status: int = 200
) -> HttpResponse:
    """The page.   posted: key -> the form that was sent and could not be taken."""
    lang, seat = request.lang, visit.plays
    with read_lock(visit.campaign) as table:
        row = guest_of(visit)
        found = battle_of(table.game, row)
        context = _frame(visit, table, row.place, lang)
        context["seat_name"] = seat_names(table.game, lang).get(seat, seat)
        if found is not None or may_recall(row, table):
            context["news"] = battle_story(table, visit.within, seat, lang, visit.people)
        if found is not None:
            context |= _fought(request, visit, table, *found, posted)
    return with_receipt(request, visit, seat, "guest", context, status)


def _frame(visit: Visit, table: LiveCampaign, place: str, lang: str) -> dict[str, Any]:
    """What stands around the battle: the name of the campaign, and of where and for whom."""
    book = Book(table.game.system, lang, public_names(table, lang, visit.people))
    return {
        "campaign": visit.campaign,
        "path": visit.within,
        "place": book.name(place),
        "side": book.name(visit.plays),
        "heard": heard(visit, table),
        "over": True,
        "when": "", "news": None, "boards": [], "questions": [], "throws": [],
    }  # fmt: skip


def _fought(
    request: ClubRequest, visit: Visit, table: LiveCampaign, brief: Brief, inner: Runner,
    posted: Mapping[str, Form],
) -> dict[str, Any]:  # fmt: skip
    """The battle while it is fought: its board, and what it asks of the guest's side."""
    lang, seat, game = request.lang, visit.plays, table.game
    names = public_names(table, lang, visit.people)
    own = [key for each in game.requests(seat) if visit.reaches(key := each.keys[seat])]
    return {
        "over": False,
        "book": inner.system.name,
        "system_title": inner.system.titles[lang],
        "sides": [Book(game.system, lang, names).name(side.seat) for side in brief.sides],
        "when": when(game.header.system, period_shown(game), lang),
        "questions": questions(visit, table, seat, seat, lang, posted, request.POST),
        "throws": throws(visit, table, seat, lang, posted),
        "boards": battle_boards(table, visit.within, seat, lang, names),
        "held": held_drawings(request),
        "deadline": deadline(visit.campaign, own) if own else None,
        "late": overdue(visit.campaign, own) if own else False,
        "may_seal": True,
    }


def _address(visit: Visit) -> str:
    return reverse("guest", kwargs={"code": visit.campaign.code, "path": visit.within})


@page(guest, post=True)
def answer(request: ClubRequest, visit: Visit) -> HttpResponse:
    """Take an answer, or work a half-filled form out; who only looks is shown the questions."""
    if request.method != "POST":
        return see_other(_address(visit))
    done = take(request, visit, visit.plays, visit.plays)
    if isinstance(done, NotTaken):
        return _shown(request, visit, done.forms, done.status)
    if not isinstance(done, Taken):
        return done
    return see_other(_address(visit) + after(done))


@page(guest, get=False, post=True)
def dice(request: ClubRequest, visit: Visit) -> HttpResponse:
    """Take dice that the guest's side has thrown on the table, or their word on the other's."""
    wrong = take_dice(request, visit, visit.plays)
    if wrong:
        return _shown(request, visit, wrong, 422)
    return see_other(_address(visit))


@page(guest)
def receipt(request: ClubRequest, visit: Visit, digest: str) -> HttpResponse:
    """The receipt of an answer that their side has sealed in that battle, as a file."""
    return receipt_file(visit, visit.plays, digest)
