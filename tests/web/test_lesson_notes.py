"""A lesson in the browser: its preface, and a note beside each question that has one."""

from __future__ import annotations

import pytest
from django.utils.html import escape

from polemarque.club.campaigns.session import read_lock
from polemarque.club.orders.answers import seal
from polemarque.kernel.beginner_notes import lesson_of, preface_of
from polemarque.kernel.game import Game
from polemarque.web.i18n import say
from tests.web.people import said, way
from tests.web.world import answers_to, open_key, play_on, world

pytestmark = pytest.mark.django_db

COMMAND = "TH-3.5"
"""Asked first of seat A that has a note."""


def asks_command(game: Game) -> bool:
    return any(request.keys["A"].rule == COMMAND for request in game.requests("A"))


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_preface_and_the_note_stand_beside_the_question(lang: str) -> None:
    there = world(system="thucidide", scenario="tutorial", seats=2)
    play_on(there, asks_command)
    with read_lock(there.campaign) as table:
        setup = table.game.header.setup
    note = next(one for one in lesson_of(setup) if (one.rule, one.seat) == (COMMAND, "A"))
    told = escape(note.printed(lang))
    goal = escape(list(preface_of(setup, lang))[-1].splitlines()[0])
    client = there.browser("commander", lang=lang)
    before = said(client.get(way("seat", there.campaign, seat="A")))
    assert told in before and goal in before and say(lang, "seat.note") in before
    key = open_key(there, "A")
    seal(
        there.campaign, there.people["commander"], "A", key, answers_to(there, key, 1)[0], once="1"
    )
    after = said(client.get(way("seat", there.campaign, seat="A")))
    assert told not in after and goal in after
