"""What dice decided in a campaign, each decision beside its exact odds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from polemarque.club.campaigns.session import read_lock
from polemarque.club.people.roles import Visit
from polemarque.club.trust.dice_odds import Working, chances_told
from polemarque.club.umpire.secrets_read import STORY, look
from polemarque.kernel.errors import Refusal
from polemarque.odds.wording import mean, percent
from polemarque.report.dice_odds import Chances, Rarity, Weighed, headline, narrator
from polemarque.report.narrator import Voice
from polemarque.web.access import ClubRequest, inside_begun, page
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import refusal_text, say
from polemarque.web.pages.campaign.campaign import frame_of, near_links, when

MOST_RARE = 10
"""At most this many rare decisions are named before those of one turn."""

NOT_YET = 202
"""Status of a page whose odds are being worked out: `again.js` asks until there is another."""


@page(inside_begun)
def odds(request: ClubRequest, visit: Visit) -> HttpResponse:
    """The rarest decisions of a campaign, and all those of one turn."""
    lang = request.lang
    look(visit, STORY)
    refused, chances = "", None
    try:
        chances = chances_told(visit)
    except Refusal as refusal:
        refused = refusal_text(lang, refusal)
    working = isinstance(chances, Working)
    with read_lock(visit.campaign) as table:
        context = frame_of(visit, table, lang)
        context |= {"refused": refused, "told": chances is not None, "working": working}
        if isinstance(chances, Chances):
            game, names = table.game, visit.people
            voice = narrator(game.header, lang, chances, names, game.state)
            turn = _turn(request, chances)
            context |= {
                "rarity": _rarity(chances.rarity, lang),
                "rarest": _rows(chances, chances.rarest[:MOST_RARE], voice),
                "turn": when(game.header.system, turn, lang),
                "rows": _rows(
                    chances,
                    [each for each in chances.weighed if chances.period(each) == turn],
                    voice,
                ),
                "turns": _turns(visit, chances, turn),
            }
    status = 503 if refused else NOT_YET if working else 200
    return render(request, "trust/odds.html", context, status=status)


def _turn(request: ClubRequest, chances: Chances) -> int:
    """The turn that is asked for, or the last one.  Raises Http404 on one without decisions."""
    turns = {chances.period(each) for each in chances.weighed}
    wanted = request.GET.get("turn", "")
    if not wanted:
        return max(turns, default=0)
    turn = whole(wanted)
    if turn is None or turn not in turns:
        raise Http404
    return turn


def _turns(visit: Visit, chances: Chances, here: int) -> list[dict[str, Any]]:
    way = reverse("odds", kwargs={"code": visit.campaign.code})
    turns = sorted({chances.period(each) for each in chances.weighed})
    return near_links(turns, here, lambda number: f"{way}?turn={number}")


def _rarity(rarity: Rarity, lang: str) -> str:
    """How many decisions were rare, and what to think of it."""
    if not rarity.decisions:
        return say(lang, "odds.none")
    counted = say(
        lang, "odds.rarity", n=rarity.decisions, rare=rarity.rare,
        expected=mean(rarity.expected, lang),
    )  # fmt: skip
    return f"{counted} {say(lang, f'odds.rare_{rarity.verdict}')}"


def _rows(chances: Chances, some: Sequence[Weighed], voice: Voice) -> list[dict[str, Any]]:
    return [
        {
            "line": headline(chances, each, voice),
            "turn": chances.period(each),
            "p": percent(each.odds.p, voice.lang) if each.odds else "–",
            "tail": percent(each.odds.tail, voice.lang) if each.odds else "–",
        }
        for each in some
    ]
