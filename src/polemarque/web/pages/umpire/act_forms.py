"""Forms in which an umpire adjusts, declares the end, or moves the game to a newer edition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render

from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import seat_names
from polemarque.club.people.roles import Visit
from polemarque.club.umpire.acts import adjustable, can_declare_end, newer_editions, today
from polemarque.club.umpire.secrets_read import CHANGES, look
from polemarque.kernel.errors import OutOfDate, Refusal, shortened
from polemarque.kernel.position import plain
from polemarque.kernel.records.record import Adjust, Adopt
from polemarque.web.access import ClubRequest, page, umpire_begun
from polemarque.web.i18n import catalogue, refusal_text, say
from polemarque.web.pages.campaign.campaign import frame_of
from polemarque.web.pages.umpire.acts import REASON, proposed, reason_error, reason_of
from polemarque.web.pages.umpire.adjust_form import Thing
from polemarque.web.questions import new_once, once_of, words_of


@page(umpire_begun, post=True)
def adjust(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The form of an adjustment, with what the game's system says can be adjusted."""
    lang = request.lang
    given = request.POST if request.method == "POST" else request.GET
    values = {name: given.get(name, "").strip() for name in ("path", "name", "reason")}
    errors = _unsaid(request)
    if request.method == "POST" and not values["name"]:
        errors["name"] = say(lang, "desk.name_missing")
    if request.method == "POST" and not errors:
        value = _value(given)
        act = Adjust(values["name"], value, reason_of(request), today(), path=values["path"])
        try:
            return proposed(visit, act, once_of(request))
        except Refusal as refusal:
            said = refusal_text(lang, refusal, _system_at(visit, values["path"]))
            errors[_blamed(refusal, value)] = said
    if given.get("kind") or values["name"]:  # what pieces there are of that kind may be secret
        look(visit, CHANGES)
    with read_lock(visit.campaign) as table:
        thing = _thing(visit, table, given, lang, chosen="kind" in request.GET)
        context = frame_of(visit, table, lang)
        paths = [r.path for r in table.game.runner.within() if r.path and not r.over]
    return _form(
        request, "desk/adjust.html", errors, context, values=values, paths=paths, thing=thing,
        kinds=thing.kinds, parts=thing.parts, name=thing.name, bounds=thing.bounds,
        choices=thing.values, several=thing.value.several, chosen=given.getlist("value"),
    )  # fmt: skip


def _unsaid(request: ClubRequest) -> dict[str, str]:
    """What is wrong with the reason that was sent, if anything."""
    said = reason_error(request) if request.method == "POST" else ""
    return {"reason": said} if said else {}


def _form(
    request: ClubRequest, template: str, errors: Mapping[str, str], context: dict[str, Any],
    **shown: Any,
) -> HttpResponse:  # fmt: skip
    """The page of a form.   errors: of the reason by itself too (see desk/_reason.html)."""
    context |= {
        "errors": errors, "reason_error": errors.get("reason", ""), "once": new_once(),
        "most": REASON.most, **shown,
    }  # fmt: skip
    return render(request, template, context, status=422 if errors else 200)


def _value(given: QueryDict) -> Any:
    """A list of what was chosen where several can be; else JSON, or the word itself.

    What no system could take stays a word.
    """
    if "several" in given:
        return tuple(given.getlist("value"))
    typed = given.get("value", "").strip()
    try:
        value = plain(msgspec.json.decode(typed))
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return typed
    return typed if isinstance(value, float) else value


def _blamed(refusal: Refusal, value: Any) -> str:
    """The field that a refusal is about."""
    if isinstance(refusal, OutOfDate) or refusal.code.startswith("desk."):
        return "form"
    return "value" if refusal.part == shortened(value) else "name"


def _system_at(visit: Visit, path: str) -> str:
    with read_lock(visit.campaign) as table:
        runner = table.game.runner.at(path)
        return runner.system.name if runner is not None else table.game.header.system


def _thing(
    visit: Visit, table: LiveCampaign, given: QueryDict, lang: str, *, chosen: bool
) -> Thing:  # fmt: skip
    """What is adjusted: as it was chosen part by part, or of the name that was sent."""
    runner = table.game.runner.at(given.get("path", "")) or table.game.runner
    book = words_of(visit, table, lang).voice.own
    if chosen:
        kind = given.get("kind", "") if given.get("kind") in adjustable(runner).names else ""
        return Thing(runner, book, visit.neutral, kind, given.getlist("part"))
    return Thing.of(runner, book, given.get("name", "").strip(), neutral=visit.neutral)


# The end of the campaign -------------------------------------------------------------------------


@page(umpire_begun, post=True)
def end(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The form in which the end is declared, with its winners."""
    lang = request.lang
    with read_lock(visit.campaign) as table:
        can = can_declare_end(table)
        names = seat_names(table.game, lang)
        context = frame_of(visit, table, lang)
    if can is None:
        raise Http404
    chosen = request.POST.getlist("winner")
    errors = _unsaid(request)
    if request.method == "POST" and not can.several and len(chosen) != 1:
        errors["winner"] = say(lang, "desk.winner_missing")
    if request.method == "POST" and not errors:
        value = tuple(chosen) if can.several else chosen[0]
        try:
            act = Adjust("end", value, reason_of(request), today())
            return proposed(visit, act, once_of(request))
        except Refusal as refusal:
            field = "winner" if _blamed(refusal, value) == "value" else "form"
            errors[field] = refusal_text(lang, refusal, _system_at(visit, ""))
    winners = [(each, _winner(each, names, lang), each in chosen) for each in can.values]
    return _form(
        request, "desk/end.html", errors, context, several=can.several, winners=winners,
        reason=request.POST.get("reason", ""),
    )  # fmt: skip


def _winner(word: str, names: Mapping[str, str], lang: str) -> str:
    """A seat, nobody, or a side that its system calls otherwise."""
    key = f"desk.winner.{word}"
    return names.get(word) or (say(lang, key) if catalogue().has(lang, key) else word)


# Another edition ---------------------------------------------------------------------------------


@page(umpire_begun, post=True)
def adopt(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The form in which a newer edition of the rules is chosen, where there is one."""
    lang = request.lang
    with read_lock(visit.campaign) as table:
        editions = newer_editions(table)
        context = frame_of(visit, table, lang)
    if not editions:
        raise Http404
    offered = {f"{resolver}:{edition}": (resolver, edition) for resolver, edition in editions}
    chosen = request.POST.get("edition", next(iter(offered)))
    errors = _unsaid(request)
    if chosen not in offered:
        errors["edition"] = say(lang, "desk.edition_missing")
    if request.method == "POST" and not errors:
        resolver, edition = offered[chosen]
        try:
            act = Adopt(edition, reason_of(request), today(), resolver)
            return proposed(visit, act, once_of(request))
        except Refusal as refusal:
            errors["form"] = refusal_text(lang, refusal)
    return _form(
        request, "desk/adopt.html", errors, context, chosen=chosen, offered=offered,
        reason=request.POST.get("reason", ""),
    )  # fmt: skip
