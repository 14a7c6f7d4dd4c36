"""Every kind of page under axe, by day and by night: no violation, nor of its colours."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from django.urls import URLPattern, get_resolver, resolve
from playwright.sync_api import expect

from polemarque.kernel.files.plugins import entry_points
from polemarque.kernel.system import GROUP
from polemarque.web.pages.campaign.decided_by_dice import NOT_YET
from polemarque.web.urls import WITH_MAIL
from tests.web.journeys.answering import READY
from tests.web.journeys.axe import violations
from tests.web.journeys.browsers import Window
from tests.web.journeys.conftest import Open
from tests.web.served import Server, fill

SYSTEMS = sorted(entry_points(GROUP))
"""What is installed; tests of the kernel add toys."""

NO_PAGES = {
    "preferences", "invite", "withdraw", "links", "programs", "start", "call_off", "program",
    "sit", "clear", "word", "answer", "undo", "revoke", "dice", "receipt", "consent", "renew",
    "stand_in", "desk_remind", "desk_answer", "desk_dice", "desk_pace", "clock_set", "pause",
    "vote", "announce", "stop_mails", "calendar",
    "calendar_set", "feed", "export", "health", "events", "book", "away", "send_home",
    "name_umpire", "guest_answer", "guest_dice", "spare", "wish", "rematch", "opening_board",
    "guest_receipt", "icon", "kept", "letter_write", "letter_doors", "letter_show", "letter_order",
    "hall_file",
}  # fmt: skip
"""Addresses that take a form, give a file, or speak to programs."""

ELSEWHERE = {"desk_papers", "result", "adopt", "guest", "account_set_password", "public_turn"}
"""Pages of a battle on the table, looked at where one is fought, in the journey of a campaign; that
of a newer edition, which no system has yet; the public page of an earlier turn, which is that of
the latest; that of a guest, looked at in his own journey; and
where somebody who came by a name alone chooses a password, in that of the muster."""

OF_MAIL = {str(each.name) for each in WITH_MAIL}
"""Pages of a club that can send mail."""

WARS: list[dict[str, Any]] = [
    {"system": name, "people": {"A": "ann"}, "umpire": "ulysse", "title": name} for name in SYSTEMS
]
MUSTER: dict[str, Any] = {"system": "atlantide", "seats": 3, "people": {"A": "ann"},
                          "umpire": "ulysse", "begin": False}  # fmt: skip


SHORTER = """() => {
  const maps = [...document.querySelectorAll("main figure svg")].filter(
    one => one.querySelectorAll("*").length > 1000);
  for (const like of maps.slice(1)) like.remove();
}"""
"""A booklet has four great maps, and one is like the other."""


class Rounds:
    """One person's walk through pages.  By night each kind of page is looked at once: that all inks
    are read on all grounds is computed by `test_look.py`.

    seen: names of the pages that were looked at.   found: what axe said of them.
    """

    def __init__(self, window: Window) -> None:
        self.window = window
        self.seen: set[str] = set()
        self.found: list[str] = []

    def look(self, path: str = "", status: int = 200) -> None:
        """Look at the page of that address, or at the one that is open."""
        if path:
            answer = self.window.page.goto(path, wait_until=READY)
            assert answer is not None
            if answer.status == NOT_YET:
                self.window.comes()
            else:
                assert answer.status == status, f"{answer.status} {path}"
        where = re.sub(r"https?://[^/]+|[?#].*", "", self.window.page.url)
        kind = str(resolve(where).url_name) if status == 200 else ""
        self.window.page.evaluate(SHORTER)
        french, fresh = self.window.lang == "fr", kind not in self.seen
        self.found += violations(self.window, colours=french, dark=fresh)
        self.seen |= {kind} - {""}


def test_a_fault_is_found(club: Server, open_window: Open) -> None:
    fill(club.data)
    window = open_window(club.start(), "en")
    window.page.set_content("<html><title>t</title><main><h1>t</h1><img src='data:,'></main>")
    assert {"html-has-lang", "image-alt"} <= {each.split()[2][:-1] for each in violations(window)}


@pytest.mark.timeout(600)
def test_no_page_hinders_anybody(club: Server, open_window: Open) -> None:
    made: Any = fill(club.data, *WARS, MUSTER)
    club.options = ()
    club.start()
    codes = dict(zip([war["title"] for war in WARS] + ["muster"], made["campaigns"], strict=True))
    rounds = [
        visitor(open_window(club, "fr")),
        player(open_window(club, "fr"), made["people"]["ann"], codes),
        umpire(open_window(club, "fr"), made["people"]["ulysse"], codes),
    ]
    assert [fault for each in rounds for fault in each.found] == []
    pages = {p.name for p in get_resolver("polemarque.web.urls").url_patterns
             if isinstance(p, URLPattern)}  # fmt: skip
    assert pages - NO_PAGES - ELSEWHERE - OF_MAIL == set().union(*(each.seen for each in rounds))


@pytest.mark.timeout(300)
def test_nor_does_a_page_in_english(club: Server, open_window: Open) -> None:
    """Those without an account, for all: a page in English has other words and the same tags."""
    fill(club.data)
    club.options = ()
    assert visitor(open_window(club.start(), "en")).found == []


@pytest.mark.timeout(300)
def test_nor_does_any_page_of_a_club_that_sends_mail(club: Server, open_window: Open) -> None:
    made: Any = fill(club.data, MUSTER)
    club.told = {"POLEMARQUE_ADDRESS": club.address, "POLEMARQUE_MAIL": "console"}
    club.start()
    ann = open_window(club, "fr")
    ann.sign_in(made["people"]["ann"])
    rounds = [added_address(club, ann), forgotten(club, open_window(club, "fr"))]
    assert [fault for each in rounds for fault in each.found] == []
    new_password = "account_reset_password_from_key"
    assert set().union(*(each.seen for each in rounds)) == OF_MAIL | {new_password}


ADDRESS = "ann@club.example.org"


def letter(club: Server, which: int) -> str:
    """The address that a mail of the club holds, counted from the first; it is waited for."""
    for _ in range(600):
        links = re.findall(r"^.*?(https?://\S+)", club.log.read_text(), re.MULTILINE)
        found = [link for link in links if "/account/" in link]
        if len(found) > which:
            return str(found[which]).removeprefix(club.address)
        time.sleep(0.1)
    raise AssertionError(club.log.read_text())


def added_address(club: Server, window: Window) -> Rounds:
    """Somebody gives an address, and says by its mail that it is his."""
    rounds = Rounds(window)
    rounds.look("/account/mail/")
    window.page.locator("input[name=email][type=email]").fill(ADDRESS)
    window.follow(window.page.locator("button[name=action_add]"))
    rounds.look()
    rounds.look(letter(club, 0))
    window.follow(window.page.locator("main form[action*=confirm] button"))
    rounds.look("/account/mail/")
    rounds.look("/account/mail/confirm/nothing/")
    return rounds


def forgotten(club: Server, window: Window) -> Rounds:
    """Somebody has forgotten his password, and chooses a new one by the mail."""
    rounds = Rounds(window)
    rounds.look("/account/forgotten/")
    window.page.locator("input[name=email]").fill(ADDRESS)
    window.follow(window.page.locator("main form.question button.primary"))
    rounds.look()
    rounds.look(letter(club, 1))
    return rounds


def visitor(window: Window) -> Rounds:
    """Somebody without an account."""
    rounds = Rounds(window)
    for path in (
        "/", "/account/login/", "/consult/", "/rules/", "/rules/atlantide/",
        "/rules/atlantide/AT-9.5/", "/rules/mare_nostrum/", "/verify/",
        "/rules/mare_nostrum/paper/booklet/", "/rules/atlantide/paper/card/",
    ):  # fmt: skip
        rounds.look(path)
    rounds.look("/consult/AT-9.5/")
    window.follow(window.page.get_by_role("link", name=window.say("consult.example")))
    asks_the_rule(window)
    expect(window.page.locator(".answer")).to_be_visible()
    rounds.look()
    rounds.look("/account/closed/")
    rounds.look("/account/new-password/1/forged/")
    rounds.look("/account/new-password/done/")
    rounds.look("/nowhere/", 404)
    rounds.look("/invitation/forged/", 404)
    window.faults.clear()  # the browser says of itself that a page was not found
    window.page.goto("/account/login/", wait_until=READY)
    window.page.get_by_label(window.say("account.username")).fill("nobody")
    window.page.get_by_label(window.say("account.password"), exact=True).fill("wrong-wrong")
    window.press(window.say("account.login"))
    rounds.look()
    return rounds


BUSY = 422
"""What the club answers while the process of its rules is still loading them."""


def asks_the_rule(window: Window) -> None:
    """Press the button of a rule's form, again where one is asked to."""
    for _ in range(20):
        go = window.page.get_by_role("button", name=window.say("consult.go"), exact=True)
        if (status := window.follow(go)) != BUSY:
            break
        window.faults.clear()  # the browser says of itself that it was refused
    assert status == 200, window.refusals()


