"""A battle of a campaign lent to a newcomer, who fights in it and is thanked."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.journeys.answering import READY
from tests.web.journeys.axe import violations
from tests.web.journeys.browsers import Window
from tests.web.journeys.conftest import Open
from tests.web.journeys.test_phone import PHONE, fits
from tests.web.served import Server, fill

WAR: dict[str, Any] = {
    "system": "atlantide", "seats": 2, "people": {"A": "ann", "B": "ben"}, "umpire": "ulysse",
    "options": {"resolver": "thucidide"}, "battle_of": "A", "title": "La guerre de Troie",
}  # fmt: skip


def lends(host: Window, code: str) -> str:
    """Make the link on the page of people, from the seat's own page on; its address."""
    host.go(f"/c/{code}/seat/A/")
    host.page.get_by_role("link", name=re.compile(f"^{host.say('guest.lend')}")).click()
    section = host.page.locator("details[id^='battle-A']")
    expect(section).to_be_visible()
    host.follow(section.get_by_role("button", name=re.compile(host.say("guest.link"))))
    return section.locator("input.mono").input_value().removeprefix(host.server.address)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("lang", "screen"), [("fr", PHONE), ("en", {})], ids=["phone", "desk"])
def test_a_newcomer_fights_one_battle(
    club: Server, open_window: Open, lang: str, screen: dict[str, Any]
) -> None:
    made: Any = fill(club.data, WAR)
    (code,) = made["campaigns"]
    host, guest = open_window(club.start(), lang, **screen), open_window(club, lang, **screen)
    host.sign_in(made["people"]["ann"])
    link = lends(host, code)
    found = list(violations(host))
    guest.enter(link, "Solon")
    found += violations(guest)
    if screen:
        fits(guest)
    guest.answer()
    host.go(f"/c/{code}/people/")
    host.sees(host.say("guest.at", who="Solon"))
    found += violations(host)
    if screen:
        fits(host)
    guest.go("/")
    guest.sees(guest.say("guest.home"))
    guest.page.get_by_role("link", name="La guerre de Troie").click()
    page = guest.page.url
    host.press(f"{host.say('guest.back', who='Solon')} ({place(guest)})")
    host.sees(host.say("guest.gone"))
    answer = guest.page.goto(page, wait_until=READY)
    assert answer is not None and answer.status == 404
    guest.faults.clear()  # the browser says of itself that a page was not found
    assert found == []


def place(guest: Window) -> str:
    """Where the battle is fought, as its page is headed."""
    heading = guest.page.locator("h1").inner_text()
    return heading.removeprefix(guest.say("guest.title", place="")).strip()
