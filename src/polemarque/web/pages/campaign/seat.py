"""A player's page: what is asked of their seat, what they see, and the door for their answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from polemarque.club.campaigns.lobby import plan_of
from polemarque.club.campaigns.question_keys import read_key
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import (
    awaited_first,
    boards,
    fought,
    hides_readiness,
    own_sheet,
    seat_names,
    since_answer,
)
from polemarque.club.clock.deadlines import deadline, overdue
from polemarque.club.orders.answers import answers_of
from polemarque.club.orders.forced_answers import awaited, choose, spared_seats
from polemarque.club.orders.taking_back import (
    answer_back,
    ask_back,
    asked_back,
    lapsed_back,
    may_ask_back,
    take_back,
)
from polemarque.club.people.roles import Visit
from polemarque.club.trust.receipts import receipt_for, standing_receipt
from polemarque.club.umpire.dashboard import standing_reminder
from polemarque.kernel.beginner_notes import preface_of
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.rehearsal import moment
from polemarque.report.labels import ledger_of
from polemarque.web.access import ClubRequest, commander, in_seat, page, see_other
from polemarque.web.actions import action
from polemarque.web.battle_dates import meetings
from polemarque.web.downloads import as_file
from polemarque.web.forms import Form
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import say
from polemarque.web.pages.campaign.campaign import (
    frame_of,
    held_drawings,
    is_live,
    latest,
    turn_links,
)
from polemarque.web.pages.campaign.dice import CONFIRM, TYPE, take_dice, throws
from polemarque.web.pages.campaign.people import lent_battles
from polemarque.web.pages.campaign.standing_orders import left_answers, wishes_of
from polemarque.web.pages.umpire.acts import put_to
from polemarque.web.questions import NotTaken, Taken, after, questions, receipt_address, take
from polemarque.web.todo import others_awaited, title_of


@page(in_seat)
def seat_page(request: ClubRequest, visit: Visit, seat: str) -> HttpResponse:
    """Everything one seat may see and do; or its own sheet alone, for the page that unfolds it."""
    if "part" in request.GET:
        with read_lock(visit.campaign) as table:
            sheet = own_sheet(table, seat, request.lang, visit.people)
        if sheet is None:
            raise Http404
        return render(request, "parts/sheet.html", {"document": sheet})
    return _shown(request, visit, seat, {})


def _shown(
    request: ClubRequest, visit: Visit, seat: str, posted: Mapping[str, Form], status: int = 200
) -> HttpResponse:
    """The page.   posted: key -> the form that was sent and could not be taken."""
    lang = request.lang
    campaign = visit.campaign
    with read_lock(campaign) as table:
        context = frame_of(visit, table, lang, seat)
        own = [each.keys[seat] for each in awaited(campaign, table, seat)]
        context |= {
            "questions": questions(visit, table, seat, seat, lang, posted, request.POST),
            "throws": throws(visit, table, seat, lang, posted),
            "boards": boards(table, seat, lang, context["names"]),
            "fought": fought(table, seat, lang, context["names"]),
            "held": held_drawings(request),
            **latest(visit, table, seat, lang),
            "since": _since(visit, table, seat, lang),
            "lent": lent_battles(visit, table, seat, lang),
            "sheet": own_sheet(table, seat, lang, visit.people),
            "unfolded": "sheet" in request.GET,
            "turns": turn_links(visit, table, lang),
            "deadline": deadline(campaign, own),
            "late": overdue(campaign, own),
            "others": others_awaited(visit, table, lang),
            "may_seal": visit.commands(seat),
            "may_undo": _may_undo(visit, table, seat),
            "back": _back(visit, table, seat),
            "may_plan": visit.commands(seat) and moment(table.game, seat) is not None,
            "known": answers_of(table.game, seat),
            "spared": seat in spared_seats(campaign),
            "reminder": standing_reminder(campaign, table, seat),
            "left": left_answers(visit, table, seat, lang),
            "wishes": wishes_of(visit, table, seat, lang),
            "preface": list(preface_of(table.game.header.setup, lang)),
            "seat_name": seat_names(table.game, lang).get(seat, seat),
            "newcomer": campaign.show and not campaign.given.filter(person=visit.person).exists(),
            **meetings(visit, table, lang),
        }
    context["put_acts"] = put_to(visit, seat, lang)
    return with_receipt(request, visit, seat, "seat", context, status)


SHORT = 150
"""Characters of what stands at the top of a page, at most: the rest is among the news."""


def _since(visit: Visit, table: LiveCampaign, seat: str, lang: str) -> dict[str, str]:
    """What came of a seat's last answer, the first first; if nothing, what an open one was to."""
    last = table.last_answer(seat)
    if last is None:
        return {}
    given, first = last
    told = " ".join(since_answer(table, seat, first, lang, visit.people))
    if told:
        return {"told": told if len(told) <= SHORT else told[:SHORT].rsplit(" ", 1)[0] + " …"}
    sealed = standing_receipt(visit.campaign, given.key) is not None
    return {} if sealed else {"answer": title_of(given.key.rule, lang)}