def player(window: Window, session: Any, codes: dict[str, str]) -> Rounds:
    """Somebody who plays in every system, and watches the demonstration."""
    window.sign_in(session)
    rounds = Rounds(window)
    rounds.look("/")
    rounds.look("/settings/")
    rounds.look("/settings/leave/")
    rounds.look("/account/password/")
    rounds.look("/account/logout/")
    rounds.look(f"/c/{codes['muster']}/")
    for name in SYSTEMS:
        rounds.look(f"/c/{codes[name]}/seat/A/")
        rounds.look(f"/c/{codes[name]}/seat/A/pack/")
        rounds.look(f"/c/{codes[name]}/seat/A/orders/")
    rounds.look(f"/c/{codes['atlantide']}/seat/A/plan/")
    window.go(f"/c/{codes['atlantide']}/seat/A/")
    window.answer()
    rounds.look()
    rounds.look(f"/c/{codes['atlantide']}/letters/")
    window.page.get_by_role("checkbox").check()
    window.page.get_by_label(window.say("letters.text"), exact=True).fill("Salve.")
    window.press(window.say("letters.send"))
    expect(window.page.get_by_text("Salve.")).to_be_visible()
    rounds.look()
    rounds.look(f"/c/{codes['atlantide']}/trust/")
    shown = window.page.locator("main")
    window.go("/")
    window.follow(shown.get_by_role("link", name=re.compile("Démonstration|Demonstration")).first)
    rounds.look()
    show = window.page.url.partition("seat/")[0]
    rounds.look(show + "chronicle/")
    rounds.look(show + "chronicle/2/")
    rounds.look(show + "turn/2/")
    rounds.look(show + "trust/")
    rounds.look(show + "trust/odds/")
    return rounds


