"""Back in a browser as people have it, which keeps the pages it leaves: after signing out none of
them is shown to whoever sits down next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.web.journeys.browsers import BROWSERS, KEEPS_NO_PAGES, Window, launched
from tests.web.journeys.conftest import Open
from tests.web.served import Server, fill

WAR: dict[str, Any] = {"system": "atlantide", "seats": 3, "people": {"A": "ann", "B": "ben"}}


@pytest.fixture(scope="module", params=BROWSERS)
def browser(request: pytest.FixtureRequest, driver: Playwright) -> Iterator[Browser]:
    found = launched(driver, request.param, without=[KEEPS_NO_PAGES])
    yield found
    found.close()


@pytest.mark.timeout(300)
def test_back_after_signing_out_shows_no_secret(club: Server, open_window: Open) -> None:
    made: Any = fill(club.data, WAR)
    path = f"/c/{made['campaigns'][0]}"
    window = open_window(club.start(), "fr")
    _sign_in(window, "ann")
    for address in (f"{path}/trust/", f"{path}/seat/A/"):
        window.go(address)
        _leaves_word(window)
    window.go("/account/logout/")
    assert window.page.evaluate("sessionStorage.length"), "what was looked at is kept"
    window.press(window.say("account.logout"))
    window.sees(window.say("account.told_out"))
    assert not window.page.evaluate("sessionStorage.length"), "for nobody who comes after"
    for there in ("/", "/account/login/", "/account/login/"):
        window.page.evaluate("history.back()")
        _arrives(window, there)
        expect(window.page.locator(".masthead")).to_be_visible()
        expect(window.page.locator("form[data-question], .chain")).to_have_count(0)
        assert window.page.evaluate("window.kept") is None, "the page was not asked for again"


@pytest.mark.timeout(300)
def test_a_page_that_the_browser_brings_back_is_asked_for_again(
    club: Server, open_window: Open
) -> None:
    """Whatever the browser was told to forget: an address without https it may not hear of."""
    made: Any = fill(club.data, WAR)
    window = open_window(club.start(), "en")
    window.sign_in(made["people"]["ann"])
    window.go(f"/c/{made['campaigns'][0]}/seat/A/")
    _leaves_word(window)
    window.page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    expect(window.page.locator("main")).to_be_hidden()
    window.context.clear_cookies()
    window.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    _arrives(window, "/account/login/")
    assert window.page.evaluate("window.kept") is None


def _sign_in(window: Window, name: str) -> None:
    window.go("/account/login/")
    window.page.get_by_label(window.say("account.username")).fill(name)
    window.page.get_by_label(window.say("account.password")).fill(f"{name}-sleeps-well")
    window.press(window.say("account.login"))


def _arrives(window: Window, path: str) -> None:
    window.page.wait_for_url(lambda url: urlsplit(url).path == path)


def _leaves_word(window: Window) -> None:
    """Something by which the page is known if the browser brings it back as it was."""
    window.page.evaluate("window.kept = true")
