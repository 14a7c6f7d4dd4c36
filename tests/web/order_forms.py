"""A campaign that asks a sealed sheet of seat A, and order forms that are filled in for it."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from polemarque.club.campaigns.session import read_lock
from polemarque.club.orders.answers import open_requests
from polemarque.club.people.roles import called
from polemarque.kernel.game import Game
from polemarque.kernel.request import Request
from polemarque.report.game_words import Words
from polemarque.report.order_forms.form import OrderForm, order_form
from polemarque.web.i18n import TEXTS
from tests.filled_orders import fill_in, typed_answers
from tests.web.people import said
from tests.web.world import World, play_on, world


def offering() -> World:
    """A campaign in which seat A is asked what agreements it offers: a sheet, sealed."""

    def offers(game: Game) -> bool:
        return any(request.rule == "AT-4.1" for request in game.requests("A"))

    made = world(turns=1)
    play_on(made, offers)
    return made


def form_in(game: Game, request: Request, seat: str) -> OrderForm:
    """The form of a question, as it is in English."""
    return order_form(game, request, seat, Words(game.header, "en"))


def asked_form(there: World, seat: str = "A") -> OrderForm:
    """The form of the first question that is open to a seat."""
    with read_lock(there.campaign) as table:
        return form_in(table.game, open_requests(table.game, seat)[0], seat)


def papers_of(answer: Any) -> str:
    """A page's papers as their reader copies them."""
    assert answer.status_code == 200
    found = re.findall(r"<textarea[^>]* readonly>(.*?)</textarea>", said(answer), re.DOTALL)
    return unescape("\n\n".join(found))


def filled_paper(there: World, paper: str, value: Any, seat: str = "A") -> str:
    """The paper of a seat's form, with an answer written into it."""
    with read_lock(there.campaign) as table:
        request = open_requests(table.game, seat)[0]
        words = Words(table.game.header, "en", TEXTS, called(there.campaign))
        words.turn_to(table.game, request.keys[seat])
        form = order_form(table.game, request, seat, words)
        return fill_in(paper, form, typed_answers(form, value, words))
