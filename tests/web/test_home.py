"""The first page, and what a person chooses for himself."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from random import Random

import pytest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

import polemarque.web
from polemarque.club.campaigns import session
from polemarque.club.campaigns.demonstration import demonstrate, give_seat
from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, put_program, sit_down
from polemarque.club.models import Campaign, Person
from polemarque.club.orders.answers import seal
from polemarque.kernel.files.texts import KERNEL_TEXTS, check_texts
from polemarque.kernel.system import system_names
from polemarque.report.labels import REPORT_TEXTS, catalogue_of
from polemarque.web.i18n import elapsed
from polemarque.web.todo import title_of
from tests.web.people import browser, led_to, person, said, way

pytestmark = pytest.mark.django_db

TEXTS = Path(polemarque.web.__file__).parent / "texts"


@pytest.fixture
def zoe() -> Person:
    return person("zoe")


@pytest.fixture
def campaign(zoe: Person) -> Campaign:
    return make("At the ford", CampaignPlan("batailles", "ford"), zoe)


@pytest.mark.parametrize("group", ["home", "muster"])
def test_both_languages_say_the_same(group: str) -> None:
    assert not check_texts(TEXTS / group, KERNEL_TEXTS, REPORT_TEXTS)


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_visitor_reads_what_this_is_and_no_title_of_a_campaign(
    campaign: Campaign, lang: str
) -> None:
    response = browser(lang=lang).get("/")
    assert response.status_code == 200
    assert f'<html lang="{lang}"' in said(response)
    assert campaign.title not in said(response)


def test_home_lists_what_is_asked_of_whom(campaign: Campaign, zoe: Person) -> None:
    ana, ben = person("ana"), person("ben")
    sit_down(campaign, "A", ana)
    assert "1 free seat" in said(browser(ana).get("/"))
    put_program(campaign, "B", "steady")
    begin(campaign)
    mine = said(browser(ana).get("/"))
    assert campaign.title in mine and "Your turn: " in mine and "my seat: " in mine
    assert re.search(
        rf'<a class="state late" href="{way("campaign", campaign)}">.*Your turn: ', mine
    )
    umpired = said(browser(zoe).get("/"))
    assert "1 seat awaited" in umpired and "Your turn: " not in umpired
    assert campaign.title not in said(browser(ben).get("/"))
    Campaign.objects.update(public=True, pace=1, asked="2020-01-01T00:00Z")
    assert "Late: " in said(browser(ana).get("/"))
    watched = said(browser(ben).get("/"))
    assert campaign.title in watched and "awaited" not in watched and "Late" not in watched


@pytest.mark.parametrize(
    ("lang", "units"),
    [("fr", ("Phalange (36 PM, moral +1)", "Peltastes (8 PM)")),
     ("en", ("Phalanx (36 PM, morale +1)", "Peltasts (8 PM)"))],
)  # fmt: skip
def test_the_order_of_losses_is_asked_with_the_units_in_their_order(
    zoe: Person, lang: str, units: tuple[str, str]
) -> None:
    made, ana = make("Leuctra", CampaignPlan("batailles", "leuctra"), zoe), person("ana")
    sit_down(made, "A", ana)
    put_program(made, "B", "steady")
    begin(made)
    page = said(browser(ana, lang=lang).get(way("seat", made, seat="A")))
    (question,) = re.findall(r"<h3><a class=\"question-rule\".*?</h3>", page, re.DOTALL)
    first, second = (unescape(question).replace("\u00a0", " ").find(unit) for unit in units)
    assert 0 < first < second


@pytest.mark.parametrize(("lang", "hour"), [("fr", "1\u00a0heure"), ("en", "1\u00a0hour")])
def test_how_long_ago_something_was_is_said_from_a_minute_on(lang: str, hour: str) -> None:
    now = timezone.now()
    with override(lang):
        assert elapsed(now) == elapsed(now - timedelta(seconds=50)) == ""
        assert elapsed(now - timedelta(minutes=61)) == hour


def test_an_umpire_who_plays_is_not_told_who_is_awaited(zoe: Person) -> None:
    made = make("Two", CampaignPlan("batailles"), zoe, own=["A"])
    sit_down(made, "B", person("ana"))
    begin(made)
    assert "awaited" not in said(browser(zoe).get("/"))


def test_a_visitor_chooses_his_language_and_light(zoe: Person) -> None:
    client = browser(lang="fr")
    response = client.post("/preferences/", {"lang": "en", "theme": "dark", "next": "/?x=1"})
    assert (response.status_code, response["Location"]) == (303, "/?x=1")
    assert '<html lang="en" data-theme="dark">' in said(client.get("/"))
    client.post("/preferences/", {"lang": "tlh", "theme": "pink"})
    assert '<html lang="en" data-theme="dark">' in said(client.get("/"))


@pytest.mark.parametrize("way", ["https://elsewhere.example/", "//elsewhere.example", "x", ""])
def test_a_choice_leads_nowhere_else(way: str) -> None:
    assert browser().post("/preferences/", {"lang": "fr", "next": way})["Location"] == "/"


def test_a_persons_choices_are_kept_with_the_account(zoe: Person) -> None:
    browser(zoe).post("/preferences/", {"lang": "fr"})
    assert '<html lang="fr"' in said(browser(zoe, lang="en").get("/"))
    response = browser(zoe).post("/settings/", {"called": "Ζωή", "lang": "en", "theme": "dark"})
    assert response.status_code == 303
    zoe.refresh_from_db()
    assert (str(zoe), zoe.lang, zoe.theme) == ("Ζωή", "en", "dark")


@pytest.mark.parametrize(
    "fields", [{"called": "x" * 61}, {"called": "a\u202eb"}, {"lang": "tlh"}, {"theme": "pink"}]
)
def test_choices_that_are_none_are_refused(zoe: Person, fields: dict[str, str]) -> None:
    response = browser(zoe).post("/settings/", fields)
    assert response.status_code == 422
    assert led_to(response) == (["called"] if "called" in fields else [])
    zoe.refresh_from_db()
    assert (zoe.called, zoe.lang, zoe.theme) == ("Zoe", "", "")


def test_a_campaign_that_cannot_be_opened_hides_no_other(campaign: Campaign, zoe: Person) -> None:
    for seat in ("A", "B"):
        put_program(campaign, seat, "steady")
    begin(campaign)
    Campaign.objects.filter(pk=campaign.pk).update(header=b"{}", name="From long ago")
    session.forget(campaign)
    make("Another one", CampaignPlan("batailles", "ford"), zoe)
    page = said(browser(zoe).get("/"))
    assert "From long ago" in page
    assert "cannot open it" in page
    assert "Another one" in page


@pytest.mark.parametrize(("lang", "title"), [
    ("fr", "Démonstration : quatre royaumes d’Atlantide"),
    ("en", "Demonstration: four kingdoms of Atlantis"),
])  # fmt: skip
def test_the_demonstration_is_called_in_the_reader_s_language(lang: str, title: str) -> None:
    Campaign.objects.create(name="Quatre", show=True, public=True, plan={"system": "atlantide"})
    shown = unescape(said(browser(lang=lang).get("/")))
    assert title in shown and "Quatre" not in shown


@pytest.mark.parametrize(
    ("lang", "date"), [("fr", "22/11/2026 14:05"), ("en", "22 November 2026, 14:05")]
)
def test_dates_are_written_as_europe_does(lang: str, date: str) -> None:
    with override(lang):
        assert (
            date_format(datetime(2026, 11, 22, 14, 5, tzinfo=UTC), "SHORT_DATETIME_FORMAT") == date
        )


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("fr", ["Vous êtes", "le plus de territoires", "Un accord est", "où va votre armée"]),
        ("en", ["You are", "the most territories", "An agreement is", "where your army goes"]),
    ],
)
def test_a_newcomer_is_told_their_part_in_the_demonstration_alone(
    lang: str, told: list[str], zoe: Person
) -> None:
    made = demonstrate(lang)
    assert give_seat(zoe)
    (seat,) = [each.code for each in made.seats.filter(bot="")]
    address = way("seat", made, seat=seat)
    shown = unescape(said(browser(zoe, lang=lang).get(address)))
    assert [words for words in told if words not in shown] == []
    Campaign.objects.update(show=False)
    shown = unescape(said(browser(zoe, lang=lang).get(address)))
    assert [words for words in told if words in shown] == []


def test_the_first_answer_to_the_demonstration_takes_what_newcomers_are_told_away(
    zoe: Person,
) -> None:
    made = demonstrate("en")
    assert give_seat(zoe)
    seat = made.seats.get(bot="").code
    address = way("seat", made, seat=seat)
    with session.read_lock(made) as table:
        (request,) = table.game.requests(seat)
    key = request.keys[seat]
    seal(made, zoe, seat, key, request.options(seat).sample(Random(1)), once="1")
    assert "where your army goes" not in said(browser(zoe).get(address))


def test_every_question_has_a_title_in_words() -> None:
    for name in system_names():
        asks = {
            key.split(".", 1)[1] for key in catalogue_of(name).keys("fr") if key.startswith("ask.")
        }
        rules = {
            re.split(r"/|(?<=\d)\.(?=\D)", key)[0] for key in asks if re.match(r"[A-Z]{2}-", key)
        }
        for rule in rules:
            for lang in ("fr", "en"):
                assert title_of(rule, lang) != rule, f"{rule} is called by its code"