def umpire(window: Window, session: Any, codes: dict[str, str]) -> Rounds:
    """Somebody who makes campaigns and umpires them."""
    window.sign_in(session)
    rounds = Rounds(window)
    rounds.look("/new/")
    rounds.look("/new/atlantide/")
    window.go("/new/batailles/")
    button = window.page.locator("button[value=study]")
    button.evaluate("one => one.removeAttribute('formtarget')")  # it opens another tab
    window.follow(button)
    rounds.look()
    report = window.page.locator("main .chronicle")
    for _ in range(100):
        if report.count():
            break
        window.page.wait_for_timeout(500)
        window.page.reload(wait_until=READY)
    expect(report).to_be_visible()
    rounds.look()
    rounds.look(f"/c/{codes['muster']}/")
    window.follow(window.page.locator("main article.slip button").first)
    rounds.look()
    rounds.look(window.page.locator("input[readonly]").first.input_value())
    desk = f"/c/{codes['atlantide']}/desk/"
    rounds.look(f"/c/{codes['atlantide']}/")
    rounds.look(desk)
    window.follow(window.page.locator("table.desk a[href*=absent]").first)
    rounds.look()
    window.go(desk)
    window.follow(window.page.locator("table.desk a[href*=orders]").first)
    rounds.look()
    rounds.look(f"/c/{codes['atlantide']}/trust/odds/")
    rounds.look(f"/c/{codes['atlantide']}/battles/")
    rounds.look(f"/c/{codes['muster']}/clock/")
    rounds.look(f"/c/{codes['atlantide']}/clock/")
    window.page.locator("input[name=feed]").check()
    window.press(window.say("hook.set"))
    rounds.look(f"/c/{codes['atlantide']}/public/")
    rounds.look(f"/c/{codes['atlantide']}/people/")
    window.follow(window.page.locator("main article.slip button").first)
    rounds.look()
    window.follow(window.page.locator("form[action*=password] button").first)
    expect(window.page.locator("input[id^=renewed]")).to_be_visible()
    rounds.look(desk + "end/")
    rounds.look(desk + "answers/")
    window.follow(window.page.locator("main table a").first)
    rounds.look()
    rounds.look(desk + "adjust/?name=loot.A")
    window.page.get_by_label(window.say("desk.value")).fill("77")
    window.page.get_by_label(window.say("desk.why")).fill("axe")
    window.press(window.say("desk.look"))
    rounds.look()
    rounds.look("/hall/")
    hall = f"/c/{codes['promiterra']}/desk/hall/"
    rounds.look(hall)
    window.press(window.say("hall.take"))
    rounds.look()
    rounds.look(f"/c/{codes['promiterra']}/")
    window.go("/new/batailles/")
    study = window.page.locator("button[value=study]")
    study.evaluate("one => one.removeAttribute('formtarget')")  # here, and no tab of its own
    window.follow(study)
    rounds.look()
    return rounds
