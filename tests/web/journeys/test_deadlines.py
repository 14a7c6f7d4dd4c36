"""Deadlines on a phone, in French: the umpire sets them, a player reads them and votes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.journeys.axe import violations
from tests.web.journeys.conftest import Open
from tests.web.journeys.test_phone import PHONE, fits
from tests.web.served import Server, fill

WAR: dict[str, Any] = {
    "system": "atlantide", "seats": 3, "people": {"A": "ann"}, "umpire": "ulysse",
}  # fmt: skip


@pytest.mark.timeout(300)
def test_tuesdays_and_fridays_are_set_and_voted_on_by_finger(
    club: Server, open_window: Open
) -> None:
    made: Any = fill(club.data, WAR)
    club.start()
    way = f"/c/{made['campaigns'][0]}/clock/"
    umpire, player = (open_window(club, "fr", **PHONE) for _ in range(2))
    umpire.sign_in(made["people"]["ulysse"])
    umpire.go(way)
    for name in ("Des jours de la semaine", "Répondre pour l’absent, selon les règles"):
        umpire.page.get_by_label(name).tap()
    for day in ("mardi", "vendredi"):
        umpire.page.get_by_label(day).tap()
    umpire.page.get_by_label("Fuseau horaire").fill("Europe/Paris")
    fits(umpire)
    umpire.page.get_by_role("button", name="Fixer les délais").tap()
    set_now = umpire.page.get_by_text(re.compile("mardi et vendredi, à 21:00"))
    expect(set_now).to_be_visible()
    fits(umpire)
    player.sign_in(made["people"]["ann"])
    player.go(way)
    expect(player.page.get_by_text(re.compile("mardi et vendredi, à 21:00"))).to_be_visible()
    fits(player)
    player.page.get_by_role("button", name=re.compile("Voter pour")).first.tap()
    expect(player.page.get_by_text("C’est décidé.")).to_be_visible()
    expect(player.page.get_by_text(re.compile("Les sièges ont mis"))).to_be_visible()
    fits(player)
    assert [*violations(player), *violations(umpire)] == []
