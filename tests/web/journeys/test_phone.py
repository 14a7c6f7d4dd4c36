"""One whole turn on a phone, under a finger."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.journeys.answering import Question, Tapped
from tests.web.journeys.browsers import Window
from tests.web.journeys.conftest import Open
from tests.web.journeys.turn import place_in, play_a_turn, seated
from tests.web.served import Server, fill

WAR: dict[str, Any] = {"system": "atlantide", "seats": 3, "people": {"A": "ann"}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

SMALL = """() => {
  const all = document.querySelectorAll(
    'a:not(.skip), button:not([aria-hidden]), label, input:not([type=hidden]), select,'
    + 'summary, textarea');
  const means = one => one.closest('label.choice, label:has(input)') ?? one;
  const boxes = one => [one, one.control, ...(one.labels ?? [])].filter(Boolean)
    .map(each => each.getBoundingClientRect());
  const shown = [...all].filter(one => one.checkVisibility() && !one.closest('svg'));
  return [...new Set(shown.map(means))].map(one => {
    const found = boxes(one), most = side => Math.max(...found.map(box => box[side]));
    const top = Math.min(...found.map(box => box.top));
    return [one, Math.round(most('width')), Math.round(most('bottom') - top)];
  }).filter(([, width, height]) => height < 44 || width < 24)
    .map(([one, width, height]) => `${one.outerHTML.slice(0, 90)} ${width}x${height}`);
}"""
"""What a finger would miss."""


@pytest.mark.timeout(300)
def test_a_turn_on_a_phone(club: Server, open_window: Open) -> None:
    """It is played in French; what it shows on the way is as narrow in English."""
    made: Any = fill(club.data, WAR)
    club.start()
    french, english = (open_window(club, lang, **PHONE) for lang in ("fr", "en"))

    def both_fit(page: str) -> None:
        for window in (french, english):
            window.go(f"/c/{made['campaigns'][0]}/{page}")
            expect(window.page.locator("html")).to_have_attribute("lang", window.lang)
            fits(window)

    def march(window: Window, form: Question) -> str:
        english.go(f"/c/{made['campaigns'][0]}/")
        fits(english)
        return march_by_finger(window, form)

    for window in (french, english):
        window.sign_in(made["people"]["ann"])
    both_fit("")
    play_a_turn(french, Tapped, march)
    for page in ("", "chronicle/", "trust/", "trust/odds/", "turn/1/"):
        both_fit(page)


def march_by_finger(window: Window, form: Question) -> str:
    """The map says where one may go, and is as wide as the screen; a tap chooses, and is drawn."""
    fits(window)
    way = form.form.locator("select[data-places]")
    legal = window.page.locator("[data-place].legal:not([aria-pressed=true])").first
    place = legal.get_attribute("data-place") or ""
    legal.locator(".hit").tap()
    expect(way).to_have_value(place)
    gone = place_in(way.locator("option:checked").text_content() or "")
    expect(window.page.locator(".way.now")).to_have_count(1)  # an arrow, with the name at its head
    expect(window.page.locator(".tag.now")).to_contain_text(gone)
    return gone


def fits(window: Window) -> None:
    """Nothing is wider than the screen, and nothing too small for a finger."""
    window.page.wait_for_load_state("load")  # with its style sheets
    width = window.page.evaluate("document.scrollingElement.scrollWidth")
    assert width <= PHONE["viewport"]["width"], window.page.url  # type: ignore[index]
    assert window.page.evaluate(SMALL) == [], window.page.url


DESK: dict[str, Any] = {
    "system": "mare_nostrum", "seats": 4, "umpire": "ann", "public": True,
    "people": {"A": "ann", "B": "ben"}, "until": ["MN-2.7", "A", 2],
}  # fmt: skip
OURS = (
    "/", "/settings/", "/settings/leave/", "/new/", "/new/mare_nostrum/", "/hall/", "/c/CODE/",
    "/c/CODE/seat/A/", "/c/CODE/seat/A/pack/", "/c/CODE/seat/A/orders/", "/c/CODE/people/",
    "/c/CODE/letters/", "/c/CODE/chronicle/", "/c/CODE/turn/1/", "/c/CODE/clock/", "/c/CODE/trust/",
    "/c/CODE/desk/", "/c/CODE/desk/adjust/", "/c/CODE/desk/answers/", "/c/MUSTER/",
)  # fmt: skip
EVERYBODYS = (
    "/", "/account/login/", "/verify/", "/consult/", "/consult/MN-5.1/",
    "/rules/", "/rules/mare_nostrum/", "/rules/mare_nostrum/MN-5.1/", "INVITED",
)  # fmt: skip


@pytest.mark.timeout(300)
def test_no_page_is_wider_than_a_phone_or_has_what_a_finger_would_miss(
    club: Server, open_window: Open
) -> None:
    made: Any = fill(club.data, DESK, {**WAR, "umpire": "ann", "begin": False})
    code, muster = made["campaigns"]
    club.start()
    ours, anybody = (open_window(club, "fr", **PHONE) for _ in range(2))
    ours.sign_in(made["people"]["ann"])
    ours.go(f"/c/{muster}/")
    ours.page.locator("form[action$='/invite/'] button").first.tap()
    link = ours.page.locator("input[readonly]").first
    expect(link).to_have_value(re.compile("/invitation/"))
    names = {
        "CODE": code,
        "MUSTER": muster,
        "INVITED": link.input_value().removeprefix(club.address),
    }
    for window, pages in ((ours, (*OURS, "INVITED")), (anybody, EVERYBODYS)):
        for page in pages:
            window.go(re.sub("CODE|MUSTER|INVITED", lambda found: names[found[0]], page))
            fits(window)


NARROW = {**PHONE, "viewport": {"width": 320, "height": 700}}
LESSON: dict[str, Any] = {"system": "thucidide", "scenario": "tutorial", "people": {"A": "ann"}}
FINGER = 24
"""Pixels that a place to be tapped measures at least, each way (WCAG 2.5.8)."""

LIT = """() => [...document.querySelectorAll("[data-place].legal .hit")]
  .map(one => one.getBoundingClientRect()).map(box => Math.min(box.width, box.height))"""


@pytest.mark.timeout(300)
def test_a_narrow_phone_goes_on_where_it_was_and_its_hexes_fit_a_finger(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, LESSON, **NARROW)
    for choices in ({"order": "none"}, {"leader.1": "AG", "units.1": "A1,A2,A3"}):
        form = Tapped(window.page)
        form.fill(choices)
        form.seal()
        asked = window.page.locator("#asked-title")
        expect(asked).to_be_focused()
        expect(asked).to_be_in_viewport()
        said = window.page.locator("[data-status]")  # what follows shows it: it is heard alone
        expect(said).to_contain_text("Votre réponse est enregistrée. Nouvelle question : ")
    form = Tapped(window.page)
    form.fill({"who": "A1"})
    expect(window.page.locator("[data-place].legal").first).to_be_attached()
    lit = window.page.evaluate(LIT)
    assert lit and min(lit) >= FINGER, lit


FLEETS: dict[str, Any] = {"system": "mare_nostrum", "seats": 4, "people": {"A": "ann"},
                          "until": ["MN-2.7", "A", 6]}  # fmt: skip
PRICES: dict[str, Any] = {**FLEETS, "until": ["MN-2.6", "A", 6]}


@pytest.mark.timeout(300)
def test_a_question_without_the_map_begins_on_the_first_screen_and_the_story_is_folded(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, PRICES, **PHONE)
    page = window.page
    form = page.locator("form[data-question]")
    top = form.evaluate("form => form.getBoundingClientRect().top")
    assert top < PHONE["viewport"]["height"]  # type: ignore[index]
    expect(page.locator("section.question")).to_contain_text(window.say("seat.sealed_last"))
    expect(form.locator("button[value=work]")).to_be_hidden()  # it works itself out
    phases = page.locator(".latest > .chronicle > section > details")
    opened = [one.get_attribute("open") is not None for one in phases.all()]
    assert len(opened) > 1
    assert opened == [False] * (len(opened) - 1) + [True], "the latest alone is open"
    page.evaluate("scrollBy(0, 600)")
    assert page.locator(".plate-field").evaluate("map => map.getBoundingClientRect().bottom") < 0


@pytest.mark.timeout(300)
def test_a_phone_shows_the_question_then_the_receipt_and_closes_a_letter_sealed_again(
    club: Server, open_window: Open
) -> None:
    """Then the page asks for nothing more; the map's buttons lie beside no part of the form."""
    window = seated(club, open_window, {**FLEETS, "people": {"A": "ann", "B": "ben"}}, **PHONE)
    page = window.page
    asked, field = page.locator("section.question h3"), page.locator(".plate-field")
    expect(asked.first).to_be_in_viewport()
    page.evaluate("scrollBy(0, 400)")
    assert abs(field.evaluate("map => map.getBoundingClientRect().top")) <= 1, "the map sticks"
    expect(asked.first).to_be_in_viewport()
    window.sees(window.say("seat.sealed_until"))  # Ben is awaited too
    form = Tapped(page)
    form.fill({})
    form.seal()
    receipt = page.locator("#receipt")
    expect(receipt).to_be_focused()
    expect(receipt).to_be_in_viewport()
    again, number = page.locator("details.again"), page.locator("#receipt .numeral").first
    first = number.text_content() or ""
    again.locator("> summary").tap()
    again.locator("button[value=seal]").tap()
    expect(number).not_to_have_text(first)
    expect(again).not_to_have_attribute("open", "")
    expect(page.locator("[data-strip]")).to_be_hidden()
    assert window.say("seat.yours") not in page.title()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(page.locator(".plate-tools")).not_to_be_in_viewport()


