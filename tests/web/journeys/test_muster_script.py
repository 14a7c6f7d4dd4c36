"""What scripts add to making and filling a campaign, in a real browser; axe over those pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.served import Server, fill, serving


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, Any]]]:
    data: Path = tmp_path_factory.mktemp("club")
    made = fill(
        data,
        {"system": "batailles", "scenario": "ford", "title": "Au gué", "umpire": "zoe",
         "people": {"A": "ana"}, "begin": False},
    )  # fmt: skip
    with serving(data, "--no-demo") as server:
        yield server, made


@pytest.fixture
def zoe(site: tuple[Server, dict[str, Any]], browser: Browser) -> Iterator[Page]:
    """The umpire's browser, in French; no script may fail in it."""
    faults: list[str] = []
    context = window(site, browser, "zoe")
    page = context.new_page()
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    yield page
    context.close()
    assert not faults


def window(site: tuple[Server, dict[str, Any]], browser: Browser, who: str) -> BrowserContext:
    server, made = site
    context = browser.new_context(base_url=server.address, locale="fr-FR")
    people: Any = made["people"]
    context.add_cookies(
        [{"name": n, "value": v, "url": server.address} for n, v in people[who].items()]
    )
    return context


def violations(page: Page) -> list[str]:
    return [f"{page.url}: {each['id']}" for each in Axe().run(page).response["violations"]]


def test_only_the_seats_of_the_chosen_number_are_shown_and_sent(zoe: Page) -> None:
    zoe.goto("/new/atlantide/")
    chairs = zoe.locator("[data-chair]:visible")
    expect(chairs).to_have_count(4)
    zoe.locator("[name='seat.D']").select_option("bot:random")
    zoe.locator("[name=scenario][value=trio]").check()
    expect(chairs).to_have_count(3)
    zoe.locator("#seats").fill("2")
    expect(chairs).to_have_count(2)
    assert not violations(zoe)
    zoe.locator("main button.primary").click()
    zoe.wait_for_url("**/c/*/")
    expect(zoe.locator("table.seats tbody tr")).to_have_count(2)


def test_seats_go_by_the_names_of_the_chosen_scenario(zoe: Page) -> None:
    zoe.goto("/new/mare_nostrum/")
    labels = zoe.locator("[data-chair]:visible label")
    zoe.locator("[name=scenario][value=duel]").check()
    expect(labels).to_have_text(["Rome (A)", "Carthage (B)"])
    zoe.goto("/new/atlantide/")
    expect(labels.first).to_have_text("Siège A")


def test_a_link_is_copied_and_who_comes_is_seen_without_asking(
    zoe: Page, site: tuple[Server, dict[str, Any]], browser: Browser
) -> None:
    zoe.context.grant_permissions(["clipboard-read", "clipboard-write"])
    zoe.goto(f"/c/{site[1]['campaigns'][0]}/")
    zoe.get_by_role("button", name="Créer un lien pour ce siège Dracon (B)").click()
    zoe.get_by_role("button", name="Copier Dracon (B)").click()
    expect(zoe.get_by_text("Copié.")).to_be_visible()
    link = zoe.evaluate("navigator.clipboard.readText()")
    assert link == zoe.get_by_label("Lien : Dracon (B)").input_value()
    assert not violations(zoe)

    newcomer = browser.new_context(locale="en-GB").new_page()
    newcomer.goto(link)
    assert not violations(newcomer)
    newcomer.get_by_label("Your name").fill("Ben")
    newcomer.get_by_text("Choose an account name and a password").click()
    newcomer.get_by_label("Account name").fill("ben")
    newcomer.get_by_label("Password").fill("thalassa-thalassa")
    newcomer.get_by_role("button", name="Take the seat").click()
    newcomer.wait_for_url("**/c/*/")
    assert not violations(newcomer)

    row = zoe.get_by_role("row", name="Dracon (B)")
    expect(row).to_contain_text("Ben")
    zoe.get_by_role("button", name="Commencer la campagne").click()
    expect(newcomer).to_have_url(zoe.url + "seat/B/")
    newcomer.context.close()


def test_a_friend_plays_a_duel_by_a_name_alone_and_chooses_a_password_later(
    zoe: Page, browser: Browser
) -> None:
    zoe.goto("/new/batailles/")
    zoe.get_by_role("button", name="Créer la campagne").click()
    link = zoe.get_by_label("Lien : ").input_value()
    assert not violations(zoe)
    friend = browser.new_context(locale="fr-FR").new_page()
    friend.goto(link)
    friend.get_by_label("Votre nom").fill("Élie")
    friend.get_by_role("button", name="Prendre le siège").click()
    friend.wait_for_url("**/c/*/seat/B/")
    expect(zoe.get_by_role("link", name="Mon siège")).to_be_visible()  # it has begun by itself
    site = friend.url.partition("/c/")[0]
    friend.goto(f"{site}/account/password/first/")
    assert not violations(friend)
    for name in ("password1", "password2"):
        friend.locator(f"[name={name}]").fill("thalassa-thalassa")
    friend.get_by_role("button", name="Choisir un mot de passe").click()
    friend.goto(f"{site}/settings/")
    expect(friend.get_by_role("link", name="Changer de mot de passe")).to_be_visible()
    friend.context.close()
