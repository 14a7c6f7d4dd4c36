"""A whole turn planned on one page: question after question as they will come, sealed in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from polemarque.club.campaigns.question_keys import key_text, read_key
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import foreseen_board, public_names
from polemarque.club.orders.plans import Plan, asked_now, digest_of, drop, keep, plan_of, seal_plan
from polemarque.club.people.roles import Visit
from polemarque.kernel.errors import NotUnderstood, OutOfDate, Refusal
from polemarque.kernel.game import Game
from polemarque.kernel.rehearsal import Planned, Rehearsal, Step, moment, planned_by
from polemarque.kernel.request import Request
from polemarque.report.game_words import Words
from polemarque.report.order_forms.told_answers import told
from polemarque.web.access import ClubRequest, commander, page, see_other
from polemarque.web.forms import Form, Unfinished
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import refusal_text, say
from polemarque.web.pages.campaign.campaign import frame_of
from polemarque.web.questions import Asked, new_once, once_of, words_of


@dataclass(frozen=True)
class Condition:
    """When a planned answer holds.

    choices: (condition, in words, whether chosen).   absent: whether the rules answer otherwise.
    """

    choices: Sequence[tuple[str, str, bool]]
    absent: bool
    template: str = "forms/condition.html"


@dataclass(frozen=True)
class Kept:
    """An answer of the plan, in words.

    at: its number in the plan, from 0.   premise, when: in words, or "".
    now: whether it is given as soon as the plan is sealed.   rules: whether they answer otherwise.
    """

    at: int
    rule: str
    title: str
    said: str
    premise: str
    when: str
    now: bool
    rules: bool

    @property
    def always(self) -> bool:
        """Whether it holds in any case."""
        return not self.premise and not self.when


@dataclass(frozen=True)
class Next:
    """The question that comes next, with its form."""

    rule: str
    title: str
    said: str
    figures: Sequence[str]
    premise: str
    form: Form
    hidden: dict[str, str]
    ahead: Condition | None


class Foresight:
    """A plan as its page shows it: read from the game in the head, step by step."""

    def __init__(self, visit: Visit, table: LiveCampaign, seat: str, plan: Plan, lang: str) -> None:
        self.visit, self.table, self.seat, self.plan, self.lang = visit, table, seat, plan, lang
        self.words = words_of(visit, table, lang)
        self.kept: list[Kept] = []
        self.rehearsal = plan.rehearsal(table.game, seat, self._see)

    def _see(self, rehearsal: Rehearsal, step: Step, request: Request) -> None:
        """Put an answer of the plan in words while the game in the head stands at its question."""
        if step.planned is not None:
            at = [(each.premise, each.key) for each in self.plan.answers]
            number = at.index((step.premise, step.key))
            self.kept.append(
                kept_answer(self.table.game, rehearsal, step, request, self.words, number)
            )

    def asked(self, request: Request) -> Asked:
        """The open question, with the names and the board of the game in the head."""
        assert self.rehearsal is not None
        game = self.rehearsal.game
        self.words.turn_to(game, request.keys[self.seat])
        places = next((one.board.places for one in self.boards()), ())
        return Asked(self.visit, self.table, self.seat, request, self.words, places)

    def boards(self) -> Sequence[Any]:
        """The board as it is foreseen."""
        rehearsal = self.rehearsal
        if rehearsal is None:
            return ()
        names = public_names(self.table, self.lang, self.visit.people)
        return foreseen_board(rehearsal.game, rehearsal.path, self.seat, self.lang, names)

    def next(self, form: Form | None, posted: Any) -> Next | None:
        """The open question for the page.   form, posted: what was sent and could not be taken."""
        step = self.rehearsal.open if self.rehearsal else None
        request = self.rehearsal.request if self.rehearsal else None
        if step is None or request is None:
            return None
        one = self.asked(request)
        said, *figures = self.words.question(step.key).splitlines() or [""]
        shown = _buttons(form or one.form(None), self.lang)
        hidden = {"key": key_text(step.key), "premise": step.premise}
        if shown.sure:
            hidden["sure"] = shown.sure
        premise = self.words.label("premise", step.premise) if step.premise else ""
        return Next(
            step.key.rule.partition("/")[0], self.words.title(step.key.rule), said, figures,
            premise[:1].upper() + premise[1:], shown, hidden, self.condition(step, posted),
        )  # fmt: skip

    def condition(self, step: Step, posted: Any) -> Condition | None:
        """When the answer is to hold; nothing of the one that is given at once."""
        if asked_now(self.table.game, self.seat, step):
            return None
        chosen = posted.get("when", "") if posted else ""
        choices = [
            (one, self.words.label("condition", one), one == chosen) for one in step.conditions
        ]
        absent = bool(posted) and posted.get("otherwise") == "absent"
        return Condition(choices if not step.premise else (), absent)


def kept_answer(
    game: Game, rehearsal: Rehearsal, step: Step, request: Request, words: Words, number: int = 0
) -> Kept:
    """An answer of a plan in words; the game in the head stands at its question."""
    assert step.planned is not None
    key, planned = step.key, step.planned
    words.turn_to(rehearsal.game, key)
    said = told(request.options(key.seat), planned.value, words)
    question = words.question(key).partition("\n")[0]
    return Kept(
        number, key.rule.partition("/")[0], words.title(key.rule), f"{question} {said}".strip(),
        words.label("premise", step.premise) if step.premise else "",
        ", ".join([words.label("condition", one) for one in planned.when]),
        asked_now(game, key.seat, step), bool(planned.otherwise),
    )  # fmt: skip


def sealed_in_words(
    visit: Visit, table: LiveCampaign, seat: str, lang: str
) -> dict[tuple[str, str, str, int], Kept]:
    """What stands of a sealed plan, by battle and name of a question: as far as they come."""
    game, left = table.game, planned_by(table.game, seat)
    begin = moment(game, seat) if left else None
    if begin is None:
        return {}
    found: dict[tuple[str, str, str, int], Kept] = {}
    words = words_of(visit, table, lang)

    def see(rehearsal: Rehearsal, step: Step, request: Request) -> None:
        if step.planned is not None:
            found[step.key.path, *step.name] = kept_answer(game, rehearsal, step, request, words)

    Rehearsal(game, seat, begin, left=left, watch=see)
    return found


def _buttons(form: Form, lang: str) -> Form:
    """A form whose button keeps the answer, as nothing is sent yet."""
    if form.sure:
        return form
    button = say(lang, "plan.go_on")
    return msgspec.structs.replace(form, seal=button, send=button)


# The page ----------------------------------------------------------------------------------------


@page(commander, post=True)
def plan(request: ClubRequest, visit: Visit, seat: str) -> HttpResponse:
    """The plan of a seat's turn: its next question, what is kept, and the seal."""
    if request.method != "POST":
        return _shown(request, visit, seat)
    campaign, person, posted = visit.campaign, visit.person, request.POST
    does = posted.get("do", "")
    here = reverse("plan", kwargs={"code": campaign.code, "seat": seat}) + "#asked-title"
    try:
        if does == "plan":
            return _sealed(request, visit, seat)
        if does == "drop":
            drop(campaign, person, seat)
            return see_other("seat", code=campaign.code, seat=seat)
        with read_lock(campaign) as table:
            made = plan_of(campaign, person, table.game, seat)
            if does == "luck":
                made = msgspec.structs.replace(made, luck=made.luck + 1)
            elif does == "change":
                made = made.without(whole(posted.get("at", "")) or 0)
            else:
                read = _read(visit, table, seat, made, request)
                if not isinstance(read, Planned):
                    return read
                made = made.answered(read)
            keep(campaign, person, seat, made)
    except Refusal as refusal:
        messages.error(request, refusal_text(request.lang, refusal))
    return see_other(here)


