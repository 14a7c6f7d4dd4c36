"""An act of the umpire, looked at before it is done; and what other seats say to it."""

from __future__ import annotations

from typing import Any

import msgspec
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render

from polemarque.bridges.tabletop import ReturnedSheet, return_sheet
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import public_names, seat_names
from polemarque.club.models import Proposal
from polemarque.club.people.roles import Visit, names_in, visit_of
from polemarque.club.umpire.acts import (
    SPOKEN,
    AsThen,
    Foreseen,
    act_of,
    adjustable,
    as_then,
    check_running,
    confirm,
    consent,
    consenting,
    drop,
    find_act,
    foresee,
    needs_consent,
    open_proposals,
    propose,
    refuse,
    sees,
)
from polemarque.club.umpire.secrets_read import CHANGES, look
from polemarque.kernel.acts import UmpireAct
from polemarque.kernel.adjust import pattern_of, stands_for
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate, Refusal
from polemarque.kernel.files.sentence_templates import in_line
from polemarque.kernel.records.record import Adjust, Replace
from polemarque.kernel.request import Key, Request, Text
from polemarque.kernel.run import Runner
from polemarque.report.act_effects import Group, Teller
from polemarque.report.chronicle import episode
from polemarque.report.documents.document import Document
from polemarque.report.game_words import Words
from polemarque.report.order_forms.told_answers import told
from polemarque.web.access import ClubRequest, commander, page, see_other, umpire_begun
from polemarque.web.actions import action
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import catalogue, refusal_text, say
from polemarque.web.pages.campaign.campaign import frame_of, when
from polemarque.web.pages.umpire.dashboard import answer_rows
from polemarque.web.pages.umpire.return_table import told as sheet_told
from polemarque.web.questions import words_of

REASON = Text(most=300)
"""Why an act is done, for everybody to read."""

MOST = 40
"""At most this many changes are told of a seat; of the others, how many there are."""


def reason_of(request: ClubRequest) -> str:
    """The reason that was given.  Raises NotUnderstood if there is none, or it is too long."""
    typed = " ".join(request.POST.get("reason", "").split())
    if not typed:
        raise NotUnderstood("desk.reason")
    return REASON.take(typed)


def reason_error(request: ClubRequest) -> str:
    """What is wrong with the reason that was given, or ""."""
    try:
        reason_of(request)
    except Refusal as refusal:
        return refusal_text(request.lang, refusal)
    return ""


def proposed(visit: Visit, act: UmpireAct, once: str) -> HttpResponse:
    """On to the page on which the act is looked at."""
    made = propose(visit, act, once)
    return see_other("act", code=visit.campaign.code, number=made.pk)


# Looking at an act, and doing it -----------------------------------------------------------------


@page(umpire_begun, post=True)
def act(request: ClubRequest, visit: Visit, number: int) -> HttpResponse:
    """What an act would change; confirmed, it is done, or put to the others.

    Only who proposed it may look at it and confirm it; any umpire may drop what waits.
    """
    lang = request.lang
    campaign = visit.campaign
    found = find_act(campaign, number)
    if found is None:
        raise Http404
    dropping = request.POST.get("do") == "drop" and found.put is not None
    if found.by != visit.person and not dropping:
        raise Http404
    if request.method != "POST":
        return _act_shown(request, visit, found)
    try:
        if request.POST.get("do") == "drop":
            drop(found)
            messages.success(request, say(lang, "desk.dropped"))
        else:
            done = confirm(visit, found, _number(request))
            if done.done and not done.entered:
                messages.error(request, say(lang, "desk.dropped_already"))
            else:
                messages.success(request, say(lang, "desk.done" if done.entered else "desk.put"))
    except OutOfDate as late:
        messages.error(request, refusal_text(lang, late))
        return _act_shown(request, visit, found, 409)
    except Refusal as refusal:
        if not visit.neutral:  # of what others hide the game says nothing
            refusal = refusal if refusal.code.startswith("desk.") else NotAllowed("desk.impossible")
        messages.error(request, refusal_text(lang, refusal))
        return _act_shown(request, visit, found, 422)
    return see_other("desk", code=campaign.code)


def _number(request: ClubRequest) -> int:
    """For how many entries a difference was shown; -1 where that is not said."""
    number = whole(request.POST.get("number", ""))
    return -1 if number is None else number


def _act_shown(
    request: ClubRequest, visit: Visit, found: Proposal, status: int = 200
) -> HttpResponse:
    lang = request.lang
    foreseen: Foreseen | None = None
    why = unseen = ""
    look(visit, CHANGES)
    asked, others = _asked(visit, act_of(found)), False
    try:
        with read_lock(visit.campaign) as table:
            check_running(table)
            unseen = "" if sees(visit, table) else say(lang, "desk.unseen")
        others = not found.done and needs_consent(found)
        foreseen = None if found.done or unseen else foresee(found)
    except Refusal as refusal:
        why = refusal_text(lang, refusal)
    with read_lock(visit.campaign) as table:
        context = frame_of(visit, table, lang) | {
            "act": described(visit, table, act_of(found), lang, asked),
            "proposal": found, "why": why,
            "unseen": unseen,
            "others": others, "blind": not visit.neutral,
            **(_told(visit, table, foreseen, None if visit.neutral else list(visit.seats), lang)
               if foreseen else {}),
            "story": _story(visit, table, act_of(found), foreseen, lang),
        }  # fmt: skip
    return render(request, "desk/act.html", context, status=status)


