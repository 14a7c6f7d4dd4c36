"""What people of a campaign settle among themselves, by keyboard: a date, and another umpire."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.web.journeys.answering import READY, tab_to
from tests.web.journeys.axe import violations
from tests.web.journeys.browsers import Window
from tests.web.journeys.conftest import Open
from tests.web.served import Server, fill

PEOPLE = {"A": "ann", "B": "ben"}
FIGHT: dict[str, Any] = {
    "system": "atlantide", "seats": 2, "people": PEOPLE, "options": {"resolver": "tabletop"},
    "on_table": True,
}  # fmt: skip
SILENT: dict[str, Any] = {
    "system": "atlantide", "seats": 3, "people": {**PEOPLE, "C": "chloe"}, "umpire": "ulysse",
    "silent": 15, "title": "La guerre de Troie",
}  # fmt: skip


def enter(window: Window, control: Locator) -> None:
    """Go to a link or a button by Tab and press Enter; a page follows."""
    tab_to(window.page, control)
    with window.page.expect_navigation(wait_until=READY):
        window.page.keyboard.press("Enter")


def button(window: Window, text: str) -> Locator:
    """The button whose words begin so: what it is about may follow for who hears it alone."""
    return window.page.get_by_role("button", name=re.compile(f"^{re.escape(window.say(text))}"))


def seated(club: Server, open_window: Open, lang: str, made: Any) -> tuple[Window, Window]:
    """Ann and Ben at their browsers."""
    ann, ben = open_window(club, lang), open_window(club, lang)
    ann.sign_in(made["people"]["ann"])
    ben.sign_in(made["people"]["ben"])
    return ann, ben


@pytest.mark.timeout(300)
def test_two_sides_agree_on_a_date(club: Server, open_window: Open) -> None:
    made: Any = fill(club.data, FIGHT)
    (code,) = made["campaigns"]
    ann, ben = seated(club.start(), open_window, "en", made)
    ann.go(f"/c/{code}/seat/A/")
    enter(ann, ann.page.get_by_role("link", name=ann.say("battles.to_dates")))
    tab_to(ann.page, ann.page.locator("main summary").first)
    ann.page.keyboard.press("Enter")
    hour, place = ann.page.locator("input[name=at]").first, ann.page.locator("input[name=where]")
    tab_to(ann.page, hour)
    type_hour(ann)
    tab_to(ann.page, place.first)
    ann.page.keyboard.type("Salle des fêtes")
    enter(ann, button(ann, "battles.propose"))
    ann.sees(ann.say("battles.proposed_now"))
    found = list(violations(ann))
    ben.go("/")
    ben.sees(ben.say("battles.yours"))
    ben.go(f"/c/{code}/battles/")
    ben.sees("Salle des fêtes")
    enter(ben, button(ben, "battles.agree"))
    ben.sees(ben.say("battles.done", done="agree"))
    expect(ben.page.locator("main strong")).to_contain_text("Salle des fêtes")
    found += violations(ben)
    assert found == []


def type_hour(window: Window) -> None:
    """Type a day to come and an hour into the browser's own field.

    Whether it has the day or the month first, and twelve hours or twenty-four, is its own affair: a
    day of the number of its month is the same in both, and where there is no noon the last key does
    nothing.
    """
    keys, first = window.page.keyboard, datetime.now(UTC).date() + timedelta(days=2)
    days = [first + timedelta(days=number) for number in range(60)]
    day = next(each for each in days if each.day == each.month)
    keys.type(f"{day:%d%m%Y}")
    keys.press("Tab")
    keys.type("1100p")


@pytest.mark.timeout(300)
def test_the_seats_name_another_umpire(club: Server, open_window: Open) -> None:
    made: Any = fill(club.data, SILENT)
    (code,) = made["campaigns"]
    ann, ben = seated(club.start(), open_window, "fr", made)
    found: list[str] = []
    for window, seat in ((ann, "A"), (ben, "B")):
        window.go(f"/c/{code}/")
        enter(window, window.page.get_by_role("link", name=window.say("naming.look")))
        if window is ann:
            found += violations(ann)
        whom = window.page.locator(f"#named-{seat}")
        tab_to(window.page, whom)
        window.page.keyboard.type("Chloe")
        assert whom.locator("option:checked").inner_text() == "Chloe"
        enter(window, button(window, "naming.give"))
    ann.sees(ann.say("naming.given"))
    ben.sees(ben.say("naming.done"))
    found += violations(ben)
    ann.go(f"/c/{code}/")
    expect(ann.page.locator("main")).to_contain_text("Chloe")
    chloe = open_window(club, "fr")
    chloe.sign_in(made["people"]["chloe"])
    chloe.go(f"/c/{code}/desk/")
    assert found == []
