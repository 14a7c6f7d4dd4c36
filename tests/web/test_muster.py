"""A campaign whose seats are being filled."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from polemarque.club.campaigns.lobby import (
    CampaignPlan,
    begin,
    invite,
    make,
    open_doors,
    sit_down,
    token_of,
)
from polemarque.club.models import MUSTER, RUNNING, Campaign, Person, Seat
from polemarque.club.people.roles import visit_of
from tests.web.people import browser, by_id, link, page, person, said, way

pytestmark = pytest.mark.django_db


@pytest.fixture
def zoe() -> Person:
    return person("zoe")


@pytest.fixture
def campaign(zoe: Person) -> Campaign:
    return make("At the ford", CampaignPlan("batailles", "ford"), zoe)


def press(client: Client, campaign: Campaign, name: str, seat: str = "", **fields: str) -> Any:
    """Send one of the page's small forms; `seat`: the one in its address."""
    return client.post(way(name, campaign, **({"seat": seat} if seat else {})), fields)


def test_an_umpire_fills_the_seats_and_begins(campaign: Campaign, zoe: Person) -> None:
    client = browser(zoe)
    assert "Still missing:" in said(client.get(way("campaign", campaign)))
    for _ in range(2):
        assert client.post(way("invite", campaign), {"seat": "A"}).status_code == 303
    inputs = page(client.get(way("campaign", campaign))).all("input")
    values = [each.attrs.get("value", "") for each in inputs]
    (shown,) = {value for value in values if "/invitation/" in value}
    ana = person("ana")
    browser(ana).post(shown.removeprefix("http://testserver"))
    assert visit_of(campaign, ana).commands("A")
    press(client, campaign, "program", "B", program="random")
    assert "Every seat is held." in said(client.get(way("campaign", campaign)))
    assert press(client, campaign, "start").status_code == 303
    campaign.refresh_from_db()
    assert campaign.stage == RUNNING
    again = press(client, campaign, "start")
    assert (again.status_code, again["Location"]) == (303, way("campaign", campaign))


def test_starting_with_an_empty_seat_says_which(campaign: Campaign, zoe: Person) -> None:
    client = browser(zoe)
    press(client, campaign, "program", "A", program="steady")
    response = client.post(way("start", campaign), follow=False)
    assert response.status_code == 303
    shown = page(client.get(way("campaign", campaign)))
    (alert,) = [e for e in shown.all("div") if e.attrs.get("role") == "alert"]
    assert "Draco" in alert.said and "Cleitus" not in alert.said
    campaign.refresh_from_db()
    assert campaign.stage == MUSTER


def test_seats_are_taken_left_and_cleared(campaign: Campaign, zoe: Person) -> None:
    client = browser(zoe)
    press(client, campaign, "sit", "A")
    assert visit_of(campaign, zoe).plays == "A"
    press(client, campaign, "program", "A", program="steady")
    assert visit_of(campaign, zoe).plays == "A", "a program does not push anybody out"
    press(client, campaign, "clear", "A")
    press(client, campaign, "program", "A", program="nobody")
    press(client, campaign, "program", "Q", program="steady")
    seat = Seat.objects.get(campaign=campaign, code="A")
    assert not seat.bot and not seat.holders.exists()


def test_all_free_seats_have_a_link_or_a_program_at_once(zoe: Person) -> None:
    campaign, client = make("Isles", CampaignPlan("atlantide"), zoe), browser(zoe)
    press(client, campaign, "sit", "A")
    press(client, campaign, "program", "B", program="random")
    client.post(way("invite", campaign), {"seat": "C"})
    (kept,) = open_doors(campaign)
    press(client, campaign, "links")
    doors = {door.seat: door for door in open_doors(campaign)}
    assert set(doors) == {"C", "D"} and doors["C"].pk == kept.pk
    press(client, campaign, "programs", program="nobody")
    assert {s.code for s in campaign.seats.filter(bot="")} == {"A", "C", "D"}
    press(client, campaign, "programs", program="steady")
    assert [s.bot for s in campaign.seats.all()] == ["", "random", "steady", "steady"]
    assert visit_of(campaign, zoe).plays == "A"
    browser(person("ana")).post(f"/invitation/{token_of(kept)}/")
    assert campaign.seats.get(code="C").bot == "", "who opens the link takes the program's place"
    assert visit_of(campaign, Person.objects.get(username="ana")).commands("C")


def test_a_campaign_that_runs_has_no_free_seats(campaign: Campaign, zoe: Person) -> None:
    client = browser(zoe)
    press(client, campaign, "programs", program="random")
    press(client, campaign, "start")
    press(client, campaign, "programs", program="steady")
    press(client, campaign, "links")
    assert {seat.bot for seat in campaign.seats.all()} == {"random"}
    assert not open_doors(campaign)


