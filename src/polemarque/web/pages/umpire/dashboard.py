"""The umpire's desk: who is late, what the rules ask the umpire, dice and papers of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from polemarque.bridges.tabletop import return_sheet
from polemarque.club.campaigns.question_keys import key_text, read_key
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import hides_readiness, seat_names
from polemarque.club.clock.battle_dates import open_battles
from polemarque.club.clock.deadlines import deadline
from polemarque.club.clock.models import box_fault, stuck
from polemarque.club.clock.response_times import everywhere, reliability
from polemarque.club.models import FIRST_PACE, LONGEST_PACE, Person
from polemarque.club.people.roles import Visit
from polemarque.club.people.umpire_vote import seats_of_people
from polemarque.club.server.backup import clock_behind
from polemarque.club.transfer.models import stay_of
from polemarque.club.umpire.acts import can_declare_end, newer_editions, open_proposals
from polemarque.club.umpire.dashboard import (
    Owing,
    absent_question,
    answer_absent,
    may_answer_absent,
    owing,
    remind,
    set_pace,
)
from polemarque.club.umpire.secrets_read import ANSWERS, BATTLES, look, look_as_umpire
from polemarque.kernel.errors import NotUnderstood, Refusal
from polemarque.kernel.request import UMPIRE, Key, Options, Sheet
from polemarque.report.chronicle import for_umpire
from polemarque.report.game_words import Words
from polemarque.report.order_forms.told_answers import told
from polemarque.report.tabletop_dossier import dossiers
from polemarque.web.access import ClubRequest, page, see_other, umpire_begun
from polemarque.web.actions import action
from polemarque.web.battle_dates import meetings
from polemarque.web.downloads import formats, taken_away
from polemarque.web.forms import Form, form_of
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import elapsed, program_name, refusal_text, say, spoken
from polemarque.web.links import absolute
from polemarque.web.mails import wants
from polemarque.web.notices import deliver
from polemarque.web.pages.campaign.campaign import frame_of, is_live
from polemarque.web.pages.campaign.dice import take_dice, throws
from polemarque.web.pages.umpire.return_table import fields_of
from polemarque.web.pages.umpire.umpire_queue import coming
from polemarque.web.questions import (
    NotTaken,
    Taken,
    new_once,
    once_of,
    questions,
    take,
    words_of,
    words_on,
)

SHOWN = 80
"""At most this many parts of an answer are told."""


@page(umpire_begun)
def desk(request: ClubRequest, visit: Visit) -> HttpResponse:
    """Everything that an umpire has to do at present."""
    return _shown(request, visit, {}, {})


def _shown(
    request: ClubRequest, visit: Visit, posted: Mapping[str, Form], thrown: Mapping[str, Form],
    status: int = 200,
) -> HttpResponse:  # fmt: skip
    """The page.   posted, thrown: key -> a form of a question, of dice, that was not taken."""
    lang = request.lang
    campaign = visit.campaign
    with read_lock(campaign) as table:
        sheets = _returned(visit, table, lang)
    if sheets:
        look_as_umpire(visit, BATTLES)
    with read_lock(campaign) as table:
        blind, battles = hides_readiness(visit, table), _battles(visit, table, lang)
        context = frame_of(visit, table, lang) | meetings(visit, table, lang)
        owings, waiting = owing(visit, table, context["ready"]), open_proposals(campaign)
        asked = questions(visit, table, UMPIRE, visit.eye, lang, posted)
        dice_there = throws(visit, table, UMPIRE, lang, thrown)
        dates = {one["battle"].path: one for one in context["meetings"]}
        context |= {
            "blind": blind,
            "clock_behind": clock_behind(campaign),
            "stuck": stuck(campaign),
            "box_fault": box_fault(),
            "paste": "" if _hidden(visit, table) else _to_paste(request, visit, owings),
            "rows": [_row(visit, table, one, lang) for one in owings],
            "questions": asked,
            "throws": dice_there,
            "coming": coming(visit, table, lang, owings, dice_there, asked, waiting),
            "battles": [{**each, "meeting": dates.get(each["path"])} for each in battles],
            "sheets": sheets,
            "papers": bool(battles) and _has_papers(visit, table, lang),
            "stay": stay_of(campaign),
            "can_end": can_declare_end(table) is not None,
            "editions": newer_editions(table),
            "waiting": waiting,
            "longest_pace": LONGEST_PACE,
            "first_pace": FIRST_PACE,
            "lapses": [] if blind else _lapses(visit, table, lang),
            "reliable": [] if blind else _reliable(visit, table, lang),
        }
    template = "desk/part.html" if is_live(request) else "desk/desk.html"
    return render(request, template, context, status=status)


# Who owes what -----------------------------------------------------------------------------------


def _row(visit: Visit, table: LiveCampaign, one: Owing, lang: str) -> dict[str, Any]:
    """What a seat owes, as the umpire's list shows it (see parts/desk.html)."""
    code = visit.campaign.code
    acts: list[dict[str, Any]] = []
    if one.may_remind:
        url = reverse("desk_remind", kwargs={"code": code, "seat": one.seat})
        acts.append({"url": url, "words": say(lang, "desk.remind")})
    if visit.neutral and not one.bot and one.questions:
        url = reverse("desk_orders", kwargs={"code": code, "seat": one.seat})
        acts.append({"url": url, "words": say(lang, "posted.link"), "link": True})
    if not one.bot and not (visit.plays and one.seat in visit.seats):
        absent = reverse("desk_absent", kwargs={"code": code})
        for key in [key for key in one.questions if may_answer_absent(visit, key)]:
            title = words_on(visit, table, key, lang).title(key.rule) or key.rule
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
        "away": one.away,
    }  # fmt: skip


