"""One whole turn in a browser that runs no scripts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.journeys.conftest import Open
from tests.web.journeys.turn import play_a_turn
from tests.web.served import Server, fill

WAR: dict[str, Any] = {"system": "atlantide", "seats": 3, "people": {"A": "ann"}, "title": "Argos"}


@pytest.mark.timeout(300)
def test_a_turn_without_scripts(club: Server, open_window: Open) -> None:
    (code,) = fill(club.data, WAR)["campaigns"]  # type: ignore[misc]
    window = open_window(club.start(), "fr", java_script_enabled=False)
    page = window.page
    window.go("/")
    page.get_by_role("link", name=window.say("home.sign_in")).first.click()
    page.get_by_label(window.say("account.username")).fill("ann")
    page.get_by_label(window.say("account.password"), exact=True).fill("ann-sleeps-well")
    window.press(window.say("account.login"))
    page.get_by_role("link", name="Argos").click()
    assert page.url.endswith(f"/c/{code}/seat/A/")
    play_a_turn(window)
