"""What is coming, at the head of the desk: what waits for the umpire and what he waits for."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from polemarque.bridges.tabletop import blank
from polemarque.club.clock.battle_dates import agree, propose_date
from polemarque.club.clock.deadlines import announce
from polemarque.club.clock.models import Meeting
from polemarque.club.models import Campaign
from polemarque.club.people.roles import visit_of
from tests.club.people import battle_on_the_table, campaign, kept, person
from tests.club.test_battle_dates import path
from tests.club.test_physical_dice import battle as two_at_the_table
from tests.club.test_response_times import kept as replied
from tests.club.test_umpire_acts import typed
from tests.web.desks import adjusting, fields, forms_to, late, played, seal_for, seal_for_zoe
from tests.web.people import browser, everything, page, way

pytestmark = pytest.mark.django_db


def lines(made: Campaign) -> list[str]:
    """What the umpire is told; every link leads to a part of the page."""
    shown = page(browser(person("zoe")).get(way("desk", made)))
    sections = [e for e in shown.all("section") if e.attrs.get("aria-labelledby") == "coming-title"]
    ids = {each.attrs.get("id") for each in everything(shown)}
    assert {f"#{name}" for name in ids} >= {a.attrs["href"] for e in sections for a in e.all("a")}
    return [item.said for each in sections for item in each.all("li")]


def test_open_questions_are_counted_for_whom_they_are() -> None:
    made = campaign("atlantide", seats=3)
    Campaign.objects.filter(pk=made.pk).update(pace=24)
    seal_for(made, "B")
    nothing, asked, due = lines(made)
    assert nothing == "The umpire has nothing to do."
    assert asked.startswith("2 questions are open: ") and due.startswith("Next answer due: ")
    late(made)
    replied(made, "C", 20, 21, 22)
    announce(person("a"), timezone.localdate(), timezone.localdate())
    told = lines(made)[2:]
    assert [each.partition(":")[0] for each in told] == [
        "Late", "Away, and awaited", "Usually takes most of the time given",
    ]  # fmt: skip
    assert not any("Next" in each for each in told)


def test_a_blind_umpire_is_told_of_nobody_else() -> None:
    made = played()
    before = lines(made)
    seal_for(made, "B")
    assert lines(made) == before
    assert before[1:] == ["A question is open: A."], "his own"
    seal_for_zoe(made, "A")
    assert lines(made)[1:] == ["A question is open: C."]


def test_dice_to_type_and_to_confirm() -> None:
    assert "A throw of the table is to be typed." in lines(typed())


def test_what_a_seat_has_typed_is_to_be_confirmed() -> None:
    made, throw = two_at_the_table()
    ana = browser(person("a"))
    mine = way("dice", made, seat="A")
    (form,) = forms_to(ana.get(way("seat", made, seat="A")), mine)
    ana.post(mine, {**fields(form), "dice": f"{throw.roll.count}x2"})
    assert "A typed throw is to be confirmed." in lines(made)


def test_an_act_that_waits_for_consent() -> None:
    made = played()
    zoe = browser(person("zoe"))
    act = adjusting(zoe, made, name="loot.B", value="3", reason="so")
    address = act["Location"]
    (form,) = forms_to(zoe.get(address), address)
    zoe.post(address, {**fields(form), "do": "confirm"})
    assert "An act waits for a seat’s consent." in lines(made)


def test_battles_and_what_they_wait_for() -> None:
    made = kept(battle_on_the_table())
    a, b = [visit_of(made, person(name)) for name in "ab"]

    def told(start: str) -> Any:
        return [each for each in lines(made) if each.startswith(start)]

    assert told("A battle is open: ") and told("No date agreed on: ")
    put = propose_date(a, path(made), timezone.now() + timedelta(days=2), "")
    assert told("A date waits for a word: ") and not told("No date")
    agree(b, path(made), put.pk)
    assert told("Date agreed on: ")
    Meeting.objects.update(at=timezone.now() - timedelta(hours=1))
    assert told("The hour has passed")


def test_sheets_that_differ_are_for_the_umpire_to_decide() -> None:
    game = battle_on_the_table()
    ((brief, _),) = game.runner.branches
    for side, result in zip(brief.sides, ("attacker", "defender"), strict=True):
        game.answer(side.seat, blank(brief) | {"result": result})
    made = kept(game)
    assert lines(made)[0].startswith("Your decision: ") and "waiting" not in lines(made)[0]
    late(made, hours=5)
    assert lines(made)[0].endswith(", waiting for 5 hours.")
