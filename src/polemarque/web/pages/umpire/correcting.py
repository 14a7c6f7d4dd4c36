"""Forms in which an umpire corrects an answer that stands, or fills in the result of a battle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from msgspec import UNSET

from polemarque.bridges.tabletop import ReturnedSheet as OnTable
from polemarque.bridges.tabletop import blank, return_sheet
from polemarque.club.campaigns.question_keys import key_text, read_key
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import seat_names
from polemarque.club.people.roles import Visit
from polemarque.club.umpire.acts import (
    AsThen,
    all_as_then,
    as_then,
    check_running,
    standing_answers,
    today,
)
from polemarque.club.umpire.secrets_read import ANSWERS, BATTLES, look
from polemarque.kernel.acts import UmpireAct
from polemarque.kernel.dice import Roll
from polemarque.kernel.errors import Refusal
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.records.record import Adjust, Answer, Replace
from polemarque.kernel.request import Key, Options
from polemarque.report.game_words import Words
from polemarque.report.order_forms.told_answers import told
from polemarque.web.access import ClubRequest, page, see_other, umpire_begun
from polemarque.web.forms import (
    Form,
    Sealed,
    Unfinished,
    dice_form,
    draft_of,
    form_of,
    read_dice,
    read_form,
)
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import TEXTS, refusal_text, say
from polemarque.web.pages.campaign.campaign import frame_of, when
from polemarque.web.pages.umpire.acts import REASON, any_key, proposed, reason_error, reason_of
from polemarque.web.pages.umpire.dashboard import answer_rows
from polemarque.web.pages.umpire.return_table import laid_out
from polemarque.web.questions import named, new_once, once_of, words_of

LIST = 25
"""At most this many answers on a page of corrections."""


@page(umpire_begun)
def corrections(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The answers that stand, newest first, of one seat or turn if the reader wants."""
    lang = request.lang
    look(visit, ANSWERS)
    try:
        with read_lock(visit.campaign) as table:
            check_running(table)
            context = frame_of(visit, table, lang) | _list(request, visit, table, lang)
        context["answers"] = _lines(visit, context["answers"], context["sides"], lang)
    except Refusal as refusal:
        messages.error(request, refusal_text(lang, refusal))
        return see_other("desk", code=visit.campaign.code)
    return render(request, "desk/corrections.html", context)


def _list(request: ClubRequest, visit: Visit, table: LiveCampaign, lang: str) -> dict[str, Any]:
    found = standing_answers(visit, table)
    names = seat_names(table.game, lang)
    seat, turn = request.GET.get("of", ""), request.GET.get("turn", "")
    seats = list(dict.fromkeys(each.key.seat for each in found))
    turns = list(dict.fromkeys(each.key.outer_period for each in found))
    kept = [
        each
        for each in found
        if seat in ("", each.key.seat) and turn in ("", str(each.key.outer_period))
    ]
    start = whole(request.GET.get("from", "")) or 0
    words = words_of(visit, table, lang)
    system = table.game.header.system
    return {
        "answers": kept[start : start + LIST], "sides": names,
        "seats_there": [(code, names.get(code, words.label("seat", code))) for code in seats],
        "turns_there": [(str(number), when(system, number, lang)) for number in turns],
        "of": seat, "turn": turn, "count": len(kept),
        "earlier": start + LIST if start + LIST < len(kept) else 0,
        "later": max(0, start - LIST) if start else None,
    }  # fmt: skip


def _lines(
    visit: Visit, shown: Sequence[Answer], names: Mapping[str, str], lang: str
) -> list[dict[str, str]]:
    """Answers in the words of then, the newest first: what was asked may not be open any more."""
    found: dict[Key, dict[str, str]] = {}
    for then in all_as_then(visit, [one.key for one in shown]):
        one, header = then.given, then.game.header
        key, words = one.key, Words(header, lang, TEXTS, visit.people, state=then.game.state)
        words.turn_to(then.game, key)
        asked = then.asked
        options = None if isinstance(asked, RollRequest) else asked.options(key.seat)
        found[key] = {
            "key": key_text(key), "rule": key.rule.partition("/")[0],
            "title": words.title(key.rule), "when": when(header.system, then.period, lang),
            "who": names.get(key.seat, words.label("seat", key.seat)), "by": one.by,
            "said": told(options, one.value, words),
        }  # fmt: skip
    return [found[one.key] for one in shown if one.key in found]


