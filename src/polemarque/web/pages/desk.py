"""The umpire's desk: who is late, what the rules ask the umpire, dice and papers of the table."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.contrib import messages
from django.core.mail import send_mail
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.timesince import timesince

from polemarque.club.acts import can_declare_end, newer_editions, open_proposals
from polemarque.club.answers import given_before, key_text, read_key
from polemarque.club.desk import (
    Owing,
    absent_question,
    answer_absent,
    enter_dice,
    open_throws,
    owing,
    remind,
    throw_of,
)
from polemarque.club.models import Person
from polemarque.club.reading import hides_readiness, seat_names
from polemarque.club.roles import Visit, called
from polemarque.club.tables import Table, reading
from polemarque.kernel.errors import NotAllowed, Refusal
from polemarque.kernel.live import Throw
from polemarque.kernel.request import UMPIRE, Key, Options, Sheet
from polemarque.report.answers import told
from polemarque.report.dossier import dossiers
from polemarque.report.words import Words
from polemarque.report.writers import FORMATS, write
from polemarque.web.access import page, see_other, umpire_begun
from polemarque.web.forms import Form, Sealed, dice_form, form_of, read_dice
from polemarque.web.forms.fields import Field, Group, Item, Within
from polemarque.web.pages.table import TYPES, frame_of, is_live
from polemarque.web.questions import NotTaken, Taken, questions, take
from polemarque.web.says import TEXTS, refusal_text, say

SHOWN = 80
"""So many parts of an answer are told."""

MINUTE = timedelta(minutes=1)

LONGEST_ONCE = 64
"""Characters of what a form is known by."""


@page(umpire_begun)
def desk(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Everything that an umpire has to do at present."""
    return _shown(request, visit, {}, {})


def _shown(
    request: HttpRequest, visit: Visit, posted: Mapping[str, Form], thrown: Mapping[str, Form],
    status: int = 200,
) -> HttpResponse:  # fmt: skip
    """The page.   posted, thrown: key -> a form of a question, of dice, that was not taken."""
    lang = request.lang  # type: ignore[attr-defined]
    campaign = visit.campaign
    with reading(campaign) as table:
        blind = hides_readiness(visit, table)
        context = frame_of(visit, table, lang) | {
            "blind": blind,
            "rows": _owed(visit, table, lang),
            "questions": questions(visit, table, UMPIRE, visit.eye, lang, posted),
            "throws": [_throw(visit, table, one, thrown, lang) for one in open_throws(table)],
            "battles": _battles(visit, table, lang),
            "sheets": _returned(visit, table, lang),
            "papers": _has_papers(visit, table, lang),
            "can_end": can_declare_end(table) is not None,
            "editions": newer_editions(table),
            "waiting": open_proposals(campaign),
        }
    template = "desk/part.html" if is_live(request) else "desk/desk.html"
    return render(request, template, context, status=status)


def words_of(visit: Visit, table: Table, lang: str) -> Words:
    """The words of the game for whoever sits at the desk."""
    return Words(table.game.header, lang, TEXTS, called(visit.campaign))


# Who owes what -----------------------------------------------------------------------------------


def _owed(visit: Visit, table: Table, lang: str) -> list[dict[str, Any]]:
    """The umpire's list (see parts/desk.html)."""
    words = words_of(visit, table, lang)
    return [_row(visit, table, one, words) for one in owing(visit, table, lang)]


def _row(visit: Visit, table: Table, one: Owing, words: Words) -> dict[str, Any]:
    code, lang = visit.campaign.code, words.lang
    acts: list[dict[str, Any]] = []
    if one.may_remind:
        url = reverse("desk_remind", kwargs={"code": code, "seat": one.seat})
        acts.append({"url": url, "words": say(lang, "desk.remind")})
    if not one.bot and not (visit.plays and one.seat in visit.seats):
        absent = reverse("desk_absent", kwargs={"code": code})
        for key in one.questions:
            words.turn_to(table.game, key)
            title = words.title(key.rule) or key.rule
            acts.append({
                "url": absent, "key": key_text(key), "link": True,
                "words": say(lang, "desk.absent", what=title, several=len(one.questions) > 1),
            })  # fmt: skip
    said = say(lang, "desk.far", far=one.far, n=len(one.questions)) if one.far else ""
    since = _ago(one.since, "desk.for", lang) if one.since else ""
    if one.reminded:
        said = f"{said}. {_ago(one.reminded, 'desk.was_reminded', lang)}"
    return {
        "name": f"{one.name} · {one.who}" if one.who and one.who != one.name else one.name,
        "bot": one.bot, "state": one.state, "said": said, "since": since, "acts": acts,
    }  # fmt: skip


