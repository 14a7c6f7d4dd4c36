"""What somebody hears who sees nothing: his turn, his seal and his errors, once and where he is."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.journeys.answering import READY, Question
from tests.web.journeys.browsers import Window
from tests.web.journeys.conftest import BOTH, Open
from tests.web.served import Forms, Server, Visitor, fill

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PEOPLE = {"A": "ann", "B": "ben"}
WAR: dict[str, Any] = {"system": "atlantide", "seats": 3, "people": {**PEOPLE, "C": "cleo"}}
BATTLE: dict[str, Any] = {"system": "thucidide", "people": PEOPLE}

HEARD = """() => {
  window.heard = [];
  for (const line of document.querySelectorAll("[role=status]"))
    new MutationObserver(() => { if (line.textContent) window.heard.push(line.textContent); })
      .observe(line, { childList: true, characterData: true, subtree: true });
}"""
"""From now on every word that a status line comes to say is noted."""


def seat_page(
    club: Server, open_window: Open, war: dict[str, Any], lang: str = "fr"
) -> tuple[Window, str, Any]:
    """The page of Ann's seat, its address, and who plays the others."""
    made: Any = fill(club.data, war)
    path = f"/c/{made['campaigns'][0]}/seat"
    window = open_window(club.start(), lang, **DESK)
    window.sign_in(made["people"]["ann"])
    window.go(f"{path}/A/")
    return window, path, made["people"]


def seal(visitor: Visitor, path: str) -> None:
    """Answer the first question of a seat as its form proposes."""
    _, page, _ = visitor.get(path)
    fields = next(fields for way, fields in Forms(page).forms if way.endswith("/answer/"))
    status, _, _ = visitor.post(path + "answer/", [*fields, ("do", "seal")])
    assert status == 303


def others_play(club: Server, path: str, people: Any) -> None:
    """Ben and Cleo answer until Ann is asked again."""
    for _ in range(6):
        for seat, name in (("B", "ben"), ("C", "cleo")):
            other = Visitor(club, people[name])
            if "data-asked" in other.get(f"{path}/{seat}/")[1]:
                seal(other, f"{path}/{seat}/")
        if "data-asked" in Visitor(club, people["ann"]).get(f"{path}/A/")[1]:
            return
    raise AssertionError("nothing more is asked of Ann")


def focused(page: Page) -> str:
    """The id of what has the focus, or its tag."""
    return str(page.evaluate("document.activeElement.id || document.activeElement.tagName"))


@BOTH
@pytest.mark.timeout(600)
def test_a_seal_and_the_next_question_are_announced(club: Server, open_window: Open) -> None:
    window, path, people = seat_page(club, open_window, WAR)
    page = window.page
    assert page.title().startswith("À vous · ")
    form = Question(page)
    form.fill({})
    form.seal()
    expect(page.locator("#receipt")).to_be_focused()
    number = page.locator("#receipt .numeral").inner_text().removeprefix("nº ")
    sealed = f"Scellé, reçu nº {number}"
    assert page.title().startswith(f"{sealed} · Mon siège")
    expect(page.locator("[data-status]")).to_have_text(sealed)
    page.evaluate(HEARD)
    others_play(club, path, people)
    question = page.locator("section.question h3").first
    expect(page.locator("[data-asked]").first).to_be_attached()
    asked = question.evaluate("one => one.lastChild.textContent.trim()")
    expect(page.locator("[data-status]")).to_have_text(f"Nouvelle question : {asked}")
    assert page.evaluate("window.heard") == [window.say("seat.new", what=asked)]
    assert "À vous · " in page.title()


@BOTH
@pytest.mark.timeout(600)
def test_the_focus_is_never_lost_to_a_live_update(club: Server, open_window: Open) -> None:
    window, path, people = seat_page(club, open_window, WAR)
    page = window.page
    page.locator("form[data-question] button[value=seal]").focus()
    seal(Visitor(club, people["ann"]), f"{path}/A/")  # from another window of hers
    others_play(club, path, people)
    expect(page.locator("[data-status]")).to_contain_text("Nouvelle question")
    assert focused(page) != "BODY"


@BOTH
@pytest.mark.timeout(600)
def test_news_are_offered_once_in_sight_and_take_the_focus_with_them(
    club: Server, open_window: Open
) -> None:
    window, path, people = seat_page(club, open_window, WAR)
    page = window.page
    page.evaluate(HEARD)
    page.locator("form[data-question]").dispatch_event("input")
    page.locator("form[data-question] button").last.scroll_into_view_if_needed()
    for seat, name in (("B", "ben"), ("C", "cleo")):
        line = page.locator("[data-stream]")
        before = line.get_attribute("data-heard") or ""
        seal(Visitor(club, people[name]), f"{path}/{seat}/")
        expect(line).not_to_have_attribute("data-heard", before)
    offer = page.locator("[data-stream] button")
    expect(offer).to_be_in_viewport()
    assert page.evaluate("window.heard") == ["Du nouveau. Voir"]
    offer.press("Enter")
    expect(offer).to_have_count(0)
    expect(page.locator("#asked-title")).to_be_focused()