MARCH: dict[str, Any] = {**WAR, "until": ["AT-7.2", "A", 2]}
UNITS: dict[str, Any] = {"system": "thucidide", "scenario": "marathon", "people": {"A": "ann"},
                         "until": ["TH-F8", "A", 1]}  # fmt: skip
UNLED = "A12"
"""With no leader beside it: nothing is asked after its way."""

FRAMES = "() => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))"

AT_ONCE = 1_500
"""Milliseconds in which what sends itself has been sent."""


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("war", "sends"), [(MARCH, False), (UNITS, True)], ids=["war", "battle"])
def test_a_goal_that_is_tapped_is_drawn_in_a_campaign_and_sent_in_a_battle(
    club: Server, open_window: Open, war: dict[str, Any], sends: bool
) -> None:
    window = seated(club, open_window, war, **PHONE)
    page = window.page
    (key,) = window.asked()
    if sends:  # a tap on an enemy tells what it is, and no more
        card, enemy = page.locator("[data-shown-card]"), page.locator('[data-piece="B01"]')
        expect(card).to_be_hidden()
        enemy.dispatch_event("click")  # wherever it lies on the board
        name = page.locator('[data-card-of="B01"] strong').first.text_content()
        expect(card.locator("strong").first).to_have_text(str(name))
        assert window.asked() == [key]
        # a tap on the one that is to move chooses it, and sends nothing
        page.locator(f'[data-piece="{UNLED}"]').tap()
        expect(page.locator("svg.choosing .ring.chosen")).to_have_count(1)
        expect(page.locator("select[name$='/way']")).to_be_attached()
        page.evaluate(FRAMES)  # its goals are outlined
    page.locator("form[data-question]").evaluate("form => form.setAttribute('data-old', '')")
    goal = page.locator("[data-place].legal:not([aria-pressed=true])").first
    place = goal.get_attribute("data-place")
    goal.locator(".hit").tap()
    if sends:
        expect(page.locator("input[name=key]").first).not_to_have_value(key)
        expect(page.locator(f'[data-piece="{UNLED}"]')).to_have_attribute("data-at", str(place))
    else:
        expect(page.locator("form[data-old]")).to_have_count(0)  # it has worked itself out
        page.wait_for_timeout(AT_ONCE)
        expect(page.locator(".way.now")).to_have_count(1)
        assert window.asked() == [key]
        expect(page.locator("[data-seal]")).to_be_visible()


