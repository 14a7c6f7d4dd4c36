"""Orders given on the map and board: a piece, its goal, an arrow, a card, undone and sealed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.web.journeys.answering import READY
from tests.web.journeys.browsers import Window
from tests.web.journeys.conftest import Open
from tests.web.journeys.turn import seated
from tests.web.served import Server, fill

FLEETS: dict[str, Any] = {"system": "mare_nostrum", "seats": 4, "people": {"A": "ann"},
                          "until": ["MN-2.7", "A", 6]}  # fmt: skip
SHOPPING: dict[str, Any] = {**FLEETS, "until": ["MN-F5/phase", "A", 1]}
ARSENAL: dict[str, Any] = {**FLEETS, "until": ["MN-2.7", "A", 14]}
CARAVANS: dict[str, Any] = {"system": "mare_nostrum", "seats": 4,
                            "people": {"A": "ann", "B": "ben"},
                            "until": ["MN-F3/orders", "A", 7]}  # fmt: skip
PURCHASES: dict[str, Any] = {**FLEETS, "until": ["MN-F5/phase", "A", 6]}
MARCH: dict[str, Any] = {"system": "atlantide", "seats": 3, "people": {"A": "ann"},
                         "until": ["AT-7.2", "A", 2]}  # fmt: skip
HUNGRY: dict[str, Any] = {"system": "atlantide", "seats": 6, "people": {"A": "ann"},
                          "until": ["AT-5.2", "A", 6]}  # fmt: skip
"""A turn in which Ann's army is cut off from her city."""
UNITS: dict[str, Any] = {"system": "thucidide", "scenario": "marathon", "people": {"A": "ann"},
                         "until": ["TH-F8", "A", 1]}  # fmt: skip

WIDE = {"viewport": {"width": 1440, "height": 900}}


def choose(window: Window, piece: str) -> None:
    """Click a piece on the board, and see that it is chosen."""
    window.page.locator(f'[data-piece="{piece}"]').click()
    expect(window.page.locator("svg.choosing .ring.chosen")).to_have_count(1)


PICKED = """() => document.addEventListener("click", () => {
  const picked = [...document.querySelectorAll("[data-place].picked")];
  window.picked = picked.map(one => one.dataset.place);
})"""
"""Note which goal is shown as chosen when a click ends, before the next frame."""


COVERED = """() => {
  const boxes = all => [...document.querySelectorAll(all)].map(one =>
    [one.textContent, one.getBoundingClientRect()]);
  const tags = boxes(".tag.chance"), names = boxes(".names text");
  return names.length < 90 ? ["few names"] : names.filter(([, name]) => tags.some(([, tag]) =>
    Math.min(tag.right, name.right) - Math.max(tag.left, name.left) > 2 &&
    Math.min(tag.bottom, name.bottom) - Math.max(tag.top, name.top) > 2)).map(([said]) => said);
}"""
"""The names of the map that lie under the chance of a goal."""


FRAMES = "() => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))"
"""Until the board is drawn."""


LABEL = """() => {
  const field = document.activeElement.closest("fieldset, .field");
  return field.querySelector("legend, label").textContent.trim();
}"""
"""What the field with the focus is called."""

UNDER = """() => {
  const one = document.activeElement, purse = document.querySelector(".purse");
  const [field, bar] = [one, purse].map(some => some.getBoundingClientRect());
  const above = purse.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING;
  return above && field.bottom > bar.top ? `${one.id} ${field.bottom} ${bar.top}` : null;
}"""
"""Which field with the focus lies under the bar of the treasury."""


class Mouse:
    """A mouse that counts its clicks; a drag is one."""

    def __init__(self, window: Window) -> None:
        self.page, self.clicks = window.page, 0

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1

    def drag(self, what: Locator, to: tuple[float, float]) -> None:
        self.page.mouse.move(*middle(what))
        self.page.mouse.down()
        self.page.mouse.move(*to, steps=6)
        self.page.mouse.up()
        self.clicks += 1


def middle(what: Locator) -> tuple[float, float]:
    """Its middle, in the window."""
    box = what.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def name_of(goal: Locator) -> str:
    """What a place of the map is called."""
    return str(goal.get_attribute("aria-label")).partition(":")[0].partition(",")[0].strip()


LISTED = 4
"""So many pieces without an order are named above the map."""