def _sealed(request: ClubRequest, visit: Visit, seat: str) -> HttpResponse:
    """Seal the plan.  Raises OutOfDate if it is another one by now."""
    posted = request.POST
    count, receipt = seal_plan(
        visit.campaign, visit.person, seat, shown=posted.get("shown", ""), once=once_of(request)
    )
    messages.success(request, say(request.lang, "plan.sealed", n=count))
    address = reverse("seat", kwargs={"code": visit.campaign.code, "seat": seat})
    return see_other(address + (f"?receipt={receipt.digest}" if receipt else "#asked-title"))


def _read(
    visit: Visit, table: LiveCampaign, seat: str, made: Plan, request: ClubRequest
) -> Planned | HttpResponse:
    """What was sent in answer to the open question: an answer, or its form or page again.

    Raises OutOfDate if another question is open by now.
    """
    posted, foresight = request.POST, Foresight(visit, table, seat, made, request.lang)
    step = foresight.rehearsal.open if foresight.rehearsal else None
    asked = foresight.rehearsal.request if foresight.rehearsal else None
    sent = (read_key(posted.get("key", "")), posted.get("premise", ""))
    if step is None or asked is None or (step.key, step.premise) != sent:
        raise OutOfDate("plan.changed")
    read = foresight.asked(asked).read(posted)
    if isinstance(read, Unfinished):
        if request.headers.get("X-Form") is None:
            status = 422 if posted.get("do") == "seal" else 200
            return _shown(request, visit, seat, read.form, status)
        shown = foresight.next(read.form, posted)
        assert shown is not None
        context = {"form": shown.form, "hidden": shown.hidden, "sealed": False,
                   "ahead": shown.ahead, "action": request.path}  # fmt: skip
        return render(request, "forms/form.html", context)
    when = [one for one in (posted.get("when", ""),) if one]
    if not {*when} <= {*step.conditions}:
        raise NotUnderstood("plan.condition", part=when[0], legal=step.conditions)
    rules = posted.get("otherwise") == "absent"
    return Planned(step.key, read.value, step.premise, tuple(when), "absent" if rules else "")


def _shown(
    request: ClubRequest, visit: Visit, seat: str, form: Form | None = None, status: int = 200
) -> HttpResponse:
    """The page.   form: what was sent and could not be taken."""
    with read_lock(visit.campaign) as table:
        context = frame_of(visit, table, request.lang, seat)
        made = plan_of(visit.campaign, visit.person, table.game, seat)
        foresight = Foresight(visit, table, seat, made, request.lang)
        context |= {
            "step": foresight.next(form, request.POST),
            "boards": foresight.boards(),
            "kept": foresight.kept,
            "nth": len(foresight.kept) + 1,
            "cannot": foresight.rehearsal is None,
            "battle": made.path,
            "shown": digest_of(foresight.rehearsal) if foresight.rehearsal else "",
            "full": foresight.rehearsal is not None and foresight.rehearsal.full,
            "stands": foresight.rehearsal.standing(table.game) if foresight.rehearsal else (),
            "once": new_once(),
        }
    return render(request, "seat/plan.html", context, status=status)
