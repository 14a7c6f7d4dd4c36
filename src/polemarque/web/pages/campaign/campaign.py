"""A campaign as everybody in it finds it: where it stands, its board, its story."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from polemarque.club.campaigns.lobby import may_rematch
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import (
    Eye,
    awaited_first,
    boards,
    fought,
    heard,
    hides_readiness,
    known_head,
    past_board,
    period_shown,
    periods_told,
    public_names,
    readiness,
    seat_names,
    story,
    story_of,
    summary_of,
    turns,
    umpire_awaited,
)
from polemarque.club.clock.deadlines import asked_since
from polemarque.club.messages.messages import unread
from polemarque.club.models import MUSTER
from polemarque.club.orders.forced_answers import awaited
from polemarque.club.people.roles import Visit
from polemarque.club.people.umpire_vote import lately_named, silent_since
from polemarque.club.transfer.models import shut_of
from polemarque.club.umpire.secrets_read import BATTLES, STORY, look
from polemarque.kernel.battle_brief import resolvers
from polemarque.kernel.records.record import Answer
from polemarque.report.chronicle import for_umpire
from polemarque.report.documents.document import Block, Document, Section, digest
from polemarque.report.documents.writers import posts
from polemarque.report.labels import catalogue_of
from polemarque.web.access import ClubRequest, inside, inside_begun, page
from polemarque.web.battle_dates import meetings
from polemarque.web.downloads import formats, taken_away
from polemarque.web.i18n import elapsed, say
from polemarque.web.pages.lobby.lobby import muster_page

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
    with read_lock(visit.campaign) as table:
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


def latest(visit: Visit, table: LiveCampaign, eye: Eye, lang: str) -> dict[str, Any]:
    """What was told of the turn that runs, and of the one before it, which goes first until the
    reader has answered in this one: it holds what came of their last answer."""
    period, system = table.game.runner.period, table.game.header.system
    given = [one.key for one in table.game.effective if isinstance(one, Answer)]
    own = [key.outer_period for key in given if key.seat == eye]
    news, set_up = _opening_apart(story_of(table, period, eye, lang, visit.people), system)
    before, _ = _opening_apart(story_of(table, period - 1, eye, lang, visit.people), system)
    told_at, before_at = [_told_at(visit, number, eye) for number in (period, max(0, period - 1))]
    unread = own[-1:] == [period - 1]
    chapters = before.blocks if unread and before.blocks else () if set_up else news.blocks
    return {
        "told_at": told_at,
        "before_at": before_at,
        "news": msgspec.structs.replace(news, blocks=(*news.blocks, *set_up)),
        "news_before": before if period and before.blocks else None,
        "unread_before": unread,
        "newest": next((one for one in chapters[-1:] if isinstance(one, Section)), None),
        "when_before": when(system, period - 1, lang),
    }


def _told_at(visit: Visit, number: int, eye: Eye) -> str:
    """Where the chronicle tells a turn as an eye reads it."""
    address = reverse("chronicle_turn", kwargs={"code": visit.campaign.code, "number": number})
    return address if eye is None else f"{address}?seat={eye or PUBLIC}"


def _opening_apart(told: Document, system: str) -> tuple[Document, Sequence[Block]]:
    """A story without the chapter of its opening, and that: what has happened since is news.

    Where nothing has, the opening is the story.
    """
    title = catalogue_of(system).say(told.lang, "chronicle.opening")
    opening = [one for one in told.blocks if isinstance(one, Section) and one.title == title]
    since = tuple([one for one in told.blocks if one not in opening])
    return (msgspec.structs.replace(told, blocks=since), opening) if since else (told, [])


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


def frame_of(visit: Visit, table: LiveCampaign, lang: str, seat: str = "") -> dict[str, Any]:
    """What all pages of a campaign show around their matter.   seat: whose page it is."""
    game = table.game
    names, sides = public_names(table, lang, visit.people), seat_names(game, lang)
    return {
        "visit": visit,
        "campaign": visit.campaign,
        "book": game.header.system,
        "quick": game.header.system in resolvers(),  # a battle: moves follow one another quickly
        "system_title": game.system.titles[lang],
        "when": when(game.header.system, period_shown(game), lang),
        "period": game.runner.period,
        "over": game.over,
        "rematch": bool(visit.umpire or visit.plays) and may_rematch(visit.campaign),
        "names": names,
        "ready": readiness(visit, table, lang),
        "unready": hides_readiness(visit, table) and not game.over,
        "untold": not awaited_first(visit, table),
        "umpire": _umpire(visit, table),
        "seats": [(code, sides.get(code, code)) for code in visit.seats],
        "mine_asked": [
            (c, sides.get(c, c)) for c in visit.seats if awaited(visit.campaign, table, c)
        ],
        "seat": seat,
        "head_digest": known_head(visit, table),
        "head_url": reverse("trust", kwargs={"code": visit.campaign.code}),
        "heard": heard(visit, table),
        "shut": shut_of(visit.campaign),
        "unread": unread(visit),
        "named": lately_named(visit.campaign),
        "silent": silent_since(visit.campaign) if visit.plays and not visit.umpire else None,
    }


def _umpire(visit: Visit, table: LiveCampaign) -> dict[str, str]:
    """That the rules wait for the umpire, and how long they have, in words; nothing if not."""
    keys = umpire_awaited(visit, table)
    return {"since": elapsed(asked_since(visit.campaign, keys))} if keys else {}


def when(system: str, period: int, lang: str) -> str:
    """Where a game stands, in words: its turn, phase or opening."""
    texts = catalogue_of(system)
    key = "chronicle.period" if period else "chronicle.opening"
    return texts.say(lang, key, period=period)


@page(inside_begun)
def chronicle(request: ClubRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """The story of one turn as the reader may read it, the latest without a number, which has the
    balance too; without a number the whole story is there to take away."""
    lang = request.lang
    eye = eye_of(request, visit)
    form = request.GET.get("format", "")
    look(visit, STORY)
    with read_lock(visit.campaign) as table:
        past = periods_told(table, eye)
        if number is not None and number not in past:
            raise Http404
        shown = past[-1] if number is None and past else number or 0
        if form and number is None:
            told = story(table, eye, lang, visit.people)
        else:
            told = story_of(table, shown, eye, lang, visit.people)
        if part := request.GET.get("part"):
            return _part(request, told, part, table.game.header.system)
        if form and eye is None:
            told = for_umpire(told, table.game.header.system)
        name = visit.campaign.code if number is None else f"{visit.campaign.code}-{number}"
        if file := taken_away(told, form, name):
            return file
        latest = not past or shown == past[-1]
        context = frame_of(visit, table, lang) | {
            "told": told,
            "summary": summary_of(table, eye, lang, visit.people) if latest else None,
            "editions": _editions_named(visit, table, lang),
            "story_when": when(table.game.header.system, shown, lang),
        }
    query = f"?seat={request.GET['seat']}" if "seat" in request.GET else ""
    context |= _chronicle_links(visit, past, shown, query)
    context |= {
        "formats": formats(),
        "posts": posts(told, POST) if form == FORUM else [],
        "edition": PUBLIC if eye == "" else eye or "",
    }
    return render(request, "table/chronicle.html", context)


def _part(request: ClubRequest, told: Document, name: str, system: str) -> HttpResponse:
    """What a fold of the news holds, for a page that opens it.

    Raises Http404 where that is no longer told: a page that is open hears what is told instead.
    """
    for part, level in _parts(_opening_apart(told, system)[0]):
        if digest(part) == name:
            at = f"{request.path}?seat={request.GET.get('seat', '')}"
            context = {"blocks": part.blocks, "level": level, "told_at": at}
            return render(request, "parts/folded.html", context)
    raise Http404


def _parts(part: Document | Section, level: int = 3) -> Iterator[tuple[Document | Section, int]]:
    """A story and all its sections, each with the level of the headings in it."""
    yield part, level
    for each in part.blocks:
        if isinstance(each, Section):
            yield from _parts(each, level + 1)


def _editions_named(visit: Visit, table: LiveCampaign, lang: str) -> list[tuple[str, str]]:
    """The editions that a reader may read, each with its name."""
    called = seat_names(table.game, lang)
    return [
        *([("", say(lang, "table.whole"))] if visit.neutral else []),
        *[(code, called.get(code, code)) for code in _editions(visit)],
        (PUBLIC, say(lang, "table.public")),
    ]


def _chronicle_links(visit: Visit, past: list[int], here: int, query: str) -> dict[str, Any]:
    """The ways from the story of one turn to those of others.   query: it names the edition."""

    def address(number: int) -> str:
        kwargs = {"code": visit.campaign.code, "number": number}
        return reverse("chronicle_turn", kwargs=kwargs) + query

    return {
        "whole": reverse("chronicle", kwargs={"code": visit.campaign.code}),
        "turn": address(here).removesuffix(query) if past else "",
        "turns": near_links(past, here, address) if past else [],
        "earlier": next((address(n) for n in reversed(past) if n < here), ""),
        "later": next((address(n) for n in past if n > here), ""),
    }


def eye_of(request: ClubRequest, visit: Visit) -> Eye:
    """Through whose eyes the reader wants to read: one of their seats, or what is public.

    An umpire who plays no seat, who may read everything, reads any seat's edition too.  What is
    taken away without a word of that is public: it is for posting.
    """
    wanted = request.GET.get("seat", PUBLIC if request.GET.get("format") else "")
    if wanted == PUBLIC:
        return ""
    return wanted if wanted in _editions(visit) else visit.eye


def _editions(visit: Visit) -> list[str]:
    if visit.neutral:
        return list(visit.campaign.seats.values_list("code", flat=True))
    return list(visit.seats)


def turn_links(visit: Visit, table: LiveCampaign, lang: str, here: int = 0) -> list[dict[str, Any]]:
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
    with read_lock(visit.campaign) as table:
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
            **phases_of(told),
        }
    return render(request, "table/turn.html", context)


def phases_of(told: Document) -> dict[str, Any]:
    """The story of a turn; whether its parts are phases, the page itself being its one chapter."""
    match told.blocks:
        case (Section(blocks=blocks),):
            return {"told": msgspec.structs.replace(told, blocks=blocks), "phases": True}
    return {"told": told, "phases": False}