def cards(window: Window) -> Locator:
    """Those of pieces; the ways of battles have one of their own."""
    return window.page.locator("[data-cards] li:not(:has([data-card$='/resolver']))")


@pytest.mark.timeout(300)
def test_armies_are_ordered_on_the_map_undone_and_sealed(club: Server, open_window: Open) -> None:
    window = seated(club, open_window, FLEETS, **WIDE)
    page = window.page
    codes = page.locator("[data-piece][data-of=A]").evaluate_all(
        "all => all.map(a => a.dataset.piece)"
    )
    none, lines = window.say("plate.none"), cards(window)
    field = page.locator(".plate-field").bounding_box()
    assert field and field["width"] > 0.6 * 1440 and field["y"] + field["height"] <= 900, field
    expect(lines).to_have_text([re.compile(f"{code}.*{none}") for code in codes])
    choose(window, codes[0])
    chances = page.locator(".tag.chance").all_text_contents()
    assert page.evaluate(COVERED) == []
    facts = str(page.locator("form[data-question]").text_content())
    assert chances and set(chances) <= set(re.findall(r"\d+\s%", facts)), (chances, facts)
    for n, line in enumerate(lines.all()):  # after an order the next piece without one is chosen
        expect(line).to_have_class(re.compile("now"))
        left = ", ".join([*codes[n : n + LISTED], *(["…"] if len(codes) - n > LISTED else [])])
        told = window.say("plate.left", n=len(codes) - n, which=left)
        expect(page.locator("[data-strip] p")).to_contain_text(told)
        goal = page.locator("[data-place].legal:not([aria-pressed=true])").first
        name = name_of(goal)
        goal.dispatch_event("click")
        expect(line).to_contain_text(name)
        expect(page.locator(".tag").filter(has_text=name).first).to_be_attached()
    expect(page.locator("[data-strip] p")).to_contain_text(window.say("plate.done"))
    expect(page.locator(".way")).to_have_count(len(codes))
    last = lines.last
    last.locator("[data-take]").click()
    expect(last).to_contain_text(none)
    expect(page.locator(".way")).to_have_count(len(codes) - 1)
    page.keyboard.press("Control+z")
    expect(page.locator(".way")).to_have_count(len(codes))
    page.locator("[data-undo]").click()
    expect(page.locator(".way")).to_have_count(len(codes) - 1)
    page.locator("[data-redo]").click()
    expect(last).to_contain_text(name)
    with page.expect_navigation(wait_until=READY):
        page.locator("[data-seal]").click()
    expect(page.locator("#receipt")).to_be_focused()
    window.sees(name)


@pytest.mark.timeout(300)
def test_undo_gives_back_what_was_before_and_the_next_piece_comes_after_the_one_ordered(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, ARSENAL, **WIDE)
    page, lines, undo = window.page, cards(window), window.page.locator("[data-undo]")
    before, none = lines.all_text_contents(), window.say("plate.none")
    unordered = [n for n, line in enumerate(before) if none in line]
    stands = [re.findall(r"\((.+)\)", line)[-1:] for line in before]  # who march together go first
    one, last = [n for n in unordered[1:] if stands.count(stands[n]) == 1][-2:]
    expect(undo).to_have_attribute("aria-disabled", "true")
    for n in (one, last):
        rest = [other for other in unordered if other not in (n, one)]
        after = next((other for other in rest if other > n), rest[0])
        lines.nth(n).locator("[data-card]").click()
        expect(lines.nth(n)).to_have_class(re.compile("now"))
        page.locator("[data-place].legal:not([aria-pressed=true])").first.dispatch_event("click")
        expect(lines.nth(after)).to_have_class(re.compile("now"))
    for n in (last, one):
        undo.click()
        expect(lines.nth(n)).to_contain_text(none)
        expect(lines.nth(n)).to_have_class(re.compile("now"))
    expect(undo).to_have_attribute("aria-disabled", "true")
    expect(lines).to_have_text(before)


