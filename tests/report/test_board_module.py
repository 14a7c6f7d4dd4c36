"""`board.js` in a browser: nearer and farther, place to place by keyboard, chosen into the form.

The page comes from here and not from a server; its policy allows what the real one allows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect, sync_playwright

import polemarque
from polemarque.kernel.game import Game, new_header
from polemarque.report.boards.board_view import seen_board
from polemarque.report.labels import names_of
from tests.web.journeys.browsers import launched

pytestmark = pytest.mark.slow

STATIC = Path(polemarque.__file__).parent / "web" / "static"
HOST = "http://board.test/"
POLICY = "default-src 'self'; style-src 'self' 'nonce-x'; img-src 'self' data:"

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Board</title>
<style nonce="x">{style} .plate {{ width: {width}; margin: 0 }}</style>
<script type="module" src="/board.js"></script></head>
<body><figure class="plate">
<button data-zoom="in">nearer</button><button data-zoom="out">farther</button>
<button data-zoom="whole">whole</button>
{svg}</figure>
{form}</body></html>"""

SELECT = """<form><label>Where to <select name="to" data-places>
<option value="">—</option><option value="halia">Halia</option>
<option value="[&quot;halia&quot;,&quot;rhiza&quot;]">Rhiza</option></select></label></form>"""

TICKS = """<form><fieldset data-places><legend>Which</legend>
<label><input type="checkbox" name="which" value="halia">Halia</label>
<label><input type="checkbox" name="which" value="&quot;rhiza&quot;">Rhiza</label>
</fieldset></form>"""


WHOLE = "0 0 1240 876"

AGAIN = """() => {
  const svg = document.querySelector("svg[data-board]");
  const fresh = svg.cloneNode(true);
  fresh.setAttribute("viewBox", "0 0 1240 876");
  svg.replaceWith(fresh);
}"""
"""What a page does that fetches what has changed."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        made = launched(playwright, "chromium")
        yield made
        made.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page whose every fault is a fault of the test."""
    made = browser.new_page(viewport={"width": 1100, "height": 900})
    faults: list[str] = []
    made.on("pageerror", lambda error: faults.append(str(error)))
    made.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    yield made
    made.close()
    assert faults == []


def opened(page: Page, form: str = "", width: str = "60rem") -> Page:
    """The island of Atlantide on a page, with a form."""
    game = Game(new_header("atlantide", scenario="duel", seed=1))
    names = names_of(game.system, game.state, "en")
    board = seen_board("atlantide", game.view("A"), "en", names)
    assert board is not None
    html = PAGE.format(svg=board.svg, style=board.style, form=form, width=width)

    def serve(route: Route) -> None:
        name = route.request.url.removeprefix(HOST)
        if name.endswith(".js"):
            body = (STATIC / name).read_text(encoding="utf-8")
            route.fulfill(body=body, content_type="text/javascript")
        elif name:
            route.fulfill(status=204)
        else:
            headers = {"Content-Security-Policy": POLICY}
            route.fulfill(body=html, content_type="text/html", headers=headers)

    page.route(f"{HOST}**", serve)
    page.goto(HOST)
    page.wait_for_load_state("load")
    return page


def place(page: Page, code: str) -> Locator:
    return page.locator(f'[data-place="{code}"]')


def box(page: Page) -> list[float]:
    """The part of the drawing that is seen."""
    found = page.locator("svg[data-board]").get_attribute("viewBox")
    return [float(number) for number in str(found).split()]


def here(page: Page) -> str:
    """The place that has the focus."""
    return str(page.evaluate("document.activeElement.dataset.place ?? ''"))


def middle(target: Locator) -> tuple[float, float]:
    found = target.bounding_box()
    assert found is not None
    return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2


# Nearer and farther ------------------------------------------------------------------------------


def test_buttons_come_nearer_and_show_the_whole_again(page: Page) -> None:
    opened(page)
    whole = box(page)
    page.get_by_text("nearer").click()
    near = box(page)
    assert near[2] == pytest.approx(whole[2] / 1.5, rel=0.01)
    assert near[3] / near[2] == pytest.approx(whole[3] / whole[2], rel=0.01)
    page.get_by_text("nearer").click()
    page.get_by_text("farther").click()
    assert box(page)[2] == pytest.approx(near[2], rel=0.01)
    page.get_by_text("whole").click()
    assert box(page) == whole
    page.get_by_text("farther").click()
    assert box(page) == whole
    for _ in range(20):
        page.get_by_text("nearer").click()
    assert box(page)[2] == pytest.approx(whole[2] / 12, rel=0.01)


