"""Dice thrown on a table, as the desk and the seats' pages show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404

from polemarque.club.campaigns.question_keys import key_text, read_key
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.orders.answers import given_before
from polemarque.club.orders.physical_dice import (
    confirm_dice,
    contest_dice,
    enter_dice,
    faces_of,
    may_confirm,
    open_throws,
    seen_throws,
    throw_of,
    throws_for,
    type_dice,
    typed_for,
)
from polemarque.club.people.roles import Visit
from polemarque.kernel.dice import Counts
from polemarque.kernel.errors import NotAllowed, Refusal
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.request import UMPIRE
from polemarque.report.order_forms.told_answers import counts_told
from polemarque.web.access import ClubRequest
from polemarque.web.forms import Form, Sealed, dice_form, read_dice
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import refusal_text, say
from polemarque.web.questions import new_once, once_of, words_on

TYPE, CONFIRM, WAIT, LOOK = "type", "confirm", "wait", "look"
"""What a reader can do about a throw: type it, say of what was typed that it is so, take back what
their seat has typed, nothing."""


@dataclass(frozen=True)
class Thrown:
    """An open throw as a page shows it.

    why:   what is thrown.   whom: for whom.   does: TYPE, CONFIRM, WAIT or LOOK.
    who:   the seat that has typed it, "" for none yet.   faces: as it has.
    form:  to type them in, where that is for the reader.
    """

    rule: str
    title: str
    why: str
    whom: list[str]
    does: str
    hidden: dict[str, str]
    who: str = ""
    faces: str = ""
    form: Form | None = None


def throws(
    visit: Visit, table: LiveCampaign, seat: str, lang: str, posted: Mapping[str, Form]
) -> list[Thrown]:
    """The open throws that a seat may see, or all (`UMPIRE`).

    posted: key -> the form that was sent and could not be taken.
    """
    found = open_throws(table) if seat == UMPIRE else seen_throws(table, seat)
    return [
        _thrown(visit, table, seat, throw, lang, posted)
        for throw in found
        if visit.reaches(throw.key)
    ]


def _thrown(
    visit: Visit,
    table: LiveCampaign,
    seat: str,
    throw: RollRequest,
    lang: str,
    posted: Mapping[str, Form],
) -> Thrown:
    words = words_on(visit, table, throw.key, lang)
    text = key_text(throw.key)
    typed = typed_for(visit.campaign, throw.key)
    hidden = {"key": text, "once": new_once()}
    does, who, faces, form = LOOK, "", "", None
    if typed is not None:
        who, fell = words.label("seat", typed.seat), faces_of(typed)
        faces = counts_told(fell) if isinstance(fell, Counts) else " ".join(map(str, fell))
        hidden["typed"] = str(typed.pk)
        if may_confirm(visit, table, typed, throw, seat):
            does = CONFIRM
        elif seat == typed.seat and visit.commands(seat):
            does = WAIT
        elif seat == UMPIRE:  # one who plays: they read it on their seat's page, if it may
            who, faces = "", ""
    elif _types(visit, table, throw, seat):
        does, form = TYPE, posted.get(text) or dice_form(throw.roll, words)
    return Thrown(
        throw.key.rule.partition("/")[0], words.title(throw.key.rule), words.roll(throw.roll),
        [words.whose("seat", each) or each for each in throw.roll.whom], does, hidden, who, faces,
        form,
    )  # fmt: skip


def _types(visit: Visit, table: LiveCampaign, throw: RollRequest, seat: str) -> bool:
    if seat == UMPIRE:
        return visit.neutral
    return visit.commands(seat) and throws_for(table, throw, seat)


def take_dice(request: ClubRequest, visit: Visit, seat: str) -> dict[str, Form]:
    """Take what was sent about a throw, for a seat or as an umpire (`UMPIRE`).

    What came of it is a message of the next page.  Gives key -> form where faces could not be
    read, and they are to be shown again.  Raises Http404 on a throw that is elsewhere than a
    guest's battle.
    """
    lang = request.lang
    once = once_of(request)
    try:
        if given_before(visit.campaign, once):
            messages.info(request, say(lang, "seat.taken_already"))
            return {}
        if seat == UMPIRE and not visit.neutral:
            raise NotAllowed("desk.party_types", part=visit.plays)
        if not visit.reaches(read_key(request.POST.get("key", ""))):
            raise Http404
        return _taken(request, visit, seat, once)
    except Refusal as refusal:
        messages.error(request, refusal_text(lang, refusal))
    return {}


def _taken(request: ClubRequest, visit: Visit, seat: str, once: str) -> dict[str, Form]:
    """Raises Refusal."""
    lang = request.lang
    key = read_key(request.POST.get("key", ""))
    known = request.POST.get("typed", "")
    if known:
        number = whole(known) or 0
        if request.POST.get("do") == "confirm":
            confirm_dice(visit, seat, key, number, once)
            messages.success(request, say(lang, "desk.dice_taken"))
        else:
            contest_dice(visit, seat, key, number)
            messages.success(request, say(lang, "desk.dice_dropped"))
        return {}
    with read_lock(visit.campaign) as table:
        throw = throw_of(table, key)
        words = words_on(visit, table, key, lang)
        read = read_dice(throw.roll, words, dict(request.POST.lists()))
    if not isinstance(read, Sealed):
        return {key_text(key): read.form}
    if seat == UMPIRE:
        enter_dice(visit, key, read.value, once)
        messages.success(request, say(lang, "desk.dice_taken"))
    else:
        type_dice(visit, seat, key, read.value, once)
        messages.success(request, say(lang, "desk.dice_waiting"))
    return {}