@pytest.mark.timeout(300)
def test_each_change_of_a_number_is_undone_by_itself_whatever_the_map_shows(
    club: Server, open_window: Open
) -> None:
    """Nor does one number rob another."""
    window = seated(club, open_window, SHOPPING, **WIDE)
    page = window.page
    form, undo = page.locator("form[data-question]"), page.locator("[data-undo]")
    sites = page.locator("form input[type=checkbox][name$=sites]")
    amounts = {kind: page.locator(f"input[name$='/{kind}']") for kind in ("diplomat", "caravans")}
    expect(sites.first).to_be_attached()
    expect(undo).to_be_visible()  # the scripts run
    amounts["caravans"].fill("5")  # what is left builds nothing: no field is on the map
    page.evaluate(FRAMES)  # the board is drawn while it is being typed
    amounts["caravans"].press("Tab")
    expect(sites).to_have_count(0)
    expect(undo).to_be_visible()
    undo.click()
    expect(amounts["caravans"]).to_have_value("0")
    expect(sites.first).to_be_attached()

    def add(kind: str, count: int) -> None:
        form.locator(".amount", has=amounts[kind]).locator("button.more").click()
        expect(amounts[kind]).to_have_value(str(count))
        left = form.locator("[data-left]")
        expect(left).not_to_have_attribute("data-left", str(lefts[-1]))
        lefts.append(int(str(left.get_attribute("data-left"))))

    lefts = [int(str(form.locator("[data-left]").get_attribute("data-left")))]
    add("diplomat", 1)
    most = lefts[-1] // 10  # what a caravan costs
    for n in range(1, most + 1):
        add("caravans", n)
    form.locator(".amount", has=amounts["caravans"]).locator("button.more").click()
    expect(amounts["caravans"]).to_have_value(str(most))
    expect(amounts["diplomat"]).to_have_value("1")
    for n in reversed(range(most)):
        page.keyboard.press("Control+z")
        expect(amounts["caravans"]).to_have_value(str(n))
        expect(amounts["diplomat"]).to_have_value("1")
    page.keyboard.press("Control+y")
    expect(amounts["caravans"]).to_have_value("1")


ELSEWHERE = """form => {
  const field = Object.assign(document.createElement("p"), { className: "field" });
  field.innerHTML = '<input type="text" name="elsewhere" value="1">';
  form.querySelector("details.fields").append(field);
}"""
"""Add to a form's fields one that neither map nor cards show."""

CHASES = """form => {
  const name = form.querySelector("[name$='/move.A58']").name.replace("move", "chase");
  const field = Object.assign(document.createElement("fieldset"), { className: "field" });
  field.innerHTML = `<legend>L’armée A58 (Apulie) chasse les bandes</legend>` + ["no", "yes"].map(
    value => `<label><input type="radio" name="${name}" value="${value}"> non</label>`).join("");
  form.removeAttribute("data-sheet"); // nothing is worked out
  form.querySelector("details.fields").append(field);
}"""
"""Ask of the first army what no map shows."""


@pytest.mark.timeout(300)
def test_fields_are_folded_away_only_where_the_map_asks_them_all(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, ARSENAL, **WIDE)
    fields = window.page.locator("details.fields")
    expect(fields).not_to_have_attribute("open", "")
    lines, none = cards(window), window.say("plate.none")
    expect(lines.first).to_be_visible()
    one, after = lines.filter(has_text="armée").nth(0), lines.filter(has_text="armée").nth(1)
    expect(one).to_contain_text(f"{none} · rester")  # what happens without an order
    one.locator("[data-card]").click()
    window.page.locator("[data-place].legal:not([aria-pressed=true])").first.dispatch_event("click")
    expect(after).to_have_class(re.compile("now"))
    form = window.page.locator("form[data-question]")
    form.evaluate(CHASES)
    window.page.locator("[name$='/chase.A58'][value=yes]").evaluate("one => one.click()")
    expect(one).to_have_text(re.compile(r"→.* · chasse les bandes"))
    window.page.locator("[name$='/chase.A58'][value=no]").evaluate("one => one.click()")
    expect(one).not_to_contain_text(re.compile("bandes|non"))
    form.evaluate(ELSEWHERE)
    expect(fields).to_have_attribute("open", "")