def test_a_small_screen_begins_with_what_is_asked_about(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    opened(page, SELECT, width="24rem")
    expect(page.locator("svg[data-board]")).not_to_have_attribute("viewBox", WHOLE)
    x, y, width, height = box(page)
    assert width < 0.7 * float(WHOLE.split()[2])
    for code in ("halia", "rhiza"):
        left, top, wide, high = place(page, code).evaluate(
            "e => { const b = e.getBBox(); return [b.x, b.y, b.width, b.height]; }"
        )
        assert x <= left
        assert y <= top
        assert left + wide <= x + width + 1
        assert top + high <= y + height + 1
    page.get_by_role("button", name="whole").click()
    page.evaluate(AGAIN)
    page.wait_for_timeout(200)
    assert box(page)[2] == float(WHOLE.split()[2])


def test_a_wide_screen_and_a_page_without_question_begin_with_the_whole(page: Page) -> None:
    opened(page, SELECT)
    expect(place(page, "halia")).to_have_class(re.compile("legal"))
    assert box(page)[2] == float(WHOLE.split()[2])
    page.set_viewport_size({"width": 390, "height": 800})
    opened(page, width="24rem")
    page.wait_for_timeout(200)
    assert box(page)[2] == float(WHOLE.split()[2])


def test_the_wheel_zooms_about_the_pointer_once_the_board_is_in_use(page: Page) -> None:
    opened(page)
    whole, spot = box(page), middle(place(page, "halia"))
    page.mouse.move(*spot)
    page.mouse.wheel(0, -300)
    page.wait_for_timeout(50)
    assert box(page) == whole
    place(page, "halia").focus()
    page.mouse.wheel(0, -300)
    expect(page.locator(".plate")).to_have_class("plate moves")
    assert box(page)[2] < whole[2]
    assert middle(place(page, "halia")) == pytest.approx(spot, abs=2)


def test_a_drag_moves_the_board_and_chooses_nothing(page: Page) -> None:
    opened(page, SELECT)
    page.get_by_text("nearer").click()
    before, (x, y) = box(page), middle(place(page, "halia"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y - 20, steps=5)
    page.mouse.up()
    moved = box(page)
    assert moved[0] > before[0]
    assert moved[1] > before[1]
    assert moved[2:] == before[2:]
    assert page.locator("select").input_value() == ""
    page.mouse.move(x - 200, y - 150)
    assert box(page) == moved


def test_a_press_that_trembles_is_still_a_click(page: Page) -> None:
    opened(page, SELECT)
    page.get_by_text("nearer").click()
    before, (x, y) = box(page), middle(place(page, "halia"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 2, y + 1)
    page.mouse.up()
    assert box(page) == before
    assert page.locator("select").input_value() == "halia"


def test_two_fingers_pinch(page: Page) -> None:
    opened(page)
    whole = box(page)
    page.evaluate("""() => {
      const svg = document.querySelector("svg[data-board]");
      svg.setPointerCapture = () => {};
      const {left, top} = svg.getBoundingClientRect();
      const fire = (kind, pointerId, x) => svg.dispatchEvent(new PointerEvent(kind, {
        pointerId, button: 0, buttons: 1, clientX: left + x, clientY: top + 200, bubbles: true}));
      fire("pointerdown", 1, 200); fire("pointerdown", 2, 300);
      fire("pointermove", 2, 400); fire("pointerup", 1, 200); fire("pointerup", 2, 400);
    }""")
    assert box(page)[2] == pytest.approx(whole[2] / 2, rel=0.02)


# From place to place -----------------------------------------------------------------------------


def test_one_place_is_reached_by_tab_and_the_others_by_arrows(page: Page) -> None:
    opened(page)
    assert page.locator('[data-place][tabindex="0"]').count() == 1
    place(page, "halia").focus()
    assert page.locator('[data-place][tabindex="0"]').get_attribute("data-place") == "halia"
    from_x, from_y = middle(place(page, "halia"))
    page.keyboard.press("ArrowLeft")
    left = here(page)
    assert left != "halia"
    assert middle(place(page, left))[0] < from_x
    page.keyboard.press("ArrowUp")
    assert middle(place(page, here(page)))[1] < middle(place(page, left))[1]
    page.keyboard.press("End")
    last = here(page)
    page.keyboard.press("Home")
    first = here(page)
    codes = page.locator("[data-place]").evaluate_all("all => all.map(one => one.dataset.place)")
    assert [first, last] == [codes[0], codes[-1]]
    assert page.locator('[data-place][tabindex="0"]').count() == 1
    assert from_y > 0


def test_every_place_is_reached_by_arrows(page: Page) -> None:
    opened(page)
    found, codes = page.evaluate("""() => {
      const all = [...document.querySelectorAll("[data-place]")];
      const found = new Set([all[0]]);
      for (const start of found)
        for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
          start.focus();
          start.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
          found.add(document.activeElement);
        }
      return [[...found], all].map(places => places.map(one => one.dataset.place));
    }""")
    assert sorted(found) == sorted(codes)


def test_the_focus_is_brought_into_view(page: Page) -> None:
    opened(page)
    place(page, "halia").focus()
    for _ in range(6):
        page.keyboard.press("+")
    page.keyboard.press("Home")
    left, top, width, height = box(page)
    x, y = page.evaluate(
        "(one => { const b = one.getBBox(); return [b.x + b.width / 2, b.y + b.height / 2] })"
        "(document.activeElement)"
    )
    assert left <= x <= left + width
    assert top <= y <= top + height
    page.keyboard.press("0")
    assert box(page)[2] > width


# Chosen ------------------------------------------------------------------------------------------


def test_enter_and_click_say_which_place(page: Page) -> None:
    opened(page)
    page.evaluate(
        "() => { window.told = [];"
        " document.addEventListener('polemarque:place', e => told.push(e.detail.place)) }"
    )
    place(page, "halia").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    page.mouse.click(*middle(place(page, "rhiza")))
    assert page.evaluate("told") == ["halia", "halia", "rhiza"]
    assert here(page) == "rhiza"


def test_a_place_is_picked_in_the_select(page: Page) -> None:
    opened(page, SELECT)
    page.evaluate("document.forms[0].addEventListener('change', () => (window.changed = true))")
    page.mouse.click(*middle(place(page, "rhiza")))
    assert page.locator("select").input_value() == '["halia","rhiza"]'
    assert page.evaluate("window.changed") is True
    page.wait_for_selector('[data-place="rhiza"][aria-pressed="true"].picked')
    assert place(page, "halia").get_attribute("aria-pressed") == "false"


def test_what_the_form_offers_is_marked_and_the_rest_is_disabled(page: Page) -> None:
    opened(page, TICKS)
    legal = page.locator("[data-place].legal")
    assert sorted(str(one.get_attribute("data-place")) for one in legal.all()) == ["halia", "rhiza"]
    assert place(page, "halia").get_attribute("aria-disabled") is None
    assert place(page, "gadeira").get_attribute("aria-disabled") == "true"
    page.mouse.click(*middle(place(page, "gadeira")))
    assert page.locator("input:checked").count() == 0


def test_a_place_under_the_pointer_shows_it_be_it_offered_or_not(page: Page) -> None:
    opened(page, TICKS)
    shade = "e => getComputedStyle(e.querySelector('.hit')).fillOpacity"
    for code in ("halia", "gadeira"):
        page.mouse.move(0, 0)
        before = float(place(page, code).evaluate(shade))
        page.mouse.move(*middle(place(page, code)))
        assert float(place(page, code).evaluate(shade)) > before, code


def test_boxes_are_ticked_and_unticked_on_the_map(page: Page) -> None:
    opened(page, TICKS)
    for code in ("halia", "rhiza", "halia"):
        page.mouse.click(*middle(place(page, code)))
    assert page.locator("input:checked").evaluate_all("all => all.map(one => one.value)") == [
        '"rhiza"'
    ]
    page.get_by_label("Halia", exact=True).check()
    page.wait_for_selector('[data-place="halia"][aria-pressed="true"]')


def test_the_control_used_last_is_meant(page: Page) -> None:
    opened(page, SELECT + TICKS)
    page.get_by_label("Rhiza", exact=True).focus()
    page.mouse.click(*middle(place(page, "halia")))
    assert page.locator("input:checked").count() == 1
    assert page.locator("select").input_value() == ""


def test_a_board_that_the_page_puts_anew_is_as_it_was(page: Page) -> None:
    opened(page, SELECT)
    place(page, "halia").focus()
    page.get_by_text("nearer").click()
    place(page, "halia").focus()
    near = box(page)
    page.evaluate(AGAIN)
    expect(place(page, "halia")).to_be_focused()
    assert box(page) == near
    assert here(page) == "halia"
    page.mouse.click(*middle(place(page, "halia")))
    assert page.locator("select").input_value() == "halia"


ORDERS = """<form data-question><input type="hidden" name="key" value='[1,"","X-1","A","",1]'>
<fieldset data-places><legend>Army A1</legend>
<label><input type="radio" name="q1/move.A1" value="halia">Halia</label>
<label><input type="radio" name="q1/move.A1" value="rhiza">Rhiza</label></fieldset>
<fieldset data-places><legend>Army A29</legend>
<label><input type="radio" name="q1/move.A29" value="halia" checked>Halia</label>
<label><input type="radio" name="q1/move.A29" value="rhiza">Rhiza</label></fieldset></form>"""

PIECE = """([code, of]) => {
  const svg = document.querySelector("svg[data-board]");
  const made = document.createElementNS(svg.namespaceURI, "g");
  made.dataset.piece = code; made.dataset.at = "rhiza"; made.dataset.of = of;
  svg.append(made);
}"""
"""Sets another piece upon the place of the same name."""


def with_piece(page: Page, code: str, of: str) -> Locator:
    """The orders of two armies, and a piece that stands on a place where either may go."""
    opened(page, ORDERS)
    page.evaluate(PIECE, [code, of])
    page.locator('[name="q1/move.A1"]').first.focus()
    return page.locator(f'[data-piece="{code}"]')


def test_a_click_on_ones_own_piece_chooses_it_and_the_next_is_its_goal(page: Page) -> None:
    with_piece(page, "A29", "A").dispatch_event("click")
    expect(page.locator(".ring.chosen")).to_have_count(1)
    expect(page.locator('[name="q1/move.A1"]:checked')).to_have_count(0)
    expect(page.locator('[name="q1/move.A29"][value="halia"]')).to_be_checked()
    place(page, "rhiza").locator(".hit").dispatch_event("click")
    expect(page.locator('[name="q1/move.A29"][value="rhiza"]')).to_be_checked()


def test_a_piece_of_ones_own_without_a_question_is_no_goal(page: Page) -> None:
    with_piece(page, "A7", "A").dispatch_event("click")
    expect(page.locator('[name="q1/move.A1"]:checked')).to_have_count(0)


def test_a_piece_of_another_stands_for_its_place(page: Page) -> None:
    with_piece(page, "B3", "B").dispatch_event("click")
    expect(page.locator('[name="q1/move.A1"][value="rhiza"]')).to_be_checked()


# Drawn -------------------------------------------------------------------------------------------

FACTS = """<form data-question><input type="hidden" name="key" value='[1,"","X-1","A","",1]'>
<fieldset class="field" data-places><legend>Army A9</legend>
<label><input type="radio" name="q1/move.A9" value="stay" checked> Stay</label>
<label><input type="radio" name="q1/move.A9" value="halia" data-fact="40 %"> Halia
<span>40 %</span></label></fieldset>
<label for="way">Way</label><select name="q1/then.A9" id="way" data-places="way">
<option value="-">Stay</option>
<option value="gadeira" data-way="rhiza gadeira">Gadeira (by Rhiza)</option></select></form>"""

LIT = "e => getComputedStyle(e.querySelector('.hit')).fillOpacity"


def drawn(page: Page) -> Page:
    """The orders of one army, which stands on Rhiza; nothing is ordered yet."""
    opened(page, FACTS)
    page.evaluate(PIECE, ["A9", "A"])
    expect(page.locator(".ring")).to_have_count(1)
    return page


def test_a_chosen_goal_is_an_arrow_with_its_name_and_its_fact(page: Page) -> None:
    drawn(page)
    expect(page.locator(".way")).to_have_count(0)
    place(page, "halia").locator(".hit").dispatch_event("click")
    expect(page.locator(".way.now")).to_have_count(1)
    expect(page.locator(".tag tspan")).to_have_text(["Halia", "40 %"])


def test_a_way_is_drawn_by_its_places_from_where_the_step_before_ended(page: Page) -> None:
    drawn(page)
    page.locator('[value="halia"]').check()
    page.get_by_label("Way").select_option("gadeira")
    expect(page.locator(".way")).to_have_count(2)
    line = str(page.locator(".way .line").last.get_attribute("d"))
    assert len(re.findall("[ML]", line)) == 3, f"from Halia by Rhiza to Gadeira: {line}"
    expect(page.locator(".tag").last).to_have_text("Gadeira")


def test_what_is_pointed_at_shows_its_arrow_and_takes_it_away_again(page: Page) -> None:
    drawn(page)
    place(page, "halia").focus()
    expect(page.locator(".tag.maybe tspan")).to_have_text(["Halia", "40 %"])
    place(page, "gadeira").focus()
    expect(page.locator(".way")).to_have_count(0)


def test_goals_are_outlined_and_the_rest_dims_once_a_piece_is_chosen(page: Page) -> None:
    drawn(page)
    legal, other = place(page, "halia"), place(page, "gadeira")
    expect(page.locator(".drawn.goals .rim > *")).to_have_count(1)
    assert [float(each.evaluate(LIT)) for each in (legal, other)] == [0, 0]
    page.locator('[data-piece="A9"]').dispatch_event("click")
    expect(page.locator("svg.choosing")).to_be_attached()
    assert [float(each.evaluate(LIT)) > 0 for each in (legal, other)] == [False, True]
    page.keyboard.press("Escape")
    expect(page.locator("svg.choosing")).to_have_count(0)


def test_pieces_in_one_place_are_chosen_by_turns(page: Page) -> None:
    opened(page, ORDERS)
    for code in ("A1", "A29"):
        page.evaluate(PIECE, [code, "A"])
    for _ in range(2):
        page.locator('[data-piece="A29"]').dispatch_event("click")
    place(page, "halia").locator(".hit").dispatch_event("click")
    expect(page.locator('[name="q1/move.A1"][value="halia"]')).to_be_checked()


def test_pieces_that_lie_on_each_other_fan_out_and_each_can_be_chosen(page: Page) -> None:
    opened(page, ORDERS)
    for code in ("A1", "A29"):
        page.evaluate(PIECE, [code, "A"])
    leaves = page.locator("[data-leaf]")
    page.locator('[data-piece="A29"]').dispatch_event("click")
    expect(leaves).to_have_count(2)
    leaf = page.locator('[data-leaf="A1"]')
    assert (leaf.bounding_box() or {})["height"] >= 44, "a finger's breadth"
    expect(leaf).to_have_attribute("aria-label", "Army A1")
    expect(leaf).to_have_attribute("aria-pressed", "false")
    leaf.click()
    expect(leaves).to_have_count(0)
    place(page, "halia").locator(".hit").dispatch_event("click")
    expect(page.locator('[name="q1/move.A1"][value="halia"]')).to_be_checked()


def test_a_fan_opens_and_closes_by_keyboard(page: Page) -> None:
    opened(page, ORDERS)
    for code in ("A1", "A29"):
        page.evaluate(PIECE, [code, "A"])
    leaves = page.locator("[data-leaf]")
    page.locator('[data-piece="A1"]').dispatch_event("click")
    page.keyboard.press("Escape")
    expect(leaves).to_have_count(0)
    page.locator('[data-piece="A29"]').dispatch_event("click")
    page.locator('[data-leaf="A1"]').press("Enter")
    expect(leaves).to_have_count(0)
    expect(place(page, "rhiza")).to_be_focused()
    place(page, "halia").press("Enter")
    expect(page.locator('[name="q1/move.A1"][value="halia"]')).to_be_checked()


def test_pieces_that_stand_apart_do_not_fan_out(page: Page) -> None:
    opened(page, ORDERS)
    for n, code in enumerate(("A1", "A29")):
        page.evaluate(PIECE, [code, "A"])
        page.locator(f'[data-piece="{code}"]').evaluate(
            "(e, n) => { e.innerHTML = `<circle cx='${400 + 60 * n}' cy='400' r='9'/>`; }", n
        )
    page.locator('[data-piece="A29"]').dispatch_event("click")
    expect(page.locator(".ring.chosen")).to_have_count(1)
    expect(page.locator("[data-leaf]")).to_have_count(0)
