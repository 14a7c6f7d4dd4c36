"""Dates of battles on the pages: proposed, agreed to, and read by whom they concern."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from polemarque.club.campaigns.session import read_lock
from polemarque.club.clock.battle_dates import agree, propose_date
from polemarque.club.clock.models import Meeting
from polemarque.club.models import Campaign, Watcher
from polemarque.club.people.roles import visit_of
from tests.club.people import battle_on_the_table, campaign, kept, person
from tests.club.test_battle_dates import path
from tests.web.browser import Element
from tests.web.desks import fields, forms_to
from tests.web.people import browser, by_id, page, said, way

pytestmark = pytest.mark.django_db

OF_ITS_OWN = re.compile(r'name="(once|csrfmiddlewaretoken)" value="[^"]*"|nonce="[^"]*"')


PAGES = ("campaign", "battles", "chronicle", "trust")


def typed(days: int = 10) -> str:
    return (timezone.now() + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M")


def form(client: Client, made: Campaign, does: str) -> Element:
    """The form with the button that does so."""
    found = forms_to(client.get(way("battles", made)), way("book", made))
    buttons = {b.attrs["value"]: each for each in found for b in each.all("button")}
    return buttons[does]


def sent(client: Client, made: Campaign, does: str, **more: str) -> Any:
    given = {**fields(form(client, made, does)), "do": does, **more}
    return client.post(way("book", made), given, follow=True)


@pytest.fixture
def made() -> Campaign:
    found = kept(battle_on_the_table(4))
    Watcher.objects.create(campaign=found, person=person("eve"))
    return found


def sides(made: Campaign) -> tuple[str, str]:
    with read_lock(made) as table:
        (brief, _), *_ = table.game.runner.branches
        return brief.sides[0].seat, brief.sides[1].seat


def test_two_sides_come_to_a_date_and_all_pages_say_so(made: Campaign) -> None:
    one, other = sides(made)
    ana, ben = browser(person(one.lower())), browser(person(other.lower()))
    assert "No date is agreed on" in said(ana.get(way("seat", made, seat=one)))
    when = typed()
    told = sent(ana, made, "propose", at=when, where="The club hall, table 2")
    assert "it holds once the others have agreed" in said(told)
    mine = said(ben.get(way("seat", made, seat=other)))
    assert "A date is proposed for a battle" in said(ben.get("/"))
    assert "A date is proposed for a battle" in mine and "table 2" in mine
    assert "A date is proposed for a battle" not in said(ana.get(way("seat", made, seat=one)))
    assert "You have agreed." in said(sent(ben, made, "agree"))
    zoe = browser(person("zoe"))
    for client, address in (
        (ana, way("seat", made, seat=one)), (ben, way("seat", made, seat=other)),
        (zoe, way("desk", made)), (zoe, way("campaign", made)),
    ):  # fmt: skip
        assert "Agreed: " in said(client.get(address)) and "table 2" in said(client.get(address))
    eve = said(browser(person("eve")).get(way("campaign", made)))
    assert "Agreed: " in eve and "table 2" not in eve
    assert "The date is struck out" in said(sent(zoe, made, "strike"))
    assert not Meeting.objects.exists()


def test_who_waits_for_the_battle_is_said(made: Campaign) -> None:
    idle = next(seat for seat in "ABCD" if seat not in sides(made))
    shown = said(browser(person(idle.lower())).get(way("seat", made, seat=idle)))
    assert re.search(r"until (it is|they are) over nothing happens elsewhere\. Waiting: \w+", shown)
    assert "Battles on the table" in shown


def test_what_was_typed_is_there_again_beside_what_was_wrong(made: Campaign) -> None:
    one, _ = sides(made)
    ana = browser(person(one.lower()))
    for at in ("", "tomorrow", "2020-01-01T20:00", "2026-02-30T20:00", typed(999)):
        wrong = sent(ana, made, "propose", at=at, where="my door")
        assert wrong.status_code == 422
        assert [e.attrs["value"] for e in by_id(wrong, "where-1")] == ["my door"]
        assert [e.attrs["value"] for e in by_id(wrong, "at-1")] == [at]
        assert by_id(wrong, "at-1-error")
    assert not Meeting.objects.exists()
    by_hand = typed().replace("T", "  ") + ":00"
    assert sent(ana, made, "propose", at=by_hand).status_code == 200
    assert Meeting.objects.count() == 1


def test_a_form_of_a_date_that_was_replaced_agrees_to_nothing(made: Campaign) -> None:
    one, other = sides(made)
    ana, ben = browser(person(one.lower())), browser(person(other.lower()))
    sent(ana, made, "propose", at=typed())
    old = {**fields(form(ben, made, "agree")), "do": "agree"}
    sent(ana, made, "propose", at=typed(12))
    told = ben.post(way("book", made), old, follow=True)
    assert "read it first" in said(told) and not Meeting.objects.exclude(agreed=None).exists()


def test_who_has_no_part_has_no_form(made: Campaign) -> None:
    idle = next(seat for seat in "ABCD" if seat not in sides(made))
    for name in (idle.lower(), "eve"):
        client = browser(person(name))
        assert not forms_to(client.get(way("battles", made)), way("book", made))
        given = {"do": "propose", "path": path(made), "at": typed(), "where": ""}
        assert client.post(way("book", made), given).status_code == (404 if name == "eve" else 422)
    assert not Meeting.objects.exists()


def test_what_is_proposed_and_where_changes_no_byte_for_others(made: Campaign) -> None:
    one, other = sides(made)
    idle = next(seat for seat in "ABCD" if seat not in (one, other))
    ana, ben = [visit_of(made, person(seat.lower())) for seat in (one, other)]
    at = timezone.now() + timedelta(days=10)

    def read() -> list[str]:
        return [
            re.sub(r'data-heard="\d+"', "", OF_ITS_OWN.sub("", said(client.get(address))))
            for name in (idle.lower(), "eve")
            for client in [browser(person(name))]
            for address in ("/", *[way(each, made) for each in PAGES], way("seat", made, seat=idle))
        ]

    before = read()
    put = propose_date(ana, path(made), at, "at my door")
    assert read() == before
    agree(ben, path(made), put.pk)
    agreed = read()
    assert agreed != before
    Meeting.objects.update(where="at the other's")
    assert read() == agreed


def test_where_no_battle_waits_the_page_says_so() -> None:
    lone = campaign("atlantide", seats=3)
    shown = browser(person("a")).get(way("battles", lone))
    assert shown.status_code == 200 and "No battle waits" in said(shown)
    assert "Battles on the table" not in said(browser(person("a")).get(way("seat", lone, seat="A")))
    assert page(shown)