@pytest.mark.timeout(300)
def test_three_armies_and_a_fleet_are_ordered_in_twelve_clicks(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, ARSENAL, **WIDE)
    page, mouse, lines = window.page, Mouse(window), cards(window)
    loads: list[str] = []
    page.on("request", lambda one: loads.append(one.url) if one.is_navigation_request() else None)
    pieces = {
        page.locator(f'[data-piece="{code}"]').get_attribute("data-at"): str(code)
        for code in page.locator("[data-piece].orderable").evaluate_all(
            "all => all.map(a => a.dataset.piece)"
        )
    }
    told = " ".join(lines.all_text_contents())  # in the order in which the map turns to them
    codes = sorted(pieces.values(), key=lambda code: re.search(rf"\b{code}\b", told).start())
    fleets = [code for code in codes if "F" in code]
    armies = [code for code in codes if code not in fleets]
    for code in [*armies[:3], *fleets[:1]]:
        mouse.click(page.locator(f'[data-piece="{code}"] > *').last)  # the disc, not its line
        goal = page.locator("[data-place].legal:not([aria-pressed=true])").first
        name = name_of(goal)
        goal.dispatch_event("click")  # wherever it lies on the map
        mouse.clicks += 1
        expect(lines.filter(has_text=re.compile(rf"\b{code}\b")).first).to_contain_text(name)
    expect(page.locator(".way")).to_have_count(4)
    mouse.click(page.locator("[data-seal]"))
    expect(page.locator("#receipt")).to_be_focused()
    assert mouse.clicks <= 12
    assert not loads


@pytest.mark.timeout(300)
def test_purchases_supply_and_march_of_a_turn_take_eight_clicks_on_one_page(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, HUNGRY, **WIDE)
    page, mouse = window.page, Mouse(window)
    loads: list[str] = []
    page.on("request", lambda one: loads.append(one.url) if one.is_navigation_request() else None)
    asks(window, "AT-5.2")
    unit = page.locator("select[name$='/buy.1']")
    dearest = unit.locator("option[data-fact-at]").first
    unit.select_option(dearest.get_attribute("value"))
    mouse.clicks += 2  # the list is opened, and a line of it chosen
    amount = page.locator(".amount", has=page.locator("input[name$='/figures.1']"))
    expect(amount.locator("input")).to_have_value(str(amount.get_attribute("data-least")))
    mouse.click(amount.locator("button.more"))
    wanted = str(int(str(amount.get_attribute("data-least"))) + 1)
    expect(amount.locator("input")).to_have_value(wanted)
    expect(page.locator("form .dispatch")).to_contain_text(wanted)
    seal(mouse, "AT-5.2")
    asks(window, "AT-6.1")
    food = page.locator("form[data-question] label.choice")
    expect(food.first).to_contain_text("%")  # each sum tells what it buys
    expect(page.locator("form[data-question] input:checked")).to_have_count(0)
    mouse.click(food.filter(has_text=re.compile(r"^\W*100 ")))
    seal(mouse, "AT-6.1")
    if units_desert(window):
        assert mouse.clicks <= 6 and not loads
        return  # which units is asked first: the march comes as elsewhere, in two clicks
    asks(window, "AT-7.2")
    goal = page.locator("[data-place].legal:not([aria-pressed=true])").first
    name = name_of(goal)
    goal.dispatch_event("click")  # wherever it lies on the map
    mouse.clicks += 1
    expect(page.locator("form .dispatch")).to_contain_text(name)
    seal(mouse, "AT-7.2")
    assert mouse.clicks <= 8
    assert not loads


def units_desert(window: Window) -> bool:
    """Whether the dice, in which the browser's salt is mixed, had hungry units desert."""
    key = window.page.locator("form[data-question] input[name=key]")
    expect(key).to_have_value(re.compile(r'"AT-(7\.2|3\.2)"'))
    return '"AT-3.2"' in key.input_value()


def asks(window: Window, rule: str) -> None:
    """Wait until the page asks this."""
    expect(window.page.locator("form[data-question] input[name=key]")).to_have_value(
        re.compile(rf'"{rule}"')
    )


def seal(mouse: Mouse, rule: str) -> None:
    """Send the answer, and see that it is asked no more."""
    mouse.click(mouse.page.locator("form[data-question] button[value=seal]"))
    expect(mouse.page.locator(f"form input[name=key][value*='{rule}']")).to_have_count(0)