def _ago(when: datetime, text: str, lang: str) -> str:
    """How long ago something was, which may be less than a minute."""
    past = timezone.now() - when >= MINUTE
    return say(lang, text, time=timesince(when, depth=1) if past else "")


@page(umpire_begun, get=False, post=True)
def remind_seat(request: HttpRequest, visit: Visit, seat: str) -> HttpResponse:
    """Remind a seat of what it owes, by mail too where its people have an address."""
    lang = request.lang  # type: ignore[attr-defined]
    try:
        people = remind(visit, seat)
    except Refusal as refusal:
        messages.error(request, refusal_text(lang, refusal))
        return see_other("desk", code=visit.campaign.code)
    parts = {"code": visit.campaign.code, "seat": seat}
    link = request.build_absolute_uri(reverse("seat", kwargs=parts))
    mailed = [person for person in people if person.email and _mailed(visit, person, link, lang)]
    messages.success(request, say(lang, "desk.reminding", n=len(mailed)))
    return see_other("desk", code=visit.campaign.code)


def _mailed(visit: Visit, person: Person, link: str, lang: str) -> bool:
    """Whether a reminder was sent; a mail that cannot be sent undoes nothing."""
    data = {"campaign": visit.campaign.title, "name": str(person), "link": link}
    lang = person.lang or lang
    subject, body = (say(lang, f"desk.mail_{part}", **data) for part in ("subject", "body"))
    return bool(send_mail(subject, body, None, [person.email], fail_silently=True))


# The absent --------------------------------------------------------------------------------------


