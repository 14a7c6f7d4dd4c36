"""A seat before its question, and one whole turn of a small war, answered as its forms propose it
but for one march."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from polemarque.report.labels import catalogue_of
from tests.web.journeys.answering import READY, Question
from tests.web.journeys.browsers import Window
from tests.web.journeys.conftest import Open
from tests.web.served import Server, fill

SYSTEM = "atlantide"
STUCK = 60
"""Seconds without a question after which a journey has failed."""

March = Callable[[Window, Question], str]
"""Chooses where the army goes; gives what the place is called."""


def seated(
    club: Server, open_window: Open, war: dict[str, Any], lang: str = "fr", **screen: Any
) -> Window:
    """Ann before her question in a club that has that one campaign."""
    made: Any = fill(club.data, war)
    window = open_window(club.start(), lang, **screen)
    window.sign_in(made["people"]["ann"])
    window.go(f"/c/{made['campaigns'][0]}/seat/A/")
    return window


def play_a_turn(
    window: Window, question: Callable[..., Question] = Question, march: March | None = None
) -> None:
    """Answer what is asked until the second turn begins, and find in the story what was done."""
    second = catalogue_of(SYSTEM).say(window.lang, "chronicle.period", period=2)
    gone = ""
    rules = set()
    while second not in window.page.locator(".opening .lede").inner_text():
        wait_for_a_question(window, second)
        if not window.asked():
            continue
        form = question(window.page)
        rule = json.loads(form.key)[2]
        rules.add(rule)
        form.fill({})
        if rule == "AT-7.2":
            gone = (march or march_by_form)(window, form)
        form.seal()
        assert "/answer/" not in window.page.url, f"{form.key}: {window.refusals()}"
    assert {"AT-1.1", "AT-4.1", "AT-7.2"} <= rules
    assert gone
    window.go(window.page.url.partition("seat/")[0] + "turn/1/")
    expect(window.page.locator("main .chronicle")).to_contain_text(gone)


def wait_for_a_question(window: Window, second: str) -> None:
    """Until something is asked or the turn is over; without scripts one asks again oneself."""
    until = time.monotonic() + STUCK
    while time.monotonic() < until:
        if window.asked() or second in window.page.locator(".opening .lede").inner_text():
            return
        window.page.wait_for_timeout(100)
        if not window.scripts:
            window.page.reload(wait_until=READY)
    raise AssertionError(f"nothing is asked: {window.page.locator('main').inner_text()[:2000]}")


def march_by_form(window: Window, form: Question) -> str:
    """The first other place that the form offers."""
    way = form.form.locator("select[data-places] option:not([value='-'])").first
    form.choose(f"{form.name}/way", way.get_attribute("value") or "")
    return place_in(way.text_content() or "")  # its fold may be shut


def place_in(words: str) -> str:
    """The place that an option names, without its way and what is told of it."""
    return re.split(r" \(|, ", words)[0]