@pytest.mark.timeout(300)
def test_four_caravans_leave_in_six_clicks_and_what_is_sealed_is_a_letter(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, CARAVANS, **WIDE)
    page, mouse, lines = window.page, Mouse(window), cards(window)
    expect(lines).to_have_count(4)
    expect(page.locator("details.fields")).not_to_have_attribute("open", "")
    opened = lines.filter(has_text=window.say("plate.none"))
    expect(opened).to_have_count(3)  # that in Picenum is proposed to stay on the market
    page.evaluate(PICKED)
    mouse.click(page.locator("[data-of=A][data-at=picenum] .caravan"))
    assert page.evaluate("picked") == ["picenum"]
    names: list[str] = []
    for left in (3, 2, 1, 0):  # the next without an order is chosen by itself
        goal = page.locator("[data-place].legal:not([aria-pressed=true])").nth(len(names))
        names.append(name_of(goal))
        goal.dispatch_event("click")  # wherever it lies on the map
        mouse.clicks += 1
        expect(opened).to_have_count(left)
        expect(lines.filter(has_text=f"→ {names[-1]}")).to_have_count(1)
        if left:
            expect(opened.first).to_have_class(re.compile("now"))
            page.evaluate(FRAMES)
    expect(page.locator(".way")).to_have_count(4)
    expect(page.locator("form .dispatch")).to_contain_text(names[-1])  # the sheet is whole
    with page.expect_navigation(wait_until=READY):
        mouse.click(page.locator("[data-seal]"))
    assert mouse.clicks <= 6
    letter = page.locator("article.letter#receipt")
    expect(letter).to_be_focused()
    for name in names:
        expect(letter.locator(".dispatch")).to_contain_text(name)
    expect(page.locator(".asked").first).to_contain_text("Ben")  # whose answer is awaited
    expect(letter).to_be_visible()
    expect(page.locator("form[data-question]")).to_be_hidden()
    expect(page.locator("[data-strip]")).to_be_hidden()
    expect(page.locator(".way")).to_have_count(4)  # the map still shows what was sealed
    page.locator("details.again > summary").click()
    expect(letter).to_be_hidden()  # the form has taken its place
    expect(page.locator("form[data-question] button[value=seal]")).to_be_visible()


@pytest.mark.timeout(300)
def test_what_has_the_focus_is_not_hidden_by_the_treasury(club: Server, open_window: Open) -> None:
    window = seated(
        club, open_window, PURCHASES, lang="en", viewport={"width": 1024, "height": 768}
    )
    page = window.page
    assert page.locator("details.fields").get_attribute("open") is not None
    first = page.locator("form[data-question] .amount input").first
    first.focus()
    seen = 0
    while page.evaluate("document.activeElement.matches('form[data-question] .field *')"):
        under = page.evaluate(UNDER)
        assert under is None, under
        label = page.evaluate(LABEL)
        expect(page.locator("[data-strip] [role=status] strong")).to_have_text(label)
        seen += 1
        page.keyboard.press("Tab")
    assert seen > 4
    optional = cards(window).filter(has_not_text=window.say("plate.none"))
    expect(optional.first).to_be_attached()  # nothing has to be built


@pytest.mark.timeout(300)
def test_what_was_bought_leads_to_what_it_still_asks_and_undo_takes_both_back(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, PURCHASES, **WIDE)
    page = window.page
    line, chips = page.locator("[data-strip] strong"), page.locator("[data-strip] [data-chip]")
    field = page.locator(".plate-field")

    def top() -> float:
        box = field.bounding_box()
        assert box is not None
        return box["y"] + float(page.evaluate("scrollY"))

    number = page.locator("form[data-question] input[name$='/caravans']:not([type=hidden])")
    number.fill("2")
    number.blur()
    expect(line).to_have_text(re.compile(r"^Caravane 1.*d’où"))
    stood = top()
    page.locator('[data-place="latium"]').click()
    expect(line).to_have_text(re.compile(r"^Caravane 1.*quelles marchandises"))
    chips.first.click()
    expect(line).to_have_text(re.compile(r"^Caravane 2.*d’où"))
    page.locator('[data-place="latium"]').click()
    expect(line).to_have_text(re.compile(r"^Caravane 2.*quelles marchandises"))
    assert top() == stood, "the map has moved under the hand"
    page.keyboard.press("Control+z")
    expect(line).to_have_text(re.compile(r"^Caravane 2.*d’où"))
    expect(page.locator("form[data-question] [name$='/goods.2']")).to_have_count(0)
    expect(page.locator("form[data-question] input[name$='/goods.1']:checked")).to_have_count(1)


