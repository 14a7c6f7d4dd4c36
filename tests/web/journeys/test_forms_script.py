"""What the script adds to forms, in a real browser: sheets work themselves out, nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from playwright.sync_api import Page

import polemarque.web
from polemarque.kernel.request import (
    Amount,
    Filling,
    OneOf,
    Purse,
    SeveralOf,
    Sheet,
    Text,
    each_at,
    price,
)
from polemarque.web.forms import Sealed, form_of, read_form
from tests.web.asked import WORDS
from tests.web.browser import rendered

STATIC = Path(polemarque.web.__file__).parent / "static"
POLICY = "default-src 'self'; form-action 'self'"


def orders() -> Filling:
    """How many armies, where each goes, and what is said."""
    armies = yield "armies", Amount(0, 4, 2, fact=each_at(10))
    for number in range(1, armies + 1):
        yield f"army.{number}", OneOf(("ithaca", "sparta"), "place")
    yield "with", SeveralOf(("B", "C"), fact={"C": price(5)}.get)
    yield "words", Text(80)


ORDERS = Sheet(orders, lambda: Purse("po", 44, due=3))

DEFAULT = {
    "armies": 0,
    "army.1": "ithaca",
    "army.2": "ithaca",
    "army.3": "ithaca",
    "army.4": "ithaca",
}


class Door:
    """A page with one form; what is sealed is kept."""

    def __init__(self) -> None:
        self.sealed: list[tuple[dict[str, Any], str]] = []
        self.worked = 0

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        if environ["PATH_INFO"] != "/seal" and environ["REQUEST_METHOD"] == "GET":
            script = STATIC / environ["PATH_INFO"].lstrip("/")
            kind = "text/javascript" if script.is_file() else "text/html"
            form = self.page(rendered(self.form({}), sealed=True))
            body = script.read_text() if script.is_file() else form
            return self._answer(start, "200 OK", kind, body)
        size = int(environ["CONTENT_LENGTH"])
        posted = parse_qs(environ["wsgi.input"].read(size).decode(), keep_blank_values=True)
        if posted["do"] == ["seal"]:
            read = read_form(ORDERS, WORDS, posted, default=DEFAULT)
            if isinstance(read, Sealed):
                self.sealed.append((read.value, posted["salt"][0]))
                return self._answer(start, "200 OK", "text/html", "<p>taken")
            form = read.form
        else:
            self.worked += 1
            assert environ["HTTP_X_FORM"] == "a-form"
            form = self.form(posted)
        return self._answer(start, "200 OK", "text/html", self.page(rendered(form, sealed=True)))

    def form(self, draft: Any) -> Any:
        return form_of(ORDERS, WORDS, draft=draft, default=DEFAULT)

    def page(self, form: str) -> str:
        head = (
            '<meta charset="utf-8"><title>t</title><script type="module" src="/forms.js"></script>'
        )
        return f"<!doctype html><html lang=fr>{head}<body>{form}"

    def _answer(self, start: Any, status: str, kind: str, body: str) -> list[bytes]:
        start(status, [("Content-Type", f"{kind}; charset=utf-8"),
                       ("Content-Security-Policy", POLICY)])  # fmt: skip
        return [body.encode()]


class Quiet(WSGIRequestHandler):
    def log_request(self, *args: Any) -> None:
        """Nothing."""


@pytest.fixture
def door(browser: Any) -> Iterator[tuple[Door, Page]]:
    door = Door()
    server = make_server("127.0.0.1", 0, door, handler_class=Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    page = browser.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.route("**/favicon.ico", lambda route: route.fulfill(body=""))
    page.goto(f"http://127.0.0.1:{server.server_port}/")
    yield door, page
    page.close()
    server.shutdown()
    thread.join()
    server.server_close()
    assert not faults


def test_a_sheet_works_itself_out_and_keeps_the_focus(door: tuple[Door, Page]) -> None:
    site, page = door
    page.locator('[id="a/words"]').fill("à demain")
    armies = page.locator('[id="a/armies"]')
    armies.fill("2")
    armies.press("Tab")
    page.locator('input[name="a/army.2"][value="sparta"]').wait_for()
    assert site.worked == 1
    assert page.evaluate("document.activeElement.name") == "a/with"
    assert page.locator('[id="a/words"]').input_value() == "à demain"
    page.locator('input[name="a/army.2"][value="sparta"]').check()
    page.locator("button[value=seal]").click()
    page.get_by_text("taken").wait_for()
    ((value, salt),) = site.sealed
    assert value == {"armies": 2, "army.1": "ithaca", "army.2": "sparta", "with": (),
                     "words": "à demain"}  # fmt: skip
    assert len(salt) == 64
    assert int(salt, 16)


def test_numbers_have_buttons_and_arrow_keys_within_their_bounds(door: tuple[Door, Page]) -> None:
    site, page = door
    armies = page.locator('[id="a/armies"]')
    for _ in range(3):
        page.get_by_role("button", name="Plus").click()
    assert armies.input_value() == "4"
    armies.press("ArrowDown")
    assert armies.input_value() == "2"
    armies.fill("plusieurs")
    armies.press("ArrowUp")
    assert armies.input_value() == "0"
    armies.press("ArrowUp")
    page.locator('input[name="a/army.2"]').first.wait_for(state="attached")
    assert page.evaluate("document.activeElement.id") == "a/armies"
    assert page.get_by_role("button", name="Plus").count() == 1
    assert site.worked


COUNTED = """([id, value]) => {
    const one = document.getElementById(id);
    one.value = value;
    one.dispatchEvent(new Event("input", { bubbles: true }));
    return document.querySelector(".purse").innerText.split(/\\s+/);
}"""


def test_the_purse_is_counted_down_at_once_and_by_the_server(door: tuple[Door, Page]) -> None:
    site, page = door
    for typed, spent, left in (("4", 40, 1), ("2", 20, 21), ("several", 0, 41)):
        counted = page.evaluate(COUNTED, ["a/armies", typed])
        assert (counted[-3], counted[-1]) == (f"{spent}", f"{left}")
    page.locator('[id="a/armies"]').fill("4")
    page.locator('input[name="a/with"][value="C"]').check()
    assert page.locator("[data-left]").inner_text() == "−4"  # a minus sign, as in all that is read
    assert page.locator("[data-left][data-short]").count() == 1
    page.locator('[data-left="-4"]').wait_for(state="attached")
    assert page.locator("[data-left]").inner_text() == "−4"
    assert site.worked


def test_a_form_is_sent_once(door: tuple[Door, Page]) -> None:
    site, page = door
    seal = page.locator("button[value=seal]")
    seal.evaluate("button => { button.click(); button.click(); button.click(); }")
    page.get_by_text("taken").wait_for()
    assert len(site.sealed) == 1
