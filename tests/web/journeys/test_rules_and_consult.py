"""Rules and consult in a real browser, with scripts off: keyboard, phone, night, axe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.web.served import Server, fill, serving

FORCE = (
    "combat_force=13&loot=0&terrain=forest&capital=false&capital_conquered=false"
    "&atlantis=false&player_held=false&fortresses=0"
)
PAGES = (
    "/consult/", "/consult/?q=zzz", "/consult/BC-2.1/", "/consult/AT-1.5/?units.0.ws=x",
    f"/consult/AT-9.5/?{FORCE}&dice=1+1+3", f"/consult/AT-9.5/?{FORCE}&odds=1",
    "/rules/", "/rules/?q=butin", "/rules/atlantide/", "/rules/atlantide/AT-6.3/",
    "/rules/mare_nostrum/MN-F3/", "/rules/mare_nostrum/MN-1.3/",
)  # fmt: skip
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data: Path = tmp_path_factory.mktemp("club")
    fill(data)
    with serving(data, "--no-demo") as server:
        yield server


@pytest.mark.parametrize(("lang", "scheme"), [("fr-FR", "light"), ("en-GB", "dark")])
def test_axe_finds_nothing_and_a_phone_is_wide_enough(
    site: Server, browser: Browser, lang: str, scheme: str
) -> None:
    context = browser.new_context(
        base_url=site.address, locale=lang, viewport=PHONE,  # type: ignore[arg-type]
        color_scheme=scheme,  # type: ignore[arg-type]
    )  # fmt: skip
    page = context.new_page()
    found = []
    for address in PAGES:
        page.goto(address)
        found += [(address, each["id"]) for each in Axe().run(page).response["violations"]]
        wide = page.evaluate("document.documentElement.scrollWidth")
        found += [(address, f"{wide} px wide")] if wide > PHONE["width"] else []
    context.close()
    assert found == []


def test_tables_of_a_booklet_stand_whole_or_keep_the_names_of_their_rows_in_sight(
    site: Server, browser: Browser
) -> None:
    page = browser.new_page(base_url=site.address, viewport={"width": 1440, "height": 900})
    page.goto("/rules/mare_nostrum/paper/booklet/")
    rooms = page.locator(".scroll")
    assert rooms.count() > 10
    assert not any(rooms.evaluate_all("all => all.map(one => one.scrollWidth > one.clientWidth)"))
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    matrix = page.locator(".scroll", has=page.locator("table.matrix"))
    name = matrix.locator("tbody th").first
    stood = name.bounding_box()
    assert matrix.evaluate("one => (one.scrollTo(300, 0), one.scrollLeft)") == 300
    assert name.bounding_box() == stood
    page.close()


@pytest.fixture
def plain(site: Server, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(base_url=site.address, locale="en-GB", java_script_enabled=False)
    yield context.new_page()
    context.close()


def test_a_rule_is_asked_without_scripts_by_the_enter_key(plain: Page) -> None:
    plain.goto("/consult/AT-1.5/")
    plain.get_by_label("kind").select_option("elephant")
    plain.get_by_role("button", name="One more line").click()
    expect(plain.get_by_label("kind")).to_have_count(2)
    general = plain.get_by_label("Leadership of the general")
    general.fill("8")
    general.press("Enter")
    answer = plain.get_by_role("region", name="The answer")
    expect(answer.get_by_role("status")).to_have_text("Combat force: 2.")
    answer.get_by_role("link", name="AT-1.5").first.click()
    expect(plain).to_have_url(f"{plain.url.partition('/rules')[0]}/rules/atlantide/AT-1.5/")
