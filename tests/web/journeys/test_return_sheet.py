"""The result of a battle on the table: one table a side, few clicks, told in an umpire's words."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.web.journeys.axe import violations
from tests.web.journeys.browsers import Window
from tests.web.journeys.conftest import Open
from tests.web.journeys.test_club import FIGHT
from tests.web.journeys.test_phone import PHONE, fits
from tests.web.served import Server, fill

MOST = 12
"""Clicks that a battle may cost an umpire in which four units lost figures."""

HIT = (3, 2, 1, 4)
"""Figures killed of the first four units that have so many."""


class Clicks:
    """Counts what a hand does; a number is typed where a click has put it."""

    def __init__(self, window: Window) -> None:
        self.window, self.made = window, 0

    def __call__(self, control: Locator, typed: str = "") -> None:
        self.made += 1
        control.click()
        if typed:
            self.window.page.keyboard.type(typed)


def look(window: Window, name: str) -> None:
    """Keep a picture for those who want to look."""
    if folder := os.environ.get("PICTURES"):
        window.page.screenshot(path=f"{folder}/{name}.png", full_page=True)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_result_is_entered_in_few_clicks(club: Server, open_window: Open, phone: bool) -> None:
    made: Any = fill(club.data, {**FIGHT, "umpire": "ulysse"})
    (code,) = made["campaigns"]
    club.start()
    zoe = open_window(club, "fr", **(PHONE if phone else {}))
    zoe.sign_in(made["people"]["ulysse"])
    zoe.go(f"/c/{code}/desk/")
    look(zoe, f"desk-{phone}")
    click = Clicks(zoe)
    click(zoe.page.get_by_role("link", name=re.compile(f"^{zoe.say('desk.enter_result')}")).first)
    tables = zoe.page.locator(".returns table")
    expect(tables).to_have_count(2)
    look(zoe, f"sheet-{phone}")
    if phone:
        fits(zoe)
    units = tables.first.locator("tr:has(input[type=text])")
    began = [int(units.nth(n).locator("td").nth(1).inner_text()) for n in range(units.count())]
    rows = [n for n, there in enumerate(began) if there > max(HIT)][: len(HIT)]
    for row, killed in zip(rows, HIT, strict=True):
        click(units.nth(row).locator("input[type=text]").first, str(killed))
    total = tables.first.locator(".total td")
    click(zoe.page.locator("input[type=radio][value=attacker]"))
    expect(total.nth(2)).to_have_text(str(sum(HIT)))
    expect(total.last).to_have_text(str(sum(began) - sum(HIT)))
    look(zoe, f"filled-{phone}")
    assert list(violations(zoe)) == []
    click(zoe.page.get_by_role("button", name=zoe.say("desk.look")))
    expect(zoe.page.locator("main")).to_contain_text("l’emporte")
    expect(zoe.page.locator(".difference")).not_to_be_visible()
    look(zoe, f"preview-{phone}")
    assert list(violations(zoe)) == []
    click(zoe.page.get_by_role("button", name=zoe.say("desk.confirm")))
    zoe.sees(zoe.say("desk.done"))
    assert click.made <= MOST
