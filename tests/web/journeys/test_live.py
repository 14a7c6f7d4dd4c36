"""A page that stays open while others play: what is new comes to it, and nothing is sent twice."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.web.journeys.answering import FRESH
from tests.web.journeys.browsers import Window
from tests.web.journeys.conftest import BOTH, Open
from tests.web.served import Forms, Server, Visitor, fill

WAR: dict[str, Any] = {"system": "atlantide", "seats": 3,
                       "people": {"A": "ann", "B": "ben", "C": "cleo"}}  # fmt: skip
GATHERED = 1_000
"""Milliseconds after which news that were gathered are asked for."""

HELD = 100
"""Tenths of a second that news have to be asked for."""

MAP = "svg[data-board]"


@pytest.mark.timeout(300)
def test_news_are_fetched_once_and_the_map_stays(club: Server, open_window: Open) -> None:
    made: Any = fill(club.data, WAR)
    path = f"/c/{made['campaigns'][0]}/seat"
    window = open_window(club.start(), "en")
    page = window.page
    asked: list[Request] = []
    page.on("request", lambda one: asked.append(one) if "x-live" in one.headers else None)
    page.clock.install(time=0)
    window.sign_in(made["people"]["ann"])
    window.go(f"{path}/A/")
    page.clock.pause_at(GATHERED)
    page.locator(".plate [data-zoom=in]").click()
    page.locator("[data-place]").first.focus()
    near = page.locator(MAP).get_attribute("viewBox")
    page.evaluate("map => window.map = document.querySelector(map)", MAP)
    for seat, name in (("B", "ben"), ("C", "cleo")):
        heard = _heard(window)
        _seal(Visitor(club, made["people"][name]), f"{path}/{seat}/")
        expect(page.locator("[data-stream]")).not_to_have_attribute("data-heard", heard)
    assert not asked
    page.clock.run_for(GATHERED)
    expect(page.locator("table.seats").get_by_text(window.say("seat_state.ready"))).to_have_count(2)
    (once,) = asked
    answer = once.response()
    assert answer is not None
    assert "data-drawn" in answer.text()
    assert "data-board" not in answer.text(), "the map is sent again"
    assert page.evaluate("map => window.map === document.querySelector(map)", MAP)
    assert page.locator(MAP).get_attribute("viewBox") == near
    expect(page.locator(".plate.moves")).to_have_count(1)
    expect(page.locator("[data-place]").first).to_be_focused()


@BOTH
@pytest.mark.timeout(300)
def test_a_map_that_has_changed_takes_the_place_of_the_old(club: Server, open_window: Open) -> None:
    made: Any = fill(club.data, WAR)
    path = f"/c/{made['campaigns'][0]}/seat"
    window = open_window(club.start(), "en")
    page = window.page
    window.sign_in(made["people"]["ann"])
    window.go(f"{path}/A/")
    field = page.locator(".plate-field")
    digest = field.get_attribute("data-drawn") or ""
    field.evaluate(
        "field => { field.dataset.drawn = 'another';"
        " field.querySelector('svg').replaceChildren(); window.untouched = true; }"
    )
    _seal(Visitor(club, made["people"]["ben"]), f"{path}/B/")
    expect(field).to_have_attribute("data-drawn", digest)
    expect(page.locator(f"{MAP} [data-place]").first).to_be_attached()
    assert page.evaluate("window.untouched"), "the whole page was loaded anew"
    title = page.title()
    page.locator(".plate [data-zoom=in]").click()
    near = page.locator(MAP).get_attribute("viewBox") or ""
    fold = page.locator("details.plate-words").last
    fold.locator("summary").click()
    window.go(f"/c/{made['campaigns'][0]}/trust/")
    page.go_back()
    expect(page).to_have_title(title)
    expect(page.locator(".masthead")).to_have_count(1)
    expect(page.locator(f"{MAP} [data-place]").first).to_be_attached()
    expect(page.locator(MAP)).to_have_attribute("viewBox", near)
    expect(fold).to_have_attribute("open", "")


DUEL: dict[str, Any] = {"system": "atlantide", "seats": 2, "people": {"A": "ann", "B": "ben"},
                        "options": {"resolver": "thucidide"}, "battle_of": "A"}  # fmt: skip


@BOTH
@pytest.mark.timeout(300)
def test_what_a_fold_of_the_news_holds_comes_when_it_is_opened_and_stays(
    club: Server, open_window: Open
) -> None:
    made: Any = fill(club.data, DUEL)
    path = f"/c/{made['campaigns'][0]}/seat/A/"
    window = open_window(club.start(), "en")
    page = window.page
    window.sign_in(made["people"]["ann"])
    window.go(path)
    part = page.locator(".latest details > [data-drawn]")
    expect(part.locator("a")).to_have_attribute("href", re.compile("/chronicle/"))
    for heading in page.locator(".latest summary").filter(has=page.locator("h4, h5")).all():
        if not heading.evaluate("one => one.parentElement.open"):
            heading.click()
    expect(part.locator(".line").first).to_be_attached()
    page.evaluate("window.part = document.querySelector('.latest details > [data-drawn]')")
    heard = _heard(window)
    _seal(Visitor(club, made["people"]["ann"]), path)
    expect(page.locator(".spread")).not_to_have_attribute("data-heard", heard)
    expect(page.locator(".latest details[open] > [data-drawn] .line").first).to_be_attached()


def _heard(window: Window) -> str:
    return window.page.locator("[data-stream]").get_attribute("data-heard") or ""


def _seal(visitor: Visitor, path: str) -> None:
    """Answer what is asked of a seat as its form proposes."""
    _, page, _ = visitor.get(path)
    fields = next(fields for way, fields in Forms(page).forms if way.endswith("/answer/"))
    status, _, _ = visitor.post(path + "answer/", [*fields, ("do", "seal")])
    assert status == 303


class Held:
    """The first live request of each of some methods, kept from the club."""

    def __init__(self, page: Page, address: str, *methods: str) -> None:
        self.page, self.methods = page, methods
        self.held: dict[str, Route] = {}
        page.route(address, self._hold)

    def _hold(self, route: Route) -> None:
        method = route.request.method
        live = "x-live" in route.request.headers
        if live and method in self.methods and method not in self.held:
            self.held[method] = route
        else:
            route.continue_()

    def wait_for(self, method: str) -> Route:
        """The request of that method, once it has been sent."""
        for _ in range(HELD):
            if method in self.held:
                break
            self.page.wait_for_timeout(100)
        return self.held[method]


@pytest.mark.timeout(300)
def test_news_asked_for_before_an_answer_do_not_cover_its_letter(
    club: Server, open_window: Open
) -> None:
    """They were asked for first and come last: what they bring is older than the letter."""
    made: Any = fill(club.data, WAR)
    path = f"/c/{made['campaigns'][0]}/seat"
    window = open_window(club.start(), "en")
    page = window.page
    held = Held(page, f"**{path}/A/", "GET")
    window.sign_in(made["people"]["ann"])
    window.go(f"{path}/A/")
    _seal(Visitor(club, made["people"]["ben"]), f"{path}/B/")
    news = held.wait_for("GET")
    old = news.fetch()
    window.answer()
    letter = page.locator("article.letter#receipt")
    expect(letter).to_be_visible()
    with page.expect_response(lambda one: "x-live" in one.request.headers):
        news.fulfill(response=old)
    page.wait_for_timeout(200)
    expect(letter).to_be_visible()


@pytest.mark.timeout(300)
def test_news_that_come_while_an_answer_fails_to_leave_are_shown(
    club: Server, open_window: Open
) -> None:
    """The answer never reaches the club: what was asked for before says that there are some."""
    made: Any = fill(club.data, WAR)
    path = f"/c/{made['campaigns'][0]}/seat"
    window = open_window(club.start(), "en")
    page = window.page
    held = Held(page, f"**{path}/A/**", "GET", "POST")
    window.sign_in(made["people"]["ann"])
    window.go(f"{path}/A/")
    _seal(Visitor(club, made["people"]["ben"]), f"{path}/B/")
    news = held.wait_for("GET")
    page.locator(FRESH).first.locator('button[value="seal"]').click()
    answer = held.wait_for("POST")
    with page.expect_response(lambda one: one.request.method == "GET"):
        news.continue_()
    page.wait_for_timeout(200)
    answer.abort()
    expect(page.locator("[data-unsent]")).to_be_visible()
    expect(page.locator("[data-stream]")).to_contain_text(window.say("table.fresh"))
    window.faults.clear()  # the browser tells of the answer that failed
    page.locator("[data-unsent] button").click()  # what was filled in is still there to be sent
    expect(page.locator("article.letter#receipt")).to_be_visible()
    expect(page.locator("[data-unsent]")).to_be_hidden()


@pytest.mark.timeout(300)
def test_an_answer_that_came_too_late_leaves_a_page_that_goes_on(
    club: Server, open_window: Open
) -> None:
    """Somebody else of the seat has answered meanwhile: what was typed is of no use any more."""
    made: Any = fill(club.data, WAR)
    path = f"/c/{made['campaigns'][0]}/seat"
    window = open_window(club.start(), "en")
    page = window.page
    window.sign_in(made["people"]["ann"])
    window.go(f"{path}/A/")
    page.locator(FRESH).first.dispatch_event("input")
    visitors = {seat: Visitor(club, made["people"][name]) for seat, name in WAR["people"].items()}
    for seat, visitor in visitors.items():
        _seal(visitor, f"{path}/{seat}/")
    expect(page.locator("[data-stream]")).to_contain_text(window.say("table.fresh"))
    with page.expect_response(lambda one: one.request.method == "POST") as late:
        page.locator(FRESH).first.locator('button[value="seal"]').click()
    assert late.value.status == 409
    expect(page.locator("[data-stream]")).to_be_empty()
    with (
        page.expect_request(lambda one: one.method == "GET" and "x-live" in one.headers),
        closing(sqlite3.connect(club.data / "polemarque.sqlite3")) as kept,
        kept,
    ):
        kept.execute(
            "INSERT INTO club_pulse (campaign_id, kind, at) SELECT id, 'course',"
            " strftime('%Y-%m-%d %H:%M:%f', 'now') FROM club_campaign"
        )
    window.faults.clear()  # the browser tells of the answer 409


SHOPPING: dict[str, Any] = {"system": "mare_nostrum", "seats": 4, "people": {"A": "ann"},
                            "until": ["MN-F5/phase", "A", 1]}  # fmt: skip


LONG = """form => {
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "long" });
  field.value = "x".repeat(1_000_000);
  form.append(field);
}"""
"""Add to a form what is too long."""


@pytest.mark.timeout(300)
def test_who_goes_on_in_a_form_that_is_refused_is_told_why(club: Server, open_window: Open) -> None:
    """More stands in it than the club keeps as a draft."""
    made: Any = fill(club.data, SHOPPING)
    path = f"/c/{made['campaigns'][0]}/seat/A/"
    window = open_window(club.start(), "fr")
    page = window.page
    window.sign_in(made["people"]["ann"])
    window.go(path)
    page.locator(FRESH).first.evaluate(LONG)
    page.locator(FRESH).first.locator('button[value="work"]').dispatch_event("click")
    reason = page.locator("#happened [role=alert]")
    expect(reason).to_be_focused()
    expect(reason).to_be_in_viewport()
    window.faults.clear()  # the browser tells of the answer 422


SEEN = """seen => {
  Object.defineProperty(document, "hidden", { value: !seen, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Show a page, or hide it behind another, as its browser tells it."""

CONNECTIONS = 6
"""Those that a browser has to one club, for all its pages."""

LISTENS, RESTS = 3_000, 60_000
"""Milliseconds for which a page that is hidden listens, and then does not."""


@pytest.mark.timeout(300)
def test_more_pages_are_open_than_a_browser_has_connections_and_all_hear(
    club: Server, open_window: Open
) -> None:
    """Those that are hidden hear a little later, or as soon as they are shown again."""
    made: Any = fill(club.data, WAR)
    path = f"/c/{made['campaigns'][0]}/seat"
    window = open_window(club.start(), "en")
    window.sign_in(made["people"]["ann"])
    pages = [window.page, *(window.context.new_page() for _ in range(CONNECTIONS))]
    for page in pages:
        page.clock.install()
        page.goto(f"{path}/A/")
        with page.expect_event("requestfailed"):  # that of a page in sight ends, another begins
            page.evaluate(SEEN, False)
        with page.expect_event("requestfailed"):
            page.clock.fast_forward(LISTENS)
    line = "[data-stream]"
    heard = _heard(window)
    _seal(Visitor(club, made["people"]["ben"]), f"{path}/B/")
    pages[1].evaluate(SEEN, True)
    expect(pages[1].locator(line)).not_to_have_attribute("data-heard", heard)
    assert _heard(window) == heard
    pages[0].clock.fast_forward(RESTS)
    expect(pages[0].locator(line)).not_to_have_attribute("data-heard", heard)
