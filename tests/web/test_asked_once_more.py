"""Answers that may hurt their seat are asked once more, and nothing of that enters the record."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from polemarque.bridges.tabletop import nobody_won
from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, sit_down
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Campaign
from polemarque.kernel.records.record import Answer
from tests.web.browser import sent
from tests.web.desks import forms_to
from tests.web.order_forms import filled_paper, papers_of
from tests.web.people import browser, said, way
from tests.web.world import World, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def clash() -> Campaign:
    """A battle of Thucidide in which seat A is about to name whom it activates."""
    made = make(
        "The clash", CampaignPlan("thucidide", "clash"), person("zoe"), bots={"B": "steady"}
    )
    sit_down(made, "A", person("ana"))
    begin(made)
    for _ in range(9):
        with read_lock(made) as table:
            (request,) = table.game.requests("A")
        if request.rule == "TH-2.2":
            return made
        sent_form(browser(person("ana")), made)
    raise AssertionError("nobody is to be activated")


def form_of(client: Client, made: Campaign) -> Any:
    return forms_to(client.get(way("seat", made, seat="A")), way("answer", made, seat="A"))[0]


def sent_form(client: Client, made: Campaign, **more: str) -> Any:
    fields = {**sent(form_of(client, made)), "do": "seal", **more}
    return client.post(way("answer", made, seat="A"), fields)


def entries(made: Campaign) -> list[Any]:
    with read_lock(made) as table:
        return list(table.game.entries)


@pytest.mark.parametrize(
    ("lang", "asked", "button"),
    [
        ("en", "You activate nobody this turn.", "Yes, send it"),
        ("fr", "activez personne ce tour", "Oui, envoyer"),
    ],
)
def test_an_untouched_page_ends_no_turn(
    clash: Campaign, lang: str, asked: str, button: str
) -> None:
    ana, before = browser(person("ana"), lang=lang), entries(clash)
    assert asked not in said(ana.get(way("seat", clash, seat="A")))
    once = sent_form(ana, clash)
    assert once.status_code == 422
    assert asked in said(once) and button in said(once)
    assert entries(clash) == before
    (again,) = forms_to(once, way("answer", clash, seat="A"))
    assert (
        ana.post(way("answer", clash, seat="A"), {**sent(again), "do": "seal"}).status_code == 303
    )
    given = next(e for e in entries(clash)[len(before) :] if isinstance(e, Answer))
    assert given.value["leader.1"] == "none" and set(given.value) <= {"leader.1", "with", "stops"}


def test_a_yes_to_another_answer_is_no_yes(clash: Campaign) -> None:
    ana, before = browser(person("ana")), entries(clash)
    assert sent_form(ana, clash, sure="0" * 64).status_code == 422
    assert entries(clash) == before


def test_what_does_not_hurt_is_not_asked_again(clash: Campaign) -> None:
    with read_lock(clash) as table:
        (request,) = table.game.requests("A")
        leader = next(iter(request.options("A").fill()))[1].words[0]  # type: ignore[attr-defined]
    assert leader != "none"
    assert request.warning("A", {"leader.1": leader}) == ""
    assert request.warning("A", {"leader.1": "none"}) == "nobody"


def test_an_order_form_by_post_says_it_before_it_is_entered(clash: Campaign) -> None:
    there = World(clash, {"umpire": person("zoe")})
    zoe, address, before = (
        browser(person("zoe")),
        way("desk_orders", clash, seat="A"),
        entries(clash),
    )
    with read_lock(clash) as table:
        (request,) = table.game.requests("A")
        value = request.absent("A")
    post = filled_paper(there, papers_of(zoe.get(address)), value)
    read = zoe.post(address, {"post": post})
    assert "You activate nobody this turn." in said(read)
    assert [e for e in entries(clash) if e not in before and isinstance(e, Answer)] == []


def test_a_sheet_on_which_nobody_has_won_is_asked_once_more() -> None:
    assert nobody_won("A", {"result": "none"}) == "nobody"
    assert nobody_won("A", {"result": "attacker"}) == "" == nobody_won("umpire", {"sheet": "again"})
