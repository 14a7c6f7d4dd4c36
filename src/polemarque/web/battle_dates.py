"""The battles on the table as several pages tell of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from polemarque.club.campaigns.session import LiveCampaign
from polemarque.club.clock.battle_dates import Booked, booked, held_up, open_battles
from polemarque.club.people.roles import Visit
from polemarque.kernel.request import UMPIRE
from polemarque.web.i18n import say
from polemarque.web.questions import words_of


def meetings(visit: Visit, table: LiveCampaign, lang: str) -> dict[str, Any]:
    """What pages show of the battles on the table (see battles/_meetings.html)."""
    there = booked(visit, table)
    if not there:
        return {"meetings": [], "holds_up": [], "fights": 0}
    own = words_of(visit, table, lang).voice.own
    umpires = say(lang, "battles.umpire")

    def name(seat: str) -> str:
        return umpires if seat == UMPIRE else own.name(seat)

    return {
        "meetings": [_meeting(one, own.name(one.place), name) for one in there],
        "holds_up": [name(seat) for seat in held_up(table)],
        "fights": len(open_battles(table.game)),
    }


def _meeting(one: Booked, place: str, name: Callable[[str], str]) -> dict[str, Any]:
    return {
        "battle": one,
        "place": place,
        "sides": [name(seat) for seat in one.sides],
        "awaited": [name(seat) for seat in one.awaited],
    }
