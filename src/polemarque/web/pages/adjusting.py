"""Forms in which an umpire adjusts, declares the end, or moves the game to a newer edition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.http import Http404, HttpResponse
from django.shortcuts import render

from polemarque.club.acts import Adjustable, adjustable, can_declare_end, newer_editions, today
from polemarque.club.looking import CHANGES, look
from polemarque.club.reading import seat_names
from polemarque.club.roles import Visit
from polemarque.club.tables import Table, reading
from polemarque.kernel.adjusted import fits, stands_for
from polemarque.kernel.errors import OutOfDate, Refusal, shortened
from polemarque.kernel.position import plain
from polemarque.kernel.record import Adjust, Adopt
from polemarque.kernel.run import Runner
from polemarque.web.access import ClubRequest, page, umpire_begun
from polemarque.web.pages.acts import REASON, explained, proposed, reason_error, reason_of
from polemarque.web.pages.table import frame_of
from polemarque.web.questions import new_once, once_of
from polemarque.web.says import catalogue, refusal_text, say


@page(umpire_begun, post=True)
def adjust(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The form of an adjustment, with what the game's system says can be adjusted."""
    lang = request.lang
    given = request.POST if request.method == "POST" else request.GET
    values = {name: given.get(name, "").strip() for name in ("path", "name", "value", "reason")}
    errors: dict[str, str] = {}
    if request.method == "POST":
        errors = {"reason": said} if (said := reason_error(request)) else {}
        if not values["name"]:
            errors["name"] = say(lang, "desk.name_missing")
        if not errors:
            value = _value(values["value"])
            act = Adjust(values["name"], value, reason_of(request), today(), path=values["path"])
            try:
                return proposed(visit, act, once_of(request))
            except Refusal as refusal:
                errors[_blamed(refusal, value)] = refusal_text(
                    lang, refusal, _system_at(visit, values["path"])
                )
    if values["name"]:  # what pieces there are of that name may be secret
        look(visit, CHANGES)
    with reading(visit.campaign) as table:
        context = frame_of(visit, table, lang) | {
            "values": values, **_faults(errors), "once": new_once(), "most": REASON.most,
            "paths": [r.path for r in table.game.runner.within() if r.path and not r.over],
            **_adjustable(visit, table, values, lang),
        }  # fmt: skip
    return render(request, "desk/adjust.html", context, status=422 if errors else 200)


def _faults(errors: Mapping[str, str]) -> dict[str, Any]:
    """What is wrong with a form, that of the reason by itself (see desk/_reason.html)."""
    return {"errors": errors, "reason_error": errors.get("reason", "")}


def _value(typed: str) -> Any:
    """JSON, or the word itself; what no system could take stays a word."""
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
    with reading(visit.campaign) as table:
        runner = table.game.runner.at(path)
        return runner.system.name if runner is not None else table.game.header.system


def _adjustable(
    visit: Visit, table: Table, values: Mapping[str, str], lang: str
) -> dict[str, Any]:  # fmt: skip
    """What can be adjusted, and how far the name that was typed leads.

    An umpire who is a party is offered seats, places and options, which are public; of pieces,
    which may be secret, he is told no more than how they are written.
    """
    runner = table.game.runner.at(values["path"]) or table.game.runner
    system = runner.system.name
    patterns = adjustable(runner).names
    heads = [
        {"name": _link(pattern), "pattern": pattern, "said": explained(system, pattern, lang)}
        for pattern in patterns
    ]
    public = {_link(pattern) for pattern in patterns if visit.neutral or _public(pattern)}
    every = [name for head in heads if head["name"] in public for name in _listed(runner, head)]
    begun = values["name"].removesuffix(".") + "."
    found = Adjustable()
    if values["name"] and (visit.neutral or begun in public):
        found = adjustable(runner, values["name"])
    return {
        "heads": heads, "listed": (found.names or every)[:LISTED], "further": found.names,
        "legal": found.values, "example": _example(patterns, every),
        "choices": [] if any(".." in each for each in found.values) else found.values,
    }  # fmt: skip


PUBLIC = frozenset({"SEAT", "LAND"})
"""What words of patterns stand for that everybody knows: seats, and places of the map."""