def test_a_link_is_withdrawn(campaign: Campaign, zoe: Person) -> None:
    client = browser(zoe)
    client.post(way("invite", campaign), {"seat": "A"})
    door = campaign.invitations.get()
    for number in ("x", "999999", str(door.pk), str(door.pk)):
        assert client.post(way("withdraw", campaign), {"number": number}).status_code == 303
    assert not campaign.invitations.exists()


def test_players_see_who_has_come_and_no_link(campaign: Campaign, zoe: Person) -> None:
    ana, ben = person("ana"), person("ben")
    token = invite(campaign, zoe, seat="B")
    sit_down(campaign, "A", ana)
    shown = said(browser(ana).get(way("campaign", campaign)))
    assert "Ana" in shown and "/invitation/" not in shown and token not in shown
    assert way("start", campaign) not in shown
    assert browser(ben).get(way("campaign", campaign)).status_code == 404


def test_a_word_is_its_own_seats(campaign: Campaign, zoe: Person) -> None:
    ana, ben = person("ana"), person("ben")
    sit_down(campaign, "A", ana)
    sit_down(campaign, "B", ben)
    assert press(browser(ana), campaign, "word", "A", word="figs").status_code == 303
    assert press(browser(ben), campaign, "word", "A", word="mine").status_code == 404
    assert press(browser(zoe), campaign, "word", "A", word="mine").status_code == 404
    assert campaign.seats.get(code="A").word == "figs"
    for who in (ben, zoe):
        assert "figs" not in said(browser(who).get(way("campaign", campaign)))
    long = press(browser(ana), campaign, "word", "A", word="x" * 101)
    assert long.status_code == 422 and "x" * 101 in said(long)
    assert by_id(long, "word-error-A")


def test_a_campaign_that_has_not_begun_can_be_given_up(campaign: Campaign, zoe: Person) -> None:
    ana, ben = person("ana"), person("ben")
    sit_down(campaign, "A", ana)
    token = invite(campaign, zoe, seat="B")
    assert way("call_off", campaign) in said(browser(zoe).get(way("campaign", campaign)))
    assert way("call_off", campaign) not in said(browser(ana).get(way("campaign", campaign)))
    gone = browser(zoe).post(way("call_off", campaign), follow=True)
    assert gone.status_code == 200 and campaign.title in said(gone)
    assert not Campaign.objects.filter(code=campaign.code).exists()
    assert {each.username for each in (ana, ben)} <= {p.username for p in Person.objects.all()}
    for client in (browser(ana), browser(zoe)):
        assert client.get(way("campaign", campaign)).status_code == 404
    assert browser(ben).get(link(token)).status_code == 404


def test_a_campaign_that_is_played_is_not_given_up(campaign: Campaign, zoe: Person) -> None:
    for seat in campaign.seats.all():
        press(browser(zoe), campaign, "program", seat.code, program="steady")
    begin(campaign)
    refused = browser(zoe).post(way("call_off", campaign), follow=True)
    assert campaign.title in said(refused)
    assert Campaign.objects.get(code=campaign.code).stage == RUNNING


DOORS = [
    ("invite", ""), ("withdraw", ""), ("start", ""), ("call_off", ""), ("program", "A"),
    ("links", ""), ("programs", ""), ("sit", "A"), ("clear", "A"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "seat"), DOORS)
def test_what_umpires_do_nobody_else_does(
    campaign: Campaign, zoe: Person, name: str, seat: str
) -> None:
    ana, ben = person("ana"), person("ben")
    sit_down(campaign, "A", ana)
    door = invite(campaign, zoe, seat="B")
    fields = {"seat": "B", "program": "steady", "number": str(campaign.invitations.get().pk)}
    address = way(name, campaign, **({"seat": seat} if seat else {}))
    # Who commands a seat may let others see it, and is told that this door is none of his.
    told = 303 if name in {"invite", "withdraw"} else 404
    assert browser(ana).post(address, fields).status_code == told
    assert browser(ben).post(address, fields).status_code == 404
    assert browser().post(address, fields).status_code == 302
    assert browser(zoe).get(address).status_code == 405
    forged = browser(zoe, enforce_csrf_checks=True)
    assert forged.post(address, fields).status_code == 403
    campaign.refresh_from_db()
    assert campaign.stage == MUSTER and visit_of(campaign, ana).commands("A")
    assert [token_of(each) for each in open_doors(campaign)] == [door]
    assert browser().get(link(door)).status_code == 200
