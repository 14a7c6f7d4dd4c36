"""Order forms on a seat's page: to be taken to a forum or a mail, and pasted back filled in.

What is pasted fills the ordinary form, which its player reads and seals as any other: nothing is
answered here.  Wishes and the rest of the turn are left in advance at once; either can be revoked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.timezone import localtime

from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.clock.deadlines import deadline
from polemarque.club.orders.answers import leave_ahead, open_requests
from polemarque.club.orders.forced_answers import awaited
from polemarque.club.orders.standing_orders import wish_for
from polemarque.club.people.roles import Visit
from polemarque.kernel.errors import NotUnderstood, Refusal
from polemarque.kernel.records.record import Leave
from polemarque.kernel.request import Request
from polemarque.kernel.standing_orders import WISH
from polemarque.report.documents.writers import posts, write
from polemarque.report.game_words import Words
from polemarque.report.order_forms.paper import order_paper
from polemarque.report.order_forms.read_back import (
    FilledForm,
    frames,
    read_open,
    tell,
    tell_fault,
    warning,
)
from polemarque.report.order_forms.rest_of_turn import RestRead, read_rest, rest_paper
from polemarque.web.access import ClubRequest, commander, page, see_other
from polemarque.web.forms import posted_of
from polemarque.web.i18n import refusal_text, say
from polemarque.web.pages.campaign.campaign import POST, frame_of
from polemarque.web.questions import keep, named, words_of, words_on

BBCODE = "bbcode"

FORMATS = (BBCODE, "md", "text")
"""Those of `report.writers` that are pasted; the first is a forum's."""


@dataclass(frozen=True)
class Read:
    """A form that was pasted: what was understood and what is wrong, in words."""

    understood: Sequence[str]
    faults: Sequence[str]


@page(commander, post=True)
def orders(request: ClubRequest, visit: Visit, seat: str) -> HttpResponse:
    """The order forms of a seat; what is pasted fills its forms, or is refused line by line."""
    post = request.POST.get("post", "")
    if request.method != "POST":
        return _shown(request, visit, seat)
    lang = request.lang
    try:
        read, found = _filled(visit, seat, post, lang)
    except Refusal as refusal:
        return _shown(request, visit, seat, post, [Read((), [refusal_text(lang, refusal)])], 422)
    if any(each.faults for each in read):
        return _shown(request, visit, seat, post, read, 422)
    wished = any(one.form.key.rule == WISH for one in found.now)
    if wished:
        messages.success(request, say(lang, "seat.wish.kept"))
    if len(found.now) > wished:
        messages.success(request, say(lang, "orders.filled", n=len(found.now) - wished))
    if found.rest.ahead:
        messages.success(request, say(lang, "orders.left", n=len(found.rest.ahead)))
    for line in (*found.rest.warned, *found.rest.unused):
        messages.warning(request, line)
    return see_other("seat", code=visit.campaign.code, seat=seat)


def _shown(
    request: ClubRequest, visit: Visit, seat: str, post: str = "", read: Sequence[Read] = (),
    status: int = 200,
) -> HttpResponse:  # fmt: skip
    """The page.   post, read: what was pasted and not taken, and what is said of it."""
    form = format_of(request)
    with read_lock(visit.campaign) as table:
        asked = [
            request
            for request in open_requests(table.game, seat)
            if seat in request.answered or request in awaited(visit.campaign, table, seat)
        ]
        asked += wish_requests(table, seat)
        papers = papers_of(visit, table, seat, asked, request.lang, form)
        if papers:
            papers += rest_papers(visit, table, seat, request.lang, form)
        context = frame_of(visit, table, request.lang, seat)
    context |= {"papers": papers, "format": form, "formats": FORMATS, "post": post, "read": read}
    return render(request, "seat/orders.html", context, status=status)


def format_of(request: ClubRequest) -> str:
    """How the page that was asked for writes order forms."""
    form = request.GET.get("format", "")
    return form if form in FORMATS else BBCODE


def wish_requests(
    table: LiveCampaign, seat: str, proposed: Sequence[str] | None = None
) -> list[Request]:
    """The form of a seat's wishes, where it can wish for anything (see `Game.wish_request`)."""
    found = table.game.wish_request(seat, proposed)
    return [found] if found else []


