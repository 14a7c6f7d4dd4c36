"""Links that let one person in, once."""

from __future__ import annotations

import logging
from io import StringIO

import pytest
from django.db import OperationalError

from polemarque.club.campaigns import lobby
from polemarque.club.campaigns.lobby import (
    UMPIRE_ROLE,
    CampaignPlan,
    invite,
    make,
    sit_down,
    token_of,
)
from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import seat_names
from polemarque.club.models import MEMBER, Campaign, Invitation, Person
from polemarque.club.people.roles import visit_of
from polemarque.web.log_filter import Unlinked
from tests.web.people import PASSWORD, browser, by_id, filled, link, page, person, said, way
from tests.web.world import invitation, world

pytestmark = pytest.mark.django_db


@pytest.fixture
def zoe() -> Person:
    return person("zoe")


@pytest.fixture
def campaign(zoe: Person) -> Campaign:
    return make("At the ford", CampaignPlan("batailles", "ford"), zoe)


NEWCOMER = {"called": "Ana", "username": "ana", "password": PASSWORD}


def test_a_link_of_before_a_copy_was_put_back_opens_nothing_that_is_made_after(
    campaign: Campaign, zoe: Person
) -> None:
    watching = link(invite(campaign, zoe))
    number = Invitation.objects.get().pk
    Invitation.objects.all().delete()  # the copy that is put back does not hold it
    again = Invitation.objects.create(pk=number, campaign=campaign, by=zoe, role=UMPIRE_ROLE)
    assert link(token_of(again)) != watching
    ben = person("ben")
    assert browser(ben).post(watching).status_code == 404
    assert not visit_of(campaign, ben).umpire
    assert Invitation.objects.filter(used=None).count() == 1


def test_an_invitation_says_what_it_is_for_and_takes_nothing_yet(
    campaign: Campaign, zoe: Person
) -> None:
    address = link(invite(campaign, zoe, seat="A"))
    for _ in range(2):
        response = browser().get(address)
        assert response.status_code == 200
        assert {"Zoe", campaign.title, "Cleitus"} == {
            word for word in ("Zoe", campaign.title, "Cleitus") if word in said(response)
        }
        assert "no-store" in response["Cache-Control"]
    assert not campaign.seats.get(code="A").holders.exists()


def test_an_invitation_to_a_running_game_names_the_people_of_its_seat() -> None:
    there = world(turns=2)
    with read_lock(there.campaign) as table:
        people = seat_names(table.game, "en")["A"]
    assert people != "A"
    shown = said(browser().get(link(invitation(there, "A", MEMBER))))
    assert people in shown and "Seat A" not in shown


def test_a_newcomer_gets_an_account_and_his_seat_at_once(campaign: Campaign, zoe: Person) -> None:
    client = browser()
    address = link(invite(campaign, zoe, seat="A"))
    response = client.post(address, {**NEWCOMER, "word": "figs"})
    assert (response.status_code, response["Location"]) == (303, way("campaign", campaign))
    ana = Person.objects.get(username="ana")
    assert visit_of(campaign, ana).commands("A") and ana.lang == "en"
    assert campaign.seats.get(code="A").word == "figs"
    shown = said(client.get(way("campaign", campaign)))
    assert "Welcome, Ana." in shown and 'value="figs"' in shown


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("called", ""), ("called", "x" * 61), ("called", "a\u202eb"), ("username", ""),
        ("username", "a b"), ("username", "x" * 151), ("username", "ZOE"), ("password", ""),
        ("password", "short"), ("password", "password123"), ("word", "x" * 101),
    ],
)  # fmt: skip
def test_what_is_refused_is_said_beside_its_field_and_nothing_typed_is_lost(
    campaign: Campaign, zoe: Person, field: str, value: str
) -> None:
    address = link(invite(campaign, zoe, seat="A"))
    response = browser().post(address, {**NEWCOMER, "word": "figs", field: value})
    assert response.status_code == 422
    (wrong,) = [each for each in page(response).all("input") if "aria-invalid" in each.attrs]
    assert wrong.attrs["name"] == field
    told = f"{field}-error"
    assert told in wrong.attrs["aria-describedby"]
    (error,) = by_id(response, told)
    assert error.said
    kept = {"called": "Ana", "username": "ana", "word": "figs", field: value}
    kept.pop("password", None)
    fields = filled(response)
    assert {name: fields[name] for name in kept} == {n: v.strip() for n, v in kept.items()}
    assert not fields.get("password"), "a password is never sent back"
    assert Person.objects.count() == 1 and not campaign.seats.get(code="A").holders.exists()


