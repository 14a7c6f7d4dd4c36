"""People with real browsers: what each sees and does, and what goes wrong in his window."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from playwright.sync_api import Browser, Locator, Page, Playwright, expect, sync_playwright

from polemarque.web.i18n import say
from polemarque.web.pages.campaign.decided_by_dice import NOT_YET
from tests.web.journeys.answering import FRESH, READY, Question
from tests.web.served import Server

ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
LOCALES = {"fr": "fr-FR", "en": "en-GB"}

PATIENCE = 60_000
"""Milliseconds that a page is given on a busy machine."""

PASSWORD = "thalassa-thalassa"


BROWSERS = ("chromium", "firefox")
"""Browsers in which the key journeys are made; the others are made in the first."""

COMMANDS = {
    "chromium": ("chromium-headless-shell", "chromium", "google-chrome"),
    "firefox": ("firefox-esr", "firefox"),
}
"""What a browser may be called.  Chromium without its own windows and menus, which Debian has as a
package, opens a page for a third of the work."""
LAUNCH_PATIENCE = 180_000
"""Milliseconds that a browser is given to start on a busy machine."""

KEEPS_NO_PAGES = "--disable-back-forward-cache"
"""What Playwright tells Chromium unasked, and nobody at home does."""

OLD_FIREFOX = Path(__file__).with_name("old_firefox.cjs")


@contextmanager
def a_driver() -> Iterator[Playwright]:
    """What drives browsers of either kind."""
    node = {"NODE_OPTIONS": f'--require "{OLD_FIREFOX}"'}
    with mock.patch.dict(os.environ, node), sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        yield playwright


def launched(playwright: Playwright, kind: str, without: Sequence[str] = ()) -> Browser:
    """The machine's own browser; without one there is nothing to test, which is a fault in CI.

    without: what Playwright would tell Chromium besides.
    """
    path = next(filter(None, map(shutil.which, COMMANDS[kind])), None)
    if path is None:
        lacking = f"no {kind.title()} on this machine: apt-get install {COMMANDS[kind][0]}"
        if os.environ.get("CI"):
            pytest.fail(lacking)
        pytest.skip(lacking)
    if kind == "firefox":
        return _firefox(playwright, path)
    return _chromium(playwright, path, without)


def _chromium(playwright: Playwright, path: str, without: Sequence[str]) -> Browser:
    return playwright.chromium.launch(
        executable_path=path, args=ARGUMENTS, ignore_default_args=list(without),
        timeout=LAUNCH_PATIENCE,
    )  # fmt: skip


def _firefox(playwright: Playwright, path: str) -> Browser:
    """Debian's own Firefox by WebDriver BiDi: Playwright's patched one is not to be had."""
    return playwright.firefox.launch(
        executable_path=path, channel="moz-firefox", timeout=LAUNCH_PATIENCE,
        firefox_user_prefs={"ui.prefersReducedMotion": 1},
    )  # fmt: skip


class Window:
    """One person's browser, with what his pages complained of.

    more: of the browser's context: a phone's screen, no scripts.
    """

    def __init__(self, browser: Browser, server: Server, lang: str, **more: Any) -> None:
        self.lang = lang
        self.server = server
        self.scripts = more.get("java_script_enabled", True)
        self.context = browser.new_context(
            base_url=server.address, locale=LOCALES[lang], reduced_motion="reduce", **more
        )
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.on("console", self._said)
        self.page.on("response", self._answered)

    def _said(self, message: Any) -> None:
        if message.type == "error":
            self.faults.append(f"{message.text} ({self.page.url})")

    def _answered(self, response: Any) -> None:
        if response.status >= 500:
            self.faults.append(f"{response.status} {response.url}")

    def say(self, key: str, **data: Any) -> str:
        """A text of the pages as this reader has it."""
        return say(self.lang, key, **data)

    # Doing ---------------------------------------------------------------------------------------

    def go(self, path: str) -> None:
        """Open a page that this person may open."""
        answer = self.page.goto(path, wait_until=READY)
        assert answer is not None
        if answer.status == NOT_YET:
            self.comes()
        else:
            assert answer.status == 200, f"{answer.status} {path}"

    def comes(self) -> None:
        """What the page says is being worked out comes by itself, or after its link."""
        waits = self.page.locator("[data-again]")
        while not self.scripts and waits.count():
            self.follow(self.page.locator("main .actions a").first)
        expect(waits).to_have_count(0)
        self.page.wait_for_load_state(READY)  # nothing waits either in a page that has just begun

    def follow(self, control: Locator) -> int:
        """Click on what leads to another page, and see that page; gives its status."""
        with self.page.expect_navigation(wait_until=READY) as after:
            control.click()
        return int(after.value.status)

    def press(self, words: str) -> None:
        """Press the button of these words, and see the page that follows."""
        after = self.follow(self.page.get_by_role("button", name=words, exact=True).first)
        assert after == 200, f"{after} after {words}: {self.refusals()}"

    def sign_in(self, cookies: Mapping[str, str]) -> None:
        """Have the session of somebody who has signed in before."""
        url = self.server.address
        self.context.add_cookies([{"name": n, "value": v, "url": url} for n, v in cookies.items()])

    def enter(self, link: str, called: str, word: str = "") -> None:
        """Come in by an invitation, with a new account."""
        self.go(link)
        self.page.get_by_label(self.say("muster.called")).fill(called)
        optional = self.page.get_by_text(self.say("muster.with_account"))
        if optional.count():
            optional.click()
        self.page.get_by_label(self.say("muster.username")).fill(called.lower())
        self.page.get_by_label(self.say("muster.password")).fill(PASSWORD)
        if word:
            self.page.get_by_label(self.say("muster.word")).fill(word)
        self.follow(self.page.locator("main form.question button.primary"))
        self.sees(self.say("muster.welcome", name=called))

    # Seeing --------------------------------------------------------------------------------------

    def sees(self, words: str, within: float = PATIENCE) -> None:
        """The page shows these words, or comes to show them, in milliseconds."""
        expect(self.page.locator("body")).to_contain_text(words, timeout=within)

    def refusals(self) -> list[str]:
        """What the page says was wrong."""
        return self.page.locator(".error, .refusal, .notice.error").all_inner_texts()

    # Answering -----------------------------------------------------------------------------------

    def asked(self) -> list[str]:
        """The keys of the questions that this seat has not answered, as its page has them."""
        keys = self.page.locator(f"{FRESH} input[name=key]")
        found: list[str] = keys.evaluate_all("keys => keys.map(key => key.value)")
        return found

    def answer(self, choices: Mapping[str, str] | None = None) -> str:
        """Answer the first question that waits; gives its key.   choices: see `Question.fill`."""
        question = Question(self.page)
        question.fill(choices or {})
        question.seal()
        assert "/answer/" not in self.page.url, f"{question.key}: {self.refusals()}"
        return question.key
