"""Letters between seats: written, read, and shown to the umpires by who has had enough of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render

from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import seat_names
from polemarque.club.messages.messages import (
    KEPT,
    among_of,
    complaints,
    doors_shut_by,
    exchanges,
    open_letters,
    own_voices,
    settle_complaint,
    show_umpires,
    shut_door,
    voices,
    write_letter,
)
from polemarque.club.messages.messages import letters as letters_among
from polemarque.club.messages.models import LONGEST_LETTER, Letter
from polemarque.club.people.roles import Visit, names_in
from polemarque.kernel.errors import NotAllowed, Refusal
from polemarque.kernel.request import UMPIRE
from polemarque.web.access import ClubRequest, correspondent, page, see_other
from polemarque.web.actions import action
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import refusal_text, say
from polemarque.web.mails import send_waiting
from polemarque.web.pages.campaign.campaign import frame_of
from polemarque.web.questions import new_once, once_of

NOTHING: Mapping[str, Any] = {"as": "", "to": (), "text": "", "error": ""}
"""A letter of which nothing is written yet."""


@page(correspondent)
def letters(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The exchanges that the reader has a part in, and a sheet for a new letter."""
    return _all(request, visit, NOTHING)


@page(correspondent)
def exchange(request: ClubRequest, visit: Visit, among: str) -> HttpResponse:
    """One exchange: its letters, and a sheet for the next one."""
    return _one(request, visit, among, NOTHING)


@page(correspondent, get=False, post=True)
def write(request: ClubRequest, visit: Visit) -> HttpResponse:
    """Write a letter.   back: the exchange from whose page it comes, if from one."""
    posted, lang = request.POST, request.lang
    to, among = posted.getlist("to"), posted.get("back", "")
    voice, text = posted.get("as", ""), posted.get("text", "")
    try:
        with _named(visit, lang):
            sent = write_letter(visit, voice, to, text, once_of(request))
    except Refusal as refusal:
        typed = {"as": voice, "to": to, "text": text, "error": refusal_text(lang, refusal)}
        return _one(request, visit, among, typed) if among else _all(request, visit, typed)
    send_waiting(request, visit, lang)
    messages.success(request, say(lang, "letters.sent"))
    return see_other("exchange", code=visit.campaign.code, among=sent.among)


@action(correspondent, "letters")
def doors(request: ClubRequest, visit: Visit) -> str:
    """Take no more letters from another seat, or take them again."""
    posted = request.POST
    shut = posted.get("do") == "shut"
    with _named(visit, request.lang):
        shut_door(visit, posted.get("seat", ""), posted.get("against", ""), shut=shut)
    return say(request.lang, "letters.door", shut=shut)


@action(correspondent, "letters")
def show(request: ClubRequest, visit: Visit, number: int) -> str:
    """Show the umpires a letter."""
    with _named(visit, request.lang):
        show_umpires(visit, number)
    return say(request.lang, "letters.shown")


@action(correspondent, "letters")
def order(request: ClubRequest, visit: Visit) -> str:
    """What an umpire does: open letters or close them, strike one they were shown or leave it."""
    if not visit.umpire:
        raise Http404
    does = request.POST.get("do", "")
    with _named(visit, request.lang):
        if does in {"open", "close"}:
            open_letters(visit, opened=does == "open")
        else:
            number = whole(request.POST.get("number", "")) or 0
            settle_complaint(visit, number, strike=does == "strike")
    return say(request.lang, "letters.ordered")


# The pages ---------------------------------------------------------------------------------------


def _all(request: ClubRequest, visit: Visit, typed: Mapping[str, Any]) -> HttpResponse:
    lang = request.lang
    names = _names(visit, lang)
    context = _frame(visit, lang, typed, names) | {
        "exchanges": [
            {
                "among": among_of(one.among),
                "with": _others(visit, one.among, names),
                "unread": one.unread,
                "at": one.at,
            }
            for one in exchanges(visit)
        ],
        "shut_out": [(seat, one, names.get(one, one)) for seat, one in doors_shut_by(visit)],
        "doors": _doors(visit, names),
        "complaints": [
            {
                "number": one.pk,
                "by": names.get(one.seat, one.seat),
                "letter": _letter(visit, one.letter, names, {}),
            }
            for one in complaints(visit)
        ],
    }
    return render(request, "letters/letters.html", context, status=422 if typed["error"] else 200)


