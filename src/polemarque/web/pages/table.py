"""A campaign as everybody in it finds it: where it stands, its board, its story."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from polemarque.club.looking import BATTLES, STORY, look
from polemarque.club.models import MUSTER
from polemarque.club.naming import lately_named, silent_since
from polemarque.club.outings import shut_of
from polemarque.club.parley import unread
from polemarque.club.reading import (
    Eye,
    boards,
    fought,
    heard,
    hides_readiness,
    known_head,
    past_board,
    period_shown,
    public_names,
    readiness,
    seat_names,
    story,
    story_of,
    turns,
)
from polemarque.club.roles import Visit
from polemarque.club.tables import Table, reading
from polemarque.report.bbcode import posts
from polemarque.report.book import catalogue_of
from polemarque.report.tree import Document, Section
from polemarque.report.writers import FORMATS, write
from polemarque.web.access import ClubRequest, inside, inside_begun, page
from polemarque.web.meetings import meetings
from polemarque.web.pages.muster import muster_page
from polemarque.web.papers import TYPES
from polemarque.web.says import say

NEAR = 3
"""This many turns on either side of the one that is shown have their links."""

FORUM = "forum"
"""Asks for a story in BBCode, cut into posts that are copied from the page."""

POST = 10_000
"""Characters of such a post at most: what forums commonly take."""

PUBLIC = "public"
"""Asks for a story as everybody may read it; no seat is called so."""


@page(inside)
def campaign(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The campaign: its muster while seats are filled, then its table."""
    if visit.campaign.stage == MUSTER:
        return muster_page(request, visit)
    if len(visit.seats) == 1 and not visit.umpire:
        return redirect("seat", code=visit.campaign.code, seat=next(iter(visit.seats)))
    lang = request.lang
    look(visit, STORY, BATTLES)
    with reading(visit.campaign) as table:
        context = frame_of(visit, table, lang)
        context |= {
            "boards": boards(table, visit.eye, lang, context["names"]),
            "fought": fought(table, visit.eye, lang, context["names"]),
            "held": held_drawings(request),
            **latest(visit, table, visit.eye, lang),
            **meetings(visit, table, lang),
        }
        context["turns"] = turn_links(visit, table, lang)
    template = "table/part.html" if is_live(request) else "table/campaign.html"
    return render(request, template, context)


def latest(visit: Visit, table: Table, eye: Eye, lang: str) -> dict[str, Any]:
    """What was told of the turn that runs, and of the one before it, which is folded away."""
    period = table.game.runner.period
    before = story_of(table, period - 1, eye, lang, visit.people)
    return {
        "news": story_of(table, period, eye, lang, visit.people),
        "news_before": before if period and before.blocks else None,
        "when_before": when(table.game.header.system, period - 1, lang),
    }


def is_live(request: ClubRequest) -> bool:
    """Whether a page that is open asks for what has changed in it (see ``static/live.js``)."""
    return bool(_live(request))


def held_drawings(request: ClubRequest) -> frozenset[str]:
    """The digests of the drawings that an open page has, and need not be sent again."""
    return frozenset(_live(request)[1:])


def _live(request: ClubRequest) -> list[str]:
    """What a page that is open says of itself: "1", and the digests of its drawings."""
    said = request.headers.get("X-Live", "").split()
    return said if said[:1] == ["1"] else []


def frame_of(visit: Visit, table: Table, lang: str, seat: str = "") -> dict[str, Any]:
    """What all pages of a campaign show around their matter.   seat: whose page it is."""
    game = table.game
    names, sides = public_names(table, lang, visit.people), seat_names(game, lang)
    return {
        "visit": visit,
        "campaign": visit.campaign,
        "book": game.header.system,
        "system_title": game.system.titles[lang],
        "when": when(game.header.system, period_shown(game), lang),
        "period": game.runner.period,
        "over": game.over,
        "names": names,
        "ready": readiness(visit, table, lang),
        "unready": hides_readiness(visit, table) and not game.over,
        "seats": [(code, sides.get(code, code)) for code in visit.seats],
        "seat": seat,
        "head_digest": known_head(visit, table),
        "head_url": reverse("trust", kwargs={"code": visit.campaign.code}),
        "heard": heard(visit, table),
        "shut": shut_of(visit.campaign),
        "unread": unread(visit),
        "named": lately_named(visit.campaign),
        "silent": silent_since(visit.campaign) if visit.plays and not visit.umpire else None,
    }