@pytest.mark.timeout(300)
def test_a_lifted_finger_points_at_nothing_and_the_map_follows_the_card(
    club: Server, open_window: Open
) -> None:
    """The next army is asked about, and none is drawn on its way to the goal of the last.  Armies
    far from each other are seen once their cards are tapped, and what is brought nearer then."""
    window = seated(club, open_window, FLEETS, **PHONE)
    page = window.page
    said = page.locator(".plate-card").first
    page.locator("[data-place]:has(title):not(.legal)").first.dispatch_event("click")
    expect(said).not_to_be_empty()
    page.locator("[data-strip] [role=status]").tap()  # what the map has told goes at the next tap
    expect(said).to_be_empty()
    now = page.locator("[data-cards] .now")
    page.locator("[data-card]").first.tap()
    page.evaluate(FRAMES)
    told = now.text_content() or ""
    page.locator("[data-place].legal:not([aria-pressed=true])").first.locator(".hit").tap()
    expect(now).not_to_have_text(told)  # it is another's turn
    page.evaluate(FRAMES)
    expect(page.locator(".way.maybe")).to_have_count(0)
    expect(page.locator(".way")).to_have_count(1)
    cards = page.locator("[data-card]")
    for card in (cards.first, cards.last):
        card.tap()
        expect(page.locator(".ring.chosen")).to_have_count(1)
        page.evaluate(FRAMES)
        assert page.evaluate(SEEN)
        for _ in range(4):
            page.locator("[data-zoom=in]").dispatch_event("click")
        page.evaluate(FRAMES)
        assert page.evaluate(SEEN)