def _hidden(visit: Visit, table: LiveCampaign) -> bool:
    """Whether who is awaited is kept from the umpire, or from anybody who reads a forum."""
    nobody = Visit(visit.campaign, Person(), watches=True)
    return hides_readiness(visit, table) or hides_readiness(nobody, table)


def _to_paste(request: ClubRequest, visit: Visit, owings: Sequence[Owing]) -> str:
    """A message for a forum: who is awaited until when; not for what, which may be secret."""
    awaited = [one for one in owings if one.questions and not one.bot]
    if not awaited:
        return ""
    limit = deadline(visit.campaign, [key for one in awaited for key in one.questions])
    until = date_format(timezone.localtime(limit), "DATETIME_FORMAT") if limit else ""
    names = [f"{one.name} ({one.who})" if one.who else one.name for one in awaited]
    link = absolute(request, reverse("campaign", kwargs={"code": visit.campaign.code}))
    title = visit.campaign.title
    return say(
        request.lang, "hook.paste_words", campaign=title, names=names, until=until, link=link
    )


def _ago(when: datetime, text: str, lang: str) -> str:
    return say(lang, text, time=elapsed(when))


@action(umpire_begun, "desk")
def remind_seat(request: ClubRequest, visit: Visit, seat: str) -> str:
    """Remind a seat of what it owes, by mail too where its people have an address."""
    people = remind(visit, seat)
    deliver(visit.campaign)
    mailed = [person for person in people if wants(person)]
    return say(request.lang, "desk.reminding", n=len(mailed))


@action(umpire_begun, "desk")
def pace(request: ClubRequest, visit: Visit) -> str:
    """Give more hours for each question, or fewer."""
    hours = whole(request.POST.get("pace", "").strip())
    if hours is None:
        raise NotUnderstood("desk.bad_pace", legal=(f"0-{LONGEST_PACE}",))
    set_pace(visit, hours)
    return say(request.lang, "desk.pace_set", n=hours)


LAPSES = 5
"""At most this many programs that did not answer are told of, the latest first."""


def _lapses(visit: Visit, table: LiveCampaign, lang: str) -> list[str]:
    """The programs that did not answer, and who did in their place."""
    names = seat_names(table.game, lang)
    return [
        say(
            lang, "desk.lapse", seat=names.get(each.seat, each.seat), why=each.why,
            when=_ago(each.at, "desk.ago", lang), program=program_name(lang, each.program),
            by=program_name(lang, each.by) if each.by else "",
        )
        for each in visit.campaign.lapses.order_by("-pk")[:LAPSES]
    ]  # fmt: skip


def _reliable(visit: Visit, table: LiveCampaign, lang: str) -> list[dict[str, Any]]:
    """How soon the people of each seat have answered, as far as it has been kept."""
    names, held = seat_names(table.game, lang), seats_of_people(visit.campaign)
    all_kept = everywhere(held.values())
    return [
        {
            "name": names.get(seat, seat),
            "kept": kept,
            "everywhere": all_kept.get(held.get(seat, 0)),
            "usual": spoken(kept.usual) if kept.usual else "",
        }
        for seat, kept in sorted(reliability(visit.campaign).items())
        if kept.since is not None
    ]


# The absent --------------------------------------------------------------------------------------