def papers_of(
    visit: Visit, table: LiveCampaign, seat: str, asked: Sequence[Request], lang: str, form: str
) -> list[str]:  # fmt: skip
    """The forms of some questions that are put to a seat, each in one post or several."""
    found: list[str] = []
    for number, request in enumerate(asked):
        key = request.keys[seat]
        words = words_on(visit, table, key, lang)
        due = deadline(visit.campaign, [key]) if key.rule != WISH else None
        until = date_format(localtime(due), "DATETIME_FORMAT") if due else ""
        paper = order_paper(table.game, request, seat, words, until, board=not number)
        found += posts(paper, POST) if form == BBCODE else [write(paper, form)]
    return found


def rest_papers(
    visit: Visit, table: LiveCampaign, seat: str, lang: str, form: str,
    left: Sequence[Leave] | None = None,
) -> list[str]:  # fmt: skip
    """The form of the rest of a seat's turn, in one post or several.   left: see `foreseen`."""
    rest = rest_paper(table.game, seat, words_of(visit, table, lang), left)
    if rest is None:
        return []
    return posts(rest[0], POST) if form == BBCODE else [write(rest[0], form)]


def _filled(visit: Visit, seat: str, post: str, lang: str) -> tuple[list[Read], Orders]:
    """Fill a seat's forms with what was pasted, unless anything in it is refused; leave its wishes
    and the rest of its turn.

    Gives what was understood, in words and as it is.   Raises as `orders_in`, and as
    `Game.wish_for`.
    """
    kept = []
    with read_lock(visit.campaign) as table:
        asked = [*wish_requests(table, seat), *open_requests(table.game, seat)]
        found = orders_in(visit, table, seat, asked, post, lang)
        read = all_in_words(visit, table, found, lang)
        if any(each.faults for each in read):
            return read, found
        put = {each.keys[seat]: each for each in asked}
        for one in found.now:
            if (key := one.form.key).rule != WISH:
                words, name = words_on(visit, table, key, lang), named(key_text(key))
                kept.append((key, posted_of(put[key].options(seat), one.value, words, name)))
    for one in found.now:
        if one.form.key.rule == WISH:
            wish_for(visit.campaign, seat, one.value)
    for key, fields in kept:
        keep(visit, key, fields)
    if found.rest.ahead:
        leave_ahead(visit.campaign, found.rest.ahead)
    return read, found


def in_words(visit: Visit, table: LiveCampaign, one: FilledForm, lang: str) -> Read:
    """What was understood of an order form, and what is wrong with it."""
    words = words_on(visit, table, one.form.key, lang)
    warned = warning(one, table.game, words)
    understood = [*tell(one, words), *([warned] if warned else [])]
    return Read(understood, [tell_fault(each, words) for each in one.faults])


class Orders(NamedTuple):
    """What stands in a post: answers to what is asked now, wishes first; the rest of the turn."""

    now: Sequence[FilledForm]
    rest: RestRead


def all_in_words(visit: Visit, table: LiveCampaign, found: Orders, lang: str) -> list[Read]:
    """What was understood of a post, form by form, the rest of the turn last, and what is wrong;
    what cannot be used of the rest is a fault where nothing else is there."""
    now, rest = found
    told = [in_words(visit, table, one, lang) for one in now]
    if rest.told or rest.unused:
        kept = bool(now or rest.ahead)
        lines = [*rest.told, *rest.warned]
        told.append(Read([*lines, *rest.unused] if kept else lines, () if kept else rest.unused))
    return told


def orders_in(
    visit: Visit, table: LiveCampaign, seat: str, asked: Sequence[Request], post: str, lang: str,
    left: Sequence[Leave] | None = None,
) -> Orders:  # fmt: skip
    """The order forms of a post, those of the rest of the turn among them.

    left: see `rest_of_turn.foreseen`.
    Raises NotUnderstood where there is no order form in it, OutOfDate or NotYourTurn as
    `check_frame`.
    """
    found = frames(post)
    if not found:
        raise NotUnderstood("orders.no_frame")

    def speak(language: str) -> Words:
        return words_of(visit, table, language or lang)

    read = read_open(table.game, seat, asked, found, speak)
    now = sorted(read, key=lambda one: one.form.key.rule != WISH)
    given = {one.form.key: one.value for one in now if not one.faults}
    return Orders(now, read_rest(table.game, seat, found, given, speak(""), speak, left))
