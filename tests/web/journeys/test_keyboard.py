"""One whole turn without a mouse: Tab, arrows, Space and Enter, on the map too."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.journeys.answering import Keyed, Question, tab_to
from tests.web.journeys.browsers import Window
from tests.web.journeys.conftest import Open
from tests.web.journeys.turn import place_in, play_a_turn
from tests.web.served import Server, fill

WAR: dict[str, Any] = {"system": "atlantide", "seats": 3, "people": {"A": "ann"}}


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("browser", "lang"), [("firefox", "fr"), ("chromium", "en")], indirect=["browser"]
)
def test_a_turn_by_keyboard(club: Server, open_window: Open, lang: str) -> None:
    made: Any = fill(club.data, WAR)
    window = open_window(club.start(), lang)
    window.sign_in(made["people"]["ann"])
    window.go(f"/c/{made['campaigns'][0]}/")
    window.page.keyboard.press("Tab")
    expect(window.page.locator("a.skip").first).to_be_focused()
    expect(window.page.locator("a.skip").first).to_be_in_viewport()
    window.page.keyboard.press("Enter")
    expect(window.page.locator("main")).to_be_focused()
    play_a_turn(window, Keyed, march_by_keys)


def march_by_keys(window: Window, form: Question) -> str:
    """Arrows go from place to place until one lights up that the form offers; Enter chooses it."""
    way = form.form.locator("select[data-places]")
    tab_to(window.page, window.page.locator("[data-place]"), key="Shift+Tab")  # it stands above
    for step in ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"] * 10:
        window.page.keyboard.press(step)
        here = window.page.locator("[data-place]:focus")
        place = here.get_attribute("data-place") or ""
        if here.get_attribute("aria-pressed") == "false":
            expect(window.page.locator(".way.maybe")).to_have_count(1)  # where it would lead
            window.page.keyboard.press("Enter")
            expect(way).to_have_value(place)
            expect(here).to_have_attribute("aria-pressed", "true")
            return place_in(way.locator("option:checked").text_content() or "")
    raise AssertionError("no place that can be chosen is reached by arrows")