def when(system: str, period: int, lang: str) -> str:
    """Where a game stands, in words: its turn, phase or opening."""
    texts = catalogue_of(system)
    key = "chronicle.period" if period else "chronicle.opening"
    return texts.say(lang, key, period=period)


@page(inside_begun)
def chronicle(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The whole story as the reader may read it, on the page or to take away."""
    lang = request.lang
    eye = eye_of(request, visit)
    form = request.GET.get("format", "")
    look(visit, STORY)
    with reading(visit.campaign) as table:
        told = story(table, eye, lang, visit.people)
        called = seat_names(table.game, lang)
        context = frame_of(visit, table, lang)
    if form in FORMATS:
        name = f"{visit.campaign.code}.{ {'text': 'txt', 'bbcode': 'bbcode.txt'}.get(form, form) }"
        kind = f"{TYPES[form]}; charset=utf-8"
        kept = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(write(told, form), content_type=kind, headers=kept)
    context |= {
        "title": told.title,
        "told": told,
        "formats": FORMATS,
        "posts": posts(told, POST) if form == FORUM else [],
        "edition": PUBLIC if eye == "" else eye or "",
        "editions": [
            *([("", say(lang, "table.whole"))] if visit.neutral else []),
            *[(code, called.get(code, code)) for code in _editions(visit)],
            (PUBLIC, say(lang, "table.public")),
        ],
        "chapters": _chapters(told),
    }
    return render(request, "table/chronicle.html", context)


def _chapters(told: Document) -> list[tuple[int, str]]:
    """The chapters of a story, each with its number among the blocks."""
    blocks = enumerate(told.blocks, 1)
    return [(n, block.title) for n, block in blocks if isinstance(block, Section)]


def eye_of(request: ClubRequest, visit: Visit) -> Eye:
    """Through whose eyes the reader wants to read: one of his seats, or what is public.

    An umpire who plays no seat, who may read everything, reads any seat's edition too.
    """
    wanted = request.GET.get("seat", "")
    if wanted == PUBLIC:
        return ""
    return wanted if wanted in _editions(visit) else visit.eye


def _editions(visit: Visit) -> list[str]:
    """The seats through whose eyes somebody may read."""
    if visit.neutral:
        return list(visit.campaign.seats.values_list("code", flat=True))
    return list(visit.seats)


def turn_links(visit: Visit, table: Table, lang: str, here: int = 0) -> list[dict[str, Any]]:
    """The turns that have ended, those far from the one shown left out."""

    def address(number: int) -> str:
        return reverse("turn", kwargs={"code": visit.campaign.code, "number": number})

    return near_links(sorted(turns(table)), here, address)


def near_links(past: list[int], here: int, address: Callable[[int], str]) -> list[dict[str, Any]]:
    """Links to turns, in order, those far from the one shown (the last one if 0) left out."""
    near = [n for n in past if n in (past[0], past[-1]) or abs(n - (here or past[-1])) <= NEAR]
    links: list[dict[str, Any]] = []
    for before, number in zip([0, *near], near, strict=False):
        if before and number > before + 1:
            links.append({})
        links.append({"words": str(number), "url": address(number), "here": number == here})
    return links


@page(inside_begun)
def turn(request: ClubRequest, visit: Visit, number: int) -> HttpResponse:
    """The board as a turn that has ended left it, and what was told of that turn."""
    lang = request.lang
    eye = eye_of(request, visit)
    look(visit, STORY)
    with reading(visit.campaign) as table:
        context = frame_of(visit, table, lang)
        if number not in turns(table):
            raise Http404
        board = past_board(table, number, eye, lang, context["names"])
        system, on = table.game.header.system, number < table.game.runner.period
        told = story_of(table, number, eye, lang, visit.people)
        now, after = when(system, number, lang), when(system, number + 1, lang) if on else ""
        context |= {
            "board": board,
            "turns": turn_links(visit, table, lang, number),
            "when": now,
            "ends": say(lang, "table.ends", when=now, after=after[:1].lower() + after[1:]),
            **_phases(told),
        }
    return render(request, "table/turn.html", context)


def _phases(told: Document) -> dict[str, Any]:
    """The story of a turn; whether its parts are phases, the page itself being its one chapter."""
    match told.blocks:
        case (Section(blocks=blocks),):
            return {"told": msgspec.structs.replace(told, blocks=blocks), "phases": True}
    return {"told": told, "phases": False}
