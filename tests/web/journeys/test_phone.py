"""One whole turn on a phone, under a finger."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.journeys.answering import Question, Tapped
from tests.web.journeys.browsers import Window
from tests.web.journeys.conftest import Open
from tests.web.journeys.turn import play_a_turn
from tests.web.served import Server, fill

WAR: dict[str, Any] = {"system": "atlantide", "seats": 3, "people": {"A": "ann"}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

SMALL = """() => [...document.querySelectorAll(
    'main button, main select, main input:not([type=hidden]), main summary, .nav a, .who a')]
  .map(one => one.closest('label.choice') ?? one)
  .filter(one => one.checkVisibility())
  .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
  .filter(([, box]) => box.height < 43.5 || box.width < 24)
  .map(([html, box]) => `${html} ${Math.round(box.width)}x${Math.round(box.height)}`)"""
"""What a finger would miss."""


@pytest.mark.timeout(300)
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_turn_on_a_phone(club: Server, open_window: Open, lang: str) -> None:
    made: Any = fill(club.data, WAR)
    window = open_window(club.start(), lang, **PHONE)
    window.sign_in(made["people"]["ann"])
    window.go(f"/c/{made['campaigns'][0]}/")
    fits(window)
    play_a_turn(window, Tapped, march_by_finger)
    for page in ("", "chronicle/", "trust/", "trust/odds/", "turn/1/"):
        window.go(f"/c/{made['campaigns'][0]}/{page}")
        fits(window)


def march_by_finger(window: Window, form: Question) -> str:
    """The map says where one may go, and is as wide as the screen; a tap chooses."""
    fits(window)
    way = form.form.locator("select[data-places]")
    legal = window.page.locator("[data-place].legal:not([aria-pressed=true])").first
    place = legal.get_attribute("data-place") or ""
    legal.locator(".hit").tap()
    expect(way).to_have_value(place)
    return way.locator("option:checked").inner_text().partition(" (")[0]


def fits(window: Window) -> None:
    """Nothing is wider than the screen, and nothing too small for a finger."""
    width = window.page.evaluate("document.scrollingElement.scrollWidth")
    assert width <= PHONE["viewport"]["width"], window.page.url  # type: ignore[index]
    assert window.page.evaluate(SMALL) == [], window.page.url
