"""Beside a long form the news are found without scrolling past it, on a desk and on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.journeys.conftest import Open
from tests.web.journeys.test_phone import PHONE
from tests.web.served import Server, fill

DESK: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
WARS: list[dict[str, Any]] = [
    {"system": name, "people": {"A": "ann"}} for name in ("atlantide", "mare_nostrum")
]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_the_news_are_one_step_away(
    club: Server, open_window: Open, screen: dict[str, Any]
) -> None:
    made: Any = fill(club.data, *WARS)
    window = open_window(club.start(), "fr", **screen)
    window.sign_in(made["people"]["ann"])
    for code in made["campaigns"]:
        window.go(f"/c/{code}/seat/A/")
        news = window.page.locator("#news-title")
        expect(news).not_to_be_in_viewport()
        way = window.page.get_by_role("link", name=window.say("table.news"))
        expect(way).to_be_in_viewport()
        way.click()
        expect(news).to_be_in_viewport()