@page(umpire_begun, post=True)
def absent(request: ClubRequest, visit: Visit) -> HttpResponse:
    """What the rules would answer for an absent seat; sent, they do."""
    lang = request.lang
    sent = request.method == "POST"
    given = request.POST if sent else request.GET
    try:
        key = read_key(given.get("key", ""))
        if sent:
            answer_absent(visit, key, once_of(request))
            messages.success(request, say(lang, "desk.absent_done"))
            return see_other("desk", code=visit.campaign.code)
        look(visit, ANSWERS)
        with read_lock(visit.campaign) as table:
            context = _absent(visit, table, key, lang)
    except Refusal as refusal:
        messages.error(request, refusal_text(lang, refusal))
        return see_other("desk", code=visit.campaign.code)
    return render(request, "desk/absent.html", context)


def _absent(visit: Visit, table: LiveCampaign, key: Key, lang: str) -> dict[str, Any]:
    """Raises as `dashboard.absent_question`.  What another's secrets may stand in is told to an
    umpire who is no party."""
    asked = absent_question(visit, table, key)
    words = words_on(visit, table, key, lang)
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
    rows = _rows(form_of(options, words, default=value))
    return rows[:SHOWN] + ([("", "…")] if len(rows) > SHOWN else [])


def _rows(form: Form) -> list[tuple[str, str]]:
    return [(field.label, field.said) for field in fields_of(form.items)]


# What the rules ask the umpire -------------------------------------------------------------------


@action(umpire_begun, "desk")
def answer(request: ClubRequest, visit: Visit) -> HttpResponse | None:
    """Take the umpire's own answer, by the same door as any seat's."""
    done = take(request, visit, UMPIRE, visit.eye)
    if isinstance(done, NotTaken):
        return _shown(request, visit, done.forms, {}, done.status)
    return None if isinstance(done, Taken) else done


def _returned(visit: Visit, table: LiveCampaign, lang: str) -> list[dict[str, Any]]:
    """Where the return sheets differ between which the umpire is asked to decide (PA-2)."""
    found = []
    for runner in table.game.runner.within():
        asked = [r for r in table.game.requests(UMPIRE) if r.keys[UMPIRE].path == runner.path]
        if runner.system.name != "tabletop" or not asked:
            continue
        words = words_on(visit, table, asked[0].keys[UMPIRE], lang)
        options, sheets = return_sheet(runner.state.brief), runner.state.sheets
        told = [dict(_rows(form_of(options, words, default=one))) for one in sheets.values()]
        parts = dict.fromkeys(part for one in told for part in one)
        rows = [(part, [one.get(part, "–") for one in told]) for part in parts]
        found.append({
            "who": [words.label("seat", seat) for seat in sheets],
            "rows": [(part, said) for part, said in rows if len(set(said)) > 1],
        })  # fmt: skip
    return found


# Dice of the table -------------------------------------------------------------------------------


@action(umpire_begun, "desk")
def dice(request: ClubRequest, visit: Visit) -> HttpResponse | None:
    """Take the faces of dice thrown on the table, or an umpire's word on those that were typed."""
    wrong = take_dice(request, visit, UMPIRE)
    return _shown(request, visit, {}, wrong, 422) if wrong else None


# Battles and their papers ------------------------------------------------------------------------


def _battles(visit: Visit, table: LiveCampaign, lang: str) -> list[dict[str, Any]]:
    """The battles that are open; of those on the table the result can be declared."""
    there = open_battles(table.game)
    if not there:
        return []
    names = words_of(visit, table, lang).voice.own
    return [
        {
            "path": inner.path,
            "place": names.name(brief.place),
            "sides": [names.name(side.seat) for side in brief.sides],
            "result": inner.system.name == "tabletop" and visit.neutral,
        }
        for brief, inner in there
    ]


def _seat_of(visit: Visit) -> str | None:
    """Whose papers an umpire may have: those of all, or of the seat that they play."""
    return None if visit.neutral else next(iter(visit.seats), "")


def _has_papers(visit: Visit, table: LiveCampaign, lang: str) -> bool:
    try:
        dossiers(table.game.header, table.game.runner, lang, seat=_seat_of(visit))
    except Refusal:
        return False
    return True


@page(umpire_begun)
def dossier(request: ClubRequest, visit: Visit) -> HttpResponse:
    """Dossier and return sheet of each open battle, on the page or to be printed."""
    lang = request.lang
    look(visit, BATTLES)
    with read_lock(visit.campaign) as table:
        header, runner = table.game.header, table.game.runner
        try:
            papers = dossiers(header, runner, lang, visit.people, _seat_of(visit))
        except Refusal:
            raise Http404 from None
        if visit.neutral:
            papers = for_umpire(papers, header.system)
        context = frame_of(visit, table, lang) | {"told": papers}
        context["formats"] = formats()
    name = f"{visit.campaign.code}-battles"
    file = taken_away(papers, request.GET.get("format", ""), name, apart=True)
    return file or render(request, "desk/dossier.html", context)