def _asked(visit: Visit, done: UmpireAct) -> AsThen | None:
    """The question whose answer an act replaces, as it was asked then; None where it cannot be."""
    if not isinstance(done, Replace) or done.annul:
        return None
    try:
        return as_then(visit, done.key)
    except Refusal:
        return None


def described(
    visit: Visit,
    table: LiveCampaign,
    done: UmpireAct,
    lang: str,
    asked: AsThen | None = None,
    *,
    untold: bool = False,
) -> dict[str, str]:
    """An act in words.

    asked:  the question whose answer it replaces: its options say what the parts of one mean.
    untold: the new answer is not for this reader.
    """
    words = words_of(visit, table, lang)
    data: dict[str, Any] = {}
    if isinstance(done, Replace):
        key, period = done.key, done.key.outer_period
        if asked is not None:
            words.turn_to(asked.game, key)
            period = asked.period
        names = seat_names(table.game, lang)
        data = {
            "rule": key.rule.partition("/")[0], "title": words.title(key.rule),
            "who": names.get(key.seat, words.label("seat", key.seat)),
            "when": when(table.game.header.system, period, lang),
            "value": "" if untold else _in_words(asked, done, words), "annul": done.annul,
        }  # fmt: skip
    elif isinstance(done, Adjust) and not untold and (runner := _on_table(table, done)):
        words.turn_to(table.game, any_key(runner))
        return {"said": sheet_told(runner.state.brief, done.value, words), "reason": done.reason,
                "kind": "adjust"}  # fmt: skip
    elif isinstance(done, Adjust):
        data = {"what": _what(visit, table, done, lang), "value": _value_told(done.value, words)}
    else:
        data = {"edition": done.edition, "resolver": done.resolver}
    kind = type(done).__name__.lower()
    return {"said": say(lang, f"desk.act.{kind}", **data), "reason": done.reason, "kind": kind}


def _on_table(table: LiveCampaign, done: UmpireAct) -> Runner | None:
    """The battle whose whole return sheet an act fills in, while it is open."""
    if not isinstance(done, Adjust) or not isinstance(done.value, dict):
        return None
    runner = table.game.runner.at(done.path)
    if runner is None or not isinstance(runner.state, ReturnedSheet):
        return None
    try:
        return_sheet(runner.state.brief).take(done.value)
    except Refusal:
        return None
    return runner


def any_key(runner: Runner) -> Key:
    """A key of what is open in a battle, to speak of it."""
    pending = runner.pending
    assert isinstance(pending, Request)
    return next(iter(pending.keys.values()))


def _what(visit: Visit, table: LiveCampaign, done: Adjust, lang: str) -> str:
    """What is adjusted, in words: what a name of that form is, and of which seat or place."""
    runner = table.game.runner.at(done.path) or table.game.runner
    pattern = pattern_of(done.name, adjustable(runner).names)
    steps = zip(done.name.split("."), pattern.split("."), strict=False) if pattern else ()
    book = words_of(visit, table, lang).voice.own
    whose = [book.name(step) for step, of in steps if stands_for(of) or len(of) == 1]
    return say(
        lang, "desk.what", name=done.name, whose=", ".join(whose), path=done.path,
        what=explained(runner.system.name, pattern, lang).removesuffix("."),
    )  # fmt: skip


def explained(system: str, pattern: str, lang: str) -> str:
    """What a name of some form adjusts, where our texts know it."""
    steps = [step for step in pattern.split(".") if len(step) > 1]
    firm = "_".join([step for step in steps if not stands_for(step)])
    key = f"adjust.{system}.{firm or ''.join(steps[:1]).lower()}"
    return say(lang, key) if catalogue().has(lang, key) else ""


def _value_told(value: Any, words: Words) -> str:
    """A value in words: seats and places by name."""
    if isinstance(value, (list, tuple)) and value:
        return ", ".join([_value_told(each, words) for each in value])
    return words.voice.own.name(value) if isinstance(value, str) else told(None, value, words)


def _in_words(asked: AsThen | None, done: Replace, words: Words) -> str:
    """The answer that takes the place of another: as its form says it, if that is known."""
    if asked is None or not isinstance(asked.asked, Request):
        return told(None, done.value, words)
    options = asked.asked.options(done.key.seat)
    try:
        rows = answer_rows(options, options.take(done.value), words)
    except Refusal:  # it is none of those; the difference says so
        return told(None, done.value, words)
    said = [say(words.lang, "desk.part", label=label, value=value) for label, value in rows]
    return in_line(said, words.lang)