@pytest.mark.timeout(300)
def test_the_best_goals_of_a_caravan_are_outlined_and_others_by_a_filter(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, CARAVANS, **WIDE)
    page, filters = window.page, window.page.locator("[data-strip] [data-filter]")
    outlined = page.locator(".goals > .rim").first.locator("> *")
    page.locator("[data-cards] [data-card]").first.click()
    best, mine = (filters.nth(n) for n in (0, 1))
    expect(best).to_have_attribute("aria-pressed", "true")
    expect(outlined).to_have_count(8)
    legal = page.locator("[data-place].legal")
    offered = legal.count()
    assert offered > 60, "others can be clicked all the same"
    mine.click()
    expect(filters.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(outlined).to_have_count(int(re.findall(r"\d+", filters.nth(1).inner_text())[0]))
    page.locator("details.fields > summary").click()
    shown = page.locator("select[data-every]").first.locator("option[data-fact-at]:not([hidden])")
    expect(shown).to_have_count(outlined.count())
    label, at = str(shown.first.text_content()), int(str(shown.first.get_attribute("data-fact-at")))
    page.locator("select[data-every]").first.select_option(shown.first.get_attribute("value"))
    expect(page.locator("output.fact").first).to_have_text(label[at + 2 :])
    title, tools = (
        page.locator(f"[data-strip] {one}").bounding_box() for one in ("p", ".strip-tools")
    )
    assert title and tools and title["y"] + title["height"] <= tools["y"]  # above, not beside them
    page.locator("form .filters [data-filter='*']").first.click()
    expect(outlined).to_have_count(offered)
    expect(filters.last).to_have_attribute("aria-pressed", "true")
    sheet = page.locator("section[aria-labelledby=sheet-title]")
    sheet.locator("summary").first.click()
    parts = sheet.locator("summary:has(h4)")
    expect(parts.first).to_have_text(re.compile(r"^Provinces \(\d+\)$"))
    for part in parts.all():
        part.click()
    cut = page.locator(".scroll:visible").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.ariaLabel)"
    )
    assert not cut, "tables of one's own sheet stand whole in its column"


@pytest.mark.timeout(300)
def test_an_army_is_dragged_to_its_goal_and_the_ground_is_not(
    club: Server, open_window: Open
) -> None:
    window = seated(club, open_window, MARCH, **WIDE)
    page, mouse = window.page, Mouse(window)
    army, (line,) = page.locator("[data-piece].orderable"), cards(window).all()
    none, board = window.say("plate.none"), page.locator("svg[data-board]")
    seen = board.get_attribute("viewBox")
    mouse.drag(army, middle(page.locator(".strip")))  # it ends nowhere
    expect(line).to_contain_text(none)
    assert board.get_attribute("viewBox") == seen
    goal = page.locator("[data-place].legal:not([aria-pressed=true])").first
    place = str(goal.get_attribute("data-place"))
    mouse.drag(army, middle(goal.locator(".hit")))
    expect(page.locator("select[name$='/way']")).to_have_value(place)
    expect(page.locator(".way.now")).to_have_count(1)
    expect(line).not_to_contain_text(none)
    other = page.locator(f"[data-place].legal:not([data-place={place}])").last
    other.click(modifiers=["Shift"])  # one more step on the way
    expect(page.locator("input[name$=':way']")).to_have_value(
        f"{place} > {other.get_attribute('data-place')}"
    )
    with page.expect_navigation(wait_until=READY):
        goal.click()  # the way there alone
        mouse.click(page.locator("[data-seal]"))
    assert mouse.clicks == 3


PLACES = "all => all.map(one => one.dataset.place)"


