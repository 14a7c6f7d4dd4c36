"""The balance of a campaign that is planned, studied from the form of a new campaign."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest

from polemarque.club.models import Campaign
from polemarque.lab import balance
from polemarque.lab.games import Failed, Played
from tests.cli.desk import polemarque
from tests.web.people import browser, filled, person, said

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Studies of a few games, and none of another test."""
    monkeypatch.setattr(balance, "recommended", lambda seats: 12)
    monkeypatch.setattr(balance, "_kept", {})
    yield
    for each in balance._kept.values():
        ended(each)


def ended(study: balance.Balance) -> None:
    until = time.monotonic() + 120
    while study.going and time.monotonic() < until:
        time.sleep(0.02)
    assert not study.going


def studied(client: Any, system: str = "batailles", **fields: str) -> Any:
    form = filled(client.get(f"/new/{system}/"))
    return client.post(f"/new/{system}/", form | fields | {"do": "study"})


@pytest.mark.slow
def test_a_planned_campaign_is_studied_as_the_terminal_does_it(tmp_path: Any) -> None:
    client = browser(person("zoe"), lang="en")
    sent = studied(client, scenario="cannae", **{"option.rout": "zero"})
    assert sent.status_code == 303 and not Campaign.objects.exists()
    address = sent["Location"]
    assert "of 12 games played" in said(client.get(address))
    (study,) = balance._kept.values()
    ended(study)
    page = said(client.get(address))
    words = ("study", "batailles", "cannae", "--option", "rout=zero", "--games", 12)
    polemarque(*words, "--workers", 1, "--lang", "en", "--out", tmp_path)
    paper = client.get(f"{address}?format=md")
    assert paper.content.decode() == (tmp_path / "study.md").read_text()
    assert 'filename="study-' in paper["Content-Disposition"]
    assert "12 games" in page and "In brief" in page
    assert "En bref" in said(browser(person("ann"), lang="fr").get(address))
    assert studied(client, scenario="cannae", **{"option.rout": "zero"})["Location"] == address


@pytest.mark.slow
def test_a_campaign_without_an_end_is_given_the_usual_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(balance, "recommended", lambda seats: 1)
    client = browser(person("zoe"), lang="en")
    address = studied(client, "atlantide", scenario="duel")["Location"]
    (study,) = balance._kept.values()
    ended(study)
    assert "turn_limit=12" in said(client.get(address))


class _Stuck:
    """A process whose every answer takes too long."""

    def __init__(self, *given: object) -> None:
        pass

    def ask(self, asked: tuple[object, object], *limits: float) -> object:
        raise balance.TooSlow

    def end(self) -> None:
        pass


class _Failing(_Stuck):
    """One whose every game fails."""

    def ask(self, asked: tuple[object, object], *limits: float) -> object:
        return Failed(0, "OSError: secret.toml")


class _Ended(_Stuck):
    """One that ends at every game."""

    def ask(self, asked: tuple[object, object], *limits: float) -> object:
        raise balance.Gone("exit status -9")


class _Untold(_Stuck):
    """One that plays, and whose report takes too long."""

    def ask(self, asked: tuple[object, object], *limits: float) -> object:
        if asked[0] is not balance.attempt:
            raise balance.TooSlow
        return Mock(spec=Played)


class _Broken(_Stuck):
    """One that plays, and whose report breaks off."""

    def ask(self, asked: tuple[object, object], *limits: float) -> object:
        if asked[0] is not balance.attempt:
            raise balance.Gone("OSError: secret.toml")
        return Mock(spec=Played)


@pytest.mark.parametrize(
    ("process", "why"),
    [
        (_Stuck, "No game came to its end within 120 seconds"),
        (_Failing, "in 12 games the rules or a bot failed"),
        (_Ended, "in 12 games the rules or a bot failed"),
        (_Broken, "12 games were played, but the report broke off"),
        (_Untold, "12 games were played, but the report was not made within 120 seconds"),
    ],
)
def test_why_there_is_no_report_is_told(
    monkeypatch: pytest.MonkeyPatch, process: type[_Stuck], why: str
) -> None:
    monkeypatch.setattr(balance, "Worker", process)
    client = browser(person("zoe"), lang="en")
    address = studied(client)["Location"]
    (study,) = balance._kept.values()
    ended(study)
    page = said(client.get(address))
    assert why in page and "secret.toml" not in page
    assert client.get(f"{address}?format=md").status_code == 200


def test_one_study_is_made_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance.Balance, "make", lambda self: None)
    client = browser(person("zoe"), lang="en")
    first = studied(client)
    again, other = studied(client), studied(client, scenario="ford")
    assert again["Location"] == first["Location"]
    assert other.status_code == 422 and "one at a time" in said(other)
    (study,) = balance._kept.values()
    study.going = False
    assert studied(client, scenario="ford").status_code == 303
    balance._kept.clear()


def test_what_cannot_be_played_is_refused_beside_its_field(monkeypatch: pytest.MonkeyPatch) -> None:
    client = browser(person("zoe"), lang="en")
    for fields in ({"scenario": "agincourt"}, {"setup": "[a]\nmorale = "}, {"option.rout": "all"}):
        assert studied(client, **fields).status_code == 422
    assert not balance._kept and not Campaign.objects.exists()


def test_who_has_no_account_and_who_asks_for_an_old_study_see_none() -> None:
    assert "/account/login/" in browser(None).get("/new/balance/abc/")["Location"]
    assert browser(person("zoe")).get("/new/balance/abc/").status_code == 404