@BOTH
@pytest.mark.timeout(600)
def test_what_is_refused_is_read_first(club: Server, open_window: Open) -> None:
    window, _, _ = seat_page(club, open_window, BATTLE)
    page = window.page
    page.goto("/account/password/", wait_until=READY)
    page.locator("input[type=password]").first.fill("wrong-wrong")
    page.locator("main form").evaluate("form => { form.noValidate = true; }")
    with page.expect_navigation(wait_until=READY):
        page.locator("main form button.primary").click()
    expect(page.locator("[role=alert]")).to_be_focused()
    assert page.title().startswith("Erreur – ")
    page.locator("[role=alert] a").first.press("Enter")
    assert focused(page).startswith("id_")


@pytest.mark.timeout(600)
def test_a_new_account_that_is_refused_is_read_first(club: Server, open_window: Open) -> None:
    made: Any = fill(club.data, {**WAR, "begin": False, "people": {"A": "ann"}, "umpire": "uly"})
    window = open_window(club.start(), "fr")
    window.sign_in(made["people"]["uly"])
    window.go(f"/c/{made['campaigns'][0]}/")
    window.follow(window.page.locator("main article.slip button").first)
    link = window.page.locator("input[readonly]").first.input_value()
    guest = open_window(club, "fr")
    guest.go(link)
    guest.page.locator("main form.question").evaluate("form => { form.noValidate = true; }")
    guest.follow(guest.page.locator("main form.question button.primary"))
    guest.faults.clear()  # the browser says of itself that the form was refused
    expect(guest.page.locator("[role=alert]")).to_be_focused()
    assert guest.page.title().startswith("Erreur – ")


@BOTH
@pytest.mark.timeout(600)
def test_the_question_is_two_keys_away_and_the_board_one_stop(
    club: Server, open_window: Open
) -> None:
    window, _, _ = seat_page(club, open_window, BATTLE)
    page = window.page
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Aller à la question")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#asked-title")).to_be_focused()
    page.locator(".plate-tools button").last.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('[data-place]')"), focused(page)
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.closest('svg[data-board]')")


@pytest.mark.timeout(600)
def test_a_seal_that_comes_late_says_where_the_answer_went(club: Server, open_window: Open) -> None:
    window, path, people = seat_page(club, open_window, WAR)
    page = window.page
    page.locator("form[data-question]").dispatch_event("input")
    for seat, name in (("A", "ann"), ("B", "ben"), ("C", "cleo")):
        seal(Visitor(club, people[name]), f"{path}/{seat}/")
    expect(page.locator("[data-stream] button")).to_be_visible()
    page.locator("form[data-question] button[value=seal]").click()
    said = page.locator("[role=alert]")
    expect(said).to_contain_text("Cette question est close")
    window.faults.clear()  # the browser says of itself that the answer was refused
    expect(said).to_contain_text("reçu nº")
    expect(said).not_to_contain_text("AT-")
    expect(said).to_be_focused()


COVERED = """() => {
  const map = document.querySelector(".held").getBoundingClientRect();
  const news = document.querySelector(".latest").getBoundingClientRect();
  return map.bottom - news.top;
}"""


@BOTH
@pytest.mark.timeout(600)
def test_the_map_never_lies_upon_the_news(club: Server, open_window: Open) -> None:
    window, _, _ = seat_page(club, open_window, WAR)
    page = window.page
    page.locator(".latest .chronicle, .latest p").first.evaluate(
        "one => { one.insertAdjacentHTML('beforeend', '<p>Salve.</p>'.repeat(60)); }"
    )
    page.locator(".colophon").scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 0
    assert page.evaluate(COVERED) < 1, "a pixel, which browsers divide"


@pytest.mark.timeout(300)
def test_what_is_wrong_with_a_new_campaign_leads_to_its_field(
    club: Server, open_window: Open
) -> None:
    made: Any = fill(club.data, BATTLE)
    window = open_window(club.start(), "fr", **DESK)
    window.sign_in(made["people"]["ann"])
    window.go("/new/atlantide/")
    page = window.page
    form = page.locator("main form.question")
    page.locator("details.group summary").first.click()
    page.locator("#option-turn_limit").fill("9999")
    form.evaluate("form => { form.noValidate = true; }")
    with page.expect_navigation(wait_until=READY):
        form.locator("button.primary").click()
    window.faults.clear()  # the browser says of itself that the form was refused
    summary = page.locator("[role=alert]")
    expect(summary).to_contain_text("une réponse est à revoir")
    summary.locator("a").click()
    field = page.locator("#option-turn_limit")
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport()
    expect(field).to_have_value("9999")