@page(umpire_begun, post=True)
def correct(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The form of an answer as it was asked then, to be given again or annulled."""
    lang = request.lang
    given = request.POST if request.method == "POST" else request.GET
    look(visit, ANSWERS)
    try:
        key = read_key(given.get("key", ""))
        then = as_then(visit, key)
    except Refusal as refusal:
        messages.error(request, refusal_text(lang, refusal))
        return see_other("desk", code=visit.campaign.code)
    with read_lock(visit.campaign) as table:
        words = words_of(visit, table, lang)
        context = frame_of(visit, table, lang)
        who = seat_names(table.game, lang).get(key.seat, words.label("seat", key.seat))
    words.turn_to(then.game, key)

    def acted(value: Any) -> UmpireAct:
        annul = value is UNSET
        return Replace(key, reason_of(request), today(), None if annul else value, annul)

    context |= {
        "hidden": {"key": key_text(key), "once": new_once()}, "who": who, "may_annul": True,
        "rule": key.rule.partition("/")[0], "title": words.title(key.rule),
        "asked": words.question(key), "stands": _stands(then, words),
        "when": when(then.game.header.system, then.period, lang),
    }  # fmt: skip
    laid = partial(laid_out, runner=then.game.runner.find(key)[0], words=words)
    filling = _changed(then, words)
    return _act_page(request, visit, filling, acted, "desk/correct.html", context, laid)


def _stands(then: AsThen, words: Words) -> list[tuple[str, str]]:
    """The answer that stands, in words."""
    if isinstance(then.asked, RollRequest):
        return [("", told(None, then.given.value, words))]
    return answer_rows(then.asked.options(then.given.key.seat), then.given.value, words)


@dataclass(frozen=True)
class _Sheet:
    """The form of an answer.   default: what stands in it at first."""

    options: Options
    words: Words
    named: str
    default: Any

    def form(self, posted: QueryDict | None = None) -> Form:
        """The form, with what was typed so far."""
        return form_of(
            self.options, self.words, default=self.default, named=self.named,
            draft=draft_of(posted, self.named) if posted is not None else None,
        )  # fmt: skip

    def read(self, posted: QueryDict) -> Sealed | Unfinished:
        """The answer that was sent, or the form again."""
        return read_form(
            self.options, self.words, dict(posted.lists()), default=self.default, named=self.named
        )


@dataclass(frozen=True)
class _Dice:
    """The form of dice thrown on a table."""

    roll: Roll
    words: Words

    def form(self, posted: QueryDict | None = None) -> Form:
        """See `_Sheet`."""
        return dice_form(self.roll, self.words, dict(posted.lists()) if posted else None)

    def read(self, posted: QueryDict) -> Sealed | Unfinished:
        """See `_Sheet`."""
        return read_dice(self.roll, self.words, dict(posted.lists()))


Filling = _Sheet | _Dice
"""A form that an act is made of."""


def _changed(then: AsThen, words: Words) -> Filling:
    """The form of a question of then, with the answer that stands."""
    key = then.given.key
    if isinstance(then.asked, RollRequest):
        return _Dice(then.asked.roll, words)
    return _Sheet(then.asked.options(key.seat), words, named(key_text(key)), then.given.value)


def _act_page(
    request: ClubRequest, visit: Visit, filling: Filling, acted: Callable[[Any], UmpireAct],
    template: str, context: dict[str, Any], laid: Callable[[Form], Form],
) -> HttpResponse:  # fmt: skip
    """A page with one form and the reason of an act; sent whole, on to where the act is looked at.

    laid:  lays out the form.
    acted: makes the act of an answer, or of UNSET where the form's answer is annulled.  A page that
    works the form out as it is typed gets that form alone.
    """
    lang, posted = request.lang, request.POST
    form, error, status = filling.form(), "", 200
    if request.method == "POST":
        do = posted.get("do", "seal")
        error = reason_error(request) if do != "work" else ""
        form, status = filling.form(posted), 200 if do == "work" else 422
        read = filling.read(posted) if do == "seal" else None
        if isinstance(read, Unfinished):
            form = read.form
        elif do != "work" and not error:
            try:
                act = acted(read.value if isinstance(read, Sealed) else UNSET)
                return proposed(visit, act, once_of(request))
            except Refusal as refusal:
                messages.error(request, refusal_text(lang, refusal))
    context |= {
        "form": msgspec.structs.replace(laid(form), send=say(lang, "desk.look")),
        "action": request.path, "reason_error": error, "most": REASON.most,
        "reason": posted.get("reason", context.get("reason", "")),
    }  # fmt: skip
    alone = request.headers.get("X-Form") is not None
    return render(request, "desk/_act_form.html" if alone else template, context, status=status)


# The result of a battle on the table -------------------------------------------------------------


@page(umpire_begun, post=True)
def result(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The return sheet of a battle on the table, filled in by an umpire who is no party."""
    lang = request.lang
    given = request.POST if request.method == "POST" else request.GET
    path = given.get("path", "")
    look(visit, BATTLES)
    with read_lock(visit.campaign) as table:
        runner = table.game.runner.at(path)
        if not (visit.neutral and path and runner and isinstance(runner.state, OnTable)):
            messages.error(request, say(lang, "desk.no_table"))
            return see_other("desk", code=visit.campaign.code)
        words = words_of(visit, table, lang)
        words.turn_to(table.game, any_key(runner))
        brief = runner.state.brief
        context = frame_of(visit, table, lang)

    def acted(value: Any) -> UmpireAct:
        return Adjust("result", value, reason_of(request), today(), path=path)

    context |= {
        "hidden": {"path": path, "once": new_once()}, "place": words.label("place", brief.place),
        "reason": say(lang, "desk.result_reason"),
    }  # fmt: skip
    undecided = {part: value for part, value in blank(brief).items() if part != "result"}
    sheet = _Sheet(return_sheet(brief), words, named(path), undecided)
    laid = partial(laid_out, runner=runner, words=words)
    return _act_page(request, visit, sheet, acted, "desk/result.html", context, laid)