@pytest.mark.timeout(300)
@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_piece_shows_its_card_and_its_zones(club: Server, open_window: Open, phone: bool) -> None:
    """Own and enemy's, in figures; zones are drawn on demand, and no goal lies outside them."""
    made: Any = fill(club.data, UNITS)
    more: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True} if phone else WIDE
    window = open_window(club.start(), "fr", **more)
    window.sign_in(made["people"]["ann"])
    window.go(f"/c/{made['campaigns'][0]}/seat/A/")
    page, sheet = window.page, window.page.locator("[data-shown-card]")
    mover = page.locator("input[type=radio][name$='/who']").first.get_attribute("value") or ""
    choose(window, mover)
    kept = page.locator(f'[data-card-of="{mover}"]')
    name = kept.locator("strong").first.text_content() or ""
    expect(sheet.locator("strong").first).to_have_text(name)
    expect(sheet).to_contain_text("Mouvement")
    page.locator("select[name$='/way']").wait_for(state="attached")
    page.evaluate(FRAMES)
    goals = page.locator("[data-place].legal").evaluate_all(PLACES)
    stands = page.locator(f'[data-piece="{mover}"]').get_attribute("data-at")
    zones = kept.locator("[data-zone]").evaluate_all("all => all.map(one => one.dataset.places)")
    assert {*goals} - {stands} == {*zones[0].split(), *zones[1].split()}
    sheet.locator("[data-zone]").first.click()
    expect(page.locator(".drawn .zone > *")).to_have_count(len(zones[0].split()))
    if phone:
        page.wait_for_timeout(100)
        board, foot = page.locator(".plate-field").bounding_box(), sheet.bounding_box()
        assert board
        assert foot
        assert board["y"] >= 0
        assert board["y"] + board["height"] <= foot["y"] + 1, "it hides no part of the board"
    enemy = page.locator("[data-piece^=B]").first
    enemy.dispatch_event("click")
    code = enemy.get_attribute("data-piece")
    other = page.locator(f'[data-card-of="{code}"] strong').first.text_content() or ""
    expect(sheet.locator("strong").first).to_have_text(other)
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(page.locator(".drawn .zone")).to_have_count(0)


OFFLINE = "ERR_INTERNET_DISCONNECTED"


@pytest.mark.timeout(300)
@pytest.mark.parametrize("war", [MARCH, UNITS], ids=["campaign", "battle"])
def test_what_is_dragged_without_network_is_kept_and_sent_again(
    club: Server, open_window: Open, war: dict[str, Any]
) -> None:
    """First what follows from the goal cannot be asked for, then the answer cannot be sent."""
    window = seated(club, open_window, war, **WIDE)
    page, mouse, notice = window.page, Mouse(window), window.page.locator("[data-unsent]")
    key = page.locator("input[name=key]").first.input_value()
    piece = page.locator("[data-piece].orderable").first
    if war is UNITS:  # whose ways are asked for once it is chosen
        mover = page.locator("input[type=radio][name$='/who']").first.get_attribute("value") or ""
        choose(window, mover)
        page.locator("select[name$='/way']").wait_for(state="attached")
        piece = page.locator(f'[data-piece="{mover}"]')
    goal = page.locator("[data-place].legal:not([aria-pressed=true])").first
    place = str(goal.get_attribute("data-place"))
    window.context.set_offline(True)
    mouse.drag(piece, middle(goal.locator(".hit")))
    expect(notice).to_contain_text(window.say("plate.unsent"))
    way = page.locator("select[name$='/way']")
    expect(way).to_have_value(place)
    page.wait_for_timeout(500)  # whatever else is still to be asked for fails as well
    window.context.set_offline(False)
    notice.locator("button").click()  # now it is worked out; in a battle it is sent with that
    if war is MARCH:
        expect(page.locator("form .dispatch")).not_to_be_empty()
        window.context.set_offline(True)
        page.locator("[data-seal]").click()
        expect(notice).to_be_visible()
        expect(way).to_have_value(place)
        assert page.locator("input[name=key]").first.input_value() == key
        window.context.set_offline(False)
        notice.locator("button").click()
    page.wait_for_function(MOVED, arg=key)
    expect(notice).to_be_hidden()
    assert all(OFFLINE in fault for fault in window.faults), window.faults
    window.faults.clear()  # what the browser itself says of it


MOVED = "key => document.querySelector('input[name=key]')?.value !== key"
"""Whether a question is behind its seat."""

BATTLE: dict[str, Any] = {"system": "thucidide", "scenario": "marathon",
                          "people": {"A": "ann", "B": "ben"}}  # fmt: skip


@pytest.mark.timeout(300)
def test_a_turn_of_marathon_is_moved_by_mouse_on_one_page(club: Server, open_window: Open) -> None:
    """A click for the unit, one for its hex; what is asked next comes to the same page.

    A leader who stands with a unit goes along, as the form proposes it.
    """
    window = seated(club, open_window, UNITS, **WIDE)
    page, mouse = window.page, Mouse(window)
    loads: list[str] = []
    page.on("request", lambda one: loads.append(one.url) if one.is_navigation_request() else None)
    asked = page.locator("input[name=key]")
    led, went = page.locator("[data-piece^=AO][data-at], [data-piece=AS1]"), 0
    stood = {str(one.get_attribute("data-at")): one for one in led.all()}
    while "TH-F8" in asked.first.input_value():
        mover, place, before = moves_one(mouse)
        expect(page.locator(f'[data-piece="{mover}"]')).to_have_attribute("data-at", place)
        for code in [
            str(one.get_attribute("data-piece")) for at, one in stood.items() if at == before
        ]:
            expect(page.locator(f'[data-piece="{code}"]')).to_have_attribute("data-at", place)
        went += 1
    assert went == 4
    assert mouse.clicks == 2 * went
    page.locator("[data-undo]").click()
    expect(asked.first).to_have_value(re.compile("TH-F8"))
    expect(page.locator(f'[data-piece="{mover}"]')).not_to_have_attribute("data-at", str(place))
    assert not loads


