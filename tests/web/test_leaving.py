"""Whoever wants to takes what the club keeps of him, and closes his account, with his password."""

from __future__ import annotations

import pytest

from polemarque.club.campaigns.lobby import CampaignPlan, make
from polemarque.club.models import Entry, Person
from tests.club.people import campaign
from tests.club.people import person as known
from tests.web.people import PASSWORD, browser, by_id, person, said

pytestmark = pytest.mark.django_db

LEAVE, DATA = "/settings/leave/", "/settings/data/"


def test_an_account_is_closed_with_its_password_alone() -> None:
    ann = person("ann")
    client = browser(ann)
    assert LEAVE in said(client.get("/settings/"))
    for typed in ("", "wrong-wrong"):
        wrong = client.post(LEAVE, {"password": typed})
        assert wrong.status_code == 422 and by_id(wrong, "password-error")
        assert Person.objects.filter(pk=ann.pk).exists()
    done = client.post(LEAVE, {"password": PASSWORD}, follow=True)
    assert "Your account is closed" in said(done)
    assert not Person.objects.filter(pk=ann.pk).exists()
    assert client.get("/settings/").status_code == 302, "signed out"
    assert not browser().login(username="ann", password=PASSWORD)


def test_who_would_be_left_without_is_told_before() -> None:
    campaign("batailles", seats=2)
    shown = said(browser(known("a")).get(LEAVE))
    assert "Nobody will command these seats: A test (A)." in shown
    assert "Nobody will umpire" not in shown
    assert "Nobody will umpire: A test." in said(browser(known("zoe")).get(LEAVE))


def test_the_others_play_on_and_read_no_name() -> None:
    made = campaign("batailles", seats=2)
    xan = known("a")
    xan.called = "Xanthippe"
    xan.set_password(PASSWORD)
    xan.save()
    other = browser(known("b"))
    assert "Xanthippe" in said(other.get(f"/c/{made.code}/seat/B/"))
    count = Entry.objects.count()
    assert browser(xan).post(LEAVE, {"password": PASSWORD}).status_code == 303
    assert Entry.objects.count() == count
    for page in ("seat/B/", "people/", "chronicle/"):
        assert "Xanthippe" not in said(other.get(f"/c/{made.code}/{page}"))


def test_what_has_not_begun_keeps_its_only_umpire() -> None:
    ann = person("ann")
    make("Not begun", CampaignPlan("batailles", seats=2), ann)
    refused = browser(ann).post(LEAVE, {"password": PASSWORD})
    assert refused.status_code == 422
    assert "You alone umpire what has not begun yet: Not begun." in said(refused)
    assert Person.objects.filter(pk=ann.pk).exists()


def test_passwords_are_not_guessed_there() -> None:
    ann = person("ann")
    client = browser(ann)
    answers = [client.post(LEAVE, {"password": f"guess-{n}"}).status_code for n in range(6)]
    assert answers == [422] * 5 + [429]
    assert client.post(LEAVE, {"password": PASSWORD}).status_code == 429
    assert Person.objects.filter(pk=ann.pk).exists()


def test_who_may_not_close_it_learns_nothing_of_the_password() -> None:
    ann = person("ann")
    make("Not begun", CampaignPlan("batailles", seats=2), ann)
    for typed in (PASSWORD, "wrong-wrong"):
        refused = said(browser(ann).post(LEAVE, {"password": typed}))
        assert "You alone umpire what has not begun yet: Not begun." in refused


def test_the_file_is_for_its_owner() -> None:
    ann = person("ann")
    got = browser(ann).get(DATA)
    assert got["Content-Disposition"] == 'attachment; filename="polemarque.json"'
    assert got.json()["account"]["name"] == "ann"
    assert "no-store" in got["Cache-Control"]
    assert browser(person("ben")).get(DATA).json()["account"]["name"] == "ben"