def _one(
    request: ClubRequest, visit: Visit, among: str, typed: Mapping[str, Any]
) -> HttpResponse:  # fmt: skip
    lang = request.lang
    among = among_of(among.split(","))
    try:
        rows = letters_among(visit, among)
    except NotAllowed:
        raise Http404 from None
    if not rows:
        raise Http404
    names, people = _names(visit, lang), names_in(visit.campaign)
    context = _frame(visit, lang, typed, names)
    mine = [voice for voice in own_voices(visit) if voice in among.split(",")]
    able = voices(visit.campaign)
    context |= {
        "among": among,
        "with": _others(visit, among.split(","), names),
        "rows": [_letter(visit, row, names, people) for row in rows],
        "mine": [(voice, names.get(voice, voice)) for voice in mine],
        "all": among.split(","),
        "gone": [names.get(one, one) for one in among.split(",") if one not in able],
    }
    return render(request, "letters/exchange.html", context, status=422 if typed["error"] else 200)


def _frame(
    visit: Visit, lang: str, typed: Mapping[str, Any], names: Mapping[str, str]
) -> dict[str, Any]:  # fmt: skip
    """What both pages show; the names are those of voices, not of all that a story tells."""
    with read_lock(visit.campaign) as table:
        context = frame_of(visit, table, lang)
    own = own_voices(visit)
    able = [voice for voice in voices(visit.campaign) if own != (voice,)]
    return context | {
        "typed": typed,
        "once": new_once(),
        "longest": LONGEST_LETTER,
        "days": KEPT.days,
        "mine": [(voice, names.get(voice, voice)) for voice in own],
        "able": [(voice, names.get(voice, voice)) for voice in able],
        "open": visit.campaign.letters_open,
    }


def _names(visit: Visit, lang: str) -> dict[str, str]:
    """What voices are called: seats with who commands them, and the umpires with theirs."""
    campaign, called = visit.campaign, visit.people["player"]
    with read_lock(campaign) as table:
        sides = seat_names(table.game, lang)
    names = {s: f"{name} ({called[s]})" if s in called else name for s, name in sides.items()}
    people = names_in(campaign)
    umpires = [people[row.person_id] for row in campaign.umpires.order_by("pk")]
    return {**names, UMPIRE: say(lang, "letters.umpires", names=umpires, n=len(umpires))}


def _others(visit: Visit, among: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Whom an exchange is with: all but the reader's own voice, if they have but one in it."""
    own = [voice for voice in among if voice in own_voices(visit) or voice in visit.seats]
    told = [voice for voice in among if own[:1] != [voice]]
    return [names.get(voice, voice) for voice in told]


def _letter(
    visit: Visit, row: Letter, names: Mapping[str, str], people: Mapping[int, str]
) -> dict[str, Any]:  # fmt: skip
    """A letter as it is told.   hand: who wrote it, where its writer's name does not say so."""
    mine = row.voice in own_voices(visit)
    hand = people.get(row.person_id or 0, "")
    return {
        "number": row.pk,
        "by": names.get(row.voice, row.voice),
        "hand": hand if hand != visit.people["player"].get(row.voice) else "",
        "at": row.at,
        "text": row.text,
        "struck": row.struck is not None,
        "gone": row.person_id is None,
        "mine": mine,
        "may_show": not mine and UMPIRE not in row.among.split(",") and bool(visit.plays),
    }


def _doors(visit: Visit, names: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """(seat, another, its name): the letters that they may refuse and still take."""
    shut = set(doors_shut_by(visit))
    others = [voice for voice in voices(visit.campaign) if voice != UMPIRE]
    return [
        (seat, other, names.get(other, other))
        for seat in own_voices(visit)
        if seat != UMPIRE
        for other in others
        if other != seat and (seat, other) not in shut
    ]


@contextmanager
def _named(visit: Visit, lang: str) -> Iterator[None]:
    """What is refused has the names of voices in the place of their codes."""
    try:
        yield
    except Refusal as refusal:
        names = _names(visit, lang)
        part = names.get(str(refusal.part), refusal.part)
        legal = tuple([names.get(str(one), one) for one in refusal.legal])
        raise type(refusal)(refusal.code, part=part, legal=legal) from None
