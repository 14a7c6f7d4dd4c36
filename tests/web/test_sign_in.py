"""Who tries passwords: refused after a few, and nobody else with them."""

from __future__ import annotations

import re
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
from django.test import Client

from polemarque.kernel.errors import NotUnderstood
from polemarque.web.environment import PROXIES, proxies_in
from polemarque.web.i18n import say
from tests.web.people import PASSWORD, browser, person, said
from tests.web.served import PATIENCE, Server, Visitor, fill, serving

LOGIN = "/account/login/"
HALL, STRANGER = "192.0.2.10", "198.51.100.7"
ACCOUNTS = 45


def tried(client: Client, name: str, password: str, address: str = STRANGER) -> int:
    form = {"login": name, "password": password}
    return client.post(LOGIN, form, REMOTE_ADDR=address).status_code


def fail(name: str, times: int, address: str = STRANGER) -> list[int]:
    """Somebody with new browsers tries wrong passwords."""
    return [tried(browser(), name, f"wrong {number}", address) for number in range(times)]


@pytest.mark.django_db
def test_one_password_is_not_tried_on_many_accounts() -> None:
    person("zoe")
    got = [tried(browser(), f"somebody{number}", "thalassa") for number in range(ACCOUNTS)]
    assert got[:15] == [200] * 15
    assert set(got[20:]) == {429}
    assert tried(browser(), "zoe", PASSWORD) == 429
    assert tried(browser(), "zoe", PASSWORD, HALL) == 302


@pytest.mark.django_db
def test_who_fails_on_an_account_shuts_its_owner_out_of_no_browser_of_theirs() -> None:
    person("zoe")
    own = browser()
    assert tried(own, "zoe", PASSWORD, HALL) == 302
    own.post("/account/logout/")
    assert set(fail("zoe", 100)[5:]) == {429}
    assert set(fail("ZOE", 100, HALL)[5:]) == {429}
    assert tried(browser(), "zoe", PASSWORD, HALL) == 429, "a new browser cannot be told apart"
    assert tried(own, "zoe", PASSWORD, HALL) == 302


@pytest.mark.django_db
def test_a_known_browser_may_not_try_for_ever_nor_for_others() -> None:
    person("zoe")
    person("yves")
    own = browser()
    tried(own, "zoe", PASSWORD)
    own.post("/account/logout/")
    got = [tried(own, "zoe", f"wrong {number}") for number in range(20)]
    assert (got[9], got[10]) == (200, 429)
    assert [tried(own, "yves", f"wrong {number}") for number in range(6)][-1] == 429
    own.cookies["browser"] = own.cookies["browser"].value[:-1] + "!"
    assert tried(own, "zoe", PASSWORD) == 302, "known by itself no more, it is a new browser"


@pytest.mark.django_db
def test_a_hall_behind_one_router_is_not_shut_out_by_one_of_them() -> None:
    for name in ("yves", "zoe"):
        person(name)
    assert fail("yves", 100, HALL)[-1] == 429
    assert tried(browser(), "zoe", PASSWORD, HALL) == 302


@pytest.mark.django_db
def test_one_account_is_not_guessed_from_many_addresses() -> None:
    person("zoe")
    got = [fail("zoe", 1, f"203.0.113.{number}")[0] for number in range(40)]
    assert (got[29], got[30]) == (200, 429)


@pytest.mark.django_db
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_refusal_says_what_can_be_done(lang: str) -> None:
    form = {"login": "zoe", "password": "wrong"}
    for _ in range(6):
        answer = browser(lang=lang).post(LOGIN, form)
    assert answer.status_code == 429
    assert say(lang, "fault.429_told") in said(answer).replace("&#x27;", "'")


@pytest.mark.django_db
def test_who_has_a_session_already_is_known_too() -> None:
    own = browser(person("zoe"))
    own.get("/")
    own.post("/account/logout/")
    fail("zoe", 10, HALL)
    assert tried(own, "zoe", PASSWORD, HALL) == 302


# What a request says of its address --------------------------------------------------------------


def spray(server: Server, accounts: int) -> list[int]:
    """One machine tries a password on many accounts, each time under another address."""
    visitor = Visitor(server, {})
    _, page, _ = visitor.get(LOGIN)
    (token,) = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[:1]
    got = []
    for number in range(accounts):
        fields = {"csrfmiddlewaretoken": token, "login": f"name{number}", "password": "thalassa"}
        request = urllib.request.Request(
            server.address + LOGIN, urllib.parse.urlencode(fields).encode(),
            {"X-Forwarded-For": f"203.0.113.{number}",
             "Cookie": f"csrftoken={visitor.cookies['csrftoken']}"},
        )  # fmt: skip
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                got.append(answer.status)
        except urllib.error.HTTPError as refused:
            with refused:
                got.append(refused.code)
    return got


@pytest.mark.slow
def test_nobody_is_believed_who_says_that_he_is_elsewhere(tmp_path: Path) -> None:
    fill(tmp_path)
    with serving(tmp_path, "--no-demo") as server:
        assert set(spray(server, 25)[20:]) == {429}


@pytest.mark.slow
def test_a_proxy_that_is_named_is_believed(tmp_path: Path) -> None:
    fill(tmp_path)
    server = Server(tmp_path, "--no-demo")
    server.told = {"POLEMARQUE_PROXIES": "127.0.0.1"}
    try:
        assert set(spray(server.start(), 25)) == {200}
    finally:
        server.end()


def test_what_is_no_proxy_is_refused() -> None:
    assert proxies_in({}) == []
    assert proxies_in({"POLEMARQUE_PROXIES": ", ".join(PROXIES)}) == list(PROXIES)
    for told in ("*", "club.example.org", "127.0.0.1; ::1", "10.0.0.1/8"):
        with pytest.raises(NotUnderstood) as refused:
            proxies_in({"POLEMARQUE_PROXIES": told})
        assert refused.value.code == "serve.proxies"