@pytest.mark.timeout(300)
def test_on_the_whole_map_no_name_hides_a_goal_and_a_card_brings_its_goals_near(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, FLEETS, **PHONE)
    page = window.page
    cards, now = page.locator("[data-card*='/move.']"), page.locator("[data-cards] .now")
    for card in (cards.first, cards.last):
        card.tap()
        page.evaluate(FRAMES)
        told = now.text_content() or ""
        page.locator("[data-place].legal:not([aria-pressed=true])").first.locator(".hit").tap()
        expect(now).not_to_have_text(told)
    page.locator("[data-zoom=whole]").tap()
    page.evaluate(FRAMES)
    expect(page.locator(".plate.moves")).to_have_count(0)  # all of it is shown
    expect(page.locator(".way").first).to_be_attached()
    expect(page.locator(".tag:not(.now)")).to_have_count(0)
    cards.first.tap()
    expect(page.locator(".ring.chosen")).to_have_count(1)
    page.evaluate(FRAMES)
    assert page.evaluate(SEEN)
    lit = page.evaluate(LIT)
    assert lit and min(lit) >= FINGER, lit


@pytest.mark.timeout(300)
def test_the_map_stays_above_its_orders_and_goes_before_what_is_below_them(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, FLEETS, **PHONE)
    page = window.page
    field, to_end = page.locator(".plate-field"), "one => one.scrollIntoView({block: 'end'})"
    page.locator("form[data-question] button[value=seal]").evaluate(to_end)
    expect(field).to_be_in_viewport(ratio=0.99)
    page.locator("#news-title").evaluate(to_end)
    expect(field).not_to_be_in_viewport()


SEEN = """() => {
  const map = document.querySelector(".plate-field").getBoundingClientRect();
  const ring = document.querySelector(".ring.chosen").getBoundingClientRect();
  const [x, y] = [ring.x + ring.width / 2, ring.y + ring.height / 2];
  return x >= map.left && x <= map.right && y >= map.top && y <= map.bottom;
}"""
"""Whether the piece that is chosen lies on the part of the map that is shown."""


ATTACKED: dict[str, Any] = {"system": "thucidide", "scenario": "clash", "people": {"A": "ann"},
                            "until": ["TH-7/order", "A", 2]}  # fmt: skip
SUBJECT = """() => JSON.parse(
  document.querySelector("form[data-question] input[name=key]")?.value ?? "[]")[4] ?? "" """
OFF = """code => {
  const map = document.querySelector(".plate-field").getBoundingClientRect();
  const piece = document.querySelector(`[data-piece="${code}"]`).getBoundingClientRect();
  const at = (box, side, size) => box[side] + box[size] / 2;
  const far = (side, size) => Math.abs(at(piece, side, size) - at(map, side, size)) / map[size];
  return Math.max(far("x", "width"), far("y", "height"));
}"""
"""How far a piece is from the middle of the board, in breadths or heights of what is seen."""


@pytest.mark.timeout(300)
def test_the_board_has_the_fight_in_its_middle_that_is_asked_about(
    club: Server, open_window: Open
) -> None:
    """Also one after another that was seen from near; the question itself names no place."""
    window = seated(club, open_window, ATTACKED, **PHONE)
    page = window.page
    first = page.evaluate(SUBJECT)
    for _ in range(4):
        page.locator("[data-zoom=in]").tap()
        page.evaluate(FRAMES)
    assert page.evaluate(OFF, first) < 0.3
    for _ in range(12):
        if page.evaluate(SUBJECT) not in (first, ""):
            break
        if page.evaluate(SUBJECT):
            form = Tapped(page)
            form.fill({})
            form.seal()
        page.wait_for_timeout(AT_ONCE)
    second = page.evaluate(SUBJECT)
    assert second not in (first, "")
    page.evaluate(FRAMES)
    assert page.locator(".plate.moves").count(), "it is still seen from near"
    assert page.evaluate(OFF, second) < 0.3
    assert page.evaluate(OFF, first) > 0.3, "it has moved"


FIRST: dict[str, Any] = {"system": "mare_nostrum", "people": {"A": "ann"}}
SITES: dict[str, Any] = {**FIRST, "until": ["MN-F5/phase", "A", 1]}


