"""The hand-over pack on its page: what its seat knows, for its people, as page and as file."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest

from polemarque.club.campaigns.session import read_lock
from polemarque.club.orders.answers import open_requests
from polemarque.kernel.system import GROUP
from polemarque.report.documents.pdf import printable
from tests.club.people import asked, campaign, person, some_answer
from tests.web.desks import seal_for
from tests.web.people import browser, page, said, way
from tests.web.world import World, play_on, world

pytestmark = pytest.mark.django_db


def pack(there: World, role: str, seat: str = "A", form: str = "") -> str:
    address = way("pack", there.campaign, seat=seat) + (f"?format={form}" if form else "")
    return said(there.browser(role).get(address))


OURS = sorted(point.name for point in entry_points(group=GROUP))
"""What is installed: tests of the kernel add toys."""


@pytest.mark.parametrize("system", OURS)
def test_a_pack_of_every_system_is_a_page_and_a_file(system: str) -> None:
    there = world(system=system, seats=3 if system == "atlantide" else 0, turns=2)
    shown = there.browser("commander").get(way("pack", there.campaign, seat="A"))
    assert shown.status_code == 200 and "Hand-over" in said(shown) and page(shown)
    text = pack(there, "adviser", form="md")
    assert text.startswith("# Hand-over")
    assert "## The situation" in text and "## The last turns" in text
    if printable():
        file = there.browser("commander").get(way("pack", there.campaign, seat="A") + "?format=pdf")
        assert file.content.startswith(b"%PDF")
        assert file["Content-Type"] == "application/pdf"


def test_a_pack_says_what_is_asked_and_what_is_sealed() -> None:
    made = campaign("atlantide", seats=3)
    ana = browser(person("a"))
    before = said(ana.get(way("pack", made, seat="A"), {"format": "text"}))
    asked_part, _, secret = before.partition("What the others do not know")
    rule = asked(made, "A").rule.partition("/")[0]
    assert before.splitlines()[0].endswith(", Setting up")
    assert rule in asked_part and "Sealed:" not in before and secret
    seal_for(made, "A")
    after = said(ana.get(way("pack", made, seat="A"), {"format": "text"}))
    assert f"Sealed: {rule}" in " ".join(after.split())
    with read_lock(made) as table:
        assert open_requests(table.game, "A")
    ben = said(browser(person("b")).get(way("pack", made, seat="B"), {"format": "text"}))
    assert "Sealed:" not in ben


def test_what_is_left_in_advance_is_in_the_pack_of_its_seat_alone() -> None:
    from polemarque.club.orders.answers import seal
    from polemarque.club.orders.standing_orders import Lasting

    there = world(turns=lambda game: any(
        r.rule.startswith("AT-4.1") and {"A", "B"} <= set(r.missing) for r in game.requests()
    ))  # fmt: skip
    key, value = asked(there.campaign, "A"), some_answer(there.campaign, "A")
    seal(there.campaign, there.people["commander"], "A", key, value, once="x", lasting=Lasting())
    assert "it alone knows" in pack(there, "commander", form="text")
    assert "it alone knows" not in pack(there, "rival", "B", form="text")


def test_the_last_three_turns_are_told_as_the_seat_may_read_them() -> None:
    there = world()
    play_on(there, 5)
    text = pack(there, "commander", form="md")
    turns = [line for line in text.splitlines() if line.startswith("### Turn ")]
    assert turns == ["### Turn 5", "### Turn 4", "### Turn 3"] or turns == [
        "### Turn 4", "### Turn 3",
    ], turns  # fmt: skip
    assert "/pack/" in said(there.browser("commander").get(way("seat", there.campaign, seat="A")))