def _told(
    visit: Visit, table: LiveCampaign, found: Foreseen, eyes: list[str] | None, lang: str
) -> dict[str, Any]:
    """What an act would change, for who may see through some seats' eyes; None for all."""
    words = words_of(visit, table, lang)
    names, effect = seat_names(table.game, lang), found.effect
    changes = {s: each for s, each in effect.changes.items() if eyes is None or s in eyes}
    teller = Teller(table.game, lang, visit.people, MOST)
    groups: list[Group] = teller.groups(changes, names) if changes else []

    def said(keys: Any) -> list[str]:
        mine = [key for key in keys if eyes is None or key.seat in eyes]
        return [
            say(lang, "desk.key", who=names.get(key.seat, words.label("seat", key.seat)),
                rule=key.rule.partition("/")[0], title=words.title(key.rule),
                when=when(table.game.header.system, key.outer_period, lang))
            for key in mine
        ]  # fmt: skip

    refused = ""
    if found.refusal is not None and (eyes is None or found.refusal.code in SPOKEN):
        refused = refusal_text(lang, found.refusal, table.game.header.system)
    return {
        "groups": groups, "number": found.number, "refused": refused, "rules": effect.rules,
        "left": said(effect.left), "asked": said(effect.asked), "ends": effect.over,
        "rolls": len(effect.rolls) if eyes is None else 0,
    }  # fmt: skip


def _story(
    visit: Visit, table: LiveCampaign, act: UmpireAct, foreseen: Foreseen | None, lang: str
) -> Document | None:
    """What follows a battle's result, as the chronicle will tell it to a neutral umpire."""
    if foreseen is None or not visit.neutral or _on_table(table, act) is None:
        return None
    game, names = table.game, public_names(table, lang, visit.people)
    story = episode(game.header, foreseen.told, lang, names, state=game.state)
    blocks = [part for block in story.blocks for part in getattr(block, "blocks", (block,))]
    return msgspec.structs.replace(story, blocks=tuple(blocks))


# What the other seats say to it ------------------------------------------------------------------


def put_to(visit: Visit, seat: str, lang: str) -> list[dict[str, Any]]:
    """The acts that wait for consent, as a seat's own page shows them."""
    found = []
    proposals = open_proposals(visit.campaign)
    people = names_in(visit.campaign) if proposals else {}
    for proposal in proposals:
        done = act_of(proposal)
        with read_lock(visit.campaign) as table:
            if table.game.over:
                continue
            unseen = "" if sees(visit, table) else say(lang, "desk.unseen")
        seen = {} if unseen else _foreseen_by(visit, seat, proposal, lang)
        found.append({
            "number": proposal.pk, "by": people.get(proposal.by_id or 0, ""),
            "reason": done.reason,
            "kind": say(lang, f"desk.kind.{type(done).__name__.lower()}"),
            "said": _put_said(visit, proposal, seat, bool(seen.get("act_groups")), lang),
            "may": visit.commands(seat) and seat in consenting(proposal),
            "unseen": unseen, **seen,
        })  # fmt: skip
    return found


def _put_said(visit: Visit, proposal: Proposal, seat: str, changes: bool, lang: str) -> str:
    """What a seat is asked to consent to, in words.

    Of a corrected answer it is told which, and not what it says: that stays with its seat.  Of an
    adjustment it is told all, but for a figure of a third seat that it does not see.

    changes: the act changes something that the seat sees.
    """
    done = act_of(proposal)
    with read_lock(visit.campaign) as table:
        if isinstance(done, Adjust) and not changes and _of_third(table, proposal, done, seat):
            return say(lang, "desk.act.withheld", what=_what(visit, table, done, lang))
        return described(visit, table, done, lang, untold=True)["said"]


def _of_third(table: LiveCampaign, proposal: Proposal, done: Adjust, seat: str) -> bool:
    """Whether an adjustment names another seat than the reader's and those of its umpire."""
    mine = {seat} | set(visit_of(proposal.campaign, proposal.by).seats if proposal.by else ())
    return any(step in table.game.header.seats and step not in mine
               for step in done.name.split("."))  # fmt: skip


def _foreseen_by(visit: Visit, seat: str, proposal: Proposal, lang: str) -> dict[str, Any]:
    """What an act would change for a seat, as the game stands."""
    foreseen = foresee(proposal)
    with read_lock(visit.campaign) as table:
        told = _told(visit, table, foreseen, [seat], lang)
    impossible = foreseen.refusal is not None
    return {"impossible": impossible, **{f"act_{name}": each for name, each in told.items()}}


@action(commander, "seat")
def answer_proposal(request: ClubRequest, visit: Visit, seat: str, number: int) -> str:
    """A seat consents to an act of an umpire who plays, or refuses it."""
    found = Proposal.objects.filter(campaign=visit.campaign, pk=number).exclude(put=None).first()
    if found is None:
        raise Http404
    try:
        if request.POST.get("do") == "consent":
            done = consent(visit, seat, found, _number(request))
            text = "desk.consented" if done.entered else "desk.dropped_already"
        else:
            refuse(seat, found)
            text = "desk.refused"
    except Refusal as refusal:
        if isinstance(refusal, OutOfDate) or refusal.code.startswith("desk."):
            raise
        raise NotAllowed("desk.impossible") from None
    return say(request.lang, text)
