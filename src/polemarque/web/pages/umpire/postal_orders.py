"""Order forms at the desk: for a seat whose player answers by post or mail.

What comes back is pasted here, told in words, and entered once the umpire has read it over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import seat_names
from polemarque.club.clock.models import put_out
from polemarque.club.clock.news import MAILED
from polemarque.club.orders.answers import (
    check_postman,
    enter_posted,
    leave_posted,
    posted_requests,
)
from polemarque.club.orders.standing_orders import wish_by_post
from polemarque.club.people.roles import Visit, speakers
from polemarque.club.umpire.secrets_read import ANSWERS, look
from polemarque.kernel.errors import Refusal
from polemarque.kernel.records.record import Leave
from polemarque.kernel.request import Key, Request
from polemarque.kernel.standing_orders import WISH
from polemarque.web.access import ClubRequest, page, see_other, umpire_begun
from polemarque.web.i18n import refusal_text, say
from polemarque.web.pages.campaign.campaign import frame_of
from polemarque.web.pages.campaign.order_forms import (
    FORMATS,
    Read,
    all_in_words,
    format_of,
    orders_in,
    papers_of,
    rest_papers,
    wish_requests,
)
from polemarque.web.questions import new_once, once_of, words_of

ENTER = "enter"
"""What the button says that enters what was read over."""

NOTHING_LEFT: Sequence[Leave] = ()
"""What an umpire is shown of what a seat has left in advance."""


@page(umpire_begun, post=True)
def posted(request: ClubRequest, visit: Visit, seat: str) -> HttpResponse:
    """The order forms of a seat; what is pasted is read, and once it was read over, entered."""
    lang = request.lang
    try:
        check_postman(visit, seat)
    except Refusal as refusal:
        messages.error(request, refusal_text(lang, refusal))
        return see_other("desk", code=visit.campaign.code)
    look(visit, ANSWERS)
    post = request.POST.get("post", "")
    if request.method != "POST":
        return _shown(request, visit, seat)
    try:
        read, given, ahead = _read(visit, seat, post, lang)
        if request.POST.get("do") == ENTER and not any(each.faults for each in read):
            _enter(request, visit, seat, given, ahead)
            return see_other("desk", code=visit.campaign.code)
    except Refusal as refusal:
        return _shown(request, visit, seat, post, [Read((), [refusal_text(lang, refusal)])], 422)
    wrong = any(each.faults for each in read)
    return _shown(request, visit, seat, post, read, 422 if wrong else 200)


def _enter(
    request: ClubRequest, visit: Visit, seat: str, given: Sequence[tuple[Key, Any]],
    ahead: Sequence[Leave],
) -> None:  # fmt: skip
    """Enter the answers, those in advance with the first, and say what was entered and what not;
    a mail tells the seat that they were brought.

    Raises Refusal if it is the first that is refused; of a later one it is said beside the others,
    for what was entered stands, and may be why the next is not asked any more.
    """
    entered, left, kept = 0, 0, list[str]()
    rest = ahead
    refused: Refusal | None = None
    for number, (key, value) in enumerate(given):
        try:
            if key.rule == WISH:
                stand = wish_by_post(visit, key.seat, value)
                left += len(stand)
                kept += [WISH] if len(stand) < len(value) else []
                continue
            own = enter_posted(visit, key, value, f"{once_of(request)}-{number}", rest)
        except Refusal as refusal:
            if not number:
                raise
            refused = refusal
            break
        entered, left = entered + 1, left + len(rest) - len(own)
        kept += [each.rule for each in own]
        rest = ()
    if rest and refused is None:
        own = leave_posted(visit, rest)
        left += len(rest) - len(own)
        kept += [each.rule for each in own]
    lang = request.lang
    for person in speakers(visit.campaign, [seat]) if entered or left else ():
        told = [say(person.lang or lang, "posted.brought", n=entered, ahead=left)]
        name = f"{MAILED}.{seat}.{once_of(request)}"
        put_out(visit.campaign, [person], MAILED, name, lines=told, seat=seat)
    if entered:
        messages.success(request, say(lang, "posted.entered", n=entered))
    elif not (left or kept):
        messages.warning(request, say(lang, "posted.none"))
    if left:
        messages.success(request, say(lang, "posted.left", n=left))
    if kept:
        with read_lock(visit.campaign) as table:
            title = words_of(visit, table, lang).title
            what = [say(lang, "posted.wish") if rule == WISH else title(rule) for rule in kept]
        messages.warning(request, say(lang, "posted.kept", what=", ".join(what)))
    if refused is not None:
        messages.error(request, refusal_text(lang, refused))


def _shown(
    request: ClubRequest, visit: Visit, seat: str, post: str = "", read: Sequence[Read] = (),
    status: int = 200,
) -> HttpResponse:  # fmt: skip
    """The page.   post, read: what was pasted and is not entered yet, and what is said of it."""
    form, lang = format_of(request), request.lang
    with read_lock(visit.campaign) as table:
        asked = _asked(visit, table, seat)
        context = frame_of(visit, table, lang) | {
            "papers": [
                *papers_of(visit, table, seat, asked, lang, form),
                *(rest_papers(visit, table, seat, lang, form, NOTHING_LEFT) if asked else ()),
            ],
            "who": seat_names(table.game, lang).get(seat, seat),
        }
    context |= {
        "from": seat, "format": form, "formats": FORMATS, "post": post, "read": read,
        "ready": bool(read) and not any(each.faults for each in read), "once": new_once(),
    }  # fmt: skip
    return render(request, "desk/orders.html", context, status=status)


def _asked(visit: Visit, table: LiveCampaign, seat: str) -> list[Request]:
    """What a seat may answer by post: its questions and, where there are any, its wishes."""
    asked = posted_requests(visit.campaign, table, seat)
    return [*asked, *wish_requests(table, seat, ())] if asked else []


def _read(
    visit: Visit, seat: str, post: str, lang: str
) -> tuple[list[Read], list[tuple[Key, Any]], Sequence[Leave]]:  # fmt: skip
    """What stands in a post in words, answers, and those in advance.  Raises as `orders_in`."""
    with read_lock(visit.campaign) as table:
        asked = _asked(visit, table, seat)
        found = orders_in(visit, table, seat, asked, post, lang, NOTHING_LEFT)
        told = all_in_words(visit, table, found, lang)
    return told, [(one.form.key, one.value) for one in found.now], found.rest.ahead