@page(umpire_begun, post=True)
def absent(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What the rules would answer for an absent seat; sent, they do."""
    lang = request.lang  # type: ignore[attr-defined]
    sent = request.method == "POST"
    given = request.POST if sent else request.GET
    try:
        key = read_key(given.get("key", ""))
        if sent:
            answer_absent(visit, key, once_of(request))
            messages.success(request, say(lang, "desk.absent_done"))
            return see_other("desk", code=visit.campaign.code)
        with reading(visit.campaign) as table:
            context = _absent(visit, table, key, lang)
    except Refusal as refusal:
        messages.error(request, refusal_text(lang, refusal))
        return see_other("desk", code=visit.campaign.code)
    return render(request, "desk/absent.html", context)


def _absent(visit: Visit, table: Table, key: Key, lang: str) -> dict[str, Any]:
    """Raises as `club.desk.absent_question`.  What another's secrets may stand in is told to an
    umpire who is no party."""
    asked = absent_question(visit, table, key)
    words = words_of(visit, table, lang)
    words.turn_to(table.game, key)
    value = asked.absent(key.seat)
    return frame_of(visit, table, lang) | {
        "who": seat_names(table.game, lang).get(key.seat, key.seat),
        "rule": key.rule.partition("/")[0], "title": words.title(key.rule),
        "asked": words.question(key), "key": key_text(key), "once": new_once(),
        "answer": answer_rows(asked.options(key.seat), value, words) if visit.neutral else [],
    }  # fmt: skip


def answer_rows(options: Options, value: Any, words: Words) -> list[tuple[str, str]]:
    """An answer in words: what each part of a sheet is about, and its answer."""
    if not isinstance(options, Sheet):
        return [("", told(options, value, words))]
    rows = _rows(form_of(options, words, default=value).items)
    return rows[:SHOWN] + ([("", "…")] if len(rows) > SHOWN else [])


def _rows(items: Sequence[Item]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for item in items:
        if isinstance(item, (Group, Within)):
            found += _rows(item.items)
        else:
            assert isinstance(item, Field)
            found.append((item.label, item.said))
    return found


# What the rules ask the umpire -------------------------------------------------------------------


@page(umpire_begun, get=False, post=True)
def answer(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Take the umpire's own answer, by the same door as any seat's."""
    done = take(request, visit, UMPIRE, visit.eye)
    if isinstance(done, NotTaken):
        return _shown(request, visit, done.forms, {}, done.status)
    return see_other("desk", code=visit.campaign.code) if isinstance(done, Taken) else done


def _returned(visit: Visit, table: Table, lang: str) -> list[dict[str, Any]]:
    """The return sheets between which the umpire is asked to decide (PA-2)."""
    found = []
    for runner in table.game.runner.within():
        asked = [r for r in table.game.requests(UMPIRE) if r.keys[UMPIRE].path == runner.path]
        if runner.system.name != "tabletop" or not asked:
            continue
        words = words_of(visit, table, lang)
        words.turn_to(table.game, asked[0].keys[UMPIRE])
        for seat, sheet in runner.state.sheets.items():
            rows = [(words.part(part), told(None, value, words)) for part, value in sheet.items()]
            found.append({"who": words.label("seat", seat), "rows": rows})
    return found


# Dice of the table -------------------------------------------------------------------------------


def _throw(
    visit: Visit, table: Table, throw: Throw, posted: Mapping[str, Form], lang: str
) -> dict[str, Any]:
    """An open throw with its form."""
    words = words_of(visit, table, lang)
    words.turn_to(table.game, throw.key)
    text = key_text(throw.key)
    return {
        "rule": throw.key.rule.partition("/")[0], "title": words.title(throw.key.rule),
        "why": words.roll(throw.roll),
        "whom": [words.label("seat", each) for each in throw.roll.whom],
        "form": posted.get(text) or dice_form(throw.roll, words),
        "hidden": {"key": text, "once": new_once()},
    }  # fmt: skip


@page(umpire_begun, get=False, post=True)
def dice(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Take the faces of dice thrown on the table."""
    lang = request.lang  # type: ignore[attr-defined]
    campaign, once = visit.campaign, once_of(request)
    try:
        if given_before(campaign, once):
            messages.info(request, say(lang, "seat.taken_already"))
            return see_other("desk", code=campaign.code)
        if not visit.neutral:
            raise NotAllowed("muster.typed", part=visit.plays)
        key = read_key(request.POST.get("key", ""))
        with reading(campaign) as table:
            throw = throw_of(table, key)
            words = words_of(visit, table, lang)
            words.turn_to(table.game, key)
            read = read_dice(throw.roll, words, dict(request.POST.lists()))
        if not isinstance(read, Sealed):
            return _shown(request, visit, {}, {key_text(key): read.form}, 422)
        enter_dice(visit, key, read.value, once)
        messages.success(request, say(lang, "desk.dice_taken"))
    except Refusal as refusal:
        messages.error(request, refusal_text(lang, refusal))
    return see_other("desk", code=campaign.code)


# Battles and their papers ------------------------------------------------------------------------


def _battles(visit: Visit, table: Table, lang: str) -> list[dict[str, Any]]:
    """The battles that are open; of those on the table the result can be declared."""
    names = words_of(visit, table, lang).voice.own
    return [
        {
            "path": inner.path,
            "place": names.name(brief.place),
            "sides": [names.name(side.seat) for side in brief.sides],
            "result": inner.system.name == "tabletop" and visit.neutral,
        }
        for runner in table.game.runner.within()
        for brief, inner in runner.branches
        if not inner.over
    ]


def _seat_of(visit: Visit) -> str | None:
    """Whose papers an umpire may have: those of all, or of the seat that he plays."""
    return None if visit.neutral else next(iter(visit.seats), "")


def _has_papers(visit: Visit, table: Table, lang: str) -> bool:
    try:
        dossiers(table.game.header, table.game.runner, lang, seat=_seat_of(visit))
    except Refusal:
        return False
    return True


@page(umpire_begun)
def dossier(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Dossier and return sheet of each open battle, on the page or to be printed."""
    lang = request.lang  # type: ignore[attr-defined]
    form = request.GET.get("format", "")
    with reading(visit.campaign) as table:
        header, runner = table.game.header, table.game.runner
        try:
            papers = dossiers(header, runner, lang, called(visit.campaign), _seat_of(visit))
        except Refusal:
            raise Http404 from None
        context = frame_of(visit, table, lang) | {"told": papers, "formats": FORMATS}
    if form in FORMATS:
        kind = f"{TYPES[form]}; charset=utf-8"
        name = f"{visit.campaign.code}-battles.{ {'text': 'txt', 'bbcode': 'txt'}.get(form, form) }"
        kept = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(write(papers, form), content_type=kind, headers=kept)
    return render(request, "desk/dossier.html", context)


# Forms -------------------------------------------------------------------------------------------


def new_once() -> str:
    """What makes a filled form known again."""
    return secrets.token_hex(16)


def once_of(request: HttpRequest) -> str:
    """What the filled form that was sent is known by."""
    return request.POST.get("once", "")[:LONGEST_ONCE] or new_once()