def with_receipt(
    request: ClubRequest, visit: Visit, seat: str, folder: str, context: dict[str, Any], status: int
) -> HttpResponse:
    """The page of who answers for a seat, or its part that an open page asks for.

    The receipt that its address names is folded under its letter while that stands.
    """
    asked = context["questions"]
    # What was sealed may be replaced still, but is asked of nobody any more.
    context["to_answer"] = [e for e in asked if "standing" not in e.hidden and not e.spared]
    context["to_throw"] = [each for each in context["throws"] if each.does in (TYPE, CONFIRM)]
    context |= _receipt_shown(visit, seat, request.GET.get("receipt", ""), request.lang)
    letters = [each.receipt for each in asked if each.given and not each.spared]
    context["receipt_in_letter"] = context.get("receipt") in letters
    context["live"] = is_live(request)
    template = f"{folder}/part.html" if context["live"] else f"{folder}/page.html"
    return render(request, template, context, status=status)


def _may_undo(visit: Visit, table: LiveCampaign, seat: str) -> bool:
    """Whether a seat can take its last answer back.

    An umpire who plays cannot until they have sealed: a refusal, or its reason, would tell them
    that somebody else has answered.
    """
    if not visit.commands(seat) or table.game.over or _untold(visit, table, seat):
        return False
    return table.game.course.has_own(seat)


def _back(visit: Visit, table: LiveCampaign, seat: str) -> dict[str, Any]:
    """What the page says of a wish to take back by consent, and whether one may have it."""
    if not visit.commands(seat) or table.game.over or _untold(visit, table, seat):
        return {}
    wish = asked_back(visit.campaign, table)
    if wish is None:
        may = may_ask_back(visit.campaign, table.game, seat)
        return {"may": may, "lapsed": lapsed_back(visit, table, seat)}
    return {"mine": wish.seat == seat, "refused": wish.refused, "number": wish.number}


def _untold(visit: Visit, table: LiveCampaign, seat: str) -> bool:
    """Whether it would tell how others stand that a seat takes an answer back, or may not.

    What it has sealed itself in a question of which nobody is told who is ready it may take back.
    """
    if awaited_first(visit, table):
        return True
    sealed = any(seat in request.answered for request in table.game.course.requests())
    return hides_readiness(visit, table) and not sealed


def _receipt_shown(visit: Visit, seat: str, digest: str, lang: str) -> dict[str, Any]:
    """The receipt that a page was asked to show."""
    kept = receipt_for(visit, seat, digest) if digest else None
    if kept is None:
        return {}
    rule = read_key(kept.key).rule.partition("/")[0]
    row = ledger_of(plan_of(visit.campaign).system).get(rule)
    title = row.title.get(lang, "") if row else ""
    return {
        "receipt": kept,
        "receipt_question": f"{title} ({rule})" if title else rule,
        "receipt_url": receipt_address(visit, seat, digest),
    }


@page(commander, post=True)
def answer(request: ClubRequest, visit: Visit, seat: str) -> HttpResponse:
    """Take an answer, or work a half-filled form out; who only looks is shown the questions."""
    if request.method != "POST":
        return see_other("seat", code=visit.campaign.code, seat=seat)
    done = take(request, visit, seat, seat)
    if isinstance(done, NotTaken):
        return _shown(request, visit, seat, done.forms, done.status)
    if not isinstance(done, Taken):
        return done
    address = reverse("seat", kwargs={"code": visit.campaign.code, "seat": seat})
    return see_other(address + after(done))


@action(commander, "seat")
def undo(request: ClubRequest, visit: Visit, seat: str) -> str:
    """Take back the seat's last answer, or wish to with the other's since; say yes or no to that.

    An umpire who plays seals first (see `_may_undo`).
    """
    with read_lock(visit.campaign) as table:
        if _untold(visit, table, seat):
            raise NotAllowed("undo.unsealed", part=seat)
    does, number = request.POST.get("do", ""), whole(request.POST.get("number", ""))
    if does in ("consent", "refuse"):
        answer_back(visit.campaign, seat, number, agreed=does == "consent")
        return say(request.lang, f"seat.back.{does}")
    if does == "ask":
        return say(request.lang, "seat.back.done" if ask_back(visit, seat) else "seat.back.sent")
    take_back(visit.campaign, seat, whole(request.POST.get("known", "")))
    return say(request.lang, "seat.undone")


@action(commander, "seat")
def spare(request: ClubRequest, visit: Visit, seat: str) -> None:
    """Whether what leaves the seat nothing to decide is sealed for it."""
    choose(visit.campaign, seat, spared=request.POST.get("spared") == "yes")


@action(commander, "seat")
def dice(request: ClubRequest, visit: Visit, seat: str) -> HttpResponse | None:
    """Take dice that the seat has thrown on the table, or its word on those of another."""
    wrong = take_dice(request, visit, seat)
    return _shown(request, visit, seat, wrong, 422) if wrong else None


@page(in_seat)
def receipt(request: ClubRequest, visit: Visit, seat: str, digest: str) -> HttpResponse:
    """A receipt as the file that `verify` takes; it holds the answer, so only its seat has it."""
    return receipt_file(visit, seat, digest)


def receipt_file(visit: Visit, seat: str, digest: str) -> HttpResponse:
    """The file of a receipt.  Raises Http404 if the reader has none of that digest.

    It says when the answer came, by the server's clock: no digest holds that.
    """
    kept = receipt_for(visit, seat, digest)
    if kept is None:
        raise Http404
    name = f"{visit.campaign.code}-{seat}-{digest[:12]}.json"
    body = {**msgspec.json.decode(bytes(kept.body)), "time": kept.at}
    return as_file(msgspec.json.format(msgspec.json.encode(body), indent=1) + b"\n", name)