def _public(pattern: str) -> bool:
    """Whether everybody knows all the names that a pattern stands for."""
    replaced = {step for step in pattern.split(".") if stands_for(step)}
    return replaced <= PUBLIC or pattern == "option.NAME"


def _example(patterns: Sequence[str], names: Sequence[str]) -> tuple[str, str]:
    """A pattern, and a name of its form, to show how one is made of the other; empty if none is."""
    for pattern in patterns:
        if any(stands_for(step) for step in pattern.split(".")):
            for name in names:
                if name.count(".") == pattern.count(".") and fits(name, pattern):
                    return pattern, name
    return "", ""


LISTED = 400
"""At most this many names are offered."""


def _listed(runner: Runner, head: Mapping[str, str]) -> Sequence[str]:
    """The names that a first part of them leads to; itself, if it is whole."""
    name = head["name"]
    return (adjustable(runner, name).names or [name]) if name else []


def _link(pattern: str) -> str:
    """What of a pattern can be typed as it stands: ``units.TROOP`` begins with ``units.``."""
    steps = pattern.split(".")
    firm: list[str] = []
    for step in steps:
        if stands_for(step):
            break
        firm.append(step)
    whole = len(firm) == len(steps)
    return ".".join(firm) + ("" if whole or not firm else ".")


# The end of the campaign -------------------------------------------------------------------------


@page(umpire_begun, post=True)
def end(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The form in which the end is declared, with its winners."""
    lang = request.lang
    with reading(visit.campaign) as table:
        can = can_declare_end(table)
        names = seat_names(table.game, lang)
        context = frame_of(visit, table, lang)
    if can is None:
        raise Http404
    chosen = request.POST.getlist("winner")
    errors: dict[str, str] = {}
    if request.method == "POST":
        errors = {"reason": said} if (said := reason_error(request)) else {}
        if not can.several and len(chosen) != 1:
            errors["winner"] = say(lang, "desk.winner_missing")
        if not errors:
            value = tuple(chosen) if can.several else chosen[0]
            try:
                act = Adjust("end", value, reason_of(request), today())
                return proposed(visit, act, once_of(request))
            except Refusal as refusal:
                field = "winner" if _blamed(refusal, value) == "value" else "form"
                errors[field] = refusal_text(lang, refusal, _system_at(visit, ""))
    context |= {
        **_faults(errors), "several": can.several, "once": new_once(), "most": REASON.most,
        "reason": request.POST.get("reason", ""),
        "winners": [(each, _winner(each, names, lang), each in chosen) for each in can.values],
    }  # fmt: skip
    return render(request, "desk/end.html", context, status=422 if errors else 200)


def _winner(word: str, names: Mapping[str, str], lang: str) -> str:
    """A seat, nobody, or a side that its system calls otherwise."""
    key = f"desk.winner.{word}"
    return names.get(word) or (say(lang, key) if catalogue().has(lang, key) else word)


# Another edition ---------------------------------------------------------------------------------


@page(umpire_begun, post=True)
def adopt(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The form in which a newer edition of the rules is chosen, where there is one."""
    lang = request.lang
    with reading(visit.campaign) as table:
        editions = newer_editions(table)
        context = frame_of(visit, table, lang)
    if not editions:
        raise Http404
    offered = {f"{resolver}:{edition}": (resolver, edition) for resolver, edition in editions}
    chosen = request.POST.get("edition", next(iter(offered)))
    errors: dict[str, str] = {}
    if request.method == "POST":
        errors = {"reason": said} if (said := reason_error(request)) else {}
        if chosen not in offered:
            errors["edition"] = say(lang, "desk.edition_missing")
        if not errors:
            resolver, edition = offered[chosen]
            try:
                act = Adopt(edition, reason_of(request), today(), resolver)
                return proposed(visit, act, once_of(request))
            except Refusal as refusal:
                errors["form"] = refusal_text(lang, refusal)
    context |= {
        **_faults(errors), "once": new_once(), "most": REASON.most, "chosen": chosen,
        "reason": request.POST.get("reason", ""), "offered": offered,
    }  # fmt: skip
    return render(request, "desk/adopt.html", context, status=422 if errors else 200)