def moves_one(mouse: Mouse) -> tuple[str, str, str]:
    """Move the first unit that is offered to the first of its goals; gives it, that place and the
    one where it stood."""
    page = mouse.page
    key = page.locator("input[name=key]").first.input_value()
    mover = page.locator("input[type=radio][name$='/who']").first.get_attribute("value") or ""
    piece = page.locator(f'[data-piece="{mover}"]')
    before = str(piece.get_attribute("data-at"))
    mouse.click(piece)
    expect(page.locator("svg.choosing .ring.chosen")).to_have_count(1)
    page.locator("select[name$='/way']").wait_for(state="attached")
    page.evaluate(FRAMES)  # its goals are outlined
    goal = page.locator("[data-place].legal:not([aria-pressed=true])").first
    place = str(goal.get_attribute("data-place"))
    mouse.click(goal.locator(".hit"))
    page.wait_for_function(MOVED, arg=key)
    return mover, place, before


@pytest.mark.timeout(600)
def test_turn_one_of_marathon_by_mouse_on_both_sides(club: Server, open_window: Open) -> None:
    """Two clicks for each unit that moves, one for each order and for each who is activated."""
    made: Any = fill(club.data, BATTLE)
    club.start()
    loads: list[str] = []
    orders, activated, moved, clicks = 0, 0, 0, 0
    windows = {}
    for seat, name in BATTLE["people"].items():
        windows[seat] = open_window(club, "fr", **WIDE)
        windows[seat].sign_in(made["people"][name])
        windows[seat].go(f"/c/{made['campaigns'][0]}/seat/{seat}/")
    for window in windows.values():
        window.page.on(
            "request", lambda one: loads.append(one.url) if one.is_navigation_request() else None
        )
    for period, window in enumerate(windows.values(), 1):
        page, mouse = window.page, Mouse(window)
        asked = page.locator("input[name=key]")
        expect(asked.first).to_have_value(re.compile(rf"^\[{period},"))  # it comes by itself
        while asked.count() and asked.first.input_value().startswith(f"[{period},"):
            key = asked.first.input_value()
            if "TH-F8" in key:
                moves_one(mouse)
                moved += 1
            elif "TH-2.2" in key:
                activated += activates(mouse)
                orders += 1
            else:  # what is proposed: no order, nobody fights
                chip = page.locator("[data-chip][aria-pressed=true]")
                mouse.click(chip if "TH-3.5" in key else page.locator("[data-seal]"))
                page.wait_for_function(MOVED, arg=key)
                orders += 1
        clicks += mouse.clicks
    assert moved >= 4
    assert clicks == 2 * moved + activated + orders
    assert not loads


def activates(mouse: Mouse) -> int:
    """Choose a leader and the first of those he reaches, as many as he may, and send it."""
    page = mouse.page
    key = page.locator("input[name=key]").first.input_value()
    mouse.click(page.locator("[data-piece].orderable").first)
    units = page.locator("fieldset:has(> legend):has(input[name$='/units.1']) input[type=checkbox]")
    units.first.wait_for(state="attached")
    page.evaluate(FRAMES)
    codes = units.evaluate_all("all => all.map(one => one.value)")
    most = int(
        re.findall(
            r"\d+", page.locator("fieldset:has(input[name$='/units.1']) .hint").first.inner_text()
        )[-1]
    )
    for code in codes[:most]:
        mouse.click(page.locator(f'[data-piece="{code}"]'))
        expect(page.locator(f"input[name$='/units.1'][value='{code}']")).to_be_checked()
        page.evaluate(FRAMES)
    page.locator("button[value=seal]").wait_for(state="attached")
    mouse.click(page.locator("[data-seal]"))
    page.wait_for_function(MOVED, arg=key)
    return 1 + most