@pytest.mark.timeout(300)
def test_what_no_map_shows_is_chosen_at_the_strip_and_has_a_card(
    club: Server, open_window: Open
) -> None:
    """From the line of the first page that presses, by taps alone."""
    made: Any = fill(club.data, FIRST)
    window = open_window(club.start(), "fr", **PHONE)
    page = window.page
    window.sign_in(made["people"]["ann"])
    window.go("/")
    page.locator(".contents .state.late").first.tap()
    strip, now = page.locator("[data-strip]"), page.locator("[data-cards] .now")
    expect(strip).to_contain_text("Avec qui part le prêtre")
    strip.locator("[data-chip]", has_text="armée A1").tap()
    expect(strip).to_contain_text("Où va l’armée A1")
    expect(strip).to_contain_text(window.say("plate.touch"))
    expect(now).to_contain_text("Où va l’armée A1")
    page.locator("[data-card$=resolver]").tap()
    expect(now).to_contain_text("Comment livrer les batailles")
    expect(strip).to_be_in_viewport()
    strip.locator("[data-chip]", has_text="Thucidide").tap()
    expect(page.locator("[data-cards]")).to_contain_text("→ Thucidide")
    expect(page.locator(".dispatch")).to_contain_text("Thucidide")


@pytest.mark.timeout(300)
def test_what_is_touched_stays_under_the_finger_and_going_on_leads_to_what_is_open(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, SITES, **PHONE)
    page = window.page
    site = page.locator("label:has(input[name$=sites])").first
    site.scroll_into_view_if_needed()
    top = site.evaluate("one => one.getBoundingClientRect().top")
    site.tap()
    strip, now = page.locator("[data-strip]"), page.locator("[data-cards] .now")
    expect(now).to_contain_text("Que bâtir")
    assert abs(site.evaluate("one => one.getBoundingClientRect().top") - top) <= 2
    expect(page.locator(".dispatch")).to_contain_text("Où bâtir : Latium.")
    more = page.locator("[id$='diplomat']").locator("xpath=../button[2]")
    more.scroll_into_view_if_needed()
    top = more.evaluate("one => one.getBoundingClientRect().top")
    more.tap()
    expect(page.locator(".purse [data-spent]")).to_have_text("25")
    page.wait_for_timeout(600)
    assert abs(more.evaluate("one => one.getBoundingClientRect().top") - top) <= 2
    page.get_by_role("button", name=window.say("forms.next")).tap()
    built = page.locator("[name*=build]:not([type=hidden])").first
    expect(built).to_be_focused()
    expect(built).to_be_in_viewport()
    expect(now).to_contain_text("Que bâtir")
    expect(strip).to_contain_text("Que bâtir")


@pytest.mark.timeout(300)
def test_a_new_turn_says_that_the_last_is_over(club: Server, open_window: Open) -> None:
    window = seated(club, open_window, {**FIRST, "until": ["MN-F5/phase", "A", 1]}, **PHONE)
    since = window.page.locator("p.since")
    window.page.evaluate("window.untouched = true")
    form = Tapped(window.page)
    form.fill({})
    form.seal()
    expect(since).to_contain_text("Le tour 1 est fini. Depuis votre réponse : ")
    expect(since).to_be_in_viewport()
    assert window.page.evaluate("window.untouched"), "the page was loaded again"
    now = since.text_content() or ""
    window.page.reload()
    expect(since).to_have_text(now)
    since.tap()
    expect(window.page.locator("#newest h3")).to_be_in_viewport()


CHOICES = [
    ({"system": "batailles", "until": ["BC-3.4", "A", 1]}, "Choix",
     [r"continuer · phase gagnée [<>≈\s\d]+%", "se retirer", "négocier", "changer de stratégie"]),
    ({"system": "promiterra", "until": ["PR-3.2", "A", 1]}, "Première action de guerre : Phérès",
     ["aucune", r"cri de guerre \(attaque \+1\)", r"furie \(attaque \+2, défense −1\)"]),
]  # fmt: skip


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("war", "asked", "offered"), CHOICES)
def test_chips_say_each_choice_whole_with_its_chance(
    club: Server, open_window: Open, war: dict[str, Any], asked: str, offered: list[str]
) -> None:
    window = seated(club, open_window, {**war, "people": {"A": "ann"}}, **PHONE)
    strip = window.page.locator("[data-strip]")
    expect(strip.locator("strong")).to_have_text(asked)
    expect(strip.locator("[data-chip]")).to_have_text([re.compile(f"^{one}$") for one in offered])