def test_what_is_refused_is_logged_without_the_link(
    campaign: Campaign, zoe: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = StringIO()
    (console,) = [
        each for each in logging.getLogger().handlers
        if any(isinstance(one, Unlinked) for one in each.filters)
    ]  # fmt: skip
    monkeypatch.setattr(console, "stream", written)
    token = invite(campaign, zoe, seat="A")
    assert browser().post(link(token), {**NEWCOMER, "password": "short"}).status_code == 422
    forged = browser(enforce_csrf_checks=True)
    assert forged.post(link(token), NEWCOMER).status_code == 403
    assert forged.post("/account/new-password/1a/d9-secret/", {}).status_code == 403
    logged = written.getvalue()
    assert "Unprocessable Entity: /invitation/…/" in logged and logged.count("Forbidden") == 2
    assert token not in logged and "secret" not in logged
    assert browser().get("/no/such/page/").status_code == 404
    assert written.getvalue().endswith("Not Found: /no/such/page/\n")


def test_who_has_an_account_takes_the_seat_with_one_button(campaign: Campaign, zoe: Person) -> None:
    ana = person("ana")
    address = link(invite(campaign, zoe, seat="A"))
    assert f"next={address}" in said(browser().get(address)).replace("%3A", ":")
    assert "username" not in filled(browser(ana).get(address))
    assert browser(ana).post(address)["Location"] == way("campaign", campaign)
    assert visit_of(campaign, ana).commands("A")


def test_a_used_link_says_nothing_of_the_campaign(campaign: Campaign, zoe: Person) -> None:
    address = link(invite(campaign, zoe, seat="A"))
    browser(person("ana")).post(address)
    for client in (browser(), browser(person("ben"))):
        for response in (client.get(address), client.post(address, NEWCOMER)):
            assert response.status_code == 410
            assert campaign.title not in said(response) and "Zoe" not in said(response)
    assert not Person.objects.filter(called="Ana", username="ana2").exists()


@pytest.mark.parametrize("token", ["1", "1:forged", "x", "1:" + "A" * 43])
def test_a_forged_link_is_not_there(campaign: Campaign, zoe: Person, token: str) -> None:
    invite(campaign, zoe, seat="A")
    for response in (browser().get(link(token)), browser().post(link(token), NEWCOMER)):
        assert response.status_code == 404
        assert campaign.title not in said(response)
    assert Person.objects.count() == 1


def test_a_link_to_a_full_seat_makes_no_account(campaign: Campaign, zoe: Person) -> None:
    address = link(invite(campaign, zoe, seat="A"))
    sit_down(campaign, "A", person("ben"))
    response = browser().post(address, NEWCOMER)
    assert response.status_code == 422 and "Somebody holds this seat" in said(response)
    assert not Person.objects.filter(username="ana").exists()


def test_an_invitation_to_the_club_makes_an_account_only() -> None:
    client = browser()
    assert client.post(link(invite(None, None)), NEWCOMER)["Location"] == "/"
    assert client.get("/new/").status_code == 200


def test_links_to_umpire_and_to_watch(campaign: Campaign, zoe: Person) -> None:
    ana, ben = person("ana"), person("ben")
    browser(ana).post(link(invite(campaign, zoe, role=UMPIRE_ROLE)))
    browser(ben).post(link(invite(campaign, zoe)))
    assert visit_of(campaign, ana).umpire
    assert visit_of(campaign, ben).inside and not visit_of(campaign, ben).seats


def test_a_name_alone_lets_a_friend_in_and_a_password_can_follow(
    campaign: Campaign, zoe: Person
) -> None:
    client = browser()
    address = link(invite(campaign, zoe, seat="A"))
    response = client.post(address, {"called": "Zoé du Pirée"})
    assert response.status_code == 303
    friend = Person.objects.get(called="Zoé du Pirée")
    assert visit_of(campaign, friend).commands("A") and not friend.has_usable_password()
    assert "Only this browser knows you." in said(client.get(way("campaign", campaign)))
    leaving = said(client.get("/account/logout/"))
    assert "You have no password" in leaving and "/account/password/first/" in leaving
    chosen = {"password1": PASSWORD, "password2": PASSWORD}
    assert friend.username in said(client.get("/account/password/first/"))
    assert client.post("/account/password/first/", chosen).status_code == 302
    friend.refresh_from_db()
    assert friend.check_password(PASSWORD)
    assert "You have no password" not in said(client.get("/settings/"))


@pytest.mark.parametrize("role", [UMPIRE_ROLE, None])
def test_who_umpires_or_has_an_account_alone_needs_a_password(
    campaign: Campaign, zoe: Person, role: str | None
) -> None:
    token = invite(campaign, zoe, role=role) if role else invite(None, zoe)
    response = browser().post(link(token), {"called": "Ana"})
    assert response.status_code == 422 and not Person.objects.filter(called="Ana").exists()


def test_a_duel_begins_when_the_friend_has_opened_the_link() -> None:
    ana, friend = browser(person("ana")), browser()
    fields = filled(ana.get("/new/batailles/"))
    made = ana.post("/new/batailles/", fields)
    waiting = ana.get(made["Location"])
    (address,) = [e.attrs["value"] for e in page(waiting).all("input") if "readonly" in e.attrs]
    path = address.partition("//")[2].partition("/")[2]
    response = friend.post(f"/{path}", {"called": "Ben"})
    begun = Campaign.objects.get()
    assert response["Location"] == way("seat", begun, seat="B") and begun.stage == "running"
    assert "Choose a password" in said(friend.get(response["Location"]))
    assert ana.get(way("seat", begun, seat="A")).status_code == 200


def test_whoever_made_a_duel_does_not_begin_it_by_their_own_link() -> None:
    ana = browser(person("ana"))
    made = ana.post("/new/batailles/", filled(ana.get("/new/batailles/")))
    door = Invitation.objects.get()
    ana.post(link(token_of(door)), {})
    begun = Campaign.objects.get()
    assert begun.stage == "muster" and ana.get(made["Location"]).status_code == 200
    ana.post(f"/c/{begun.code}/muster/B/clear/")
    assert not begun.seats.get(code="B").holders.exists()


def test_a_friend_whose_duel_cannot_begin_yet_is_signed_in_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ana, friend = browser(person("ana")), browser()
    ana.post("/new/batailles/", filled(ana.get("/new/batailles/")))

    def locked(*_: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(lobby, "begin", locked)
    token = token_of(Invitation.objects.get())
    assert friend.post(link(token), {"called": "Ben"}).status_code == 303
    begun = Campaign.objects.get()
    assert friend.get(way("campaign", begun)).status_code == 200
    assert visit_of(begun, Person.objects.get(called="Ben")).commands("B")


def test_a_duel_against_a_bot_begins_at_once() -> None:
    ana = browser(person("ana"))
    fields = filled(ana.get("/new/batailles/")) | {"seat.B": "bot:steady"}
    made = ana.post("/new/batailles/", fields)
    begun = Campaign.objects.get()
    assert made["Location"] == way("seat", begun, seat="A") and begun.stage == "running"
